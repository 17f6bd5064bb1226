# SPDX-License-Identifier: Apache-2.0
"""What commands say before they read standard input."""

import pytest
from support.command import in_process, refusal, scored
from support.example_texts import ENGLISH, SYSTEMS, lines, write_lines

from truebleu.cli import inputs

REF, HYP = ENGLISH[0], SYSTEMS[0]


@pytest.mark.parametrize(
    ("arguments", "advice"),
    [
        (("report", REF), "-i FILE"),
        (("check", REF), "-i FILE"),
        (("compare", REF, "-i", HYP, "-"), "-i FILE"),
        (("mbr",), "FILE"),
        (("self-bleu",), "FILE"),
    ],
)
def test_commands_say_once_that_they_wait_for_the_keyboard(arguments, advice, monkeypatch):
    monkeypatch.setattr(inputs, "is_keyboard", lambda: True)
    notice, error = in_process(*arguments).stderr.decode().splitlines()
    text = "reading from the keyboard; add {} to read a file, Ctrl-D to end"
    assert notice == f"truebleu: notice: {text.format(advice)}"
    assert error.startswith("truebleu: <stdin>")


def test_a_table_without_columns_and_a_folder_are_refused(tmp_path):
    columns = "is a table; also give --hyp-col and --ref-col"
    for name, text in (("t.tsv", "mt\tref\na\tb\n"), ("t.jsonl", '{"mt": "a", "ref": "b"}\n')):
        (tmp_path / name).write_text(text)
        assert refusal("score", str(tmp_path / name)) == f"{tmp_path / name} {columns}"
    message = f"{tmp_path}: this is a directory; name a file, or add --shards"
    assert refusal("score", str(tmp_path), "-i", HYP) == message
    (tmp_path / "refs").mkdir()
    texts = lines(REF)
    write_lines({"1": texts[:20], "2": texts[20:]}, tmp_path / "refs")
    sharded = scored("score", str(tmp_path / "refs"), "-i", HYP, "--shards")
    assert sharded == scored("score", REF, "-i", HYP)


@pytest.mark.parametrize(
    ("paths", "names"),
    [
        (["out/hyp.a.txt", "hyp.b.txt"], ["a", "b"]),
        (["runs/1/hyp.txt", "runs/2/hyp.txt"], ["1", "2"]), (["a", "a.b"], ["a", "a.b"]),
        (["a.b", "a.b.c"], ["b", "b.c"]), (["a.txt", "b.txt.gz"], ["a.txt", "b.txt.gz"]),
        (["out/hyp.a.txt"], ["hyp.a.txt"]), (["hyp", "hyp"], ["hyp", "hyp"]), ([], []),
        (["a/hyp.txt", "a/hyp.txt"], ["a/hyp.txt", "a/hyp.txt"]),
    ],
)  # fmt: skip
def test_systems_have_the_names_of_files_without_common_parts(paths, names):
    assert inputs.system_names(paths) == names
