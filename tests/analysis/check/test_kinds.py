# SPDX-License-Identifier: Apache-2.0
"""Each kind of fault, put into good files, gives its finding and no other."""

import zlib
from functools import cache
from random import Random

import pytest
from conftest import ROOT
from support.example_texts import lines
from support.injected_faults import CASES, Files
from support.profiles import few

import truebleu
from truebleu.analysis.check import Column, Texts, inspect
from truebleu.analysis.check.kinds import KINDS, SEVERITIES
from truebleu.analysis.check.scripts import letters_by_script, script_of_most

#: Kinds that have a test of their own instead of a case.
ELSEWHERE = {
    "transposed",
    "missing-reference",
    "byte-order-mark",
    "wrong-tokenizer",
    "unequal-lines",
    # in test_planted_faults.py
    "added-text",
    "chat",
    "escaped",
    "foreign-marks",
    "missing-spaces",
    "repeated-text",
    "truncated",
}

EXAMPLES = [
    ("de-en", "aurora", "13a"), ("de-en", "basalt", "13a"), ("de-en", "cinder", "13a"),
    ("en-zh", "aurora", "zh"), ("en-zh", "basalt", "zh"), ("en-zh", "cinder", "zh"),
]  # fmt: skip

REAL = [
    ("wmt21/en-ru", "NVIDIA-NeMo", "13a"),
    ("wmt22/en-de", "Online-B", "13a"),
    ("wmt22/zh-en", "LanguageX", "13a"),
    ("wmt22/en-ja", "NT5", "char"),
]


def read(folder, system, most=600):
    """The first lines of a test set: fewer take less time."""
    refs = [lines(path)[:most] for path in sorted(folder.glob("ref.*.txt"))]
    src = folder / "source.txt"
    hyp = lines(folder / f"hyp.{system}.txt")[:most]
    script = script_of_most(letters_by_script(refs[0]))
    return Files(hyp, refs, lines(src) if src.exists() else None, script)


def findings(files, **options):
    refs = [Column("ref", f"ref{k}", ref, 1) for k, ref in enumerate(files.refs)]
    src = Column("src", "src", files.src, 1) if files.src else None
    return inspect(Texts(Column("hyp", "hyp", files.hyp, 1), refs, src), truebleu.BLEU(**options))


def places(results, kind):
    return {(f.column, line) for f in results if f.kind == kind for line in f.lines}


@cache
def good(folder, system, tokenizer):
    """Files as they are, and what is found in them."""
    files = read(folder, system)
    return files, findings(files, tokenize=tokenizer)


def is_found(case, folder, system, tokenizer, seed):
    """Inject the fault and see that its finding follows and no other; False if it does not fit."""
    files, before = good(folder, system, tokenizer)
    if int(case.column.removeprefix("ref").replace("hyp", "0")) >= len(files.refs):
        return False
    bad = files.copy()
    rows = case.inject(Random(seed), bad, bad.column(case.column))
    if rows is None or (bad.hyp, bad.refs) == (files.hyp, files.refs):
        return False
    after = findings(bad, tokenize=tokenizer)
    assert {f.column for f in after if f.kind == case.kind} >= {case.column}, after
    if rows:
        new = places(after, case.kind) - places(before, case.kind)
        assert new == {(case.column, row) for row in rows} - places(before, case.kind)
    extra = {f.kind for f in after} - {f.kind for f in before} - {case.kind, *case.also}
    assert not extra, after
    return True


def seeds(case, place, count):
    """Seeds for a case and a place, the same in every run."""
    return [zlib.crc32(f"{case.kind} {case.name} {place} {k}".encode()) for k in range(count)]


def named(case):
    return f"{case.kind} {case.name} {case.column}"


@pytest.mark.parametrize("case", CASES, ids=named)
def test_faults_in_the_examples_are_found(case):
    fits = [
        is_found(case, ROOT / "examples" / pair, system, tokenizer, seed)
        for pair, system, tokenizer in EXAMPLES
        for seed in seeds(case, f"{pair} {system}", 2)
    ]
    # The examples have no Russian.
    assert sum(fits) >= 2 or case.name == "cp1251"


@pytest.mark.parametrize("case", few(CASES, every=4), ids=named)
def test_faults_in_real_files_are_found(case, shared):
    """In one of the files that the fault fits; which is tried first is up to the case."""
    first = seeds(case, "", 1)[0] % len(REAL)
    for pair, system, tokenizer in REAL[first:] + REAL[:first]:
        seed = seeds(case, pair, 1)[0]
        if is_found(case, shared / "data" / pair, system, tokenizer, seed):
            return
    assert case.kind in ("hyp-is-src", "untranslated")  # there are no sources


def test_every_kind_is_tested():
    assert {case.kind for case in CASES} | ELSEWHERE == set(KINDS)
    for kind in KINDS.values():
        assert {kind.severity, kind.harmless} <= set(SEVERITIES)
        assert kind.advice[0].islower()
        assert not kind.advice.endswith(".")
