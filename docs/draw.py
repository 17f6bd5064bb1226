# SPDX-License-Identifier: Apache-2.0
"""What `make figures` runs: draws pictures of the docs with the library's own charts.

docs/draw.py          draw docs/figures/tutorial-*.svg and meaning-*.svg

It needs the extra `report`. tests/project/test_tutorial.py draws them again and compares their
texts.
"""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import truebleu as tb
from truebleu import spec
from truebleu.charts import Look, precisions
from truebleu.charts.layout import Values, finish, lines, marks, nominal, quantitative

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from truebleu.charts import Figure

ROOT = Path(__file__).resolve().parent.parent

#: On a page, not in a column: the type a little larger, the ink of a screen.
LOOK = Look(width=600.0, size=13.0, colors="light")

REFS = [
    "the ferry crosses the wide river at seven in the morning",
    "every morning at seven the ferry goes across the river",
]
GOOD = "the ferry crosses the river at seven every morning"
POOR = "the big boat goes over the river at every seven morning"
SILLY = "the the the the the the the"
SHUFFLED = "morning every seven at river the crosses ferry the"
SMOOTHED = "the ferry crosses a river at seven every day"


def clipping() -> Figure:
    """Simple and clipped precision of words, for three sentences."""
    refs = [ref.split() for ref in REFS]
    rows = []
    for name, text in (("good", GOOD), ("poor", POOR), ("silly", SILLY)):
        words = text.split()
        simple = spec.simple_precision(words, refs)
        clipped = spec.clipped_matches(words, refs, 1) / len(words)
        rows += [
            {"sentence": name, "precision": "simple", "share": simple},
            {"sentence": name, "precision": "clipped", "share": clipped},
        ]
    kinds = ["simple", "clipped"]
    scale = {"domain": [0, 1.1], "nice": False}  # with space for the number after a bar
    axis = {"values": [0, 0.2, 0.4, 0.6, 0.8, 1]}
    place = {
        "x": quantitative("share", title="precision of words", scale=scale, axis=axis),
        "y": nominal("sentence", title=None, axis={"domain": False, "ticks": False}),
        "yOffset": nominal("precision", sort=kinds),
    }
    colors = {"domain": kinds, "range": LOOK.hues(2)}
    legend = {"orient": "top", "symbolType": "square"}
    color = nominal("precision", scale=colors, sort=kinds, legend=legend)
    text = quantitative("share", format=".3f")
    layers = [
        marks("bar", rows, {**place, "color": color}, height=LOOK.size),
        marks("text", rows, {**place, "text": text}, align="left", dx=4),
    ]
    said = "Bars: precision of words, simple and clipped, of a good, a poor and a silly sentence"
    return finish(layers, LOOK, 13.6, said)


def orders() -> Figure:
    """Precision against n, without smoothing."""
    bleu = tb.BLEU("papineni-2002")
    texts = {"good": GOOD, "poor": POOR, "shuffled": SHUFFLED}
    return precisions([(name, bleu.corpus([text], [REFS])) for name, text in texts.items()], LOOK)


def brevity() -> Figure:
    """The brevity penalty against c/r for 10 words of reference, and upside down."""
    penalties = {"e^(1 - r/c)": "papineni-2002", "e^(1 - c/r), wrong": "quick-overview-as-coded"}
    rows = [
        {"system": name, "c / r": words / 10, "penalty": spec.brevity_penalty(tb.dialect(row).combine, words, 10)}
        for name, row in penalties.items()
        for words in range(1, 16)
    ]
    ends = {"domain": [0, 1.5], "nice": False}
    axis = quantitative("c / r", axis={"grid": False, "tickCount": 4}, scale=ends)
    return curves(rows, axis, "penalty", "brevity penalty against c / r")


def smoothing() -> Figure:
    """The score under each of NLTK's methods as a sentence is shortened, without the penalty."""
    words = SMOOTHED.split()
    rows = []
    for method in range(1, 8):
        bleu = tb.BLEU(f"nltk-method{method}", brevity="none")
        for length in range(1, len(words) + 1):
            value = bleu.sentences([" ".join(words[:length])], [REFS])[0]
            if not math.isnan(value):
                rows.append({"system": f"method {method}", "words": length, "score": float(value)})
    axis = quantitative(
        "words",
        title="words left of the sentence",
        axis={"values": list(range(1, len(words) + 1)), "format": "d", "grid": False},
        scale={"domain": [0.8, len(words) + 0.2], "nice": False, "zero": False},
    )
    return curves(rows, axis, "score", "score under each smoothing method, without brevity penalty")


def differences() -> Figure:
    """Resampled differences of the example systems."""
    folder = ROOT / "examples" / "de-en"

    def texts(name: str) -> list[str]:
        return tb.read_lines(folder / name)

    refs = list(map(list, zip(texts("ref.A.txt"), texts("ref.B.txt"), strict=True)))
    systems = {name: texts(f"hyp.{name}.txt") for name in ("aurora", "basalt", "cinder")}
    compared = tb.compare(systems, refs, resamples=10_000)
    return tb.plot(compared, kind="difference", look=LOOK)


#: What benchmarks/agreement.py counted.
JUDGED = json.loads((ROOT / "docs" / "figures" / "meaning.json").read_text("utf-8"))

#: Kocmi, Zouhar, Federmann and Post 2024, for BLEU.
PUBLISHED = {0.52: 0.55, 0.78: 0.6, 1.06: 0.65, 1.39: 0.7, 1.79: 0.75, 2.34: 0.8, 3.35: 0.85}

#: Other metrics and settings of the picture of agreement, by their names in JUDGED.
COMPARED = {
    "chrf++": "chrF++", "chrf": "chrF", "sb-char": "sacrebleu -tok char", "gleu": "GLEU",
    "sb-intl": "sacrebleu -tok intl", "multi-bleu": "multi-bleu", "nltk": "nltk",
    "tensor2tensor": "tensor2tensor", "sb-2": "sacrebleu, orders 1 and 2", "sb-lc": "sacrebleu -lc",
    "nist": "NIST", "ter": "TER", "promptfoo": "promptfoo",
    "quick-overview-as-coded": "quick-overview-as-coded",
}  # fmt: skip


def agreement() -> Figure:
    """The curve with its interval, judged pairs by size of difference, published thresholds."""
    steps = [(i / 10) ** 2 for i in range(41)]
    results = {step: tb.human_agreement(step) for step in steps}
    band = [
        {"difference": step, "agree": value.probability, "low": value.interval[0], "high": value.interval[1]}
        for step, value in results.items()
    ]
    points = [*judged("bins", "judged pairs of WMT21 and WMT22")]
    points += [
        {"difference": step, "agree": share, "low": share, "high": share, "pairs": PAPER}
        for step, share in PUBLISHED.items()
    ]
    place = {"x": DIFFERENCE, "y": quantitative("low", **AGREE)}
    hue = LOOK.palette.faint
    layers = [
        marks("area", band, {**place, "y2": {"field": "high"}}, color=hue, opacity=0.2),
        marks("line", band, {"x": DIFFERENCE, "y": quantitative("agree")}, color=hue),
    ]
    return finish(
        [*layers, *dots(points)],
        LOOK,
        20,
        "Curve: people agree, by size of difference",
        "share of pairs of systems that people order as BLEU does",
    )


def survivors() -> Figure:
    """Agreement with significant differences that survive the trials, and with the others."""
    points = [*judged("survivors", "survives"), *judged("others", "does not survive")]
    return finish(
        dots(points),
        LOOK,
        20,
        "Points: people agree, by size and by survival",
        "share of significant differences with which people agree",
    )


def rows() -> Figure:
    """How much more or less often people agree with other scores than with sacreBLEU's."""
    base = JUDGED["rows"]["sacrebleu"][0]
    points = [
        {"score": title, "more": 100 * (share - base), "low": 100 * low, "high": 100 * high}
        for name, title in COMPARED.items()
        for share, low, high in [JUDGED["rows"][name]]
    ]
    y = nominal("score", sort=list(COMPARED.values()), title=None, axis={"domain": False, "ticks": False})
    title = "percentage points more or less than with sacreBLEU"
    line = {"x": quantitative("low", title=title), "x2": {"field": "high"}, "y": y}
    layers = [
        marks("rule", [{"zero": 0}], {"x": quantitative("zero")}, color=LOOK.palette.faint),
        marks("rule", points, line),
        marks("point", points, {"x": quantitative("more"), "y": y}, filled=True, size=50, color=LOOK.hues(1)[0]),
    ]
    return finish(layers, LOOK, 22, "Points: how often people agree, compared with sacreBLEU")


PAPER = "thresholds of Kocmi et al. 2024"
DIFFERENCE = quantitative(
    "difference",
    title="difference in BLEU",
    scale={"type": "sqrt", "domain": [0, 16]},
    axis={"values": [0, 0.5, 1, 2, 3, 4, 6, 8, 10, 12, 16], "format": "~g", "grid": False},
)
AGREE = {"title": None, "scale": {"domain": [0, 1]}, "axis": {"format": ".0%", "domain": False}}


def judged(key: str, pairs: str) -> list[dict[str, Any]]:
    """Points of judged pairs by size of difference."""
    ends = ((row, *row["interval"]) for row in JUDGED[key])
    return [
        {"difference": min(row["points"], 16), "agree": row["agree"], "low": low, "high": high, "pairs": pairs}
        for row, low, high in ends
    ]


def dots(points: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Points with their intervals, a color and a shape for each kind of `pairs`."""
    kinds = list(dict.fromkeys(point["pairs"] for point in points))
    colors = {"domain": kinds, "range": LOOK.hues(len(kinds))}
    shapes = {"domain": kinds, "range": LOOK.shapes(len(kinds))}
    legend = {"orient": "top", "title": None}
    color = nominal("pairs", scale=colors, legend=legend)
    place = {"x": DIFFERENCE, "color": color}
    line = {**place, "y": quantitative("low", **AGREE), "y2": {"field": "high"}}
    shape = nominal("pairs", scale=shapes, legend=legend)
    dot = {**place, "y": quantitative("agree"), "shape": shape}
    return [marks("rule", points, line), marks("point", points, dot, filled=True, size=60)]


def curves(rows: Sequence[dict[str, Any]], x: dict[str, Any], value: str, title: str) -> Figure:
    """A line for each of the rows' systems."""
    names = list(dict.fromkeys(row["system"] for row in rows))
    said = f"Lines: {title}"
    return lines(Values(rows, names, value, 2, LOOK), x, title, said)


PICTURES: dict[str, Callable[[], Figure]] = {
    "tutorial-clipping": clipping,
    "tutorial-orders": orders,
    "tutorial-brevity": brevity,
    "tutorial-smoothing": smoothing,
    "tutorial-differences": differences,
    "meaning-agreement": agreement,
    "meaning-survivors": survivors,
    "meaning-rows": rows,
}


def path(name: str) -> Path:
    """Where a picture lies."""
    return ROOT / "docs" / "figures" / f"{name}.svg"


def main() -> int:
    """Draw all pictures."""
    for name, draw in PICTURES.items():
        draw().save(path(name), force=True)
        print(f"{path(name).relative_to(ROOT)} drawn")
    return 0


if __name__ == "__main__":
    sys.exit(main())
