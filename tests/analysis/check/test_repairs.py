# SPDX-License-Identifier: Apache-2.0
"""The effect of a repair is the score of the repaired texts minus that of the original ones."""

import pytest
from support.example_texts import HYPS, REFS, TWO_REFS
from support.findings import changed, only

import truebleu as tb
from truebleu import check, corpus_bleu
from truebleu.analysis.check import effect_text

METRICS = [tb.CHRF(), tb.CHRF(word_order=2), tb.TER(), tb.TER(case_sensitive=True), tb.BLEU("nltk")]
each_metric = pytest.mark.parametrize("metric", METRICS, ids=repr)
CHINESE = ["市议会周二晚上一致决定翻新旧桥。", "晚上好！", "我从没料到会来这么多人。"]


def the(kind, hyps, refs=TWO_REFS, **options):
    return only(kind, check(hyps, refs, **options))


def value(metric, hyps):
    return metric.corpus(hyps, REFS).value


@pytest.mark.parametrize(
    "options", [{}, {"lowercase": True}, {"dialect": "nltk"}, {"tokenize": "char"}]
)
def test_effects_of_characters_are_exact(options):
    bad = [f"\u200b{hyp}" if row % 3 else hyp for row, hyp in enumerate(HYPS)]
    finding = the("invisible-character", bad, TWO_REFS, **options)
    assert finding.before == corpus_bleu(bad, TWO_REFS, **options).value
    assert finding.after == corpus_bleu(HYPS, TWO_REFS, **options).value
    assert finding.effect == finding.after - finding.before


def test_effects_of_alignment_are_exact():
    lost = HYPS[:17] + HYPS[18:]
    finding = the("lost-line", lost, TWO_REFS)
    assert (finding.lines, finding.before, finding.effect) == ((17,), None, None)
    assert finding.after == corpus_bleu(changed(HYPS, 17, ""), TWO_REFS).value
    extra = [*HYPS[:30], "Something that was never asked for.", *HYPS[30:]]
    finding = the("inserted-line", extra, TWO_REFS)
    assert (finding.lines, finding.after) == ((30,), corpus_bleu(HYPS, TWO_REFS).value)
    shifted = [*HYPS[:17], *HYPS[18:40], "Something that was never asked for.", *HYPS[40:]]
    finding = the("shifted-lines", shifted, TWO_REFS)
    assert finding.lines == tuple(range(17, 39))
    assert finding.before == corpus_bleu(shifted, TWO_REFS).value
    assert finding.after == corpus_bleu(changed(HYPS, 17, ""), TWO_REFS).value


def test_other_effects_are_measured_on_the_aligned_texts():
    lost = [*HYPS[:17], *HYPS[18:40], HYPS[40].replace(" ", "\u2028", 1), *HYPS[41:]]
    aligned = changed(changed(HYPS, 17, ""), 40, lost[39])
    finding = the("line-separator", lost, TWO_REFS, tokenize="char")
    assert finding.before == corpus_bleu(aligned, TWO_REFS, tokenize="char").value
    assert finding.lines == (39,)


def test_case_and_tokenizer_are_measured_with_the_option_that_suits():
    small = [hyp.lower() for hyp in HYPS]
    finding = the("case", small, REFS)
    assert finding.after == corpus_bleu(small, REFS, lowercase=True).value
    assert check(small, REFS, lowercase=True) == []
    refs = [*CHINESE[:2], "我没有想到这么多人会来。"]
    finding = the("wrong-tokenizer", CHINESE, refs)
    assert finding.before == corpus_bleu(CHINESE, refs).value
    assert finding.after == corpus_bleu(CHINESE, refs, tokenize="zh").value
    kinds = {finding.kind for finding in check(CHINESE, refs, tokenize="zh")}
    assert "wrong-tokenizer" not in kinds


def test_two_repairs_of_a_line_are_both_made():
    bad = changed(HYPS, 3, "\u200e" + HYPS[3].replace(" ", "\u200b ", 1))
    findings = check(bad, REFS)
    assert [finding.kind for finding in findings] == ["invisible-character"] * 2
    assert {finding.after for finding in findings} == {corpus_bleu(HYPS, REFS).value}


@each_metric
def test_a_lost_line_costs_what_the_aligned_texts_score(metric):
    finding = the("lost-line", [*HYPS[:20], *HYPS[21:]], REFS, metric=metric)
    assert finding.before is None
    assert finding.after == value(metric, [*HYPS[:20], "", *HYPS[21:]])
    assert finding.metric == metric.name


@pytest.mark.parametrize("metric", METRICS[:4], ids=repr)
def test_tokens_cost_what_the_text_scores(metric):
    tokenized = [
        line.replace(".", " .").replace(",", " ,").replace("?", " ?").replace("!", " !")
        for line in HYPS
    ]
    finding = the("tokenized", tokenized, REFS, metric=metric)
    assert finding.before == value(metric, tokenized)
    assert finding.effect == finding.after - finding.before
    if isinstance(metric, tb.TER):
        assert finding.effect < 0


@each_metric
def test_case_costs_what_lower_case_scores(metric):
    lowered = [line.lower() for line in HYPS]
    findings = [one for one in tb.check(lowered, REFS, metric=metric) if one.kind == "case"]
    if isinstance(metric, tb.TER) and not metric.options.case_sensitive:
        assert findings == []
        return
    (case,) = findings
    same = {
        tb.CHRF: lambda: tb.CHRF(word_order=metric.options.word_order, lowercase=True),
        tb.TER: tb.TER,
        tb.BLEU: lambda: tb.BLEU("nltk", lowercase=True),
    }[type(metric)]()
    assert (case.before, case.after) == (value(metric, lowered), value(same, lowered))


def test_effects_in_words():
    lost = the("lost-line", [*HYPS[:20], *HYPS[21:]])
    assert effect_text(lost) == f"BLEU after repair: {lost.after:.2f}; before: unknown"
    case = the("case", [hyp.lower() for hyp in HYPS])
    assert effect_text(case).startswith(f"BLEU {case.before:.2f}, after repair {case.after:.2f} (+")
    empty = the("empty-hyp", changed(HYPS, 3, ""))
    assert empty.without == corpus_bleu(HYPS[:3] + HYPS[4:], TWO_REFS[:3] + TWO_REFS[4:]).value
    assert effect_text(empty) == f"BLEU {empty.before:.2f}, without these lines {empty.without:.2f}"
