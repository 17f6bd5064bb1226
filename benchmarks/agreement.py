# SPDX-License-Identifier: Apache-2.0
"""Fits the curves of `truebleu.human_agreement` and shows how well they predict.

    benchmarks/agreement.py FOLDER [UNSEEN]

FOLDER has pairs.tsv.gz and systems.tsv.gz, which benchmarks/judgements.py writes; UNSEEN has them
of another year, to judge the curves. Without it, replaces the table of curves and the numbers of
docs/meaning.md. Needs pandas.
"""

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import truebleu as tb
from truebleu.analysis.agreement import ENDS, Curve, curve_name, points_of

ROOT = Path(__file__).resolve().parent.parent
TABLE = ROOT / "src" / "truebleu" / "analysis" / "agreement" / "curves.tsv"
NUMBERS = ROOT / "docs" / "figures" / "meaning.json"

#: The metric of each column of systems.tsv.gz.
METRICS: dict[str, Any] = {
    **{name: tb.BLEU(name) for name in tb.DIALECTS},
    "sb-intl": tb.BLEU(tokenize="intl"), "sb-intl-lc": tb.BLEU(lowercase=True, tokenize="intl"),
    "sb-char": tb.BLEU(tokenize="char"), "sb-char-8": tb.BLEU(max_ngram_order=8, tokenize="char"),
    **{f"sb-{order}": tb.BLEU(max_ngram_order=order) for order in (1, 2, 3, 6)},
    "sb-lc": tb.BLEU(lowercase=True), "sb-none": tb.BLEU(tokenize="none"), "ter": tb.TER(),
    "chrf": tb.CHRF(), "chrf++": tb.CHRF(word_order=2), "gleu": tb.GLEU(), "nist": tb.NIST()
}  # fmt: skip
#: The metric of columns of pairs.tsv.gz, which have all languages.
OF_PAIRS = {"base": tb.BLEU(), "chrf": METRICS["chrf"], "chrf++": METRICS["chrf++"],
            "quotes": tb.BLEU(normalize="quotes"),
            "all-typography": tb.BLEU(normalize="typography")}  # fmt: skip
_CHARACTERS = ("ellipses", "dashes", "width", "digits", "nfkc", "spaces")
_NORMALIZATIONS = ("quotes", "typography", *_CHARACTERS)
_BOTH = (False, True)
#: Values of options that may leave the order of systems as it is, by the class of the metric.
CHANGES: dict[type, dict[str, tuple[Any, ...]]] = {
    tb.BLEU: {"smooth_method": ("none", "exp", "floor", "add-k", "add-k-all"), "lowercase": _BOTH,
              "effective_order": _BOTH, "sentence_effective_order": _BOTH, "normalize": _CHARACTERS},
    tb.CHRF: {"char_order": (4, 5), "word_order": (1,), "beta": (1, 3), "whitespace": _BOTH,
              "eps_smoothing": _BOTH, "lowercase": _BOTH, "normalize": _NORMALIZATIONS},
    tb.TER: {"normalized": _BOTH, "no_punct": _BOTH, "asian_support": _BOTH, "case_sensitive": _BOTH,
             "normalize": _NORMALIZATIONS},
    tb.GLEU: {"tokenize": ("intl", "none"), "lowercase": _BOTH, "normalize": _NORMALIZATIONS},
}  # fmt: skip
#: Those without a curve: on WMT23, theirs are 0.10 to 0.14 off in a bin of 60 pairs and more.
UNCERTAIN = ("nist", "llama-factory", "sb-char", "sb-char-8")
#: Those of which the mean difference is the mean; `intl` may be missing.
SIX = ["base", "all-typography", "no-punct", "lowercase", "intl", "char"]
#: The 97.5 % quantile of Student's distribution of 25 degrees of freedom: there are 26 sets.
QUANTILE = 2.06


def changed() -> dict[str, tuple[str, str, Any]]:
    """Metrics with one option changed: the column without the change, the change, and the metric.

    The keys are the names that their curves would have, and columns of systems.tsv.gz.
    """
    metrics = {curve_name(own): key for key, own in METRICS.items() if key not in UNCERTAIN}
    variants: dict[str, tuple[str, str, Any]] = {}
    for base, key in metrics.items():
        own = METRICS[key]
        for option, values in CHANGES.get(type(own), {}).items():
            for variant in (type(own)(**own.settings | {option: value}) for value in values):
                if (name := curve_name(variant)) not in (*metrics, *variants):
                    (change,) = set(name.split(" ")) - set(base.split(" "))
                    variants[name] = key, change, variant
    return variants


def read(folder: str, name: str) -> pd.DataFrame:
    """A file of numbers; the column `set` has the pair of languages, too."""
    rows = pd.read_csv(Path(folder) / f"{name}.tsv.gz", sep="\t")
    return rows.assign(set=rows["set"] + " " + rows["pair"])


def judged(rows: pd.DataFrame, difference: pd.Series, claim: pd.Series | None = None) -> Any:
    """Set, difference in points and whether people agree, for pairs of systems.

    Differences below 0 are against the claim, which is the sign of `claim`.
    """
    sign = np.where((difference if claim is None else claim) < 0, -1, 1)
    valid = (rows["human"] != 0) & (difference != 0) & difference.notna()
    values = {"set": rows["set"], "points": difference * sign, "agree": rows["human"] * sign > 0}
    return pd.DataFrame(values)[valid]


def fit(pairs: pd.DataFrame) -> Any:
    """Intercept and slope of the logistic curve, by Newton's method."""
    x = np.column_stack([np.ones(len(pairs)), np.sqrt(abs(pairs["points"]))])
    y = (pairs["agree"] ^ (pairs["points"] < 0)).to_numpy()
    curve = np.zeros(2)
    for _ in range(30):
        p = 1 / (1 + np.exp(-x @ curve))
        curve += np.linalg.solve(x.T @ (x * (p * (1 - p))[:, None]), x.T @ (y - p))
    return curve


def predict(curve: Any, points: pd.Series) -> pd.Series:
    """The probability of each pair; at least one half for a difference above 0."""
    own = Curve(*curve, 0, (0,) * 10, {})
    return points.map(lambda size: own.agreement(size).probability)


def left_out(pairs: pd.DataFrame) -> pd.Series:
    """The probability of each pair from a curve of all other sets."""
    sets = pairs.groupby("set")
    return pd.concat(predict(fit(pairs.drop(own.index)), own["points"]) for _, own in sets)


def half_width(pairs: pd.DataFrame) -> float:
    """Of the 95 % prediction interval for a new set, in logits.

    What a set left out exceeds its prediction by has the variance between sets and that of chance;
    the error of the curve adds the share 1/n of the former.
    """
    p = left_out(pairs)
    values = pd.DataFrame({"excess": pairs["agree"] - p, "variance": p * (1 - p)})
    sets = values.groupby(pairs["set"])
    mean = sets.mean()  # the variance of an agreement is also the slope of p by logit
    between = (mean["excess"] ** 2 - mean["variance"] / sets.size()).sum() / (mean["variance"] ** 2).sum()
    return float(QUANTILE * np.sqrt(max(0, between) * (1 + 1 / len(mean))))


def interval(values: pd.Series, sets: pd.Series) -> list[float]:
    """The 95 % interval of the mean of values, when sets are drawn with replacement."""
    sums = values.groupby(sets).agg(["sum", "count"]).to_numpy(float)
    drawn = np.random.default_rng(0).integers(len(sums), size=(500, len(sums)))
    total, count = sums[drawn].sum(axis=1).T
    return np.quantile(total / count, [0.025, 0.975]).round(4).tolist()


def shares(pairs: pd.DataFrame, ends: list[float]) -> list[dict[Any, Any]]:
    """The share that agrees, by size of difference."""
    sizes = pairs.groupby(pd.cut(pairs["points"], ends, right=False), observed=True)
    table = sizes.agg(pairs=("agree", "size"), points=("points", "mean"), agree=("agree", "mean"))
    table["interval"] = [interval(own["agree"], own["set"]) for _, own in sizes]
    return table[table["pairs"] >= 10].round({"points": 3, "agree": 4}).to_dict("records")


def show(title: str, said: pd.Series, pairs: pd.DataFrame, bins: pd.Series) -> None:
    """Print the log loss, and what is said and seen in each bin."""
    table = pd.DataFrame({"said": said, "seen": pairs["agree"], "pairs": 1}).dropna()
    loss = -np.log(np.where(table["seen"], table["said"], 1 - table["said"])).mean()
    means = table.groupby(bins, observed=True).agg({"said": "mean", "seen": "mean", "pairs": "sum"})
    print(f"{title}: log loss {loss:.4f}\n{means.astype(float).round(2)}")


def by_curve(rows: pd.DataFrame) -> tuple[dict[str, pd.DataFrame], pd.DataFrame]:
    """Pairs by the name of their curve, and those whose significant difference survives."""
    names = ["no-punct", "lowercase", "intl", "char", "chrf", "chrf++", "all-typography"]
    lost = {name: (rows[name] * rows["base"] < 0) | (rows[f"p:{name}"] >= 0.1) for name in names}
    families = sum(lost[name].astype(int) for name in names[:4])
    falls = lost["all-typography"] | (families + (lost["chrf"] & lost["chrf++"]) >= 2)
    verdict = rows["p:base"] < 0.05
    pairs = {curve_name(metric): judged(rows, rows[name]) for name, metric in OF_PAIRS.items()}
    pairs["sacrebleu mean"] = judged(rows, rows[SIX].mean(axis=1), rows["base"])
    plain = pairs["sacrebleu"]
    pairs["sacrebleu does not survive"] = plain[(verdict & falls)[plain.index]]
    return pairs, plain[(verdict & ~falls)[plain.index]]


def of_systems(both: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """Pairs of systems of one set, for each column of scores."""
    rows, pairs = both[["set"]].assign(human=both["human"] - both["human b"]), {}
    for name, metric in METRICS.items():
        if name in both:  # others are younger than the file
            points = points_of(metric) * (1 if metric.higher_is_better else -1)
            pairs[name] = judged(rows, (both[name] - both[f"{name} b"]) * points)
    return pairs


def orders(both: pd.DataFrame) -> pd.DataFrame:
    """Percent of pairs of systems in the same order, by curve and changed option."""
    rows: dict[str, dict[str, float]] = {}
    for name, (base, change, _) in changed().items():
        if name in both and base in both:
            order = pd.DataFrame({key: np.sign(both[key] - both[f"{key} b"]) for key in (name, base)}).dropna()
            rows.setdefault(change, {})[curve_name(METRICS[base])] = 100 * (order[name] == order[base]).mean()
    return pd.DataFrame(rows)


def main(folder: str, unseen: str = "") -> None:
    """Print how the curves predict; write them if nothing else is to be predicted."""
    rows, systems = read(folder, "pairs"), read(folder, "systems")
    both = systems.merge(systems, on="set", suffixes=("", " b")).query("system < `system b`")
    columns = of_systems(both)
    pairs, good = by_curve(rows)
    tested, survivors = by_curve(read(unseen, "pairs")) if unseen else (pairs, good)
    p = {name: predict(fit(pairs[name]), own["points"]) if unseen else left_out(own) for name, own in tested.items()}
    others = tested["sacrebleu does not survive"]
    p["as compare prints it"] = said = p["sacrebleu"].copy()
    said.update(p["sacrebleu mean"].reindex(survivors.index))
    said.update(p["sacrebleu does not survive"])
    for name, values in p.items():
        show(name, values, tested.get(name, tested["sacrebleu"]), (10 * values).astype(int))
    for name, own in {"differences that survive": survivors, "others": others}.items():
        show(name, said[own.index], own, pd.cut(own["points"], [0, *ENDS]))
    if unseen:
        return
    first, second, human = (np.sign(rows[key]) for key in ("base", "ref2", "human"))
    is_sure = (rows[["p:base", "p:ref2"]] < 0.05).all(axis=1)
    opinions = pd.DataFrame({"agree": human == first, "same order": first == second, "both p < 0.05": is_sure})
    for keys in (["same order"], ["same order", "both p < 0.05"]):
        print("two references:", opinions[second.notna()].groupby(keys)["agree"].agg(["size", "mean"]), sep="\n")
    agreement, plain = {}, columns["sacrebleu"]
    for name, own in columns.items():
        agree = own["agree"].reindex(plain.index, fill_value=False)
        agreement[name] = [round(agree.mean(), 4), *interval(agree.astype(float) - plain["agree"], plain["set"])]
        if name not in UNCERTAIN:
            pairs.setdefault(curve_name(METRICS[name]), own)
    table = []
    for name, own in pairs.items():
        counts = np.bincount(np.searchsorted(ENDS, abs(own["points"]), "right"), minlength=10)
        table.append([name, *fit(own), half_width(own), *counts])
    head = ["curve", "intercept", "slope", "half_width", *ENDS, "above"]
    curves = pd.DataFrame(table, columns=head).join(orders(both), on="curve")
    curves.to_csv(TABLE, sep="\t", index=False, float_format="%.4g")
    numbers: dict[str, Any] = {"bins": shares(pairs["sacrebleu"], [0, *ENDS, 100]), "rows": agreement}
    numbers["survivors"] = shares(good, [0, 0.5, 1, 1.5, 2, 3, 4, 6, 100])
    numbers["others"] = shares(others, [0.25, 1, 1.5, 2, 3, 100])
    NUMBERS.write_text(json.dumps(numbers, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
