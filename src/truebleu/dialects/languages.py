# SPDX-License-Identifier: Apache-2.0
"""The tokenizer of BLEU by the target language of a language pair.

Chinese, Japanese and Korean have those of sacreBLEU; Thai, Khmer, Lao and Burmese, which do not
separate words, are split into characters, as in FLORES and Seamless.
"""

from __future__ import annotations

from truebleu.errors import OptionError

_TOKENIZERS = {
    "zh": "zh", "zho": "zh", "cmn": "zh", "yue": "zh",
    "ja": "ja-mecab", "jpn": "ja-mecab", "ko": "ko-mecab", "kor": "ko-mecab",
    **dict.fromkeys(("th", "tha", "km", "khm", "lo", "lao", "my", "mya"), "char"),
}  # fmt: skip
#: The tokenizer of all other languages.
OTHERS = "13a"

#: Metrics that have the tokenizers of BLEU.
TOKENIZED = ("bleu", "gleu", "nist")


def target(pair: str) -> str:
    """The target language of a pair.

    Example:
        >>> target("en-zh_CN"), target("deu_Latn-jpn_Jpan")
        ('zh', 'jpn')
    """
    return pair.rpartition("-")[2].partition("_")[0]


def tokenizer(pair: str) -> str:
    """The tokenizer of BLEU for a language pair.

    Example:
        >>> tokenizer("en-ja"), tokenizer("eng_Latn-zho_Hans"), tokenizer("en-de")
        ('ja-mecab', 'zh', '13a')
    """
    return _TOKENIZERS.get(target(pair), OTHERS)


def check_pair(pair: str) -> str:
    """`pair`; raises OptionError if it is not a pair of language codes."""
    languages = [language.partition("_")[0] for language in pair.split("-")]
    if len(languages) != 2 or any(not 2 <= len(language) <= 3 for language in languages):
        raise OptionError(f"--language-pair cannot be {pair!r}; it must be a pair such as en-ja")
    return pair
