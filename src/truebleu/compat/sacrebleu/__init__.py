# SPDX-License-Identifier: Apache-2.0
"""A drop-in for sacreBLEU 2.6.0: `from truebleu.compat import sacrebleu`.

Scores of BLEU, chrF and TER are equal to the last bit, and so are warnings, signatures and formats.
Only test sets need an installed sacrebleu: `pip install 'truebleu[testsets]'`.
"""

from __future__ import annotations

from truebleu.compat.sacrebleu.compat import (
    corpus_bleu,
    corpus_chrf,
    corpus_ter,
    raw_corpus_bleu,
    sentence_bleu,
    sentence_chrf,
    sentence_ter,
)
from truebleu.compat.sacrebleu.dataset import DATASETS
from truebleu.compat.sacrebleu.metrics import BLEU, CHRF, TER
from truebleu.compat.sacrebleu.metrics.helpers import extract_char_ngrams, extract_word_ngrams
from truebleu.compat.sacrebleu.utils import (
    SACREBLEU_DIR,
    download_test_set,
    get_available_testsets,
    get_langpairs_for_testset,
    get_reference_files,
    get_source_file,
    smart_open,
)
from truebleu.compat.sacrebleu.version import __version__

__all__ = [
    "BLEU", "CHRF", "DATASETS", "SACREBLEU_DIR", "TER", "__version__", "corpus_bleu",
    "corpus_chrf", "corpus_ter", "download_test_set", "extract_char_ngrams",
    "extract_word_ngrams", "get_available_testsets", "get_langpairs_for_testset",
    "get_reference_files", "get_source_file", "raw_corpus_bleu", "sentence_bleu",
    "sentence_chrf", "sentence_ter", "smart_open",
]  # fmt: skip
