# SPDX-License-Identifier: Apache-2.0
"""`normalize=` scores texts as if they had been normalized before, through every door."""

import pickle

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from support.command import refusal, run, truebleu
from support.example_texts import write_lines

import truebleu as tb
from truebleu import BLEU, CHRF, GLEU, NIST, TER, CrystalBLEU, InputError
from truebleu.spec import normalize as spec_normalize
from truebleu.text.normalizations import NORMALIZATIONS, Normalization, substitution

HYPS = ["He said: “it is late” – and left…", "plain text", "«Non», dit-il", "the “end” of it"] * 9
REFS = [
    ['He said: "it is late" - and left...', None], ["plain text here", "plain ‘text’"],
    ['"Non", dit-il', "« Non », dit-il"], ['the "end" of the day', "the “end” of the day"],
] * 9  # fmt: skip
NAMES = ["quotes", "dashes"]
METRICS = [
    BLEU, CHRF, TER, GLEU, NIST, CrystalBLEU, lambda **options: CHRF(word_order=2, **options),
    lambda **options: BLEU("nltk", lowercase=True, tokenize=str.split, **options),
]  # fmt: skip


def fixed(item, rows=("quotes", "dashes")):
    if isinstance(item, list):
        return [fixed(inner, rows) for inner in item]
    for row in rows if item else ():
        item = NORMALIZATIONS[row](item)
    return item


BEFORE = fixed(HYPS), fixed(REFS)


@pytest.mark.parametrize("metric", METRICS)
def test_every_metric_and_door_reads_normalized_texts(metric):
    normalizing, plain = metric(normalize=NAMES), metric()
    if metric is NIST:
        normalizing, plain = NIST(info=REFS, normalize=NAMES), NIST(info=BEFORE[1])
    expected = plain.corpus(*BEFORE)
    assert expected.value != plain.corpus(HYPS, REFS).value
    score = normalizing.corpus(HYPS, REFS)
    assert (score.value, score.stats) == (expected.value, expected.stats)
    assert "|normalize:quotes,dashes|" in score.signature
    assert list(normalizing.sentences(HYPS, REFS)) == list(plain.sentences(*BEFORE))
    assert normalizing.sentence(HYPS[0], REFS[0]).value == plain.sentences(*BEFORE)[0]
    assert normalizing.stats(HYPS, REFS) == plain.stats(*BEFORE)
    assert (normalizing.pairwise(HYPS[:4]) == plain.pairwise(BEFORE[0][:4])).all()
    assert normalizing.tokens(HYPS[2]) == plain.tokens(BEFORE[0][2])
    accumulator = normalizing.accumulator()
    accumulator.update(HYPS[:7], REFS[:7])
    accumulator.update(iter(HYPS[7:]), iter(REFS[7:]))
    assert accumulator.compute() == score
    for column in (tuple, iter, pd.Series, pl.Series, pa.array, pa.chunked_array):
        values = [HYPS] if column is pa.chunked_array else HYPS
        refs = [refs[0] for refs in REFS]
        assert normalizing.corpus(column(values), refs).value == (
            plain.corpus(BEFORE[0], [refs[0] for refs in BEFORE[1]]).value
        )
    assert normalizing.corpus(pa.array(HYPS), pa.array(REFS)).value == expected.value


def test_analyses_read_normalized_texts():
    bleu, firsts = BLEU(normalize=NAMES), [refs[0] for refs in REFS]
    other = ["He says: „it is late“ — and left...", "text", "Non", "an end"] * 9
    assert tb.self_bleu(HYPS, normalize=NAMES) == tb.self_bleu(BEFORE[0])
    assert tb.mbr(HYPS[:4], normalize=NAMES).scores == tb.mbr(BEFORE[0][:4]).scores
    assert tb.explain(HYPS[0], firsts[0], normalize=NAMES).overlap == (
        tb.explain(BEFORE[0][0], fixed(firsts[0])).overlap
    )
    compared, expected = (
        tb.compare({"a": hyps, "b": others}, refs, resamples=50, **options)
        for hyps, others, refs, options in (
            (HYPS, other, REFS, {"normalize": NAMES}),
            (BEFORE[0], fixed(other), BEFORE[1], {}),
        )
    )
    assert [(p.difference, p.p) for p in compared.pairs] == ([(p.difference, p.p) for p in expected.pairs])
    contrasted = tb.contrast(HYPS, other, REFS, normalize=NAMES, resamples=9)
    assert contrasted.difference == bleu.corpus(HYPS, REFS).value - bleu.corpus(other, REFS).value
    waterfall = tb.diff(HYPS, REFS, "sacrebleu", bleu.dialect)
    assert str(waterfall.steps[0].decisions[0]) == "normalize: none -> quotes,dashes"
    assert waterfall.steps[-1].after == pytest.approx(bleu.corpus(HYPS, REFS).value)


def test_files_are_normalized_small_and_large(folder):
    refs = [refs[0] for refs in REFS]
    write_lines({"hyp": HYPS, "hyp.fixed": fixed(HYPS), "ref": refs, "ref.fixed": fixed(refs)}, folder)
    flags = ("-m", "bleu", "chrf", "ter", "gleu", "nist", "-b", "-w", "9")
    expected = truebleu("score", "ref.fixed", "-i", "hyp.fixed", *flags)
    flags = (*flags, "--normalize", *NAMES)
    assert truebleu("score", "ref", "-i", "hyp", *flags) == expected
    assert truebleu("score", "ref", "-i", "hyp", "--per-segment", "s.tsv", *flags) == expected
    assert b"normalize:quotes,dashes" in run("score", "ref", "-i", "hyp", *flags[9:]).stdout
    assert "'quote'; did you mean quotes" in refusal("score", "ref", "--normalize", "quote")
    flags = ("-m", "codebleu", "--codebleu-lang", "c", "--normalize", "quotes")
    assert "--normalize is an option of bleu" in refusal("score", "ref", "-i", "hyp", *flags)


def test_signatures_read_back():
    for names in (NAMES, "typography", ["nfkc", "quotes"]):
        bleu = BLEU(normalize=names)
        assert tb.parse_signature(bleu.signature) == bleu.dialect
    assert "|normalize:typography|unicode:normalize-" in BLEU(normalize="typography").signature
    assert "|normalize:quotes|version" in BLEU(normalize="quotes").signature
    assert "|normalize:nfc|unicode:normalize-" in CHRF(normalize="nfc").signature
    assert BLEU(normalize=NORMALIZATIONS["quotes"]).signature == BLEU(normalize="quotes").signature
    assert BLEU(normalize=[]).signature == BLEU().signature


def test_statistics_of_different_normalizations_do_not_mix():
    def row(new, pattern="æ"):
        return Normalization("ae", "ae", lambda text: text.replace("æ", new), pattern)

    metrics = [
        BLEU(normalize=value)
        for value in (
            [], "quotes", row("ae"), row("e"), row("ae", "æ|œ"),
            Normalization("ae", "ae", substitution("æ", "ae")),
            Normalization("ae", "ae", substitution("æ", "e")), Normalization("quotes", "", str),
        )
    ]  # fmt: skip
    stats = [metric.stats(["Cæsar"], ["Caesar"]) for metric in metrics]
    for i, first in enumerate(stats):
        for second in stats[:i]:
            with pytest.raises(InputError, match="do not mix"):
                first + second
    again = BLEU(normalize=row("ae")).stats(["Cæsar"], ["Caesar"])
    assert (again + stats[2]).signature.startswith("case:mixed|tok:13a|normalize:python[ae-")
    copied = pickle.loads(pickle.dumps(metrics[5]))  # noqa: S301
    copied.accumulator().merge(metrics[5].accumulator())


def test_run_files_name_normalizations(tmp_path):
    metrics = [BLEU(normalize=NAMES), CHRF(normalize="typography")]
    saved = tb.save_run(tmp_path / "x.bleu", {"a": HYPS}, REFS, metrics)
    loaded = tb.load_run(tmp_path / "x.bleu")
    assert loaded.scores == saved.scores
    lines = [score.signature for score in loaded.scores["a"]]
    assert lines == [metric.corpus(HYPS, REFS).signature for metric in metrics]


def test_a_normalization_of_your_own():
    row = Normalization("ae", "ae", lambda text: text.replace("æ", "ae"), "æ")
    for metric in METRICS:
        score = metric(normalize=["quotes", row]).corpus(["“Cæsar” “came”"], ['"Caesar" "came"'])
        perfect = metric().corpus(['"Caesar" "came"'], ['"Caesar" "came"'])
        assert score.value == perfect.value


@pytest.mark.usefixtures("undrawn")
def test_a_report_shows_normalized_scores_and_does_not_count_again(tmp_path):
    tb.write_report(tmp_path / "r.html", {"a": HYPS}, REFS, normalize=NAMES)
    page = (tmp_path / "r.html").read_text("utf-8")
    score = BLEU(normalize=NAMES).corpus(HYPS, REFS)
    assert score.signature in page
    assert f"{score.value:.1f}" in page
    assert '"live":false' in page
    assert '"normalize":' not in page
    assert '"name":"normalize"' not in page


def test_the_specification_normalizes_as_well():
    dialect = tb.dialect("sacrebleu", normalize="typography")
    assert spec_normalize(dialect, HYPS[0]) == 'He said: "it is late" - and left...'
