# SPDX-License-Identifier: Apache-2.0
"""The house: imports go down, and optional libraries stay inside functions.

That start-up is lean is said by test_import_graph.py.
"""

from __future__ import annotations

import ast
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "src" / "truebleu"

#: Modules of the drop-in for sacreBLEU, of which some have the original's names.
COMPAT_SACREBLEU = [
    f"compat.sacrebleu{name}"
    for name in (
        ".version", ".files", ".kernel", ".significance", ".dataset.archives", ".dataset.base",
        ".dataset.plain_text", ".dataset.fake_sgml", ".dataset.iwslt_xml", ".dataset.tsv",
        ".dataset.wmt_xml", ".dataset.registry", ".dataset", ".report", ".subsets", ".utils",
        ".tokenizers", ".tokenizers.tokenizer_base", ".tokenizers.tokenizer_none",
        ".tokenizers.tokenizer_re", ".tokenizers.tokenizer_13a", ".tokenizers.tokenizer_intl",
        ".tokenizers.tokenizer_zh", ".tokenizers.tokenizer_char", ".tokenizers.tokenizer_mecab",
        ".tokenizers.tokenizer_ja_mecab",
        ".tokenizers.tokenizer_ko_mecab", ".tokenizers.tokenizer_spm", ".tokenizers.tokenizer_ter",
        ".metrics.helpers", ".metrics.score", ".metrics.base", ".metrics.bleu_score",
        ".metrics.on_kernel", ".metrics.bleu", ".metrics.chrf", ".metrics.lib_ter", ".metrics.ter",
        ".metrics",
        ".compat", "", ".argument_table", ".arguments", ".sacrebleu", ".__main__",
    )
]  # fmt: skip

#: Modules by floor. A module imports from lower floors, or from an earlier module of its own.
FLOORS = [
    ["version", "errors", "visible", "markup", "frozen", "rows", "options", "dialect",
     "metric_options", "stats", "ids", "threads", "output", "drawing", "figure",
     "json_text"],
    ["table", "dialects", "signature", "score", "metric_scores", "spec.text", "spec.numbers",
     "spec", "corpus", "tokenizers", "settings", "accumulation", "batches"],
    ["metric", "recent", "segment_metric", "chrf", "ter"],
    ["decompressor", "compressed", "decoding", "files", "workers"],
    ["tables", "formats"],
    ["streaming.blocks", "streaming.paths", "streaming.columns", "streaming.lines",
     "streaming.records", "streaming.quoted", "streaming.arrow_rows", "streaming.arrow",
     "streaming.scanning", "streaming.tally", "streaming.checkpoint",
     "streaming.output", "streaming.scoring", "streaming"],
    ["faults", "faults.texts", "faults.fault", "faults.kinds", "faults.excerpts", "faults.scripts",
     "faults.similarity", "faults.alignment", "faults.misalignment", "faults.characters",
     "faults.encodings", "faults.lengths", "faults.letter_case", "faults.sameness",
     "faults.tokenization", "faults.language", "faults.prices", "findings"],
    ["sources", "pairs", "diversity"],
    ["explanation.worksheet", "explanation.overlap", "explanation.influence",
     "explanation.narration",
     "explanation.notebook", "explanation", "difference.decision", "difference.counting",
     "difference.waterfall", "difference.divergence", "difference.surveys",
     "difference.notebook", "difference",
     "reconciliation.usualness", "reconciliation.reported", "reconciliation.tally",
     "reconciliation.candidates", "reconciliation.matches", "reconciliation",
     "reconciliation.verification", "slices"],
    ["significance.corrections", "significance.intervals", "significance.power",
     "significance.resampling", "significance.paired_tests", "significance.comparison",
     "significance.formats", "significance"],
    ["figures.look", "figures.layout", "figures.lines", "figures.orders", "figures.parts",
     "figures.intervals", "figures.surveys", "figures"],
    ["report.markup", "report.spans", "report.streams", "report.divisions", "report.contents",
     "report.segments", "report.pairs", "report.charts", "report.faults", "report.sections",
     "report.page", "report"],
    ["distributed", "distributed.segments", "distributed.batches", "distributed.failures",
     "distributed.file_tasks", "distributed.comparing", "distributed.ray", "distributed.spark"],
    ["compat", "compat.nltk.sequences", "compat.nltk.fraction", "compat.nltk.counts",
     "compat.nltk.smoothing", "compat.nltk", *COMPAT_SACREBLEU],
    ["integrations", "integrations.torchmetrics", "integrations.huggingface",
     "integrations.polars", "integrations.pandas", "integrations.duckdb"],
    ["cli.commands", "cli.flags", "cli.inputs", "cli.metrics", "cli.progress", "cli.terminal",
     "cli.streamed", "cli.score", "cli.explain", "cli.diff", "cli.reconcile", "cli.check",
     "cli.compare", "cli.dialects", "cli.sacrebleu", "cli.plot", "cli.report", "cli.mbr",
     "cli.self_bleu", "cli.completion", "cli", "__init__", "__main__"],
]  # fmt: skip


PLACE = {name: (floor, i) for floor, row in enumerate(FLOORS) for i, name in enumerate(row)}


def find_modules():
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE).with_suffix("").parts
        name = ".".join(part for part in parts if part != "__init__") or "__init__"
        yield name, path


MODULES = list(find_modules())
each_module = pytest.mark.parametrize(("name", "path"), MODULES, ids=[name for name, _ in MODULES])


def imports(tree):
    """Every imported module with whether the import runs when the module is imported."""
    inside = {
        node
        for function in ast.walk(tree)
        if isinstance(function, (ast.FunctionDef, ast.Lambda))
        for node in ast.walk(function)
    }
    guarded = {
        node
        for block in ast.walk(tree)
        if isinstance(block, ast.If) and ast.unparse(block.test) == "TYPE_CHECKING"
        for statement in block.body
        for node in ast.walk(statement)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            inner = [f"{node.module}.{alias.name}" for alias in node.names]
            is_package = node.module == "truebleu" or inner[0].removeprefix("truebleu.") in PLACE
            names = inner if is_package else [node.module]
        else:
            continue
        for name in names:
            yield name, node not in inside and node not in guarded


@each_module
def test_imports_go_down(name, path):
    assert name in PLACE, f"{name} has no floor; give it one in FLOORS"
    for imported, _ in imports(ast.parse(path.read_text())):
        if imported == "truebleu._core":
            # Each is the front of one kind of plan: BLEU's, and that of chrF and TER; the number
            # that all were built with is no plan.
            fronts = ("metric", "segment_metric", "version")
            assert name in fronts, f"{name} imports _core; only {' and '.join(fronts)} may"
        elif imported.startswith("truebleu."):
            target = imported.removeprefix("truebleu.")
            assert target in PLACE, f"{name} imports {imported}, which is no module"
            assert PLACE[target] < PLACE[name], f"{name} imports {imported}, which is not below it"
        elif imported == "truebleu":
            pytest.fail(f"{name} imports the root of the package")


#: What methods of values do on floors above, such as `Score.plot`: it is imported by its name when
#: such a method is called.
UPWARD = {("figure", "truebleu.figures"), ("significance.comparison", "truebleu.report")}


def test_only_methods_of_values_reach_up():
    found = {
        (name, argument.value)
        for name, path in MODULES
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("import_module")
        for argument in node.args
        if isinstance(argument, ast.Constant) and argument.value.startswith("truebleu")
    }
    assert found == UPWARD


@each_module
def test_only_the_standard_library_is_imported_at_the_top(name, path):
    for imported, at_top in imports(ast.parse(path.read_text())):
        root = imported.partition(".")[0]
        if at_top and root != "truebleu":
            assert root in sys.stdlib_module_names, f"{name} imports {imported} at its top"


def test_every_floor_has_its_modules():
    assert {name for name, _ in MODULES} == set(PLACE)


def test_no_file_is_over_400_lines():
    files = [path for _, path in MODULES] + list((ROOT / "crates").rglob("*.rs"))
    lengths = {str(path): len(path.read_text().splitlines()) for path in files}
    assert {name: length for name, length in lengths.items() if length > 400} == {}


def test_the_core_crate_knows_no_python_and_keeps_unsafe_in_simd():
    core = ROOT / "crates" / "core"
    assert "pyo3" not in tomllib.loads((core / "Cargo.toml").read_text())["dependencies"]
    for path in (core / "src").rglob("*.rs"):
        if path.parent.name != "simd":
            assert "unsafe" not in path.read_text().replace("`unsafe`", ""), path


def test_versions_agree():
    from truebleu import __version__

    workspace = tomllib.loads((ROOT / "Cargo.toml").read_text())["workspace"]["package"]
    assert workspace["version"] == __version__


def test_the_module_runs_without_the_interpreter_lock_where_there_is_none():
    if not hasattr(sys, "_is_gil_enabled"):
        pytest.skip("this interpreter always has its lock")
    environment = {**os.environ, "PYTHONWARNINGS": "error"}
    code = "import sys, truebleu; print(sys._is_gil_enabled())"
    run = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True, env=environment
    )
    assert run.stdout.strip() in ("True", "False")
