# SPDX-License-Identifier: Apache-2.0
"""Try an installed TrueBLEU: CI runs this in an environment with its wheel and NumPy only.

Scores are compared with those of `truebleu.spec`, which is plain Python. Every module is imported,
because none may need an optional library for that.
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.metadata
import os
import pkgutil
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import truebleu
from truebleu import spec
from truebleu._core import simd_levels

EXAMPLES = Path(__file__).parent.parent / "examples"
TOKENIZERS = {"de-en": "13a", "en-zh": "zh"}


def must(holds: object, what: str) -> None:
    """Exit with a message unless a condition holds."""
    if not holds:
        sys.exit(f"smoke.py: {what}")


def lines(path: Path) -> list[str]:
    """The segments of an example."""
    return path.read_text(encoding="utf-8").splitlines()


def main() -> None:
    """Try the package, then the command, under every instruction set of this processor."""
    installed = importlib.metadata.version("truebleu")
    must(installed == truebleu.__version__, f"{truebleu.__version__} calls itself {installed}")
    if sysconfig.get_config_var("Py_GIL_DISABLED"):
        must(not sys._is_gil_enabled(), "importing it enabled the interpreter lock")
    for module in pkgutil.walk_packages(truebleu.__path__, "truebleu."):
        if not module.name.endswith("__main__"):
            with contextlib.suppress(truebleu.MissingExtraError):  # of optional libraries
                importlib.import_module(module.name)
    command = shutil.which("truebleu", path=os.path.dirname(sys.executable)) or "truebleu"
    for folder, tokenizer in TOKENIZERS.items():
        files = sorted((EXAMPLES / folder).glob("ref.?.txt"))
        refs = list(zip(*map(lines, files), strict=True))
        for hyp in sorted((EXAMPLES / folder).glob("hyp.*.txt")):
            bleu = truebleu.BLEU(tokenize=tokenizer)
            true = spec.corpus_bleu(bleu.dialect, lines(hyp), refs)
            for level in simd_levels():
                options = ["-i", hyp, "-tok", tokenizer, "-b", "-w", "9"]
                printed = subprocess.run(
                    [command, "score", *files, *options],
                    check=True,
                    stdout=subprocess.PIPE,
                    text=True,
                    env={**os.environ, "TRUEBLEU_SIMD": level},
                ).stdout.strip()
                must(printed == f"{true:.9f}", f"{level}: {hyp.name} is {true:.9f}, not {printed}")
            value = bleu.corpus(lines(hyp), refs).value
            must(value == true, f"{hyp.name}: {value!r} should be {true!r}")
    levels = ", ".join(simd_levels())
    print(f"truebleu {installed} works: Python {sys.version.split()[0]}, {sys.platform}, {levels}")


if __name__ == "__main__":
    main()
