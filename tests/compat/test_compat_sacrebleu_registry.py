# SPDX-License-Identifier: Apache-2.0
"""What the drop-in knows of the test sets is what sacreBLEU knows."""

from __future__ import annotations

import subprocess
import sys

import pytest
import sacrebleu.dataset as original
from sacrebleu import utils as original_utils

from truebleu.compat.sacrebleu import dataset as ours
from truebleu.compat.sacrebleu import utils

#: Entries of the original that no BibTeX reads, and one with an abstract, are repaired in ours.
REPAIRED = {
    "wmt18": lambda text: text.replace("\x0b", "\\v"),
    "wmt12": lambda text: text.replace("{'e}", "{\\'e}"),
    "wmt17/ms": lambda text: "\n".join(
        line for line in text.split("\n") if not line.endswith("= {},") and "abstract" not in line
    ),
    **{
        f"wmt19/google/{part}": lambda text: text + "\n}"
        for part in ("ar", "arp", "wmtp", "hqr", "hqp", "hqall")
    },
}

each_set = pytest.mark.parametrize("name", list(original.DATASETS))


def test_names_and_their_order():
    assert list(ours.DATASETS) == list(original.DATASETS)
    assert len(ours.DATASETS) == 67
    assert utils.get_available_testsets() == original_utils.get_available_testsets()


@each_set
def test_facts(name):
    theirs, mine = original.DATASETS[name], ours.DATASETS[name]
    for fact in ("name", "data", "md5", "langpairs", "kwargs"):
        assert getattr(mine, fact) == getattr(theirs, fact), fact
    assert list(mine.langpairs) == list(theirs.langpairs)
    assert type(mine).__name__ == type(theirs).__name__
    assert utils.get_langpairs_for_testset(name) == original_utils.get_langpairs_for_testset(name)


@each_set
def test_fields_and_files(name):
    theirs, mine = original.DATASETS[name], ours.DATASETS[name]
    for pair in theirs.langpairs:
        if isinstance(mine, ours.WMTXMLDataset):
            # The fields stand in files; the choice among the references is a fact.
            chosen = theirs._get_langpair_allowed_refs(pair)
            entry = mine.langpairs[pair]
            refs = entry["refs"] if isinstance(entry, dict) else mine.kwargs["refs"]
            assert [f"ref:{ref}" if ref else "ref" for ref in refs] == chosen
        else:
            assert mine.fieldnames(pair) == theirs.fieldnames(pair)


@each_set
def test_citations(name):
    theirs, mine = original.DATASETS[name].citation, ours.DATASETS[name].citation
    if theirs is None:
        assert mine is None
        return
    repaired = REPAIRED.get(name, str)(theirs)
    assert mine.split("\n") == [line.rstrip() for line in repaired.strip().split("\n")]
    assert (repaired == theirs) == (name not in REPAIRED)
    assert mine.count("{") == mine.count("}")


def test_descriptions_are_lines_of_our_own():
    said = {name: dataset.description for name, dataset in ours.DATASETS.items()}
    assert len(set(said.values())) == 67
    assert all(line and line == line.strip() and "\n" not in line for line in said.values())
    assert set(said.values()) & {one.description for one in original.DATASETS.values()} == set()


def test_subsets():
    assert dict(ours.SUBSETS) == original.SUBSETS
    assert ours.COUNTRIES == original.COUNTRIES
    assert ours.DOMAINS == original.DOMAINS
    with pytest.raises(AttributeError):
        _ = ours.CONTINENTS


def test_sets_of_a_language_pair():
    pairs = {pair for dataset in original.DATASETS.values() for pair in dataset.langpairs}
    for pair in (*pairs, "xx-yy", "de-en-x"):
        theirs = original_utils.get_available_testsets_for_langpair(pair)
        assert utils.get_available_testsets_for_langpair(pair) == theirs
    with pytest.raises(ValueError, match="'de' is no language pair"):
        utils.get_available_testsets_for_langpair("de")


def test_the_table_is_read_when_asked_for():
    code = (
        "import sys; from truebleu.compat import sacrebleu; import truebleu.compat.sacrebleu.utils;"
        "before = 'tomllib' in sys.modules; 'wmt22' in sacrebleu.DATASETS;"
        "print(before, 'tomllib' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout == "False True\n"


def test_sets_can_be_added_and_removed():
    table = ours._Table(dict)
    assert len(table) == 0
    table["mine"] = ours.PlainTextDataset("mine", langpairs={"de-en": ["a", "b"]})
    assert [*table] == ["mine"]
    assert repr(table).startswith("{'mine': ")
    assert table["mine"].fieldnames("de-en") == ["src", "ref"]
    del table["mine"]
    assert "mine" not in table
