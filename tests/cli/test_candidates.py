# SPDX-License-Identifier: Apache-2.0
"""`truebleu mbr` and `self-bleu` of candidates: layouts and formats."""

import json

import pytest
from support.command import scored

from truebleu import mbr, self_bleu

SOURCES = [["a b c d", "a b c e", "a b c d f"], ["x y", "x y z", "x y z"]]
TEXTS = [text for source in SOURCES for text in source]


@pytest.fixture(autouse=True)
def files(folder):
    """The candidates in the three layouts."""
    tabbed = "".join("\t".join(source) + "\n" for source in SOURCES)
    (folder / "tabs").write_text(tabbed)
    (folder / "lines").write_text("".join(text + "\n" for text in TEXTS))
    for i in range(3):
        (folder / f"system{i}").write_text("".join(source[i] + "\n" for source in SOURCES))
    return folder


def test_the_layouts_give_the_same():
    expected = "".join(one.best + "\n" for one in mbr(SOURCES))
    assert scored("mbr", "tabs") == (expected, "")
    assert scored("mbr", "lines", "-n", "3") == (expected, "")
    assert scored("mbr", "system0", "system1", "system2") == (expected, "")
    with open("tabs", "rb") as file:
        assert scored("mbr", stdin=file.read()) == (expected, "")


def test_json_has_all_scores():
    output, _ = scored("mbr", "lines", "--candidates-per-source", "3", "-f", "json", "--exact")
    expected = mbr(SOURCES, exact=True)
    assert json.loads(output) == [
        {"best": one.best, "index": one.index, "scores": list(one.scores)} for one in expected
    ]


def test_json_has_no_nan(files):
    (files / "empty").write_text("\t\n")
    output, _ = scored("mbr", "empty", "-d", "hf-bleu", "-f", "json")
    assert json.loads(output) == [{"best": "", "index": 0, "scores": [None, None]}]


def test_tsv_names_the_winner():
    output, _ = scored("mbr", "tabs", "-f", "tsv")
    first = mbr(SOURCES)[0]
    best = f"{first.index}\t{float(first.scores[first.index])!r}\t{first.best}"
    assert output.splitlines()[:2] == ["index\tscore\tbest", best]


def test_references_weights_and_dialects_count(files):
    (files / "weights").write_text("0\t0\t1\n5\t1\t1\n")
    (files / "weights-lines").write_text("0\n0\n1\n5\n1\n1\n")
    (files / "refs").write_text("a b c e\nx\n")
    expected = [one.best for one in mbr(SOURCES, [[0, 0, 1], [5, 1, 1]], dialect="nltk-method1", tokenize="13a")]
    options = ("-d", "nltk-method1", "-tok", "13a")
    assert scored("mbr", "tabs", "-p", "weights", *options)[0].splitlines() == expected
    by_lines = ("mbr", "lines", "-n", "3", "-p", "weights-lines", *options)
    assert scored(*by_lines)[0].splitlines() == expected
    expected = [one.best for one in mbr(SOURCES, references=[["a b c e"], ["x"]])]
    assert scored("mbr", "tabs", "-r", "refs")[0].splitlines() == expected
    assert scored("mbr", "lines", "-n", "3", "-r", "refs")[0].splitlines() == expected
    assert expected[0] == "a b c e"


def test_groups_have_their_mean_expected_scores(files):
    (files / "groups").write_text("news\nchat\n")
    (files / "by-line").write_text("news\n" * 3 + "chat\n" * 3)
    rows = [{"c": source, "group": label} for source, label in zip(SOURCES, ("news", "chat"), strict=True)]
    (files / "t.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    chosen = mbr(SOURCES)
    best = [one.scores[one.index] for one in chosen]
    means = [sum(one.scores) / 3 for one in chosen]
    systems = ("system0", "system1", "system2", "--group-by", "groups")
    expected = scored("mbr", *systems)[0]
    assert expected.splitlines()[2:] == [
        f"{name:5}  {count:>7}  {a:14.1f}  {b:17.1f}  {f'{a - b:+.1f}':>10}"
        for name, count, a, b in (
            ("chat", 1, best[1], means[1]),
            ("news", 1, best[0], means[0]),
            ("(all)", 2, sum(best) / 2, sum(means) / 2),
        )
    ]
    for layout in (
        ("lines", "-n", "3", "--group-by", "groups"),
        ("lines", "-n", "3", "--group-by", "by-line"),
        ("t.jsonl", "--hyp-col", "c", "--group-by", "group"),
    ):
        assert scored("mbr", *layout)[0] == expected
    output = json.loads(scored("mbr", *systems, "-f", "json")[0])
    assert output["groups"]["chat"] == {"sources": 1, "best": best[1], "average": means[1]}
    assert [one["group"] for one in output["choices"]] == ["news", "chat"]
    plain = json.loads(scored("mbr", *systems[:3], "-f", "json")[0])
    assert [{"group": one.pop("group")} and one for one in output["choices"]] == plain
    head, first, _ = scored("mbr", *systems, "-f", "tsv")[0].splitlines()
    assert head == "group\tindex\tscore\tbest"
    assert first.startswith("news\t")


def test_self_bleu_of_a_file():
    value = self_bleu(TEXTS)
    line = f"self-BLEU|{value.signature} = {value:.1f} (6 texts, leave-one-out)\n"
    assert scored("self-bleu", "lines") == (line, "")
    assert scored("self-bleu", "-b", "-w", "4", stdin=b"a b c\na b d\n")[0] == (
        f"{self_bleu(['a b c', 'a b d']):.4f}\n"
    )
    output, _ = scored("self-bleu", "lines", "-f", "json", "-d", "fast-bleu", "--tokenize", "13a")
    value = self_bleu(TEXTS, "fast-bleu", tokenize="13a")
    assert json.loads(output) == {
        "file": "lines", "value": value.value, "interval": None, "texts": 6, "scored": 6,
        "definition": "leave-one-out", "signature": value.signature,
    }  # fmt: skip


def test_self_bleu_of_several_files_names_them():
    output, _ = scored("self-bleu", "lines", "hyp", "-b")
    assert len(output.splitlines()) == 2
    output, _ = scored("self-bleu", "lines", "hyp")
    assert [line.split()[0] for line in output.splitlines()] == ["lines", "hyp"]


def test_self_bleu_of_a_sample_has_an_interval():
    output, _ = scored("self-bleu", "lines", "--sample", "4", "--seed", "7")
    value = self_bleu(TEXTS, sample=4, seed=7)
    low, high = value.interval
    assert output.endswith(f"= {value:.1f} (6 texts, leave-one-out; 4 drawn, 95 % interval {low:.1f} to {high:.1f})\n")
