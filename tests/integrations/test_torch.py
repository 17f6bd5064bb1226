# SPDX-License-Identifier: Apache-2.0
"""With PyTorch and the libraries on top of it, where they are installed."""

import os
import pickle
import re
import subprocess
import sys
from functools import partial

import pytest
from conftest import ROOT
from support.example_texts import HYPS, REFS, TWO_REFS

from truebleu import BLEU, CHRF, TER, Ids, InputError
from truebleu.integrations.torchmetrics import bleu_metric, chrf_metric, ter_metric

torch = pytest.importorskip("torch", reason="PyTorch is several GB; no group here installs it")

pytestmark = pytest.mark.torch

METRIC = BLEU(threads=1)


@pytest.mark.parametrize("dtype", [torch.int32, torch.int64], ids=str)
def test_a_tensor_is_read_where_it_is(dtype):
    hyps = torch.randint(1, 9, (50, 40), dtype=dtype)
    refs = torch.randint(1, 9, (50, 44), dtype=dtype)
    assert Ids(hyps).values.__array_interface__["data"][0] == hyps.data_ptr()
    expected = METRIC.sentences(hyps.tolist(), refs.tolist()).tolist()
    assert METRIC.sentences(hyps, refs).tolist() == expected
    assert METRIC.sentences(hyps.numpy(), refs.tolist()).tolist() == expected
    half = METRIC.sentences(hyps[:, ::2], refs[:, 1:])
    assert half.tolist() == METRIC.sentences(hyps[:, ::2].tolist(), refs[:, 1:].tolist()).tolist()
    assert METRIC.sentences(hyps.T.contiguous().T, refs).tolist() == expected


def test_references_in_a_3d_tensor():
    hyps, refs = torch.randint(1, 9, (50, 40)), torch.randint(1, 9, (50, 3, 44))
    refs[::2, 2] = -100
    lists = [[row for row in rows if row[0] > 0] for rows in refs.tolist()]
    expected = METRIC.sentences(hyps.tolist(), lists).tolist()
    assert METRIC.sentences(hyps, refs, pad_id=[0, -100]).tolist() == expected
    assert METRIC.sentences(hyps, refs.int(), pad_id=torch.tensor([0, -100])).tolist() == expected


def test_ragged_tensors_and_lists_of_tensors():
    values, offsets = torch.tensor([1, 2, 3, 4, 5]), torch.tensor([0, 3, 5])
    refs = [[1, 2, 4], [4, 5]]
    expected = METRIC.sentences([[1, 2, 3], [4, 5]], refs).tolist()
    assert METRIC.sentences(Ids(values, offsets), refs).tolist() == expected
    assert METRIC.sentences([values[:3], values[3:]], refs).tolist() == expected
    assert METRIC.sentence(values[:3], torch.tensor([[1, 2, 4]])).value == expected[0]


@pytest.mark.parametrize(
    ("tensor", "message"),
    [
        (torch.zeros(2, 3), "float32; they must be integers"),
        (torch.zeros(2, 3, dtype=torch.bool), "bool; they must be"),
        (torch.zeros(2, 3, dtype=torch.bfloat16), "cannot be read by DLPack|float"),
        (torch.zeros(2, 3, 4, dtype=torch.int32), "hyps are nested too deep"),
        (torch.zeros(2, 3, dtype=torch.int32, device="meta"), "hyps cannot be read by DLPack"),
    ],
    ids=str,
)
def test_a_tensor_of_another_kind_is_an_error(tensor, message):
    with pytest.raises(InputError, match=message):
        METRIC.sentences(tensor, [[1]] * 2)


def test_a_state_goes_through_torch_save(tmp_path):
    half = METRIC.accumulator()
    half.update(HYPS[:7], REFS[:7])
    torch.save(half.state_dict(), tmp_path / "state.pt")
    whole = METRIC.accumulator()
    whole.load_state_dict(torch.load(tmp_path / "state.pt", weights_only=True))
    whole.update(HYPS[7:], REFS[7:])
    assert whole.compute() == METRIC.corpus(HYPS, REFS)


def test_two_processes_reduce_to_the_number_of_one():
    done = subprocess.run(
        [sys.executable, ROOT / "examples" / "distributed.py"],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("equal: True") == 2


def test_the_metric_of_torchmetrics():
    pytest.importorskip("torchmetrics", reason="torchmetrics is not installed")
    metric = bleu_metric()
    expected = METRIC.corpus(HYPS, TWO_REFS)
    first = metric(HYPS[:9], TWO_REFS[:9])
    assert first.dtype == torch.float64
    assert first.item() == METRIC.corpus(HYPS[:9], TWO_REFS[:9]).value
    metric.update(HYPS[9:], TWO_REFS[9:])
    assert metric.compute().item() == expected.value
    assert metric.score() == expected
    assert metric.counts.dtype == torch.int64
    copy = pickle.loads(pickle.dumps(metric))  # noqa: S301
    assert copy.compute().item() == expected.value
    split = bleu_metric(tokenize=partial(re.split, " "))
    split.update(["a b c d"], ["a b c d"])
    assert pickle.loads(pickle.dumps(split)).counts.tolist() == split.counts.tolist()  # noqa: S301
    metric.double()
    assert metric.counts.dtype == torch.int64
    assert metric([], []).isnan()  # counts nothing
    assert metric.compute().item() == expected.value
    metric.reset()
    ids = torch.tensor([[1, 2, 3, 4, 0], [5, 6, 7, 8, 0]])
    metric.update(ids, ids[:1], pad_id=0, group=2)
    assert metric.score().matches == [4, 3, 2, 1]


def test_the_metric_of_torchmetrics_saves_its_state():
    pytest.importorskip("torchmetrics", reason="torchmetrics is not installed")
    metric, other = bleu_metric(lowercase=True), bleu_metric(lowercase=True)
    for one in (metric, other):
        one.persistent(True)
    metric.update(HYPS, TWO_REFS)
    other.load_state_dict(metric.state_dict())
    other._update_count = 1
    assert other.score() == BLEU(lowercase=True).corpus(HYPS, TWO_REFS)


@pytest.mark.parametrize(
    ("name", "ours", "options", "metric"),
    [
        ("CHRFScore", chrf_metric, {"n_word_order": 0, "beta": 3.0, "lowercase": True},
         CHRF(beta=3, lowercase=True, eps_smoothing=True)),
        ("CHRFScore", chrf_metric, {"n_char_order": 4, "whitespace": True},
         CHRF(char_order=4, word_order=2, whitespace=True, eps_smoothing=True)),
        ("TranslationEditRate", ter_metric, {"normalize": True, "lowercase": False},
         TER(normalized=True, case_sensitive=True)),
        ("TranslationEditRate", ter_metric, {"no_punctuation": True}, TER(no_punct=True)),
    ],
)  # fmt: skip
def test_chrf_and_ter_have_the_options_of_torchmetrics(name, ours, options, metric):
    text = pytest.importorskip("torchmetrics.text", reason="torchmetrics is not installed")
    results = []
    for make in (getattr(text, name), ours):
        counted = make(**options, return_sentence_level_score=True)
        for part in (slice(0, 9), slice(9, None)):
            counted.update(HYPS[part], TWO_REFS[part])
        copy = pickle.loads(pickle.dumps(counted))  # noqa: S301
        results.append([values.tolist() for values in copy.compute()])
    (expected, _), (value, segments) = results
    # Its TER finds other shifts in a few segments.
    assert value == pytest.approx(expected, abs=2e-3 if ours is ter_metric else 1e-6)
    assert value == metric.corpus(HYPS, TWO_REFS).value / 100
    assert segments == (metric.sentences(HYPS, TWO_REFS) / 100).tolist()


def test_metrics_of_a_collection_have_names_of_their_own():
    torchmetrics = pytest.importorskip("torchmetrics", reason="torchmetrics is not installed")
    own = {"sync_on_compute": False}  # an option of torchmetrics
    metrics = [bleu_metric(**own), bleu_metric(lowercase=True), chrf_metric(**own)]
    metrics.append(ter_metric(**own))
    assert [metric.sync_on_compute for metric in metrics] == [False, True, False, False]
    collection = torchmetrics.MetricCollection(metrics)
    collection.update(HYPS, TWO_REFS)
    scores = collection.compute()
    assert list(scores) == ["bleu", "bleu_case-lc", "chrf_eff-no_nw-2", "ter"]
    chrf = CHRF(word_order=2, eps_smoothing=True).corpus(HYPS, TWO_REFS)
    assert scores["chrf_eff-no_nw-2"].item() * 100 == pytest.approx(chrf.value)
    assert metrics[2].score() == chrf


def test_rewards_of_the_page_are_those_of_a_step():
    """The function for verl runs on the page; OpenRLHF's reads queries and gives tensors."""
    page = (ROOT / "docs" / "training.md").read_text("utf-8")
    block = page.partition("## verl")[2].split("```")[1]
    lines = [line[4:] for line in block.splitlines() if line[:4] in (">>> ", "... ")]
    names = {}
    exec("\n".join(line for line in lines if not line.startswith("round")), names)  # noqa: S102
    result = names["reward_func"](["say: a b c d", "say: a b"], ["say: "] * 2, ["a b c d"] * 2)
    assert names["reward_func"](["a"], [""], [None], more=1)["rewards"].item() == 0
    expected = torch.tensor([1.0, names["compute_score"]("wmt", "a b", "a b c d")])
    assert torch.equal(result["rewards"], expected)


PROCESSES = """
import os
import sys

import torch.distributed as dist
from torch.multiprocessing import spawn
from truebleu.integrations.torchmetrics import bleu_metric, chrf_metric

def work(rank, file):
    dist.init_process_group("gloo", init_method=f"file://{file}", rank=rank, world_size=2)
    for parts in ((["a b c d"], ["x y z w"]), (["a b c d"], [])):
        metric, texts = bleu_metric(), parts[rank]
        metric.update(texts, ["e f g h"] if "x y z w" in texts else texts)
        line = f"{metric.score().value:.0f} {float(metric.compute()):.0f}\\n"
        print(line, end="", flush=True)  # at once
    metric = chrf_metric(return_sentence_level_score=True)
    if rank:  # the other process has no segments
        metric.update(["a b"], ["a b"])
    assert [round(value.item(), 6) for value in metric.compute()] == [0.5, 0.5]
    dist.destroy_process_group()

if __name__ == "__main__":
    spawn(work, (sys.argv[1],), nprocs=2)
"""


def test_two_processes_have_one_score(tmp_path):
    (tmp_path / "processes.py").write_text(PROCESSES)
    command = [sys.executable, tmp_path / "processes.py", tmp_path / "store"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=True)
    assert sorted(done.stdout.split("\n")) == ["", "100 100", "100 100", "50 50", "50 50"]
