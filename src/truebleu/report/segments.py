# SPDX-License-Identifier: Apache-2.0
"""What the segment browser of the page shows: texts, tokens, scores and counts of each segment."""

from __future__ import annotations

from truebleu.analysis.explain.influence import segment_costs
from truebleu.analysis.explain.overlap import token_reader
from truebleu.report.streams import Streams

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from truebleu.report.contents import Contents


def segment_data(contents: Contents) -> tuple[dict[str, Any], dict[str, str]]:
    """What the browser is to know at once, and the columns that it reads by and by.

    Columns are named by what they hold: `system.0` and on, `ref.0` and on, `source`; `score.0`,
    `cost.0` and `stats.0` of the systems; `value.1.0` for the score of metric 1 of system 0.
    """
    streams = Streams()
    tokens = token_reader(contents.bleu)
    columns = {}
    for name, segments in _texts(contents):
        columns[name] = streams.add_column(name, segments, tokens)
    for i, stats in enumerate(contents.stats):
        streams.add_floats(f"score.{i}", contents.sentences[0][i])
        streams.add_floats(f"cost.{i}", segment_costs(contents.bleu, stats))
        streams.add_integers(f"stats.{i}", stats.__array__().ravel())
        for k, values in enumerate(contents.sentences[1:], start=1):
            streams.add_floats(f"value.{k}.{i}", values[i])
    for k, division in enumerate(contents.divisions):
        streams.add_integers(f"label.{k}", division.places)
    facts = {
        "systems": contents.names,
        "segments": contents.segments,
        "references": len(contents.refs),
        "orders": contents.bleu.dialect.count.max_ngram_order,
        "counted": contents.stats[0].orders,
        "firstAlone": contents.bleu.dialect.count.references == "first",
        "scale": contents.bleu.dialect.combine.scale,
        "metrics": [scores[0].name for scores in contents.scores],
        "divisions": [
            {"name": one.name, "labels": [part.name for part in one.parts]}
            for one in contents.divisions
        ],
        "columns": columns,
        "types": streams.types,
    }
    return facts, streams.encoded


def _texts(contents: Contents) -> Iterator[tuple[str, Sequence[Any]]]:
    for i, hyps in enumerate(contents.systems):
        yield f"system.{i}", hyps
    for k, refs in enumerate(contents.refs):
        yield f"ref.{k}", refs
    if contents.srcs is not None:
        yield "source", contents.srcs
