# SPDX-License-Identifier: Apache-2.0
"""The drop-in has the names that users import, with the signatures of the originals."""

import importlib
import inspect
import subprocess
import sys

import pytest
import sacrebleu as original
from support.public_names import shape

from truebleu.compat import sacrebleu as ours

#: Names in the original's modules that users import, or that its own tests use.
NAMES = {
    "": (*original.__all__, "compat", "dataset", "metrics", "tokenizers", "utils", "version"),
    "compat": (
        "corpus_bleu", "raw_corpus_bleu", "sentence_bleu", "corpus_chrf", "sentence_chrf",
        "corpus_ter", "sentence_ter", "BLEU", "BLEUScore", "CHRFScore", "TERScore",
    ),
    "dataset": ("DATASETS", "SUBSETS", "COUNTRIES", "DOMAINS"),
    "metrics": ("BLEU", "BLEUScore", "CHRF", "CHRFScore", "METRICS", "TER", "TERScore"),
    "metrics.base": ("Metric", "Score", "Signature", "sacrelogger"),
    "metrics.bleu": (
        "BLEU", "BLEUScore", "BLEUSignature", "MAX_NGRAM_ORDER", "_TOKENIZERS", "_get_tokenizer",
        "my_log", "sum_of_lists", "extract_all_word_ngrams", "sacrelogger",
    ),
    "metrics.chrf": (
        "CHRF", "CHRFScore", "CHRFSignature", "extract_all_char_ngrams", "extract_word_ngrams",
        "sum_of_lists",
    ),
    "metrics.helpers": (
        "extract_word_ngrams", "extract_all_word_ngrams", "extract_char_ngrams",
        "extract_all_char_ngrams",
    ),
    "metrics.lib_ter": (
        "BeamEditDistance", "translation_edit_rate", "trace_to_alignment", "_shift",
        "_perform_shift", "_find_shifted_pairs", "_flip_trace", "_COST_INS", "_COST_DEL",
        "_COST_SUB", "_MAX_SHIFT_SIZE", "_MAX_SHIFT_DIST", "_BEAM_WIDTH", "_MAX_CACHE_SIZE",
        "_MAX_SHIFT_CANDIDATES", "_INT_INFINITY", "_OP_INS", "_OP_DEL", "_OP_NOP", "_OP_SUB",
        "_OP_UNDEF", "_FLIP_OPS",
    ),
    "metrics.ter": (
        "TER", "TERScore", "TERSignature", "TercomTokenizer", "sum_of_lists",
        "translation_edit_rate",
    ),
    "significance": (
        "PairedTest", "Result", "estimate_ci", "_bootstrap_resample", "_compute_p_value",
        "_paired_ar_test", "_paired_bs_test", "sacrelogger",
    ),
    "tokenizers": ("BaseTokenizer",),
    "tokenizers.tokenizer_base": ("BaseTokenizer",),
    "tokenizers.tokenizer_none": ("NoneTokenizer",),
    "tokenizers.tokenizer_13a": ("Tokenizer13a",),
    "tokenizers.tokenizer_intl": ("TokenizerV14International",),
    "tokenizers.tokenizer_zh": ("TokenizerZh",),
    "tokenizers.tokenizer_char": ("TokenizerChar",),
    "tokenizers.tokenizer_re": ("TokenizerRegexp",),
    "tokenizers.tokenizer_spm": (
        "TokenizerSPM", "Flores101Tokenizer", "Flores200Tokenizer", "spBLEU1KTokenizer",
        "SPM_MODELS",
    ),
    "tokenizers.tokenizer_ja_mecab": ("TokenizerJaMecab", "FAIL_MESSAGE"),
    "tokenizers.tokenizer_ko_mecab": ("TokenizerKoMecab", "FAIL_MESSAGE"),
    "tokenizers.tokenizer_ter": ("TercomTokenizer",),
    "utils": (
        "my_log", "sum_of_lists", "smart_open", "SACREBLEU_DIR", "DATASETS",
        "get_source_file", "get_reference_files", "get_available_testsets",
        "get_available_testsets_for_langpair", "get_langpairs_for_testset", "get_files",
        "download_test_set", "SUBSETS", "USERHOME", "filter_subset", "print_test_set",
        "print_subset_results", "get_available_origlangs", "get_available_subsets",
    ),
    "version": ("__version__", "version", "version_tuple", "__version_tuple__"),
}  # fmt: skip


def modules(name):
    return [
        importlib.import_module(f"{package.__name__}{'.' * bool(name)}{name}")
        for package in (original, ours)
    ]


@pytest.mark.parametrize("module", NAMES)
def test_names_have_the_originals_signatures(module):
    for name in NAMES[module]:
        theirs, mine = (getattr(one, name) for one in modules(module))
        if inspect.ismodule(theirs) or name in ("DATASETS", "METRICS", "SACREBLEU_DIR"):
            continue
        if callable(theirs):
            check(theirs, mine)
        else:
            assert name == "FAIL_MESSAGE" or mine == theirs, name


def check(theirs, mine):
    assert inspect.isclass(mine) == inspect.isclass(theirs)
    assert shape(mine) == shape(theirs)
    if not inspect.isclass(theirs) or theirs.__name__ == "BeamEditDistance":  # only called
        return
    for method, value in inspect.getmembers(theirs):
        if (callable(value) and method in ("__init__", "__call__")) or not method.startswith("__"):
            own = getattr(mine, method)
            if callable(value) and not inspect.isclass(value):
                assert shape(own) == shape(value), method
            elif not callable(value):
                assert own == value or repr(own) == repr(value) or method == "_abc_impl", method


def test_full_argument_specs_as_fairseq_reads_them():
    for module in (original, ours):
        assert "smooth_method" in inspect.getfullargspec(module.BLEU.compute_bleu)[0]
        assert "smooth_method" in inspect.getfullargspec(module.metrics.BLEU.compute_bleu)[0]


def test_the_original_is_not_imported():
    code = (
        "import sys, logging; from truebleu.compat import sacrebleu as s; "
        "s.corpus_bleu(['a b'], [['a b']]); s.sentence_bleu('a', ['a']); "
        "s.BLEU(tokenize='intl').sentence_score('a', ['a']); "
        "import truebleu.compat.sacrebleu.utils; "
        "print(*sorted({name.partition('.')[0] for name in sys.modules}))"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    imported = set(done.stdout.split())
    assert imported & {"sacrebleu", "numpy", "regex", "portalocker", "tabulate", "lxml"} == set()


def test_tokenizers_remember_lines_as_the_originals_do():
    for module in (original, ours):
        named = [module.metrics.bleu._get_tokenizer(name) for name in ("13a", "zh", "intl", "char")]
        for kind in (*named, module.metrics.ter.TercomTokenizer):
            call = kind.__call__
            call.cache_clear()
            tokenizer = kind()
            assert tokenizer("a b.") == tokenizer("a b.")
            assert call.cache_info()[:3] == (1, 1, 2**16)


def test_characters_of_zh_are_the_originals():
    theirs, mine = (one.TokenizerZh._is_chinese_char for one in modules("tokenizers.tokenizer_zh"))
    codes = [*range(0x10000), *range(0x1FFF0, 0x20010), 0x2A6D6, 0x2F800, 0x10FFFF]
    assert [mine(chr(code)) for code in codes] == [theirs(chr(code)) for code in codes]
