# SPDX-License-Identifier: Apache-2.0
"""Judgements are read from folders of WMT's layout; curves are fitted to them."""

import sys

import numpy as np
import pytest
from conftest import ROOT
from support.example_texts import NAMED, REFS, TWO_REFS

import truebleu as tb

pd = pytest.importorskip("pandas")
sys.path.append(str(ROOT / "benchmarks"))
from agreement import changed, fit, half_width, judged, read  # noqa: E402
from judgements import main  # noqa: E402

RANKING = ["71.2 0.25 900 1100 Aurora.4", "70.1 -0.1 800 1000 Basalt.11", "69.0 0.4 7 9 HUMAN.0",
           "60.5 -0.7 400 500 Short.2", "60.4 -0.8 400 500 Ghost.2", "Source Cs En"]  # fmt: skip
APPRAISE = ["[eng-->deu]", "aurora: 2562", "0.05 ('basalt', 900, 0.05, 80.1, 4.0)",
            "-0.31 ('CIN_DER', 1600, -0.31, 76.1, 3.9)"]  # fmt: skip


def test_a_folder_of_wmt_becomes_pairs_and_systems(tmp_path):
    checkout = tmp_path / "wmt21-news-systems"
    texts, rankings = checkout / "txt", checkout / "humaneval"
    outputs = texts / "system-outputs"
    files = {
        texts / "references" / "newstest2021.cs-en.ref.A.en": REFS,
        texts / "references" / "newstest2021.cs-en.ref.B.en": [second for _, second in TWO_REFS],
        texts / "references" / "florestest2021.en-de.ref.A.de": REFS,
        outputs / "newstest2021.cs-en.hyp.Short.en": REFS[1:],
        texts / "README": [],
        rankings / "toen" / "ad-sys-ranking-cs-en-z.csv": RANKING,
        rankings / "EX" / "wmt21clusters.filtered.txt": APPRAISE,
    }
    for name, lines in NAMED.items():
        files[outputs / f"newstest2021.cs-en.hyp.{name}.en"] = lines
        files[outputs / f"florestest2021.en-de.hyp.{name}.de"] = lines
    for path, lines in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(f"{line}\n" for line in lines))
    left_out = main([str(checkout)], str(tmp_path), resamples=100)
    pairs, systems = read(tmp_path, "pairs"), read(tmp_path, "systems")
    assert pairs["set"].tolist() == ["florestest2021 en-de", "newstest2021 cs-en"]
    assert pairs["human"].tolist() == [0.36, 0.35]
    aurora, basalt = (tb.corpus_bleu(NAMED[name], REFS).value for name in ("aurora", "basalt"))
    assert pairs["base"][1] == pytest.approx(aurora - basalt, rel=1e-5)
    assert pairs["ref2"].isna().tolist() == [True, False]
    assert pairs["p:intl"].between(0, 1).all()
    assert systems.shape == (4, 4 + len(tb.DIALECTS) + 15 + len(changed()))
    assert systems["sacrebleu"][2] == pytest.approx(aurora, rel=1e-5)
    short = f"newstest2021.cs-en.hyp.Short.en: 47 lines, but {next(iter(files))} has 48"
    assert sorted(left_out) == sorted([
        f"{texts}/README: its name is not one of a layout",
        f"{outputs}/{short}; line i of each file must belong to the same segment",
        f"{rankings}/toen/ad-sys-ranking-cs-en-z.csv: no ranked system: Source Cs En",
        "wmt21-news-systems cs-en HUMAN: judged, but has no output",
        "wmt21-news-systems cs-en Ghost: judged, but has no output",
        f"{outputs}/newstest2021.cs-en.hyp.cinder.en: not judged, or a human translation",
        f"{outputs}/florestest2021.en-de.hyp.aurora.de: not judged, or a human translation",
    ])  # fmt: skip


def test_the_fit_finds_the_curve_and_the_spread_between_sets():
    random, sets = np.random.default_rng(1), np.repeat(np.arange(26), 500)
    difference = pd.Series(random.gamma(1.5, 2, len(sets)) * random.choice([-1, 1], len(sets)))
    logit = 1.4 * np.sqrt(abs(difference)) - 0.8 + random.normal(0, 0.5, 26)[sets]
    agree = random.random(len(sets)) < 1 / (1 + np.exp(-logit))
    rows = pd.DataFrame({"set": sets, "human": np.where(agree, difference, -difference)})
    pairs = judged(rows, difference)
    assert fit(pairs) == pytest.approx([-0.8, 1.4], abs=0.25)
    assert half_width(pairs) == pytest.approx(2.06 * 0.5, abs=0.3)
