# SPDX-License-Identifier: Apache-2.0
"""Real system outputs score what each tool gave for them, row by row of the recorded scores."""

from functools import cache

import pytest
from support import example_texts
from support.golden import golden, sample

from truebleu import BLEU, CHRF, TER, streams

lines = cache(example_texts.lines)


@cache
def scored(shared, set_, pair, system, refs, tokenize, lowercase):
    """Statistics of a system: each tokenization is counted once for all smoothings."""
    folder = shared / "data" / set_ / pair
    references = [lines(folder / f"ref.{name}.txt") for name in refs.split("+")]
    bleu = BLEU(tokenize=tokenize, lowercase=lowercase)
    return bleu.stats(lines(folder / f"hyp.{system}.txt"), streams(*references)).sum()


def test_every_recorded_score_of_sacrebleu_is_reproduced(shared):
    rows = golden(shared, "sacrebleu_bleu.tsv.gz")
    assert len(rows) > 2_000
    for row in sample(rows, every=4):
        lowercase = row["case"] == "lc"
        key = (row["set"], row["pair"], row["system"], row["refs"], row["tok"], lowercase)
        stats = scored(shared, *key)
        counts = [int(row[f"{kind}{n}"]) for kind in ("correct", "total") for n in range(1, 5)]
        assert list(stats[0]) == [int(row["sys_len"]), int(row["ref_len"]), *counts], row
        bleu = BLEU(
            tokenize=row["tok"],
            lowercase=lowercase,
            smooth_method=row["smooth"],
            effective_order="eff=yes" in row["config"],
        )
        score = bleu.score(stats)
        assert score.value == float(row["value"]), row
        assert score.bp == float(row["bp"]), row
        assert list(score.precisions) == [float(row[f"p{n}"]) for n in range(1, 5)], row


def mteval_changes(config):
    """The options of mteval as changes of its rows, which lowercase by default as it does."""
    flags = config.split()
    changes = {"lowercase": "-c" not in flags}
    if "-e" in flags:
        changes["tokenize"] = "intl-split"
    if "shortest" in flags:
        changes["ref_len"] = "shortest"
    if "--no-smoothing" in flags:
        changes["smooth_method"] = "none"
    return changes


def references(shared, row):
    folder = shared / "data" / row["set"] / row["pair"]
    return streams(*(lines(folder / f"ref.{name}.txt") for name in row["refs"].split("+")))


def hypotheses(shared, row):
    return lines(shared / "data" / row["set"] / row["pair"] / f"hyp.{row['system']}.txt")


FACTORS = {"p1", "p2", "p3", "p4", "bp", "sys_len", "ref_len"}


def test_every_recorded_score_of_the_perl_scripts_is_reproduced(shared):
    rows = golden(shared, "moses_perl.tsv.gz")
    assert len(rows) > 400
    for row in rows:
        config = row["config"]
        is_mteval = row["tool"].startswith("mteval")
        changes = mteval_changes(config) if is_mteval else {"lowercase": "-lc" in config}
        name = row["tool"] + ("-intl" if "international" in config else "")
        score = BLEU(name, **changes).corpus(hypotheses(shared, row), references(shared, row))
        assert score.value == float(row["value"]), row
        # Some scripts print no lengths and no factors.
        recorded = {name: float(value) for name, value in row.items() if name in FACTORS and value}
        percent = 100 if is_mteval else 1
        factors = {f"p{n}": score.precisions[n - 1] / percent for n in range(1, 5)}
        factors |= {"bp": score.bp, "sys_len": score.hyp_len, "ref_len": score.ref_len}
        assert recorded == pytest.approx({name: factors[name] for name in recorded}, rel=1e-15), row


def test_every_recorded_score_of_segments_by_mteval_is_reproduced(shared):
    rows = golden(shared, "mteval_segments.tsv.gz")
    assert len(rows) > 40_000
    systems = {}
    for row in sample(rows, every=2):
        assert (row["tool"], row["config"]) == ("mteval-v13a", "-c")
        key = (row["set"], row["pair"], row["system"], row["refs"])
        if key not in systems:
            bleu = BLEU("mteval-v13a", lowercase=False)
            systems[key] = bleu.sentences(hypotheses(shared, row), references(shared, row))
        assert systems[key][int(row["seg"]) - 1] == float(row["value"]), row


def golden_metric(row):
    """The metric that a row of the golden file names, with sacreBLEU's rule for ties."""
    words = row["config"].replace("chrF2++", "").replace("chrF2", "").replace("default", "")
    how = {}
    for word in words.replace(";", " ").split():
        name, _, value = word.partition("=")
        how[name] = int(value) if value else True
    return TER(**how) if row["metric"] == "TER" else CHRF(**how)


def test_every_recorded_score_of_chrf_and_ter_is_reproduced(shared):
    rows = golden(shared, "sacrebleu_chrf_ter.tsv.gz")
    assert len(rows) > 40
    for row in rows:
        score = golden_metric(row).corpus(hypotheses(shared, row), references(shared, row))
        assert score.value == float(row["value"]), row
        pairs = score.signature.split("|")
        without = "|".join(pair for pair in pairs if not pair.startswith("unicode:"))
        assert without == row["signature"], row


def test_every_published_chrf_is_reproduced(shared):
    rows = [row for row in golden(shared, "published_check.tsv.gz") if row["metric"] == "chrF"]
    assert len(rows) > 60
    backward = 0
    for row in rows:
        refs = references(shared, {**row, "refs": row["refs_used"]})
        # The organizers had the references in one order or the other, and ties depend on it.
        values = [CHRF().corpus(hypotheses(shared, row), order).value for order in (refs, [one[::-1] for one in refs])]
        near = [abs(value - float(row["published"])) < 1e-9 for value in values]
        assert any(near), row
        backward += not near[0]
    assert 0 < backward < 5
