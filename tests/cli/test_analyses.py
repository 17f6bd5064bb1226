# SPDX-License-Identifier: Apache-2.0
"""Commands that analyse print what Python's functions return, as text and as JSON."""

import json
import re

import pytest
from support.command import HYPS, REFS, in_process, scored, truebleu
from support.example_texts import ENGLISH, NAMED, SYSTEMS, TWO_REFS, write_lines
from support.example_texts import REFS as REFS_A
from support.terminals import on_terminal

import truebleu as tb
from truebleu.dialects.uses import uses

PAIR = ("contrast", *ENGLISH, "-i", *SYSTEMS[:2])
TEXTS = NAMED["aurora"], NAMED["basalt"], TWO_REFS
CINDER = (*ENGLISH, "-i", SYSTEMS[2])
CORPUS = NAMED["cinder"], TWO_REFS
FEW = ("sacrebleu", "nltk")  # the others would only take time
LOWER = tb.BLEU("nltk", lowercase=True).signature


@pytest.mark.parametrize(
    ("command", "call"),
    [
        (PAIR, lambda: tb.contrast(*TEXTS, names=("aurora", "basalt"))),
        (("diff", *CINDER, "-b", "nltk"), lambda: tb.diff(*CORPUS, "sacrebleu", "nltk")),
        (("diff", *CINDER, "-a", "mteval-v13a", "-b", LOWER),
         lambda: tb.diff(*CORPUS, "mteval-v13a", LOWER)),
        (("explain", *CINDER, "-n", "17"), lambda: tb.explain(*CORPUS, most=10).segment(17)),
        (("reconcile", *CINDER, "--score", "0.095091", "-d", *FEW),
         lambda: tb.reconcile(*CORPUS, "0.095091", dialects=FEW)),
        (("reconcile", ENGLISH[0], "-i", *SYSTEMS[:2], "--score", "52.6", "35.2", "-d", *FEW),
         lambda: tb.reconcile(dict(zip("ab", TEXTS[:2], strict=True)), REFS_A, ["52.6", "35.2"],
                              dialects=FEW)),
    ],
    ids=["contrast", "diff", "diff by signature", "explain", "reconcile", "several systems"],
)  # fmt: skip
def test_a_command_prints_what_python_returns(command, call):
    result = call()
    assert scored(*command) == (f"{result}\n", "")
    assert json.loads(truebleu(*command, "-f", "json")) == json.loads(json.dumps(result.to_dict()))


def test_reconcile_names_references_by_their_files():
    value = tb.corpus_bleu(CORPUS[0], [b for _, b in TWO_REFS]).value
    options = ("--score", f"{value:.3f}", "-d", "sacrebleu", "--limit", "1")
    assert b"sacrebleu, reference ref.B.txt\n" in truebleu("reconcile", *CINDER, *options)


def test_reconcile_exits_with_1_if_nothing_gives_the_number():
    line = truebleu("score", *CINDER).decode()
    verified = tb.verify(*CORPUS, line).format(["ref.A.txt", "ref.B.txt"])
    assert scored("reconcile", *CINDER, "--signature", line) == (f"{verified}\n", "")
    other = in_process("reconcile", *CINDER, "--signature", line, "--score", "12.3", "-f", "json")
    assert (other.returncode, json.loads(other.stdout)["agrees"]) == (1, False)
    done = in_process("reconcile", *CINDER, "--score", "98.76543", "-f", "json", "-d", *FEW)
    printed = json.loads(done.stdout)
    assert (done.returncode, printed["found"], printed["matches"]) == (1, False, [])
    assert printed["nearest"]


def test_contrast_reads_labels_and_frequencies(tmp_path):
    labels = ["chat" if i % 3 else "news" for i in range(len(TWO_REFS))]
    write_lines({"labels": labels, "training": ["the city"] * 60}, tmp_path)
    flags = ("--group-by", str(tmp_path / "labels"), "--by-doc", str(tmp_path / "labels"),
             "--frequencies", str(tmp_path / "training"), "--segments", "1", "--ngrams", "2",
             "-n", "50", "--seed", "3", "-lc")  # fmt: skip
    result = tb.contrast(
        *TEXTS,
        names=("aurora", "basalt"),
        domains=labels,
        documents=labels,
        frequencies=["the city"] * 60,
        segments=1,
        ngrams=2,
        resamples=50,
        seed=3,
        lowercase=True,
    )
    assert scored(*PAIR, *flags) == (f"{result}\n", "")
    assert {part.name for part in result.by_frequency} == {"never", "10\u201399"}
    assert result.units == 2


def test_all_dialects_at_once():
    standings = tb.survey(*CORPUS)
    head, *table = truebleu("diff", *CINDER, "--all").decode().splitlines()
    assert head.split() == ["score", "BP", "tokens", "against", "dialects"]
    shown = {}
    for line in table:
        if not line.startswith(" "):
            value = float(line.split()[0])
        names = re.findall(r"[a-z][\w-]+", line)
        assert not shown.keys() & names
        shown |= dict.fromkeys(names, value)
    assert sorted(shown) == sorted(tb.DIALECTS)
    for standing in standings:
        percent = standing.score.value * 100 / standing.score.scale
        assert shown[standing.name] == pytest.approx(percent, abs=0.0051)
    entries = json.loads(truebleu("diff", *CINDER, "--all", "-f", "json"))
    assert {entry["dialect"]: entry["score"]["value"] for entry in entries} == {
        standing.name: standing.score.value for standing in standings
    }


@pytest.mark.usefixtures("folder")
def test_an_explanation_of_a_corpus():
    why = tb.explain(HYPS, REFS, most=10)
    assert scored("explain", "ref", "-i", "hyp") == (f"{why}\n", "")
    longer = tb.explain(HYPS, REFS, "nltk", most=3).format(worst=1) + "\n"
    arguments = ("-i", "hyp", "-d", "nltk", "--ngrams", "3", "--worst", "1")
    assert scored("explain", "ref", *arguments) == (longer, "")
    corpus = json.loads(truebleu("explain", *CINDER, "-f", "json", "--worst", "2"))
    why = tb.explain(*CORPUS, most=10)
    assert corpus["value"] == why.score.value
    assert [entry["cost"] for entry in corpus["segments"]] == why.costs.tolist()
    assert [entry["segment"] for entry in corpus["worst"]] == why.worst(2)
    assert len(corpus["unmatched"]) == len(corpus["missed"]) == 10
    lost = corpus["worksheet"]["lost"]
    assert sum(lost.values()) == pytest.approx(100 - corpus["value"], rel=1e-14)


@pytest.mark.parametrize("more", [(), ("-n", "17"), ("--worst", "10", "-d", "nltk")])
def test_colors_replace_numbers_on_a_terminal(more):
    arguments = ("explain", *CINDER, *more)
    plain = truebleu(*arguments).decode()
    colored = on_terminal(0, *arguments)
    assert "\x1b" not in plain
    assert {"\x1b[1;32m", "\x1b[31m"} < set(re.findall(r"\x1b\[[\d;]*m", colored))
    # Equal except for the colors, which replace the numbers below the tokens.
    colorless = re.sub(r"\x1b\[[\d;]*m", "", colored)
    without_numbers = re.sub(r"(?m)^ {16}[\d. ]+\n", "", plain)
    legends = (
        "  Color of a token: length of the longest match that covers it: 0 1 2 3 4\n",
        "  Number below a token: length of the longest match that covers it.\n",
    )
    assert colorless.replace(legends[0], "") == without_numbers.replace(legends[1], "")
    assert legends[0] in colorless
    assert legends[1] in plain


def test_wide_characters_keep_their_numbers_below_them(folder):
    (folder / "wide").write_text("中文 a e\u0301 b\n", encoding="utf-8")
    output, _ = scored("explain", "wide", "-i", "wide", "-n", "1", "-tok", "none")
    lines = output.splitlines()
    at = lines.index("  hypothesis    中文 a e\u0301 b") + 1
    assert lines[at] == "                4    4 4 4"


def test_a_difference_has_an_agreement_and_without_one_there_is_a_table():
    lines = truebleu("meaning", "1.3", "-m", "chrf").decode().splitlines()
    assert lines[0] == "people agreed with differences like this in 70 % of cases"
    parsed = json.loads(truebleu("meaning", "1.3", "-lc", "-f", "json"))
    assert parsed == tb.human_agreement(1.3, lowercase=True).to_dict()
    output = truebleu("meaning", "-d", "coco-caption").decode()
    assert f"80 %          {tb.difference_for(0.8, 'coco-caption'):.4f}\n" in output
    assert "warning: this metric is for captions, and people judged translations" in output


SCORER = """
from truebleu import sentence_bleu
print("a module may print")
def old(hyp, ref): return sentence_bleu(hyp, [ref], "nltk-method1").value
def bad(hyp, ref): return old(hyp, ref) + 0.001 * (len(hyp) == 1)
"""


@pytest.mark.parametrize(("name", "code"), [("old", 0), ("bad", 1)])
def test_identify_exits_with_0_if_the_numbers_are_equal(folder, name, code):
    (folder / "bleu.py").write_text(SCORER)
    arguments = (f"bleu.py:{name}", "-f", "json", "--call", "hyp, ref", "--calls", "40")
    done = in_process("identify", *arguments)
    entry = json.loads(done.stdout)
    assert (done.returncode, done.stderr, entry["exact"]) == (code, b"", not code)
    assert (entry["dialect"], entry["call"]) == ("nltk-method1", "hyp, ref")
    assert bool(entry["line"]) is entry["exact"]
    assert bool(entry["differences"]) is not entry["exact"]


def names(*words):
    return [entry["name"] for entry in json.loads(truebleu("dialects", *words, "-f", "json"))]


def test_words_select_the_dialects_that_mention_all_of_them():
    assert names() == [*tb.DIALECTS, *uses()]
    assert "coco-caption" in names("caption")
    assert "coco-caption" not in names("caption", "homework") == ["mlds-bleu1"]
    perl = [name for name, row in tb.DIALECTS.items() if "perl" in row.source.lower()]
    assert names("PERL") == perl
    shown = truebleu("dialects", "multiwoz").decode()
    assert "users    the MultiWOZ benchmark" in shown
    assert "  tokenize                  markers  (sacrebleu: 13a)" in shown


SEARCHED = (
    "opik mlflow ragas lighteval unitxt vec2text trulens seamless bigcode lm-eval helm promptfoo "
    "langsmith nemo espnet allennlp haystack h2o lmms-eval fairseq2 r2gen swift"
)


def test_names_that_people_search_are_answered_with_a_line():
    for word in SEARCHED.split():
        shown = truebleu("dialects", word).decode()
        assert word in shown.lower()
        assert "tb." in shown or word in tb.DIALECTS, word
    shown = truebleu("dialects", "fairseq2").decode()
    assert 'tb.corpus_bleu(hyps, refs, use="fairseq2")' in shown
    assert "truebleu score REF -i HYP -d fairseq2" in shown
    assert "sacreBLEU without smoothing" in shown
    assert "wrong shape" in truebleu("dialects", "ragas").decode()
