# SPDX-License-Identifier: Apache-2.0
"""Type checkers accept the options that are declared, and refuse mistakes."""

import re
import shutil
import subprocess
import sys

import pytest
from conftest import ROOT
from support.profiles import few

WRONG = (
    'tb.BLEU(tokenise="13a")', 'tb.BLEU(smooth_method="flor")', "tb.BLEU(lowercase=3.5)",
    'tb.corpus_bleu(["a"], ["a"], lowercse=True)', "tb.corpus_blue(['a'], ['a'])",
    'tb.sentence_bleu("a", "a", max_order=2)', "tb.CHRF(word_orders=2)", 'tb.CHRF(beta="2")',
    "tb.TER(lowercase=True)", "tb.GLEU(max_length=4)", 'tb.NIST(references="first")',
    'tb.BLEU().corpus(["a"], ["a"], confidence="95")', "tb.BLEU().scores", "tb.BLEU().corpus()",
    'tb.dialect("sacrebleu", smoothing="exp")', "tb.BLEU(3)", "tb.BLEU().score(5)",
    'tb.corpus_bleu(["a"], ["a"]).presicions', "tb.Scores", 'tb.BLEU(ref_len="nearest")',
    'tb.explain("a", "a").unmatched', "tb.BLEU().accumulator().compute().edits",
    "tb.BLEU().corpus([], []).score", 'tb.CrystalBLEU(tokenise="13a")',
    'tb.self_bleu(["a"], tokenise="13a")', 'tb.explain(["a"], ["a"], tokenise="13a")',
    'tb.compare({"A": ["a"]}, ["a"], metric="chrf", word_orders=2)', 'tb.CodeBLEU("python", weigths=[1])',
    'tb.plot({"A": ["a"]}, ["a"], metric="ter", normalised=True)', 'tb.mbr(["a"], metric="chrf", betta=3)',
    'tb.check(["a"], ["a"], lowercse=True)', 'tb.human_agreement(1, smooth_methods="floor")',
    'tb.diff(["a"], ["a"], tokenise="13a")', 'tb.write_report("r.html", {"A": ["a"]}, ["a"], titel="x")',
    'tb.trivial_ngrams(["a"], max_order=3)', "tb.CHRF().options.chars",
    "tb.Accumulator(tb.CHRF()).stats.matches", 'tb.scan("a", "b").score(tb.CHRF()).bp', "tb.TER().reader.dialect",
    'tb.self_bleu(["a"]).scores.mean()',
)  # fmt: skip


#: What a checker knows of the names of sacreBLEU in the drop-in.
DROP_IN = """from truebleu.compat import sacrebleu
from truebleu.compat.sacrebleu.metrics import BLEU
from truebleu.compat.sacrebleu.significance import PairedTest
score: int = sacrebleu.corpus_bleu([''], [['']])
method: int = BLEU().compute_bleu
kind: int = sacrebleu.metrics.BLEUScore
sacrebleu.nothing
"""


#: mypy, and pyright as PyPI has it with its Node.
CHECKERS = {
    "mypy": ("--strict", "--no-incremental", "--config-file=mypy.ini"),
    "basedpyright": ("-p", "pyright.json", "--pythonpath", sys.executable),
}
#: Pyright reads of a library what is used; mypy reads it all, so it leaves out the large ones.
MYPY = """[mypy]
disable_error_code = import-untyped
[mypy-polars.*,pandas.*,pyarrow.*]
follow_imports = skip
"""


@pytest.mark.parametrize("checker", few(CHECKERS, 2))
def test_type_checkers_accept_typical_lines_and_refuse_mistakes(checker, tmp_path):
    shutil.copy(ROOT / "tests" / "support" / "typical_lines.py", tmp_path / "right.py")
    (tmp_path / "wrong.py").write_text("\n".join(["import truebleu as tb", *WRONG, ""]))
    (tmp_path / "drop_in.py").write_text(DROP_IN)
    (tmp_path / "pyright.json").write_text('{"typeCheckingMode": "standard"}')
    (tmp_path / "mypy.ini").write_text(MYPY)
    command = [sys.executable, "-m", checker, *CHECKERS[checker]]
    command += ["right.py", "wrong.py", "drop_in.py"] if checker == "mypy" else []
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    found = re.findall(r"(right|wrong|drop_in)\.py:(\d+).*? error: ", done.stdout)
    wrong = {("wrong", str(number)) for number in range(2, 2 + len(WRONG))}
    assert set(found) == wrong | {("drop_in", number) for number in "4567"}, done.stdout
    assert '"BLEUScore"' in done.stdout
