# SPDX-License-Identifier: Apache-2.0
"""Three systems to draw, and how to read the data of a chart."""

from xml.etree import ElementTree as ET

import truebleu as tb

REFS = ["the cat sat on the mat", "a dog ran home", "it is very late now", "no , not that one"] * 8
SYSTEMS = {
    "A": ["the cat is on the mat", "a dog ran to home", "it is late now", "no , not this"] * 8,
    "B": ["the cat sat on a mat", "a dog ran home", "it is very late", "no , not that one"] * 8,
    "C": ["cat on mat", "dog ran", "it is very very late", "not that"] * 8,
}
LABELS = [f"document {i // 5}" for i in range(len(REFS))]
BLEU = tb.BLEU()


def rows(figure, *keys):
    """The rows of a figure's data that have these keys, each once."""
    unique = []
    for layer in figure.spec["layer"]:
        unique += [row for row in layer["data"]["values"] if set(keys) <= row.keys() and row not in unique]
    assert unique
    return unique


def scored():
    return [(name, BLEU.corpus(hyps, REFS)) for name, hyps in SYSTEMS.items()]


def stats(metric=BLEU):
    return {name: metric.stats(hyps, REFS) for name, hyps in SYSTEMS.items()}


def words(svg, tag="text"):
    """The texts of a picture."""
    return {e.text for e in ET.fromstring(svg).iter(f"{{http://www.w3.org/2000/svg}}{tag}")}
