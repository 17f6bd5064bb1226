# SPDX-License-Identifier: Apache-2.0
"""Probes: small corpora that ask about one decision each; unseen ones, and smaller ones.

The first is a perfect hypothesis. The next 36, chosen by entropy, separate most rows and changes.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from random import Random
from typing import Any

#: Topics of probes, and the decisions that they ask about.
DECISIONS = {
    "blanks": "normalize and tokenize: white space",
    "case": "normalize: case",
    "entities": "normalize: markup",
    "punctuation": "tokenize: punctuation",
    "scripts": "tokenize: scripts and symbols",
    "repeats": "count: repeated words",
    "collisions": "count: n-grams of the same letters",
    "references": "count and aggregate: several references",
    "corpora": "aggregate: several segments",
    "long texts": "count: long texts",
    "precisions": "combine: orders and weights",
    "lengths": "combine: brevity penalty",
    "no matches": "combine: smoothing",
    "short texts": "combine: short texts",
    "empty texts": "combine: empty texts",
    "sentences": "all decisions: sentences",
}


@dataclass(frozen=True, slots=True, order=True)
class Probe:
    """A corpus of strings: hypotheses, and the references of each."""

    topic: str
    hyps: tuple[str, ...]
    refs: tuple[tuple[str, ...], ...]

    @property
    def texts(self) -> list[str]:
        """All texts."""
        return [*self.hyps, *(ref for refs in self.refs for ref in refs)]


def probes(*, strings: bool = True, lines: bool = False) -> list[Probe]:
    """All probes: of strings or of tokens; with `lines`, of texts without line breaks."""
    with open(os.path.join(os.path.dirname(__file__), "probes.jsonl"), encoding="utf-8") as file:
        table = [Probe(topic, tuple(hyps), tuple(map(tuple, refs))) for topic, hyps, refs in map(json.loads, file)]
    return [
        probe
        for probe in table
        if (strings or probe.topic not in ("blanks", "entities", "punctuation"))
        and not (lines and any(len(f"{text}.".splitlines()) > 1 for text in probe.texts))
    ]


_SENTENCES = """It's 5,000 people (or more), they said: "We don't know." | MIXED Case Words, ÉCOLE
no | Dr. Smith paid $3.50 for 2-3 apples/pears; that's 15% off! | self.assertEqual(a[0], 'b')
Yes ! | The U.S. economy grew by 2.5 % in 2019-2020 . | don't you see the well-known me@x.org?
我们今天去北京\uff0c天气很好。 | 他说\uff1a“不知道”\uff0c走了3.5公里。 | def f(x_1): return x_1 # ok
Tom &amp; Jerry &lt;3 cheese &quot;very&quot; much | the cat sat on the mat | a b a b a b a b
a cat is on the mat today . | Straße und Übermut, „so“ sagte er… | there is nothing — really nothing
one two three four five six seven eight nine ten""".replace("\n", " | ").split(" | ")


def unseen(seed: int, count: int, references: int, segments: int) -> list[Probe]:
    """Corpora of sentences with words dropped, doubled, exchanged, and other case and marks.

    They have up to this many references for each segment, and segments. Another seed gives others.
    """
    random = Random(seed)  # noqa: S311  (no secret)

    def noisy(text: str) -> str:
        words = text.split(" ")
        for _ in range(random.choice([0, 1, 1, 2, 4])):
            i, other = (random.randrange(len(words)), random.choice(random.choice(_SENTENCES).split()))
            word = words[i]
            cases = [word.lower(), word.upper(), word.title(), word + random.choice(".,!?;")]
            words[i : i + 1] = random.choice([
                [], [word, random.choice(words)], [random.choice(cases)], [other],
                [*words[i + 1 : i + 2], word],
            ]) or words[i : i + 1] * (len(words) == 1)  # fmt: skip
        return " ".join(words)

    corpora = []
    for _ in range(count):
        refs, size = random.randint(1, references), random.randint(1, segments)
        texts = [" ".join(random.choices(_SENTENCES, k=random.choice([1, 1, 2]))) for _ in range(size)]
        noise = tuple(tuple(noisy(text) for _ in range(refs)) for text in texts)
        corpora.append(Probe("sentences", tuple(map(noisy, texts)), noise))
    return corpora


def smallest(probe: Probe, differs: Callable[[Probe], bool], budget: int) -> Probe:
    """A part of a probe on which two scorers differ, found with this many calls of `differs`."""
    queue = _smaller(probe)
    for _ in range(budget):
        shorter = next(queue, None)
        if shorter is None:
            break
        if differs(shorter):
            probe, queue = shorter, _smaller(shorter)
    return probe


def _smaller(probe: Probe) -> Iterator[Probe]:
    """Probes without a segment, a reference, or a run of words; long runs first."""
    pairs = [(hyp, *refs) for hyp, refs in zip(probe.hyps, probe.refs, strict=True)]
    shorter = list(_without(pairs, 1))
    for i, (hyp, *refs) in enumerate(pairs):
        texts = [(hyp, *fewer) for fewer in _without(refs, 1)]
        for j, words in enumerate(text.split(" ") for text in pairs[i]):
            for size in dict.fromkeys((len(words) // 2, len(words) // 4, 1)):
                texts += [(*pairs[i][:j], " ".join(run), *pairs[i][j + 1 :]) for run in _without(words, size)]
        shorter += [[*pairs[:i], own, *pairs[i + 1 :]] for own in texts]
    for own in shorter:
        yield replace(probe, hyps=tuple(p[0] for p in own), refs=tuple(tuple(p[1:]) for p in own))


def _without(items: Any, size: int) -> Iterator[Any]:
    """The items without each run of this many, if others are left."""
    for start in range(0, len(items) if 0 < size < len(items) else 0, max(size, 1)):
        yield items[:start] + items[start + size :]
