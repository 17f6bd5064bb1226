# SPDX-License-Identifier: Apache-2.0
"""Options, each declared once, and parts: immutable values with one attribute per option.

The API, the command line, the signature, the kernel's plan and the documentation read these
declarations. The options of BLEU are declared in `decisions`, those of other metrics here.
"""

from __future__ import annotations

import sys

from truebleu.dialects.frozen import Frozen
from truebleu.dialects.keywords import KEYWORDS
from truebleu.errors import OptionError, check_int, describe, suggest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, ClassVar, Self


#: The highest n-gram order: work grows with it even for short segments.
HIGHEST_ORDER = 1000

_KINDS = {bool: "true or false", str: "a name", float: "a number"}


class Option:
    """The declaration of one option.

    Attributes:
        name: its name in the API; with hyphens instead of underscores, on the command line.
        part: the name of its part, for BLEU one of the five decisions.
        kind: the type of its value.
        default: its value if the dialect does not set another; if not declared, the first choice.
        choices: the values it can have; empty if every value of its type is allowed.
        help: one line.
        flags: more names on the command line.
        least: the smallest integer it can be.
        size: how many numbers it has; 0 if their number may vary.
        common: whether `--help` lists it; `--help-all` lists every option.
    """

    name = part = ""
    flags: tuple[str, ...] = ()
    least = 1
    size = 0
    common = False

    def __init__(
        self,
        help: str,
        choices: tuple[str, ...] = (),
        *,
        default: Any = ...,
        kind: type | None = None,
        check: Callable[[Any], Any] | None = None,
        **declaration: Any,
    ) -> None:
        self.help, self.choices = help, choices
        self.default = choices[0] if default is ... else default
        self.kind: type = kind or type(self.default)
        self._check = check or (self._numbers if self.kind is tuple else None)
        vars(self).update(declaration)

    def check(self, value: Any) -> Any:
        """The value in the option's type."""
        if value is None and self.default is None:
            return None
        if self._check is not None:
            return self._check(value)
        if self.kind is bool and _is_scalar(value) and value in (True, False):
            return bool(value)
        if self.kind is str and isinstance(value, str):
            if self.choices and value not in self.choices:
                raise OptionError(f"{self.name} cannot be {suggest(value, self.choices)}")
            return value
        if self.kind is int:
            return check_int(self.name, value, self.least, HIGHEST_ORDER)
        if self.kind is float and _is_real(value):
            if not 0 <= value <= sys.float_info.max:
                raise OptionError(f"{self.name} cannot be {value}; it must be 0 or more")
            return float(value)
        raise OptionError(f"{self.name} cannot be {describe(value)}; it must be {_KINDS[self.kind]}")

    def _numbers(self, value: Any) -> tuple[float, ...] | None:
        """Numbers of 0 or more; zeros are the same as None, if that is the default."""
        try:
            checked = tuple(map(float, value))
        except (TypeError, ValueError, OverflowError):
            checked = ()
        is_complete = len(checked) == self.size if self.size else any(checked)
        if not is_complete or not all(0 <= number < float("inf") for number in checked):
            needs = "one number for each order, and not only zeros"
            needs = f"{self.size} numbers of 0 or more" if self.size else needs
            raise OptionError(f"{self.name} cannot be {describe(value)}; give {needs}")
        return checked if any(checked) or self.default is not None else None


def _is_scalar(value: object) -> bool:
    """Whether comparing the value gives one truth value; an array gives many."""
    shape = getattr(value, "shape", None)
    return not hasattr(value, "__len__") if shape is None else shape == ()


def _is_real(value: object) -> bool:
    is_number = hasattr(value, "__float__") and not isinstance(value, (str, bytes, bool))
    return is_number and _is_scalar(value)


#: Declares an option of a part; its attribute has the type of the value.
option: Any = Option


class Part(Frozen):
    """An immutable value with one attribute per option."""

    options: ClassVar[tuple[Option, ...]] = ()
    _declared: ClassVar[dict[str, Option]]

    def __init_subclass__(cls) -> None:
        declared = {k: v for k, v in vars(cls).items() if isinstance(v, Option)}
        for name, declaration in declared.items():
            declaration.name = name
            declaration.part = cls.__name__.lower()
            delattr(cls, name)
        cls.options, cls._declared = tuple(declared.values()), declared

    def __init__(self, **values: Any) -> None:
        self._set({**{name: option.default for name, option in self._declared.items()}, **values})

    def _set(self, values: dict[str, Any]) -> None:
        for name, value in values.items():
            if name not in self._declared:
                part = type(self).__name__.removesuffix("Options")
                raise OptionError(f"{part} has no option {suggest(name, self._declared)}")
            object.__setattr__(self, name, self._declared[name].check(value))

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and vars(other) == vars(self)

    def __hash__(self) -> int:
        return hash((type(self), *vars(self).values()))

    def __repr__(self) -> str:
        changed = (f"{o.name}={getattr(self, o.name)!r}" for o in self.options if getattr(self, o.name) != o.default)
        return f"{type(self).__name__}({', '.join(changed)})"

    def replace(self, **changes: Any) -> Self:
        """The same part with some options changed."""
        part = type(self).__new__(type(self))
        vars(part).update(vars(self))
        part._set(changes)
        return part


def _check_normalize(value: Any) -> tuple[Any, ...]:
    if isinstance(value, (list, tuple)) and not value:
        return ()
    from truebleu.text.normalizations import names_of  # imported only if there are any

    return names_of(value)


def normalize_option() -> Any:
    """The declaration of `normalize`, which all metrics of text have."""
    return option(
        "marks to write alike in hypotheses and references, such as quotes and dashes; "
        "typography: all such marks; for chrF and TER, too",
        default=(),
        common=True,
        check=_check_normalize,
    )


class CHRFOptions(Part):
    """chrF: which n-grams count, and how much. Names and defaults are sacreBLEU's."""

    char_order: int = option("the longest character n-grams that are counted", default=6, least=0, flags=("-cc",))
    word_order: int = option(
        "the longest word n-grams that are counted; 2 gives chrF++", default=0, least=0, flags=("-cw",)
    )
    beta: float = option("weight of recall relative to precision", default=2.0)
    lowercase: bool = option("lowercase the text", default=False)
    whitespace: bool = option("count white space as characters", default=False)
    eps_smoothing: bool = option(
        "smooth an order without n-grams by a small value instead of skipping it (chrF++.py)", default=False
    )
    tie: str = option(
        "which of several equally good references counts: the first, as in sacreBLEU, or the longer",
        ("first", "longer"),
    )
    normalize: tuple[Any, ...] = normalize_option()


class TEROptions(Part):
    """TER: what Tercom's tokenizer does. Names and defaults are sacreBLEU's."""

    normalized: bool = option("split punctuation and decode entities", default=False)
    no_punct: bool = option("remove punctuation", default=False)
    asian_support: bool = option("apply both options to Asian text as well, and split its characters", default=False)
    case_sensitive: bool = option("do not lowercase the text", default=False)
    normalize: tuple[Any, ...] = normalize_option()


class GLEUOptions(Part):
    """GLEU: which n-grams count. Names and defaults are NLTK's."""

    min_len: int = option("the lowest n-gram order that is counted", default=1)
    max_len: int = option("the highest n-gram order that is counted", default=4)


class CodeBLEUOptions(Part):
    """CodeBLEU: the language, and how its four parts count."""

    lang: str = option("programming language", tuple(KEYWORDS), default="", flags=("--lang",))
    weights: tuple[float, ...] = option(
        "weights of n-grams, weighted n-grams, syntax and data flow; 0 leaves out syntax or data flow",
        default=(0.25, 0.25, 0.25, 0.25),
        size=4,
    )
    keep_zero: bool = option("count a data flow match of 0 as 0; codebleu counts it as 1", default=False)


class NISTOptions(Part):
    """NIST: which n-grams count."""

    order: int = option("the highest n-gram order that is counted", default=5)
    references: str = option(
        "which references are matched: all (mteval), or for each order the best one (NLTK)", ("all", "best")
    )


def _check_ngrams(value: Any) -> tuple[tuple[str, ...], ...]:
    ngrams = list(value) if hasattr(value, "__iter__") and not isinstance(value, str) else [value]
    for ngram in ngrams:
        is_list = isinstance(ngram, (list, tuple))
        if not is_list or not ngram or not all(isinstance(word, str) for word in ngram):
            raise OptionError(f"ignore cannot have {describe(ngram)}; give n-grams, such as [('a',), ('a', 'b')]")
    return tuple(dict.fromkeys(map(tuple, ngrams)))


class CrystalBLEUOptions(Part):
    """CrystalBLEU: which n-grams do not count."""

    ignore: tuple[tuple[str, ...], ...] = option("n-grams to leave out", default=(), check=_check_ngrams)


#: The options of the metrics that commands compute besides BLEU, by the names of the metrics.
OPTIONS_OF: dict[str, type[Part]] = {
    "chrf": CHRFOptions, "ter": TEROptions, "gleu": GLEUOptions, "nist": NISTOptions,
    "codebleu": CodeBLEUOptions,
}  # fmt: skip
