# SPDX-License-Identifier: Apache-2.0
"""`truebleu.compat.sacrebleu` accelerates the installed sacreBLEU, and is it."""

import sys
from importlib.metadata import distribution
from pathlib import Path

from support.programs import output_of, run_program

import truebleu


def modules():
    """The names of sacreBLEU's modules that can be imported."""
    for file in distribution("sacrebleu").files:
        if file.parts[0] == "sacrebleu" and file.suffix == ".py" and file.stem != "__main__":
            parts = file.with_suffix("").parts
            yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def test_each_module_is_sacrebleus():
    names = sorted(modules())
    assert len(names) > 25
    code = "\n".join(
        [
            "import truebleu.compat.sacrebleu.metrics.bleu, sys",  # without its parents before
            "from truebleu.compat.accelerate import is_accelerated",
            "assert is_accelerated('sacrebleu')",
            *(f"import truebleu.compat.{name}, {name}" for name in names),
            *(f"assert sys.modules['truebleu.compat.{name}'] is {name}" for name in names),
            *(f"assert truebleu.compat.{name} is {name}" for name in names),
            *(f"assert {name}.__name__ == {name}.__spec__.name == '{name}'" for name in names),
            "from truebleu.compat import sacrebleu as ours",
            "from truebleu.compat.sacrebleu import corpus_bleu",
            "assert ours is sacrebleu and corpus_bleu is sacrebleu.corpus_bleu",
        ]
    )
    output_of([sys.executable, "-c", code])
    _, printed = run_program([sys.executable, "-c", "import truebleu.compat.sacrebleu.nothing"])
    assert printed.endswith("No module named 'sacrebleu.nothing'\n")


def test_without_sacrebleu():
    for code in ("from truebleu.compat import sacrebleu", "from truebleu.compat.sacrebleu.metrics import BLEU"):
        missing = f"import sys; sys.modules['sacrebleu'] = None\n{code}"
        assert run_program([sys.executable, "-c", missing])[1].endswith(
            "MissingExtraError: sacrebleu is not installed; pip install 'truebleu[sacrebleu]'\n"
        )


def test_each_module_has_a_stub():
    """With these, type checkers see sacreBLEU's types: tests/dialects/test_changes.py."""
    stubs = Path(truebleu.__file__).parent / "compat" / "sacrebleu"
    known = {".".join(stub.relative_to(stubs).with_suffix("").parts) for stub in stubs.rglob("*.pyi")}
    names = {name.partition(".")[2] or "__init__" for name in modules()}
    names = {f"{name}.__init__" if f"{name}.__init__" in known else name for name in names}
    left_out = {name for name in names - known if not name.startswith("dataset.")}
    assert left_out == {"sacrebleu", "version"}
