# SPDX-License-Identifier: Apache-2.0
"""`check` in Python: findings as values, their effects, and any text."""

import re

import pytest
from conftest import ROOT
from hypothesis import given
from hypothesis import strategies as st
from support.corpora import segments
from support.example_texts import HYPS, REFS, TWO_REFS, lines
from support.findings import changed, only

import truebleu as tb
from truebleu import BLEU, Finding, check, corpus_bleu, repair
from truebleu.analysis.check import KINDS, SEVERITIES, Column, Texts, begin, effect_text
from truebleu.analysis.processes import Processes, results
from truebleu.text.normalizations import NORMALIZATIONS, Normalization

METRICS = [tb.CHRF(), tb.CHRF(word_order=2), tb.TER(), tb.BLEU("nltk")]


def kinds(findings):
    return [finding.kind for finding in findings]


def test_clean_columns_have_no_finding():
    assert check(HYPS, REFS) == check(HYPS, TWO_REFS) == []
    assert check(iter(HYPS), tuple(REFS)) == []
    chinese = [lines(f"en-zh/{name}.txt") for name in ("hyp.aurora", "ref.A", "source")]
    assert check(*chinese[:2], tokenize="zh", srcs=chinese[2]) == []


def test_rows_are_indices_and_named_as_python_does():
    finding = only("tab", check(changed(HYPS, 5, HYPS[5] + "\tx"), REFS))
    assert (finding.lines, finding.where, finding.column) == ((5,), "hyps[5]", "hyps")
    refs = changed(TWO_REFS, 7, (TWO_REFS[7][0], TWO_REFS[7][1] + "\x1b"))
    finding = only("invisible-character", check(HYPS, refs))
    assert (finding.lines, finding.where, finding.column) == ((7,), "refs[7][1]", "refs")
    assert finding.evidence[0][1].endswith("<U+001B>")


def test_ordinary_combining_letters_are_shown():
    text = "यह एक अच्छा दिन है और हम बाज़ार जा रहे हैं।"
    hyps, srcs = [text] * 5 + ["ग" * 30], [text] * 5 + ["घ" * 30]
    finding = only("untranslated", check(hyps, ["क" * 30] * 6, srcs=srcs, tokenize="char"))
    assert finding.evidence[0][1] == text


@pytest.mark.parametrize(("text", "script", "suited"), [
    ("今日はとても良い天気ですね。", "Japanese", "ja-mecab"), ("วันนี้อากาศดีมาก", "Thai", "char"),
    ("오늘은 날씨가 좋네요.", "Korean", "ko-mecab"), ("ថ្ងៃនេះអាកាសធាតុល្អ", "Khmer", "char"),
])  # fmt: skip
def test_scripts_that_13a_does_not_suit(text, script, suited):
    finding = only("wrong-tokenizer", check([text], [text]))
    assert finding.severity == "error"
    assert script in finding.message
    assert finding.message.endswith(f" Repair uses {suited}.")
    assert "wrong-tokenizer" not in kinds(check([text], [text], tokenize="char"))


def test_scripts_that_13a_suits():
    for text in ["A line.", "Предложение.", "جملة.", "एक वाक्य।", "Μια πρόταση."]:
        assert check([text], [text]) == []


def test_tokenized_text_is_no_fault_where_tokens_are_asked_for():
    tokens = [" ".join(BLEU().tokens(text)) for text in HYPS]
    refs = [" ".join(BLEU().tokens(text)) for text in REFS]
    assert "tokenized" in kinds(check(tokens, refs))
    assert "tokenized" in kinds(check(tokens, REFS, "multi-bleu"))
    assert check(tokens, refs, "multi-bleu") == []


def test_transposed_references_are_turned():
    streams = [list(column) for column in zip(*TWO_REFS, strict=True)]
    finding = only("transposed", check(HYPS, streams))
    assert (finding.severity, finding.before) == ("error", None)
    assert finding.after == corpus_bleu(HYPS, TWO_REFS).value
    assert kinds(check(HYPS, streams)) == ["transposed"]


def test_absent_references():
    refs = [[a, None] if row % 2 else [a, b] for row, (a, b) in enumerate(TWO_REFS)]
    assert check(HYPS, refs) == []
    refs[4] = [None]
    finding = only("missing-reference", check(HYPS, refs))
    assert (finding.lines, finding.before) == ((4,), None)
    assert finding.after == corpus_bleu(HYPS[:4] + HYPS[5:], refs[:4] + refs[5:]).value
    assert kinds(check(["a"], [[]])) == ["missing-reference"]


def test_copies_are_named():
    assert only("same-reference", check(HYPS, [[ref, ref] for ref in REFS])).severity == "note"
    assert only("hyp-is-ref", check(REFS, TWO_REFS)).severity == "error"
    assert only("hyp-is-src", check(HYPS, REFS, srcs=HYPS)).severity == "error"
    edited = [ref if row % 3 == 0 else hyp for row, (hyp, ref) in enumerate(zip(HYPS, REFS, strict=True))]
    assert only("matches-reference", check(edited, REFS))
    placeholder = [ref if row % 3 else "NO TRANSLATION AVAILABLE" for row, ref in enumerate(REFS)]
    finding = only("repeated-reference", check(HYPS, placeholder))
    assert len(finding.lines) == 16
    assert finding.without > finding.before + 5
    again = [Texts(Column("hyp", name, HYPS), [Column("ref", "ref", REFS)]) for name in "ab"]
    with Processes(0) as processes:
        first, second = results(begin(again, BLEU(), processes))
    assert (kinds(first), kinds(second)) == ([], ["same-system"])


def test_lines_without_a_repair():
    empty = only("empty-hyp", check(changed(HYPS, 3, ""), TWO_REFS))
    assert empty.without == corpus_bleu(HYPS[:3] + HYPS[4:], TWO_REFS[:3] + TWO_REFS[4:]).value
    assert effect_text(empty) == f"BLEU {empty.before:.2f}, without these lines {empty.without:.2f}"
    assert kinds(check([""] * len(HYPS), REFS)) == ["empty-hyp"]
    assert only("empty-ref", check(HYPS, changed(REFS, 2, ""))).lines == (2,)
    lost = check(changed(HYPS, 2, HYPS[2] + "\ufffd"), REFS)
    assert only("replacement-character", lost).lines == (2,)
    twice = check([*HYPS, HYPS[9]], [*REFS, REFS[9]])
    assert only("duplicate-segment", twice).severity == "note"
    same = check(HYPS, REFS, srcs=changed(REFS[::-1], 9, HYPS[9]))
    assert only("untranslated", same).lines == (9,)
    answer = "Please provide the text you would like me to translate."
    assert len(only("refusal", check([answer] * len(REFS), REFS)).lines) >= 46


@pytest.mark.parametrize("metric", METRICS, ids=repr)
def test_effects_are_exact(metric):
    bad = [f"\u200b{hyp}" if row % 3 else hyp for row, hyp in enumerate(HYPS)]
    findings = check(bad, REFS, metric=metric)
    finding = only("invisible-character", findings)
    assert finding.before == metric.corpus(bad, REFS).value
    assert finding.after == metric.corpus(HYPS, REFS).value
    assert finding.effect == finding.after - finding.before
    assert (finding.metric, finding.normalization) == (metric.name, "invisible")
    lost = only("lost-line", check(HYPS[:20] + HYPS[21:], REFS, metric=metric))
    assert lost.after == metric.corpus(changed(HYPS, 20, ""), REFS).value
    assert effect_text(lost) == f"{metric.name} after repair: {lost.after:.2f}; before: unknown"


def test_severity_and_order_follow_from_the_effect():
    findings = check([hyp.lower().replace(" ", "\xa0", 1) for hyp in HYPS[:-1]], REFS)
    ranks = [SEVERITIES.index(finding.severity) for finding in findings]
    assert ranks == sorted(ranks) and len({*ranks}) > 1  # noqa: PT018
    for finding in findings:
        assert finding.effect is None or (finding.severity == "error") == (finding.effect >= 1)


def test_a_normalization_of_your_own():
    own = Normalization("thorns", "thorns", lambda text: text.replace("þ", "th"), "þ")
    bad = [hyp.replace("th", "þ") for hyp in HYPS]
    finding = only("thorns", check(bad, REFS, normalizations=[own]))
    assert (finding.normalization, finding.after) == ("thorns", corpus_bleu(HYPS, REFS).value)
    assert repair(bad, REFS, normalizations=[own]).hyps == HYPS


def test_the_page_names_every_kind():
    pages = [(ROOT / "docs" / name).read_text("utf-8") for name in ("check.md", "options.md")]
    page = pages[0] + pages[1].partition("## Normalizations")[2].partition("\n## ")[0]
    cells = re.findall(r"^\| (`[^|]+`) \|", page.partition("## Kinds")[2], re.MULTILINE)
    assert {kind for cell in cells for kind in re.findall("`([a-z-]+)`", cell)} == set(KINDS)
    assert {row.kind for row in NORMALIZATIONS.values()} <= set(KINDS)


def test_findings_are_values():
    findings = check(["a\tb", "c\x00d"], ["a b", "cd"])
    assert len({*findings, *check(["a\tb", "c\x00d"], ["a b", "cd"])}) == len(findings) == 2
    assert all(isinstance(finding, Finding) for finding in findings)
    assert findings[0].to_dict()["effect"] == findings[0].effect


references = st.lists(st.one_of(segments, st.none()), max_size=3)


@given(st.lists(segments, min_size=1, max_size=6), st.lists(references, min_size=1, max_size=6))
def test_no_text_is_too_odd(hyps, refs):
    findings = check(hyps, refs, srcs=hyps)
    assert findings == check(hyps, refs, srcs=hyps)
    repair(hyps, refs)
    for finding in findings:
        assert finding.severity in SEVERITIES
        assert all(text.isprintable() for _, text in finding.evidence), finding.evidence
