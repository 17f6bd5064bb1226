# SPDX-License-Identifier: Apache-2.0
"""A metric that scores sentence after sentence notices whatever is changed between two of them."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest
from support.twins_sacrebleu import TWINS

HYP = "The Cat sat on the mat ."
REFS = ["the cat sat at the mat.", "The cat, it sat on a mat ."]


def everything(bleu, hyp=HYP, refs=REFS):
    score = bleu.sentence_score(hyp, refs)
    return vars(score), str(score), type(score.counts[0]), bleu.num_refs


def louder(_, sent):
    return sent.upper().replace("THE", "A")


def set_hook(bleu):
    bleu._preprocess_segment = str.upper


def set_hook_in_dict(bleu):
    vars(bleu)["_preprocess_segment"] = str.upper


def set_hook_on_class(bleu):
    type(bleu)._preprocess_segment = louder


def set_hook_on_base(bleu):
    type(bleu).__bases__[0]._preprocess_segment = louder


def delete_hook_of_class(bleu):
    del type(bleu)._get_closest_ref_len


def exchange_bases(bleu):
    (base,) = type(bleu).__bases__
    type(bleu).__bases__ = (type("Other", (base,), {"_preprocess_segment": louder}),)


def exchange_class(bleu):
    bleu.__class__ = type("Other", (type(bleu),), {"_preprocess_segment": louder})


def attributes(**changes):
    return lambda bleu: vars(bleu).update(changes)


CHANGES = [
    set_hook, set_hook_in_dict, set_hook_on_class, set_hook_on_base, exchange_bases,
    exchange_class,
    attributes(tokenizer=str.upper),
    attributes(lowercase=True),
    attributes(max_ngram_order=2),
    attributes(max_ngram_order=6),
    attributes(smooth_method="add-k"),
    attributes(smooth_method="add-k", smooth_value=0.5),
]  # fmt: skip


def in_both(seen):
    """What both see, one after the other, is the same."""
    expected, found = (seen(module) for module in TWINS)
    assert found == expected
    return found


@pytest.mark.parametrize("mixed", [False, True])
@pytest.mark.parametrize("change", CHANGES)
def test_a_change_between_sentences_is_noticed(change, mixed):
    def seen(module):
        plain = type("Plain", () if mixed else (module.BLEU,), {})
        mine = type("Mine", (plain, module.BLEU) if mixed else (plain,), {})
        if mixed and change is exchange_bases:
            return []
        bleu = mine()
        found = [everything(bleu) for _ in range(4)]
        change(bleu)
        return [*found, *(everything(bleu) for _ in range(3))]

    found = in_both(seen)
    assert not found or found[3] != found[4]


def test_what_is_replaced_in_the_library_is_noticed(monkeypatch):
    def replace(module, place, name, made):
        bleu = module.BLEU()
        found = [everything(bleu) for _ in range(3)]
        with monkeypatch.context() as patch:
            patch.setattr(place(module), name, made)
            found += [everything(bleu) for _ in range(2)]
        return [*found, everything(bleu)]

    for place, name, made in (
        (lambda module: module.BLEU, "_preprocess_segment", louder),
        (lambda module: module.BLEU, "_get_closest_ref_len", lambda *_: 3),
        (lambda module: type(module.BLEU().tokenizer), "__call__", lambda _, line: line[:12]),
        (lambda module: module.metrics.bleu, "my_log", lambda _: 1.0),
    ):
        found = in_both(lambda module: replace(module, place, name, made))  # noqa: B023
        assert found[2] != found[3] == found[4]
        assert found[5] == found[2]


def test_attributes_that_have_no_truth_value():
    def seen(module):
        bleu = module.BLEU()
        found = []
        for note in (np.arange(2), np.arange(2), np.arange(3)):
            bleu.note = note
            found += [everything(bleu) for _ in range(3)]
        return found

    assert in_both(seen)


def test_other_objects_with_the_same_settings():
    def seen(module):
        bleu = module.BLEU(references=[["a b c"]])
        found = [everything(bleu) for _ in range(3)]
        again = pickle.loads(pickle.dumps(bleu))  # noqa: S301
        others = [copy.copy(bleu), copy.deepcopy(bleu), again]
        found += [everything(other) for other in others for _ in range(3)]
        lower = module.BLEU(lowercase=True)
        return [*found, *(everything(one) for one in (lower, bleu, lower, bleu))]

    found = in_both(seen)
    assert found[-1] != found[-2]


@pytest.mark.parametrize(
    "refs",
    [
        REFS, tuple(REFS), REFS[:1], [REFS[0], None], ["", ""], [""], ["\ud800", "a"],
        [np.str_("a")], ["x" * 20_000, "the cat"],
    ],
)  # fmt: skip
@pytest.mark.parametrize("hyp", [HYP, "", "\udfff", "кот", "the cat " * 3_000])
def test_references_of_all_kinds(hyp, refs):
    def seen(module):
        bleu = module.BLEU()
        return [everything(bleu, *pair) for pair in ((HYP, REFS), (hyp, refs), (HYP, REFS))]

    in_both(seen)


@pytest.mark.parametrize(
    ("hyp", "refs"),
    [
        (HYP, []), (HYP, [None]), (HYP, [None, "a"]), (HYP, [1]), (HYP, ["a", 1]), (HYP, "a"),
        (1, ["a"]),
    ],
)  # fmt: skip
def test_what_is_no_sentence(hyp, refs):
    def seen(module):
        bleu = module.BLEU()
        everything(bleu)
        try:
            return everything(bleu, hyp, refs)
        except Exception as error:  # noqa: BLE001  # whatever it is, both must raise it
            return type(error), str(error)

    in_both(seen)
