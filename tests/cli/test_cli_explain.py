# SPDX-License-Identifier: Apache-2.0
"""`truebleu explain` and `truebleu diff`: what they print, and what they refuse."""

from __future__ import annotations

import json
import re

import pytest
from cli.test_cli_terminal import on_terminal
from support.command import HYPS, REFS, refusal, scored
from support.installed import AURORA, ENGLISH, ESCAPE, SYSTEMS, truebleu

from truebleu import BLEU, DIALECTS, diff, explain, survey

CINDER = SYSTEMS[2]


def in_json(*arguments):
    return json.loads(truebleu(*arguments, "-f", "json"))


# explain


@pytest.mark.usefixtures("folder")
def test_explain_prints_what_python_says():
    why = explain(HYPS, REFS, most=10)
    assert scored("explain", "ref", "-i", "hyp") == (f"{why}\n", "")
    assert scored("explain", "ref", "-i", "hyp", "-n", "2") == (f"{why.segment(2)}\n", "")
    longer = explain(HYPS, REFS, "nltk", most=3).format(worst=1) + "\n"
    arguments = ("-i", "hyp", "-d", "nltk", "--ngrams", "3", "--worst", "1")
    assert scored("explain", "ref", *arguments) == (longer, "")


@pytest.mark.usefixtures("folder")
def test_the_sum_of_a_segment_on_paper():
    shown, _ = scored("explain", "ref", "-i", "hyp", "-n", "2")
    assert shown.splitlines()[0].startswith("segment 2: BLEU = ")
    for line in (
        "  hypothesis    e f g h",
        "                2 2 . 1",
        "  1-grams: 3 of 4 match",
        "    matched    e | f | h",
        "    unmatched  g",
        "    missed     y",
        "  p1 = 3 / 4 = 0.75",
        "  p2 = 1 / 3 = 0.333333",
        "  p3 = 1 / (2^1 * 2) = 0.25   (smoothed)",
        "  p4 = 1 / (2^2 * 1) = 0.25   (smoothed)",
        "  hypothesis  c = 4 tokens",
        "  reference   r = 4: 4, of the only reference",
        "  brevity penalty BP = 1, as 4 is not less than 4",
        "  BLEU = 100 * BP * p1^(1/4) * p2^(1/4) * p3^(1/4) * p4^(1/4)",
        "       = 100 * 1 * 0.930605 * 0.759836 * 0.707107 * 0.707107",
        "       = 35.3553",
    ):
        assert line in shown.splitlines(), line


def test_json_has_everything():
    corpus = in_json("explain", *ENGLISH, "-i", CINDER, "--worst", "2")
    why = explain(*_texts(CINDER), most=10)
    assert corpus["value"] == why.score.value
    assert [entry["cost"] for entry in corpus["segments"]] == why.costs.tolist()
    assert [entry["segment"] for entry in corpus["worst"]] == why.worst(2)
    assert len(corpus["unmatched"]) == len(corpus["missed"]) == 10
    lost = corpus["worksheet"]["lost"]
    assert sum(lost.values()) == pytest.approx(100 - corpus["value"], rel=1e-14)
    segment = in_json("explain", *ENGLISH, "-i", CINDER, "-n", "17")
    assert segment == json.loads(json.dumps(why.segment(17).to_dict()))


def _texts(*paths):
    columns = []
    for path in (*paths, *ENGLISH):
        with open(path, encoding="utf-8") as file:
            columns.append(file.read().removesuffix("\n").split("\n"))
    hyps, *refs = columns
    return hyps, list(zip(*refs, strict=True))


@pytest.mark.parametrize("more", [(), ("-n", "17"), ("--worst", "10", "-d", "nltk")])
def test_explain_has_colors_on_a_terminal_only(more):
    arguments = ("explain", *ENGLISH, "-i", CINDER, *more)
    plain = truebleu(*arguments)
    colored = on_terminal(*arguments)
    assert ESCAPE not in plain
    assert on_terminal(*arguments, NO_COLOR="1") == plain
    assert {b"\x1b[1;32m", b"\x1b[31m"} < set(re.findall(rb"\x1b\[[\d;]*m", colored))
    # The same but for the colors, which stand for the numbers below the tokens.
    colorless = re.sub(rb"\x1b\[[\d;]*m", b"", colored)
    without_numbers = re.sub(rb"(?m)^ {16}[\d. ]+\n", b"", plain)
    legends = (
        b"  Color of a token: length of the longest match that covers it: 0 1 2 3 4\n",
        b"  Number below a token: length of the longest match that covers it.\n",
    )
    assert colorless.replace(legends[0], b"") == without_numbers.replace(legends[1], b"")
    assert legends[0] in colorless
    assert legends[1] in plain


@pytest.mark.usefixtures("folder")
def test_wide_characters_keep_their_numbers_below_them(folder):
    (folder / "wide").write_text("中文 a e\u0301 b\n", encoding="utf-8")
    shown, _ = scored("explain", "wide", "-i", "wide", "-n", "1", "-tok", "none")
    lines = shown.splitlines()
    at = lines.index("  hypothesis    中文 a e\u0301 b") + 1
    assert lines[at] == "                4    4 4 4"


@pytest.mark.usefixtures("folder")
def test_a_long_segment_goes_on_below(folder):
    text = " ".join(f"word{i}" for i in range(40))
    (folder / "long").write_text(f"{text}\n")
    shown, _ = scored("explain", "long", "-i", "long", "-n", "1")
    assert max(map(len, shown.splitlines()[:16])) <= 100
    assert all(f"word{i}" in shown for i in range(40))
    assert "(and 28 more, see JSON)" in shown


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("command", [("explain",), ("diff", "-b", "nltk")])
def test_control_characters_never_reach_the_terminal(command, folder):
    (folder / "bad").write_text("a\x1b[2J b\x07. c\x9bd\u202e\n", encoding="utf-8")
    (folder / "good").write_text("a b c d\n")
    name, *more = command
    shown, _ = scored(name, "good", "-i", "bad", *more)
    assert not set("\x1b\x07\x9b\u202e") & set(shown)
    assert r"\x07" in shown


# diff


def test_diff_prints_what_python_says():
    hyps, refs = _texts(CINDER)
    found = diff(hyps, refs, "sacrebleu", "nltk")
    arguments = ("diff", *ENGLISH, "-i", CINDER, "-b", "nltk")
    assert truebleu(*arguments).decode() == f"{found}\n"
    assert in_json(*arguments) == json.loads(json.dumps(found.to_dict()))
    signature = BLEU("nltk", lowercase=True).signature
    shown = truebleu("diff", *ENGLISH, "-i", CINDER, "-a", "mteval-v13a", "-b", signature)
    assert shown.decode() == f"{diff(hyps, refs, 'mteval-v13a', signature)}\n"


def test_diff_has_colors_on_a_terminal_only():
    arguments = ("diff", *ENGLISH, "-i", AURORA, "-b", "nltk")
    colored = on_terminal(*arguments)
    assert ESCAPE in colored
    assert re.sub(rb"\x1b\[\d*m", b"", colored) == truebleu(*arguments)


def test_all_dialects_at_once():
    standings = survey(*_texts(AURORA))
    lines = truebleu("diff", *ENGLISH, "-i", AURORA, "--all").decode().splitlines()
    assert [line.split()[0] for line in lines] == ["dialect", *DIALECTS]
    for line, standing in zip(lines[1:], standings, strict=True):
        value = float(line.split()[1])
        assert value == pytest.approx(standing.score.value, abs=0.006 * standing.score.scale / 100)
    entries = in_json("diff", *ENGLISH, "-i", AURORA, "--all")
    assert {entry["dialect"]: entry["score"]["value"] for entry in entries} == {
        standing.name: standing.score.value for standing in standings
    }


# Bad input.


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("explain",), "no reference file"),
        (("explain", "ref", "-i", "hyp", "-d", "sacreblue"), "did you mean sacrebleu"),
        (
            ("explain", "ref", "-i", "hyp", "-n", "4"),
            "there is no segment 4; segments have numbers",
        ),
        (("explain", "ref", "-i", "hyp", "-n", "0"), "numbers 1 to 3"),
        (("explain", "ref", "-i", "hyp", "-n", "x"), "--segment cannot be 'x'"),
        (("explain", "ref", "-i", "hyp", "-n", "1", "--worst", "2"), "give one of them"),
        (("explain", "ref", "-i", "hyp", "--worst", "-1"), "--worst cannot be -1"),
        (("explain", "ref", "-i", "hyp", "--ngrams=-1"), "--ngrams cannot be -1"),
        (("explain", "ref", "-i", "hyp", "hyp"), "-i has several files"),
        (("explain", "ref", "-i", "short"), "short: 1 lines, but ref has 3"),
        (("explain", "ref", "-i", "empty"), "empty: the file is empty"),
        (("explain", "nowhere", "-i", "hyp"), "nowhere: no such file"),
        (("diff",), "no reference file"),
        (("diff", "ref", "-i", "hyp"), "name one with -b, or use --all"),
        (("diff", "ref", "-i", "hyp", "-b", "nltk3"), "no dialect is named 'nltk3'; did you mean"),
        (("diff", "ref", "-i", "hyp", "-b", "tok:14a"), "tok in a signature cannot be '14a'"),
        (("diff", "ref", "-i", "hyp", "-b", "nltk", "--all"), "leave out -a and -b"),
        (
            ("diff", "ref", "-i", "hyp", "-b", "nltk", "--segments=-2"),
            "it must be a whole number, 0 or more",
        ),
        (("diff", "ref", "-i", "short", "-b", "nltk"), "short: 1 lines, but ref has 3"),
        (("diff", "ref", "-i", "empty", "--all"), "empty: the file is empty"),
    ],
)
def test_bad_input_is_one_line(arguments, said, folder):
    (folder / "short").write_text("a\n")
    (folder / "empty").write_text("")
    assert said in refusal(*arguments)


@pytest.mark.parametrize("command", ["explain", "diff"])
def test_help(command):
    assert truebleu(command, "--help").decode().startswith(f"usage: truebleu {command} REF...")
