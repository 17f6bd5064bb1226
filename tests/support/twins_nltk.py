# SPDX-License-Identifier: Apache-2.0
"""The same call to NLTK and to its drop-in, and what a user sees of it."""

import fractions
import warnings

from hypothesis import strategies as st
from nltk.translate import bleu_score as original

from truebleu.compat import nltk as ours

BOTH = (ours, original)

HYP = ["the", "cat", "sat", "on", "the", "mat", "today"]
REFS = [["the", "cat", "is", "on", "the", "mat", "today"], ["there", "sat", "the", "cat", "on", "the", "mat"]]
CORPUS = [REFS, [["a", "dog"]]], [HYP, ["the", "dog"]]

#: Weights that reach every branch of the formula.
DEFAULT = (0.25, 0.25, 0.25, 0.25)
WEIGHTS = [
    DEFAULT, (1,), (0.5, 0.5), (0, 0, 1), (0.2,) * 5, (1 / 9,) * 9, [0.1, 0.3, 0.5, 0.1],
    [(0.5, 0.5), (1 / 3,) * 3, DEFAULT], [DEFAULT], [(0, 0, 0, 0, 1), DEFAULT, ()],
]  # fmt: skip


def outcome(call, *args, **kwargs):
    """The value of a call with all types, or its error; and its warnings in order."""
    result, caught = outcome_with_places(call, *args, **kwargs)
    return result, [(category, message) for category, message, *_ in caught]


def outcome_with_places(call, *args, **kwargs):
    """The same, with the file and the line of each warning."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            result = described(call(*args, **kwargs))
        except Exception as error:  # noqa: BLE001  # whatever it is, the other raises it too
            # Some messages have the module and the address of an object.
            text = " object" if " object" in str(error) else str(error)
            result = type(error).__name__, text
    # Files that other tests left open may be closed here, when garbage is collected.
    own = [warning for warning in caught if warning.category is not ResourceWarning]
    return result, [(w.category, str(w.message), w.filename, w.lineno) for w in own]


def described(value):
    """A value as text: floats to the last bit, and the inside of fractions."""
    if isinstance(value, (list, tuple)):
        return type(value).__name__, [described(item) for item in value]
    if isinstance(value, fractions.Fraction):
        inside = (value._numerator, value._denominator, getattr(value, "__dict__", None))
        return type(value).__name__, str(value.numerator), str(value.denominator), inside
    return type(value).__name__, repr(value)


def alike(call, twins=BOTH):
    """Assert that both modules do the same; returns it."""
    mine, theirs = (outcome(call, module) for module in twins)
    assert mine == theirs
    return mine


def check(function, *args, **kwargs):
    """Assert that a function of both modules does the same."""
    alike(lambda module: getattr(module, function)(*args, **kwargs))


def method(module, name):
    """A method of a new SmoothingFunction; None stays None."""
    return name and getattr(module.SmoothingFunction(), name)


NAN = float("nan")

#: Alphabets in which n-grams repeat: strings, and other tokens that are equal across types or not.
alphabets = st.sampled_from(
    [
        ("a", "b", "c", "d", "e"),
        ("the", "cat", "the cat", "", " ", "\n", "The"),
        ("é", "e\u0301", "中", "\U0001f600", "\ud800", "\udfff", "\x00"),
        (1, 1.0, True, 2, "1", 0, False, -1, -2),
        (b"a", "a", None, 3.5, NAN, float("nan"), 2**70, 1j),
        (("the", "DT"), ("cat", "NN"), ("the", 1), ("the", True), (), ((),)),
        (frozenset({1}), 1, ("x", frozenset()), object, len),
    ]
)


@st.composite
def segment_lists(draw):
    """Lists of references and hypotheses: empty, short, repetitive, in any kind of sequence."""
    alphabet = draw(alphabets)
    containers = [list, tuple]
    if all(isinstance(token, str) for token in alphabet):
        containers.append("".join)
    container = draw(st.sampled_from([list, list, list, tuple, *containers]))
    tokens = st.lists(st.sampled_from(alphabet), max_size=draw(st.sampled_from([3, 12, 40])))
    references, hypotheses = [], []
    fewest = draw(st.sampled_from([1, 1, 1, 1, 1, 0]))
    for _ in range(draw(st.sampled_from([1, 1, 2, 3, 7]))):
        hypothesis = draw(tokens)
        alike = st.tuples(tokens, st.just(hypothesis[1:])).map(lambda parts: [*parts[0], *parts[1]])
        several = st.lists(st.one_of(tokens, alike, st.just(hypothesis)), min_size=fewest, max_size=3)
        hypotheses.append(container(hypothesis))
        references.append([container(reference) for reference in draw(several)])
    return references, hypotheses
