# SPDX-License-Identifier: Apache-2.0
"""Judgements are read from folders of WMT's layout; what cannot be used is listed."""

import sys

import pytest
from conftest import ROOT
from support.example_texts import NAMED, REFS, TWO_REFS

import truebleu as tb

RANKING = """\
71.2 0.25 900 1100 Aurora.4
70.1 -0.1 800 1000 Basalt.11
69.0 0.4 700 900 HUMAN.0
60.5 -0.7 400 500 Ghost.2
Source Cs En
"""
APPRAISE = """\
[eng-->deu]
aurora: 2562
0.28 ('translator-A', 2437, 0.2848995675185269, 82.5, 4.0)
0.05 ('basalt', 900, 0.05, 80.1, 4.0)
-0.31 ('CIN_DER', 1600, -0.31, 76.1, 3.9)
"""


@pytest.fixture
def checkout(tmp_path):
    """Three systems: all translate into English, two into German."""

    def put(name, texts):
        path = tmp_path / "wmt21-news-systems" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(texts if isinstance(texts, str) else "".join(f"{t}\n" for t in texts))

    put("txt/references/newstest2021.cs-en.ref.A.en", REFS)
    put("txt/references/newstest2021.cs-en.ref.B.en", [second for _, second in TWO_REFS])
    put("txt/references/florestest2021.en-de.ref.A.de", REFS)
    for name, texts in NAMED.items():
        put(f"txt/system-outputs/newstest2021.cs-en.hyp.{name}.en", texts)
        put(f"txt/system-outputs/florestest2021.en-de.hyp.{name}.de", texts)
    put("txt/system-outputs/newstest2021.cs-en.hyp.ref-B.en", REFS)
    put("txt/system-outputs/newstest2021.cs-en.hyp.Short.en", REFS[1:])
    put("txt/system-outputs/README", "no output")
    put("humaneval/newstest2021-toen/ad-sys-ranking-cs-en-z.csv", RANKING)
    put("humaneval/EX/wmt21clusters.filtered.txt", APPRAISE)
    return tmp_path / "wmt21-news-systems"


def test_a_folder_of_wmt_becomes_pairs_and_systems(checkout, tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "path", [str(ROOT / "benchmarks"), *sys.path])
    from agreement import column, read
    from judgements import main

    left_out = main([str(checkout)], str(tmp_path), resamples=100)
    pairs, systems = read(tmp_path, "pairs"), read(tmp_path, "systems")
    pairs.sort(key=lambda row: row["pair"])
    names = [" ".join([row["set"], row["pair"], row["a"], row["b"]]) for row in pairs]
    assert names == ["wmt21 cs-en aurora basalt", "wmt21flores en-de basalt cinder"]
    assert column(pairs, "human").tolist() == [0.35, 0.36]
    assert pairs[0]["human_error"] == f"{0.8 * (1 / 900 + 1 / 800) ** 0.5:.6g}"
    aurora, basalt = (tb.corpus_bleu(NAMED[name], REFS).value for name in ("aurora", "basalt"))
    assert float(pairs[0]["base"]) == pytest.approx(aurora - basalt, rel=1e-5)
    assert pairs[0]["ref2"] != pairs[0]["base"]
    assert not pairs[1]["ref2"]
    assert 0 < float(pairs[0]["p:intl"]) <= 1
    assert len(pairs[0]) == 6 + 2 * 15
    assert len(systems) == 4
    assert len(systems[0]) == 5 + len(tb.DIALECTS) + 16
    row = next(row for row in systems if row["pair"] == "cs-en")
    assert float(row["sacrebleu"]) == pytest.approx(aurora, rel=1e-5)
    folder = checkout / "txt" / "system-outputs"
    ranking = checkout / "humaneval" / "newstest2021-toen" / "ad-sys-ranking-cs-en-z.csv"
    assert sorted(left_out) == sorted([
        f"{folder}/README: its name is not one of a layout",
        f"{folder}/newstest2021.cs-en.hyp.ref-B.en: a human translation",
        f"{folder}/newstest2021.cs-en.hyp.Short.en: 47 lines, not 48 as the reference",
        f"{ranking}: no ranked system: Source Cs En",
        "wmt21 cs-en HUMAN: a human translation",
        "wmt21 cs-en Ghost: judged, but has no output",
        "wmt21flores en-de translator-A: a human translation",
        "wmt21 cs-en cinder: not judged",
        "wmt21flores en-de aurora: not judged",
    ])  # fmt: skip
