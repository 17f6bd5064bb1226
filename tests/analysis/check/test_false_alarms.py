# SPDX-License-Identifier: Apache-2.0
"""`check` on files as they are: nothing in the examples, and on the WMT files only what is true."""

from itertools import chain

import pytest
from conftest import ROOT
from support.example_texts import lines
from support.profiles import few

from truebleu import BLEU, check
from truebleu.analysis.check import Column, Texts, inspect

TOKENIZERS = {"de-en": "13a", "en-zh": "zh", "wmt22/en-ja": "ja-mecab"}

#: How many systems each folder has.
SYSTEMS = {"wmt21/en-ru": 6, "wmt22/en-de": 9, "wmt22/en-ja": 8, "wmt22/zh-en": 8}

#: Every finding on these systems of the WMT files, but for repeated segments: lines by kind and
#: file. Each was read, and is true: reference B of WMT21 en-ru is a line out of step for 11 lines,
#: reference A has 12 lines of cp1251 read as Latin-1, one system wrote `<unk>` into 229 lines,
#: one has lines of CSV, one repeats words to the end of two lines, and one line ends in `@@`.
TRUE = {
    ("wmt21/en-ru/ref.A.txt", "mojibake"): range(903, 915),
    ("wmt21/en-ru/ref.A.txt", "odd-space"): 7,
    ("wmt21/en-ru/ref.B.txt", "odd-space"): 17,
    ("wmt21/en-ru/ref.B.txt", "shifted-lines"): range(743, 754),
    ("wmt22/en-de/hyp.JDExploreAcademy.txt", "case-lines"): [1663],
    ("wmt22/en-de/hyp.Lan-Bridge.txt", "foreign-marks"): 229,
    ("wmt22/en-de/hyp.Online-B.txt", "odd-space"): [671, 1042],
    ("wmt22/en-de/hyp.Online-B.txt", "tokenized-lines"): 8,
    ("wmt22/en-de/hyp.Online-G.txt", "invisible-character"): [1440],
    ("wmt22/en-de/hyp.PROMT.txt", "invisible-character"): [1440],
    ("wmt22/en-de/ref.A.txt", "odd-space"): 13,
    ("wmt22/en-de/ref.B.txt", "odd-space"): 10,
    ("wmt22/en-ja/hyp.KYB.txt", "added-text"): 10,
    ("wmt22/en-ja/hyp.KYB.txt", "too-short"): [273, 696, 1355],
    ("wmt22/en-ja/hyp.KYB.txt", "wrong-script"): [239],
    ("wmt22/en-ja/hyp.NAIST-NICT-TIT.txt", "tokenized-lines"): 45,
    ("wmt22/en-ja/hyp.NAIST-NICT-TIT.txt", "wrong-script"): [360, 368, 550, 1039],
    ("wmt22/en-ja/hyp.NT5.txt", "wrong-script"): [1097],
    ("wmt22/en-ja/hyp.Online-A.txt", "wrong-script"): [1748],
    ("wmt22/en-ja/hyp.Online-W.txt", "empty-hyp"): [791, 1334],
    ("wmt22/en-ja/hyp.Online-W.txt", "too-short"): [405],
    ("wmt22/en-ja/hyp.Online-W.txt", "wrong-script"): [1250],
    ("wmt22/zh-en/hyp.AISP-SJTU.txt", "odd-space"): 10,
    ("wmt22/zh-en/hyp.DLUT.txt", "repeated-text"): [1416, 1474],
    ("wmt22/zh-en/hyp.LanguageX.txt", "foreign-marks"): [431, 789, 1333, 1471, 1600],
    ("wmt22/zh-en/hyp.LanguageX.txt", "subwords"): [1226],
    ("wmt22/zh-en/hyp.Online-B.txt", "too-short"): 4,
    ("wmt22/zh-en/hyp.Online-W.txt", "empty-hyp"): [1479],
    ("wmt22/zh-en/hyp.Online-W.txt", "too-short"): [225, 1746, 1788],
    ("wmt22/zh-en/hyp.Online-W.txt", "tokenized-lines"): 4,
    ("wmt22/zh-en/hyp.Online-W.txt", "wrong-script"): [1194],
    ("wmt22/zh-en/hyp.Online-Y.txt", "wrong-script"): 12,
    ("wmt22/zh-en/ref.B.txt", "tab"): [1364],
}


def column(role, folder, path):
    return Column(role, f"{folder}/{path.name}", lines(path), 1)


def checked(root, folder, *, sources):
    """What is found in each system of a folder."""
    path = root / folder
    refs = [column("ref", folder, ref) for ref in sorted(path.glob("ref.*.txt"))]
    src = column("src", folder, path / "source.txt") if sources else None
    metric = BLEU(tokenize=TOKENIZERS.get(folder, "13a"))
    for hyp in sorted(path.glob("hyp.*.txt")):
        yield hyp.name, inspect(Texts(column("hyp", folder, hyp), refs, src), metric)


@pytest.mark.parametrize("folder", ["de-en", "en-zh"])
@pytest.mark.parametrize("sources", [False, True])
def test_clean_files_have_no_finding(folder, sources):
    findings = dict(checked(ROOT / "examples", folder, sources=sources))
    assert len(findings) == 3
    assert not any(findings.values()), findings


@pytest.mark.parametrize(
    "folder", few(["wmt21/en-ru", "wmt22/en-de", "wmt22/en-ja", "wmt22/zh-en"], every=4)
)
def test_every_finding_on_real_files_is_true(shared, folder):
    systems = [findings for _, findings in checked(shared / "data", folder, sources=False)]
    findings = [f for f in chain(*systems) if f.kind != "duplicate-segment"]
    by_place = {(f.column, f.kind): f.lines for f in findings}
    errors = {(f.column, f.kind) for f in findings if f.severity == "error"}
    assert len(systems) == SYSTEMS[folder]
    true = {place: lines for place, lines in TRUE.items() if place[0].startswith(folder)}
    assert set(by_place) == set(true)
    for place, expected in true.items():
        rows = by_place[place]
        same = len(rows) == expected if isinstance(expected, int) else list(rows) == list(expected)
        assert same, place
    serious = {"shifted-lines", "foreign-marks"}
    assert errors == {place for place in true if place[1] in serious and len(by_place[place]) > 10}


@pytest.mark.parametrize(
    "text", ["A sentence.", "Предложение.", "جملة.", "एक वाक्य।", "Μια πρόταση."]
)
def test_scripts_that_13a_suits(text):
    assert check([text], [text]) == []


def test_joiners_and_marks_of_direction_belong_to_some_scripts():
    for text in (
        "می‌خواهم بروم",
        "क्‍ष",
        "👨‍👩‍👧 family",
        "שלום\u200f עולם",
        "ภาษา\u200bไทย",
        "日本語\u3000です",
    ):
        kinds = {finding.kind for finding in check([text], [text], tokenize="char")}
        assert not kinds & {"invisible-character", "odd-space"}, text


def test_text_that_only_looks_like_mojibake():
    for text in (
        "„DAS MENÜ“ IST DA",
        "il dit à « son » ami",
        "MAIS NON, C’EST TOUTE L’ANNÉE…",
        "AMANHÃ”",
    ):
        assert check([text], [text], lowercase=True) == [], text
