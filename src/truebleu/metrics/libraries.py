# SPDX-License-Identifier: Apache-2.0
"""Tokenizers of libraries, such as jieba, NLTK and sacremoses, by names such as `moses:de`.

Each is a function from text to tokens, with the version of its library for signatures. The library
is imported when its tokenizer is made; if it is absent, the error says how to install it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any

from truebleu.dialects.decisions import LIBRARIES
from truebleu.errors import OptionError, needing

Function = Callable[[str], Sequence[str] | str]


def find(tokenize: str) -> tuple[Function, str]:
    """The function of a tokenizer in `LIBRARIES`, and the version of its library."""
    kind, _, value = tokenize.partition(":")
    library, make = _MAKERS[kind]
    with needing(f"tokenize={tokenize}", LIBRARIES[kind]):
        module = __import__(library)
    from importlib.metadata import version  # 4 ms, which only these tokenizers take

    return make(module, value), version(library)


def _jieba(jieba: Any, _: str) -> Function:
    jieba.setLogLevel(30)  # it reports on standard error that it reads its dictionary
    cut: Function = jieba.lcut
    return cut


def _jieba_words(jieba: Any, _: str) -> Function:
    cut = _jieba(jieba, "")
    return lambda text: [word for word in map(str.strip, cut(text)) if word]


def _nltk(nltk: Any, _: str) -> Function:
    def tokenize(text: str) -> list[str]:
        try:
            words: list[str] = nltk.word_tokenize(text)
        except LookupError:
            raise OptionError(
                "tokenize=nltk needs NLTK's Punkt data; python -m nltk.downloader punkt_tab, or "
                "use nltk-line, which does not split sentences"
            ) from None
        return words

    return tokenize


def _pieces(tokenizers: Any, path: str) -> Function:
    if not os.path.isfile(path):
        raise OptionError(f"{path}: no such file; give the path of a tokenizer.json or a vocab.txt")
    try:
        if path.endswith(".json"):
            model = tokenizers.Tokenizer.from_file(path)
        else:
            model = tokenizers.BertWordPieceTokenizer(path)
    except Exception as error:  # noqa: BLE001  (the library raises plain exceptions)
        raise OptionError(f"{path}: not a file of a tokenizer: {error}") from None
    model.no_truncation()
    return lambda text: model.encode(text, add_special_tokens=False).tokens


class Captions:
    """The tokenizer of pycocoevalcap: Stanford's PTBTokenizer, in Java, without punctuation.

    `prepare` tokenizes many texts with one process.
    """

    _DROPPED = (
        "''", "'", "``", "`", "-LRB-", "-RRB-", "-LCB-", "-RCB-",
        ".", "?", "!", ",", ":", "-", "--", "...", ";",
    )  # fmt: skip
    _LINE_ENDS = dict.fromkeys(map(ord, "\n\r\v\f\x85\u2028\u2029"), " ")

    def __init__(self, pycocoevalcap: Any, _: str) -> None:
        folder = os.path.join(pycocoevalcap.__path__[0], "tokenizer")
        jar = os.path.join(folder, "stanford-corenlp-3.4.1.jar")
        self._command = ["java", "-cp", jar, "edu.stanford.nlp.process.PTBTokenizer",
                         "-preserveLines", "-lowerCase"]  # fmt: skip
        self._tokens: dict[str, str] = {}

    def prepare(self, texts: Sequence[str]) -> None:
        """Tokenize texts, and forget the last ones."""
        import subprocess

        different = list(dict.fromkeys(texts))
        self._tokens = {}
        lines = "".join(f"{text.translate(self._LINE_ENDS)}\n" for text in different)
        try:
            done = subprocess.run(  # noqa: S603  (the jar of the library)
                self._command, input=lines.encode(errors="replace"), capture_output=True, check=True
            )
        except FileNotFoundError:
            raise OptionError("tokenize=ptb needs Java; install a Java runtime") from None
        except subprocess.CalledProcessError as error:
            message = " ".join(error.stderr.decode(errors="replace").split())
            raise OptionError(f"tokenize=ptb: Java failed: {message:.300}") from None
        tokenized = done.stdout.decode().split("\n")[:-1]
        if len(tokenized) != len(different):
            raise OptionError("tokenize=ptb joined lines; remove tags that are not closed")
        for text, line in zip(different, tokenized, strict=True):
            self._tokens[text] = " ".join(w for w in line.split(" ") if w not in self._DROPPED)

    def __call__(self, text: str) -> str:
        """The tokens of a text, with blanks between them."""
        if text not in self._tokens:
            self.prepare([text])
        return self._tokens[text]


#: The library of each tokenizer, and what makes its function.
_MAKERS: dict[str, tuple[str, Callable[[Any, str], Function]]] = {
    "jieba": ("jieba", _jieba), "jieba-words": ("jieba", _jieba_words), "nltk": ("nltk", _nltk),
    "moses": ("sacremoses", lambda library, lang: library.MosesTokenizer(lang=lang or "en").tokenize),
    "hf": ("tokenizers", _pieces), "wordpiece": ("tokenizers", _pieces),
    "ptb": ("pycocoevalcap", Captions),
}  # fmt: skip


class ByPair:
    """One of two tokenizers: the first if a text of the pair has a Chinese character."""

    def __init__(self, first: Function, second: Function) -> None:
        self._functions = second, first

    def of(self, texts: Sequence[str]) -> Function:
        """The tokenizer of the texts of a segment."""
        return self._functions[any("\u4e00" <= c <= "\u9fa5" for text in texts for c in text)]

    def __call__(self, text: str) -> Sequence[str] | str:
        """The tokens of a text alone."""
        return self.of((text,))(text)
