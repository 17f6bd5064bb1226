# SPDX-License-Identifier: Apache-2.0
"""Saved runs: the same scores without the texts, and files that are damaged or hostile."""

import json
import random
import zlib
from math import nan

import pytest
from support.example_texts import HYPS, NAMED, RAGGED, REFS, TWO_REFS, as_lines

import truebleu as tb
from truebleu.inputs.corpus import LineStreams
from truebleu.metrics.runs import _MAGIC, identified, run_of

AURORA, BASALT = NAMED["aurora"], NAMED["basalt"]


@pytest.mark.parametrize("metric", [
    "bleu", "chrf", "ter", "gleu", "nist", tb.BLEU("nltk", smooth_method="add-k"),
    tb.CHRF(word_order=2), tb.BLEU(tokenize="re:\\w+"),
    tb.CodeBLEU("python"),
], ids=str)  # fmt: skip
@pytest.mark.parametrize("refs", [REFS, RAGGED], ids=["one", "ragged"])
def test_scores_are_those_of_the_texts(tmp_path, metric, refs):
    path, refs = tmp_path / "a.bleu", refs[:9]
    hyps = {"aurora": AURORA[:9], "basalt": BASALT[:9]}
    saved = tb.save_run(path, hyps, refs, ["bleu", metric])
    loaded = tb.load_run(path)
    by_name = {"bleu": tb.BLEU, "chrf": tb.CHRF, "ter": tb.TER, "gleu": tb.GLEU, "nist": tb.NIST}
    measure = by_name[metric]() if isinstance(metric, str) else metric
    for run in (saved, loaded):
        assert (run.systems, len(run)) == (("aurora", "basalt"), len(refs))
        for name in run.systems:
            expected = (tb.BLEU().corpus(hyps[name], refs), measure.corpus(hyps[name], refs))
            assert run.scores[name] == expected
    text = path.read_bytes()
    assert not any(line.encode() in text for line in (*AURORA, *REFS) if line)


def test_a_comparison_is_that_of_the_texts(tmp_path):
    for name in ("aurora", "basalt"):
        tb.save_run(tmp_path / f"{name}.bleu", {"x": NAMED[name]}, TWO_REFS, ["bleu", "ter"])
    paths = {name: tmp_path / f"{name}.bleu" for name in ("aurora", "basalt")}
    for metric in (None, "ter", tb.BLEU(smooth_method="floor")):
        texts = dict(list(NAMED.items())[:2])
        expected = tb.compare(texts, TWO_REFS, metric=metric, robustness=False)
        files = tb.compare(paths, metric=metric)
        mixed = tb.compare({"aurora": tb.load_run(paths["aurora"]), "basalt": BASALT}, TWO_REFS, metric=metric)
        assert files.to_dict() == mixed.to_dict() == expected.to_dict()


def test_runs_that_cannot_be_compared(tmp_path):
    def saved(name, hyps, refs, *metrics):
        return tb.save_run(tmp_path / name, {"x": hyps, "y": hyps}, refs, metrics)["x"]

    run = saved("a", AURORA, REFS, "bleu")
    others = [
        (saved("b", AURORA, TWO_REFS, "bleu"), None, "different references"),
        (saved("c", AURORA[:9], REFS[:9], "bleu"), None, "different references"),
        (saved("d", AURORA, REFS, "chrf", tb.BLEU(tokenize="intl")), None, "no settings in common"),
        (AURORA, TWO_REFS, "a was scored with other references"),
        (tb.load_run(tmp_path / "a"), None, "has the systems x, y; select one"),
    ]
    for other, refs, message in others:
        with pytest.raises(tb.InputError, match=message):
            tb.compare({"a": run, "b": other}, refs)
    with pytest.raises(tb.InputError, match=r"a has no BLEU counted with case:mixed.tok:intl"):
        tb.compare({"a": run, "b": AURORA}, REFS, tokenize="intl")
    words = saved("e", AURORA, REFS, tb.BLEU(tokenize="re:\\w+"))
    with pytest.raises(tb.InputError, match="to score texts with its tokenizer, name it"):
        tb.compare({"a": words, "b": AURORA}, REFS)
    assert tb.compare({"a": words, "b": BASALT}, REFS, tokenize="re:\\w+").pairs[0].p < 0.01
    with pytest.raises(tb.InputError, match="no system is named 'z'"):
        run["z"]


def test_references_are_the_same_in_files_and_lists():
    assert identified(as_lines(REFS)) == identified(REFS) == identified([[ref] for ref in REFS])
    streams = LineStreams([as_lines(column) for column in zip(*TWO_REFS, strict=True)])
    assert identified(streams) == identified(TWO_REFS) == identified(iter(TWO_REFS))
    different = [
        REFS, TWO_REFS, RAGGED, REFS[:-1], [*REFS, ""], [*REFS[:-1], None], ["a", "b"], ["b", "a"],
        ["a b"], ["a\nb"], ["a", "b", ""], ["a\n", "b"], [["a", "b"]], [["a", None], ["b", "c"]],
        ['["a"]'], ["\n"], ["", ""], ["\n\n"], ["\n", ""],
    ]  # fmt: skip
    assert len({identified(refs)[0] for refs in different}) == len(different)
    assert [identified(refs)[1] for refs in (REFS, TWO_REFS, RAGGED, ["a", None])] == [
        1, 2, "var", "var"
    ]  # fmt: skip


def test_an_existing_file_is_kept(tmp_path):
    run = tb.save_run(tmp_path / "a.bleu", {"a": HYPS}, REFS, tags={"step": 1.0, "v": "1.0"})
    assert run.tags == {"step": 1, "v": "1.0"}
    with pytest.raises(tb.OptionError, match="exists"):
        tb.save_run(tmp_path / "a.bleu", {"a": AURORA}, REFS)
    assert tb.load_run(tmp_path / "a.bleu").scores == run.scores
    tb.save_run(tmp_path / "a.bleu", {"a": AURORA}, REFS, force=True)
    assert tb.load_run(tmp_path / "a.bleu").scores["a"][0].value > run.scores["a"][0].value


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    """The bytes of a run file."""
    path = tmp_path_factory.mktemp("run") / "a.bleu"
    tb.save_run(path, {"a": HYPS[:3], "b": AURORA[:3]}, REFS[:3], ["bleu", "nist", "ter"], tags={"step": 1})
    return path.read_bytes()


HOSTILE = (
    None, True, -1, 0, 2, 1 << 62, 1 << 70, 1e300, nan, "", "x", "no\nlines", "spm:/x", [], [[]],
    ["a"], {}, {"a": 1}, {"tokenize": []}, {"max_ngram_order": 1000}, "bleu", "codebleu",
)  # fmt: skip


def replaced(value, drawn):
    """A JSON value of which one part is another."""
    if drawn.random() < 0.2 or not isinstance(value, (dict, list)) or not value:
        return drawn.choice(HOSTILE)
    key = drawn.choice(list(value) if isinstance(value, dict) else range(len(value)))
    copy = value.copy()
    copy[key] = replaced(value[key], drawn)
    if drawn.random() < 0.1:
        del copy[key]
    return copy


def mutated(file, drawn):
    """A run file of which bytes, or parts of its head or rows, are changed."""
    head, packed = file[len(_MAGIC) : -4].split(b"\n", 1)
    kind = drawn.randrange(5)
    if kind == 0:
        head = json.dumps(replaced(json.loads(head), drawn)).encode()
    elif kind == 1:
        packed = zlib.compress(scattered(zlib.decompress(packed), drawn), 1)
    elif kind == 2:
        head = scattered(head, drawn)
    elif kind == 3:
        packed = scattered(packed, drawn)
    else:
        return scattered(file, drawn)
    data = _MAGIC + head + b"\n" + packed
    return data + zlib.crc32(data).to_bytes(4, "little")


def scattered(data, drawn):
    """Bytes of which few are others, or missing, or twice there."""
    changed = bytearray(data)
    for _ in range(drawn.choice((1, 1, 2, 5))):
        at = drawn.randrange(len(changed) or 1)
        changed[at : at + drawn.choice((0, 1, 8))] = drawn.randbytes(drawn.choice((0, 1, 1, 8)))
    return bytes(changed[: drawn.choice((None, None, None, drawn.randrange(len(data))))])


@pytest.mark.parametrize("count", [500, pytest.param(100_000, marks=pytest.mark.slow)])
def test_a_hostile_file_is_an_error_of_one_line(file, count):
    drawn, read = random.Random(43), 0
    expected = str(run_of("a.bleu", file).scores)
    for _ in range(count):
        try:
            run = run_of("a.bleu", mutated(file, drawn))
            str(run.scores), repr(run), len(run)
            read += str(run.scores) == expected
        except tb.TrueBLEUError as error:
            if "\n" in str(error):
                raise
    assert read < count / 10


def test_other_files_are_refused(tmp_path, file):
    path = tmp_path / "a.bleu"
    for data, message in [
        (b"", "not a run file"),
        (b"the cat\n", "not a run file"),
        (file[:6] + b"\x02" + file[7:], "of another version of TrueBLEU; save it again"),
        (file[:-1], "damaged: its checksum differs"),
    ]:
        path.write_bytes(data)
        with pytest.raises(tb.InputError, match=message):
            tb.load_run(path)
    for wrong, message in ((tmp_path, "this is a directory"), (tmp_path / "b", "no such file")):
        with pytest.raises(tb.InputError, match=message):
            tb.load_run(wrong)
