# SPDX-License-Identifier: Apache-2.0
"""A dialect: the five decisions that make a BLEU, as one frozen value.

Each option is declared once, where its part is defined. The API, the command line, the signature,
the kernel's plan and the documentation read these declarations. The defaults are sacreBLEU's.
"""

from __future__ import annotations

from truebleu.dialects.frozen import Frozen
from truebleu.dialects.options import Option, Part, option
from truebleu.errors import OptionError, describe, suggest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    #: A function from a segment to its tokens (or to text with blanks between them).
    TokenizeFunction = Callable[[str], "Sequence[str] | str"]


class Normalize(Part):
    """What is done to the text first?"""

    lowercase: bool = option(
        default=False, help="lower-case the text before tokenizing", flags=("-lc",)
    )
    lowercase_rule: str = option(
        default="unicode", help="which characters lowercase changes", choices=("unicode", "ascii")
    )
    lowercase_when: str = option(
        default="before",
        help="whether lowercase changes the text before or after it is tokenized",
        choices=("before", "after"),
    )
    strip: str = option(
        default="right",
        help="which ends lose their white space before tokenizing",
        choices=("none", "right"),
    )
    markup: str = option(
        default="text",
        help="what 13a and intl take entities for: as they stand in text, or left by an SGML file",
        choices=("text", "sgml"),
    )


#: Tokenizers by name; besides them `spm:PATH` and, in Python, any callable.
TOKENIZERS = (
    "none", "13a", "intl", "intl-split", "zh", "zh-fixed", "char",
    "ja-mecab", "ko-mecab", "flores101", "flores200", "spBLEU-1K", "words", "space", "t2t",
)  # fmt: skip


class _TokenizerOption(Option):
    __slots__ = ()

    def check(self, value: Any) -> Any:
        if callable(value) or (isinstance(value, str) and value.startswith("spm:")):
            return value
        if isinstance(value, str) and value == "spm":  # sacreBLEU 2's alias, which it warns about
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
        help="what separates tokens: white space for Python, for Perl on text, or on bytes",
        choices=("python", "perl", "ascii"),
    )


class _KeywordsOption(Option):
    __slots__ = ()

    def check(self, value: Any) -> Any:
        words = None if isinstance(value, str) else tuple(value)
        if words is None or not all(
            isinstance(word, str) and word.isidentifier() for word in words
        ):
            raise OptionError(
                f"keywords cannot be {describe(value)}; give a list of words, as keywords are"
            )
        return words


def _keywords_option() -> Any:
    help = "words that weigh five times as much where recall is measured"
    return _KeywordsOption((), tuple, (), help, ())


class Count(Part):
    """What is counted, per segment?"""

    max_ngram_order: int = option(
        default=4, help="the longest n-grams that are counted", flags=("--max-order",)
    )
    references: str = option(
        default="all",
        help="whose n-grams may match: those of all references, or of the first",
        choices=("all", "first"),
    )
    floor_totals: bool = option(
        default=False, help="count one n-gram of each order that a hypothesis is too short for"
    )
    measure: str = option(
        default="precision",
        help="n-grams of the hypothesis that match, or n-grams of all references together",
        choices=("precision", "recall"),
    )
    keywords: tuple[str, ...] = _keywords_option()
    length_unit: str = option(
        default="tokens",
        help="what the length of a hypothesis is measured in",
        choices=("tokens", "characters"),
    )


class Aggregate(Part):
    """How do segments join?"""

    ref_len: str = option(
        default="closest",
        help="which reference length counts (closest: of two the shorter or first; pair: 2)",
        choices=("closest", "closest-first", "shortest", "longest", "first", "average", "pair"),
    )


#: Smoothing methods, with the value each uses when none is given (Chen and Cherry 2014).
SMOOTH_VALUES: Mapping[str, float | None] = {
    "exp": None, "floor": 0.1, "add-k": 1.0, "none": None, "constant": 2.2250738585072014e-308,
    "add-k-all": 1.0, "length": 5.0, "average": None, "interpolate": 5.0, "length-average": 5.0,
}  # fmt: skip


class Combine(Part):
    """How do counts become a number?"""

    smooth_method: str = option(
        default="exp",
        help="what stands in for counts of zero; see the page on smoothing",
        choices=tuple(SMOOTH_VALUES),
        flags=("-s",),
    )
    smooth_value: float | None = option(
        default=None,
        help="the smoothing's value; if not given, that of its method",
        kind=float,
        flags=("-sv",),
    )
    guard: str = option(
        default="no-match",
        help="when the score is 0 whatever the smoothing",
        choices=("none", "no-match", "no-unigram", "any-order", "empty-hyp", "short-hyp"),
    )
    missing_order: str = option(
        default="stop",
        help="the precision of an order of which there is no n-gram: 0 from there on, 0, or 1",
        choices=("stop", "zero", "one"),
    )
    zero_precision: str = option(
        default="zero",
        help="whether a precision of 0 makes the score 0, or is skipped",
        choices=("zero", "skip"),
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
    auto_reweigh: bool = option(
        default=False, help="for less than 4 tokens, share the weights of 4 orders among those"
    )
    arithmetic: str = option(
        default="percent",
        help="the mean of logarithms: in percent, in shares, or weighted by what need not sum to 1",
        choices=("percent", "mean", "weighted"),
    )
    summation: str = option(
        default="naive",
        help="how logarithms add, to the last bit: as Python's sum up to 3.11, since then, or fsum",
        choices=("naive", "compensated", "exact"),
    )
    brevity: str = option(
        default="standard",
        help="the penalty of a short hypothesis: e^(1-r/c), e^(1-1/(c/r)), e^(1-c/r), or none",
        choices=("standard", "ratio", "inverted", "none"),
    )
    undefined: str = option(
        default="never",
        help="where the score is not a number, because the tool fails: nothing to compare",
        choices=("never", "empty-hyp", "empty-either", "empty-both"),
    )
    precision: str = option(
        default="double",
        help="the floating-point numbers that scores are rounded to",
        choices=("double", "single"),
    )
    scale: int = option(default=100, help="the score of a perfect hypothesis")

    def effective_smooth_value(self) -> float:
        """The smoothing value in use: the one given, else the method's own (0 if it has none)."""
        default = SMOOTH_VALUES[self.smooth_method] or 0.0
        return default if self.smooth_value is None else self.smooth_value


PARTS = (Normalize, Tokenize, Count, Aggregate, Combine)

#: Every option of the five parts by name, in the order of the decisions.
OPTIONS: dict[str, Option] = {o.name: o for part in PARTS for o in part.options}

#: What is said about a row.
ABOUT = ("version", "source", "exact", "quirks", "fixed")


class Dialect(Frozen):
    """A BLEU by its five decisions. Frozen; compares and hashes by value.

    Attributes:
        name: the row it comes from, such as `sacrebleu`.
        version: the version of the tool that the row reproduces.
        source: where the tool is.
        exact: what the row promises.
        quirks: where the tool does not do what one would expect, in words.
        fixed: the row that does, if there is one.
        normalize: what is done to the text first.
        tokenize: what a token is.
        count: what is counted, per segment.
        aggregate: how segments join.
        combine: how counts become a number.

    Example:
        >>> from truebleu import dialect
        >>> d = dialect("sacrebleu").replace(tokenize="intl", lowercase=True)
        >>> d.tokenize.tokenize, d.normalize.lowercase
        ('intl', True)
    """

    __slots__ = (
        "aggregate", "combine", "count", "exact", "fixed", "name", "normalize", "quirks", "source",
        "tokenize", "version",
    )  # fmt: skip

    name: str
    version: str
    source: str
    exact: str
    quirks: str
    fixed: str
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
        quirks: str = "",
        fixed: str = "",
    ) -> None:
        weights = combine.weights
        if weights is not None and len(weights) != count.max_ngram_order:
            raise OptionError(
                f"weights has {len(weights)} numbers, max_ngram_order is {count.max_ngram_order}; "
                "give one weight for each order"
            )
        values = {
            "name": name, "normalize": normalize, "tokenize": tokenize, "count": count,
            "aggregate": aggregate, "combine": combine, "version": version, "source": source,
            "exact": exact, "quirks": quirks, "fixed": fixed,
        }  # fmt: skip
        for slot, value in values.items():
            object.__setattr__(self, slot, value)

    def _key(self) -> tuple[object, ...]:
        return tuple(getattr(self, slot) for slot in self.__slots__)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Dialect) and other._key() == self._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __reduce__(self) -> tuple[Any, ...]:
        return rebuild, (self.parts(), self.name, self._about())

    def __repr__(self) -> str:
        return f"Dialect({self.name!r}, {', '.join(repr(part) for part in self.parts())})"

    def _repr_html_(self) -> str:
        from truebleu.text import html

        rows: list[Sequence[str]] = [("decision", "option", "value", "sacreBLEU's")]
        same: list[Sequence[str]] = [rows[0][:3]]
        for part in self.parts():
            for declared in part.options:
                value = getattr(part, declared.name)
                row = (declared.part, declared.name, str(value))
                if value == declared.default:
                    same.append(row)
                else:
                    rows.append((*row, str(declared.default)))
        said = [html.line(f"{name}: {text}") for name, text in self._about().items() if text]
        changed = html.table(rows, left=range(4)) if rows[1:] else "All options are sacreBLEU's."
        return html.block(
            html.title(self.name), *said, changed,
            html.folded(
                f"{len(same) - 1} options as sacreBLEU's", html.table(same, left=range(3))
            ),
        )  # fmt: skip

    def _about(self) -> dict[str, str]:
        return {name: getattr(self, name) for name in ABOUT}

    def parts(self) -> tuple[Part, ...]:
        """The five decisions, in order."""
        return (self.normalize, self.tokenize, self.count, self.aggregate, self.combine)

    @property
    def counted_orders(self) -> int:
        """Orders in a row of statistics; smoothing by averages looks at one more."""
        more = self.combine.smooth_method in ("average", "length-average")
        return self.count.max_ngram_order + more

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
            if name == "metric":
                raise OptionError("this is computed for BLEU alone; leave out metric")
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
        return rebuild(parts, self.name, self._about())


def rebuild(parts: Sequence[Any], name: str, about: dict[str, str]) -> Dialect:
    """A dialect of its five parts, its name and what is said about it."""
    normalize, tokenize, count, aggregate, combine = parts
    return Dialect(name, normalize, tokenize, count, aggregate, combine, **about)
