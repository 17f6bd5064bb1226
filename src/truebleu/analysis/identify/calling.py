# SPDX-License-Identifier: Apache-2.0
"""Scorers: functions by name, commands, and what they take and return, learnt by calling them."""

from __future__ import annotations

import inspect
import io
import math
import os
import re
import subprocess
import sys
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout, suppress
from importlib import import_module
from itertools import pairwise, product, starmap
from operator import attrgetter
from runpy import run_path
from shutil import which
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import Any

import truebleu
from truebleu.analysis.identify.probes import Probe
from truebleu.errors import OptionError, TrueBLEUError, describe

#: Arguments by name, and the same texts as arguments of `corpus_bleu`.
_SHAPES = {
    "hyps, refs by segment": "hyps, refs",
    "hyps, refs by stream": "hyps, list(zip(*refs))",
    "hyps, refs": "hyps, refs",
    "hyp, refs": "[hyp], [refs]",
    "hyp, ref": "[hyp], [ref]",
    "lists of hyps by id, refs by id": "[h for (h,) in hyps.values()], [refs[i] for i in hyps]",
}


class Form:
    """A way to call a scorer, such as `refs, hyp as tokens`.

    `tokens` says whether texts are lists of tokens, `segments` and `references` whether there may
    be several.
    """

    def __init__(self, shape: str, read: Any = str, swapped: bool = False) -> None:
        self.shape, self.read, self.swapped = shape, read, swapped
        self.tokens, self.segments = read is not str, "hyps" in shape
        self.references = shape not in ("hyps, refs", "hyp, ref")
        reading = {str: "", str.split: " as tokens"}.get(read, f" by {read.__name__}")
        self._order = slice(None, None, -1 if swapped else 1)
        self.name = ", ".join(shape.split(", ")[self._order]) + reading

    def arguments(self, probe: Probe) -> Any:
        """The arguments that pass a probe; None for no way."""
        hyps = list(map(self.read, probe.hyps))
        refs = [list(map(self.read, own)) for own in probe.refs]
        counts = {*map(len, refs)}
        if (not self.segments and len(hyps) > 1) or (not self.references and counts != {1}):
            return None
        if self.shape.endswith("by stream"):
            streams = list(map(list, zip(*refs, strict=len(counts) == 1)))
            return (hyps, streams)[self._order] if len(counts) == 1 else None
        if self.shape.endswith("by id"):
            return ({i: [hyp] for i, hyp in enumerate(hyps)}, dict(enumerate(refs)))[self._order]
        own = refs if self.references else [ref for (ref,) in refs]
        return ((hyps, own) if self.segments else (hyps[0], own[0]))[self._order]

    def lines(self, row: str, changes: Mapping[str, Any], decimals: int | None) -> Iterator[str]:
        """Lines of Python that may give the numbers of a scorer, the plainest first.

        `row` is an argument, as Python.
        """
        calls = [("corpus_bleu", _SHAPES[self.shape], changes)]
        if not self.segments:
            fewer = {name: value for name, value in changes.items() if name != "effective_order"}
            calls = [*(("sentence_bleu", self.shape, own) for own in (fewer, changes)), *calls]
        for function, arguments, own in calls:
            options = "".join(f", {name}={value!r}" for name, value in own.items())
            line = f"tb.{function}({arguments}, {row}{options}).value"
            yield line if decimals is None else f"round({line}, {decimals})"

    def run(self, line: str, probe: Probe) -> float:
        """The number that a line gives for a probe; NaN for an error."""
        names = [re.findall(r"hyps?|refs?", part)[0] for part in self.shape.split(", ")]
        texts = dict(zip(names[self._order], self.arguments(probe), strict=True))
        try:
            return float(eval(line, {"tb": truebleu} | texts))  # noqa: S307  (our own line)
        except (TrueBLEUError, TypeError):
            return math.nan


#: All ways to call that are tried, by name.
FORMS = {form.name: form for form in starmap(Form, product(_SHAPES, (str, str.split), (False, True)))}

_NUMBER = r"(-?\d+(?:\.\d*)?(?:e[-+]?\d+)?|nan)"


def numbers(value: Any, path: str = "") -> dict[str, float]:
    """All numbers of an answer by path: of lists, dicts, texts and objects with a score.

    In a text, it is the number after `=`, after the word BLEU or score, or the first.
    """
    if isinstance(value, str):
        patterns = rf"=\s*{_NUMBER}", rf"(?:bleu|score)\S*[\s:\"]*{_NUMBER}", _NUMBER
        matches = (re.search(pattern, value, re.IGNORECASE) for pattern in patterns)
        return next(({path: float(match[1])} for match in matches if match), {})
    if isinstance(value, Mapping):
        parts = [(f"{path}[{key!r}]", part) for key, part in value.items()]
    elif isinstance(value, (list, tuple)) or (hasattr(value, "ndim") and value.ndim):
        parts = [(f"{path}[{i}]", part) for i, part in enumerate(value)]
    else:
        names = [name for name in ("score", "bleu", "value") if hasattr(value, name)]
        parts = [(f"{path}.{name}", getattr(value, name)) for name in names[:1]]
        if not parts:
            try:
                return {path: float(value)}
            except Exception:  # noqa: BLE001  (an answer may be anything)
                return {}
    return {key: number for place, part in parts for key, number in numbers(part, place).items()}


def _path_of_score(answer: Mapping[str, float]) -> str:
    """The path of the score: named so, the last of BLEU-1 to BLEU-4, or the first number."""
    named = [path for path in answer if re.search("bleu|score", path, re.IGNORECASE)]
    if named:
        return named[-1] if re.search(r"bleu.?4\D*$", named[-1], re.IGNORECASE) else named[0]
    fourth = "[3]" if len(answer) == 4 else "[0][3]"
    return fourth if fourth in answer and "[0][4]" not in answer else next(iter(answer))


class Box:
    """A scorer of which only the answers are seen, the number of calls, and the errors.

    There are at most `limit` calls.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        self.calls, self.errors, self.form = 0, Counter[str](), FORMS["hyps, refs"]
        self.limit: float = math.inf
        self._function, self._paths = function, dict[str, str]()
        self._answers: dict[tuple[str, Probe], float | None] = {}
        try:
            parameters = list(inspect.signature(function).parameters.values())
        except (TypeError, ValueError):
            parameters = []
        needed = [p.name for p in parameters if p.kind == p.KEYWORD_ONLY and p.default is p.empty]
        self._keywords = sorted(needed, key=_side)
        if [_side(name) for name in self._keywords] != [-1, 1]:
            self._keywords = []
        own = self._keywords or [p.name for p in parameters[:2]]
        sides: Any = tuple(map(_side, own))
        #: Whether references come first, by the names of parameters; None if they do not say.
        self.order = {(-1, 1): False, (1, -1): True}.get(sides)
        self._hyp = own[sides.index(-1)].lower() if -1 in sides else ""

    @property
    def budget(self) -> float:
        """How many more calls there may be."""
        return self.limit - self.calls

    def ask(self, probe: Probe, *, again: bool = False) -> float | None:
        """The score of a probe: NaN for errors and no number, None if it cannot be asked."""
        key = self.form.name, probe
        if again or (key not in self._answers and self.budget > 0):
            self._answers[key] = self._call(probe)
        return self._answers.get(key)

    def _call(self, probe: Probe) -> float | None:
        arguments, quiet = self.form.arguments(probe), io.StringIO()
        if arguments is None:
            return None
        named = dict(zip(self._keywords, arguments, strict=False))
        self.calls += 1
        try:
            with warnings.catch_warnings(), redirect_stdout(quiet), redirect_stderr(quiet):
                warnings.simplefilter("ignore")
                answer = numbers(self._function(*([] if named else arguments), **named))
        except (Exception, SystemExit) as error:  # noqa: BLE001  (a stranger's code)
            self.errors[type(error).__name__] += 1
            return math.nan
        if answer:
            self._paths.setdefault(self.form.name, _path_of_score(answer))
        value = answer.get(self._paths.get(self.form.name, ""), math.nan)
        return value if math.isfinite(value) else math.nan

    def suits(self, form: Form) -> float:
        """Points for agreement of a form with the name of the first parameter of hypotheses."""
        name = re.sub("_?tokens?$", "", self._hyp)
        plural = re.search("s$|corpus|stream|list_|lines", name.replace("hypothesis", ""))
        points = 2.0 * (bool(plural) == form.segments) if name else 0.0
        return points + (form.tokens and "token" in self._hyp)


def _side(name: str) -> int:
    """-1 for a name of hypotheses, 1 for one of references, else 0."""
    if re.search("ref|gold|label|target|gts|truth|answer|correct|expect", name.lower()):
        return 1
    return -bool(re.search("hyp|pred|cand|trans|sys|res$|out|gen|sample|mt$", name.lower()))


#: Hypotheses of falling quality; the first are perfect.
_QUALITIES = (
    ("ka lo mi nu ru ta pe", "so du vi ze na mo li ga", "ra ke tu po di fe"),
    ("ka lo mi nu ru xx pe", "so du vi ze na xx yy ga", "ra ke tu po zz fe"),
    ("ka lo mi nu xx yy", "xx yy ze zz na ww li", "ra ke tu po zz"),
    ("xx ka yy mi zz ru ww", "vi so xx na yy ze zz", "fe xx ra yy ke"),
)


def learn(box: Box) -> list[tuple[float, Form]]:
    """Forms that give numbers which depend on quality, with their plausibility; the best first."""
    fits = [fit for form in FORMS.values() if (fit := _try(box, form)) is not None]
    fits = [fit for fit in fits if fit[0] >= 0] or fits
    fits = [fit for fit in fits if fit[1].swapped == box.order] or fits
    as_strings = {form.name for _, form in fits if not form.tokens}  # they show how it tokenizes
    fits = [fit for fit in fits if fit[1].name.removesuffix(" as tokens") not in as_strings or not fit[1].tokens]
    return sorted(fits, key=lambda fit: -fit[0])


def _try(box: Box, form: Form) -> tuple[float, Form] | None:
    good = _QUALITIES[0][: 3 if form.segments else 1]
    scores = [_ask(box, form, zip(hyps, good, strict=False)) for hyps in _QUALITIES]
    if math.isnan(scores[0]) or scores[0] == scores[1]:
        return None
    pair = list(zip(_QUALITIES[1][:1], good, strict=False))
    if not form.tokens and _ask(box, Form(form.shape, list, form.swapped), pair) == _ask(box, form, pair):
        return None
    is_falling = all(better >= worse for better, worse in pairwise(scores))  # false for NaN
    pairs = [(ref, bad, ref) for ref, bad in zip(good, _QUALITIES[2], strict=False)]
    several = _ask(box, form, pairs) if form.references else 0.0
    points = form.segments + (several >= scores[0] * (1 - 1e-9)) + (scores[1] > scores[2])
    points += min(abs(scores[0] - 1), abs(scores[0] - 100)) < 1e-3
    return points + box.suits(form) - 100 * (not is_falling), form


def _ask(box: Box, form: Form, rows: Any) -> float:
    """The score of rows of a hypothesis and its references."""
    hyps, *refs = zip(*rows, strict=True)
    box.form = form
    value = box.ask(Probe("", hyps, tuple(zip(*refs, strict=True))))
    return math.nan if value is None else value


#: What stands for files in a command.
HYPS, REFS = "{hyps}", "{refs}"


class Command:
    """A command, which no shell reads, that prints the score of files.

    `{hyps}` stands for a file with a hypothesis on each line, `{refs}` for one with its reference.
    As a word of its own, `{refs}` becomes several files if there are several references.
    """

    def __init__(self, words: Sequence[str]) -> None:
        self._words, self.problem = list(words), ""
        if not any(HYPS in word for word in words) or not any(REFS in word for word in words):
            raise OptionError(f"the command has no {HYPS} or no {REFS}; put them where files go")
        if which(words[0]) is None:
            raise OptionError(f"{words[0]}: no such program; check its name")

    @property
    def form(self) -> str:
        """How to call it: with several files of references, if it takes them."""
        if REFS in self._words:
            with suppress(ChildProcessError):
                self(["a b c d e"], [["a b c d e"], ["a b c d f"]])
                return "hyps, refs by stream"
        return "hyps, refs"

    def __call__(self, hyps: Sequence[str], refs: Sequence[Any]) -> str:
        """What the command prints about a corpus, with references or streams of them."""
        columns = (hyps, refs) if isinstance(refs[0], str) else (hyps, *refs)
        with TemporaryDirectory() as folder:
            files = []
            for i, lines in enumerate(columns):
                files.append(os.path.join(folder, f"{i}.txt"))
                with open(files[-1], "w", encoding="utf-8", newline="") as file:
                    file.writelines(f"{line}\n" for line in lines)
            words = [
                word.replace(HYPS, files[0]).replace(REFS, path)
                for word in self._words
                for path in (files[1:] if word == REFS else files[1:2])
            ]
            done = subprocess.run(  # noqa: S603  (the user's own command)
                words, capture_output=True, check=False, stdin=subprocess.DEVNULL
            )
        if done.returncode:
            lines = done.stderr.decode(errors="replace").strip().splitlines()
            self.problem = ": ".join([f"exit code {done.returncode}", *lines[-1:]])
            raise ChildProcessError(self.problem)
        return done.stdout.decode(errors="replace")


def scorer_of(f: Any) -> Callable[..., Any]:
    """A function, the function that `module:name` or `file.py:name` names, or a command."""
    if isinstance(f, (list, tuple)) and f and all(isinstance(word, str) for word in f):
        return Command(f)
    function, what = f, "f"
    if isinstance(f, str):
        module, _, path = f.rpartition(":")
        if not (module and path):
            raise OptionError(f"{f!r} names no function; write module:function or file.py:function")
        sys.path.insert(0, os.path.dirname(module) or os.getcwd())  # and stays, for later imports
        try:
            with redirect_stdout(io.StringIO()):
                names = run_path(module) if module.endswith(".py") else vars(import_module(module))
            function, what = attrgetter(path)(SimpleNamespace(**names)), f
        except (Exception, SystemExit) as error:
            problem = f"{type(error).__name__}: {' '.join(str(error).split()):.300}"
            raise OptionError(f"{f}: cannot be imported: {problem}; check the names") from error
    if not callable(function):
        raise OptionError(f"{what} cannot be {describe(function)}; give a function or a command")
    return function  # type: ignore[no-any-return]
