# SPDX-License-Identifier: Apache-2.0
"""Fits the curves of `truebleu.human_agreement` and shows how well they predict.

    benchmarks/agreement.py FOLDER [--write]

FOLDER has pairs.tsv.gz and systems.tsv.gz, which benchmarks/judgements.py writes. --write replaces
the table of curves and the numbers of docs/meaning.md.
"""

import csv
import gzip
import json
import sys
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from truebleu import DIALECTS
from truebleu.analysis.agreement import ENDS

ROOT = Path(__file__).resolve().parent.parent
TABLE = ROOT / "src" / "truebleu" / "analysis" / "agreement" / "curves.tsv"
NUMBERS = ROOT / "docs" / "figures" / "meaning.json"

Rows = list[dict[str, str]]
Array = Any  # of NumPy

#: Columns of systems.tsv.gz that are sacreBLEU's score with changed options.
SETTINGS: dict[str, dict[str, Any]] = {
    "sb-intl": {"tokenize": "intl"}, "sb-intl-lc": {"lowercase": True, "tokenize": "intl"},
    "sb-char": {"tokenize": "char"}, "sb-lc": {"lowercase": True}, "sb-none": {"tokenize": "none"},
    **{f"sb-{order}": {"max_ngram_order": order} for order in (3, 2, 1, 6)},
    "sb-char-8": {"max_ngram_order": 8, "tokenize": "char"},
}  # fmt: skip
#: Those of pairs.tsv.gz of which the mean difference is the mean; `intl` may be missing.
SIX = ("base", "all-typography", "no-punct", "lowercase", "intl", "char")
#: The 97.5 % quantile of the normal distribution.
NORMAL = 1.959964


def read(folder: str, name: str) -> Rows:
    """The rows of a file."""
    with gzip.open(Path(folder) / f"{name}.tsv.gz", "rt", encoding="utf-8") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def column(rows: Rows, name: str) -> Array:
    """A column of numbers, NaN where there is none."""
    return np.array([float(row[name] or "nan") for row in rows])


class Pairs:
    """Pairs of systems: the set, the difference in points, and whether people agree.

    Differences below 0 are against the claim, which is the sign of `claim`.
    """

    def __init__(self, sets: Array, human: Array, difference: Array, claim: Array) -> None:
        sign = np.where(claim < 0, -1, 1)
        valid = (human != 0) & (difference != 0) & np.isfinite(difference)
        self.sets, self.points = sets[valid], (difference * sign)[valid]
        self.agree = (human * sign > 0)[valid]
        self.valid = valid

    def fit(self, use: Any = slice(None)) -> Array:
        """Intercept and slope of the logistic curve, by Newton's method."""
        points, agree = self.points[use], self.agree[use]
        x = np.column_stack([np.ones(len(points)), np.sqrt(abs(points))])
        y = np.where(points < 0, ~agree, agree)
        curve = np.zeros(2)
        for _ in range(30):
            p = 1 / (1 + np.exp(-x @ curve))
            curve += np.linalg.solve(x.T @ (x * (p * (1 - p))[:, None]), x.T @ (y - p))
        return curve

    def predict(self, curve: Array, *, plain: bool = False) -> Array:
        """The probability of each pair; `plain` may be below one half."""
        logit = curve[0] + curve[1] * np.sqrt(abs(self.points))
        logit = logit if plain else np.maximum(0, logit)
        return 1 / (1 + np.exp(-np.sign(self.points) * logit))

    def left_out(self, folds: Array, *, plain: bool = False) -> Array:
        """The probability of each pair from a curve of all other folds."""
        result = np.empty(len(self.points))
        for fold in np.unique(folds):
            out = folds == fold
            result[out] = self.predict(self.fit(~out), plain=plain)[out]
        return result

    def half_width(self) -> float:
        """Of the 95 % prediction interval for a new set, in logits.

        What a set left out exceeds its prediction by has the variance between sets and that of
        chance; the error of the curve adds the share 1/n of the former.
        """
        p, excess, slopes = self.left_out(self.sets), 0.0, 0.0
        for name in (names := np.unique(self.sets)):
            own = self.sets == name
            variance = (p * (1 - p))[own].mean()  # of an agreement; also the slope of p by logit
            excess += (self.agree[own] - p[own]).mean() ** 2 - variance / own.sum()
            slopes += variance**2
        between = max(0.0, excess / slopes) * (1 + 1 / len(names))
        degrees = len(names) - 1
        student = NORMAL + (NORMAL**3 + NORMAL) / (4 * degrees)  # Cornish and Fisher's expansion
        student += (5 * NORMAL**5 + 16 * NORMAL**3 + 3 * NORMAL) / (96 * degrees**2)
        return float(student * np.sqrt(between))

    def row(self) -> str:
        """The row of the table."""
        counts = np.bincount(np.searchsorted(ENDS, abs(self.points), "right"), minlength=10)
        numbers = [f"{number:.4g}" for number in (*self.fit(), self.half_width())]
        return "\t".join([*numbers, *map(str, counts)])


def loss(p: Array, agree: Array) -> float:
    """Mean log loss."""
    return float(-np.log(np.where(agree, p, 1 - p)).mean())


def calibration(p: Array, agree: Array) -> str:
    """What is said and seen in each bin of a tenth."""
    bins = [(p >= low / 10) & (p < low / 10 + 0.1) for low in range(10)]
    return "  ".join(
        f"{p[own].mean():.2f} {agree[own].mean():.2f} ({own.sum()})" for own in bins if own.any()
    )


def drawn_again(sets: Array, values: Array, use: Array, draws: int = 500) -> list[float]:
    """The 95 % interval of the mean of `values` in use, when sets are drawn with replacement."""
    names, places = np.unique(sets, return_inverse=True)
    sums = np.bincount(places, values * use, len(names))
    counts = np.bincount(places, use, len(names))
    drawn = np.random.default_rng(0).integers(len(names), size=(draws, len(names)))
    total = counts[drawn].sum(axis=1)
    means = sums[drawn].sum(axis=1)[total > 0] / total[total > 0]
    return [round(float(end), 4) for end in np.quantile(means, [0.025, 0.975])]


def shares(pairs: Pairs, use: Array, ends: Sequence[float]) -> list[dict[str, Any]]:
    """The share that agrees, by size of difference."""
    rows = []
    for low, high in pairwise(ends):
        own = use & (pairs.points >= low) & (pairs.points < high)
        if own.sum() >= 10:
            rows.append({
                "low": low, "high": high, "pairs": int(own.sum()),
                "points": round(float(pairs.points[own].mean()), 3),
                "agree": round(float(pairs.agree[own].mean()), 4),
                "interval": drawn_again(pairs.sets, pairs.agree, own),
            })  # fmt: skip
    return rows


def surviving(rows: Rows) -> tuple[Array, Array]:
    """Which pairs have a verdict, and which verdicts survive the trials."""
    base = column(rows, "base")

    def lost(name: str) -> Array:
        return (column(rows, name) * base < 0) | (column(rows, f"p:{name}") >= 0.1)

    families = ["no-punct", "lowercase", "intl", "char"]
    count = sum(lost(name).astype(int) for name in families) + (lost("chrf") & lost("chrf++"))
    return column(rows, "p:base") < 0.05, ~(lost("all-typography") | (count >= 2))


def main(folder: str, *, write: bool) -> None:
    """Print how the curves predict, and write them."""
    rows, systems = read(folder, "pairs"), read(folder, "systems")
    sets = np.array([f"{row['set']} {row['pair']}" for row in rows])
    human, base = column(rows, "human"), column(rows, "base")
    mean = np.nanmean([column(rows, name) for name in SIX], axis=0)
    size, tried = Pairs(sets, human, base, base), Pairs(sets, human, mean, base)
    years = np.array([name[:5] for name in size.sets])
    print(f"{len(size.points):,} pairs of {len(set(sets))} sets; said, seen (pairs)")
    kinds = {"size, plain": (size, True), "size": (size, False), "mean of six": (tried, False)}
    for title, (pairs, plain) in kinds.items():
        for what, folds in (("set", pairs.sets), ("year", years)):
            if len(set(folds)) == 1:
                continue
            p = pairs.left_out(folds, plain=plain)
            print(f"\n{title}, each {what} left out: log loss {loss(p, pairs.agree):.4f}")
            for fold in [None, *np.unique(folds)] if what == "year" else [None]:
                own = np.ones(len(p), bool) if fold is None else folds == fold
                text = f"{fold}: {loss(p[own], pairs.agree[own]):.4f}; " if fold else ""
                print(f"  {text}{calibration(p[own], pairs.agree[own])}")
    verdict, survives = (values[size.valid] for values in surviving(rows))
    fallen = verdict & ~survives
    names, judged, points = (values[size.valid][fallen] for values in (sets, human, base))
    lost = Pairs(names, judged, points, points)
    p = np.where(verdict, tried.left_out(tried.sets), size.left_out(size.sets))
    p[fallen] = lost.left_out(lost.sets)
    print(f"\nas compare reports it: log loss {loss(p, size.agree):.4f}")
    print(f"  {calibration(p, size.agree)}\n\nverdicts by size of difference:")
    p = tried.predict(tried.fit())
    p[fallen] = lost.predict(lost.fit())
    for low, high in zip((0, *ENDS[1:]), (*ENDS[1:], np.inf), strict=True):
        own = verdict & (size.points >= low) & (size.points < high)
        good, bad = own & survives, own & ~survives
        if bad.any() and good.any():
            print(f"{low} to {high}: survivors {good.sum()}, said {p[good].mean():.2f}, seen "
                  f"{size.agree[good].mean():.2f}; others {bad.sum()}, {p[bad].mean():.2f}, "
                  f"{size.agree[bad].mean():.2f}")  # fmt: skip
    table = {"sacrebleu": size.row(), "sacrebleu mean": tried.row()}
    table["sacrebleu does not survive"] = lost.row()
    for name in ("quotes", "dashes", "width", "digits", "nfkc", "spaces", "all-typography"):
        normalized = Pairs(sets, human, column(rows, name), column(rows, name))
        option = name.removeprefix("all-")
        table[f"sacrebleu normalize=('{option}',)"] = normalized.row()
    for name in list(table):
        for language in ("zh", "ja-mecab"):
            if name not in ("sacrebleu mean", "sacrebleu does not survive"):
                table[f"{name} tokenize={language}"] = table[name]
    for name, of in (("chrf", "chrf"), ("chrf++", "chrf word_order=2")):
        table[of] = Pairs(sets, human, column(rows, name), column(rows, name)).row()
    agreement, same = of_systems(systems, table)
    print("\norder pairs as sacreBLEU does in 98 %:", {k: v for k, v in same.items() if v >= 0.98})
    if write:
        head = ["curve", "intercept", "slope", "half_width", *(f"below_{end}" for end in ENDS)]
        lines = ["\t".join([*head, "above"]), *(f"{name}\t{row}" for name, row in table.items())]
        TABLE.write_text("\n".join(lines) + "\n", encoding="utf-8")
        ends = [0, 0.5, 1, 1.5, 2, 3, 4, 6, 100]
        everything = np.ones(len(size.points), bool)
        numbers = {
            "bins": shares(size, everything, [0, *ENDS, 100]),
            "survivors": shares(size, verdict & survives, ends),
            "others": shares(size, verdict & ~survives, [0.25, 1, 1.5, 2, 3, 100]),
            "rows": agreement,
        }
        NUMBERS.write_text(json.dumps(numbers, indent=1) + "\n", encoding="utf-8")


def of_systems(
    systems: Rows, table: dict[str, str]
) -> tuple[dict[str, list[float]], dict[str, float]]:
    """Agreement of each column of scores, and how often it orders pairs as sacreBLEU does."""
    names = np.array([f"{row['set']} {row['pair']}" for row in systems])
    a, b = np.triu_indices(len(systems), 1)
    a, b = a[names[a] == names[b]], b[names[a] == names[b]]
    human = column(systems, "human")
    ours = (values := column(systems, "sacrebleu"))[b] - values[a]
    right = np.sign(ours) == np.sign(human[b] - human[a])
    agreement, same = {}, {}
    for name in list(systems[0])[5:]:
        scores = column(systems, name)
        scale = DIALECTS[name].combine.scale if name in DIALECTS else 1 if name == "gleu" else 100
        difference = (scores[b] - scores[a]) * (-1 if name == "ter" else 1) * 100 / scale
        changes = [f"{key}={value}" for key, value in SETTINGS.get(name, {}).items()]
        curve = " ".join(["sacrebleu", *changes]) if changes else name
        if curve not in table and name not in ("chrf++", "sb-mean"):
            human_difference = human[b] - human[a]
            table[curve] = Pairs(names[a], human_difference, difference, difference).row()
        own = np.sign(difference) == np.sign(human[b] - human[a])
        more = own.astype(float) - right
        interval = drawn_again(names[a], more, np.ones(len(own)))
        agreement[name] = [round(float(own.mean()), 4), *interval]
        same[name] = round(float(np.mean(np.sign(difference) == np.sign(ours))), 3)
    return agreement, same


if __name__ == "__main__":
    main(sys.argv[1], write="--write" in sys.argv)
