# SPDX-License-Identifier: Apache-2.0
"""Typical lines of a day's work, which type checkers read; nothing runs them."""

from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd
import polars as pl

import truebleu as tb
from truebleu.compat import evaluate
from truebleu.compat.nltk import bleu_score
from truebleu.integrations import duckdb, huggingface, ray, spark, torchmetrics
from truebleu.integrations.pandas import bleu as of_frame
from truebleu.integrations.polars import bleu as of_column

hyps, refs = ["a b"], [["a b", "a c"]]
ids = tb.Ids(np.array([[5, 7, 9, 0]]))
bleu: tb.BLEU = tb.BLEU("nltk", tokenize=str.split, smooth_method="floor", weights=[0.5, 0.5])
score: tb.Score = bleu.corpus(hyps, refs, confidence=0.95)
values: list[float] = [score.value, round(score, 1), float(score), *score.precisions]
best: tb.Score = max([score, bleu.sentence("a", "a")])
text: str = f"{score:.2f} {score.signature}"
interval: tuple[float, float] | None = score.interval
counts: list[int] = [*score.matches, *score.totals, score.hyp_len, score.ref_len]
chrf: tb.CHRFScore = tb.CHRF(word_order=2, normalize=["quotes"]).corpus(hyps, refs)
ter: tb.TERScore = tb.TER(case_sensitive=True).corpus(hyps, refs)
gleu: tb.GLEUScore = tb.GLEU(max_len=3, lowercase=True).corpus(hyps, refs)
nist: tb.NISTScore = tb.NIST(order=4, references="best").corpus(hyps, refs)
each: list[tb.MetricScore] = [score, chrf, ter, gleu, nist]
measures = [tb.BLEU(), tb.CHRF(), tb.TER(), tb.GLEU()]
named: dict[str, float] = {metric.name: metric.corpus(hyps, refs).value for metric in measures}
stats: tb.Stats = bleu.stats(hyps, refs)[:1] + bleu.stats(hyps, refs)
again: tb.Score = bleu.score(tb.Stats.from_bytes(stats.to_bytes()))
single: tb.Score = tb.corpus_bleu(hyps, refs, lowercase=True, threads=1)
pair_score: tb.Score = tb.sentence_bleu("a", ["a"], "sacrebleu", effective_order=False)
of_ids: tb.Score = tb.corpus_bleu(ids, ids, pad_id=0)
segments: np.ndarray[tuple[int, ...], np.dtype[np.float64]] = bleu.sentences(hyps, refs)
several: list[list[str | None]] = tb.streams(["a b"], ["a c"])
whole: tb.Score = (bleu.accumulator() + bleu.accumulator()).compute()
edits: tb.TERScore = tb.TER().accumulator().compute()
sum_of_rows: tb.Stats = tb.Accumulator(bleu).stats
streamed: tb.Score = tb.scan("hyp.txt", "ref.txt").score(bleu)
by_domain: dict[str | None, tb.CHRFScore] = tb.scan("a.csv", "a.csv").groups(tb.CHRF())
tokenizer: str | Callable[..., object] = (tb.GLEU().reader or bleu).dialect.tokenize.tokenize
row: tb.Dialect = tb.dialect("sacrebleu", ref_len="shortest").replace(scale=1)
signature: tb.Dialect = tb.parse_signature(score.signature)
tools: list[str] = sorted(tb.DIALECTS)
black_box: tb.Identification = tb.identify(lambda hyp, ref: tb.sentence_bleu(hyp, ref).value)
found: Sequence[tb.Match] = tb.reconcile(hyps, refs, "34.2")
decisions: tb.Diff = tb.diff(hyps, refs, "sacrebleu", "nltk")
comparison: tb.Comparison = tb.compare({"A": hyps, "B": hyps}, refs, test="bootstrap")
pair: tb.Pair = comparison.pairs[0]
survives: bool | None = pair.survives
trials: list[float] = [trial.difference for trial in pair.trials or ()]
people: float | None = pair.agreement
meaning: tb.HumanAgreement = tb.human_agreement(1.3, "chrf")
needed: float = tb.difference_for(0.8)
findings: list[tb.Finding] = [finding for finding in tb.check(hyps, refs) if finding.effect]
groups: tb.Contrast = tb.contrast(hyps, hyps, refs)
sets: list[tb.TestSet] = [tb.TestSet("news", ["a b"], {"A": hyps}, pair="de-en")]
ranking: tb.Campaign = tb.campaign(sets, resamples=100)
matrix: np.ndarray[tuple[int, ...], np.dtype[np.float64]] = tb.pairwise(["a b", "a c"])
decision: str = str(tb.mbr(["a b", "a c"]).best)
many: tb.MBR | list[tb.MBR] = tb.mbr([["a b"], ["a c"]])
diversity: tb.SelfBLEU = tb.self_bleu(["a b", "a c"])
ngrams: object = tb.explain("a b", "a b").overlap.ngrams
terms: object = tb.explain(["a", "b"], ["a b"], segment=True).worksheet.terms
unmatched: object = tb.explain(hyps, refs).unmatched
tb.save_run("run.bleu", {"A": hyps}, refs)
run: tb.Run = tb.load_run("run.bleu")
lines: list[str] = list(tb.read_lines("hyp.txt"))
with tb.accelerate("nltk") as handle:
    handle.undo()
rewards: Callable[..., list[float | None]] = huggingface.reward(metric="chrf")
trainer: Callable[..., dict[str, float]] = huggingface.compute_metrics(metrics=["bleu", "ter"])
result: object = evaluate.load("bleu").compute(predictions=hyps, references=refs)["bleu"]
state: tb.Score = torchmetrics.bleu_metric("nltk", lowercase=True, sync_on_compute=False).score()
of_state: tb.CHRFScore = torchmetrics.chrf_metric(n_word_order=0).score()
callback: Callable[..., dict[str, float]] = huggingface.run_callback("runs", None).compute_metrics
order: int = tb.CHRF().options.char_order
row_of_edits: list[int] = [int(count) for count in ter.stats[0]]
chosen: str = tb.mbr(["a b", "a c"], metric="chrf", beta=3.0).best
by_chrf: tb.Comparison = tb.compare({"A": hyps, "B": hyps}, refs, metric="chrf", word_order=2)
figure: tb.Figure = tb.plot(score, kind="losses", width=300)
tb.write_report("report.html", {"A": hyps}, refs, "sacrebleu", lowercase=True, force=True)
repaired: tb.Repaired = tb.repair(hyps, refs, "nltk", lowercase=True)
trivial: Sequence[object] = tb.trivial_ngrams(hyps, 50, max_ngram_order=3)
unusual: tb.HumanAgreement = tb.human_agreement(1.3, "nltk", smooth_method="floor")
frame: tb.MetricScore = of_frame(pd.DataFrame()).corpus("hyp", "ref")
of_cluster: tb.MetricScore = spark.corpus("part.parquet", metric="chrf", word_order=2)
of_languages: dict[str, tb.MetricScore] = ray.corpus("part.parquet", by="lang", batch_size=1_000)
with_column: pl.DataFrame = duckdb.with_scores(pl.DataFrame(), column="chrf", metric="chrf")
expression: pl.Expr = of_column(pl.col("hyp")).score("ref")
by_group: pd.DataFrame = of_frame(pd.DataFrame()).corpus("hyp", "ref", "domain")
of_segments: pd.Series = of_frame(pd.DataFrame()).sentences("hyp", "ref", metric="chrf", word_order=2)
sums: pl.Expr = of_column(pl.col("hyp")).sentences("ref", "nltk", lowercase=True)
of_words: float = bleu_score.corpus_bleu([[["a", "b"]]], [["a", "b"]], weights=(0.5, 0.5))
curve: tb.Curve = tb.learning_curve(["step-1.bleu", "step-2.bleu"])
ranked: list[tb.Score] = sorted([score, best], reverse=True)
entries: dict[str, object] = score.to_dict()
gain: float = pair.difference * (1 if pair.better == "B" else -1)
standings: Sequence[object] = tb.survey(hyps, refs, lowercase=True)
