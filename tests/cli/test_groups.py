# SPDX-License-Identifier: Apache-2.0
"""`--group-by`: the result of each group is that of its segments in files of their own."""

import json

import pytest
from support.command import scored
from support.example_texts import ENGLISH, LOWER, NAMED, SYSTEMS, lines, write_lines

COUNT = len(lines(ENGLISH[0]))
LABELS = [("chat", "news", "")[i % 7 % 3] for i in range(COUNT)]
PLACES = {
    name: [i for i, label in enumerate(LABELS) if label == key]
    for name, key in (("chat", "chat"), ("news", "news"), ("(null)", ""))
}
TWO = (*ENGLISH, "-i", *SYSTEMS[:2], "--names", "aurora", "basalt")
ONE = (*ENGLISH, "-i", SYSTEMS[1])

pytestmark = pytest.mark.usefixtures("grouped")


@pytest.fixture
def grouped(folder):
    """A file of labels; and for each group its segments as files of the same names."""
    write_lines({"labels": LABELS}, folder)
    for name, places in PLACES.items():
        (folder / name).mkdir()
        for path in (*ENGLISH, *SYSTEMS[:2]):
            texts = lines(path)
            write_lines({path.rpartition("/")[2]: [texts[i] for i in places]}, folder / name)
    return folder


def alone(name, *arguments):
    """The output for a group's own files."""
    own = (f"{name}/{word.rpartition('/')[2]}" if "/" in word else word for word in arguments)
    return scored(*own)


@pytest.mark.parametrize(
    "arguments",
    [
        ("compare", *TWO, "-n", "100", "--detect", "2"),
        ("compare", *TWO, "-n", "100", "-m", "bleu", "ter", "--baseline", "basalt"),
        ("diff", *ONE, "-b", LOWER, "--segments", "0"),
        ("diff", *ONE, "--all"),
        ("explain", *ONE, "--worst", "0"),
    ],
    ids=lambda arguments: f"{arguments[0]} {arguments[-1]}",
)
def test_a_group_is_a_corpus_of_its_own(arguments):
    text, _ = scored(*arguments, "--group-by", "labels")
    single = {name: alone(name, *arguments)[0] for name in PLACES}
    if arguments[0] != "compare":  # which has one table, tested in test_compare.py
        assert text == "\n".join(f"group: {name}\n\n{one}" for name, one in single.items())
    entry = json.loads(scored(*arguments, "--group-by", "labels", "-f", "json")[0])
    assert list(entry) == list(PLACES)
    for name, result in entry.items():
        expected = json.loads(alone(name, *arguments, "-f", "json")[0])
        for one in (result, expected):
            for segment in one["segments"] if arguments[0] == "explain" else ():
                segment.pop("segment")
        assert result == expected


def test_a_figure_of_each_group_is_below_the_one_before(grouped):
    command = ("plot", *TWO, "-k", "precisions", "-o")
    for suffix, head in (("svg", b"<svg"), ("pdf", b"%PDF"), ("png", b"\x89PNG")):
        scored(*command, f"all.{suffix}", "--group-by", "labels")
        assert (grouped / f"all.{suffix}").read_bytes().startswith(head)
    drawn, height = (grouped / "all.svg").read_text(), 0
    for name in PLACES:
        alone(name, *command, f"{name}.svg")
        figure = (grouped / f"{name}.svg").read_text()
        assert f">group: {name}</text>" in drawn
        assert figure.removeprefix("<svg ") in drawn
        height += int(figure.partition(' height="')[2].partition('"')[0])
    assert f'width="240" height="{height + 16 * len(PLACES)}"' in drawn


@pytest.mark.parametrize(
    ("command", "rest"),
    [("explain", ["--worst", "1"]), ("explain", ["-n", "3"]), ("diff", ["-b", LOWER])],
    ids=["explain", "explain -n", "diff"],
)
def test_several_systems_are_shown_below_each_other(command, rest):
    each = {
        name: scored(command, *ENGLISH, "-i", path, *rest)[0]
        for name, path in zip(("aurora", "basalt"), SYSTEMS, strict=False)
    }
    expected = "\n".join(f"system: {name}\n\n{text}" for name, text in each.items())
    assert scored(command, *TWO, *rest)[0] == expected
    entries = json.loads(scored(command, *TWO, *rest, "-f", "json")[0])
    assert entries["basalt"] == json.loads(scored(command, *ENGLISH, "-i", SYSTEMS[1], *rest, "-f", "json")[0])
    if "-n" not in rest:
        grouped = (*rest, "--group-by", "labels")
        entries = json.loads(scored(command, *TWO, *grouped, "-f", "json")[0])
        one = json.loads(scored(command, *ONE, *grouped, "-f", "json")[0])
        assert {name: systems["basalt"] for name, systems in entries.items()} == one


@pytest.mark.parametrize("metrics", [["bleu"], ["bleu", "ter"]], ids=len)
def test_scores_of_several_systems(metrics):
    command = ("score", *TWO, "-m", *metrics)
    single = [*PLACES, "(all)"]
    entries = json.loads(scored(*command, "--group-by", "labels", "-f", "json")[0])["scores"]
    each = [json.loads(alone(name, *command, "-f", "json")[0])["scores"] for name in PLACES]
    each.append(json.loads(scored(*command, "-f", "json")[0])["scores"])
    assert entries == [{"group": name, **entry} for name, some in zip(single, each, strict=True) for entry in some]
    table = [row.split() for row in scored(*command, "--group-by", "labels")[0].splitlines()[2:6]]
    columns = len(metrics) * 2
    assert table == [
        [name, *(f"{entry['value']:.1f}" for entry in entries[i * columns : (i + 1) * columns])]
        for i, name in enumerate(single)
    ]
    rows = [row.split("\t")[:2] for row in scored(*command, "--group-by", "labels", "-f", "tsv")[0].splitlines()]
    assert rows[0] == ["group", "System"]
    assert rows[1:] == [[name, system] for name in single for system in ("aurora", "basalt")]


def test_segments_have_the_numbers_of_the_whole():
    explain = ("explain", *ONE, "--group-by", "labels", "-f", "json")
    entry = json.loads(scored(*explain)[0])
    for name, places in PLACES.items():
        numbers = [segment["segment"] for segment in entry[name]["segments"]]
        assert numbers == [place + 1 for place in places]
        for segment in entry[name]["worst"]:
            text = lines("de-en/hyp.basalt.txt")[segment["segment"] - 1]
            assert "".join(segment["overlap"]["tokens"]) == text.replace(" ", "")
    entry = json.loads(scored("diff", *ONE, "-b", LOWER, *explain[-4:])[0])
    for name, places in PLACES.items():
        assert {one["segment"] for one in entry[name]["first"]} <= {place + 1 for place in places}


def test_groups_called_null_and_all_are_groups_of_their_own():
    names = {"chat": "(null)", "news": "(all)", "": ""}
    write_lines({"odd": [names[label] for label in LABELS]})
    size = {name: len(places) for name, places in PLACES.items()}
    entries = json.loads(scored("score", *ONE, "--group-by", "odd", "-f", "json")[0])
    shown = {entry["group"]: entry["value"] for entry in entries["scores"]}
    assert list(shown) == ["(all)", "(null)", "(null) (2)", "(all) (2)"]
    assert shown["(all)"] != shown["(all) (2)"]
    entry = json.loads(scored("explain", *ONE, "--group-by", "odd", "-f", "json")[0])
    assert {name: len(one["segments"]) for name, one in entry.items()} == {
        "(all)": size["news"],
        "(null)": size["chat"],
        "(null) (2)": size["(null)"],
    }


def test_findings_say_the_groups_of_their_lines():
    texts = list(NAMED["aurora"])
    for place in (0, 7, 14, 1):
        texts[place] += "\r"
    write_lines({"hyp": texts})
    command = ("check", *ENGLISH, "-i", "hyp", "--group-by", "labels")
    size = len(PLACES["chat"])
    text = scored(*command)[0]
    assert f"  Lines by group: chat 3 of {size}, news 1 of {len(PLACES['news'])}\n" in text
    (finding,) = json.loads(scored(*command, "-f", "json")[0])["findings"]
    assert finding["groups"] == {"chat": 3, "news": 1}
    assert "groups" not in json.loads(scored(*command[:-2], "-f", "json")[0])["findings"][0]
