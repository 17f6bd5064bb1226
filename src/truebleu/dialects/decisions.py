# SPDX-License-Identifier: Apache-2.0
"""A dialect: the five decisions that make a BLEU, as one immutable value.

Each option is declared once, in the class of its part. The defaults are sacreBLEU's.
"""

from __future__ import annotations

from truebleu.dialects.frozen import Frozen
from truebleu.dialects.options import Option, Part, normalize_option, option
from truebleu.errors import OptionError, describe, quantity, suggest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any, Unpack

    from truebleu.dialects.changes import BLEUChanges

    #: A function from a segment to its tokens (or to text with spaces between them).
    TokenizeFunction = Callable[[str], "Sequence[str] | str"]


class Normalize(Part):
    """What is done to the text first?"""

    normalize: tuple[Any, ...] = normalize_option()
    lowercase: bool = option("lowercase the text before tokenizing", default=False, flags=("-lc",), common=True)
    lowercase_rule: str = option("which characters lowercase changes", ("unicode", "ascii"))
    lowercase_when: str = option("whether lowercase is applied before or after tokenizing", ("before", "after"))
    strip: str = option(
        "at which ends of a line white space is removed before tokenizing", ("none", "right"), default="right"
    )
    markup: str = option("how 13a and intl treat entities: as in plain text, or as in an SGML file", ("text", "sgml"))


#: Tokenizers by name. Names that begin with one of `PREFIXES`, such as `re:PATTERN`, and in Python
#: any callable are tokenizers too.
TOKENIZERS = (
    "none", "13a", "intl", "intl-split", "zh", "zh-fixed", "char",
    "ja-mecab", "ko-mecab", "flores101", "flores200", "spBLEU-1K", "words", "space", "t2t",
    "markers", "13a-cjk", "dotnet", "nltk-line",
    "nltk", "jieba", "jieba-words", "moses", "ptb",
)  # fmt: skip


#: Tokenizers of libraries, with the extras that install them; some take a language or a path.
LIBRARIES = {
    "jieba": "jieba", "jieba-words": "jieba", "nltk": "nltk", "moses": "moses", "hf": "hf",
    "wordpiece": "hf", "ptb": "captions",
}  # fmt: skip
#: How the names of tokenizers with a parameter begin.
PREFIXES = ("re:", "spm:", "moses:", "hf:", "wordpiece:", "han:")

#: Patterns that the kernel has; Python runs the others. Runs of letters and digits, and each other
#: character; each character, blanks too; the rules of 13a as one pattern.
WORDS_AND_MARKS = r"re:[^\W_]+|\S"
EACH_CHARACTER = "re:(?s:.)"
RULES_OF_13A = (
    r"re:[!-&(-+/:-@\[-`{-~]|(?<![0-9])[.,]|[.,](?![0-9])|(?<=[0-9])-|"
    r"(?:(?![ -&(-+/:-@\[-`{-~]|(?<![0-9])[.,]|[.,](?![0-9])|(?<=[0-9])-)(?s:.))+"
)


def _check_tokenizer(value: Any) -> Any:
    if callable(value):
        return value
    if not isinstance(value, str):
        raise OptionError(f"tokenize cannot be {describe(value)}; it must be a name")
    if value == "spm":  # an old name in sacreBLEU 2, which warns about it
        return "flores101"
    if value == "chars":
        return EACH_CHARACTER
    if value not in TOKENIZERS and not value.startswith(PREFIXES):
        raise OptionError(f"tokenize cannot be {suggest(value, TOKENIZERS)}")
    return value


class Tokenize(Part):
    """What is a token?"""

    tokenize: str | TokenizeFunction = option(
        "tokenizer; also re:PATTERN with a regular expression of tokens, chars for all "
        "characters and blanks, auto for that of the target language, moses:LANGUAGE, models as "
        "spm:PATH (SentencePiece), hf:PATH (tokenizer.json), wordpiece:PATH (vocab.txt), and "
        "han:A,B for A if a side has a Chinese character, else B",
        TOKENIZERS,
        default="13a",
        flags=("-tok",),
        common=True,
        check=_check_tokenizer,
    )
    whitespace: str = option(
        "which white space separates tokens: Python's, Perl's on text, or Perl's on bytes", ("python", "perl", "ascii")
    )


def _check_keywords(value: Any) -> tuple[str, ...]:
    try:
        words = tuple(value)
        is_valid = all(word.split() == [word] and "," not in word for word in words)
    except (AttributeError, TypeError):
        is_valid = False
    if not is_valid or isinstance(value, str):
        raise OptionError(f"keywords cannot be {describe(value)}; give a list of words without commas, such as ['if']")
    return words


class Count(Part):
    """What is counted, per segment?"""

    max_ngram_order: int = option("the longest n-grams that are counted", default=4, flags=("--max-order",))
    references: str = option(
        "which references are matched: all, the first, or for each order the best one", ("all", "first", "best")
    )
    floor_totals: bool = option("count at least one n-gram of each order in each hypothesis", default=False)
    negative_totals: bool = option(
        "let a hypothesis of fewer than n tokens take away from the total of order n", default=False
    )
    measure: str = option(
        "share of the hypothesis's n-grams that match; the same without clipping; clipped by "
        "the references alone; or share of all references' n-grams",
        ("precision", "simple-precision", "reference-counts", "recall"),
    )
    keywords: tuple[str, ...] = option(
        "words that weigh five times as much if measure is recall", default=(), check=_check_keywords
    )
    swap: bool = option(
        "exchange hypothesis and reference, as tools do that pass them in the wrong order", default=False
    )
    length_unit: str = option(
        "unit of the hypothesis length; characters include the blanks between tokens if a "
        "library or a function tokenizes",
        ("tokens", "characters"),
    )


class Aggregate(Part):
    """How do segments join?"""

    ref_len: str = option(
        "reference length; with a tie: closest the shorter, closest-first the first; pair: 2",
        ("closest", "closest-first", "shortest", "longest", "first", "average", "pair"),
    )
    join: str = option(
        "score of a corpus: from the sum of the counts, of the counts that exp or floor "
        "smoothed, or the mean of its segments' scores",
        ("rows", "smoothed", "mean"),
    )
    empty: str = option(
        "with join=mean, what a segment without tokens on one side counts: its score, 0, or "
        "nothing (skip; skip-hyp and skip-ref only if the hypothesis or the reference is empty)",
        ("score", "zero", "skip", "skip-hyp", "skip-ref"),
    )


#: Smoothing methods, each with the default of smooth_value (Chen and Cherry 2014).
SMOOTH_VALUES: Mapping[str, float | None] = {
    "exp": None, "floor": 0.1, "add-k": 1.0, "none": None, "constant": 2.2250738585072014e-308,
    "add-k-all": 1.0, "length": 5.0, "average": None, "interpolate": 5.0, "length-average": 5.0,
}  # fmt: skip


class Combine(Part):
    """How do counts become a number?"""

    smooth_method: str = option(
        "what replaces a precision of 0", tuple(SMOOTH_VALUES), default="exp", flags=("-s",), common=True
    )
    smooth_value: float | None = option("parameter of the smoothing method", default=None, kind=float, flags=("-sv",))
    add_counts: tuple[float, ...] | None = option(
        "numbers added to the matches, the n-grams and the precision of each order", default=None, kind=tuple, size=3
    )
    least_total: float = option("the smallest number of n-grams of an order, in the whole corpus", default=0.0)
    guard: str = option(
        "when the score is 0 despite smoothing",
        ("none", "no-match", "no-unigram", "any-order", "empty-hyp", "short-hyp", "missing-order"),
        default="no-match",
    )
    missing_order: str = option(
        "precision of an order without n-grams: 0 for it and all higher orders, 0, or 1", ("stop", "zero", "one")
    )
    zero_precision: str = option(
        "a precision of 0 makes the score 0, counts as 1, or is left out with its weight", ("zero", "skip", "drop")
    )
    effective_order: bool = option("leave out orders for which the hypothesis has no n-grams", default=False)
    sentence_effective_order: bool = option("the same for sentence scores; effective_order sets both", default=False)
    weights: tuple[float, ...] | None = option(
        "weight of each order, from order 1 up (default: equal weights)", default=None, kind=tuple
    )
    cumulative_weights: tuple[float, ...] | None = option(
        "weights of BLEU_1, BLEU_2 and so on in a sum, which is the score (default: the last)", default=None, kind=tuple
    )
    arithmetic: str = option(
        "mean of logarithms: of percentages, of fractions, or weighted by any numbers; root: "
        "the root of the product of fractions instead",
        ("percent", "mean", "weighted", "root"),
    )
    summation: str = option(
        "how logarithms are added: as Python's sum up to 3.11, from 3.12 on, or fsum does",
        ("naive", "compensated", "exact"),
    )
    brevity: str = option(
        "brevity penalty: e^(1-r/c), e^(1-1/(c/r)), e^(1-c/r), c/r, e^(-|1-r/c|), or none",
        ("standard", "ratio", "inverted", "linear", "symmetric", "none"),
    )
    brevity_power: float = option("exponent of the brevity penalty", default=1.0)
    add_lengths: tuple[float, ...] | None = option(
        "numbers added to the hypothesis and the reference length in the brevity penalty",
        default=None,
        kind=tuple,
        size=2,
    )
    undefined: str = option(
        "inputs on which the tool crashes score NaN",
        ("never", "empty-hyp", "empty-hyp-only", "empty-either", "empty-both", "missing-order"),
    )
    precision: str = option("floating-point precision of scores", ("double", "single"))
    scale: int = option("score of a perfect hypothesis", default=100)

    def effective_smooth_value(self) -> float:
        """The smoothing parameter in use; without smooth_value, the method's default or 0."""
        default = SMOOTH_VALUES[self.smooth_method] or 0.0
        return default if self.smooth_value is None else self.smooth_value


PARTS = (Normalize, Tokenize, Count, Aggregate, Combine)

#: All options of BLEU by name, in the order of the decisions.
OPTIONS: dict[str, Option] = {o.name: o for part in PARTS for o in part.options}

#: The options that the kernel does not have: Python prepares what it counts.
IN_PYTHON = ("normalize", "swap")

#: The options that say how text is read.
READING = tuple(o.name for part in (Normalize, Tokenize) for o in part.options)

#: Attributes of a dialect that describe it, which `words.py` reads.
_WORDS = ("source", "users", "seen", "exact", "quirks", "fixed")


def _is(value: object, name: str) -> bool:
    """Whether an option that was not checked has this name; arrays do not compare."""
    return isinstance(value, str) and value == name


def with_tokenizer(options: dict[str, Any]) -> dict[str, Any]:
    """Options with the tokenizer of `target_language`, which `tokenize="auto"` needs."""
    if "target_language" not in options:
        if _is(options.get("tokenize"), "auto"):
            raise OptionError("tokenize=auto needs the target language; give target_language='zh' or -l en-zh")
        return options
    from truebleu.dialects.languages import tokenizer  # not needed by most runs

    language = options["target_language"]
    if not isinstance(language, str):
        raise OptionError(f"target_language cannot be {describe(language)}; give a code such as zh")
    others = {name: value for name, value in options.items() if name != "target_language"}
    if _is(others.get("tokenize", "auto"), "auto"):
        others["tokenize"] = tokenizer(language)
    return others


class Dialect(Frozen):
    """A BLEU as its five decisions. Immutable; compares and hashes by value.

    Attributes:
        name: the row of the table that it comes from, such as `sacrebleu`.
        version: the version of the tool that the row reproduces.
        source: where to find the tool.
        users: who uses it.
        seen: how often it was met in public code.
        exact: how exactly the row reproduces the tool.
        quirks: surprising behavior of the tool.
        fixed: the row without these quirks, if there is one.
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

    __slots__ = ("aggregate", "combine", "count", "name", "normalize", "tokenize", "version")

    name: str
    version: str
    source: str
    users: str
    seen: str
    exact: str
    quirks: str
    fixed: str
    normalize: Normalize
    tokenize: Tokenize
    count: Count
    aggregate: Aggregate
    combine: Combine

    def __init__(self, name: str, parts: Sequence[Any], version: str = "") -> None:
        *_, count, aggregate, combine = parts
        if aggregate.empty != "score" and aggregate.join != "mean":
            raise OptionError(f"empty={aggregate.empty} is for means of segments; set join=mean, too")
        for option_name in ("weights", "cumulative_weights"):
            weights = getattr(combine, option_name)
            if weights is not None and len(weights) != count.max_ngram_order:
                raise OptionError(
                    f"{option_name} has {quantity(len(weights), 'number')}, max_ngram_order is "
                    f"{count.max_ngram_order}; give one weight for each order"
                )
        decisions = {part.__name__.lower(): own for part, own in zip(PARTS, parts, strict=True)}
        super().__init__(name=name, version=version, **decisions)

    if not TYPE_CHECKING:  # checkers know the attributes

        def __getattr__(self, name: str) -> str:
            if name not in _WORDS:
                raise AttributeError(f"a dialect has no attribute {name}")
            from truebleu.dialects.words import words  # reads a file that no score needs

            return words().get(self.name, {}).get(name, "")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Dialect) and other.__reduce__() == self.__reduce__()

    def __hash__(self) -> int:
        return hash(self.__reduce__())

    def __reduce__(self) -> tuple[Any, ...]:
        return Dialect, (self.name, self.parts(), self.version)

    def __repr__(self) -> str:
        return f"Dialect({self.name!r}, {', '.join(repr(part) for part in self.parts())})"

    def _about(self) -> dict[str, str]:
        return {name: getattr(self, name) for name in ("name", "version", *_WORDS)}

    def parts(self) -> tuple[Part, ...]:
        """The five decisions, in order."""
        return (self.normalize, self.tokenize, self.count, self.aggregate, self.combine)

    @property
    def counting(self) -> tuple[object, ...]:
        """What the statistics depend on; with it, equal dialects count alike."""
        parts = (self.normalize, self.tokenize, self.count, self.aggregate, self.counted_orders)
        # Rows that join segments hold more, which depends on the formula.
        return parts if self.aggregate.join == "rows" else (*parts, self.combine)

    @property
    def counted_orders(self) -> int:
        """Orders in a row of statistics.

        Smoothing by averages needs one more. For a mean of segments, one more holds the sum of
        their scores (negligibly rounded) and their number; if empty segments are skipped, another
        holds the number of those. For smoothed segments, one more for each order holds the share of
        a match that smoothing added.
        """
        return self.orders_read + self.orders_noted

    @property
    def orders_read(self) -> int:
        """Orders whose n-grams are counted."""
        more = self.combine.smooth_method in ("average", "length-average")
        return self.count.max_ngram_order + more

    @property
    def orders_noted(self) -> int:
        """Places of a row after the orders, which hold what joins segments."""
        of_mean = 1 + self.aggregate.empty.startswith("skip")
        places = {"rows": 0, "smoothed": self.count.max_ngram_order, "mean": of_mean}
        return places[self.aggregate.join]

    def options(self) -> dict[str, Any]:
        """The value of every option by name."""
        return {k: v for part in self.parts() for k, v in vars(part).items()}

    def replace(self, **changes: Unpack[BLEUChanges]) -> Dialect:
        """The same dialect with options changed, as in `replace(tokenize="intl")`.

        `weights` or `cumulative_weights` without `max_ngram_order` set the order to their number;
        `effective_order` also sets `sentence_effective_order`; `join="mean"` scores segments as
        sentences, with `sentence_effective_order`.

        Raises:
            OptionError: an option does not exist or cannot have its value.
        """
        options: dict[str, Any] = with_tokenizer({**changes})
        for name in options:
            if name == "metric":
                raise OptionError("this function computes only BLEU; leave out metric")
            if name in ("pad_id", "eos_id", "group"):
                raise OptionError(f"{name} says how to read ids; pass it to BLEU().corpus or sentences")
            if name not in OPTIONS:
                raise OptionError(f"no option is named {suggest(name, OPTIONS)}")
        for name in ("weights", "cumulative_weights"):
            if options.get(name) is not None and "max_ngram_order" not in options:
                weights = OPTIONS[name].check(options[name])
                options = {**options, name: weights, "max_ngram_order": len(weights)}
        if _is(options.get("join"), "mean") and self.aggregate.join != "mean":
            own = self.combine.sentence_effective_order
            options = {"effective_order": options.get("sentence_effective_order", own), **options}
        if "effective_order" in options:
            options = {"sentence_effective_order": options["effective_order"], **options}
        parts = [
            part.replace(**{o.name: options[o.name] for o in part.options if o.name in options})
            for part in self.parts()
        ]
        return Dialect(self.name, parts, self.version)
