# SPDX-License-Identifier: Apache-2.0
"""Mistakes that make a score meaningless, seen in a few lines of the texts.

For a line on standard error before a score; `truebleu check` reads all lines and finds much more.
A cold `truebleu score` imports this module.
"""

from __future__ import annotations

from truebleu.inputs.corpus import Lines, LineStreams

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any

#: Lines that are looked at, characters of each, and bytes in which a line feed is searched for.
_SAMPLE, _WIDTH, _LONG = 128, 40, 500
#: Fewer equal lines are examples that people type.
_FEWEST = 10
#: How often a line must be in the sample before all its occurrences are counted.
_HITS = 3
#: How often one reference is repeated by mistake; and it is at least a tenth of all.
_REPEATS = 100
#: Tokenizers that leave a run of letters whole.
OF_SPACED = ("13a", "intl", "intl-split", "none", "space", "t2t")
#: The mean length of runs without spaces in scripts that have none; words are shorter.
_RUN = 8
#: For scripts that have no tokenizer of their own.
_ANY = "flores200 or -tok char"
#: Scripts without spaces between words, by their first and last letter, and their tokenizers.
_SCRIPTS = (
    ("\u0e00", "\u0e7f", "Thai", _ANY), ("\u0e80", "\u0eff", "Lao", _ANY),
    ("\u0f00", "\u0fff", "Tibetan", _ANY), ("\u1000", "\u109f", "Burmese", _ANY),
    ("\u1780", "\u17ff", "Khmer", _ANY), ("\u3040", "\u30ff", "Japanese", "ja-mecab"),
    ("\u3400", "\u9fff", "Chinese", "zh"),
)  # fmt: skip


def mistakes(references: Any, systems: Iterable[tuple[str, Any]], tokenizers: Iterable[str]) -> Iterator[str]:
    """A sentence for each mistake.

    Args:
        references: of each segment, as for `BLEU.corpus`; None if there are none.
        systems: the hypotheses of each system with its name.
        tokenizers: the tokenizers of BLEU and its relatives, as signatures name them.
    """
    streams = () if references is None else _streams(references)
    texts = [(name, hyps) for name, hyps in systems if isinstance(hyps, (Lines, list, tuple))]
    named = [(f"reference {k}", refs) for k, refs in enumerate(streams, 1)]
    if len(named) == 1:
        named = [("the reference", streams[0])]
    samples = [(name, _sample(column)) for name, column in [*named, *texts]]
    for name, lines in samples:
        if 10 * sum("<seg" in line for line in lines) > len(lines):
            yield f"{name}: the lines have <seg> tags, which are scored as text; remove them"
    for language, tokenizer, better in unsplit(samples[0][1], tokenizers) if named else ():
        yield (
            f"the references are {language}, which has no spaces between words: "
            f"{tokenizer} leaves whole phrases as tokens; use -tok {better}"
        )
    for (name, refs), (_, lines) in zip(named, samples, strict=False):
        yield from _repeated(name, refs, lines)
    for i, (name, hyps) in enumerate(texts):
        if twin := next((other for other, same in texts[:i] if _are_equal(hyps, same)), None):
            yield f"{twin} and {name} have the same lines; is one file given twice?"
        if len(hyps) >= _FEWEST and any(_are_equal(hyps, refs) for refs in streams):
            yield f"{name}: the hypotheses are a reference, line for line; name the system's output"


def _streams(references: Any) -> Sequence[Any]:
    """The columns of references; of rows with several, the first."""
    if isinstance(references, LineStreams):
        return references.files
    if isinstance(references, Lines):
        return (references,)
    return ([row if isinstance(row, str) else next(iter(row), None) for row in references],)


def _sample(column: Any) -> list[str]:
    """Lines at equal distances."""
    if not isinstance(column, Lines):
        return [line or "" for line in column[:: max(len(column) // _SAMPLE, 1)]]
    data, start, end = column.part
    lines = {}
    for place in range(start, end, max((end - start) // _SAMPLE, 1)):
        least, most = max(start, place - _LONG), min(end, place + _LONG)
        first, last = data.rfind(b"\n", least, place), data.find(b"\n", place, most)
        first = least if first < 0 else first + 1
        lines[first] = data[first : most if last < 0 else last].decode(errors="ignore")
    return list(lines.values())


def unsplit(lines: Sequence[str], tokenizers: Iterable[str]) -> Iterator[tuple[str, str, str]]:
    """A language without spaces, the tokenizer for languages with spaces, and that to use."""
    names = [name for name in tokenizers if name in OF_SPACED]
    text = " ".join(line[:_WIDTH] for line in lines[:: len(lines) // 16 + 1])
    if not names or text.isascii():
        return
    letters = [letter for letter in text if letter >= _SCRIPTS[0][0]]
    if 2 * len(letters) < len(text) or len(text) < _RUN * len(text.split()):
        return
    counts = [sum(first <= letter <= last for letter in letters) for first, last, *_ in _SCRIPTS]
    # No Chinese text is a tenth kana, and nearly all Japanese texts are.
    if 10 * counts[-2] > counts[-1]:
        counts[-2] += counts[-1]
    *_, language, tokenizer = _SCRIPTS[counts.index(max(counts))]
    if 2 * max(counts) > len(letters):
        yield language, names[0], tokenizer


def _repeated(name: str, refs: Any, lines: Sequence[str]) -> Iterator[str]:
    """A line that stands for missing references, such as "no translation available"."""
    counts: dict[str, int] = {}
    for line in lines:
        counts[line] = counts.get(line, 0) + 1
    line = max(counts, key=lambda line: counts[line], default="")
    if counts.get(line, 0) < _HITS or len(refs) < _REPEATS:
        return
    times = list(refs).count(line)
    if times >= _REPEATS and 10 * times > len(refs):
        excerpt = line if len(line) <= _WIDTH else f"{line[:_WIDTH]}..."
        yield f"{name}: {times:,} of {len(refs):,} lines are {excerpt!r}; leave these segments out"


def _are_equal(column: Any, other: Any) -> bool:
    if len(column) != len(other) or len(column) < _FEWEST:
        return False
    if isinstance(column, Lines) and isinstance(other, Lines):
        (_, start, end), (_, first, last) = column.part, other.part
        is_near = abs((end - start) - (last - first)) < 2  # one may lack the last line feed
        return is_near and column.data.rstrip(b"\n") == other.data.rstrip(b"\n")
    return list(column) == list(other)
