# SPDX-License-Identifier: Apache-2.0
"""Calling conventions: what a scorer takes and returns, learnt by calling it."""

from __future__ import annotations

import inspect
import io
import math
import re
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import redirect_stderr, redirect_stdout
from itertools import product
from typing import Any

import truebleu
from truebleu.analysis.identify.probes import Probe
from truebleu.errors import OptionError, TrueBLEUError, suggest


class NotAskable(Exception):  # noqa: N818  (no error: the answer that there is none)
    """Raised by scorers that cannot be asked about a corpus."""


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
        self.name = ", ".join(self.in_order(shape.split(", "))) + reading

    def in_order(self, pair: Any) -> Any:
        """A pair of hypotheses and references in the order of the scorer."""
        return pair[:: -1 if self.swapped else 1]

    def arguments(self, probe: Probe) -> Any:
        """The arguments that pass a probe; None for no way."""
        hyps = list(map(self.read, probe.hyps))
        refs = [list(map(self.read, own)) for own in probe.refs]
        counts = {*map(len, refs)}
        if (not self.segments and len(hyps) > 1) or (not self.references and counts != {1}):
            return None
        if self.shape.endswith("by stream"):
            streams = list(map(list, zip(*refs, strict=len(counts) == 1)))
            return self.in_order((hyps, streams)) if len(counts) == 1 else None
        if self.shape.endswith("by id"):
            by_id = {i: [hyp] for i, hyp in enumerate(hyps)}
            return self.in_order((by_id, dict(enumerate(refs))))
        own = refs if self.references else [ref for (ref,) in refs]
        return self.in_order((hyps, own) if self.segments else (hyps[0], own[0]))

    def lines(self, row: str, changes: Mapping[str, Any], decimals: int | None) -> Iterator[str]:
        """Lines of Python that may give the numbers of a scorer, the plainest first."""
        calls = [("corpus_bleu", _SHAPES[self.shape], changes)]
        if not self.segments:
            fewer = {name: value for name, value in changes.items() if name != "effective_order"}
            calls = [*(("sentence_bleu", self.shape, own) for own in (fewer, changes)), *calls]
        for function, arguments, own in calls:
            options = "".join(f", {name}={value!r}" for name, value in own.items())
            line = f"tb.{function}({arguments}, {row!r}{options}).value"
            yield line if decimals is None else f"round({line}, {decimals})"

    def run(self, line: str, probe: Probe) -> float:
        """The number that a line gives for a probe; NaN for an error."""
        names = [re.findall(r"hyps?|refs?", part)[0] for part in self.shape.split(", ")]
        texts = dict(zip(self.in_order(names), self.arguments(probe), strict=True))
        try:
            return float(eval(line, {"tb": truebleu} | texts))  # noqa: S307  (our own line)
        except (TrueBLEUError, TypeError):
            return math.nan


def forms() -> list[Form]:
    """All ways to call that are tried."""
    return [Form(*form) for form in product(_SHAPES, (str, str.split), (False, True))]


def form_of(name: str) -> Form:
    """The form with this name."""
    by_name = {form.name: form for form in forms()}
    if name not in by_name:
        raise OptionError(f"call cannot be {suggest(name, by_name)}")
    return by_name[name]


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
    """A scorer of which only the answers are seen, the number of calls, and the errors."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.calls, self.errors, self.form = 0, Counter[str](), forms()[0]
        self._function, self._paths = function, dict[str, str]()
        self._answers: dict[tuple[str, Probe], float | None] = {}
        try:
            parameters = list(inspect.signature(function).parameters.values())
        except (TypeError, ValueError):
            parameters = []
        needed = [p for p in parameters if p.kind == p.KEYWORD_ONLY and p.default is p.empty]
        is_named = sorted(_side(p.name) for p in needed) == [-1, 1]
        own = sorted(needed, key=lambda p: _side(p.name)) if is_named else parameters[:2]
        self._keywords = [p.name for p in own] if is_named else []
        self._sides = tuple(_side(p.name) for p in own)
        self._hyp = next((p.name.lower() for p in own if _side(p.name) < 0), "")
        self._is_typed = any(str(p.annotation) in ("<class 'str'>", "str") for p in own)

    def use(self, form: Form) -> None:
        """Call it in this way from now on."""
        self.form = form
        self.errors.clear()

    def ask(self, probe: Probe, *, again: bool = False) -> float | None:
        """The score of a probe: NaN for errors and no number, None if it cannot be asked."""
        key = self.form.name, probe
        if again or key not in self._answers:
            self._answers[key] = self._call(probe)
        return self._answers[key]

    def _call(self, probe: Probe) -> float | None:
        arguments, name, quiet = self.form.arguments(probe), self.form.name, io.StringIO()
        if arguments is None:
            return None
        self.calls += 1
        try:
            with warnings.catch_warnings(), redirect_stdout(quiet), redirect_stderr(quiet):
                warnings.simplefilter("ignore")
                if self._keywords:
                    answer = self._function(**dict(zip(self._keywords, arguments, strict=True)))
                else:
                    answer = self._function(*arguments)
                answer = numbers(answer)
        except NotAskable:
            self.calls -= 1
            return None
        except (Exception, SystemExit) as error:  # noqa: BLE001  (a stranger's code)
            self.errors[type(error).__name__] += 1
            return math.nan
        if answer:
            self._paths.setdefault(name, _path_of_score(answer))
        value = answer.get(self._paths.get(name, ""), math.nan)
        return value if math.isfinite(value) else math.nan

    @property
    def order(self) -> bool | None:
        """Whether references come first, by the names of parameters; None if they do not say."""
        return {(-1, 1): False, (1, -1): True}.get(self._sides)  # type: ignore[arg-type]

    def suits(self, form: Form) -> float:
        """Points for agreement of a form with the names and types of the parameters."""
        hyp = re.sub("_?tokens?$", "", self._hyp)
        plural = re.search("s$|corpus|stream|list_|lines", hyp) and not hyp.endswith("hypothesis")
        points = 2.0 * (bool(plural) == form.segments) if hyp else 0.0
        return (
            points
            + (form.tokens and "token" in self._hyp)
            + (form.read is str and not form.segments and self._is_typed)
        )


def _side(name: str) -> int:
    """-1 for a name of hypotheses, 1 for one of references, else 0."""
    if re.search("ref|gold|label|target|gts|truth|answer|correct|expect", name.lower()):
        return 1
    return -bool(re.search("hyp|pred|cand|trans|sys|res$|out|gen|sample|mt$", name.lower()))


# ---------------------------------------------------------------------- learning

#: Hypotheses of falling quality; the first are perfect.
_QUALITIES = (
    ("ka lo mi nu ru ta pe", "so du vi ze na mo li ga", "ra ke tu po di fe"),
    ("ka lo mi nu ru xx pe", "so du vi ze na xx yy ga", "ra ke tu po zz fe"),
    ("ka lo mi nu xx yy zz", "xx yy ze zz na ww li ga", "ra ke tu po zz yy"),
    ("xx ka yy mi zz ru ww", "vi so xx na yy ze zz", "fe xx ra yy ke"),
)


def learn(box: Box) -> list[tuple[float, Form]]:
    """Forms that give numbers which depend on quality, with their plausibility; the best first."""
    fits = [fit for form in forms() if (fit := _try(box, form)) is not None]
    fits = [fit for fit in fits if fit[0] >= 0] or fits
    fits = [fit for fit in fits if fit[1].swapped == box.order] or fits
    as_strings = {form.name for _, form in fits if not form.tokens}  # they show how it tokenizes
    fits = [fit for fit in fits if fit[1].name.removesuffix(" as tokens") not in as_strings
            or not fit[1].tokens]  # fmt: skip
    return sorted(fits, key=lambda fit: -fit[0])


def _try(box: Box, form: Form) -> tuple[float, Form] | None:
    good = _QUALITIES[0][: 3 if form.segments else 1]
    first, second, third, fourth = (
        _ask(box, form, zip(hyps, good, strict=False)) for hyps in _QUALITIES
    )
    if math.isnan(first) or first == second or _reads_otherwise(box, form):
        return None
    pairs = [(ref, bad, ref) for ref, bad in zip(good, _QUALITIES[2], strict=False)]
    several = _ask(box, form, pairs) if form.references else 0.0
    points = float(first > second > third >= fourth) + (
        min(abs(first - 1), abs(first - 100)) < 1e-3
    )
    points += form.segments + (several >= first * (1 - 1e-9))
    is_falling = first > second >= third >= fourth
    return points + box.suits(form) - 100 * (not is_falling), form


def _ask(box: Box, form: Form, rows: Any) -> float:
    """The score of rows of a hypothesis and its references."""
    hyps, *refs = zip(*rows, strict=True)
    box.use(form)
    value = box.ask(Probe("", hyps, tuple(zip(*refs, strict=True))))
    return math.nan if value is None else value


def _reads_otherwise(box: Box, form: Form) -> bool:
    """Whether strings are read as lists of characters, or "tokens" of a segment are segments."""
    if not form.tokens:
        pair = [(_QUALITIES[1][0], _QUALITIES[0][0])]
        return _ask(box, Form(form.shape, list, form.swapped), pair) == _ask(box, form, pair)
    if form.segments:
        return False

    def words(text: str) -> list[str]:
        return [word.replace("_", " ") for word in text.split()]

    def moved(text: str) -> str:
        return " ".join(text.split()[i] for i in (3, 0, 4, 2, 5, 1))

    hyp, ref = "ka_lo mi_nu ru_ta pe_so du_vi xx_ze", "ka_lo mi_nu ru_ta pe_so du_vi yy_ze"
    pairs = [(hyp, ref), (moved(hyp), moved(ref)), (hyp, ref.replace("ka_lo", "ka_xx")),
             (hyp, ref.replace("ka_lo", "zz_xx"))]  # fmt: skip
    own = Form(form.shape, words, form.swapped)
    whole, order, part, other = (_ask(box, own, [pair]) for pair in pairs)
    return abs(whole - order) <= 1e-9 * abs(whole) and part > other
