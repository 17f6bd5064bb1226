# SPDX-License-Identifier: Apache-2.0
"""Test sets and systems are found by the names of their files, and nothing is guessed."""

import pytest

import truebleu as tb
from truebleu import InputError
from truebleu.campaigns.layouts import Layout

#: The files of a set de-en with two systems, as people lay them out.
LAYOUTS = {
    "folders": """news/de-en/ref.A.txt news/de-en/src.txt news/de-en/docs.txt
        news/de-en/domains.txt news/de-en/hyp.one.txt news/de-en/hyp.two.v2.txt""",
    "folders with languages": """news/de-en/ref.en news/de-en/src.de news/de-en/docids
        news/de-en/labels news/de-en/one.out news/de-en/two.v2.out""",
    "the repositories of WMT": """txt/references/news.de-en.ref.A.en txt/sources/news.de-en.src.de
        txt/documents/news.de-en.docs txt/news.de-en.domain
        txt/system-outputs/news.de-en.hyp.one.en txt/system-outputs/news.de-en.hyp.two.v2.en""",
    "WMT until 2020": """references/news-deen-ref.en sources/news-deen-src.de x/news.de-en.docids
        x/news.de-en.labels.txt outputs/news.one.6812.de-en outputs/news.two.v2.77.de-en""",
    "sacreBLEU": """news/news.de-en.ref-A news/news.de-en.src news/news.de-en.docid
        news/news.de-en.domain news/news.de-en.one news/news.de-en.two.v2""",
    "OpusTools, and systems in folders": """news.de-en.en news.de-en.de news.de-en.docs
        news.de-en.domains one/news.de-en.out two.v2/de-en.hyp""",
}


def made(folder, names):
    for name in names.split():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("a\n")
    return folder


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_layout_is_found(layout, tmp_path):
    found = Layout(made(tmp_path, LAYOUTS[layout]))
    (one,) = found.sets
    assert (one.name, one.pair, sorted(one.systems)) == ("news", "de-en", ["one", "two.v2"])
    assert len(one.references) == 1
    assert None not in (one.source, one.documents, one.labels)
    assert found.unused == ()


def test_flores_has_a_text_for_each_language(tmp_path):
    names = "flores/devtest/deu_Latn.devtest flores/devtest/eng_Latn.devtest "
    names += "flores/devtest/zho_Hans.devtest one/eng_Latn-deu_Latn.devtest.out "
    names += "two/eng_Latn-deu_Latn.devtest one/devtest.eng_Latn-zho_Hans.out"
    german, chinese = Layout(made(tmp_path, names)).sets
    assert german.title == "devtest eng_Latn-deu_Latn"
    assert list(german.systems) == ["one", "two"]
    assert german.references == (str(tmp_path / "flores/devtest/deu_Latn.devtest"),)
    assert german.source == str(tmp_path / "flores/devtest/eng_Latn.devtest")
    assert (chinese.pair, list(chinese.systems)) == ("eng_Latn-zho_Hans", ["one"])


def test_flores_101_has_languages_without_scripts(tmp_path):
    names = "devtest/deu.devtest devtest/eng.devtest one/eng-deu.devtest"
    (one,) = Layout(made(tmp_path, names)).sets
    assert (one.title, list(one.systems)) == ("devtest eng-deu", ["one"])
    assert one.references == (str(tmp_path / "devtest/deu.devtest"),)


def test_several_references_and_sets_are_in_order(tmp_path):
    names = "b/de-en/ref.B b/de-en/ref.A b/de-en/hyp.x a/de-en/ref a/de-en/hyp.y a/zh-en/ref "
    found = Layout(made(tmp_path, names + "a/zh-en/hyp.x")).sets
    assert [one.title for one in found] == ["a de-en", "a zh-en", "b de-en"]
    assert [path[-5:] for path in found[2].references] == ["ref.A", "ref.B"]


def test_a_folder_of_one_pair_has_the_name_of_the_folder_above(tmp_path):
    made(tmp_path, "news/de-en/ref.txt news/de-en/hyp.one.txt")
    (one,) = Layout(tmp_path / "news" / "de-en").sets
    assert one.title == "news de-en"


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("news/de-en/notes.md", "its name is not one of a layout"),
        ("news/news.de-en.origlang", "its name is not one of a layout"),
        ("news/de-en/ref.A.txt.gz", "ref.A.txt is the same by its name"),
        ("one/zh-en.out", "no set has zh-en"),
        ("new/de-en/ref.txt", "no outputs of new de-en were found"),
        ("new/de-en/hyp.one.txt", "no references of new de-en were found"),
        ("news.de-en.fr", "its name is not one of a layout"),
    ],
)
def test_what_is_not_used_is_listed_with_the_reason(name, why, tmp_path):
    found = Layout(made(tmp_path, f"{LAYOUTS['folders']} {name}"))
    ((path, reason),) = found.unused
    assert path == str(tmp_path / name)
    assert reason.endswith(why)
    assert len(found.sets) == 1


def test_an_output_that_may_belong_to_two_sets_belongs_to_none(tmp_path):
    names = "a/de-en/ref a/de-en/hyp.x b/de-en/ref b/de-en/hyp.x one/de-en.out"
    assert Layout(made(tmp_path, names)).unused[0][1] == "several sets have the pair de-en"


def test_nothing_to_score_is_one_line(tmp_path):
    with pytest.raises(InputError, match="no such folder; name a folder, or a manifest"):
        Layout(tmp_path / "none")
    with pytest.raises(InputError, match="no reference and output found by name"):
        Layout(made(tmp_path, "a/de-en/ref.txt"))


def test_run_files_need_no_language_pair(tmp_path):
    for name in ("one", "two"):
        tb.save_run(tmp_path / f"{name}.bleu", {name: ["a b"]}, ["a b"], tags={"set": "news"})
    (news,) = Layout(tmp_path).sets
    assert (news.title, list(news.systems)) == ("news", ["one", "two"])
