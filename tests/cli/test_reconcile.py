# SPDX-License-Identifier: Apache-2.0
"""`truebleu reconcile`: what it prints, and its errors."""

import json

import pytest
from support.command import refusal, run
from support.example_texts import ENGLISH, HYPS, SYSTEMS, TWO_REFS

from truebleu import BLEU, DIALECTS, parse_signature, read_lines

FILES = [*ENGLISH, "-i", SYSTEMS[1]]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--score", "127"], "a reported score cannot be 127"),
        (["--score", "nan"], "a reported score cannot be 'nan'"),
        (["--score=-3"], "a reported score cannot be -3"),
        (["--score", "x"], "a reported score cannot be 'x'"),
        (["--score", "27.3", "-d", "nltq"], "no dialect is named 'nltq'"),
        (["--score", "27.3", "-n", "0"], "--limit cannot be 0"),
        ([], "no score to search for"),
        (["--signature", "tok:13a"], "a signature needs its score"),
        (["--signature", "tok:13a", "-d", "nltk"], "leave out --dialect"),
        (["--signature", "rubbish", "--score", "3"], "not key:value"),
    ],
)
def test_the_command_refuses_in_one_line(arguments, message):
    assert message in refusal("reconcile", *FILES, *arguments)


def test_the_command_prints_what_is_found():
    value = BLEU().corpus(HYPS, TWO_REFS).value
    done = run("reconcile", *FILES, "--score", f"{value:.4f}", "--limit", "1")
    output = done.stdout.decode()
    assert (done.returncode, done.stderr) == (0, b"")
    assert output.startswith(f"One common setting gives {value:.4f} (on a scale of 100)")
    assert f"{value:.6f}  sacrebleu\n" in output
    assert "nrefs:2|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0" in output
    assert "\x1b" not in output


def test_the_command_names_the_references_by_their_files():
    value = BLEU().corpus(HYPS, [row[1] for row in TWO_REFS]).value
    output = run("reconcile", *FILES, "--score", f"{value:.3f}").stdout.decode()
    assert "sacrebleu, reference ref.B.txt" in output


def test_the_command_exits_with_1_if_nothing_gives_the_number():
    done = run("reconcile", *FILES, "--score", "98.76543", "-f", "json")
    printed = json.loads(done.stdout)
    assert (done.returncode, printed["found"], printed["matches"]) == (1, False, [])
    assert printed["nearest"]
    assert run("reconcile", *FILES, "--score", "98.76543").returncode == 1


def test_the_command_prints_json():
    value = BLEU("nltk").corpus(HYPS, TWO_REFS).value
    done = run(
        "reconcile", *FILES, "--score", f"{value:.6f}", "-f", "json", "-d", "nltk", "fairseq"
    )
    printed = json.loads(done.stdout, parse_constant=pytest.fail)
    assert (done.returncode, printed["decimals"]) == (0, 6)
    first = printed["matches"][0]
    assert (first["dialect"], first["references"], first["scale"]) == ("nltk", [1, 2], 1)
    assert parse_signature(first["signature"]) == DIALECTS["nltk"]


def test_the_command_verifies_a_line_of_sacrebleu():
    line = run("score", *FILES).stdout.decode()
    done = run("reconcile", *FILES, "--signature", line)
    assert (done.returncode, done.stdout.decode().startswith("Verified: ")) == (0, True)
    other = run("reconcile", *FILES, "--signature", line, "--score", "12.3", "-f", "json")
    assert (other.returncode, json.loads(other.stdout)["agrees"]) == (1, False)


def test_the_command_uses_every_system():
    systems = SYSTEMS[1::-1]
    output = run("reconcile", FILES[0], "-i", *systems, "--score", "35.2", "52.6").stdout.decode()
    assert "35.2365 52.6140  sacrebleu, lowercase\n" in output
    for arguments, message in (
        (["--score", "35.2"], "--score needs one number per system: 2, not 1"),
        (
            ["--signature", "tok:13a"],
            "--signature verifies one score; name one file with -i, and no groups",
        ),
    ):
        assert refusal("reconcile", FILES[0], "-i", *systems, *arguments) == message


def test_the_command_uses_the_scores_of_groups(folder):
    labels = ["news" if i % 3 else "chat" for i in range(len(HYPS))]
    (folder / "labels").write_text("".join(f"{label}\n" for label in labels))
    bleu, lines = BLEU(lowercase=True), [read_lines(path) for path in SYSTEMS[:2]]
    places = {
        None: range(len(HYPS)),
        **{name: [i for i, one in enumerate(labels) if one == name] for name in ("news", "chat")},
    }

    def scores(name):
        some = places[name]
        refs = [TWO_REFS[i][0] for i in some]
        values = [bleu.corpus([hyps[i] for i in some], refs).value for hyps in lines]
        return [f"{name}={value:.3f}" if name else f"{value:.3f}" for value in values]

    command = ("reconcile", ENGLISH[0], "-i", *SYSTEMS[:2], "--group-by", "labels", "-f", "json")
    for names in (["news"], ["news", "chat"], [None, "chat"]):
        words = [word for name in names for word in scores(name)]
        printed = json.loads(run(*command, "--score", *words).stdout)
        assert printed["matches"][0]["departures"] == ["lowercase"]
        assert printed["groups"] == [name for name in names for _ in range(2)]
    for words, message in (
        (["news=35.2"], "--score needs one number per system of the group news: 2, not 1"),
        (["new=35.2", "new=1"], "--score: no group is named 'new'; did you mean news?"),
        (["news=x", "news=1"], "a reported score cannot be 'x'"),
    ):
        assert message in refusal(*command, "--score", *words)
    verify = refusal(*command[:-2], "--signature", "tok:13a = 3")
    assert verify.startswith("--signature verifies one score; name one file with -i, and no groups")
