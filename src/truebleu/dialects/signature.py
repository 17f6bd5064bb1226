# SPDX-License-Identifier: Apache-2.0
"""Signatures: a dialect and the number of references as one line of text, and back.

The grammar is sacreBLEU's, so that the default dialect has sacreBLEU's own signature:
`nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0`. Signatures of other rows begin with
`dialect:NAME`. Options without a key in sacreBLEU follow `smooth` as `option:value`, if they differ
from the row. The version is that of the reproduced tool.
"""

from __future__ import annotations

from truebleu.dialects.decisions import OPTIONS, SMOOTH_VALUES, TOKENIZERS, Dialect
from truebleu.dialects.tools import DIALECTS, dialect
from truebleu.errors import OptionError, suggest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

#: sacreBLEU's short keys (its option `-sh`).
_LONG_KEYS = {"#": "nrefs", "c": "case", "e": "eff", "s": "smooth", "v": "version", "t": "test",
              "l": "lang", "o": "origlang", "S": "subset", "rs": "seed"}  # fmt: skip
_SHORT_KEYS = {long: short for short, long in _LONG_KEYS.items()} | {
    "space": "s", "norm": "nr", "punct": "pn", "asian": "as",  # of chrF and TER
}  # fmt: skip
#: Keys that describe what was scored, not how.
_PROVENANCE = frozenset(
    {"nrefs", "numrefs", "bs", "ar", "seed", "test", "lang", "origlang", "subset", "unicode", "version"}
)
#: Keys of other metrics.
_OTHERS = frozenset({"nc", "nw", "norm", "punct", "asian", "min_len", "order", "alpha", "ignore", "syntax"})
#: Characters of the longest signature.
_LONGEST = 1 << 14
#: Options with a key in sacreBLEU's grammar.
KEYED = frozenset(
    {"lowercase", "effective_order", "sentence_effective_order", "tokenize", "smooth_method", "smooth_value"}
)


def signature(dialect: Dialect, *, tokenizer: str, unicode: str) -> tuple[str, str]:
    """The signature of a score: the parts before and after the number of references.

    Args:
        tokenizer: the tokenizer's own name and version.
        unicode: Unicode versions that the score depends on; empty if none.
    """
    values = dialect.options()
    pairs = {
        "case": "lc" if values["lowercase"] else "mixed",
        "eff": values["effective_order"],
        "tok": tokenizer,
        "smooth": values["smooth_method"] + _smooth_suffix(dialect),
    }
    row = DIALECTS[dialect.name].options() if dialect.name in DIALECTS else {}
    before = "" if dialect.name == "sacrebleu" else f"dialect:{dialect.name}|"
    others = {k: v for k, v in values.items() if k not in KEYED and v != row.get(k)}
    return before, f"{_line(pairs | others, unicode)}|version:{dialect.version}"


def counting_signature(dialect: Dialect, *, tokenizer: str, unicode: str) -> str:
    """The part of a signature that decides what is counted, n-gram orders left out.

    Rows that hold scores of segments or smoothed counts also depend on the formula. Two dialects
    with the same one have the same statistics, so one can score those of the other.

    Args:
        tokenizer: the tokenizer's own name and version.
        unicode: Unicode versions that the counts depend on; empty if none.
    """
    values = {k: v for part in dialect.parts()[:-1] for k, v in vars(part).items()}
    pairs = {"case": "lc" if values["lowercase"] else "mixed", "tok": tokenizer}
    skipped = {*KEYED, "max_ngram_order"}
    if not values["lowercase"]:
        skipped.add("lowercase_rule")
    if dialect.aggregate.join != "rows":
        values |= vars(dialect.combine)
        values["smooth_value"] = dialect.combine.effective_smooth_value()
        skipped = {"lowercase", "tokenize", "sentence_effective_order"}
    others = {k: v for k, v in values.items() if k not in skipped and v != OPTIONS[k].default}
    return _line(pairs | others, unicode)


def _line(pairs: dict[str, Any], unicode: str = "") -> str:
    """Keys and values as one line, with the versions of Unicode if any are read."""
    pairs = pairs | {"unicode": unicode} if unicode else pairs
    return "|".join(f"{key}:{to_text(value)}" for key, value in pairs.items())


def metric_signature(pairs: dict[str, Any], *, nrefs: int | str | None, version: str, reading: str = "") -> str:
    """The signature of a score of another metric.

    Args:
        pairs: the metric's own keys and values.
        nrefs: references per segment, `var` if their number varies, None before scoring.
        version: the version of the tool whose score it is.
        reading: the signature of how text is read, if it is read as BLEU reads it.
    """
    head = [] if nrefs is None else [f"nrefs:{nrefs}"]
    return "|".join([*head, *filter(None, [reading]), _line({**pairs, "version": version})])


def shorten(signature: str) -> str:
    """A signature with sacreBLEU's short keys.

    Example:
        >>> shorten("nrefs:1|case:lc|tok:13a|smooth:exp|version:2.6.0")
        '#:1|c:lc|tok:13a|s:exp|v:2.6.0'
    """
    pairs = (field.partition(":") for field in signature.split("|"))
    return "|".join(f"{_SHORT_KEYS.get(key, key)}:{value}" for key, _, value in pairs)


def _smooth_suffix(dialect: Dialect) -> str:
    if SMOOTH_VALUES[dialect.combine.smooth_method] is None:
        return ""
    value = dialect.combine.effective_smooth_value()
    # sacreBLEU always prints two decimals; a value that needs more is printed in full.
    rounded = f"{value:.2f}"
    return f"[{rounded if float(rounded) == value else repr(value)}]"


def to_text(value: Any) -> str:
    """The value of an option in a signature and in the settings of the kernel."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return ",".join(map(str, value))
    return str(value)


def parse_signature(text: str) -> Dialect:
    """The dialect of a signature.

    Reads signatures of TrueBLEU and of sacreBLEU 1.x and 2.x, long or short, with or without
    `BLEU|` at the start and `= 27.3 ...` at the end. Test set, language, seed and the like are
    ignored: they describe what was scored, not how.

    Raises:
        OptionError: the text is not a signature, or names something that TrueBLEU does not have.

    Example:
        >>> from truebleu import parse_signature
        >>> d = parse_signature("BLEU+case.lc+numrefs.1+smooth.exp+tok.intl+version.1.4.3")
        >>> d.normalize.lowercase, d.tokenize.tokenize
        (True, 'intl')
    """
    name = "sacrebleu"
    changes: dict[str, Any] = {}
    settings = 0
    fields = list(_fields(text))
    if any(key in _OTHERS for key, _ in fields):
        raise OptionError("this signature is of another metric; give one of BLEU")
    for key, value in fields:
        settings += key not in _PROVENANCE
        if key == "dialect":
            name = value
        elif key == "smooth":
            changes |= _parse_smooth(value)
        elif key == "tok":
            changes["tokenize"] = _parse_tokenizer(value)
        elif key == "case":
            changes["lowercase"] = _choice(key, value, {"lc": True, "mixed": False})
        elif key == "eff":
            # `no` is the default for corpora and says nothing about sentence scores.
            if _choice(key, value, {"yes": True, "no": False}):
                changes["effective_order"] = True
        elif key in OPTIONS:
            changes[key] = _parse_value(key, value)
        elif key not in _PROVENANCE:
            keys = ["case", "eff", "tok", "smooth", *OPTIONS, *sorted(_PROVENANCE)]
            raise OptionError(f"a signature has no key {suggest(key, keys)}")
    if changes.get("join") == "mean":
        changes.setdefault("effective_order", False)
    if not settings:
        raise OptionError(f"{text!r} is not a signature; a signature looks like case:mixed|tok:13a|smooth:exp")
    return dialect(name, **changes)


def named_references(text: str) -> int | None:
    """References per segment in a signature; None if they vary or are not named.

    Raises:
        OptionError: the text is not a signature.

    Example:
        >>> named_references("nrefs:2|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0")
        2
    """
    named = (value for key, value in _fields(text) if key in ("nrefs", "numrefs"))
    # Python refuses to convert numbers with thousands of digits.
    return next((int(value) for value in named if value.isdecimal() and len(value) < 20), None)


def _fields(text: str) -> list[tuple[str, str]]:
    """The long keys of a signature with their values."""
    if not isinstance(text, str):
        raise OptionError(f"a signature is a string, not {type(text).__name__}")
    if len(text) > _LONGEST:
        raise OptionError(f"a signature has at most {_LONGEST:,} characters, this has {len(text):,}")
    body = text.strip().split(" = ")[0].strip()
    old = "+" in body and "|" not in body  # sacreBLEU 1.x: key.value joined by +
    fields = body.split("+" if old else "|")
    if fields and fields[0] in ("BLEU", "sacreBLEU"):
        fields = fields[1:]
    pairs = []
    for field in fields:
        key, _, value = field.partition("." if old else ":")
        if not value and key != "keywords":  # of which there may be none
            raise OptionError(f"{field!r} in {text!r} is not key:value; give a whole signature")
        pairs.append((_LONG_KEYS.get(key, key), value))
    return pairs


def _choice(key: str, value: str, choices: dict[str, bool]) -> bool:
    if value not in choices:
        raise OptionError(f"{key} in a signature cannot be {suggest(value, choices)}")
    return choices[value]


def _parse_smooth(value: str) -> dict[str, Any]:
    method, bracket, argument = value.partition("[")
    if not bracket:
        return {"smooth_method": method}
    try:
        number = float(argument.removesuffix("]"))
    except ValueError:
        raise OptionError(f"smooth:{value} cannot be read; write it as smooth:floor[0.10]") from None
    changed = None if number == SMOOTH_VALUES.get(method) else number
    return {"smooth_method": method, "smooth_value": changed}


def _parse_tokenizer(value: str) -> str:
    if value in TOKENIZERS or value.startswith("spm:"):
        return value
    if value.startswith("re:"):
        from urllib.parse import unquote

        return unquote(value)
    if value in ("spm", "spm-flores"):  # names of flores101 in sacreBLEU 2.0 to 2.2
        return "flores101"
    if value == "given":  # the caller tokenized, so that no tokenizer is needed
        return "none"
    for name in ("ja-mecab", "ko-mecab"):  # the library's version follows the name
        if value.startswith(name):
            return name
    if value.startswith(("spm-", "hf-", "wordpiece-")):
        kind = value.partition("-")[0]
        raise OptionError(f"tok:{value} names a model by its hash; use tokenize='{kind}:PATH' instead")
    name = value.rpartition("-")[0]  # without the version of a library
    if name in TOKENIZERS or name.startswith(("moses:", "han:")):
        return name
    raise OptionError(f"tok in a signature cannot be {suggest(value, TOKENIZERS)}")


def _parse_value(name: str, value: str) -> Any:
    kind = OPTIONS[name].kind
    if value == "None" and OPTIONS[name].default is None:
        return None
    try:
        if kind in (int, float):
            return kind(value)
        if kind is bool:
            return _choice(name, value, {"yes": True, "no": False})
        if name in ("keywords", "normalize"):
            return tuple(value.split(",")) if value else ()
        if kind is tuple:
            return tuple(float(weight) for weight in value.split(","))
    except ValueError:
        raise OptionError(f"{name} in a signature cannot be {value!r}") from None
    return value


def nrefs(counts: tuple[int, int]) -> int | str:
    """The `nrefs` of a signature for the smallest and largest number of references per segment."""
    fewest, most = counts
    return fewest if fewest == most else "var"
