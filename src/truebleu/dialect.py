# SPDX-License-Identifier: Apache-2.0
"""A dialect: the five decisions that make a BLEU, as one frozen value.

Each option is declared once, where its part is defined. The API, the command line, the signature,
the kernel's plan and the documentation read these declarations.

Not dataclasses: importing them takes 12 ms, more than the rest of a `truebleu score` process.
"""

from __future__ import annotations

from truebleu.errors import OptionError, suggest
from truebleu.frozen import Frozen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any, ClassVar, Self, dataclass_transform

    #: A function from a segment to its tokens (or to text with blanks between them).
    TokenizeFunction = Callable[[str], "Sequence[str] | str"]
else:

    def dataclass_transform(**_: object) -> Callable[[type], type]:
        """Tells type checkers, and no one else, how `Part` makes constructors."""
        return lambda cls: cls


class Option:
    """The declaration of one option.

    Attributes:
        name: its name in the API; with hyphens, on the command line.
        part: which of the five decisions it belongs to.
        kind: the type of its value.
        default: its value where a dialect does not say otherwise.
        choices: the values it can have; empty if any value of its kind will do.
        help: one line.
        flags: more names on the command line.
    """

    __slots__ = ("choices", "default", "flags", "help", "kind", "name", "part")

    def __init__(
        self, default: Any, kind: type, choices: tuple[str, ...], help: str, flags: tuple[str, ...]
    ) -> None:
        self.name = self.part = ""
        self.default = default
        self.kind = kind
        self.choices = choices
        self.help = help
        self.flags = flags

    def check(self, value: Any) -> Any:
        """Return `value`, or raise OptionError if the option cannot have it."""
        if self.kind is bool and value in (True, False):
            return bool(value)
        if self.kind is str and isinstance(value, str):
            if self.choices and value not in self.choices:
                raise OptionError(f"{self.name} cannot be {suggest(value, self.choices)}")
            return value
        if self.kind is int and isinstance(value, int) and not isinstance(value, bool):
            if not 1 <= value <= _MOST:
                raise OptionError(f"{self.name} cannot be {value}; it must be 1 to {_MOST}")
            return value
        if self.kind is float and (value is None or _is_real(value)):
            if value is not None and not 0 <= value < float("inf"):
                raise OptionError(f"{self.name} cannot be {value}; it must be 0 or more")
            return None if value is None else float(value)
        if self.kind is tuple:
            return _check_weights(self.name, value)
        raise OptionError(f"{self.name} cannot be {value!r}; it must be {_KINDS[self.kind]}")


#: The highest n-gram order: work grows with it even for short segments.
_MOST = 1000

_KINDS = {bool: "true or false", str: "a name", int: "a whole number", float: "a number"}


def _is_real(value: object) -> bool:
    return hasattr(value, "__float__") and not isinstance(value, (str, bytes, bool))


def _check_weights(name: str, value: Any) -> tuple[float, ...] | None:
    if value is None:
        return None
    try:
        weights = tuple(float(weight) for weight in value)
    except (TypeError, ValueError):
        raise OptionError(f"{name} cannot be {value!r}; give one number for each order") from None
    if (
        not weights
        or not all(0 <= weight < float("inf") for weight in weights)
        or sum(weights) == 0
    ):
        raise OptionError(
            f"{name} cannot be {value!r}; weights are 0 or more, one at least is not 0"
        )
    return weights


def option(
    *,
    default: Any,
    help: str,
    kind: type | None = None,
    choices: tuple[str, ...] = (),
    flags: tuple[str, ...] = (),
) -> Any:
    """Declare an option of a part."""
    return Option(default, kind or type(default), choices, help, flags)


@dataclass_transform(kw_only_default=True, frozen_default=True, field_specifiers=(option,))
class Part(Frozen):
    """One decision: a frozen value with one attribute for each option."""

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
            raise OptionError(f"{type(self).__name__} has no option {suggest(name, names)}")

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
        return type(self)(**{**vars(self), **changes})


class Normalize(Part):
    """What is done to the text first?"""

    lowercase: bool = option(
        default=False, help="lower-case the text before tokenizing", flags=("-lc",)
    )
    lowercase_rule: str = option(
        default="unicode", help="which characters lowercase changes", choices=("unicode", "ascii")
    )
    strip: str = option(
        default="right",
        help="which ends lose their white space before tokenizing",
        choices=("none", "right"),
    )


#: Tokenizers by name; besides them `spm:PATH` and, in Python, any callable.
TOKENIZERS = (
    "none", "13a", "intl", "zh", "zh-fixed", "char",
    "ja-mecab", "ko-mecab", "flores101", "flores200", "spBLEU-1K",
)  # fmt: skip


class _TokenizerOption(Option):
    __slots__ = ()

    def check(self, value: Any) -> Any:
        if callable(value) or (isinstance(value, str) and value.startswith("spm:")):
            return value
        if value == "spm":  # sacreBLEU 2's alias, which it warns about
            return "flores101"
        return super().check(value)


def _tokenizer_option() -> Any:
    help = "the tokenizer; also spm:PATH with a SentencePiece model"
    return _TokenizerOption("13a", str, TOKENIZERS, help, ("-tok",))


class Tokenize(Part):
    """What is a token?"""

    tokenize: str | TokenizeFunction = _tokenizer_option()
    whitespace: str = option(
        default="python",
        help="what separates tokens: the white space of Python's str.split, or Perl's ASCII set",
        choices=("python", "ascii"),
    )


class Count(Part):
    """What is counted, per segment?"""

    max_ngram_order: int = option(
        default=4, help="the longest n-grams that are counted", flags=("--max-order",)
    )


class Aggregate(Part):
    """How do segments join?"""

    ref_len: str = option(
        default="closest",
        help="which of several reference lengths counts (closest: of two the shorter or first)",
        choices=("closest", "closest-first", "shortest", "longest", "first"),
    )


#: Smoothing methods, with the value each uses when none is given (Chen and Cherry 2014).
SMOOTH_VALUES: Mapping[str, float | None] = {"exp": None, "floor": 0.1, "add-k": 1.0, "none": None}


class Combine(Part):
    """How do counts become a number?"""

    smooth_method: str = option(
        default="exp",
        help="what replaces a count of zero: 1/2, 1/4, ... match; a floor; or k added from order 2",
        choices=tuple(SMOOTH_VALUES),
        flags=("-s",),
    )
    smooth_value: float | None = option(
        default=None,
        help="value of floor (0.1 if not given) and add-k (1)",
        kind=float,
        flags=("-sv",),
    )
    effective_order: bool = option(
        default=False, help="leave out the orders of which the hypothesis has no n-gram"
    )
    sentence_effective_order: bool = option(
        default=False, help="the same for scores of single sentences; effective_order sets both"
    )
    weights: tuple[float, ...] | None = option(
        default=None, help="weight of each order, 1 first; all alike if not given", kind=tuple
    )
    summation: str = option(
        default="naive",
        help="how logarithms add (it decides the last bit): as Python's sum up to 3.11, or since",
        choices=("naive", "compensated"),
    )

    def effective_smooth_value(self) -> float:
        """The smoothing value in use: the one given, else the method's own (0 if it has none)."""
        default = SMOOTH_VALUES[self.smooth_method] or 0.0
        return default if self.smooth_value is None else self.smooth_value


PARTS = (Normalize, Tokenize, Count, Aggregate, Combine)

#: Every option of the five parts by name, in the order of the decisions.
OPTIONS: dict[str, Option] = {o.name: o for part in PARTS for o in part.options}


class Dialect(Frozen):
    """A BLEU by its five decisions. Frozen; compares and hashes by value.

    Attributes:
        name: the row it comes from, such as `sacrebleu`.
        version: the version of the tool that the row reproduces.
        source: where the tool is.
        exact: what the row promises.
        normalize, tokenize, count, aggregate, combine: the decisions.

    Example:
        >>> from truebleu import dialect
        >>> d = dialect("sacrebleu").replace(tokenize="intl", lowercase=True)
        >>> d.tokenize.tokenize, d.normalize.lowercase
        ('intl', True)
    """

    __slots__ = (
        "aggregate", "combine", "count", "exact", "name", "normalize", "source", "tokenize",
        "version",
    )  # fmt: skip

    name: str
    version: str
    source: str
    exact: str
    normalize: Normalize
    tokenize: Tokenize
    count: Count
    aggregate: Aggregate
    combine: Combine

    def __init__(
        self,
        name: str,
        normalize: Normalize,
        tokenize: Tokenize,
        count: Count,
        aggregate: Aggregate,
        combine: Combine,
        *,
        version: str = "",
        source: str = "",
        exact: str = "",
    ) -> None:
        weights = combine.weights
        if weights is not None and len(weights) != count.max_ngram_order:
            raise OptionError(
                f"weights has {len(weights)} numbers, max_ngram_order is {count.max_ngram_order}; "
                "give one weight for each order"
            )
        values = (normalize, tokenize, count, aggregate, combine)
        for part, value in zip(PARTS, values, strict=True):
            object.__setattr__(self, part.__name__.lower(), value)
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "version", version)
        object.__setattr__(self, "source", source)
        object.__setattr__(self, "exact", exact)

    def _key(self) -> tuple[object, ...]:
        return tuple(getattr(self, slot) for slot in self.__slots__)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Dialect) and other._key() == self._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (self.parts(), self.name, self.version, self.source, self.exact)

    def __repr__(self) -> str:
        return f"Dialect({self.name!r}, {', '.join(repr(part) for part in self.parts())})"

    def parts(self) -> tuple[Part, ...]:
        """The five decisions, in order."""
        return (self.normalize, self.tokenize, self.count, self.aggregate, self.combine)

    def options(self) -> dict[str, Any]:
        """The value of every option by name."""
        return {k: v for part in self.parts() for k, v in vars(part).items()}

    def replace(self, **changes: Any) -> Dialect:
        """The same dialect with options changed, named flatly: `replace(tokenize="intl")`.

        Weights without `max_ngram_order` set the order to their number, and `effective_order` goes
        for single sentences too.

        Raises:
            OptionError: an option does not exist or cannot have its value.
        """
        for name in changes:
            if name not in OPTIONS:
                raise OptionError(f"no option is named {suggest(name, OPTIONS)}")
        if changes.get("weights") is not None and "max_ngram_order" not in changes:
            weights = OPTIONS["weights"].check(changes["weights"])
            changes = {**changes, "weights": weights, "max_ngram_order": len(weights)}
        if "effective_order" in changes:
            changes = {"sentence_effective_order": changes["effective_order"], **changes}
        parts = [
            part.replace(**{o.name: changes[o.name] for o in part.options if o.name in changes})
            for part in self.parts()
        ]
        return _rebuild(parts, self.name, self.version, self.source, self.exact)


def _rebuild(parts: Sequence[Any], name: str, version: str, source: str, exact: str) -> Dialect:
    return Dialect(name, *parts, version=version, source=source, exact=exact)
