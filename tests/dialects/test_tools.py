# SPDX-License-Identifier: Apache-2.0
"""The table of dialects: each row is described, has golden cases and equals the specification."""

import json
import math
import tomllib
from itertools import product

from conftest import ROOT
from hypothesis import given
from hypothesis import strategies as st
from support.corpora import corpora, present
from support.profiles import examples

from truebleu import BLEU, DIALECTS, dialect, parse_signature, spec
from truebleu.dialects.decisions import OPTIONS, SMOOTH_VALUES
from truebleu.metrics.tokenizers import NATIVE

CENSUS = json.loads((ROOT / "tests" / "golden" / "census.json").read_text(encoding="utf-8"))


def test_rows_say_what_they_reproduce():
    """Those of tools that contradict the paper name a row that does not."""
    for name, row in DIALECTS.items():
        assert row.name == name
        assert row.version
        assert row.source
        assert row.exact
        assert row.fixed == "" or row.fixed in DIALECTS
        wrong = "as-coded" in name or name in ("nltk", "mteval-v13a", "compare-mt", "hf-bleu")
        assert row.fixed or not wrong, name


def test_rows_have_golden_cases_and_pages():
    paths = (ROOT / "tests" / "golden").glob("*.toml")
    cases = [case for path in paths for case in tomllib.loads(path.read_text())["case"]]
    assert {case["dialect"] for case in cases + CENSUS["tools"]} >= set(DIALECTS)
    page = (ROOT / "docs" / "dialects.md").read_text(encoding="utf-8")
    assert [name for name in DIALECTS if f"## {name}\n" not in page] == []


def test_signatures_of_rows_lead_back_to_them():
    changes = {"lowercase": True, "cumulative_weights": None, "scale": 1, "floor_totals": True}
    for name, row in DIALECTS.items():
        assert parse_signature(BLEU(name).signature) == row
        # Three weights, as two do not fit three orders, those of d2l.
        changed = BLEU(name, weights=(0.5, 0.25, 0.25), **changes)
        assert parse_signature(changed.signature) == changed.dialect


#: Values of options that no row has, or one row that nobody was seen to use, with the reason.
EXCEPTIONS = {
    "intl-split zh zh-fixed char ja-mecab ko-mecab": "tokenizers that sacreBLEU's users name",
    "flores101 flores200 spBLEU-1K": "the same",
    "nltk-line nltk jieba jieba-words moses ptb": "tokenizers of uses.toml, and of their users",
    "13a-cjk": "marian has no other tokenizer for Chinese",
    "recall keywords pair": "the weighted n-gram match, which CodeBLEU needs",
    "smooth_method:average interpolate length-average": "Chen and Cherry (2014), in NLTK",
    "characters": "a tutorial whose code copies have",
    "longest": "the third of three lengths that papers name",
    "short-hyp": "MATLAB's",
    "compensated": "Python's sum from 3.12 on, for NLTK there",
    "brevity:none": "BLEU* of its paper",
    "swap": "platforms that pass hypotheses as references, such as megabench in uses.toml",
    "empty": "means of platforms, in uses.toml",
    "normalize": "an option of no tool: what a conclusion survives",
}


def test_an_option_serves_two_rows_or_one_that_people_use():
    exempt = {name for names in EXCEPTIONS for name in names.split()}
    rows = [(row, row.options()) for row in DIALECTS.values()]
    for name, option in OPTIONS.items():
        values = option.choices or (True,) if option.kind in (bool, str) else ("set",)
        for value in set(values) - {option.default}:
            users = [
                row
                for row, options in rows
                if (options[name] != option.default if value == "set" else options[name] == value)
            ]
            serves = len(users) > 1 or any(row.seen or row.users for row in users)
            listed = exempt & {name, str(value), f"{name}:{value}"}
            advice = "take it out of EXCEPTIONS" if listed else "give the reason in EXCEPTIONS"
            assert serves != bool(listed), f"{name}={value} serves {users}; {advice}"


def test_a_row_is_made_once():
    assert DIALECTS["nltk"] is DIALECTS["nltk"]
    assert dialect("nltk") is DIALECTS["nltk"]


def same(a, b):
    return a == b or (math.isnan(a) and math.isnan(b))


def check_against_the_specification(bleu, hyps, refs):
    rows = [tuple(spec.segment_stats(bleu.dialect, hyp, row)) for hyp, row in zip(hyps, present(refs), strict=True)]
    assert list(bleu.stats(hyps, refs)) == rows, bleu.signature
    score = bleu.corpus(hyps, refs)
    assert same(score.value, spec.corpus_bleu(bleu.dialect, hyps, present(refs)))
    order = bleu.dialect.count.max_ngram_order
    stats = bleu.stats(hyps, refs)
    assert repr(bleu.sentence_values(stats).tolist()) == repr(bleu.sentences(hyps, refs).tolist())
    for sentence, value, row in zip(bleu.sentences(hyps, refs), bleu.values(stats), rows, strict=True):
        how = bleu.dialect.combine
        assert same(float(value), spec.combine(how, row, order))
        how = how.replace(effective_order=how.sentence_effective_order)
        assert same(float(sentence), spec.combine(how, row, order))


@examples(share=4)
@given(corpora())
def test_the_kernel_computes_each_row_as_the_specification(corpus):
    for name in DIALECTS:
        check_against_the_specification(BLEU(name), *corpus)


#: A tokenizer by a regular expression.
WORD_MARKS = r"re:[^\W_]+|[^\s\w]|_"

#: Options whose values are combined in all ways.
FREE = [
    "missing_order", "zero_precision", "guard", "arithmetic", "summation", "brevity", "undefined",
    "precision", "references", "length_unit", "measure", "ref_len", "join", "markup", "whitespace",
    "lowercase_when",
]  # fmt: skip


MIXTURES = st.fixed_dictionaries({
    **{name: st.sampled_from(OPTIONS[name].choices) for name in FREE},
    **dict.fromkeys(("lowercase", "floor_totals", "effective_order", "negative_totals"), st.booleans()),
    "max_ngram_order": st.sampled_from([1, 2, 3, 4, 6]), "tokenize": st.sampled_from([*NATIVE, WORD_MARKS]),
    "add_counts": st.sampled_from([None, (1e-15, 1e-9, 0), (0, 1e-7, 1e-7), (1, 1, 0)]),
    # Smaller totals make scores of millions, and a row of a mean holds no sum of those.
    "least_total": st.sampled_from([0, 1e-6, 1]), "brevity_power": st.sampled_from([1, 1, 2, 0.5]),
    "add_lengths": st.sampled_from([None, (1, 1), (0, 1), (1e-15, 1e-9)]),
})  # fmt: skip


@given(
    corpora(),
    MIXTURES,
    st.sampled_from([*product(SMOOTH_VALUES, (None, 0.3, 2))]),
    st.sampled_from([None, None, "halves", "first"]),
)
def test_the_kernel_computes_any_mixture_as_the_specification(corpus, options, smoothing, cumulative):
    order = options["max_ngram_order"]
    method, value = smoothing
    if method in ("average", "length-average"):
        options["floor_totals"] = True  # without it, the next order may have no n-gram
    if options["tokenize"] == WORD_MARKS:  # Python passes its tokens, so the kernel does not see the line
        options["length_unit"] = "tokens"
    weights = {None: None, "halves": [2.0**-n for n in range(order, 0, -1)], "first": [1.0] + [0.0] * (order - 1)}
    bleu = BLEU(smooth_method=method, smooth_value=value, cumulative_weights=weights[cumulative], **options)
    check_against_the_specification(bleu, *corpus)


@examples(share=3)
@given(corpora())
def test_scores_by_order_are_those_of_other_weights(corpus):
    for name in ("sacrebleu", "nltk-method1", "hf-bleu", "mteval-v13a"):
        score = BLEU(name).corpus(*corpus)
        for n in range(1, 5):
            alone = [0.0] * (n - 1) + [1.0]
            assert same(score.individual[n - 1], BLEU(name, weights=alone).corpus(*corpus).value)
            upto = BLEU(name, max_ngram_order=n).corpus(*corpus).value
            assert same(score.cumulative[n - 1], upto)
        assert same(score.cumulative[3], score.value)
