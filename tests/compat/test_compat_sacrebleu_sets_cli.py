# SPDX-License-Identifier: Apache-2.0
"""`truebleu sacrebleu` with test sets prints what `sacrebleu` prints, with the same exit code."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from compat.test_compat_sacrebleu_cli import BIN, REFS, SYSTEMS, both, run
from support import made_sets

from truebleu.compat.sacrebleu import DATASETS

OURS = [BIN / "truebleu", "sacrebleu"]
LINES = [Path(path).read_text(encoding="utf-8").splitlines() for path in REFS]
COUNT = len(LINES[0])


def sgml(lines):
    """Segments in documents of different languages and domains, some of them annotated."""
    documents = [("bbc.381790", "en"), ("x.1", "de"), ("upi.176266", "en"), ("y.2", "cs")]
    text = "<srcset>\n"
    for i, line in enumerate(lines):
        if i % 5 == 0:
            name, language = documents[i // 5 % 4]
            text += f'<doc sysid="src" docid="{name}" genre="news" origlang="{language}">\n'
        text += f'<seg id="{i % 5}">{line}</seg>\n'
    return text + "</srcset>\n"


def xml(source, *refs):
    """Documents of different languages and domains, with two references and a system."""
    text = "<dataset>"
    for start in range(0, len(source), 4):
        rows = range(start, min(start + 4, len(source)))
        language, domain = (("en", "news"), ("de", "social"))[start // 4 % 2]

        def side(lines, rows=rows):
            return "".join(
                f'<seg id="{i}">{lines[i].replace("&", "&amp;").replace("<", "&lt;")}</seg>'
                for i in rows
            )

        text += f'<doc id="d{start}" origlang="{language}" domain="{domain}">'
        text += f'<src lang="de">{side(source)}</src><hyp system="sys">{side(source)}</hyp>'
        for name, lines in zip(("refA", "refB"), refs, strict=False):
            text += f'<ref lang="en" translator="{name}">{side(lines)}</ref>'
        text += "</doc>\n"
    return text + "</dataset>"


def fill(cache, name, langpair, texts):
    """Put files into the raw part of a cache, as if they had been fetched and unpacked."""
    raw = cache / name / "raw"
    for url in DATASETS[name].data:
        raw.mkdir(parents=True, exist_ok=True)
        (raw / f"{name.replace('/', '_')}.{url.rpartition('/')[2]}").write_bytes(b"stands for it")
    entry = DATASETS[name].langpairs[langpair]
    files = [entry["path"]] if isinstance(entry, dict) else entry
    for file, text in zip(files, texts, strict=True):
        path = raw / re.sub(r"^\d+:", "", file)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(made_sets.gz(text) if file.endswith(".gz") else text.encode())


@pytest.fixture(scope="module")
def caches(tmp_path_factory):
    """Two equal caches of raw files, one for each program."""
    found = []
    for name in ("theirs", "mine"):
        cache = tmp_path_factory.mktemp(name)
        source, refs = LINES[0], LINES
        for test_set in ("wmt17", "wmt19", "wmt20"):
            fill(cache, test_set, "de-en", [sgml(source), sgml(refs[0])])
        fill(cache, "wmt20/tworefs", "de-en", [sgml(source), sgml(refs[0]), sgml(refs[1])])
        fill(cache, "wmt08", "de-en", [made_sets.SOURCE, made_sets.reference("one")])
        fill(cache, "wmt23", "de-en", [xml(source, *refs)])
        fill(cache, "wmt24", "en-de", [xml(source, refs[0])])
        fill(cache, "wmt22", "de-en", [xml(source, *refs)])  # has no reference A
        fill(cache, "mtedx/test", "es-en", ["\n".join(each) + "\n" for each in refs])
        fill(cache, "multi30k/2018", "en-de", ["\n".join(each) + "\n" for each in refs])
        fill(cache, "iwslt17", "de-en", [sgml(each) for each in refs])
        rows = "".join(
            f"{i}\t0\t{one}\t{two}\n" for i, (one, two) in enumerate(zip(*refs, strict=True))
        )
        fill(cache, "mtnt2019", "fr-en", [rows, rows])
        found.append(cache)
    return found


def alike(arguments, caches, **environment):
    """Run both; the names of the caches are no difference, nor is the order in a Python set."""
    results = []
    for command, cache in (([BIN / "sacrebleu"], caches[0]), (OURS, caches[1])):
        code, out, err = run(command, arguments, SACREBLEU=str(cache), **environment)
        results.append((code, out, err.replace(str(cache).encode(), b"CACHE")))
    assert results[1] == results[0]
    return results[0]


PAIR = ["-l", "de-en"]
SYSTEM = ["-i", SYSTEMS[0]]


@pytest.mark.parametrize(
    "arguments",
    [
        ["-t", "wmt20", *PAIR, *SYSTEM],
        ["-t", "wmt20/tworefs", *PAIR, *SYSTEM, "-f", "text"],
        ["-t", "wmt20,wmt19", *PAIR, "--echo", "src", "ref", "origlang"],
        ["-t", "wmt23", *PAIR, *SYSTEM, "-b"],
        ["-t", "mtedx/test", "-l", "es-en", *SYSTEM],
        ["-t", "multi30k/2018", "-l", "en-de", *SYSTEM, "-tok", "none"],
        ["-t", "iwslt17", *PAIR, *SYSTEM, "-d"],
        ["-t", "mtnt2019", "-l", "fr-en", *SYSTEM],
        ["-t", "wmt20", *PAIR, *SYSTEM, "-ol", "de"],
        ["-t", "wmt20", *PAIR, *SYSTEM, "-ol", "non-de", "-b"],
        ["-t", "wmt20", *PAIR, *SYSTEM, "-ol", "fr"],
        ["-t", "wmt20", *PAIR, *SYSTEM, "-d"],
        ["-t", "wmt19", *PAIR, *SYSTEM, "-d", "-f", "text", "-w", "3"],
        ["-t", "wmt19", *PAIR, *SYSTEM, "-d", "--subset", "crime"],
        ["-t", "wmt19", *PAIR, *SYSTEM, "--subset", "country:US"],
        ["-t", "wmt19", *PAIR, *SYSTEM, "--subset", "politics|crime", "-ol", "en"],
        ["-t", "wmt19", *PAIR, *SYSTEM, "--subset", "sport"],
        ["-t", "wmt19", *PAIR, "--echo", "src", "--subset", ""],
        ["-t", "wmt23", *PAIR, *SYSTEM, "-d"],
        ["-t", "wmt23", *PAIR, *SYSTEM, "--subset", "soc"],
        ["-t", "wmt23", *PAIR, *SYSTEM, "-ol", "en"],
        ["-t", "wmt23", *PAIR, "--echo", "domain", "ref:refB", "sys", "-ol", "non-en"],
        ["-t", "wmt08", *PAIR, "--echo", "all"],
        ["-t", "wmt08", *PAIR, "--echo", "src", "-ol", "non-de"],
        ["-t", "wmt20", *PAIR, "--echo", "all"],
        ["-t", "wmt20/tworefs", *PAIR, "--echo", "all"],
        ["-t", "wmt20/tworefs", *PAIR, "--echo", "ref", "ref:1", "docid"],
        ["-t", "wmt20", *PAIR, "--echo", "all", "src"],
        ["-t", "wmt20", *PAIR, "--echo", "domain"],
        ["-t", "wmt20/tworefs", *PAIR, "--echo", "ref:A"],
        ["-t", "wmt24", "-l", "en-de", "--echo", "all"],
        ["-t", "wmt24", "-l", "en-de", "--list"],
        ["-t", "wmt22", *PAIR, *SYSTEM],
        ["-t", "wmt20", *PAIR, "-i", *SYSTEMS, "-f", "text"],
        ["--download", "wmt20", *PAIR],
        ["--download", "wmt24", "-l", "en-de", "-q"],
        ["--list", "-t", "wmt20"],
        ["--list", "-t", "wmt20/tworefs", *PAIR],
        ["--list", "-t", "wmt99"],
        ["-t", "wmt99", *PAIR, *SYSTEM],
        ["-t", "wmt20,wmt99", *PAIR, "--echo", "src"],
        ["-t", "wmt20", "-l", "de-xx", *SYSTEM],
        ["-t", "wmt20", *SYSTEM],
        ["-t", "wmt20", *PAIR, REFS[0], *SYSTEM],
        ["-t", "wmt20", *PAIR, "-nr", "2", *SYSTEM],
        [*SYSTEM],
        ["--citation"],
    ],
    ids=" ".join,
)  # fmt: skip
def test_the_same_is_printed(arguments, caches):
    alike(arguments, caches)


def test_a_system_of_another_length(caches, tmp_path):
    short = tmp_path / "short"
    short.write_text("".join(f"{line}\n" for line in LINES[0][:-1]), encoding="utf-8")
    alike(["-t", "wmt20", *PAIR, "-i", str(short)], caches)
    # Here the original cuts what is longer and scores the rest.
    arguments = ["-t", "wmt20", *PAIR, "-i", str(short), "-ol", "non-xx"]
    code, printed, said = run(OURS, arguments, SACREBLEU=str(caches[1]))
    assert (code, printed) == (1, b"")
    assert said.startswith(b"sacreBLEU: System and reference streams have different lengths.\n")


def test_all_test_sets_are_listed():
    for arguments in (["--list"], ["--list", "-l", "de-en"], ["--list", "-l", "xx-yy"]):
        theirs, mine = both(arguments)
        names = [
            (code, [line.partition(b":")[0] for line in out.splitlines()], err)
            for code, out, err in (theirs, mine)
        ]
        assert names[1] == names[0]
    assert mine[1] == b"The available test sets for xx-yy are:\n"


def test_fields_in_the_originals_order_but_for_references(caches):
    """The original's order of two translators is a new one in each run."""
    arguments = ["--list", "-t", "wmt23", *PAIR]
    theirs = run([BIN / "sacrebleu"], arguments, SACREBLEU=str(caches[0]))
    mine = run(OURS, arguments, SACREBLEU=str(caches[1]))
    assert mine[1] == b"de-en: src, ref:refA, ref:refB, docid, origlang, sys, domain\n"
    swapped = mine[1].replace(b"ref:refA, ref:refB", b"ref:refB, ref:refA")
    assert theirs[1] in (mine[1], swapped)


def test_what_the_original_fails_at(caches):
    """With a traceback; ours does what was asked for, or says in a line why not."""
    environment = {"SACREBLEU": str(caches[1])}

    def say(*arguments):
        code, printed, said = run(OURS, arguments, **environment)
        assert b"Traceback" not in said
        return code, printed.decode(), said.decode()

    code, printed, said = say("--citation", "-t", "wmt19,wmt20,multi30k/2017")
    assert (code, said) == (0, "sacreBLEU: No citation found for wmt20\n")
    assert printed == f"{DATASETS['wmt19'].citation}\n{DATASETS['multi30k/2017'].citation}\n"
    assert say("--download", "wmt99")[::2] == (1, "sacreBLEU: No such test set wmt99\n")
    for arguments in (["--citation", "-t", "wmt99"], ["--list", "-t", "wmt99", *PAIR]):
        assert say(*arguments) == (1, "", "sacreBLEU: No such test set wmt99\n")
    for arguments in (["--list", "-t", "wmt20", "-l", "x-y"], ["--download", "wmt20", "-l", "x-y"]):
        assert say(*arguments) == (1, "", "sacreBLEU: No such language pair wmt20/x-y\n")
    for arguments in (["--list", "-l", "de"], [REFS[0], *SYSTEM, "-l", "de"]):
        assert say(*arguments) == (
            1,
            "",
            "sacreBLEU: 'de' is no language pair; write it as de-en\n",
        )
    for arguments, end in (
        (["-t", "wmt20", *PAIR, *SYSTEM, "--subset", "crime"], "domains from WMT 2023 on\n"),
        (["-t", "iwslt17", *PAIR, *SYSTEM, "-ol", "de"], "the .sgm and .xml files of WMT do\n"),
        (["-t", "wmt20,wmt20/tworefs", *PAIR, *SYSTEM], "different numbers of references.\n"),
        ([REFS[0], *SYSTEM, "-ol", "de"], "a language pair (-l).\n"),
        (["-t", "wmt19", *PAIR, *SYSTEM, "--subset", "("], "at position 0\n"),
    ):
        code, printed, said = say(*arguments)
        assert (code, printed, said.count("\n")) == (1, "", 1), said
        assert said.endswith(end)
    details = say("-t", "wmt20", *PAIR, *SYSTEM, "-d", "-ol", "de")[1]
    assert "origlang=de domain=ALL : sentences=" in details


def test_without_a_network(tmp_path):
    """All that needs something that is not there ends in one line behind what was tried."""
    environment = {"SACREBLEU": str(tmp_path), "https_proxy": "http://127.0.0.1:9"}
    for arguments in (
        ["-t", "wmt20", *PAIR, *SYSTEM],
        ["--download", "wmt20"],
        ["-t", "wmt22", "--list"],
        ["-t", "wmt22", *PAIR, "--echo", "src"],
    ):
        code, printed, said = run(OURS, arguments, **environment)
        assert (code, printed) == (1, b"")
        first, second = said.decode().splitlines()
        name = arguments[1]
        url = DATASETS[name].data[0]
        place = tmp_path / name / "raw" / f"{name}.{url.rpartition('/')[2]}"
        assert first == f"sacreBLEU: Downloading {url} to {place}"
        assert second.startswith(f"sacreBLEU: {url}: cannot be fetched (")
    assert {path.suffix for path in tmp_path.rglob("*") if path.is_file()} == {".lock"}
    for arguments in (["--list"], ["--list", "-t", "wmt20"], ["--citation", "-t", "wmt19"]):
        code, _, said = run(OURS, arguments, **environment)
        assert (code, said) == (0, b"")


def test_a_cache_that_cannot_be_written(tmp_path):
    (tmp_path / "file").write_bytes(b"")
    arguments = ["-t", "wmt20", *PAIR, *SYSTEM]
    code, printed, said = run(OURS, arguments, SACREBLEU=str(tmp_path / "file"))
    assert (code, printed) == (1, b"")
    assert len(said.splitlines()) == 1


def test_text_files_are_enough(tmp_path):
    """Origins too are read from the text files, where the raw files are not there."""
    languages = ["de" if i % 2 else "en" for i in range(COUNT)]
    said = {"docid": languages, "origlang": languages}
    sets = {
        "wmt23": {"src": LINES[1], "ref-refA": LINES[0], "sys": LINES[1], **said},
        "wmt17": {"src": LINES[1], "ref": LINES[0], "genre": languages, **said},
    }
    for name, fields in sets.items():
        (tmp_path / name).mkdir()
        for field, values in fields.items():
            (tmp_path / name / f"{name}.de-en.{field}").write_text(
                "".join(f"{value}\n" for value in values), encoding="utf-8"
            )
        direct = run(OURS, [REFS[0], *SYSTEM, "-b", "-w", "5"])
        arguments = ["-t", name, *PAIR, *SYSTEM, "-b", "-w", "5"]
        assert run(OURS, arguments, SACREBLEU=str(tmp_path))[:2] == direct[:2]
        part = run(
            OURS, ["-t", name, *PAIR, "--echo", "ref", "-ol", "non-de"], SACREBLEU=str(tmp_path)
        )
        assert part[1].decode().splitlines() == [line.rstrip() for line in LINES[0][::2]]
        details = run(OURS, ["-t", name, *PAIR, *SYSTEM, "-d"], SACREBLEU=str(tmp_path))
        assert b"origlang=de domain=ALL" in details[1]
        assert not (tmp_path / name / "raw").exists()
    listed = run(OURS, ["--list", "-t", "wmt23", *PAIR], SACREBLEU=str(tmp_path))
    assert listed[1] == b"de-en: src, ref:refA, docid, origlang, sys\n"
