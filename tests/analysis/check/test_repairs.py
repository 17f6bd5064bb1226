# SPDX-License-Identifier: Apache-2.0
"""Faults of real bug reports: what `check` says of them, and what `repair` leaves."""

import json
import re
import unicodedata

import pytest
from support.example_texts import HYPS, REFS, TWO_REFS
from support.findings import only

from truebleu import BLEU, check, corpus_bleu, repair

HALF = range(0, 48, 2)
tags = '<seg id="3"> {} </seg>'.format


def in_half(texts, change):
    return [change(text) if row in HALF else text for row, text in enumerate(texts)]


def curly(text):
    return re.sub(r'"(?=\w)', "“", text).replace('"', "”").replace("'", "’")


def test_markup_on_both_sides_is_an_error_although_the_score_falls():
    finding, other = (f for f in check([*map(tags, HYPS)], [*map(tags, REFS)]) if f.kind == "added-text")
    assert (finding.role, other.role, finding.severity) == ("hyp", "ref", "error")
    assert finding.after == corpus_bleu(HYPS, REFS).value < finding.before - 10
    assert repair([*map(tags, HYPS)], REFS).hyps == HYPS


@pytest.mark.parametrize(
    ("change", "kind"),
    [
        (lambda text: f"<s> {text} </s>", "added-text"),
        (lambda text: json.dumps({"mt": text}), "added-text"),
        (lambda text: f"17 ||| {text} ||| -3.25", "added-text"),
        (lambda text: f"Sure! Here is the translation: {text}", "added-text"),
        (lambda text: f"{text} (Anmerkung: frei übersetzt.)", "added-text"),
        (lambda text: f"<think>A short one.</think> {text}", "added-text"),
        (lambda text: f"{text} {text}", "repeated-text"),
        (lambda text: f"\ufeff{text}", "byte-order-mark"),
        (lambda text: f"{text}\r", "carriage-return"),
        (lambda text: text.replace(" ", "\xa0"), "odd-space"),
        (lambda text: f"{text}\\n", "foreign-marks"),
        (lambda text: text.replace(" ", "\u2028", 1), "line-separator"),
        (lambda text: text.replace('"', "&quot;").replace("'", "&amp;#39;"), "html-entity"),
        (lambda text: "▁" + text.replace(" ", " ▁"), "subwords"),
        (lambda text: re.sub(r"(\w{3})(?=\w)", r"\1@@ ", text), "subwords"),
        (lambda text: text.replace(",", ",<br>"), "foreign-marks"),
    ],
)
def test_repair_restores_the_texts(change, kind):
    bad = in_half(HYPS, change)
    changed = [row for row in HALF if bad[row] != HYPS[row]]
    finding = only(kind, check(bad, TWO_REFS))
    assert set(finding.lines) <= set(changed)
    repaired = repair(bad, TWO_REFS)
    assert sum(a == b for a, b in zip(repaired.hyps, HYPS, strict=True)) >= 46, repaired.changes
    assert [list(row) for row in TWO_REFS] == repaired.refs


@pytest.mark.parametrize(("bad", "good"), [
    ("C' est l' homme qu' il n' a pas vu .", "C'est l'homme qu'il n'a pas vu."),
    ("I don 't know , he said : it 's 14: 37 .", "I don't know, he said: it's 14:37."),
    ("His parents ' house costs € 18 ( or so ) .", "His parents' house costs €18 (or so)."),
    ("``We can 't , '' she said -LRB- twice -RRB- .", '"We can\'t," she said (twice).'),
    ("A state @-@ of @-@ the @-@ art &quot; system &quot; .", 'A state-of-the-art "system".'),
    ("यह घर बहुत बड़ा और सुंदर है ।", "यह घर बहुत बड़ा और सुंदर है।"),
    ("我 喜欢 这 本 书 。", "我喜欢这本书。"),
])  # fmt: skip
def test_tokens_are_joined(bad, good):
    bad, good = [bad] * 16, [good] * 16
    assert "tokenized" in {finding.kind for finding in check(bad, good)}
    assert repair(bad, good).hyps == good


@pytest.mark.parametrize(("hyp", "ref", "kind"), [
    ("他说：“好！”，然后走了。", '他说:"好!",然后走了.', "width"),
    ("قال ذلك في البيت", "قَالَ ذَلِكَ فِي الْبَيْتِ", "vowel-marks"),
    ("عام ٢٠٢٤ في يوم ١٢", "عام 2024 في يوم 12", "digits"),
    ("We waited … and left…", "We waited ... and left...", "ellipses"),
    ("the years 2020–2024 – all", "the years 2020-2024 - all", "dashes"),
    ("« Nous » l’avons vu", '"Nous" l\'avons vu', "quotation-marks"),
    ("Die Strasse hoert frueher auf", "Die Straße hört früher auf", "letters"),
    ("我要在那里說明天的事情", "我要在那里说明天的事情", "letters"),
])  # fmt: skip
def test_two_ways_to_write_the_same(hyp, ref, kind):
    hyps, refs = ([f"{text} {'abcdefghijkl'[row]}" for row in range(12)] for text in (hyp, ref))
    finding = only(kind, check(hyps, refs, tokenize="char"))
    assert len(finding.lines) == 12
    assert finding.effect > 0
    repaired = repair(hyps, refs, tokenize="char")
    value = corpus_bleu(repaired.hyps, repaired.refs, tokenize="char").value
    assert value > corpus_bleu(hyps, refs, tokenize="char").value


def test_quotation_marks_are_written_alike():
    hyps = [f'He called it "{row} days" and left.' for row in range(48)]
    refs = [curly(hyp) for hyp in hyps]
    mixed = in_half(refs, lambda text: text.replace("“", '"'))
    finding = only("quotation-marks", check(mixed, refs))
    assert finding.lines == tuple(HALF)
    assert finding.after == corpus_bleu(mixed, refs, normalize="quotes").value
    assert repair(mixed, refs).refs == [[hyp] for hyp in hyps]


def test_repairs_of_references():
    refs = in_half(REFS, lambda text: text.replace(" ", " <unk> ", 1))
    finding = only("foreign-marks", check(HYPS, refs))
    assert (finding.role, finding.lines) == ("ref", tuple(HALF))
    assert finding.after == corpus_bleu(HYPS, REFS).value
    assert repair(HYPS, refs).refs == [[ref] for ref in REFS]


def test_lost_case_is_restored_from_the_references():
    small = [hyp.lower() for hyp in HYPS]
    finding = only("case", check(small, REFS))
    assert finding.severity == "error"
    assert finding.after > corpus_bleu(small, REFS).value + 1
    assert only("case", check(HYPS, [ref.upper() for ref in REFS])).role == "ref"


def test_nested_faults_are_repaired_in_turn():
    bad = [f"<s> {json.dumps([hyp])} </s>\r" for hyp in HYPS]
    assert repair(bad, REFS).hyps == HYPS


def test_decomposed_letters():
    german = ["Die Übung fällt schön früh aus", "Größe zählt für jeden Hörer"] * 5
    bad = [unicodedata.normalize("NFD", text) for text in german]
    assert only("mixed-normalization", check(bad, german)).after == BLEU().corpus(german, german).value


@pytest.mark.parametrize(
    "text",
    [
        "می‌خواهم بروم",
        "क्‍ष",
        "👨‍👩‍👧 family",
        "שלום\u200f עולם",
        "ภาษา\u200bไทย",
        "日本語\u3000です",
        "„DAS MENÜ“ IST DA",
        "il dit à « son » ami",
        "MAIS NON, C’EST TOUTE L’ANNÉE…",
        "AMANHÃ”",
    ],
)
def test_text_that_is_as_it_should_be(text):
    kinds = {finding.kind for finding in check([text] * 9, [text] * 9, tokenize="char")}
    assert kinds <= {"hyp-is-ref", "duplicate-segment"}
