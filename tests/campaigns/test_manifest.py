# SPDX-License-Identifier: Apache-2.0
"""A manifest is read as it was written, and its errors name the set."""

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from truebleu import InputError
from truebleu.campaigns.manifest import manifest_text, read_manifest
from truebleu.campaigns.sets import SetFiles

GOOD = """\
# a comment
[[set]]
name = "news"
pair = "de-en"
references = ["ref"]

[set.systems]
"one" = "hyp"

[[set]]
name = "talks"
pair = "de-en"
references = ["ref", "ref2"]
source = "src"
systems = { one = "hyp", two = "hyp2" }
"""


@pytest.fixture
def manifest(tmp_path):
    for name in ("ref", "ref2", "src", "hyp", "hyp2"):
        (tmp_path / name).write_text("a\n")
    path = tmp_path / "campaign.toml"

    def write(old="", new=""):
        assert old in GOOD
        path.write_text(GOOD.replace(old, new) if old else GOOD)
        return path

    return write


def test_a_manifest_lists_files_next_to_it(manifest, tmp_path):
    news, talks = read_manifest(manifest())
    assert news == SetFiles("news", "de-en", (f"{tmp_path}/ref",), {"one": f"{tmp_path}/hyp"})
    assert talks.references == (f"{tmp_path}/ref", f"{tmp_path}/ref2")
    assert talks.source == f"{tmp_path}/src"
    assert list(talks.systems) == ["one", "two"]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('name = "talks"', 'name = "talks', " not a manifest: .* line 11, .*; correct it"),
        ('name = "talks"', "", " set 2: it has no name"),
        ('source = "src"', 'sorce = "src"', " set 2: unknown key 'sorce'; did you mean source"),
        ('source = "src"', 'source = "none"', " set 2: source: .*none: no such file; check"),
        ('source = "src"', "source = 3", " set 2: source cannot be 3; it must be a string"),
        ('"one" = "hyp"', '"one" = "hup"', " set 1: one: .*hup: no such file"),
        ('references = ["ref"]', "", " set 1: it has no references; add them"),
        ('references = ["ref"]', 'references = ["ref", "re"]', " set 1: references: .*re: no such"),
        ('references = ["ref"]', "references = 1", " set 1: references cannot be 1; list files"),
        ("{ one = ", '"x" # { one = ', " set 2: systems cannot be 'x'; write NAME = FILE"),
        ("# a comment", "sets = 1", " unknown key 'sets'; did you mean set"),
        (GOOD, "", " there is no test set; begin each with"),
        (GOOD, "set = [{}, 3]", " there is no test set"),
    ],
)
def test_an_error_names_its_set(old, new, message, manifest):
    path = manifest(old, new)
    with pytest.raises(InputError, match=message) as error:
        read_manifest(path)
    assert str(error.value).startswith(f"{path}: ")


def test_a_missing_file_and_a_file_of_bytes_are_one_line(tmp_path):
    with pytest.raises(InputError, match=r"none.toml: no such file"):
        read_manifest(tmp_path / "none.toml")
    (tmp_path / "bytes.toml").write_bytes(b"\xff")
    with pytest.raises(InputError, match="not UTF-8"):
        read_manifest(tmp_path / "bytes.toml")
    for text in (
        "a = " + "[" * 100_000,
        "a = " + "1" * 10_000,
        "a." * 100_000 + "b = 1",
        "[" + "'a' . " * 20_000 + "b]",
        "a" * (1 << 18) + " = 1",
    ):
        (tmp_path / "odd.toml").write_text(text)
        with pytest.raises(InputError, match=r"odd\.toml"):
            read_manifest(tmp_path / "odd.toml")


NAMES = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0/"), min_size=1)


@given(NAMES, NAMES, st.dictionaries(NAMES, NAMES, min_size=1))
def test_a_written_manifest_is_the_same_sets(name, pair, systems):
    files = {one: f"/data/{path}" for one, path in systems.items() if path not in (".", "..")}
    one = SetFiles(name, pair, ("/data/ref",), files, documents="/data/docs")
    (table,) = tomllib.loads(manifest_text([one], "/data"))["set"]
    assert (table["name"], table["pair"]) == (name, pair)
    assert table["references"] == ["ref"]
    assert table["documents"] == "docs"
    assert {key: f"/data/{path}" for key, path in table["systems"].items()} == files
