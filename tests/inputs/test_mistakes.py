# SPDX-License-Identifier: Apache-2.0
"""What makes a score meaningless is one line on standard error; other texts give none."""

from pathlib import Path

import pytest
from conftest import ROOT
from support.command import run, scored
from support.example_texts import CHINESE, SYSTEMS, as_lines

from truebleu.inputs.corpus import Lines, LineStreams
from truebleu.inputs.mistakes import mistakes

DATA = ROOT.parent / "shared" / "data"
#: Unlike lines of scripts with and without spaces.
JAPANESE = [f"私は{i}番目の猫がとても好きですが、犬はあまり好きではありません。" for i in range(60)]
CHINESE_TEXT = [f"我非常喜欢第{i}只猫，但是我不太喜欢狗，因为它们太吵了。" for i in range(60)]
THAI = [f"ฉันชอบแมวตัวที่{i}มากแต่ฉันไม่ค่อยชอบสุนัข" for i in range(60)]
KOREAN = [f"나는 {i}번째 고양이를 아주 좋아하지만 개는 별로 좋아하지 않는다." for i in range(60)]
GERMAN = [f"Ich mag „Katze {i}“ sehr – aber Hunde nicht …" for i in range(60)]


def found(refs, systems=(), tokenizers=("13a",)):
    """The mistakes, which are the same in lines and in lists."""
    listed = list(mistakes(refs, list(systems), tokenizers))
    lines = [(name, as_lines(texts)) for name, texts in systems]
    assert list(mistakes(as_lines(refs), lines, tokenizers)) == listed
    assert list(mistakes(LineStreams([as_lines(refs)]), lines, tokenizers)) == listed
    return listed


@pytest.mark.parametrize(
    ("texts", "language", "tokenizer"),
    [(JAPANESE, "Japanese", "ja-mecab"), (CHINESE_TEXT, "Chinese", "zh"), (THAI, "Thai", "flores200 or -tok char")],
)
def test_a_script_without_spaces_needs_a_tokenizer(texts, language, tokenizer):
    (mistake,) = found(texts, tokenizers=("ja-mecab", "", "intl"))
    assert mistake.startswith(f"the references are {language}, ")
    assert mistake.endswith(f"intl leaves whole phrases as tokens; use -tok {tokenizer}")
    assert not found(texts, tokenizers=("zh", "char", "re:.", ""))
    assert not found([" ".join(text) for text in texts])  # split already
    assert not found([*GERMAN, *texts[:20]])


def test_a_line_that_stands_for_references():
    none = ["NO TRANSLATION AVAILABLE"] * 900
    mistake = "the reference: 900 of 960 lines are 'NO TRANSLATION AVAILABLE'; leave these segments out"
    assert found([*GERMAN, *none]) == [mistake]
    assert "900 of 960 lines are ''" in found([*none[:0], *GERMAN, *[""] * 900])[0]
    assert not found([*GERMAN, *none[:90]])  # too few
    assert not found([*(f"{i} {text}" for i in range(40) for text in GERMAN), *none[:200]])


def test_copies_and_tags():
    other = [text.replace("mag", "liebe") for text in GERMAN]
    copies = [("a", other), ("b", other[1:] + other[:1]), ("c", other), ("d", GERMAN)]
    assert found(GERMAN, copies) == [
        "a and c have the same lines; is one file given twice?",
        "d: the hypotheses are a reference, line for line; name the system's output",
    ]
    assert not found(GERMAN[:9], [("a", GERMAN[:9]), ("b", GERMAN[:9])])
    tagged = [f'<seg id="{i}">{text}</seg>' for i, text in enumerate(other)]
    assert found(GERMAN, [("a", ["", *tagged[1:]])]) == [
        "a: the lines have <seg> tags, which are scored as text; remove them"
    ]
    assert not found(GERMAN, [("a", [*other[1:], tagged[0]])])


@pytest.mark.parametrize(("refs", "tokenizer"), [(KOREAN, "13a"), (GERMAN, "13a"), ([], "13a")])
def test_other_texts_are_right(refs, tokenizer):
    assert not found(refs, [("a", refs[::-1])], [tokenizer])
    assert not list(mistakes(None, [("a", object())], [tokenizer]))
    assert not list(mistakes([["a", None], [None, "b"]], [("a", ["a", "b"])], [tokenizer]))


@pytest.mark.parametrize("pair", ["wmt21/en-ru", "wmt22/en-de", "wmt22/zh-en", "wmt22/en-ja"])
def test_real_systems_give_no_false_alarm(pair):
    if not DATA.exists():
        pytest.skip("needs the outputs of WMT")
    folder = DATA / pair
    texts = {path.name: Lines(path.read_bytes()) for path in sorted(folder.glob("*.txt"))}
    refs = LineStreams([own for name, own in texts.items() if name.startswith("ref.")])
    systems = [(name, own) for name, own in texts.items() if name.startswith("hyp.")]
    tokenizer = "ja-mecab" if pair.endswith("ja") else "13a"
    assert not list(mistakes(refs, systems, [tokenizer]))
    assert len(list(mistakes(refs, systems, ["13a"]))) == pair.endswith("ja")


@pytest.mark.usefixtures("undrawn")
@pytest.mark.parametrize(
    "command",
    [
        "score",
        "score -sl",
        "score --per-segment o.tsv",
        "compare -n 9",
        "report -n 9 --force -o o",
        "campaign -tok 13a",
    ],
)
def test_commands_say_it_before_the_score_unless_quiet(command, folder):
    command, *flags = command.split()
    system = SYSTEMS[1] if command == "campaign" else CHINESE[1]
    files = [CHINESE[0], "-i", system, *([SYSTEMS[0]] if command == "compare" else [])]
    if command == "compare":
        files = [CHINESE[0], "-i", *CHINESE]
    if command == "campaign":
        (folder / "s" / "en-zh").mkdir(parents=True)
        for name, path in {"ref.txt": CHINESE[0], "hyp.a.txt": CHINESE[1]}.items():
            (folder / "s" / "en-zh" / name).write_bytes(Path(path).read_bytes())
        files = ["s"]
    out, error = scored(command, *files, *flags)
    assert "truebleu: warning: " in error
    assert "the references are Chinese" in error
    quiet = scored(command, *files, *flags, "-q")
    assert quiet[0] == out
    assert "warning" not in quiet[1]


def test_quiet_hides_notices(folder):
    (folder / "bom").write_bytes(b"\xef\xbb\xbfa b c d\n")
    (folder / "one").write_bytes(b"a b c d\n")
    assert run("score", "one", "-i", "bom").stderr
    assert not run("score", "one", "-i", "bom", "-q").stderr
