# SPDX-License-Identifier: Apache-2.0
"""`check` on files as they are: on the WMT files, only warnings that are true."""

import pytest
from support.example_texts import lines
from support.profiles import few

from truebleu import BLEU
from truebleu.analysis.check import Column, Texts, inspect

TOKENIZERS = {"wmt22/en-ja": "char"}

#: Every error and warning on these systems but those below, and the number of its lines. Each was
#: read, and is true: reference B of WMT21 en-ru is a line out of step for 10 lines, from 744 or 743
#: on, and one system wrote `<unk>` into 229 lines.
TRUE = {("ref.B.txt", "shifted-lines"): 10, ("hyp.Lan-Bridge.txt", "foreign-marks"): 229}
#: Kinds of which there may be more: typography that costs a point, and missing text.
OTHERS = {"quotation-marks", "width", "empty-hyp", "too-short"}


@pytest.mark.slow
@pytest.mark.parametrize(
    "folder", few(["wmt21/en-ru", "wmt22/en-de", "wmt22/en-ja", "wmt22/zh-en"], every=4)
)
def test_every_warning_on_real_files_is_true(shared, folder):
    path = shared / "data" / folder
    refs = [Column("ref", ref.name, lines(ref), 1) for ref in sorted(path.glob("ref.*.txt"))]
    metric = BLEU(tokenize=TOKENIZERS.get(folder, "13a"))
    for file in sorted(path.glob("hyp.*.txt")):
        for finding in inspect(Texts(Column("hyp", file.name, lines(file), 1), refs), metric):
            assert finding.effect is None or finding.effect > -1e-9
            if finding.severity != "note" and finding.kind not in OTHERS:
                assert len(finding.lines) - TRUE[finding.column, finding.kind] in (0, 1)
