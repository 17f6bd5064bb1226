# SPDX-License-Identifier: Apache-2.0
"""The data of the segment browser: texts, tokens, scores and counts of each segment.

Columns are compressed and written as base64, in which there is no markup; data.js reads them.
Two threads compress them while the next are made.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import chain, product
from math import isfinite
from typing import Any

import numpy as np

from truebleu.analysis.compare import SEED
from truebleu.analysis.explain.influence import segment_costs
from truebleu.analysis.explain.overlap import token_reader
from truebleu.browser import packed
from truebleu.dialects.decisions import IN_PYTHON
from truebleu.errors import InputError
from truebleu.metrics.bleu import BLEU
from truebleu.metrics.chrf import CHRF
from truebleu.metrics.family import text_for_kernel
from truebleu.metrics.kernel import places
from truebleu.metrics.ter import TER
from truebleu.report.contents import Contents
from truebleu.text.escaping import visible
from truebleu.text.results import attributes

#: Segments that the kernel tokenizes at once; their tokens take memory.
_AT_ONCE = 4_096
#: The metrics besides BLEU that the page scores, from rows.
FORMULAS = (CHRF, TER)
#: Of text, level 6 makes 1 % less, and takes 1.7 times as long.
_LEVEL = 5


def segment_data(contents: Contents) -> tuple[dict[str, Any], dict[str, str]]:
    """The facts that the browser reads at once, and the columns that it reads as needed.

    Columns are named by their contents: `system.0` and on, `ref.0` and on, `source`; `score.0`,
    `cost.0` and `stats.0` of the systems; `value.1.0` for the score of metric 1 of system 0, and
    `rows.1.0` for its rows if the page has its formula, by columns;
    `label.0` for the first division.
    """
    with ThreadPoolExecutor(2) as pool:
        streams = Streams(pool)
        return _facts(contents, streams), streams.encoded()


def _facts(contents: Contents, streams: Streams) -> dict[str, Any]:
    """The facts; the columns are added to `streams`."""
    texts = {f"system.{i}": hyps for i, hyps in enumerate(contents.systems)}
    texts |= {f"ref.{k}": refs for k, refs in enumerate(contents.refs)}
    if contents.srcs is not None:
        texts["source"] = contents.srcs
    columns = {name: streams.add_column(name, own, contents.bleu) for name, own in texts.items()}
    for i, stats in enumerate(contents.stats):
        streams.add_floats(f"score.{i}", contents.sentences[0][i])
        streams.add_floats(f"cost.{i}", segment_costs(contents.bleu, stats))
        streams.add_integers(f"stats.{i}", stats.__array__().ravel())
        others = [own[i] for own in contents.sentences[1:]]
        others += [own.values[contents.names[i]] for own in contents.elsewhere]
        for k, values in enumerate(others, start=1):
            streams.add_floats(f"value.{k}.{i}", values)
    formulas = []
    for k, (metric, tables) in enumerate(contents.others, start=1):
        if not isinstance(metric, FORMULAS):
            continue
        formulas.append([k, text_for_kernel(metric)])
        for i, table in enumerate(tables):
            rows = np.array(table)
            # chrF counts one n-gram less of each order: most differences are equal.
            rows[:, 3:] = (rows[:, 3:] - rows[:, :-3]) % (1 << 32)
            streams.add_integers(f"rows.{k}.{i}", rows.T.ravel())
    streams.add_text("errors", json.dumps(_errors(contents)))
    for k, division in enumerate(contents.divisions):
        streams.add_integers(f"label.{k}", division.places)
    divisions = [division.name for division in contents.divisions]
    places = [contents.decimals] + [1] * (len(contents.scores) - 1)
    places += [own.decimals for own in contents.elsewhere]
    return {
        "systems": list(map(visible, contents.names)),
        "segments": contents.segments,
        "references": len(contents.refs),
        "orders": contents.bleu.dialect.count.max_ngram_order,
        "counted": contents.stats[0].orders,
        "firstAlone": contents.bleu.dialect.count.references == "first",
        "scale": contents.bleu.dialect.combine.scale,
        "metrics": contents.columns,
        "places": places,
        "formulas": formulas,
        "elsewhere": len(contents.elsewhere),
        "pairs": _pairs(contents),
        "corrected": contents.comparison.corrected if contents.comparison else "",
        "divisions": [
            {"name": division.name, "labels": [visible(part.name) for part in division.parts]}
            for division in contents.divisions
        ],
        "columns": columns,
        "dialect": _dialect(contents),
        # Not words, nor what Python reads first.
        "live": contents.bleu._texts is None and isinstance(contents.systems[0][0], str),
        "documents": divisions.index("document") if "document" in divisions else None,
        "flagged": _flagged(contents),
        "level": 1 - contents.alpha,
        "seed": contents.comparison.seed if contents.comparison else SEED,
        "types": streams.types,
    }


def _dialect(contents: Contents) -> dict[str, Any]:
    """The dialect for `options.js`."""
    dialect = contents.bleu.dialect
    # Python has applied the others to the texts of the page.
    options = {name: value for name, value in dialect.options().items() if name not in IN_PYTHON}
    if not isinstance(options["tokenize"], str):
        options["tokenize"] = "python"  # a function, which the page has not
    return {"name": dialect.name, "version": dialect.version, "options": options}


def _pairs(contents: Contents) -> list[dict[str, Any]]:
    """The tested differences of systems, by their places: a minus b."""
    pairs = contents.comparison.ordered_pairs() if contents.comparison else []
    rows = []
    for pair in (own for own in pairs if isfinite(sum(own.interval))):
        a, b = map(contents.names.index, (pair.b, pair.a))
        rows.append({"a": a, "b": b, **attributes(pair, ("difference", "interval")), "p": pair.p_adjusted})
    return rows


def _errors(contents: Contents) -> list[dict[int, list[tuple[Any, ...]]]]:
    """Of each system, the errors marked in each segment: the place, what they are, the text."""
    listed: list[dict[int, list[tuple[Any, ...]]]] = [{} for _ in contents.names]
    for scores, (k, name) in product(contents.elsewhere, enumerate(contents.names)):
        for i, errors in enumerate(scores.errors.get(name, ())):
            text = _text(contents.systems[k][i])
            for error in (error.within(text) for error in errors):
                start = -1 if error.start < 0 else units(text[: error.start])
                what = f"{error.severity}, {error.category} ({scores.name})"
                listed[k].setdefault(i, []).append((start, error.severity, what, error.text))
    return listed


def _flagged(contents: Contents) -> list[dict[str, Any]]:
    """The places of segments with each kind of finding."""
    places: dict[str, set[int]] = {}
    for finding in chain(*(contents.findings or ())):
        places.setdefault(finding.kind, set()).update(line - 1 for line in finding.lines)
    return [{"name": kind, "segments": sorted(own)} for kind, own in places.items() if own]


class Streams:
    """Named columns and their types, which threads of a pool compress.

    Attributes:
        types: of each, `text` (UTF-8), `f8` (floats of 8 bytes), or `u1`, `u2`, `u4` (unsigned
            integers), little-endian.
    """

    def __init__(self, pool: ThreadPoolExecutor) -> None:
        self.types: dict[str, str] = {}
        self._packed: dict[str, Future[str]] = {}
        self._pool = pool

    def encoded(self) -> dict[str, str]:
        """The columns, as base64 of zlib's format."""
        return {name: packed.result() for name, packed in self._packed.items()}

    def add_text(self, name: str, text: str) -> None:
        """Add a text; a lone surrogate in it is an InputError."""
        try:
            self._add(name, "text", text.encode())
        except UnicodeEncodeError as error:
            raise InputError(
                f"a text has the lone surrogate U+{ord(text[error.start]):04X}, which is not a "
                'character; decode it without errors="surrogateescape", or replace it'
            ) from None

    def add_floats(self, name: str, values: Any) -> None:
        """Add floats; NaN stays NaN."""
        self._add(name, "f8", np.asarray(values, dtype="<f8").tobytes())

    def add_integers(self, name: str, values: Any) -> None:
        """Add integers, each in as few bytes as the largest takes; very large ones as floats."""
        numbers = np.asarray(values, dtype=np.int64)
        largest = int(numbers.max(initial=0))
        if largest >= 1 << 32 or numbers.min(initial=0) < 0:
            self.add_floats(name, numbers)
            return
        kind = "u1" if largest < 1 << 8 else "u2" if largest < 1 << 16 else "u4"
        self._add(name, kind, numbers.astype(f"<{kind}").tobytes())

    def add_column(self, name: str, segments: Sequence[Any], bleu: BLEU) -> dict[str, Any]:
        """Add texts and the places of the tokens that `bleu` counts.

        A text in which its tokens do not occur gets them in the table that is returned. If tokens
        differ from the texts in case only, the texts are added a second time, in that case.

        Returns:
            The segments that are `absent`, and the tokens of those that are `spelled`.
        """
        texts = list(map(_text, segments))
        places = list(_places(texts, segments, bleu))
        spelled = {i: token_reader(bleu)(segments[i]) for i, located in enumerate(places) if located is None}
        filled = [located or (b"", b"", None) for located in places]
        gaps, sizes = [before for before, _, _ in filled], [within for _, within, _ in filled]
        counted_texts = [text if other is None else other for text, (_, _, other) in zip(texts, filled, strict=True)]
        self.add_text(f"{name}.text", "".join(texts))
        if counted_texts != texts:
            self.add_text(f"{name}.counted", "".join(counted_texts))
        self.add_integers(f"{name}.lengths", list(map(units, texts)))
        self.add_integers(f"{name}.counts", [len(part) // 4 for part in sizes])
        self.add_integers(f"{name}.gaps", np.frombuffer(b"".join(gaps), np.uint32))
        self.add_integers(f"{name}.sizes", np.frombuffer(b"".join(sizes), np.uint32))
        absent = [i for i, segment in enumerate(segments) if segment is None]
        return {"absent": absent, "spelled": spelled}

    def _add(self, name: str, kind: str, data: bytes) -> None:
        self.types[name] = kind
        self._packed[name] = self._pool.submit(packed, data, _LEVEL)


def _places(
    texts: Sequence[str], segments: Sequence[Any], bleu: BLEU
) -> Iterator[tuple[bytes, bytes, str | None] | None]:
    """The places of the tokens of each segment in its text."""
    if bleu._texts is None and all(segment is None or isinstance(segment, str) for segment in segments):
        for start in range(0, len(texts), _AT_ONCE):
            yield from bleu.plan.places(texts[start : start + _AT_ONCE])
        return
    tokens = token_reader(bleu)
    for text, segment in zip(texts, segments, strict=True):
        yield places(text, [] if segment is None else tokens(segment))


def _text(segment: Any) -> str:
    return segment if isinstance(segment, str) else " ".join(segment or ())


def units(text: str) -> int:
    """The length of a text in JavaScript, which counts units of UTF-16."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le")) // 2
