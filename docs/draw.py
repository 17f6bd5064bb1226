# SPDX-License-Identifier: Apache-2.0
"""What `make figures` runs: draws the pictures of the tutorial with the library's own charts.

docs/draw.py          draw docs/figures/tutorial-*.svg

It needs the extra `report`. tests/project/test_tutorial.py draws them again and compares their
texts.
"""

from __future__ import annotations

import math
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import truebleu as tb
from truebleu import spec
from truebleu.charts import Look, precisions
from truebleu.charts.layout import finish, lines, marks, nominal, quantitative

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
        {
            "system": name,
            "c / r": words / 10,
            "penalty": spec.brevity_penalty(tb.dialect(row).combine, words, 10),
        }
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


def curves(rows: Sequence[dict[str, Any]], x: dict[str, Any], value: str, title: str) -> Figure:
    """A line for each of the rows' systems."""
    names = list(dict.fromkeys(row["system"] for row in rows))
    said = f"Lines: {title}"
    return lines(rows, names, x, value, LOOK, title=title, decimals=2, description=said)


PICTURES: dict[str, Callable[[], Figure]] = {
    "clipping": clipping,
    "orders": orders,
    "brevity": brevity,
    "smoothing": smoothing,
    "differences": differences,
}


def path(name: str) -> Path:
    """Where a picture lies."""
    return ROOT / "docs" / "figures" / f"tutorial-{name}.svg"


def main() -> int:
    """Draw all pictures."""
    for name, draw in PICTURES.items():
        draw().save(path(name), force=True)
        print(f"{path(name).relative_to(ROOT)} drawn")
    return 0


if __name__ == "__main__":
    sys.exit(main())
