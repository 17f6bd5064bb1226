# SPDX-License-Identifier: Apache-2.0
"""Test sets come from the installed sacrebleu, and their scores are the kernel's."""

import subprocess
import sys
from pathlib import Path

import pytest
import sacrebleu as original
from support.example_texts import ENGLISH, SYSTEMS
from support.profiles import few
from support.twins_sacrebleu import both, run_ours

import truebleu.cli
from truebleu import MissingExtraError
from truebleu.compat import sacrebleu as ours
from truebleu.compat.sacrebleu import dataset, utils

LINES = [Path(path).read_text(encoding="utf-8").splitlines() for path in ENGLISH]
PAIR = ["-l", "de-en"]
SYSTEM = ["-i", SYSTEMS[0]]


def sgml(lines):
    """Segments in documents of different languages and domains, some of which sacreBLEU knows."""
    documents = [("bbc.381790", "en"), ("x.1", "de"), ("upi.176266", "en"), ("y.2", "cs")]
    text = "<srcset>\n"
    for i, line in enumerate(lines):
        if i % 5 == 0:
            name, language = documents[i // 5 % 4]
            text += f'<doc sysid="src" docid="{name}" genre="news" origlang="{language}">\n'
        text += f'<seg id="{i % 5}">{line}</seg>\n'
    return text + "</srcset>\n"


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    """sacreBLEU's cache as after a download of three test sets."""
    folder = tmp_path_factory.mktemp("cache")
    for name, texts in (
        ("wmt19", [sgml(LINES[0]), sgml(LINES[0])]),
        ("wmt20/tworefs", [sgml(LINES[0]), *map(sgml, LINES)]),
        ("mtedx/test", ["\n".join(lines) + "\n" for lines in LINES]),
    ):
        raw = folder / name / "raw"
        for url in original.DATASETS[name].data:
            raw.mkdir(parents=True, exist_ok=True)
            archive = raw / f"{name.replace('/', '_')}.{url.rpartition('/')[2]}"
            archive.write_bytes(b"not read: its files are there")
        pair = "es-en" if name == "mtedx/test" else "de-en"
        for file, text in zip(original.DATASETS[name].langpairs[pair], texts, strict=True):
            (raw / file).parent.mkdir(parents=True, exist_ok=True)
            (raw / file).write_text(text, encoding="utf-8")
    return str(folder)


COMMANDS = [
    ["--list"],
    ["--list", "-l", "de-en"],
    ["-t", "wmt20/tworefs", *PAIR, "--list"],
    ["-t", "wmt20/tworefs", *PAIR, *SYSTEM, "-f", "text"],
    ["-t", "wmt20/tworefs", *PAIR, *SYSTEM, "-m", "bleu", "chrf", "ter"],
    ["-t", "wmt20/tworefs", *PAIR, "-i", *SYSTEMS, "--paired-bs", "-pbsn", "20"],
    ["-t", "wmt20/tworefs", *PAIR, "--echo", "ref", "ref:1", "docid"],
    ["-t", "wmt20/tworefs", *PAIR, "--echo", "nothing"],
    ["-t", "mtedx/test", "-l", "es-en", *SYSTEM, "-tok", "none"],
    ["-t", "wmt19", *PAIR, *SYSTEM, "-ol", "non-de", "-b"],
    ["-t", "wmt19", *PAIR, *SYSTEM, "-ol", "fr"],
    ["-t", "wmt19", *PAIR, *SYSTEM, "--subset", "politics|crime", "-ol", "en"],
    ["-t", "wmt19", *PAIR, *SYSTEM, "-d", "-f", "text", "-w", "3"],
    ["-t", "wmt99", *PAIR, *SYSTEM],
    ["-t", "wmt19", *SYSTEM],
    ["-t", "wmt19", "-l", "de-xx", *SYSTEM],
    [ENGLISH[0], "-t", "wmt19", *PAIR, *SYSTEM],
    ["-t", "wmt19", *PAIR, *SYSTEM, "-nr", "2"],
    SYSTEM,
    ["--citation"],
]


@pytest.mark.parametrize("arguments", few(COMMANDS, every=3), ids=" ".join)
def test_the_command_line_prints_the_same(arguments, cache):
    theirs, mine = both(arguments, SACREBLEU=cache)
    assert mine == theirs


def test_where_the_original_stops_with_a_traceback_the_drop_in_prints_an_answer_or_a_line(cache):
    def printed(*arguments):
        code, out, err = run_ours(arguments, SACREBLEU=cache)
        assert b"Traceback" not in err
        return code, out.decode(), err.decode()

    code, out, err = printed("--citation", "-t", "wmt19,wmt20")
    assert (code, err) == (0, "sacreBLEU: No citation found for wmt20\n")
    assert out == f"{original.DATASETS['wmt19'].citation}\n"
    for arguments in (["--download", "wmt99"], ["--list", "-t", "wmt99"]):
        code, out, err = printed(*arguments)
        assert (code, out) == (1, "")
        assert err.startswith("sacreBLEU: Unknown test set 'wmt99'\n")
    details = printed("-t", "wmt19", *PAIR, *SYSTEM, "-d", "-ol", "de")[1]
    assert "origlang=de domain=ALL" in details
    for arguments, end in (
        (["--list", "-l", "de"], "'de' is not a language pair; write it as de-en\n"),
        ([ENGLISH[0], *SYSTEM, "-l", "de"], "'de' is not a language pair; write it as de-en\n"),
        ([ENGLISH[0], *SYSTEM, "-ol", "de"], "a language pair (-l).\n"),
        (["-t", "wmt19,wmt20/tworefs", *PAIR, *SYSTEM], "different numbers of references.\n"),
        (["-t", "wmt19", *PAIR, *SYSTEM, "--subset", "("], "at position 0\n"),
    ):
        code, out, err = printed(*arguments)
        assert (code, out, err.count("\n")) == (1, "", 1), err
        assert err.endswith(end)


def test_a_system_of_another_length_is_refused_before_it_is_filtered(cache, tmp_path):
    short = tmp_path / "short"
    short.write_text("".join(f"{line}\n" for line in LINES[0][:-1]), encoding="utf-8")
    arguments = ["-t", "wmt19", *PAIR, "-i", str(short), "-ol", "non-xx"]
    code, out, err = run_ours(arguments, SACREBLEU=cache)
    assert (code, out) == (1, b"")
    assert err.startswith(b"sacreBLEU: System and reference streams have different lengths.\n")


def test_a_failed_download_is_one_line(tmp_path):
    environment = {"SACREBLEU": str(tmp_path), "https_proxy": "http://127.0.0.1:9"}
    code, out, err = run_ours(["--download", "wmt20", *PAIR], **environment)
    assert (code, out) == (1, b"")
    first, second = err.decode().splitlines()
    assert first.startswith("sacreBLEU: Downloading http")
    assert "Errno 111" in second


def test_the_names_of_the_installed_sacrebleu():
    assert dict(ours.DATASETS) == original.DATASETS
    assert dataset.SUBSETS is utils.SUBSETS is original.dataset.SUBSETS
    assert dataset.PlainTextDataset is original.dataset.PlainTextDataset
    assert utils.filter_subset is original.utils.filter_subset
    assert ours.get_available_testsets() == original.get_available_testsets()
    assert ours.get_langpairs_for_testset("wmt22") == list(original.DATASETS["wmt22"].langpairs)
    for module in (dataset, utils):
        with pytest.raises(AttributeError, match="no attribute"):
            _ = module.nothing


def test_a_set_of_ones_own(tmp_path, monkeypatch):
    monkeypatch.setattr(original.dataset, "DATASETS", dict(original.DATASETS))
    monkeypatch.setattr(original.utils, "DATASETS", original.dataset.DATASETS)
    made = dataset.PlainTextDataset("mine", langpairs={"de-en": ["a", "b"]})
    made._outdir, made._rawdir = str(tmp_path), str(tmp_path)
    ours.DATASETS["mine"] = made
    for field in ("src", "ref"):
        (tmp_path / f"mine.de-en.{field}").write_text(f"a {field}\n")
    assert Path(ours.get_source_file("mine", "de-en")).read_text() == "a src\n"
    assert [Path(file).name for file in ours.get_reference_files("mine", "de-en")] == [
        "mine.de-en.ref"
    ]
    assert len(ours.download_test_set("mine", "de-en")) == 2
    del ours.DATASETS["mine"]
    assert "mine" not in ours.DATASETS


def test_without_sacrebleu(monkeypatch, capsys, caplog):
    monkeypatch.setitem(sys.modules, "sacrebleu", None)
    install = r"pip install 'truebleu\[testsets\]'"
    for call in (
        lambda: ours.DATASETS["wmt22"],
        lambda: dataset.PlainTextDataset,
        lambda: utils.filter_subset,
        ours.get_available_testsets,
        lambda: ours.get_source_file("wmt22", "en-de"),
    ):
        with pytest.raises(MissingExtraError, match=install):
            call()
    for arguments in (["-t", "wmt20", *PAIR, *SYSTEM], ["--list"], ["--download", "wmt20"], []):
        caplog.clear()
        assert truebleu.cli.main(["sacrebleu", *arguments]) == 2
        assert "pip install 'truebleu[testsets]'" in caplog.messages[-1]
        assert len(caplog.messages) == 1 or not arguments
    assert truebleu.cli.main(["sacrebleu", ENGLISH[0], *SYSTEM, "-b"]) == 0
    assert float(capsys.readouterr().out) > 0


def test_importing_every_name_does_not_import_sacrebleu():
    code = (
        "import sys; from truebleu.compat.sacrebleu import *; DATASETS; get_available_testsets; "
        "import truebleu.compat.sacrebleu.sacrebleu; print('sacrebleu' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout == "False\n"
