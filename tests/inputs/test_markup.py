# SPDX-License-Identifier: Apache-2.0
"""SGML and XML of NIST and WMT score as their plain text; damaged files are one line."""

import json
import time
from contextlib import suppress
from html import escape
from pathlib import Path

import pytest
from support.command import refusal, run, scored
from support.example_texts import write_lines

import truebleu as tb
from truebleu import InputError
from truebleu.inputs.markup import parse

#: Texts with what markup changes: entities, a line break, blanks, an empty line.
REFS = ['AT&T is <b>big</b> & "old"', "the cat sat", "", "d > c, 5 < 6 &amp; é", "the end . "]
OTHER = [text.replace("the", "a") for text in REFS]
HYPS = [text.replace("e", "E") for text in REFS]
WORSE = [text.replace("a", "b") for text in REFS]
SOURCES = [text.upper() for text in REFS]
#: Each segment's document.
DOCS = ["x", "x", "y", "y", "y"]

pytestmark = pytest.mark.usefixtures("texts")


def documents():
    return {doc: [i for i, own in enumerate(DOCS) if own == doc] for doc in "xy"}


def sgml(tag, texts, is_raw=False):
    """A file of NIST's layout; with raw text, as many of WMT's are."""
    quoted = (lambda text: text) if is_raw else escape
    parts = [f'<!DOCTYPE {tag} SYSTEM "http://localhost:9/mteval.dtd">\n<{tag} setid="s">']
    for doc, places in documents().items():
        for name, lines in texts.items():
            segments = "".join(f"<SEG id={i}>\r\n{quoted(lines[i])} </seg>\n" for i in places)
            parts.append(f"<DOC docid='{doc}' sysid=\"{name}\">\n<p>{segments}</p></DOC>")
    return "\n".join([*parts, f"</{tag}>"])


def xml(texts):
    """A file of WMT's layout, with a document of a test suite."""
    parts = ['<?xml version="1.0"?>\n<dataset id="s"><collection><!-- <seg>no</seg> -->']
    parts.append('<doc id="z" testsuite="t"><src><p><seg id="1">x</seg></p></src></doc>')
    for doc, places in documents().items():
        parts.append(f'<doc id="{doc}" domain="{doc * 2}">')
        for tag, lines in texts.items():
            segments = "".join(f'<seg id="{i}">{escape(lines[i])}</seg>' for i in places)
            parts.append(f"<{tag} lang='en'><p>{segments}</p></{tag.split()[0]}>")
        parts.append("</doc>")
    return "\n".join([*parts, "</collection></dataset>"])


@pytest.fixture
def texts(folder):
    named = {"ref.A": REFS, "ref.B": OTHER, "good": HYPS, "bad": WORSE, "src": SOURCES,
             "docs": DOCS, "domains": [doc * 2 for doc in DOCS]}  # fmt: skip
    write_lines({f"{name}.txt": lines for name, lines in named.items()}, folder)
    (folder / "refs.sgm").write_text(sgml("refset", {"A": REFS, "B": OTHER}))
    (folder / "raw.sgm").write_text(sgml("tstset", {"good": HYPS}, is_raw=True))
    (folder / "hyps").write_text(sgml("tstset", {"good": HYPS, "bad": WORSE}))
    every = {"src": SOURCES, 'ref translator="A"': REFS, 'ref translator="B"': OTHER,
             'hyp system="good"': HYPS, 'hyp system="bad"': WORSE}  # fmt: skip
    (folder / "s.en-de.all.xml").write_text(xml(every))
    return folder


ALL = "s.en-de.all.xml"
NOTICE = f"truebleu: notice: {ALL}: left out 1 segment of test suites\n"


@pytest.mark.parametrize("command", ["score", "compare -n 100", "explain", "contrast", "score --per-segment out.tsv"])
def test_markup_scores_as_its_text(command):
    command, *flags = command.split()
    systems = ["good"] if "out.tsv" in flags else ["good", "bad"]
    own = [f"{name}.txt" for name in systems]
    expected = scored(command, "ref.A.txt", "ref.B.txt", "-i", *own, *flags)[0]
    for refs, *hyps in [
        (["refs.sgm"], *(f"hyps#hyp:{name}" for name in systems)),
        ([ALL], *([ALL] if len(systems) == 2 else [f"{ALL}#hyp:good"])),
        (["refs.sgm#ref:A", "ref.B.txt"], "raw.sgm", *own[1:]),
    ]:
        assert scored(command, *refs, "-i", *hyps, *flags, "--names", *systems)[0] == expected
    if command == "score":
        text = sgml("tstset", {"": HYPS}).encode()
        plain = scored(command, "ref.A.txt", "ref.B.txt", "-i", "good.txt", *flags)[0]
        assert scored(command, "refs.sgm", *flags, stdin=text)[0] == plain


def test_systems_have_their_names_and_labels_come_from_documents():
    plain = ["ref.A.txt", "ref.B.txt", "-i", "good.txt", "bad.txt"]
    marked = [ALL, "-i", ALL]
    assert scored("score", *marked) == (scored("score", *plain)[0], NOTICE)
    assert scored("score", *marked, "--group-by", ALL)[0] == (scored("score", *plain, "--group-by", "domains.txt")[0])
    for flag, own, labels in [("--by-doc", ALL, "docs.txt"), ("--group-by", ALL, "domains.txt")]:
        by_markup, by_text = (
            json.loads(scored("compare", *files, "-n", "99", "-f", "json", flag, file)[0])
            for files, file in ((marked, own), (plain, labels))
        )
        assert by_markup == by_text
    by_markup, by_text = (
        run("check", *files, "-f", "json").stdout.decode()
        for files in (
            [f"{ALL}#ref:A", "-i", f"{ALL}#src", "--src", ALL],
            ["ref.A.txt", "-i", "src.txt", "--src", "src.txt"],
        )
    )
    assert by_markup.replace(f"{ALL}#", "").replace("ref:", "ref.") == by_text.replace(".txt", "")
    assert tb.read_lines(f"{ALL}#hyp:bad") == [line.strip() for line in WORSE]


def test_a_campaign_reads_markup(texts):
    (texts / "s-ende-ref.de.sgm").write_text(sgml("refset", {"A": REFS}))
    (texts / "s.alone.1.en-de.sgm").write_text(sgml("tstset", {"x": HYPS}))
    scores = json.loads(scored("campaign", ".", "-f", "json")[0])["matrices"][0]["sets"][0]["scores"]
    refs = list(zip(REFS, OTHER, REFS, strict=True))
    assert {name: score["value"] for name, score in scores.items()} == {
        name: tb.corpus_bleu(hyps, refs).value for name, hyps in {"alone": HYPS, "good": HYPS, "bad": WORSE}.items()
    }
    scored("campaign", ".", "--init")
    again = json.loads(scored("campaign", "campaign.toml", "-f", "json")[0])
    assert again["matrices"][0]["sets"][0]["scores"] == scores


ONE, TWO = sgml("tstset", {"good": HYPS}), sgml("tstset", {"a": HYPS, "b": WORSE})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f'<?xml?><!DOCTYPE d [\n<!ENTITY a "b">\n<!ENTITY c "&a;&a;">]>{ONE}',
         "bad.sgm:2: declares an entity, which is refused"),
        (f'<?xml?><!DOCTYPE d [<!ENTITY a SYSTEM "file:///etc/passwd">]>{ONE}',
         "bad.sgm:1: declares an entity, which is refused"),
        (ONE.replace("</tstset>", ""), "<tstset> has no </tstset>"),
        (ONE[: ONE.rindex("</seg>")], "<seg> has no </seg>"),
        (ONE.replace("</seg>", "", 1), "bad.sgm:4: <seg> has no </seg>"),
        (ONE.lower().replace("seg", "sag"), "bad.sgm: SGML or XML without a <seg>"),
        (TWO.replace("id=3>", "id=9>", 1), "bad.sgm: hyp:b lacks segment 9 of document y"),
        (ONE.replace("id=1>", "id=5>", 1).replace("id=0>", "id=1>").replace("id=5>", "id=0>"),
         "bad.sgm: segment 1 of document x comes where refs.sgm has segment 0 of x"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_one_line(text, message, texts):
    (texts / "bad.sgm").write_text(text)
    assert message in refusal("score", "refs.sgm", "-i", "bad.sgm")
    assert message in refusal("check", "refs.sgm", "-i", "bad.sgm")


def test_lines_of_other_markup_are_text(texts):
    pages = ["<!DOCTYPE html><p>the cat</p>", "<?xml version='1.0'?><a/>", "<doc x>the end</doc>"]
    for head, *others in (pages, pages[1:] + pages[:1], pages[::-1]):
        (texts / "pages").write_text("\n".join([head, *others, *HYPS]))
        assert tb.read_lines("pages") == [head, *others, *HYPS]
        scored("score", "pages", "-i", "pages", "--per-segment", "o.tsv")
        assert "hyp_len" in scored("score", "pages", "-i", "pages")[0]


def test_names_may_have_any_characters(texts):
    names = ["C# & c/o", "a.b#hyp:c", "x"]
    (texts / "odd#.sgm").write_text(sgml("tstset", {escape(name): HYPS for name in names}))
    entries = json.loads(scored("score", "refs.sgm", "-i", "odd#.sgm", "-f", "json")[0])["scores"]
    assert [entry["system"] for entry in entries] == names
    expected = scored("score", "refs.sgm", "-i", "good.txt")[0]
    for name in names:
        assert scored("score", "refs.sgm", "-i", f"odd#.sgm#hyp:{name}")[0] == expected


def test_a_file_of_one_other_role_is_what_the_user_says(texts):
    (texts / "other.sgm").write_text(sgml("srcset", {"": HYPS}))
    expected = scored("score", "ref.A.txt", "-i", "good.txt")[0]
    assert scored("score", "refs.sgm#ref:A", "-i", "other.sgm")[0] == expected


def test_several_texts_are_listed():
    whole = "has src, ref:A, ref:B, hyp:good, hyp:bad; name one, as in"
    assert whole in refusal("score", f"{ALL}#ref:C", "-i", "good.txt")
    assert whole in refusal("self-bleu", ALL)
    refused = refusal("score", "ref.A.txt", stdin=Path(ALL).read_bytes())
    assert refused == f"<stdin>: {whole} FILE#hyp:bad"
    with pytest.raises(InputError, match="has src, ref:A"):
        tb.read_lines(ALL)


@pytest.mark.parametrize(
    "text",
    [
        "<!--" * 50_000,
        "<seg>" + "<![CDATA[" * 50_000,
        "<doc " + "a" * 200_000 + ">",
        "<seg>" + " " * 200_000 + "x",
        "<doc " * 50_000,
        '<doc a="' * 50_000,
        "<seg id='1'>x</seg>" * 50_000,
    ],
)
def test_hostile_text_takes_no_longer(text):
    start = time.process_time()
    with suppress(InputError):
        parse(f"<doc id='a'>{text}".encode(), "x")
    assert time.process_time() - start < 2


def test_characters_are_read_once():
    text = "<seg>&amp;lt; &#233;&#xE9; &#xD800; &nbsp; <![CDATA[a & <b>]]>\n b&#10;c</seg>"
    assert parse(text.encode(), "x").lines("").decode() == "&lt; éé &#xD800; &nbsp; a & <b> b c\n"


def test_declared_encodings_and_marks_are_heeded(texts):
    text = xml({'ref translator="A"': REFS, 'hyp system="good"': HYPS})
    expected = scored("score", "ref.A.txt", "-i", "good.txt")[0]
    latin = text.replace("?>", ' encoding="ISO-8859-1"?>', 1)
    for data, notices in [(latin.encode("latin-1"), 1), (text.encode("utf-16"), 3), (text.encode("utf-8-sig"), 3)]:
        (texts / "coded.xml").write_bytes(data)
        out, error = scored("score", "coded.xml", "-i", "coded.xml")
        assert out == expected
        assert error.count("\n") == notices
