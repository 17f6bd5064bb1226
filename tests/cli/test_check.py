# SPDX-License-Identifier: Apache-2.0
"""`truebleu check`: what it prints, its exit codes, and what it refuses."""

import gzip
import json

import pytest
from support.command import refusal, run
from support.example_texts import AURORA, CHINESE, ENGLISH, EXAMPLES, NAMED, SYSTEMS, lines

import truebleu

HYPS = NAMED["aurora"]
SOURCE = str(EXAMPLES / "de-en" / "source.txt")


def checked(*arguments, code, stdin=b""):
    done = run("check", *arguments, stdin=stdin)
    assert (done.returncode, done.stderr) == (code, b""), done.stderr.decode()
    return done.stdout.decode()


def findings(*arguments, code, stdin=b""):
    return json.loads(checked(*arguments, "-f", "json", code=code, stdin=stdin))["findings"]


@pytest.fixture
def written(tmp_path):
    def write(rows, name="hyp", before=b"", end=b"\n"):
        path = tmp_path / name
        path.write_bytes(before + b"".join(line.encode() + end for line in rows))
        return str(path)

    return write


def test_clean_files_pass():
    output = checked(*ENGLISH, "-i", *SYSTEMS, "--src", SOURCE, code=0)
    assert output.count("no problems found in 48 segments") == 3
    assert findings(*ENGLISH, "-i", AURORA, code=0) == []
    assert findings(*CHINESE, "-i", CHINESE[0].replace("ref.A", "hyp.aurora"), "-tok", "zh", code=0) == []


def test_a_lost_line_fails_and_is_located(written):
    path = written(HYPS[:16] + HYPS[17:])
    output = checked(*ENGLISH, "-i", path, code=1)
    assert output.startswith(f"{path}: 1 error\n\nerror  lost-line  hyp:17\n")
    assert "    ref.A.txt:17 has no match" in output
    assert "; before: unknown" in output
    (finding,) = findings(*ENGLISH, "-i", path, code=1)
    assert (finding["kind"], finding["lines"], finding["count"]) == ("lost-line", [17], 1)


def test_notes_pass(written):
    path = written([HYPS[0].replace(" ", "\xa0", 1), *HYPS[1:]])
    (finding,) = findings(*ENGLISH, "-i", path, code=0)
    assert (finding["severity"], finding["lines"], finding["effect"]) == ("note", [1], 0)
    assert "<U+00A0>" in finding["evidence"][0]["text"]
    assert "Repair leaves BLEU at 57.77" in checked(*ENGLISH, "-i", path, code=0)


def test_warnings_fail_if_asked(written):
    short = sorted(HYPS, key=len)[6]
    path = written(["" if line == short else line for line in HYPS])
    assert "warning  empty-hyp" in checked(*ENGLISH, "-i", path, code=0)
    checked(*ENGLISH, "-i", path, "--fail-on", "error", code=0)
    checked(*ENGLISH, "-i", path, "--fail-on", "warning", code=1)
    checked(*ENGLISH, "-i", AURORA, "--fail-on", "warning", code=0)


def test_bytes_that_a_reader_would_drop_are_found(written):
    marked = written(HYPS, before=b"\xef\xbb\xbf")
    (finding,) = findings(*ENGLISH, "-i", marked, code=0)
    assert (finding["kind"], finding["where"]) == ("byte-order-mark", f"{marked}:1")
    windows = written(HYPS, end=b"\r\n")
    (finding,) = findings(*ENGLISH, "-i", windows, code=0)
    assert (finding["kind"], finding["lines"]) == ("carriage-return", list(range(1, 49)))
    assert "and 43 more" in finding["where"]
    blank = written([*HYPS, ""])
    (finding,) = findings(*ENGLISH, "-i", blank, code=1)
    assert (finding["kind"], finding["lines"], finding["severity"]) == ("trailing-blank-line", [49], "error")
    score = truebleu.corpus_bleu(HYPS, list(zip(*map(lines, ENGLISH), strict=True))).value
    assert finding["after"] == score


def test_standard_input_and_compressed_files(tmp_path):
    assert "not utf-8" in refusal("check", ENGLISH[0], stdin=b"\xff\n")
    text = "".join(f"{line}\n" for line in [*HYPS[:3], HYPS[3] + "\t", *HYPS[4:]]).encode()
    (finding,) = findings(*ENGLISH, code=0, stdin=text)
    assert finding["where"] == "<stdin>:4"
    path = tmp_path / "hyp.gz"
    path.write_bytes(gzip.compress(text))
    assert [each["lines"] for each in findings(*ENGLISH, "-i", str(path), code=0)] == [[4]]


def test_references_behind_tabs(written):
    rows = list(zip(*map(lines, ENGLISH), strict=True))
    rows[4] = (rows[4][0], rows[4][1] + "\x07")
    path = written(["\t".join(row) for row in rows], "refs.tsv")
    (finding,) = findings(path, "-nr", "2", "-i", AURORA, code=0)
    assert (finding["kind"], finding["where"]) == ("invisible-character", f"{path}:5 (reference 2)")


def test_several_systems_are_reported_one_by_one(written):
    bad = written(HYPS[1:])
    output = json.loads(checked(ENGLISH[0], "-i", AURORA, bad, "-f", "json", code=1))
    counts = [(entry["system"], len(entry["findings"])) for entry in output["systems"]]
    assert (output["findings"], counts) == ([], [(AURORA, 0), (bad, 1)])


def test_problems_of_references_are_said_once(written):
    ref = lines(ENGLISH[0])
    ref[3:5] = [ref[3].replace(" ", "\xa0", 1), ref[4] + "\t"]
    ref, bad = written(ref, "ref"), written([line.lower() for line in lines(AURORA)])
    output = json.loads(checked(ref, "-i", *SYSTEMS, bad, "-f", "json", code=1))
    about_refs = {each["kind"]: each for each in output["findings"]}
    assert set(about_refs) == {"odd-space", "tab"}
    for path, effect in zip([*SYSTEMS, bad], about_refs["tab"]["effects"], strict=True):
        (alone,) = (one for one in findings(ref, "-i", path, code=int(path == bad)) if one["kind"] == "tab")
        assert effect == {"system": path, **{key: alone[key] for key in list(effect)[1:]}}
    own = [[one["kind"] for one in entry["findings"]] for entry in output["systems"]]
    assert own == [[], [], [], ["case"]]
    text = checked(ref, "-i", *SYSTEMS, bad, code=1)
    assert text.startswith("references and sources: 2 notes\n")
    assert text.count("odd-space") == text.count("  ref:5\n") == 1
    assert text.count("no effect on 4 systems") == 2
    assert text.count("no problems found") == 3


def test_options_of_the_dialect_change_the_findings(written):
    path = written([line.lower() for line in HYPS])
    assert [each["kind"] for each in findings(*ENGLISH, "-i", path, code=1)] == ["case"]
    assert findings(*ENGLISH, "-i", path, "-lc", code=0) == []


def test_the_metric_is_named(written):
    files = (ENGLISH[0], "-i", written([line.lower() for line in HYPS]))
    output = checked(*files, "-m", "chrf", "-cw", "2", code=1)
    assert "  chrF2++ " in output
    assert "BLEU" not in output
    (case,) = findings(*files, "-m", "ter", "--ter-case-sensitive", code=1)
    assert (case["metric"], case["kind"]) == ("TER", "case")
    assert case["effect"] < 0


def test_systems_have_different_names(tmp_path):
    paths = [tmp_path / folder / "hyp.tsv" for folder in "ab"]
    for path in paths:
        path.parent.mkdir()
        path.write_text("".join(f"{line}\n" for line in ["mt", *HYPS]), encoding="utf-8")
    output = checked(ENGLISH[0], "--hyp-col", "mt", "-i", *map(str, paths), code=1)
    assert f"{paths[0]}: no problems found" in output
    assert f"error  same-system  {paths[1]}" in output
