# SPDX-License-Identifier: Apache-2.0
"""`truebleu compare`: every format and every refusal."""

import itertools
import json
import re
import shutil
import subprocess

import pytest
from conftest import ROOT
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
    assert f"\t{system.interval[0]}\t{system.interval[1]}\t" in output(*one, "-f", "tsv")
    assert json.loads(output(*one, "-f", "json"))["pairs"] == []
    for form in ("text", "json", "tsv"):
        assert low in output("score", REF, "-i", AURORA, "--confidence", "-f", form)


TABLE = """\
System   BLEU  95 % interval  rank  wins  losses
------  -----  -------------  ----  ----  ------
aurora  51.3*   46.2 to 56.3     1     2       0
basalt  34.2    29.8 to 39.9     2     1       1
cinder  14.1     9.8 to 20.1     3     0       2
* the best, or not significantly worse: p <= 0.05 corrected for 3 pairs

aurora has the highest BLEU of 3 systems; all others are significantly lower
All 3 significant differences survive

test: permutation, 999 resamples of 48 segments, seed 12345; \
p-values after maxT for 3 pairs, whose intervals hold at once, level 5 %
power: one test detects a true difference of 6.0 to 7.9 BLEU 80 % of the time
power: detecting a true difference of 2 BLEU as often takes 747 segments
agreement with people: unknown below 200 segments
signature: nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0
"""
MATRIX = """\
BLEU: row minus column       1       2       3
1 aurora                        +17.1*  +37.2*
2 basalt                -17.1*          +20.2*
3 cinder                -37.2*  -20.2*
* significant: p <= 0.05 corrected for 3 pairs

aurora is better than basalt: +17.1 BLEU, \
95 % interval 10.5 to 23.5, p = 0.001 corrected for 3 pairs
aurora is better than cinder: +37.2 BLEU, \
95 % interval 30.5 to 43.4, p = 0.001 corrected for 3 pairs
basalt is better than cinder: +20.2 BLEU, \
95 % interval 15.6 to 25.7, p = 0.001 corrected for 3 pairs

"""


def test_a_table_a_sentence_and_every_pair_on_request():
    """What the numbers are is tested elsewhere; here is what they look like."""
    text = ("-n", "999", "--detect", "2")
    assert output(*THREE, *text) == TABLE
    first, last = TABLE.split("\n\n", 1)
    assert output(*THREE, *text, "--pairs") == f"{first}\n\n{MATRIX}{last}"


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
        assert entry == {"metric": "BLEU", **json.loads(json.dumps(pair.to_dict()))}
    expected = [{"metric": "BLEU", **system.to_dict()} for system in ours.systems]
    assert result["systems"] == json.loads(json.dumps(expected))
    assert result["signature"] == ours.signature


def rows_of(*arguments):
    head, *rows = [line.split("\t") for line in output(*arguments, "-f", "tsv").splitlines()]
    return [dict(zip(head, row, strict=True)) for row in rows]


def test_tsv_has_a_line_for_each_system_or_each_pair():
    result = json.loads(output(*THREE, "-m", "bleu", "ter", "-f", "json"))
    pairs = rows_of(*THREE, "-m", "bleu", "ter", "--pairs")
    scores = {(one["metric"], one["name"]): one["score"]["value"] for one in result["systems"]}
    for row, pair in zip(pairs, result["pairs"], strict=True):
        for name in ("difference", "p", "p_adjusted", "effect", "detectable"):
            assert float(row[name]) == pair[name]
        assert (row["better"], row["survives"], row["correction"]) == ("" or pair["better"], "yes", "maxT")
        assert float(row["score_a"]) == scores[row["metric"], row["a"]]
    for system, row in zip(("aurora", "basalt", "cinder"), rows_of(*THREE, "-m", "bleu", "ter"), strict=True):
        assert row["System"] == system
        assert (float(row["BLEU"]), float(row["TER"])) == (scores["BLEU", system], scores["TER", system])
    assert float(row["BLEU minus best"]) == result["pairs"][1]["difference"]
    assert float(row["TER p"]) == result["pairs"][4]["p_adjusted"]
    assert row["BLEU rank"] == "3"
    assert float(rows_of(*THREE, "--baseline", "cinder")[0]["BLEU minus cinder"]) > 0


def test_latex_is_one_table_that_compiles_as_it_stands():
    latex = output(*THREE, "-m", "bleu", "ter", "--baseline", "aurora", "-f", "latex")
    *comments, table = latex.partition(r"\begin{table}")
    assert all(line.startswith("%") for line in comments[0].splitlines())
    assert table.count(r"\toprule") == table.count(r"\end{table}") == 1
    assert r"basalt & 34.2$^{*}$ & 53.6$^{*}$ \\" in table
    caption = table[table.index(r"\caption{") :]
    for part in (
        "BLEU, TER of 3 systems.",
        "significantly different from aurora: p $\\leq$ 0.05",
        "corrected for 2 pairs",
        "Test: permutation, 10,000 resamples",
        r"smooth:exp\textbar\allowbreak{}version",
    ):
        assert part in caption
    assert " & $-$17.1$^{*}$ & $-$23.0 to $-$11.1 & " in output(*THREE, "--baseline", "aurora", "-f", "latex")
    pairs = output(*THREE, "-f", "latex", "--pairs")
    assert pairs.count(r"\toprule") == 2
    assert r"a & b & b minus a & low & high & p & corrected p & people agree & survives \\" in pairs


def test_markdown_is_one_table():
    markdown = output(*THREE, "-m", "bleu", "ter", "-f", "markdown")
    assert markdown.startswith("| System | BLEU | TER |\n")
    assert "| aurora | 51.3\\* | 36.7\\* |\n| basalt | 34.2  | 53.6  |" in markdown
    assert r"- \* the best, or not significantly worse: p <= 0.05 corrected for 3 pairs" in markdown
    assert output(*THREE, "-f", "markdown", "--pairs").count("| :---") == 2


def test_intervals_are_shown_on_request():
    low, high = (f"{end:.1f}" for end in compare(NAMED, lines(REF)).systems[0].interval)
    text = output(*THREE, "-m", "bleu", "chrf", "--intervals")
    assert f"{low} to {high}" in text
    assert f"{low} to {high}" not in output(*THREE, "-m", "bleu", "chrf")


def test_groups_and_systems_are_one_table(folder):
    (folder / "domains").write_text("news\n" * 24 + "talks\n" * 24)
    grouped = (*THREE, "-m", "bleu", "chrf", "--group-by", "domains", "-n", "1000")
    text = output(*grouped)
    head, _, news, talks = text.splitlines()[:4]
    assert re.split("  +", head)[:5] == ["group", "aurora BLEU", "basalt BLEU", "cinder BLEU", "aurora chrF2"]
    assert (news.split()[:2], talks.split()[:2]) == (["news", "52.3*"], ["talks", "50.2*"])
    assert "\nnews, BLEU: All 3 significant differences survive\n" in text
    assert "resamples of the segments of each group" in text
    markdown = output(*grouped, "-f", "markdown").splitlines()
    assert [line.split()[1] for line in markdown[2:4]] == ["news", "talks"]
    assert output(*grouped, "-f", "latex").count(" \\\\\n") == 3
    assert [row["group"] for row in rows_of(*grouped)] == ["news"] * 3 + ["talks"] * 3
    parsed = json.loads(output(*grouped, "-f", "json"))
    assert [len(parsed[name]["pairs"]) for name in ("news", "talks")] == [6, 6]


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


def test_a_column_for_each_metric():
    metrics = ("-m", "bleu", "chrf", "ter", "-cw", "2", "--ter-normalized")
    text = output(*THREE, *metrics)
    head, _, first, *_ = text.splitlines()
    assert head.split() == ["System", "BLEU", "chrF2++", "TER"]
    assert first.split() == ["aurora", "51.3*", "70.4*", "28.9*"]
    assert "norm:yes" in text
    parsed = json.loads(output(*THREE, *metrics, "-f", "json"))
    alone = json.loads(output(*THREE, "-f", "json"))
    assert alone["pairs"] == parsed["pairs"][:3]
    assert alone.keys() == parsed.keys()
    ours = [CHRF(word_order=2), TER(normalized=True)]
    for place, metric in enumerate(ours, start=1):
        expected = compare(NAMED, lines(REF), metric=metric).to_dict()
        entries = parsed["pairs"][3 * place : 3 * place + 3]
        assert entries == [json.loads(json.dumps({"metric": expected["metric"], **pair})) for pair in expected["pairs"]]
        assert parsed["signatures"][expected["metric"]] == expected["signature"]


def test_documents(folder):
    (folder / "docs").write_text("".join(f"doc{i // 6}\n" for i in range(48)))
    assert "10,000 resamples of 8 documents" in output(*THREE, "--by-doc", "docs")
    (folder / "docs").write_text("one\n" * 48)
    assert refusal(*THREE, "--by-doc", "docs").startswith("compare needs at least two documents")
    (folder / "docs").write_text("one\n" * 47)
    assert refusal(*THREE, "--by-doc", "docs").startswith("docs: 47 lines, but")


def test_colors_tell_better_from_worse():
    rows = [[9, 9, 9 - k, 8 - k, 7 - k, 6 - k, 9, 8, 7, 6] for k in range(3)]
    result = compare({f"s{k}": Stats([row] * 60) for k, row in enumerate(rows)}, resamples=200)
    text = render("text", result, color=True, pairs=True)
    assert "\x1b[32m" in text
    assert "\x1b[31m" in text
    assert re.sub(r"\x1b\[\d+m", "", text) == render("text", result, pairs=True)


def test_a_baseline_by_name_or_path(folder):
    by_name = output(*THREE, "--baseline", "basalt", "-n", "200")
    head, _, first, second, third, *notes = by_name.splitlines()
    columns = ["System", "BLEU", "95 % interval", "minus basalt", "95 % interval", "p"]
    assert re.split("  +", head) == columns
    assert [line.split()[0] for line in (first, second, third)] == ["aurora", "basalt", "cinder"]
    assert " +17.1* " in first
    assert " -20.2* " in third
    assert second.endswith("to 39.5")
    assert notes[0] == "* significantly different from basalt: p <= 0.05 corrected for 2 pairs"
    assert "for 2 pairs" in by_name
    assert "row minus column" not in by_name
    assert "better than" not in by_name
    for name in (SYSTEMS[1], "hyp.basalt.txt"):
        assert output(*THREE, "--baseline", name, "-n", "200") == by_name
    (folder / "other").mkdir()
    (folder / "other" / "hyp").write_text("x\n" * 3)
    two = ("compare", "ref", "-i", "hyp", "other/hyp", "-n", "10", "--baseline")
    assert "minus hyp" in output(*two, "hyp")  # a path before a name
    assert "\x1b[32m" in render("text", compare_examples(), color=True)


def compare_examples():
    systems = {name: lines(path) for name, path in zip("ABC", SYSTEMS, strict=True)}
    return compare(systems, lines(REF), resamples=200, baseline="B")


def test_the_order_given():
    names = [SYSTEMS[2], SYSTEMS[0], SYSTEMS[1]]
    for form in ("text", "markdown", "latex"):
        text = output("compare", REF, "-i", *names, "--given-order", "-n", "50", "-f", form)
        places = [re.search(rf"{name}( \|| &|  )", text).start() for name in ("cinder", "aurora")]
        assert places == sorted(places)
    assert "\n1 cinder" in output("compare", REF, "-i", *names, "--given-order", "--pairs")


def test_a_matrix_of_many_systems_has_a_sign_for_each_pair(folder):
    segments = lines(AURORA)
    names = []
    for i in range(12):
        names.append(f"system{i:02}")
        changed = ["x y z" if j < 3 * i else line for j, line in enumerate(segments)]
        (folder / names[-1]).write_text("\n".join(changed) + "\n", encoding="utf-8")
    text = output("compare", REF, "-i", *names, "-n", "500", "--pairs")
    rows = re.findall(r"^(\d+) system\d\d +(.*)$", text, re.MULTILINE)
    matrix = [row.split() for _, row in rows[:12]]
    assert all(len(row) == 11 for row in matrix)
    assert matrix[0][-1] == "+"
    assert matrix[-1][0] == "-"
    signs = {"+": "-", "-": "+", ".": "."}
    for i, j in itertools.combinations(range(12), 2):
        assert matrix[i][j - 1] == signs[matrix[j][i]]
    assert "+ - significantly higher or lower: p <= 0.05 corrected for 66 pairs" in text
    assert max(map(len, text.splitlines()[15:30])) < 50


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="there is no TeX")
def test_latex_compiles(folder):
    """Of every command, with names that have all characters that are special."""
    names = ['a_b & 50 % of #1 $x$ {y} ~ ^ \\ | < > " ` [z]*', "b", "c"]
    commands = [
        ("score", REF, "-i", *SYSTEMS, "-m", "bleu", "ter", "--names", *names),
        (*THREE, "-m", "bleu", "ter", "--baseline", names[0], "--names", *names),
        (*THREE, "--pairs", "--caption", "--names", *names),
        ("campaign", str(ROOT / "examples"), "--caption"),
    ]
    tables = [scored(*command, "-f", "latex")[0] for command in commands]
    head = "\\documentclass{article}\n\\usepackage{booktabs}\n\\begin{document}\n"
    (folder / "paper.tex").write_text(head + "\n".join(tables) + "\\end{document}\n")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "paper.tex"]
    done = subprocess.run(command, capture_output=True, check=False)
    assert done.returncode == 0, done.stdout.decode(errors="replace")[-2000:]
