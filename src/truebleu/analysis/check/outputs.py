# SPDX-License-Identifier: Apache-2.0
"""Lines that no change of a text mends: empty, cut, an answer, a copy, a repeat, foreign."""
# ruff: noqa: RUF001  (quotation marks and stops of all languages)

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import compress
from math import log
from typing import Any

import numpy as np

from truebleu.analysis.check.faults import Column, Fault, Texts
from truebleu.analysis.check.judge import LINES, NEARLY, TIMES, UNLIKE, Floats, Judge
from truebleu.errors import MissingExtraError, quantity
from truebleu.inputs.mistakes import OF_SPACED, unsplit
from truebleu.metrics.tokenizers import find as find_tokenizer
from truebleu.text.escaping import columns as width
from truebleu.text.mending import ANSWER, LONG, is_long
from truebleu.text.normalization import CHOSEN_BY_WRITERS, WRITTEN_BY_PROGRAMS
from truebleu.text.signs import alphabet, flags, grams, letters, main_script, script_of

_END = re.compile(r".{0,48}\s*$", re.DOTALL)
_STOPS = frozenset(".!?…。！？।॥۔؟:;\"'”“»’」』)）]")


def refusals(texts: Texts, columns: Sequence[Sequence[str]], similarity: Floats) -> list[Fault]:
    """Answers of a chat model."""
    rows = np.flatnonzero(similarity < UNLIKE).tolist()
    for column in columns:  # the hypothesis is one, and no reference
        rows = [row for row in rows if (column is columns[0]) is all(pattern.search(column[row]) for pattern in ANSWER)]
    return [Fault("refusal", texts.hyp, rows)] if rows else []


def lengths(texts: Texts, columns: Sequence[Sequence[str]], judge: Judge) -> Iterator[Fault]:
    """Segments that are empty, missing, cut, or far from the length of their references."""
    own, *others = (np.fromiter(map(len, column), np.int64, len(column)) for column in columns)
    cut = {*_cut(columns, judge)}
    rows = defaultdict[str, list[int]](list, truncated=sorted(cut))
    doubtful = np.min(others, axis=0) > 2 * own
    doubtful |= (own > 2 * np.max(others, axis=0)) | (own < TIMES)
    for row in np.flatnonzero(doubtful).tolist():
        size, *facing = (width(column[row].strip()) for column in columns)
        facing = [facing[k] for k, ref in enumerate(texts.refs) if ref.texts[row] is not None]
        if not facing:
            rows["missing-reference"].append(row)
        elif texts.hyp.row(row) is not None and row not in cut:
            rows[_length(size, min(facing), max(facing))].append(row)
    if missing := rows["missing-reference"]:
        yield Fault("missing-reference", texts.refs[0], missing, texts=texts.without(missing))
    for kind in ("empty-hyp", "too-short", "too-long", "truncated"):
        if rows[kind]:
            ends = texts.hyp.evidence(rows[kind], _END) if kind == "truncated" else ()
            yield Fault(kind, texts.hyp, rows[kind], evidence=ends)
    for ref, column in zip(texts.refs, columns[1:], strict=True):
        empty = [
            row
            for row, text in enumerate(column)
            if not text.strip() and ref.texts[row] is not None and columns[0][row].strip()
        ]
        if empty:
            yield Fault("empty-ref", ref, empty)


def _length(own: int, shortest: int, longest: int) -> str:
    if not own:
        return "empty-hyp" if longest else ""
    if own * TIMES < shortest and shortest - own >= TIMES * LONG:
        return "too-short"
    return "too-long" if own > longest * TIMES > 0 and own - longest >= TIMES * LONG else ""


def _cut(columns: Sequence[Sequence[str]], judge: Judge) -> list[int]:
    """The rows of hypotheses that stop without a stop, unlike all of their references.

    A limit of tokens shows as the length that most of them have.
    """
    hyps, *refs = columns
    ends = np.array([[text.rstrip()[-1:] in _STOPS for text in column] for column in columns])
    open_ended = [row for row in np.flatnonzero(~ends[0] & np.all(ends[1:], axis=0)).tolist() if hyps[row].strip()]
    short = [row for row in open_ended if len(hyps[row]) < NEARLY * min(len(column[row]) for column in refs)]
    # A short translation is like all of its reference, a cut one like its beginning.
    own = [hyps[row] for row in short]
    first = [[column[row][: len(hyps[row])] for row in short] for column in refs]
    last = [[column[row][-len(hyps[row]) :] for row in short] for column in refs]
    is_cut = judge.similarity(own, first) > judge.similarity(own, last)
    cut = [row for row, at_end in zip(short, is_cut, strict=True) if at_end]
    others_end = int(np.sum(ends[0] & ~np.any(ends[1:], axis=0)))
    if len(cut) < max(CHOSEN_BY_WRITERS, 2 * (len(short) - len(cut)), others_end // 8):
        return []
    for length in (lambda text: len(text.split()), len):
        ((limit, times),) = Counter(length(hyps[row]) for row in cut).most_common(1)
        if limit > WRITTEN_BY_PROGRAMS and times * 2 > len(cut):
            return [row for row in open_ended if length(hyps[row]) == limit]
    return cut


# Texts that are equal but should differ.

#: The share of equal longer lines from which a file is a copy with a few changed lines (checkpoints
#: share fewer), and from which a reference was edited from a system: 0.09 in the best systems of
#: WMT21 and WMT22, and 0.25 and more where it was.
_COPY, _EDITED = 0.98, 0.25


def _equal(texts: Column, others: Column) -> tuple[list[int], int]:
    """The rows of equal long texts, and the number of long texts; none if these are few."""
    long = [row for row, text in enumerate(texts.texts) if is_long(text)]
    if len(long) <= WRITTEN_BY_PROGRAMS or len(texts) != len(others):
        return [], 1
    return [row for row in long if texts.texts[row] == others.texts[row]], len(long)


def _is_copy(column: Column, other: Column) -> bool:
    rows, long = _equal(column, other)
    return len(rows) >= _COPY * long


def copies(texts: Texts) -> Iterator[Fault]:
    """Hypotheses that equal references or sources, and references given twice."""
    for column in texts.columns[1:]:
        rows, long = _equal(texts.hyp, column)
        name = column.name + column.suffix
        equal = f"{len(rows)} of {long} longer hypotheses equal {name}"
        if len(rows) >= _COPY * long:
            kind, message = f"hyp-is-{column.role}", f"The hypotheses are those of {name}: {equal}."
            yield Fault(kind, texts.hyp, rows, message)
        elif len(rows) > _EDITED * long and column.role == "ref":
            message = f"{equal}; of the best systems, fewer than a tenth do."
            yield Fault("matches-reference", texts.hyp, rows, message)
        elif column.role == "src":
            every = [{column.texts[row]}.isdisjoint(ref.texts[row] for ref in texts.refs) for row in rows]
            if any(every):
                yield Fault("untranslated", texts.hyp, [*compress(rows, every)])
    for at, ref in enumerate(texts.refs):
        if earlier := next((other for other in texts.refs[:at] if _is_copy(ref, other)), None):
            message = f"The references repeat those of {earlier.name}{earlier.suffix}."
            left = [column for column in texts.refs if column is not ref]
            yield Fault("same-reference", ref, message=message, texts=Texts(texts.hyp, left, texts.src))


def same_system(hyp: Column, earlier: Sequence[Column]) -> list[Fault]:
    """The hypotheses of an earlier system under another name."""
    names = [other.name for other in earlier if _is_copy(hyp, other)]
    return [Fault("same-system", hyp, message=f"The hypotheses are those of {''.join(names[:1])}.")] if names else []


def repeats(texts: Texts, judge: Judge, similarity: Floats) -> Iterator[Fault]:
    """One text for several unrelated ones, segments that equal an earlier one, and U+FFFD."""
    for kind, column, facing, fewest in (
        ("repeated-reference", texts.refs[0], texts.hyp, CHOSEN_BY_WRITERS),
        ("repeated-output", texts.hyp, texts.refs[0], WRITTEN_BY_PROGRAMS - 1),
    ):
        stuck: list[list[int]] = []
        groups = _groups(column.texts)
        for group in groups:
            there = dict.fromkeys(facing.texts[row] or "" for row in group)
            if len(unlike := [*filter(is_long, there)]) >= fewest:
                among = judge.similarity(unlike[:-1], [unlike[1:]])
                others = np.append(np.delete(similarity, group), 0)
                if 2 * max(similarity[group].mean(), among.mean()) < others.mean():
                    stuck.append(group)
        if stuck:
            most, what = max(stuck, key=len), "hypothesis" if column is texts.hyp else "reference"
            message = f"One {what} occurs {quantity(len(most), 'time')} and faces unrelated texts."
            rows = sorted(row for group in stuck for row in group)
            yield Fault(kind, column, rows, message, column.evidence(most))
    first: dict[tuple[str | None, ...], int] = {}
    every = sorted(row for group in groups for row in group)
    if again := [
        row for row in every if first.setdefault(tuple(column.texts[row] for column in texts.scored), row) != row
    ]:
        yield Fault("duplicate-segment", texts.hyp, again)
    for column in texts.scored:
        if rows := [row for row, text in enumerate(column.texts) if text and "\ufffd" in text]:
            yield Fault("replacement-character", column, rows)


def _groups(texts: Sequence[str | None]) -> list[list[int]]:
    """The rows of each long text that occurs several times."""
    rows = defaultdict[str | None, list[int]](list)
    for row, text in enumerate(texts):
        rows[text].append(row)
    return [group for text, group in rows.items() if len(group) > 1 and is_long(text)]


# Another script or language. Letter trigrams separate languages of one script in a line (Cavnar and
# Trenkle 1994). Those of the references show their language, so that no list of them is needed.

#: Trigrams of a line in another language are half as frequent in the references as those of its own
#: reference, and short lines vary by ten divided by their number: nine of ten English lines in
#: German texts and the reverse, and none of WMT22's own lines.
_RARER = log(2)
#: Tokenizers that split at spaces alone.
SPLIT = ("none", "space", "words")


def foreign(texts: Texts, columns: Sequence[Sequence[str]], similarity: Floats) -> Iterator[Fault]:
    """Lines in another script or language than the references, or without spaces."""
    samples = [column[:: len(column) // LINES + 1] for column in columns]
    main = main_script(alphabet([text for sample in samples[1:] for text in sample]))
    if not main:
        return
    # Chinese texts have no kana, and all Japanese sentences do.
    usual, common = ("Kana", ("Latin", "Han")) if main == "Japanese" else (main, ("Latin",))
    marks = flags(
        columns[0],
        [lambda text: script_of(text[0]) not in ("", usual, *common), lambda text: script_of(text[0]) == usual],
    )
    odd = {}
    for row in np.flatnonzero(marks != 2).tolist():
        if script := _odd_script([letters(Counter(c[row])) for c in columns], usual, common):
            odd[row] = script
    if odd:
        names = ", ".join(sorted({*odd.values()}))
        message = f"There are letters of another script ({names}) than the references' ({main})."
        signs = [c for row in odd for c in columns[0][row] if script_of(c) == odd[row]]
        evidence = texts.hyp.evidence(odd, re.compile(f"[{''.join(signs)}]"))
        yield Fault("wrong-script", texts.hyp, [*odd], message, evidence)
    if main == "Japanese" or [*unsplit(columns[1], OF_SPACED)]:
        return  # without spaces, few trigrams occur twice
    rows = [row for row in _in_another_language(columns, similarity, samples[1:]) if row not in odd]
    if len(rows) >= WRITTEN_BY_PROGRAMS:
        yield Fault("wrong-language", texts.hyp, rows)
    if main != "Hangul":
        own, *others = np.array([[text.count(" ") for text in column] for column in columns])
        is_joined = np.min(others, axis=0) >= np.maximum(4 * own + 1, TIMES)
        rows = [
            row
            for row in np.flatnonzero(is_joined).tolist()
            if 2 * len(columns[0][row]) > min(len(refs[row]) for refs in columns[1:])
        ]
        if len(rows) >= WRITTEN_BY_PROGRAMS:
            yield Fault("lost-spaces", texts.hyp, rows)


def _odd_script(counts: Sequence[Counter[str]], usual: str, common: Sequence[str]) -> str:
    """The wrong script of a hypothesis, by its letters and those of its references, or none.

    Letters of common scripts are in texts of this script, too: alone they are wrong.
    """
    own, *others = counts
    is_alone = not own[usual] and all(of[usual] for of in others)
    for script, count in own.items():
        is_new = script not in (usual, *common) and not any(of[script] for of in others)
        if count >= (WRITTEN_BY_PROGRAMS if is_new else LONG // 2) and (is_new or is_alone):
            return script
    return ""


def _in_another_language(
    columns: Sequence[Sequence[str]], similarity: Floats, samples: Sequence[Sequence[str]]
) -> list[int]:
    """Hypotheses that share little with their references, and few trigrams with any."""
    suspects = np.flatnonzero(similarity < UNLIKE).tolist()
    if not suspects:
        return []
    taught, _ = grams([text for sample in samples for text in sample], 3)
    values, counts = np.unique(np.append(taught, 0), return_counts=True)
    fits, sizes = [], []
    for column in columns:
        own, rows = grams([column[row] for row in suspects], 3)
        at = np.searchsorted(values, own).clip(max=len(values) - 1)
        times = np.where(values[at] == own, counts[at], 0).astype(float)
        if column is not columns[0]:
            times = np.maximum(times - 1, 0)  # a reference has taught its own trigrams
        sizes.append(np.bincount(rows, minlength=len(suspects)))
        fits.append(np.bincount(rows, np.log(times + 0.5), minlength=len(suspects)) / np.maximum(sizes[-1], 1))
    is_foreign = np.max(fits[1:], axis=0) - fits[0] > _RARER + 10 / np.maximum(sizes[0], 1)
    is_foreign &= np.min(sizes, axis=0) >= LONG
    return [suspects[row] for row in np.flatnonzero(is_foreign).tolist()]


def wrong_tokenizer(texts: Texts, tokenizer: Any) -> Iterator[Fault]:
    """A tokenizer that splits at spaces, for a language without them, or with few."""
    ref = texts.refs[0]
    why = "leaves whole phrases as tokens, because there are no spaces between words"
    cases = [*unsplit(ref.filled, [tokenizer])]
    script = main_script(alphabet(ref.filled[:: len(ref) // LINES + 1]))
    if script == "Hangul" and tokenizer in OF_SPACED and tokenizer not in SPLIT:
        cases, why = [("Korean", tokenizer, "ko-mecab")], "joins particles to their words"
    for language, _, better in cases:
        suited = better.split()[-1]
        try:
            find_tokenizer(suited)
        except MissingExtraError:
            suited = "char"
        message = f"The references are {language}: {tokenizer} {why}. Repair uses {suited}."
        yield Fault("wrong-tokenizer", ref, [], message, ref.evidence([0]), changes={"tokenize": suited})
