# SPDX-License-Identifier: Apache-2.0
"""`truebleu score`: sacreBLEU's output byte for byte, every format, gates, and mistakes."""

import json
import math
import re
import subprocess
from pathlib import Path

import pytest
from support.command import COMMAND, HYPS, REFS, refusal, run, sacrebleu, scored, truebleu
from support.example_texts import AURORA, CHINESE, ENGLISH, EXAMPLES, NAMED, SYSTEMS
from support.profiles import few

from truebleu import corpus_bleu

pytestmark = pytest.mark.usefixtures("folder")


def test_a_bad_environment_is_named(monkeypatch):
    monkeypatch.setenv("TRUEBLEU_NUM_THREADS", "many")
    assert "TRUEBLEU_NUM_THREADS" in refusal("score", "ref", "-i", "hyp")
    monkeypatch.delenv("TRUEBLEU_NUM_THREADS")
    monkeypatch.setenv("TRUEBLEU_SIMD", "mmx")
    assert "mmx" in refusal("score", "ref", "-i", "hyp")


def test_a_reference_given_twice_is_noticed_and_scored(folder):
    line, notice = scored("score", "ref", "ref", "-i", "hyp")
    expected = corpus_bleu(HYPS, [[ref, ref] for ref in REFS]).format(1, signature=True)
    assert line == expected + "\n"
    assert notice.startswith("truebleu: notice: ref is listed twice")
    assert notice.count("\n") == 1
    (folder / "copy").write_bytes((folder / "ref").read_bytes())
    assert scored("score", "ref", "copy", "-i", "hyp")[0] == line


@pytest.mark.parametrize("closing", ["<&-", ">&-"])
def test_a_closed_stream_is_one_line(closing):
    script = f'exec "$0" "$@" {closing}'
    hyp = ["-i", "hyp"] if closing == ">&-" else []
    command = ["/bin/sh", "-c", script, COMMAND, "score", "ref", *hyp]
    done = subprocess.run(command, check=False, timeout=60, capture_output=True)
    assert (done.returncode, done.stderr.count(b"\n")) == (2, 1), done.stderr.decode()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
@pytest.mark.parametrize("arguments", [["score"], ["check", "-f", "json"]])
def test_a_full_disk_is_one_line(arguments):
    with open("/dev/full", "wb") as full:
        done = run(*arguments, "ref", "-i", "hyp", stdout=full)
    assert (done.returncode, done.stderr.count(b"\n")) == (2, 1), done.stderr.decode()
    assert b"standard output cannot be written" in done.stderr


def without_unicode(output):
    """Our output without the version of Unicode, which sacreBLEU does not record."""
    return re.sub(rb"unicode:[^|]*\|", b"", output)


def assert_same_text(options, refs, hyp):
    ours = truebleu("score", *refs, "-i", hyp, *options)
    assert without_unicode(ours) == sacrebleu(*refs, "-i", hyp, "-f", "text", *options)


@pytest.fixture(scope="module")
def odd(tmp_path_factory):
    """Texts that are hard for tokenizers and readers: two references and a hypothesis."""
    lines = [
        "",
        "  spaces  before and after \t",
        'Entities: &quot;a&amp;b&quot; &lt;c&gt; <skipped> "d"',
        "1,000.5 and 3.14,15-16 km/h — «citation» ¿qué?…",
        "中文和English混合，标点。日本語テスト、한국어",
        "İstanbul STRASSE ΑΣ ǅ naïve",
        "tab\tinside, form\x0cfeed, line\u2028separator, next\x85line, return\rinside",
        "zero\u200bwidth, no\xa0break, ideographic\u3000space",
        "\ufeffmark 𝒜 😀👍🏽 e\u0301",
        "the the the the the the the",
    ]
    folder = tmp_path_factory.mktemp("odd")
    shuffled = [line[::-1] if i % 3 == 0 else line for i, line in enumerate(lines)]
    cut = [line[len(line) // 3 :] + " the end ." for line in lines]
    paths = []
    for name, texts in (("ref1", lines), ("ref2", cut), ("hyp", shuffled)):
        path = folder / name
        path.write_bytes(("\n".join(["first", *texts, "last line", ""])).encode())
        paths.append(str(path))
    return paths


OPTIONS = [
    "", "-lc", "-w 4", "-w 0", "-b", "-b -w 12", "-sh", "-sh -lc -s floor", "-s floor",
    "-s floor -sv 0.37", "-s floor -sv 0", "-s add-k", "-s add-k -sv 2.5", "-s none", "-s exp",
    "-sl", "-sl -b -w 3", "-sl -sh -lc", "-sl -s floor -sv 0", "-sl -s add-k -tok intl",
    "--smooth-method floor --smooth-value 0.5 --lowercase --tokenize char --width 3 --short",
]  # fmt: skip


@pytest.mark.parametrize("options", few(OPTIONS, every=3))
def test_options_print_what_sacrebleu_prints(options):
    assert_same_text(options.split(), ENGLISH, SYSTEMS[2])


@pytest.mark.parametrize("tokenizer", ["none", "13a", "zh", "char", "intl", "ja-mecab"])
def test_tokenizers_print_what_sacrebleu_prints(tokenizer, odd):
    *refs, hyp = odd
    assert_same_text(["-tok", tokenizer, "-w", "6"], refs, hyp)
    assert_same_text(["-tok", tokenizer, "-sl", "-lc", "-w", "6"], refs, hyp)


def test_standard_input_is_the_hypothesis_or_a_reference():
    text = Path(AURORA).read_bytes()
    expected = sacrebleu(*ENGLISH, "-f", "text", stdin=text)
    assert truebleu("score", *ENGLISH, stdin=text) == expected
    assert truebleu("score", *ENGLISH, "-i", "-", stdin=text) == expected
    assert truebleu("score", "-", ENGLISH[1], "-i", AURORA, stdin=Path(ENGLISH[0]).read_bytes()) == expected


@pytest.mark.parametrize("options", ["", "-w 5", "-s floor", "-s add-k -sv 0.5 -tok char"])
def test_json_has_what_sacrebleu_has_in_its_json(options):
    ours = json.loads(truebleu("score", *ENGLISH, "-i", AURORA, "-f", "json", *options.split()))
    theirs = json.loads(sacrebleu(*ENGLISH, "-i", AURORA, "-f", "json", *options.split()))
    decimals = 5 if "-w" in options else 1
    assert {**ours, "score": float(f"{ours['score']:.{decimals}f}")}.items() >= theirs.items()
    assert ours["score"] == ours["value"] != theirs["score"]
    assert list(ours)[: len(theirs)] == list(theirs)


@pytest.mark.parametrize(
    "options",
    [
        ["-m", "bleu", "chrf", "ter"],
        ["-m", "chrf", "-cw", "2", "-cc", "4", "--chrf-beta", "3", "-w", "4"],
        ["-m", "chrf", "--chrf-lowercase", "--chrf-whitespace", "--chrf-eps-smoothing"],
        ["-m", "ter", "--ter-no-punct", "--ter-case-sensitive", "-b"],
        pytest.param(["-m", "ter", "--ter-normalized", "--ter-asian-support"], marks=pytest.mark.slow),
    ],
    ids=" ".join,
)
def test_metrics_print_what_sacrebleu_prints(options):
    for refs, hyp in ((ENGLISH[:1], AURORA), (CHINESE[:1], str(EXAMPLES / "en-zh/hyp.basalt.txt"))):
        theirs = [line.lstrip() for line in sacrebleu(*refs, "-i", hyp, "-f", "text", *options).splitlines()]
        ours = without_unicode(truebleu("score", *refs, "-i", hyp, "-q", *options)).splitlines()
        assert sorted(ours) == sorted(theirs)


def test_metrics_stand_side_by_side():
    table = [line.split("\t") for line in _scored("tsv").splitlines()]
    assert table[0][:4] == ["System", "BLEU", "chrF2", "TER"]
    assert table[0][4:] == ["BLEU signature", "chrF2 signature", "TER signature"]
    entries = json.loads(_scored("json"))["scores"]
    names = [entry["name"] for entry in entries]
    assert names == ["BLEU", "chrF2", "TER"] * 2
    output = [repr(entry["value"]) for entry in entries]
    assert [output[:3], output[3:]] == [row[1:4] for row in table[1:]]
    assert entries[2]["edits"] / entries[2]["ref_len"] * 100 == pytest.approx(entries[2]["value"])
    assert "& chrF2 & TER" in _scored("latex")
    assert "| System | BLEU | chrF2 | TER |" in _scored("markdown")
    assert _scored("text").splitlines()[0].split() == ["System", "BLEU", "chrF2", "TER"]


def _scored(form):
    systems = SYSTEMS[:2]
    options = ["-m", "bleu", "chrf", "ter", "-f", form]
    return truebleu("score", *ENGLISH, "-i", *systems, *options).decode()


@pytest.fixture(scope="module")
def each_system():
    """The JSON of each system scored alone."""
    command = ("score", *ENGLISH, "-f", "json", "-w", "3")
    return [
        json.loads(truebleu(*command, "-i", path, "--names", name))["scores"][0]
        for name, path in zip(NAMED, SYSTEMS, strict=True)
    ]


def test_several_systems_score_as_each_alone(each_system):
    together = truebleu("score", *ENGLISH, "-i", *SYSTEMS, "-f", "json", "-w", "3")
    parsed = json.loads(together)
    assert parsed.pop("scores") == each_system
    assert parsed == each_system[0]
    assert [entry["system"] for entry in each_system] == list(NAMED)


def cells(output_format, output):
    """The table in an output, head first, whose cells are still escaped."""
    if output_format == "tsv":
        return [line.split("\t")[:-1] for line in output.splitlines()]
    if output_format == "markdown":
        table = [line for line in output.splitlines() if line.startswith("|")]
        rows = [re.split(r" (?<!\\)\| ", line[2:-2]) for line in table]
        assert {cell.strip(":-") for cell in rows.pop(1)} == {""}
        return rows
    if output_format == "latex":
        return [line[:-3].split(" & ") for line in output.splitlines() if line.endswith(r" \\")]
    return [line.split() for line in output.split("\n\n")[0].splitlines() if "---" not in line]


@pytest.mark.parametrize("output_format", ["text", "tsv", "markdown", "latex"])
def test_tables_hold_the_numbers_of_the_json(output_format, each_system):
    arguments = (*ENGLISH, "-i", *SYSTEMS, "-w", "3", "-f", output_format)
    output = truebleu("score", *arguments).decode()
    head, *rows = cells(output_format, output)
    assert len(rows) == len(each_system)
    for row, entry in zip(rows, each_system, strict=True):
        named = dict(zip((name.replace(r"\_", "_") for name in head), row, strict=True))
        assert named["System"] == entry["system"]
        names = ("BLEU", "p1", "p2", "p3", "p4", "BP", "ratio")
        numbers = (entry["value"], *entry["precisions"], entry["bp"], entry["ratio"])
        decimals = (3, 1, 1, 1, 1, 3, 3)
        for name, number, places in zip(names, numbers, decimals, strict=True):
            text = repr(number) if output_format == "tsv" else f"{number:.{places}f}"
            assert named[name] == text
        assert (int(named["hyp_len"]), int(named["ref_len"])) == (entry["hyp_len"], entry["ref_len"])
    signature = each_system[0]["signature"]
    if output_format == "latex":
        signature = signature.replace("|", r"\textbar\allowbreak{}")
    assert output.count(signature) == (3 if output_format == "tsv" else 1)


@pytest.mark.parametrize("output_format", ["json", "tsv", "markdown", "latex"])
def test_sentences_print_in_every_format(output_format, odd):
    *refs, hyp = odd
    values = truebleu("score", *refs, "-i", hyp, "-sl", "-b", "-w", "3").decode().split()
    output = truebleu("score", *refs, "-i", hyp, "-sl", "-w", "3", "-f", output_format).decode()
    if output_format == "json":
        scores = [repr(entry["score"]) for entry in json.loads(output)]
    else:
        scores = [row[1] for row in cells(output_format, output)[1:]]
    if output_format in ("json", "tsv"):
        scores = [f"{float(score):.3f}" for score in scores]
    assert scores == values


def test_fail_under_fails_only_below_its_score():
    value = json.loads(truebleu("score", *ENGLISH, "-i", AURORA, "-f", "json"))["value"]
    for floor, code in ((value, 0), (0, 0), (math.nextafter(value, 100), 1), (100, 1)):
        done = run("score", *ENGLISH, "-i", AURORA, "--fail-under", repr(floor))
        assert (done.returncode, done.stderr) == (code, b"")
        assert done.stdout == truebleu("score", *ENGLISH, "-i", AURORA)


def test_nan_fails_fail_under_and_is_null_in_json(tmp_path):
    (tmp_path / "blank").write_text(" \n")
    command = ("score", tmp_path / "blank", "-i", tmp_path / "blank", "-d", "matlab")
    done = run(*command, "-f", "json", "--fail-under", "0")
    assert done.returncode == 1
    printed = json.loads(done.stdout, parse_constant=pytest.fail)
    assert (printed["value"], printed["score"], printed["individual"]) == (None, None, [None] * 4)


def test_multi_bleu_fails_without_words(tmp_path):
    (tmp_path / "e").touch()
    done = run("score", str(tmp_path / "e"), "-i", str(tmp_path / "e"), "-d", "multi-bleu", "-b")
    assert (done.returncode, done.stdout) == (1, b"0.0\n")


def test_fail_under_fails_if_one_of_several_systems_does():
    values = [float(truebleu("score", *ENGLISH, "-i", path, "-b", "-w", "9")) for path in SYSTEMS]
    gate = ("score", *ENGLISH, "-i", *SYSTEMS, "--fail-under")
    assert run(*gate, str(min(values) - 1)).returncode == 0
    assert run(*gate, str(sum(values) / 3)).returncode == 1


def test_codebleu(tmp_path):
    pytest.importorskip("tree_sitter_java", reason="there is no grammar of Java")
    table = tmp_path / "programs.jsonl"
    row = {"mt": "int f(int a) {\n  return a; }", "ref": "int f(int b) { return b; }"}
    table.write_text(json.dumps(row))
    columns = ["score", table, "--hyp-col", "mt", "--ref-col", "ref", "-m", "codebleu"]
    weights = ["--codebleu-weights", "0.25,0.25,0.5,0"]
    assert truebleu(*columns, "--lang", "java", *weights, "-b") == b"0.5535\n"
    score = json.loads(truebleu(*columns, "--lang", "java", *weights, "-f", "json"))
    assert score["verbose_score"].endswith("syntax = 1.0000 dataflow = absent)")
    assert "CodeBLEU needs a programming language" in refusal(*columns)
    assert "did you mean java" in refusal(*columns, "--lang", "jav")
