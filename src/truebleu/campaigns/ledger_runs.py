# SPDX-License-Identifier: Apache-2.0
"""Runs of a ledger: what was scored, when and how; and how a user selects some."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from math import isfinite, nan
from typing import Any

from truebleu.errors import InputError, OptionError, describe
from truebleu.metrics.names import NAMES, metric_class
from truebleu.metrics.tokenizers import NATIVE
from truebleu.text.json_text import for_json

Tags = Mapping[str, str | int | float]

#: What a selection calls the name of a run and of its score; no tags have these names.
_RESERVED = ("name", "metric")


@dataclass(frozen=True, slots=True)
class Run:
    """A scored pair of texts in a ledger.

    Attributes:
        id: its number.
        name: of the system.
        tags: what the user wrote about it, such as `{"step": 12000}`.
        time: when it was last scored: ISO 8601, UTC.
        metric: the name of the score, such as BLEU or chrF2.
        score: the score; NaN if it has none.
        signature: of the score.
        segments: their number.
        hyp: a hash of the hypotheses, in hexadecimal.
        refs: a hash of the references.
    """

    id: int
    name: str
    tags: dict[str, str | int | float]
    time: str
    metric: str
    score: float
    signature: str
    segments: int
    hyp: str
    refs: str
    kind: str = field(repr=False)
    options: str = field(repr=False)

    @classmethod
    def of(cls, *columns: Any) -> Run:
        """The run of columns of the database; ValueError or TypeError if they are damaged."""
        id, name, tags, time, metric, score, signature, segments, hyp, refs, kind, options = columns
        texts = (name, time, metric, signature, options)
        value = nan if score is None else float(score)
        tagged = dict(json.loads(tags))
        are_tags = all(isinstance(one, (str, int, float)) for one in tagged.values())
        if kind not in NAMES or not are_tags or not all(isinstance(text, str) for text in texts):
            raise ValueError("not a run")
        return cls(
            id, name, tagged, time, metric, value, signature, segments, hyp.hex(), refs.hex(), kind,
            options,
        )  # fmt: skip

    def make_metric(self) -> Any:
        """The metric of the score. It does not read text: its tokenizer need not be installed."""
        try:
            return _metric(self.kind, self.options)
        except (TypeError, ValueError) as error:
            raise InputError(f"run {self.id} is damaged ({error}); remove it") from None

    def to_dict(self) -> dict[str, Any]:
        """Numbers and text for JSON."""
        names = ("id", "name", "tags", "time", "metric", "score", "signature", "segments", "hyp",
                 "refs")  # fmt: skip
        return {name: getattr(self, name) for name in names} | {"score": for_json(self.score)}


@lru_cache(64)
def _metric(kind: str, options: str) -> Any:
    values = dict(json.loads(options))
    if values.get("tokenize", "none") not in NATIVE:
        values["tokenize"] = "none"
    return metric_class(kind)(**values)


def recipe(metric: Any) -> tuple[str, str]:
    """The name and the options, as JSON, that make a metric.

    Raises:
        OptionError: it is not one of the metrics by name, or its tokenizer is a function.
    """
    kind = type(metric).__name__.lower()
    if kind not in NAMES:
        raise OptionError(f"a ledger has no {type(metric).__name__}; it has {', '.join(NAMES)}")
    options = dict(getattr(metric, "settings", {}))
    if kind == "bleu":
        options |= metric.reader.dialect.options()
        options.pop("dialect", None)
    if callable(options.get("tokenize")):
        raise OptionError(
            "a ledger cannot tell functions apart; name a tokenizer, such as re:PATTERN"
        )
    return kind, json.dumps(options)


def checked_tags(tags: Tags) -> str:
    """Tags as JSON with sorted keys; whole numbers are integers.

    Raises:
        OptionError: a tag has a name or a value that cannot be selected.
    """
    checked: dict[str, str | int | float] = {}
    for key, value in tags.items():
        if not isinstance(key, str) or not key or "=" in key or "," in key or key in _RESERVED:
            raise OptionError(
                f"a tag cannot be named {describe(key)}; use a word other than "
                f"{' and '.join(_RESERVED)}, without = and commas"
            )
        number = not isinstance(value, (str, bool)) and hasattr(value, "__float__")
        if not (isinstance(value, str) or (number and isfinite(value))):
            raise OptionError(f"tag {key} cannot be {describe(value)}; give text or a number")
        checked[key] = value
        if number:
            checked[key] = int(value) if float(value).is_integer() else float(value)
    return json.dumps(checked, sort_keys=True, ensure_ascii=False)


def parse_tags(words: Iterable[str]) -> dict[str, str | int | float]:
    """Tags as typed, `KEY=VALUE`; what Python would print for a number is one.

    Example:
        >>> parse_tags(["step=12000", "rate=0.1", "version=1.0"])
        {'step': 12000, 'rate': 0.1, 'version': '1.0'}
    """
    tags: dict[str, str | int | float] = {}
    for word in words:
        key, equals, text = word.partition("=")
        if not equals:
            raise OptionError(f"--tag {word}: a tag is TAG=TEXT, such as step=12000")
        try:
            value = float(text)
        except ValueError:
            value = nan
        number = int(value) if value.is_integer() else value
        tags[key] = number if str(number) == text and isfinite(value) else text
    return tags


def select(runs: Sequence[Run], selection: str | int) -> list[Run]:
    """Runs by their number, their name, or tags, `KEY=VALUE` joined by commas.

    Raises:
        InputError: there is none.
    """
    text = str(selection)
    if text.isdecimal():
        matches = [run for run in runs if run.id == int(text)]
    elif "=" in text:
        wanted = [part.partition("=")[::2] for part in text.split(",")]
        matches = [run for run in runs if all(_value(run, key) == value for key, value in wanted)]
    else:
        matches = [run for run in runs if run.name == text]
    if not matches:
        raise InputError(f"no run is {text!r}; truebleu ledger list shows all")
    return matches


def _value(run: Run, key: str) -> str | None:
    value = getattr(run, key) if key in _RESERVED else run.tags.get(key)
    return None if value is None else str(value)


def newest(runs: Iterable[Run], key: Callable[[Run], Any]) -> list[Run]:
    """The last scored run of each key."""
    last: dict[Any, Run] = {}
    for run in sorted(runs, key=lambda run: (run.time, run.id)):
        last[key(run)] = run
    return list(last.values())


def labels(runs: Sequence[Run]) -> list[str]:
    """A name for each run, with the tags in which they differ if names are equal."""
    names = [run.name for run in runs]
    if len(set(names)) < len(names):
        common = _common(runs)
        names = [
            " ".join([run.name, *(f"{k}={v}" for k, v in run.tags.items() if k not in common)])
            for run in runs
        ]
    if len(set(names)) < len(names):
        names = [f"{name} #{run.id}" for name, run in zip(names, runs, strict=True)]
    return names


def title(runs: Sequence[Run]) -> str:
    """A name for the references that runs share: the tags of all of them, or the hash."""
    common = (f"{key}={value}" for key, value in _common(runs).items())
    return " ".join(common) or f"references {runs[0].refs[:8]}"


def _common(runs: Sequence[Run]) -> dict[str, Any]:
    """The tags that all runs have."""
    first, *others = (run.tags for run in runs)
    return {k: v for k, v in first.items() if all(tags.get(k) == v for tags in others)}
