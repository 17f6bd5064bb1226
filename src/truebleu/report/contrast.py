# SPDX-License-Identifier: Apache-2.0
"""Why the first system scores higher than the second: kinds of n-grams, segments, words."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from truebleu.analysis.contrast.breakdowns import Part
from truebleu.analysis.contrast.groups import Group
from truebleu.analysis.contrast.result import Contrast
from truebleu.report.contents import Contents
from truebleu.report.elements import interval, number, remark, side_by_side, table
from truebleu.text.html import HTML, element, join, user_text

#: The most n-grams of a group for a system.
_NGRAMS = 8


def contrast_body(contents: Contents, contrast: Contrast) -> HTML:
    """The groups with their n-grams, the segments that decide, and words by kind."""
    decimals = contents.decimals + 1
    names = list(map(user_text, contents.names[:2]))
    groups = [
        [group.name, number(group.points, decimals, "+"), interval(group.interval, decimals), *_ngrams(group)]
        for group in contrast.groups
    ]
    head = ["group", "points", "95 % interval", *(join(["more in ", name]) for name in names)]
    points = table(head, groups, "Points by typography and n-grams; they add up to the difference", (0, 3, 4))
    explained = remark(
        "After an n-gram: how often only the first system matches it, and how often only the second. "
        "Press it for these segments. ",
        element("code", "truebleu contrast"),
        " explains the groups.",
    )
    rows = []
    for segment in contrast.segments:
        scores = (number(own.score, decimals - 1) for own in (segment.a, segment.b))
        link = element("a", str(segment.number), href=f"#seg={segment.number}")
        rows.append([link, number(segment.influence, decimals + 2, "+"), *scores])
    caption = "Segments without which the difference would be smallest"
    segments = table(["segment", "influence", *names], rows, caption)
    kinds = {"frequency": contrast.by_frequency, "position": contrast.by_position}
    words = (_words(name, names, parts) for name, parts in kinds.items())
    return join([points, explained, side_by_side(segments, *words)])


def _ngrams(group: Group) -> Iterator[HTML]:
    """The n-grams that only the first system, and those that only the second matches."""
    for sign in (1, -1):
        listed = [gram for gram in group.ngrams if sign * (gram.a - gram.b) > 0][:_NGRAMS]
        buttons = []
        for gram in listed:
            attributes = {"type": "button", "class_": "gram", "data_gram": json.dumps(gram.words)}
            buttons.append(element("button", user_text(" ".join(gram.words)), f" {gram.a}:{gram.b}", **attributes))
        yield join(buttons)


def _words(name: str, systems: Sequence[HTML], parts: Sequence[Part]) -> HTML:
    rows = [[part.name, f"{part.size:,}", number(part.a, 1), number(part.b, 1)] for part in parts]
    caption = f"Words of the references that match, in percent, by {name}"
    return table([name, "words", *systems], rows, caption)
