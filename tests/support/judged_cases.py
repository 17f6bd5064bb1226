# SPDX-License-Identifier: Apache-2.0
"""Cases that the specification scores, for the tests of the core crate, which does not use Python.

`python tests/support/judged_cases.py` writes them to crates/core/tests/judged.tsv. A line that
starts with `plan` holds the settings that differ from those of `default`; the lines after it are
segments: hypothesis, references, row, score, brevity penalty, precisions in percent, and the scores
of each order alone and up to each order.
"""

import math
import random
from pathlib import Path

from truebleu import DIALECTS, spec
from truebleu.dialects.decisions import OPTIONS, SMOOTH_VALUES
from truebleu.metrics.bleu import plan_options
from truebleu.metrics.kernel import settings

FILE = Path(__file__).parent.parent.parent / "crates" / "core" / "tests" / "judged.tsv"

#: The values of each option of the last three decisions.
MIXED = {
    **{name: OPTIONS[name].choices for name in (
        "missing_order", "zero_precision", "guard", "arithmetic", "summation", "brevity",
        "undefined", "precision", "ref_len", "references", "measure", "length_unit", "join",
    )},
    "smooth_method": tuple(SMOOTH_VALUES),
    "smooth_value": (None, 0.3, 2.0),
    "max_ngram_order": (1, 2, 3, 4, 4, 4, 6),
    "floor_totals": (False, True),
    "negative_totals": (False, False, True),
    "add_counts": (None, None, None, (1e-15, 1e-9, 0.0), (0.0, 1e-7, 1e-7)),
    "least_total": (0.0, 0.0, 1e-9, 1.0),
    "add_lengths": (None, None, (1.0, 1.0), (1e-15, 1e-9)),
    "brevity_power": (1.0, 1.0, 2.0),
    "effective_order": (False, True),
    "weights": (None, None, None, (0.25,) * 4, (0.1, 0.2, 0.3, 0.4), (0.7, 0.3), (1.0, 0.0)),
    "keywords": ((), ("the", "a")),
}  # fmt: skip

#: The number of random mixtures of options.
MIXTURES = 120

#: Options that mixtures rarely have; each kills a mutant of the specification or the kernel.
RARE = [
    {"smooth_method": "interpolate", "smooth_value": 0.0, "max_ngram_order": 6},
    {"smooth_method": "none", "weights": (1 - 1e-9, 1e-9), "max_ngram_order": 2},
    {"weights": (0.5, 0.7, 1.1), "max_ngram_order": 3, "arithmetic": "mean"},
    {"smooth_method": "length", "floor_totals": True, "guard": "none"},
    {"ref_len": "average", "brevity": "ratio"},
    {"smooth_method": "interpolate", "floor_totals": True, "max_ngram_order": 6},
    {"summation": "compensated", "weights": (0.4, 0.1, 0.3, 0.2)},
    {"effective_order": True, "missing_order": "zero"},
    {"effective_order": True, "arithmetic": "weighted"},
    {"max_ngram_order": 8},
    {"cumulative_weights": (0.1, 0.2, 0.3, 0.4), "arithmetic": "weighted"},
    {"cumulative_weights": (0.5, 0.25), "effective_order": True},
    {"smooth_method": "floor", "floor_totals": True, "arithmetic": "weighted"},
]

FIXED = [
    ("", ["a b"]), ("a b", [""]), ("", [""]), ("a", ["a"]), ("a b", ["a b"]), ("a b c", ["a b c"]),
    ("a b c d", ["a b c d"]), ("a b c d e", ["v w x y z"]),
    ("the cat sat on mat", ["the cat is on the mat"]),
    ("a b c d e", ["a b c d e f", "a b c d"]), ("a b c d e", ["a b c d", "a b c d e f"]),
    ("the the the the", ["the cat", "the the mat", "a"]), ("a b c d e", ["a b c d e f g h i"]),
    ("a b c", ["a b c d e"]), ("a b c", ["a b d"]), ("a b c d e f g h i", ["x a b c d e f g h i"]),
    ("a b c d e x y", ["a b c d e"]), ("a b c d", ["a b x c d y"]),
    ("a b c x y z w", ["a b c q r s t"]),
]  # fmt: skip


def lines():
    """The lines of the file."""
    rng = random.Random(5)
    default = dict(settings(plan_options(DIALECTS["sacrebleu"])))
    yield "\t".join(["default", *(f"{name}={value}" for name, value in default.items())])
    rows = [row.replace(tokenize="none") for row in DIALECTS.values()]
    rare = [DIALECTS["sacrebleu"].replace(tokenize="none", **changes) for changes in RARE]
    cases = [(dialect, [*FIXED, _segment(rng)]) for dialect in [*rows, *rare]]
    cases += [(dialect, [rng.choice(FIXED), _segment(rng)]) for dialect in _mixtures(rng)]
    for dialect, segments in cases:
        own = dict(settings(plan_options(dialect)))
        changed = [f"{name}={value}" for name, value in own.items() if default.get(name) != value]
        absent = [f"{name}=" for name in default.keys() - own.keys()]
        yield "\t".join(["plan", *changed, *sorted(absent)])
        for hyp, refs in segments:
            yield _judged(dialect, hyp, refs)


def _mixtures(rng):
    for _ in range(MIXTURES):
        changes = {name: rng.choice(values) for name, values in MIXED.items()}
        orders = len(changes["weights"] or ()) or changes["max_ngram_order"]
        changes["max_ngram_order"] = orders
        if changes["smooth_method"] in ("average", "length-average"):
            changes["floor_totals"] = True  # otherwise the next order may have no n-gram
        yield DIALECTS["sacrebleu"].replace(tokenize="none", **changes)


def _segment(rng):
    words = ["the", "cat", "a", "b", "mat", "naïve"]

    def text():
        return " ".join(rng.choices(words, k=rng.choice([*range(11), 1, 2, 3, rng.choice([14, 70])])))

    hyp = text()
    refs = [text() for _ in range(rng.randint(1, 3))]
    if rng.random() < 0.6:  # a reference that shares a part
        part = hyp.split()
        start = rng.randrange(len(part) + 1)
        refs[0] = " ".join([*part[:start], rng.choice(words), *part[start + rng.randint(0, 1) :]])
    return hyp, refs


def _judged(dialect, hyp, refs):
    row = [count + 0 for count in spec.segment_stats(dialect, hyp, refs)]  # True is 1
    orders = dialect.count.max_ngram_order
    how = dialect.combine
    value = spec.combine(how, row, orders)
    penalty = spec.brevity_penalty(how, row[0], row[1])
    alone, upto = [], []
    for n in range(1, orders + 1):
        short = how if n == orders else how.replace(weights=None, cumulative_weights=None)
        hot = how.replace(weights=(0.0,) * (n - 1) + (1.0,), cumulative_weights=None)
        alone.append(_shorter(hot, row, n))
        upto.append(_shorter(short, row, n))
    precisions = "" if math.isnan(value) else _numbers(_precisions(how, row, orders))
    scores = (
        _numbers(row), repr(value), repr(penalty), precisions, _numbers(alone), _numbers(upto),
    )  # fmt: skip
    return "\t".join([hyp, "|".join(refs), *scores])


def _shorter(how, row, n):
    try:
        return spec.combine(how, row, n)
    except ZeroDivisionError:
        return math.nan


def _precisions(how, row, orders):
    totals = row[1 + len(row) // 2 :][:orders]
    if spec.numbers.gives_up(how, row[0], row[2 : 2 + orders], totals):
        return [0.0] * orders
    values = spec.precisions(how, row, orders)
    unit = 1 if how.arithmetic == "percent" else 100
    return [value * unit for value in values] + [0.0] * (orders - len(values))


def _numbers(values):
    return " ".join(map(repr, values))


def text():
    """The file."""
    return "".join(f"{line}\n" for line in lines())


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
