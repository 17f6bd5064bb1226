# SPDX-License-Identifier: Apache-2.0
"""Each command refuses a user's mistake in one line, with exit code 2, and writes nothing."""

import shlex
import shutil
from pathlib import Path

import pandas as pd
import pytest
from support import tables
from support.command import HYPS, REFS, refusal
from support.example_texts import EXAMPLES, NAMED, lines, write_lines

import truebleu as tb
from truebleu.cli.commands import COMMANDS, load

#: Command lines, and a part of what they print; `^` is the start and `$` the end of the line.
MISTAKES = """
help scor | ^unknown command 'scor'; did you mean score?$
scor hyp | score
ref -i hyp | ^unknown command 'ref'; to score files, type truebleu score REF -i HYP$

score | no reference file
score -i hyp | no reference file
score ref -i hyp -tok 13b | 13a
score ref -i hyp -tok ja_mecab | ja-mecab
score ref -i hyp -tok spm:nowhere.model | nowhere.model
score ref -i hyp --nonsense-flag | --nonsense-flag
score ref -i hyp --weights 0.5,half | half
score ref -i hyp --threads 0 | threads
score ref -i hyp --resume | --resume
score ref -i hyp '' | is empty; name a file
score ref -i hyp -m ter --fail-under 3 | --fail-under needs one metric, of which higher
score ref -i hyp -m bleu chrf --fail-under 3 | --fail-under needs one metric
score ref -i hyp -d nltk --fail-under 30 | 30 is above the scale of nltk, 0 to 1;
score ref -i hyp -m chrf --fail-under 101 | 101 is above the scale of chrF2, 0 to 100;
score ref -i hyp -m chrf -lc | --lowercase is an option of bleu
score ref -i hyp -cw 2 | --chrf-word-order is an option of chrf
score ref -i hyp -m chrf -cc 0 | cannot both be 0
score ref -i hyp --confidence -sl | leave out --sentence-level
score -d nlkt --cite | did you mean nltk?

score ref -i hyp --smoth exp | did you mean --smooth-value or --smooth-method?$
score ref -i hyp --n-bootstrap 9 | did you mean --confidence?$
score ref -i hyp --ci 0.9 | did you mean --confidence?$
score --confidence 0.9 ref -i hyp | --confidence takes no value (it is 95 %); leave out 0.9
score ref -i hyp --cased | '--cased'; --help-all lists all$
compare ref -i hyp --confidence 0.9 | '--confidence'; --help-all lists all$
score ref -i hyp --target-lang zh | did you mean --language-pair?$
evaluate | ^unknown command 'evaluate'; known: score
score ref -i hyp --tokenise 13a | unknown option '--tokenise'; did you mean --tokenize
score ref -i hyp --echo src | unknown option --echo; for sacreBLEU's test sets
score ref -i hyp -w 2 --width 3 | --width occurs twice; give it once
score ref --fail-under -.5e -w x | --fail-under cannot be '-.5e'; it must be a number
score ref -i hyp -f jsn | --format cannot be 'jsn'; did you mean json

score ref -i hyp --save a.bleu | ^a.bleu exists; use --force
score ref -i hyp --save no/a.bleu | ^no: no such folder
score ref -i hyp --tag a=b | ^--tag and --force are for run files
score ref -i hyp --save b --tag a | ^--tag: each tag is TAG=TEXT
score ref -i hyp --save b -sl | ^--save does not go with --senten
score a.bleu -m bleu | ^run files have scores of their own; leave out
score torn.bleu | ^torn.bleu: the run file is damaged: its checksum differs
mbr torn.bleu | ^torn.bleu: a run file has no texts; name the file of the texts
compare ref -i hyp ref --save b --group-by hyp | ^--save does not go with --group-by
compare a.bleu refs.bleu | ^a and refs have different references
compare a.bleu chrf.bleu | ^a and chrf have no settings in common
compare a.bleu hyp | ^hyp is a text, which needs references; name REF
compare hyp -i a.bleu hyp | ^a.bleu was scored with other references
compare a.bleu a.bleu --group-by hyp | ^a.bleu: a run file has no texts
compare ref -i a.bleu hyp --save b | ^--save needs texts
explain ref -i a.bleu | ^a.bleu: a run file has no texts
explain a.bleu -i hyp | ^a.bleu: a run file has no texts

score t.csv --hyp-col mt | <stdin>
score t.csv --hyp-col mtt --ref-col ref | 'mtt'; did you mean mt?
score t.parquet --hyp-col mtt --ref-col ref | 'mtt'; did you mean mt
score t.parquet --hyp-col texts.dee --ref-col ref | 'dee'
score t.parquet --hyp-col both --ref-col ref | list<
score t.jsonl --hyp-col both --ref-col ref | t.jsonl:1: 'both' is of type list
score t.parquet --hyp-col mt --ref-col ref --group-by both | text or a number
score hyp --hyp-col mt --ref-col ref | hyp: not a known table format
score t.csv t.tsv --hyp-col mt --ref-col ref | t.tsv: not the table format of t.csv
score none*.csv --hyp-col mt --ref-col ref | none*.csv: no file matches
score none.csv --hyp-col mt --ref-col ref | none.csv: no such file
score t.csv --hyp-col mt more --ref-col ref --per-segment o.tsv | a single system
score t.csv --hyp-col mt --ref-col ref --per-segment o.txt | .parquet
score t.csv --hyp-col mt --ref-col ref --per-segment no/o.tsv | no: no such folder
score t.csv --hyp-col mt --ref-col ref -nr 2 | --num-refs
score ref --group-by domain -i hyp | no file domain; for a column, also give --hyp-col
score t.csv --ref-col ref -i mt short | short: 1 line, but t.csv has 56
score A short -i aurora | short: 1 line, but A has 48
score A B -i short --on-error skip | short: 1 line, but A has 48

compare d.csv --hyp-col aurora basalt --ref-col C | no column is named 'C'
compare d.csv --hyp-col aurora basalt | several --hyp-col also need --ref-col
check A -i aurora --src-col src | --src-col names a column, also give --hyp-col
report d.csv --hyp-col aurora --ref-col A --src src --src-col src | --src and --src-col
diff d.csv -i aurora basalt --ref-col A --hyp-col x y -b nltk | -i reads one column each
explain short.tsv --hyp-col a --ref-col b | short.tsv:3: 1 field, but the first line
explain short.jsonl --hyp-col a --ref-col b | short.jsonl: row 2: there is no reference
explain short.json --hyp-col a --ref-col b | short.json: row 2: there is no reference
explain pretty.json --hyp-col a --ref-col b | write an object on each line, or an array
explain columns.json --hyp-col a --ref-col b | columns.json:1: 'b' is of type dict
score columns.json --hyp-col a --ref-col b | as pandas does with to_json(orient="recor
explain split.json --hyp-col a --ref-col b | as pandas does with to_json(orient="recor
explain values.json --hyp-col a --ref-col b | values.json: row 1: there is no field
explain none.json --hyp-col a --ref-col b | none.json: the table has no rows
explain d.csv --ref-col A -i short | short: 1 line, but d.csv has 48
explain short -i d.csv --hyp-col A | d.csv: 48 rows, but short has 1; row i

score t.tsv --hyp-col mt --ref-col ref --per-segment t.tsv | t.tsv is an input, too; name another
score d --hyp-col mt --ref-col ref --per-segment ./d/t.tsv | t.tsv is an input, too; name another
score ref -i hyp --per-segment link.tsv | link.tsv is an input, too; name another output file
score ref -i hyp --save ref --force | ref is an input, too; name another output file
report ref -i hyp -o hyp --force | hyp is an input, too; name another output file
report A -i aurora --group-by labels -o labels --force | labels is an input, too; name another
campaign c.toml -o hyp --force | hyp is an input, too; name another output file
campaign c.toml -o c.toml --force | c.toml is an input, too; name another output file
plot diagnostics ref -i hyp -o link.svg --force | link.svg is an input, too; name another output

check ref -i hyp other/hyp --fix out | two files have the name hyp; --fix needs different names
check ref -i hyp --fix ref | ref: no such folder
check ref -i hyp --fix ref/out | ^ref/out cannot be made: Not a directory$
check t.csv d/t.tsv --hyp-col mt --ref-col ref --fix out | --fix repairs tables of one file, not
campaign demo --tag a=b | --tag is for run files

explain A -i aurora -n 3 --group-by labels | leave out --group-by
compare A -i aurora basalt --group-by lonely | group x: compare needs at least two segments
compare A -i aurora basalt --group-by short | short: 1 line, but
check A -i aurora --group-by short | short: 1 line, but
plot A -i aurora basalt -k scores -o f.svg --group-by lonely | group x: compare needs at least two

report A -i - --src - | ^standard input can be read once; name files for the others$
report A -i aurora --by-doc - --group-by - | ^standard input can be read once; name files for the
compare A -i aurora - --by-doc - | ^standard input can be read once; name files for the others$
plot A - -i aurora -k groups --by-doc - -o f.svg | ^standard input can be read once; name files
check - -i - | standard input can be read once

compare ref -i hyp A | A: 48 lines, but ref has 3
compare A -i basalt aurora --detect 0 | the difference to detect cannot be 0.0; give one above 0
compare A -i aurora cinder --baseline nobody | ^--baseline: no system is named 'nobody'
compare A -i aurora cinder --by-doc absent | no such file
compare ref -i ./hyp other/hyp -n 10 --baseline hyp | no system is named 'hyp'

contrast A -i aurora | contrast needs exactly two systems
contrast A -i aurora basalt cinder | contrast needs exactly two systems

diff ref -i hyp | name one with -b, or use --all
diff ref -i hyp -b nltk3 | no dialect is named 'nltk3'; did you mean
diff ref -i hyp -b tok:14a | tok in a signature cannot be '14a'
diff ref -i hyp -b nltk --all | leave out -a and -b

explain ref -i hyp -d sacreblue | did you mean sacrebleu
explain ref -i hyp -n 4 | there is no segment 4; segments have numbers
explain ref -i hyp -n 0 | numbers 1 to 3
explain ref -i hyp -n 1 --worst 2 | -n does not go with --worst

check -i hyp | no reference file
check ref -i hyp --src nowhere | nowhere: no such file
check ref | <stdin>: the file is empty
check A -i aurora --ter-normalized | add ter to --metrics
check A -i aurora basalt --names a a | two systems are named 'a'

dialects coco-captoin | captoin'; did you mean coco-caption?

reconcile A -i basalt --score 127 | a reported score cannot be 127
reconcile A -i basalt --score x | a reported score cannot be 'x'
reconcile A -i basalt --score 27.3 -d nltq | no dialect is named 'nltq'
reconcile A -i basalt | no score to search for
reconcile A -i basalt --signature tok:13a | a signature needs its score
reconcile A -i basalt --signature tok:13a -d nltk | leave out --dialect
reconcile A -i basalt --signature rubbish --score 3 | not key:value
reconcile A -i basalt --signature tok:13a -m ter | leave out --metrics
reconcile A -i basalt --score 127 -m chrf | chrF goes from 0 to 1 or from 0 to 100
reconcile A -i basalt aurora --score 35.2 | ^--score needs one number per system: 2, not 1$
reconcile A -i basalt aurora --signature tok:13a | ^--signature verifies one score; name one file
reconcile ref -i hyp --signature 'tok:re:(?:a+)+$|smooth:exp' --score 3 | a pattern may run for ever

identify | ^name one function, or a command with {hyps}
identify bleu.py:old | cannot be imported: FileNotFoundError
identify --call 'hyp, ref' -- cat {hyps} {refs} | ^a command does not go with --call

meaning 1 -d nltk -lc | unknown for this metric with these options, which keep only 97.96 % of the order of nltk
meaning 1 -m codebleu --lang python | is unknown for code (codebleu); people judged translations; most
meaning x | ^DIFFERENCE cannot be 'x'; it must be a number$
meaning 1 2 | ^DIFFERENCE cannot be '1 2'; it must be a number$

mbr lines -n 4 | ^candidates has 6 segments, not a multiple of group=4
mbr system0 system1 -n 2 | ^--candidates-per-source needs one file
mbr system0 lines | ^lines: 6 lines, but system0 has 2; line i of each file
mbr tabs -r lines | ^references has 6 sources, candidates has 2
mbr lines -n 3 -r hyp | ^references has 3 segments, not a multiple of 2 sources
mbr tabs -p system0 | ^weights[0] holds something that is not a number
mbr none | ^none: no such file; check the path
mbr lines -n 2 --group-by odd | ^odd: source 2 is in two groups; it needs one
mbr tabs --group-by hyp | ^hyp: 3 lines for 2 sources; give one each
mbr - -p - | ^standard input can be read once; name files for the others

self-bleu short | ^short: one line; self-BLEU needs at least two$
self-bleu lines --sample 7 | ^sample cannot be 7; it must be a whole number, 2 to 6$
self-bleu - - | ^standard input can be read once; name files for the others$

plot A -i aurora | no output file
plot A -i aurora -o f.gif | unknown suffix .gif; figures are written as
plot A -i aurora -o there.svg | there.svg exists; use --force
plot A -i aurora -o f.svg -k scores | needs at least two systems
plot A -i aurora basalt -o f.svg -k dialects | kind dialects shows one system
plot A -i aurora -o f.svg -k dialects -d nltk | leave out -d
plot A -i aurora -o f.svg -k groups | needs --group-by
plot A -i aurora -o f.svg --width wide | unknown width 'wide'
plot A -i aurora -o f.svg --width 7 | it must be 100 to 4000 points
plot A -i aurora -o f.svg -k lenghts | did you mean lengths

report ref -i hyp -o /proc/page.html | /proc
report ref -i hyp --by-doc A | 48 lines, but ref has 3

playground -o hyp | hyp exists; use --force
playground hyp | unexpected argument hyp; type truebleu playground
playground -o /proc/page.html | /proc

campaign | no folder or manifest; type truebleu campaign PATH...
campaign none | none: no such folder; name a folder, or a manifest FILE.toml
campaign demo demo | two test sets are named 'demo de-en'; their names must differ
campaign demo --systems aurra | 'aurra'; did you mean aurora?

gate new.bleu | ^no baseline; type
gate --baseline base.bleu | ^no run file of a new system; type
gate --baseline base.bleu no.bleu | ^no.bleu: no such file
gate --baseline base.bleu ref | ^ref: not a run file, as --save writes; name another
gate --baseline empty base.bleu | ^empty: no file ends in .bleu
gate --baseline same base.bleu | ^same/1.bleu and same/2.bleu have the same test set
gate --baseline base.bleu other.bleu | ^nothing to compare: no system has ref
gate --baseline two.bleu base.bleu | ^nothing to compare: no system has ref
gate --baseline A aurora --robust | ^run files have no texts
"""
#: Commands that read references and systems, and what each refuses, by the end of its line.
READERS = ("compare", "diff -b nltk", "explain", "plot -o f.svg", "report")
COMMON = """\
 ref -i hyp --names a b | ^--names needs one name per system: 1, not 2
 | no reference file
 -i hyp | no reference file
 ref -i hyp hyp | two systems are named 'hyp'
 ref -i short | short: 1 line, but ref has 3"""
CASES = [command + mistake for command in READERS for mistake in COMMON.split("\n")]


def written(folder):
    """The paths and bytes of all files."""
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """A folder with the files of the command lines, and these files."""
    folder = tmp_path_factory.mktemp("mistakes")
    for name in ("empty", "same", "other", "d"):
        (folder / name).mkdir()
    texts = {
        "ref": REFS, "hyp": HYPS, "other/hyp": ["x"] * 3, "A": lines("de-en/ref.A.txt"),
        "B": lines("de-en/ref.B.txt"), **NAMED, "mt": tables.HYPS, "labels": ["x", "y"] * 24,
        "short": ["a"], "lonely": ["x"] + ["y"] * 47, "there.svg": ["mine"],
        "lines": list("abcdef"), "odd": ["a"] * 3 + ["b"] * 3, "tabs": ["a b\ta c\ta", "x\ty\tx y"],
        "system0": ["a", "x"], "system1": ["b", "y"], "none.json": ["[]"],
        "short.tsv": ["a\tb", "x\ty", "x"],
        "short.jsonl": ['{"a": "x", "b": "y"}', '{"a": "x", "b": null}'],
        "short.json": ['[{"a": "x", "b": "y"}, {"a": "x", "b": null}]'],
        "d/t.tsv": ["mt\tref", "a b\ta b"],
        "c.toml": ["[[set]]", 'name = "a"', 'references = ["ref"]', 'systems = { a = "hyp" }'],
        "pretty.json": ["{", ' "a": {"0": "x"},', ' "b": {"0": "y"}', "}"],
    }  # fmt: skip
    write_lines(texts, folder)
    for name in ("link.svg", "link.tsv"):
        (folder / name).hardlink_to(folder / "hyp")
    for name in ("t.csv", "t.tsv", "t.jsonl", "t.parquet"):
        tables.WRITERS[name](folder / name, tables.table())
    columns = {name: texts[name] for name in ("A", "aurora", "basalt")}
    pd.DataFrame({**columns, "src": texts["B"]}).to_csv(folder / "d.csv", index=False)
    for layout in ("columns", "split", "values"):
        pd.DataFrame({"a": ["x"], "b": ["y"]}).to_json(folder / f"{layout}.json", orient=layout)
    shutil.copytree(EXAMPLES / "de-en", folder / "demo" / "de-en")
    aurora = {"main": NAMED["aurora"]}
    for name, systems, refs, metrics in (
        ("a", {"a": HYPS}, REFS, "bleu"),
        ("chrf", {"chrf": HYPS}, REFS, "chrf"),
        ("refs", {"refs": HYPS}, HYPS, "bleu"),
        ("base", aurora, texts["A"], "bleu"),
        ("other", aurora, texts["B"], "bleu"),
        ("same/1", aurora, texts["A"], "bleu"),
        ("same/2", {"main": NAMED["basalt"]}, texts["A"], "bleu"),
        ("two", {"a": NAMED["aurora"], "b": NAMED["basalt"]}, texts["A"], "bleu"),
    ):
        tb.save_run(folder / f"{name}.bleu", systems, refs, metrics)
    (folder / "torn.bleu").write_bytes((folder / "a.bleu").read_bytes()[:-9])
    return folder, written(folder)


@pytest.mark.usefixtures("folder", "undrawn")
@pytest.mark.parametrize("mistake", [*filter(None, MISTAKES.split("\n")), *CASES])
def test_a_mistake_is_one_line(mistake, files, monkeypatch):
    folder, before = files
    monkeypatch.chdir(folder)
    command, _, message = mistake.partition(" | ")
    assert message in f"^{refusal(*shlex.split(command))}$"
    assert written(Path()) == {path.relative_to(folder): data for path, data in before.items()}


def mistakes_of(flag):
    """Words that no flag of this kind takes, and what is printed of them."""
    short, long = flag.names[0], flag.names[-1]
    if not flag.takes:
        yield f"{short}=yes", f"{short} takes no value; leave out =yes"
        yield f"{short} {long}", f"{long} occurs twice; give it once"
        return
    for words, hint in ((short, ""), (f"{short} -x", f"; for a value with a hyphen: {short}=-x")):
        yield words, f"{short} needs a value: {short} {flag.placeholder}{hint}"
    if flag.file:
        yield f"{short}=", f"{short} is empty; name a file"
    values = {int: ["x", "2.5", ""], float: ["x", "nan", ""]}.get(flag.kind, ["nothing"] if flag.choices else [])
    for value in values:
        yield f"{short}={value}", f"{long} cannot be {value!r}; "
    for bound, step in zip(flag.range or (), (-1, 1), strict=False):
        if bound is not None:
            yield f"{short}={bound + step}", f"{long} cannot be {bound + step}; it must be a whole number, "


@pytest.mark.parametrize("command", COMMANDS)
def test_no_flag_takes_what_its_declaration_excludes(command):
    for flag in (flag for _, group in getattr(load(command), "GROUPS", ()) for flag in group):
        for words, message in mistakes_of(flag):
            if flag.key != "join" or "nothing" not in words:  # which is the name of a column there
                assert refusal(command, *words.split(" ")).startswith(message)
