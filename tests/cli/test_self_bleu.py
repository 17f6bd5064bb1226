# SPDX-License-Identifier: Apache-2.0
"""`truebleu self-bleu`: its formats and errors."""

import json

import pytest
from support.command import scored

from truebleu import self_bleu

TEXTS = ["a b c d", "a b c e", "a b c d f", "x y", "x y z", "x y z"]


@pytest.fixture(autouse=True)
def files(folder):
    (folder / "lines").write_text("".join(text + "\n" for text in TEXTS))
    return folder


def test_self_bleu_of_a_file():
    value = self_bleu(TEXTS)
    line = f"self-BLEU|{value.signature} = {value:.1f} (6 texts, leave-one-out)\n"
    assert scored("self-bleu", "lines") == (line, "")
    assert scored("self-bleu", "-b", "-w", "4", stdin=b"a b c\na b d\n")[0] == (
        f"{self_bleu(['a b c', 'a b d']):.4f}\n"
    )
    output, _ = scored("self-bleu", "lines", "-f", "json", "-d", "fast-bleu", "--tokenize", "13a")
    value = self_bleu(TEXTS, "fast-bleu", tokenize="13a")
    assert json.loads(output) == {
        "file": "lines", "value": value.value, "interval": None, "texts": 6, "scored": 6,
        "definition": "leave-one-out", "signature": value.signature,
    }  # fmt: skip


def test_self_bleu_of_several_files_names_them():
    output, _ = scored("self-bleu", "lines", "hyp", "-b")
    assert len(output.splitlines()) == 2
    output, _ = scored("self-bleu", "lines", "hyp")
    assert [line.split()[0] for line in output.splitlines()] == ["lines", "hyp"]


def test_self_bleu_of_a_sample_has_an_interval():
    output, _ = scored("self-bleu", "lines", "--sample", "4", "--seed", "7")
    value = self_bleu(TEXTS, sample=4, seed=7)
    low, high = value.interval
    assert output.endswith(
        f"= {value:.1f} (6 texts, leave-one-out; 4 drawn, 95 % interval {low:.1f} to {high:.1f})\n"
    )
