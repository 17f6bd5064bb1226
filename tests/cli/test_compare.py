# SPDX-License-Identifier: Apache-2.0
"""`truebleu compare`: every format and every refusal."""

import itertools
import json
import re

import pytest
from support.command import refusal, scored
from support.example_texts import AURORA, ENGLISH, NAMED, SYSTEMS, lines

from truebleu import CHRF, TER, compare
from truebleu.analysis.compare.formats import render
from truebleu.metrics.stats import Stats

REF = ENGLISH[0]
THREE = ("compare", REF, "-i", *SYSTEMS)
TWO = ("compare", REF, "-i", SYSTEMS[1], AURORA)

pytestmark = pytest.mark.usefixtures("folder")


def output(*arguments):
    text, remarks = scored(*arguments)
    assert remarks == ""
    return text


def test_one_system_has_its_interval():
    (system,) = compare({"A": lines(AURORA)}, lines(REF)).systems
    low, high = (f"{end:.1f}" for end in system.interval)
    one = ("compare", REF, "-i", AURORA)
    for form in ("text", "latex", "markdown"):
        text = output(*one, "-f", form)
        assert f"{low} to {high}" in text
        assert "p-value" not in text
    assert f"{system.interval[0]} to {system.interval[1]}" in output(*one, "-f", "tsv")
    assert json.loads(output(*one, "-f", "json"))["pairs"] == []
    for form in ("text", "json", "tsv"):
        assert low in output("score", REF, "-i", AURORA, "--confidence", "-f", form)
    assert "leave out --sentence-level" in refusal(
        "score", REF, "-i", AURORA, "--confidence", "-sl"
    )


TABLE = """\
System  BLEU  95 % interval  cluster  rank  wins  losses
------  ----  -------------  -------  ----  ----  ------
aurora  51.3   46.2 to 56.3        1     1     2       0
basalt  34.2   29.8 to 39.9        2     2     1       1
cinder  14.1    9.8 to 20.1        3     3     0       2

row minus column       1       2       3
1 aurora                  +17.1*  +37.2*
2 basalt          -17.1*          +20.2*
3 cinder          -37.2*  -20.2*
* significant: p <= 0.05 after maxT

aurora is better than basalt: +17.1 BLEU, \
95 % interval 11.6 to 22.4, p = 0.001 after maxT
aurora is better than cinder: +37.2 BLEU, \
95 % interval 31.6 to 42.6, p = 0.001 after maxT
basalt is better than cinder: +20.2 BLEU, \
95 % interval 16.2 to 24.7, p = 0.001 after maxT
All 3 significant differences survive

test: permutation, 999 resamples of 48 segments, seed 12345; \
p-values after maxT for 3 pairs, level 5 %
power: one test detects a true difference of 6.0 to 7.9 BLEU 80 % of the time
power: detecting a true difference of 2 BLEU as often takes 747 segments
agreement with people: unknown below 200 segments
signature: nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0
"""


def test_a_table_a_matrix_and_sentences():
    """What the numbers are is tested elsewhere; here is what they look like."""
    assert output(*THREE, "-n", "999", "--detect", "2") == TABLE


def test_json_has_everything_and_is_what_compare_finds():
    result = json.loads(output(*THREE, "-f", "json", "-n", "500", "--detect", "2", "--seed", "7"))
    assert (result["test"], result["resamples"], result["seed"]) == ("permutation", 500, 7)
    assert (result["units"], result["unit"], result["alpha"]) == (48, "segments", 0.05)
    systems = NAMED
    refs = lines(REF)
    ours = compare(systems, refs, resamples=500, seed=7)
    for entry, pair in zip(result["pairs"], ours.pairs, strict=True):
        needed = entry.pop("units_needed")
        assert needed == {"difference": 2.0, "units": pair.units_needed(2)}
        assert entry == pair.to_dict()
    assert result["systems"] == [json.loads(json.dumps(one.to_dict())) for one in ours.systems]
    assert result["signature"] == ours.signature


def test_tsv_has_a_line_for_each_pair():
    head, *rows = [line.split("\t") for line in output(*THREE, "-f", "tsv").splitlines()]
    assert head[:7] == ["a", "b", "difference", "low", "high", "p", "p_adjusted"]
    assert len(rows) == 3
    assert all(len(row) == len(head) for row in rows)
    first = dict(zip(head, rows[0], strict=True))
    pair = json.loads(output(*THREE, "-f", "json"))["pairs"][0]
    for name in ("difference", "p", "p_adjusted", "effect", "detectable"):
        assert float(first[name]) == pair[name]
    assert first["correction"] == "maxT"
    assert first["better"] == "aurora"


def test_latex_and_markdown_have_both_tables():
    latex = output(*THREE, "-f", "latex")
    assert latex.count(r"\toprule") == latex.count(r"\bottomrule") == 2
    assert r"95 \% interval" in latex
    assert r"p\_adjusted" in latex
    assert all(line.startswith("%") for line in latex.splitlines() if "resamples" in line)
    markdown = output(*THREE, "-f", "markdown")
    assert markdown.count("| :---") == 2
    assert "| aurora | 51.3 |" in markdown


def test_warnings_are_in_the_notes_or_on_standard_error():
    text = output(*TWO, "--test", "sacrebleu-bootstrap")
    assert "sacrebleu-bootstrap, 1,000 resamples" in text
    assert "warning: sacreBLEU's bootstrap is anti-conservative" in text
    assert "warning" not in output(*TWO, "--test", "bootstrap")
    few = "can be significant: p after Holm is 0.097 or more with 30 resamples of 3 pairs"
    short = (*THREE, "-n", "30", "--correction", "holm")
    assert f"\nwarning: no difference {few}" in output(*short)
    assert few in output(*short, "-f", "json")
    table, remarks = scored(*short, "-f", "tsv")
    assert "significant" not in table
    assert remarks.startswith(f"truebleu: notice: no difference {few}")


def test_a_comparison_for_each_metric():
    metrics = ("-m", "bleu", "chrf", "ter", "-cw", "2", "--ter-normalized")
    text = output(*THREE, *metrics)
    assert text.startswith(output(*THREE))
    heads = re.findall(r"^System +(\S+)", text, re.MULTILINE)
    assert heads == ["BLEU", "chrF2++", "TER"]
    assert "aurora is better than cinder: -" in text
    assert "norm:yes" in text
    bleu, chrf, ter = json.loads(output(*THREE, *metrics, "-f", "json"))
    assert bleu == json.loads(output(*THREE, "-f", "json"))
    systems = NAMED
    ours = [CHRF(word_order=2), TER(normalized=True)]
    for metric, result in zip(ours, (chrf, ter), strict=True):
        expected = compare(systems, lines(REF), metric=metric).to_dict()
        assert {name: result[name] for name in expected} == json.loads(json.dumps(expected))
    head, *rows = [row.split("\t") for row in output(*THREE, *metrics, "-f", "tsv").splitlines()]
    assert head[:3] == ["metric", "a", "b"]
    assert [row[0] for row in rows] == ["BLEU"] * 3 + ["chrF2++"] * 3 + ["TER"] * 3
    assert {row[-3] for row in rows} == {"aurora", "basalt"}
    assert {row[-2] for row in rows} == {"yes"}
    assert output(*THREE, *metrics, "-f", "latex").count(r"\toprule") == 6


def test_documents(folder):
    (folder / "docs").write_text("".join(f"doc{i // 6}\n" for i in range(48)))
    assert "10,000 resamples of 8 documents" in output(*THREE, "--by-doc", "docs")
    (folder / "docs").write_text("one\n" * 48)
    assert refusal(*THREE, "--by-doc", "docs").startswith("compare needs at least two documents")
    (folder / "docs").write_text("one\n" * 47)
    assert refusal(*THREE, "--by-doc", "docs").startswith("docs: 47 lines, but")
    assert "no such file" in refusal(*THREE, "--by-doc", "absent")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("compare",), "no reference file"),
        (("compare", "ref", "-i", "hyp", "hyp"), "two systems are named 'hyp'"),
        (("compare", "ref", "-i", "hyp", REF), f"{REF}: 48 lines, but ref has 3"),
        ((*TWO, "-n", "many"), "--resamples cannot be 'many'; it must be a whole number"),
        ((*TWO, "--test", "t"), "--test cannot be 't'"),
        ((*TWO, "--seed", "-1"), "--seed cannot be -1"),
        ((*TWO, "--detect", "0"), "the difference to detect cannot be 0.0; give one above 0"),
        ((*TWO, "-w", "-1"), "--width cannot be -1"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_refusals(arguments, message):
    assert message in refusal(*arguments)


def test_colors_tell_better_from_worse():
    rows = [[9, 9, 9 - k, 8 - k, 7 - k, 6 - k, 9, 8, 7, 6] for k in range(3)]
    result = compare({f"s{k}": Stats([row] * 60) for k, row in enumerate(rows)}, resamples=200)
    text = render("text", result, color=True)
    assert "\x1b[32m" in text
    assert "\x1b[31m" in text
    assert re.sub(r"\x1b\[\d+m", "", text) == render("text", result)


def test_a_baseline_by_name_or_path(folder):
    by_name = output(*THREE, "--baseline", "basalt", "-n", "200")
    head, _, first, second, third, *notes = by_name.splitlines()
    columns = ["System", "BLEU", "95 % interval", "minus basalt", "95 % interval", "p"]
    assert re.split("  +", head) == columns
    assert [line.split()[0] for line in (first, second, third)] == [
        "aurora", "basalt", "cinder",
    ]  # fmt: skip
    assert " +17.1* " in first
    assert " -20.2* " in third
    assert second.endswith("to 39.5")
    assert notes[0] == "* significant: p <= 0.05 after maxT"
    assert "for 2 pairs" in by_name
    assert "row minus column" not in by_name
    assert "better than" not in by_name
    for name in (SYSTEMS[1], "hyp.basalt.txt"):
        assert output(*THREE, "--baseline", name, "-n", "200") == by_name
    (folder / "other").mkdir()
    (folder / "other" / "hyp").write_text("x\n" * 3)
    two = ("compare", "ref", "-i", "hyp", "other/hyp", "-n", "10", "--baseline")
    assert "minus hyp" in output(*two, "hyp")  # a path before a name
    three = ("compare", "ref", "-i", "./hyp", "other/hyp", "-n", "10", "--baseline")
    assert "no system is named 'hyp'" in refusal(*three, "hyp")
    message = refusal(*THREE, "--baseline", "nobody")
    assert message.startswith("--baseline: no system is named 'nobody'")
    assert "\x1b[32m" in render("text", compare_examples(), color=True)


def compare_examples():
    systems = {name: lines(path) for name, path in zip("ABC", SYSTEMS, strict=True)}
    return compare(systems, lines(REF), resamples=200, baseline="B")


def test_the_order_given():
    names = [SYSTEMS[2], SYSTEMS[0], SYSTEMS[1]]
    for form in ("text", "markdown", "latex"):
        text = output("compare", REF, "-i", *names, "--given-order", "-n", "50", "-f", form)
        places = [text.index(name) for name in ("cinder", "aurora", "basalt")]
        assert places == sorted(places)
    assert "\n1 cinder" in output("compare", REF, "-i", *names, "--given-order")


def test_a_matrix_of_many_systems_has_a_sign_for_each_pair(folder):
    segments = lines(AURORA)
    names = []
    for i in range(12):
        names.append(f"system{i:02}")
        changed = ["x y z" if j < 3 * i else line for j, line in enumerate(segments)]
        (folder / names[-1]).write_text("\n".join(changed) + "\n", encoding="utf-8")
    text = output("compare", REF, "-i", *names, "-n", "500")
    rows = re.findall(r"^(\d+) system\d\d +(.*)$", text, re.MULTILINE)
    matrix = [row.split() for _, row in rows[:12]]
    assert all(len(row) == 11 for row in matrix)
    assert matrix[0][-1] == "+"
    assert matrix[-1][0] == "-"
    signs = {"+": "-", "-": "+", ".": "."}
    for i, j in itertools.combinations(range(12), 2):
        assert matrix[i][j - 1] == signs[matrix[j][i]]
    assert "+ - significantly higher or lower: p <= 0.05 after maxT" in text
    assert max(map(len, text.splitlines()[15:29])) < 45
