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
    from typing import Any, ClassVar, Self, dataclass_transform
else:

    def dataclass_transform(**_: object) -> Callable[[type], type]:
        """Tells type checkers how `Part` makes constructors; at run time it does nothing."""
        return lambda cls: cls


#: The highest n-gram order: work grows with it even for short segments.
HIGHEST_ORDER = 1000

_KINDS = {bool: "true or false", str: "a name", float: "a number"}


class Option:
    """The declaration of one option.

    Attributes:
        name: its name in the API; with hyphens instead of underscores, on the command line.
        part: the name of its part, for BLEU one of the five decisions.
        kind: the type of its value.
        default: its value if the dialect does not set another.
        choices: the values it can have; empty if every value of its type is allowed.
        help: one line.
        flags: more names on the command line.
        least: the smallest integer it can be.
        size: how many numbers it has; 0 if their number may vary.
        common: whether `--help` lists it; `--help-all` lists every option.
    """

    name = part = ""
    choices: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    least = 1
    size = 0
    common = False

    def __init__(
        self,
        *,
        default: Any,
        help: str,
        kind: type | None = None,
        check: Callable[[Any], Any] | None = None,
        **declaration: Any,
    ) -> None:
        self.default = default
        self.help = help
        self.kind: type = kind or type(default)
        self._check = check
        vars(self).update(declaration)

    def check(self, value: Any) -> Any:
        """The value in the option's type."""
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
        if self.kind is float and value is None and self.default is None:
            return None
        if self.kind is float and _is_real(value):
            if not 0 <= value <= sys.float_info.max:
                raise OptionError(f"{self.name} cannot be {value}; it must be 0 or more")
            return float(value)
        raise OptionError(
            f"{self.name} cannot be {describe(value)}; it must be {_KINDS[self.kind]}"
        )


def _is_scalar(value: object) -> bool:
    """Whether comparing the value gives one truth value; an array gives many."""
    shape = getattr(value, "shape", None)
    return not hasattr(value, "__len__") if shape is None else shape == ()


def _is_real(value: object) -> bool:
    is_number = hasattr(value, "__float__") and not isinstance(value, (str, bytes, bool))
    return is_number and _is_scalar(value)


def numbers(name: str, value: Any, needs: str, count: int = 0) -> tuple[float, ...]:
    """Numbers of 0 or more: so many, or if `count` is 0, any number with one above 0."""
    try:
        checked = tuple(map(float, value))
    except (TypeError, ValueError, OverflowError):
        checked = ()
    is_complete = len(checked) == count if count else any(checked)
    if not is_complete or not all(0 <= number < float("inf") for number in checked):
        raise OptionError(f"{name} cannot be {describe(value)}; give {needs}")
    return checked


def option(**declaration: Any) -> Any:
    """Declare an option of a part, with the arguments of `Option`."""
    return Option(**declaration)


@dataclass_transform(kw_only_default=True, frozen_default=True, field_specifiers=(option,))
class Part(Frozen):
    """An immutable value with one attribute per option."""

    options: ClassVar[tuple[Option, ...]] = ()

    def __init_subclass__(cls) -> None:
        declared = {k: v for k, v in vars(cls).items() if isinstance(v, Option)}
        for name, declaration in declared.items():
            declaration.name = name
            declaration.part = cls.__name__.lower()
            delattr(cls, name)
        cls.options = tuple(declared.values())

    def __init__(self, **values: Any) -> None:
        for declared in self.options:
            value = declared.check(values.pop(declared.name, declared.default))
            object.__setattr__(self, declared.name, value)
        for name in values:
            names = [declared.name for declared in self.options]
            part = type(self).__name__.removesuffix("Options")
            raise OptionError(f"{part} has no option {suggest(name, names)}")

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and vars(other) == vars(self)

    def __hash__(self) -> int:
        return hash((type(self), *vars(self).values()))

    def __repr__(self) -> str:
        changed = (
            f"{o.name}={getattr(self, o.name)!r}"
            for o in self.options
            if getattr(self, o.name) != o.default
        )
        return f"{type(self).__name__}({', '.join(changed)})"

    def replace(self, **changes: Any) -> Self:
        """The same part with some options changed."""
        return type(self)(**{**vars(self), **changes}) if changes else self


def _check_normalize(value: Any) -> tuple[Any, ...]:
    if isinstance(value, (list, tuple)) and not value:
        return ()
    from truebleu.text.normalizations import names_of  # imported only if there are any

    return names_of(value)


def normalize_option() -> Any:
    """The declaration of `normalize`, which all metrics of text have."""
    return option(
        default=(),
        help="marks to write alike in hypotheses and references, such as quotes and dashes; "
        "typography: all such marks; for chrF and TER, too",
        common=True,
        check=_check_normalize,
    )


class CHRFOptions(Part):
    """chrF: which n-grams count, and how much. Names and defaults are sacreBLEU's."""

    char_order: int = option(
        default=6, least=0, help="the longest character n-grams that are counted", flags=("-cc",)
    )
    word_order: int = option(
        default=0,
        least=0,
        help="the longest word n-grams that are counted; 2 gives chrF++",
        flags=("-cw",),
    )
    beta: float = option(default=2.0, help="weight of recall relative to precision")
    lowercase: bool = option(default=False, help="lowercase the text")
    whitespace: bool = option(default=False, help="count white space as characters")
    eps_smoothing: bool = option(
        default=False,
        help="smooth an order without n-grams by a small value instead of skipping it (chrF++.py)",
    )
    tie: str = option(
        default="first",
        choices=("first", "longer"),
        help="which of several equally good references counts: the first, as in sacreBLEU, or the "
        "longer",
    )
    normalize: tuple[Any, ...] = normalize_option()


class TEROptions(Part):
    """TER: what Tercom's tokenizer does. Names and defaults are sacreBLEU's."""

    normalized: bool = option(default=False, help="split punctuation and decode entities")
    no_punct: bool = option(default=False, help="remove punctuation")
    asian_support: bool = option(
        default=False, help="apply both options to Asian text as well, and split its characters"
    )
    case_sensitive: bool = option(default=False, help="do not lowercase the text")
    normalize: tuple[Any, ...] = normalize_option()


class GLEUOptions(Part):
    """GLEU: which n-grams count. Names and defaults are NLTK's."""

    min_len: int = option(default=1, help="the lowest n-gram order that is counted")
    max_len: int = option(default=4, help="the highest n-gram order that is counted")


def _check_lang(value: Any) -> str:
    if value == "":
        languages = ", ".join(KEYWORDS)
        raise OptionError(f"CodeBLEU needs a programming language, lang or --lang: {languages}")
    if not isinstance(value, str) or value not in KEYWORDS:
        raise OptionError(f"lang cannot be {suggest(value, KEYWORDS)}")
    return value


def _check_part_weights(value: Any) -> tuple[float, ...]:
    needs = "four numbers, 0 or more: for n-grams, weighted n-grams, syntax and data flow"
    return numbers("weights", value, needs, 4)


class CodeBLEUOptions(Part):
    """CodeBLEU: the language, and how its four parts count."""

    lang: str = option(
        default="",
        choices=tuple(KEYWORDS),
        help="programming language",
        flags=("--lang",),
        check=_check_lang,
    )
    weights: tuple[float, ...] = option(
        default=(0.25, 0.25, 0.25, 0.25),
        help="weights of n-grams, weighted n-grams, syntax and data flow; 0 leaves out syntax or "
        "data flow",
        check=_check_part_weights,
    )
    keep_zero: bool = option(
        default=False, help="count a data flow match of 0 as 0; codebleu counts it as 1"
    )


class NISTOptions(Part):
    """NIST: which n-grams count."""

    order: int = option(default=5, help="the highest n-gram order that is counted")
    references: str = option(
        default="all",
        choices=("all", "best"),
        help="which references are matched: all (mteval), or for each order the best one (NLTK)",
    )


def _check_ngrams(value: Any) -> tuple[tuple[str, ...], ...]:
    ngrams = list(value) if hasattr(value, "__iter__") and not isinstance(value, str) else [value]
    for ngram in ngrams:
        is_list = isinstance(ngram, (list, tuple))
        if not is_list or not ngram or not all(isinstance(word, str) for word in ngram):
            raise OptionError(
                f"ignore cannot have {describe(ngram)}; give n-grams, such as [('a',), ('a', 'b')]"
            )
    return tuple(dict.fromkeys(map(tuple, ngrams)))


class CrystalBLEUOptions(Part):
    """CrystalBLEU: which n-grams do not count."""

    ignore: tuple[tuple[str, ...], ...] = option(
        default=(), help="n-grams to leave out", check=_check_ngrams
    )


#: The options of the metrics that commands compute besides BLEU, by the names of the metrics.
OPTIONS_OF: dict[str, type[Part]] = {
    "chrf": CHRFOptions, "ter": TEROptions, "gleu": GLEUOptions, "nist": NISTOptions,
    "codebleu": CodeBLEUOptions,
}  # fmt: skip
