# SPDX-License-Identifier: Apache-2.0
"""Faults of other tools that we do not have, and that those of them that are installed still have.

The table is peers_faults.toml. An entry with an example of a score is tested by that example; any
other has a test of its name here, or says why it has none. The tests of statistics are in
test_peers_faults_results.py.
"""

from __future__ import annotations

import math
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import bleuscore
import numpy as np
import pandas as pd
import pytest
import sacrebleu
from conftest import ROOT
from nltk.translate import bleu_score as nltk
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a
from support.command import refusal, run, scored
from support.faulty_peers import PEERS

from truebleu import BLEU, DIALECTS, InputError, OptionError, Stats, check, explain, sentence_bleu
from truebleu.compat import nltk as our_nltk

FAULTS = tomllib.loads((ROOT / "tests" / "peers_faults.toml").read_text("utf-8"))["fault"]
EXAMPLES = [fault for fault in FAULTS if "score" in fault]


def test_every_fault_has_a_test_or_says_why_not():
    sources = [
        path.read_text("utf-8")
        for path in (ROOT / "tests" / "project").glob("test_peers_faults*.py")
    ]
    tested = {
        name
        for source in sources
        for name in re.findall(r"^def (test_\w+)\(", source, re.MULTILINE)
    }
    for fault in FAULTS:
        name = fault["name"]
        function = f"test_{name.replace('-', '_')}"
        assert (function in tested) + ("score" in fault) + ("untested" in fault) == 1, name
    assert len({fault["name"] for fault in FAULTS}) == len(FAULTS)


# ---------------------------------------------------------------- examples of scores


def near(value, digits):
    """The value as a page shows it."""
    return pytest.approx(value, rel=10**-digits, abs=0, nan_ok=True)


@pytest.mark.parametrize("fault", EXAMPLES, ids=lambda fault: fault["name"])
def test_a_row_repeats_the_fault_and_its_twin_does_not(fault):
    example = fault["score"]
    corpus = example["hyps"], example["refs"]
    theirs = BLEU(example["row"], **example.get("changes", {})).corpus(*corpus).value
    ours = BLEU(example["right"], **example.get("right_changes", {})).corpus(*corpus).value
    assert theirs == near(float(example["theirs"]), 3)
    assert ours == near(float(example["ours"]), 3)
    assert theirs != ours
    twin = DIALECTS[example["row"]].fixed
    assert not twin or example["right"] == twin


@pytest.mark.parametrize(
    "fault",
    [fault for fault in EXAMPLES if fault["score"]["row"] in PEERS],
    ids=lambda fault: fault["name"],
)
def test_the_peer_still_has_the_fault(fault):
    example = fault["score"]
    how = example.get("changes", {})
    corpus = example["hyps"], example["refs"]
    assert PEERS[example["row"]](*corpus, **how) == near(
        BLEU(example["row"], **how).corpus(*corpus).value, 12
    )


@pytest.mark.parametrize("name", [name for name, row in DIALECTS.items() if row.fixed])
def test_every_row_with_a_twin_differs_from_it(name):
    row, twin = BLEU(name), BLEU(DIALECTS[name].fixed)

    def percents(bleu, example):
        value = bleu.corpus(example["hyps"], example["refs"]).value
        return value * 100 / bleu.dialect.combine.scale

    pairs = [[percents(bleu, fault["score"]) for bleu in (row, twin)] for fault in EXAMPLES]
    assert any(one != pytest.approx(other, abs=1) for one, other in pairs)


# ---------------------------------------------------------------- numbers


def test_order_of_segments():
    long = ["one", "two", "three", "four", "five", "six", "seven", "eight"]
    pairs = [([long], long), ([list("abcxef")], list("abcdef"))]
    for method in ("method5", "method6", "method7"):
        for module in (nltk, our_nltk):
            smooth = getattr(module.SmoothingFunction(), method)
            found = [
                module.corpus_bleu(
                    [refs for refs, _ in some], [hyp for _, hyp in some], smoothing_function=smooth
                )
                for some in (pairs, pairs[::-1])
            ]
            assert found[0] != found[1]
        for row in (f"nltk-{method}", "papineni-2002"):
            found = [
                BLEU(row).corpus([hyp for _, hyp in some], [refs for refs, _ in some]).value
                for some in (pairs, pairs[::-1])
            ]
            assert found[0] == found[1]
    perfect = nltk.corpus_bleu(
        [[long]] * 2, [long] * 2, smoothing_function=nltk.SmoothingFunction().method6
    )
    assert round(perfect, 2) == 1.36
    assert BLEU("papineni-2002").corpus([long] * 2, [[long]] * 2).value == 1


def test_short_sentence_scores_zero():
    assert sacrebleu.corpus_bleu(["a b"], [["a b"]]).score == 0
    assert PEERS["nltk"](["a b"], [["a b"]]) < 1e-100
    assert sentence_bleu("a b", "a b").value == pytest.approx(100)
    assert list(BLEU().sentences(["a b", "a"], ["a b", "a"])) == pytest.approx([100, 100])
    assert BLEU().corpus(["a b"], ["a b"]).value == 0
    assert str(explain(["a b"], ["a b"])).count("(no n-grams)") == 2


#: The statistics of four words that all match.
FOUR = (4, 4, 4, 3, 2, 1, 4, 3, 2, 1)


def test_counts_that_saturate():
    full = 2**24
    assert np.float32(full) + np.float32(1) == np.float32(full)
    many, one = Stats([[full] * 10], 4), BLEU().stats(["a b c d"], ["a b c d"])
    assert Stats.concat([many, one]).sum()[0] == tuple(full + n for n in FOUR)
    accumulator = BLEU().accumulator()
    accumulator.state = accumulator.state + 2**60
    accumulator.update(["a b c d"], ["a b c d"])
    assert accumulator.compute().stats[0] == tuple(2**60 + n for n in FOUR)


def test_counts_that_are_overwritten():
    theirs = sacrebleu.BLEU(smooth_method="add-k").corpus_score(["a b c d"], [["a b x d"]])
    ours = BLEU(smooth_method="add-k").corpus(["a b c d"], ["a b x d"])
    assert ours.value == theirs.score
    assert theirs.counts == [3, 2, 1, 1]
    assert ours.matches == [3, 1, 0, 0]


@pytest.mark.parametrize("line", ["It ends.", "It ends. ", "3.", "e.g.", "so...", "one. two."])
def test_full_stop_at_the_end(line):
    assert BLEU().tokens(line) == Tokenizer13a()(line.rstrip()).split()
    assert BLEU().tokens(line)[-1] == "."


# ---------------------------------------------------------------- input


def test_references_the_wrong_way_round():
    hyps, refs = ["a b c d", "x y"], [["a b c d"], ["q r"]]
    silent = sacrebleu.corpus_bleu(hyps, refs)
    assert (round(silent.score), silent.ref_len) == (100, 4)
    right = [stream[0] for stream in refs]
    assert BLEU().corpus(hyps, refs).value == sacrebleu.corpus_bleu(hyps, [right]).score < 100
    with pytest.raises(InputError, match=r"truebleu\.streams"):
        BLEU().corpus(hyps, [right])


def test_lines_that_are_cut():
    cut = bleuscore.compute(predictions=["a b c d", "x y z w"], references=[["a b c d"]])
    assert (cut["bleu"], cut["translation_length"]) == (1, 4)
    for hyps, refs in ((["a b c d", "x y"], [["a b c d"]]), (["a b c d"], [["a b c d"], ["x y"]])):
        for row in DIALECTS:
            with pytest.raises(InputError, match=r"1.*2|2.*1"):
                BLEU(row).corpus(hyps, refs)


def test_lines_beyond_the_references(folder):
    (folder / "long").write_bytes((folder / "hyp").read_bytes() + b"and one more\n")
    for row in ("multi-bleu", "sacrebleu"):
        message = refusal("score", "ref", "-i", "long", "--dialect", row)
        assert "3" in message
        assert "4" in message


def test_last_character_lost(folder):
    (folder / "open").write_bytes((folder / "hyp").read_bytes()[:-1])
    for row in ("multi-bleu-detok", "sacrebleu"):
        whole, _ = scored("score", "ref", "-i", "hyp", "--dialect", row)
        assert scored("score", "ref", "-i", "open", "--dialect", row)[0] == whole


def by_their_command(*arguments, stdin=b""):
    command = [Path(sys.executable).parent / "sacrebleu", *arguments]
    return subprocess.run(command, input=stdin, check=False, capture_output=True, timeout=60)


def test_carriage_return(folder):
    text = (folder / "hyp").read_bytes().replace(b" b ", b" b\r")
    (folder / "cr").write_bytes(text)
    assert by_their_command("ref", "-i", "cr", "-b").returncode == 0
    assert by_their_command("ref", "-b", stdin=text).returncode == 1
    expected, _ = scored("score", "ref", "-i", "hyp", "-b")
    assert scored("score", "ref", "-i", "cr", "-b")[0] == expected
    assert scored("score", "ref", "-b", stdin=text)[0] == expected


def test_byte_order_mark(folder):
    (folder / "bom").write_bytes(b"\xef\xbb\xbf" + (folder / "ref").read_bytes())
    assert float(by_their_command("ref", "-i", "bom", "-b", "-w", "2").stdout) < 100
    printed, remarked = scored("score", "ref", "-i", "bom", "-b")
    assert float(printed) == 100
    assert "byte order mark" in remarked
    found = check(["\ufeffa b c d"], ["a b c d"])
    assert [finding.kind for finding in found] == ["byte-order-mark"]


def test_invalid_utf_8(folder):
    (folder / "bad").write_bytes((folder / "hyp").read_bytes().replace(b"f", b"\xff"))
    assert b"Traceback" in by_their_command("ref", "-i", "bad").stderr
    assert refusal("score", "ref", "-i", "bad").startswith("bad:2:")


@pytest.mark.usefixtures("folder")
def test_tab_on_standard_input():
    text = Path("hyp").read_bytes()
    assert by_their_command("ref", stdin=text.replace(b"a b", b"a\tb")).returncode == 17
    plain, _ = scored("score", "ref", stdin=text)
    assert scored("score", "ref", stdin=text.replace(b"a b", b"a\tb"))[0] == plain


def test_locale(folder):
    (folder / "hyp").write_text("naïve 中文 \u200b é x\n" * 3, encoding="utf-8")
    (folder / "ref").write_text("naïve 中文 \u200b e x\n" * 3, encoding="utf-8")
    printed = []
    for locale in ("C", "C.UTF-8"):
        names = {"LC_ALL": locale, "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
        done = run("score", "ref", "-i", "hyp", "-tok", "intl", env={**os.environ, **names})
        assert (done.returncode, done.stderr) == (0, b"")
        printed.append(done.stdout)
    assert printed[0] == printed[1]


def test_other_numbers_of_references():
    long = "I really do not think so"
    absent = BLEU().corpus(["I do", "a b c d"], [[long, None], ["a b c d", "a b"]])
    ragged = BLEU().corpus(["I do", "a b c d"], [[long], ["a b c d", "a b"]])
    empty = BLEU().corpus(["I do", "a b c d"], [[long, ""], ["a b c d", "a b"]])
    assert absent.value == ragged.value
    assert (absent.ref_len, empty.ref_len) == (10, 4)
    assert absent.bp < empty.bp == 1
    streams = [[long, "a b c d"], [None, "a b"]]
    assert absent.value == sacrebleu.corpus_bleu(["I do", "a b c d"], streams).score


def test_nothing_to_score():
    with pytest.raises(IndexError):
        sacrebleu.corpus_bleu([], [[]])
    with pytest.raises(BaseException, match="empty") as caught:
        bleuscore.compute(predictions=[], references=[])
    assert not isinstance(caught.value, Exception)
    for row in DIALECTS:
        bleu = BLEU(row)
        with pytest.raises(InputError):
            bleu.corpus([], [])
        for hyp, ref in (("", "a b c d"), ("a b", ""), ("", "")):
            values = [bleu.corpus([hyp], [ref]).value, *bleu.sentences([hyp], [ref])]
            assert all(math.isnan(value) or 0 <= value <= 100 for value in values)


def test_columns(tmp_path):
    texts = ["a b c d", "a b c e"]
    path = tmp_path / "texts"
    path.write_text("a b c d\na b c e\n")
    expected = BLEU().corpus(texts, texts[::-1]).value
    with path.open(encoding="utf-8") as file:
        columns = [np.array(texts), pd.Series(texts), (text for text in texts), file]
        for column in columns:
            with pytest.raises(TypeError):
                sacrebleu.corpus_bleu(column, [texts[::-1]])
            assert BLEU().corpus(column, texts[::-1]).value == expected
    assert isinstance(BLEU().sentences(pd.Series(texts), np.array(texts)), np.ndarray)


def test_tokens_and_ids():
    hyps, refs = ["5 7 9 4 2", "1 2 3"], [["5 7 9 4 3", "5 7"], ["1 2 3 4"]]
    words = [hyp.split() for hyp in hyps], [[ref.split() for ref in row] for row in refs]
    with pytest.raises(TypeError):
        sacrebleu.corpus_bleu(words[0], [["a"], ["b"]])
    ids = np.array([[5, 7, 9, 4, 2], [1, 2, 3, 0, 0]])
    id_refs = [[[int(word) for word in ref] for ref in row] for row in words[1]]
    expected = list(BLEU(tokenize="none").sentences(hyps, refs))
    assert list(BLEU().sentences(*words)) == expected
    assert list(BLEU().sentences(ids, id_refs, pad_id=0)) == expected


def test_padding_alone():
    stats = BLEU().stats(np.array([[0, 0, 0]]), np.array([[5, 7, 0]]), pad_id=0)
    assert stats[0] == (0, 2, *[0] * 8)
    assert BLEU("fairseq").corpus(np.array([[0, 0]]), np.array([[5, 7]]), pad_id=0).value == 0


def test_tokenizer_of_ones_own():
    with pytest.raises(KeyError):
        sacrebleu.BLEU(tokenize=str.split)
    hyps, refs = ["The cat-sat, on"], ["The cat-sat, off"]
    ours = BLEU(tokenize=str.split).corpus(hyps, refs)
    assert ours.matches == BLEU(tokenize="none").corpus(hyps, refs).matches
    assert BLEU(tokenize=list).corpus(hyps, refs).hyp_len == len(hyps[0])


def lines(name):
    return (ROOT / "examples" / name).read_text("utf-8").splitlines()


def test_tokenized_text(caplog):
    hyps, refs = lines("de-en/hyp.aurora.txt"), lines("de-en/ref.A.txt")
    tokenized = [" ".join(BLEU().tokens(hyp)) for hyp in hyps]
    sacrebleu.corpus_bleu(tokenized, [refs])
    assert not caplog.records
    finding = next(found for found in check(tokenized, refs) if found.kind == "tokenized")
    assert finding.column == "hyps"
    assert BLEU().corpus(hyps, refs).value == pytest.approx(finding.after, abs=0.5)


def test_tokenizer_of_another_script(caplog):
    hyps, refs = lines("en-zh/hyp.aurora.txt"), lines("en-zh/ref.A.txt")
    assert sacrebleu.corpus_bleu(hyps, [refs]).score == BLEU().corpus(hyps, refs).value
    assert not caplog.records
    finding = next(found for found in check(hyps, refs) if found.kind == "wrong-tokenizer")
    assert "zh" in finding.message
    assert finding.before == BLEU().corpus(hyps, refs).value
    assert finding.after == BLEU(tokenize="zh").corpus(hyps, refs).value > finding.before


def test_argument_in_the_wrong_place():
    with pytest.raises(TypeError):
        BLEU("paddlenlp", 4)
    with pytest.raises(OptionError, match="tokenize"):
        BLEU("paddlenlp", tokenize=4)
    assert BLEU("paddlenlp", max_ngram_order=2).dialect.count.max_ngram_order == 2
