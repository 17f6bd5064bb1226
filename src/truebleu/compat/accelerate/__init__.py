# SPDX-License-Identifier: Apache-2.0
"""`truebleu.accelerate()`: the installed sacreBLEU, NLTK and pycocoevalcap compute with the kernel.

Functions of these libraries are replaced in place: they call the kernel for usual input, and the
original code for everything else. A library is accelerated only if its source is one that was
tested, whatever its version says.
"""

from __future__ import annotations

import sys
import threading
import warnings
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import FunctionType
from typing import Any, Self

from truebleu.compat.accelerate.patches import Finder, Patch, digest, is_own
from truebleu.errors import MissingExtraError, OptionError, suggest

LIBRARIES = ("sacrebleu", "nltk", "pycocoevalcap")

_SACREBLEU = """
metrics/base metrics/bleu metrics/chrf metrics/helpers metrics/lib_ter metrics/ter
tokenizers/tokenizer_13a tokenizers/tokenizer_char tokenizers/tokenizer_intl
tokenizers/tokenizer_none tokenizers/tokenizer_re tokenizers/tokenizer_ter
tokenizers/tokenizer_zh utils
"""

#: The modules that are patched, each with the files whose source decides, without `.py`, and the
#: tested versions by the hash of these files.
MODULES: dict[str, tuple[str, dict[str, str]]] = {
    "sacrebleu": (_SACREBLEU, {"74a0e5c37225f32b": "2.6.0"}),
    "sacrebleu.significance": ("significance", {"3c33bb982bb9ccbf": "2.6.0"}),
    "nltk.translate.bleu_score": ("bleu_score", {"02e7d7370fc615b5": "3.10.4"}),
    "nltk.translate.gleu_score": ("gleu_score", {"ccafb279212113ff": "3.10.4"}),
    "nltk.translate.nist_score": ("nist_score", {"0c49cc245a5c81b0": "3.10.4"}),
    "pycocoevalcap.bleu.bleu": ("bleu bleu_scorer", {"5b39e7284b41f2fe": "1.2"}),
}

_lock = threading.RLock()
#: Calls of `accelerate` that are not undone, by library.
_calls = dict.fromkeys(LIBRARIES, 0)
#: Libraries of which a warning has said that they are not accelerated.
_untested: set[str] = set()
_patches: dict[str, list[Patch]] = {}
#: The patches of all functions that were ever replaced.
_patch_of: dict[FunctionType, Patch] = {}


class Acceleration:
    """What a call of `accelerate` has changed. A context manager that undoes it.

    Attributes:
        names: the libraries.
    """

    def __init__(self, names: tuple[str, ...]) -> None:
        self.names = names
        self._undone = False

    def undo(self) -> None:
        """Restore the original functions, unless another call of `accelerate` needs them.

        Functions that others have replaced in the meantime stay as they are. A second call has no
        effect.
        """
        with _lock:
            names = () if self._undone else self.names
            self._undone = True
            for name in names:
                _calls[name] -= 1
                if not _calls[name]:
                    for module in _modules(name):
                        _finder.waiting.discard(module)
                        for patch in _patches.pop(module, ()):
                            patch.undo()
            if not _finder.waiting and _finder in sys.meta_path:
                sys.meta_path.remove(_finder)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.undo()

    def __repr__(self) -> str:
        return f"Acceleration{self.names}"


def accelerate(*names: str) -> Acceleration:
    """Let installed libraries compute with the kernel, in place, with the same results.

    Code that imports sacreBLEU, NLTK's `bleu_score`, `gleu_score` and `nist_score`, or
    pycocoevalcap is accelerated without a change, whether it has imported them already or does so
    later. A library whose source is not a tested one computes as before, with one warning.

    Args:
        names: `sacrebleu`, `nltk`, `pycocoevalcap` (default: those that are installed).

    Returns:
        A handle with `undo()`, which also is a context manager. Calls are counted: the last `undo`
        restores the originals.

    Raises:
        OptionError: there is no such library.
        MissingExtraError: a library that is named is not installed.

    Warns:
        UserWarning: a library is not accelerated, because its source is not a tested one.

    Example:
        >>> import sacrebleu
        >>> import truebleu as tb
        >>> with tb.accelerate("sacrebleu"):
        ...     sacrebleu.corpus_bleu(["the cat is on the mat"], [["the cat sat on the mat"]])
        BLEU = 37.99 83.3/60.0/25.0/16.7 (BP = 1.000 ratio = 1.000 hyp_len = 6 ref_len = 6)
    """
    for name in names:
        if name not in LIBRARIES:
            raise OptionError(f"no library to accelerate is named {suggest(name, LIBRARIES)}")
        if not _is_installed(name):
            install = "'truebleu[sacrebleu]'" if name == "sacrebleu" else name
            raise MissingExtraError(f"{name} is not installed; pip install {install}")
    chosen = tuple(dict.fromkeys(names or filter(_is_installed, LIBRARIES)))
    with _lock:
        if _finder not in sys.meta_path:
            sys.meta_path.insert(0, _finder)
        for name in chosen:
            _calls[name] += 1
            for module in _modules(name):
                _finder.waiting.add(module)
                if sys.modules.get(module):
                    _patch(module)
    return Acceleration(chosen)


def is_accelerated(name: str) -> bool:
    """Whether functions of a library are replaced now."""
    return any(patch.is_active() for module in _modules(name) for patch in _patches.get(module, ()))


def _modules(library: str) -> list[str]:
    return [name for name in MODULES if name.partition(".")[0] == library]


def _is_installed(name: str) -> bool:
    return bool(sys.modules[name] if name in sys.modules else find_spec(name))


def _patch(name: str) -> None:
    """Patch a module that is loaded; again after a `reload`."""
    with _lock:
        module = sys.modules[name]
        library = name.partition(".")[0]
        if not _calls[library] or not _is_tested(name, module):
            return
        part = "significance" if name == "sacrebleu.significance" else library
        door = import_module(f"{__name__}.{part}")
        _patches[name] = [
            _patch_of.setdefault(function, Patch(function, replacement))
            for function, replacement in door.patches(name, module)
            if is_own(function, library)
        ]
        for patch in _patches[name]:
            patch.apply()


@cache
def _is_tested(name: str, module: Any) -> bool:
    """Whether the source of a module is a tested one; one warning for a library says so if not."""
    files, versions = MODULES[name]
    is_tested = digest(module, files.split()) in versions
    library = name.partition(".")[0]
    if not is_tested and library not in _untested:
        _untested.add(library)
        warnings.warn(
            f"{name} is not accelerated, nor are other parts of {library} whose source is not that "
            f"of version {' or '.join(sorted(versions.values()))}; their results are their own",
            stacklevel=4,
        )
    return is_tested


_finder = Finder(_patch)
