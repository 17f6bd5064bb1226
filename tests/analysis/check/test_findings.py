# SPDX-License-Identifier: Apache-2.0
"""`check` in Python: columns of any length, findings as values, and any text."""

import json
import pickle
import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.corpora import segments
from support.example_texts import HYPS, REFS, TWO_REFS
from support.findings import changed, only

from truebleu import BLEU, Finding, InputError, check, corpus_bleu, repair
from truebleu.analysis.check.kinds import SEVERITIES
from truebleu.analysis.check.scripts import BLOCKS, letters_by_script, script_of_most


def kinds(findings):
    return [finding.kind for finding in findings]


def test_clean_columns_have_no_finding():
    assert check(HYPS, REFS) == check(HYPS, TWO_REFS) == []
    assert check(iter(HYPS), tuple(REFS)) == []


def test_rows_are_indices_and_named_as_python_does():
    finding = only("tab", check(changed(HYPS, 5, HYPS[5] + "\tx"), REFS))
    assert (finding.lines, finding.where, finding.column) == ((5,), "hyps[5]", "hyps")
    refs = changed(TWO_REFS, 7, (TWO_REFS[7][0], "a\x1bb"))
    finding = only("control-character", check(HYPS, refs))
    assert (finding.lines, finding.where, finding.column) == ((7,), "refs[7][1]", "refs")
    assert finding.evidence == (("refs[7][1]", "a<U+001B>b"),)


@pytest.mark.parametrize(
    ("text", "script", "suited"),
    [
        ("今日はとても良い天気ですね。", "Japanese", "ja-mecab"),
        ("오늘은 날씨가 좋네요.", "Hangul", "ko-mecab"),
        ("วันนี้อากาศดีมาก", "Thai", "char"),
        ("ថ្ងៃនេះអាកាសធាតុល្អ", "Khmer", "char"),
    ],
)
def test_scripts_that_13a_does_not_suit(text, script, suited):
    finding = only("wrong-tokenizer", check([text], [text]))
    assert finding.severity == "error"
    assert script in finding.message
    assert finding.message.endswith(f" Repair uses {suited}.")
    assert "wrong-tokenizer" not in kinds(check([text], [text], tokenize="char"))


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


def test_transposed_references_of_as_many_sets_as_segments():
    hyps, refs = HYPS[2:4], [list(refs) for refs in TWO_REFS[2:4]]
    turned = [list(column) for column in zip(*refs, strict=True)]
    assert check(hyps, refs) == []
    assert kinds(check(hyps, turned)) == ["transposed"]


def test_absent_references():
    refs = [[a, None] if row % 2 else [a, b] for row, (a, b) in enumerate(TWO_REFS)]
    assert check(HYPS, refs) == []
    refs[4] = [None]
    finding = only("missing-reference", check(HYPS, refs))
    assert (finding.lines, finding.before) == ((4,), None)
    assert finding.after == corpus_bleu(HYPS[:4] + HYPS[5:], refs[:4] + refs[5:]).value
    assert kinds(check(["a"], [[]])) == ["missing-reference"]


def test_the_same_reference_twice_changes_nothing():
    finding = only("same-reference", check(HYPS, [[ref, ref] for ref in REFS]))
    assert finding.effect == 0
    assert finding.severity == "warning"


def test_a_byte_order_mark_is_no_invisible_character():
    findings = check(["\ufeff" + HYPS[0], *HYPS[1:]], REFS)
    assert kinds(findings) == ["byte-order-mark"]
    assert findings[0].after == corpus_bleu(HYPS, REFS).value


def test_lines_that_differ_too_much_in_number_are_not_aligned():
    finding = only("unequal-lines", check(HYPS * 2, [text[::-1] for text in REFS]))
    assert (finding.severity, finding.after) == ("error", None)
    sources = only("unequal-lines", check(HYPS, REFS, srcs=REFS[:-1]))
    assert sources.column == "srcs"
    with pytest.raises(InputError, match="srcs is empty"):
        check(["a  b", *HYPS[1:]], REFS, srcs=[])


def test_capitals_in_columns_of_different_length():
    refs = [text[::-1] for text in REFS * 2]
    refs[70] = refs[70].upper()
    assert kinds(check(HYPS, refs)) == ["unequal-lines"]
    assert "carriage-return" in kinds(check(["\r".join(HYPS)], refs))


def test_capitals_of_all_references_but_not_of_one():
    both = [[ref, other] for ref, other in TWO_REFS]
    both[7] = [text.upper() for text in both[7]]
    assert not check(HYPS, both)
    both[7][1] = TWO_REFS[7][1]
    assert only("case-lines", check(HYPS, both)).where == "refs[7][0]"


def test_several_missing_lines_at_one_place_are_named_once():
    finding = only("lost-line", check(HYPS[:10], REFS))
    assert (finding.where, set(finding.lines)) == ("hyps[10]", {10})


def test_a_reference_of_another_test_set_is_named():
    refs = [(a, TWO_REFS[(row + 24) % 48][1]) for row, a in enumerate(REFS)]
    finding = only("unrelated-lines", check(HYPS, refs))
    assert (finding.severity, finding.where) == ("error", "refs[1]")


def test_files_of_very_different_length_are_refused_quickly():
    start = time.process_time()
    assert "unequal-lines" in kinds(check(HYPS[:1], REFS * 1000))
    assert "unequal-lines" in kinds(check(HYPS * 1000, REFS[:1]))
    assert time.process_time() - start < 60


def test_findings_are_values():
    findings = check(["a\tb", "c\x00d"], ["a b", "c d"])
    assert pickle.loads(pickle.dumps(findings)) == findings  # noqa: S301
    assert len({*findings, *check(["a\tb", "c\x00d"], ["a b", "c d"])}) == len(findings) == 2
    assert all(isinstance(finding, Finding) for finding in findings)
    with pytest.raises(AttributeError):
        findings[0].kind = "other"
    assert findings[0].to_dict()["effect"] == findings[0].effect


def test_a_short_label_of_all_lines_is_found_once():
    finding = only("added-text", check([f"Sure: {hyp}" for hyp in HYPS], REFS))
    assert len(finding.lines) == len(HYPS)


def test_an_introduction_of_a_chat_model_is_found_once():
    some = [f"Here is the translation: {h}" if i % 3 == 0 else h for i, h in enumerate(HYPS)]
    only("added-text", check(some, REFS))


def test_words_that_lines_share_inside_of_quotes_are_kept():
    hyps = [json.dumps([f"He said: {hyp}" if i < 8 else hyp]) for i, hyp in enumerate(HYPS)]
    refs = [f"He told us: {ref}" if i < 8 else ref for i, ref in enumerate(REFS)]
    assert repair(hyps, refs).hyps == [json.loads(hyp)[0] for hyp in hyps]


def test_a_file_of_empty_lines_is_called_empty():
    assert kinds(check([""] * len(HYPS), REFS)) == ["empty-hyp"]


def test_the_worst_comes_first():
    bad = [hyp.lower().replace(" ", "\xa0", 1) for hyp in HYPS[:-1]]
    ranks = [SEVERITIES.index(finding.severity) for finding in check(bad, REFS)]
    assert ranks == sorted(ranks)
    assert len(set(ranks)) > 1


def test_blocks_are_in_order():
    bounds = [bound for first, last, _ in BLOCKS for bound in (first, last)]
    assert bounds == sorted(bounds)
    assert script_of_most(letters_by_script(["日本語のテキスト"])) == "Japanese"
    assert script_of_most(letters_by_script(["中文"])) == "Han"
    assert script_of_most(letters_by_script(["123 ..."])) == ""


@pytest.mark.parametrize(
    ("hyps", "refs", "complaint"),
    [
        ([], [], "hyps is empty"),
        (["a"], [], "refs is empty"),
        ([["a", "b"]], [["a b"]], "hyps[0] is of type list"),
        ([None], ["a"], "hyps[0] is of type NoneType"),
        (["a"], [[1]], "refs[0] is of type int"),
        (["a", "b"], ["a", 1], "refs[1] is of type int"),
        ("a", ["a"], "hyps is one str"),
        (["a\ud800"], ["a"], "hyps[0] holds the lone surrogate U+D800"),
    ],
)
def test_bad_input_is_refused(hyps, refs, complaint):
    with pytest.raises(InputError, match=re.escape(complaint)):
        check(hyps, refs)


references = st.lists(st.one_of(segments, st.none()), max_size=3)


@given(st.lists(segments, min_size=1, max_size=6), st.lists(references, min_size=1, max_size=6))
def test_no_text_is_too_odd(hyps, refs):
    findings = check(hyps, refs, srcs=hyps)
    assert findings == check(hyps, refs, srcs=hyps)
    for finding in findings:
        assert finding.severity in SEVERITIES
        assert all(text.isprintable() for _, text in finding.evidence), finding.evidence


@pytest.mark.slow
def test_time_grows_with_the_number_of_lines():
    def seconds(copies):
        hyps, refs = (
            [f"{t} {i}" for i, t in enumerate(column * copies)] for column in (HYPS, REFS)
        )
        start = time.process_time()
        check(hyps, refs, threads=1)
        return time.process_time() - start

    assert seconds(200) < 8 * seconds(50)


def test_an_answer_in_all_lines_is_not_an_addition():
    answer = "Please provide the text you would like me to translate."
    found = check([answer] * len(REFS), REFS)
    assert "added-text" not in kinds(found)
    assert len(only("chat", found).lines) == len(REFS)
