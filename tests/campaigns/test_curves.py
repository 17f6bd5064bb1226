# SPDX-License-Identifier: Apache-2.0
"""Learning curves of saved runs: each step against the best before."""

import pytest
from support.command import refusal, truebleu
from support.drawn_systems import rows
from support.example_texts import ENGLISH, NAMED, REFS, SYSTEMS

import truebleu as tb

ORDER = ("cinder", "basalt", "aurora", "basalt")

TEXT = """\
step  BLEU  95 % interval  best before   gain       p  verdict
----  ----  -------------  -----------  -----  ------  -------
1000  14.1   10.0 to 20.4
2000  34.2   29.7 to 39.6         1000  +20.2  0.0001   better
3000  51.3   46.5 to 56.4         2000  +17.1  0.0001   better
4000  34.2   29.7 to 39.6         3000  -17.1  0.0001    worse

first better step: 2000. step=2000 is better than step=1000: +20.2 BLEU, 95 % interval 15.4 to \
25.4, p = 0.0001 corrected for 6 pairs
first worse step: 4000. step=3000 is better than step=4000: +17.1 BLEU, 95 % interval 10.8 to \
23.3, p = 0.0001 corrected for 6 pairs
signature: nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0"""


def saved(folder, step, name, **tags):
    hyps = NAMED[name]
    tags = {"step": step, **tags}
    return tb.save_run(folder / f"{step}.bleu", {"run-7": hyps}, REFS, ["bleu", "ter"], tags=tags)


@pytest.fixture
def runs(tmp_path):
    return [saved(tmp_path, 1000 * i, name) for i, name in enumerate(ORDER, 1)]


def test_each_step_is_compared_with_the_best_before(runs):
    curve = tb.learning_curve(reversed([run.path for run in runs]))
    assert str(curve) == TEXT
    steps = {run.tags["step"]: NAMED[name] for run, name in zip(runs, ORDER, strict=True)}
    texts = {f"step={step}": hyps for step, hyps in steps.items()}
    expected = tb.compare(texts, REFS, robustness=False)  # of runs, there is no text to try
    for point, system in zip(curve.points, expected.systems, strict=True):
        assert (point.score, point.interval) == (system.score.value, system.interval)
    assert curve.points[3].pair == expected.pair("step=3000", "step=4000")
    ter = tb.learning_curve(runs, "ter")
    assert [point.verdict for point in ter.points] == [None, "better", "better", "worse"]
    figure = tb.plot(curve)
    verdicts = [row["verdict"] for row in rows(figure, "step", "verdict")[:4]]
    assert verdicts == ["not significant", "better", "better", "worse"]


def test_the_command_draws_and_prints_the_curve(runs, tmp_path):
    pytest.importorskip("vl_convert")
    files, figure = [run.path for run in runs], str(tmp_path / "curve.svg")
    text = truebleu("plot", "--kind", "curve", *files, "-o", figure).decode()
    assert text == f"{TEXT}\n{figure}: scores of the steps of a training, from run files\n"
    assert "<svg" in (tmp_path / "curve.svg").read_text("utf-8")
    options = ("-m", "ter", "-n", "99", "--force", "-o", figure)
    assert truebleu("plot", "--kind", "curve", *files, *options).startswith(b"step   TER  95 %")
    message = refusal("plot", "--kind", "curve", ENGLISH[0], SYSTEMS[0], "-o", figure, "--force")
    assert message.endswith("name another (gate reads texts with --ref)")


def test_steps_that_are_no_numbers_or_occur_twice(runs, tmp_path):
    with pytest.raises(tb.InputError, match="needs at least two steps; got 1"):
        tb.learning_curve(runs[:1])
    with pytest.raises(tb.InputError, match="both have step=1000; omit one"):
        tb.learning_curve([*runs, runs[0]])
    with pytest.raises(tb.InputError, match="its tag epoch is no number"):
        tb.learning_curve(runs, tag="epoch")
    with pytest.raises(tb.InputError, match="its tag step is no number"):
        tb.learning_curve([*runs, saved(tmp_path, "last", "aurora")])
    late = [saved(tmp_path, f"{x}", "aurora", epoch=x) for x in ("1.5", "1.0")]
    assert [point.step for point in tb.learning_curve(late, tag="epoch").points] == [1, 1.5]
