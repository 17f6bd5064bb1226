# SPDX-License-Identifier: Apache-2.0
"""Faults as decoders, chat models and scripts make them, to plant into real systems.

Each fault has wordings of two sets. `check` was written with the first in view. The second is held
out: no rule and no threshold was chosen by it, so it shows how `check` does on what it has not met.
"""

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from urllib.parse import quote


@dataclass(frozen=True)
class Line:
    """A line and what belongs to it: its row, its source, the same line in another language."""

    text: str
    row: int
    source: str
    other: str
    random: Random

    @property
    def spaced(self) -> bool:
        return self.text.count(" ") * 12 >= len(self.text)


Change = Callable[[Line], str]


@dataclass(frozen=True)
class Planted:
    """A fault: the findings that name it, and how it changes a line, in two sets of wordings."""

    name: str
    kinds: tuple[str, ...]
    known: Sequence[Change]
    held_out: Sequence[Change]
    #: Whether `check` gets the sources.
    sources: bool = False


def around(before: str, after: str = "") -> Change:
    return lambda line: f"{before}{line.text}{after}"


def one_of(*changes: Change) -> Change:
    """Another of the changes for each line."""
    return lambda line: line.random.choice(changes)(line)


def intros(*phrases: str, at_end: bool = False) -> Change:
    return one_of(*(around(*("", phrase)[:: 1 if at_end else -1]) for phrase in phrases))


def answers(*phrases: str) -> Change:
    return lambda line: line.random.choice(phrases)


def numbered(form: str) -> Change:
    return lambda line: form.format(line.row, line.text, row=line.row + 1, score=-line.random.random() * 4)


def is_short(text: str) -> bool:
    return len(text) < (12 if text > "\u2e80" else 25)


def csv(line: Line, quoted: str = "") -> str:
    """A quoted field; if `quoted` is a pattern, only where it matches."""
    doubled = line.text.replace('"', '""')
    return f'"{doubled}"' if re.search(quoted, line.text) else line.text


def thinking(tag: str, *thoughts: str) -> Change:
    return lambda line: "<{0}>{1}</{0}> {2}".format(
        tag, " ".join(line.random.sample(thoughts, line.random.randint(1, len(thoughts)))), line.text
    )


def cut(share: float, *, words: bool) -> Change:
    def change(line: Line) -> str:
        if len(line.text) < 60:
            return line.text
        if words and line.spaced:
            parts = line.text.split(" ")
            return " ".join(parts[: max(3, int(len(parts) * share))])
        return line.text[: int(len(line.text) * share)].rstrip()

    return change


def at_most(tokens: int) -> Change:
    """Cut after so many words, or half as many letters of Han."""
    return lambda line: " ".join(line.text.split(" ")[:tokens]) if line.spaced else line.text[: tokens * 3 // 2]


def twice(between: str) -> Change:
    return lambda line: f"{line.text}{between}{line.text}"


def looped(times: int, words: int) -> Change:
    """The end of a line again and again."""
    return lambda line: (
        " ".join([line.text, *line.text.split(" ")[-words:] * times])
        if line.spaced
        else line.text + line.text[-words * 2 :] * times
    )


def pieces(text: str, size: int) -> list[str]:
    return [text[at : at + size] for at in range(0, len(text), size)]


def subwords(between: str, size: int, before: str = "") -> Change:
    """Words in pieces of one size: BPE, WordPiece, or SentencePiece with a mark `before` words."""
    return lambda line: " ".join(between.join(pieces(before + word, size)) for word in line.text.split(" "))


def blanks_as(mark: str, before: str = "") -> Change:
    return lambda line: before + line.text.replace(" ", mark)


def tokenized(line: Line) -> str:
    """As Moses does, roughly; Han and kana one by one."""
    if not line.spaced:
        return " ".join(line.text)
    text = re.sub(r"([,;:!?()\"„“”«»])", r" \1 ", line.text)
    text = re.sub(r"([.…])$", r" \1", text.strip())
    text = re.sub(r"(\w)-(\w)", r"\1 @-@ \2", text)
    return " ".join(text.replace("'s ", " 's ").split())


def in_words(line: Line) -> str:
    """Tokens of another tokenizer: all punctuation apart; Han in pairs."""
    if not line.spaced:
        return " ".join(pieces(line.text, 2))
    return " ".join(re.sub(r"([^\w\s])", r" \1 ", line.text).split())


def penn(line: Line, space: str = " ") -> str:
    text = re.sub(r'(^|[ (])["„“]', rf"\1``{space}", line.text)
    text = re.sub(r'["”“]', f"{space}''", text)
    return " ".join(text.replace("(", "-LRB- ").replace(")", " -RRB-").split()) if space else text


def close_up(marks: str) -> Change:
    return lambda line: re.sub(rf"([{marks}]) ", r"\1", line.text)


def misread(encoding: str) -> Change:
    return lambda line: "".join(bytes([byte]).decode(encoding, "ignore") or chr(byte) for byte in line.text.encode())


def entities(line: Line) -> str:
    return "".join(f"&#{ord(c)};" if ord(c) > 127 else c for c in line.text.replace('"', "&quot;"))


def escaped_once(line: Line) -> str:
    return line.text.replace("&", "&amp;").replace('"', "&quot;").replace("'", "&#39;")


def between_words(mark: str, every: int) -> Change:
    """A mark after each so many words, or letters of Han."""

    def change(line: Line) -> str:
        if line.spaced:
            parts = line.text.split(" ")
            return " ".join(
                f"{w}{mark}" if i % every == every - 1 and i + 1 < len(parts) else w for i, w in enumerate(parts)
            )
        return mark.join(pieces(line.text, every * 4))

    return change


def instead_of_a_word(mark: str) -> Change:
    def change(line: Line) -> str:
        parts = line.text.split(" ") if line.spaced else pieces(line.text, 3)
        parts[line.random.randrange(len(parts))] = mark
        return (" " if line.spaced else "").join(parts)

    return change


def text_of(name: str) -> Change:
    """The source, or the line in another language, if both are long enough."""
    return lambda line: line.text if is_short(getattr(line, name)) or is_short(line.text) else getattr(line, name)


def in_front(between: str) -> Change:
    return lambda line: f"{line.source}{between}{line.text}"


def cased(change: Callable[[str], str]) -> Change:
    return lambda line: change(line.text) if sum(map(str.isalpha, line.text)) >= 20 else line.text


ADDED = ("added-text", "refusal")

FAULTS = (
    Planted("chat intro", ADDED, [around("Sure! Here is the translation: ")],
            [around("Below you will find my rendering of the passage. "),
             around("Absolutely, happy to help! ")]),
    Planted("chat intros, varied", ADDED,
            [intros("Sure! Here is the translation: ", "Certainly! Here's the translated text: ",
                    "Of course. The translation is: ", "Here is your translation: ")],
            [intros("Okay, this is how I would put it into English: ",
                    "Gladly! The translated version: ", "The text translates to: ",
                    "No problem, the translation follows: ",
                    "Here you go, a natural-sounding translation: ")]),
    Planted("chat outro", ADDED,
            [around("", " I hope this helps! Let me know if you need anything else.")],
            [around("", " (Please tell me whether the tone should be more formal.)"),
             around("", " Would you like me to explain my choices?")]),
    Planted("note after", ADDED,
            [intros(" Note: I kept the names as they are.", " Note: the idiom was adapted.",
                    " Note: numbers are written as in the source.", at_end=True)],
            [intros(" Explanation: the sentence is in passive voice.",
                    " Explanation: the brand name was left alone.",
                    " Explanation: a literal translation would be odd.", at_end=True)]),
    Planted("label", ADDED, [around("Translation: "), around("Output: ")],
            [around("Target: "), around("Response => ")]),
    Planted("sentence tags", ADDED, [around("<s> ", " </s>")],
            [around("[BOS] ", " [EOS]"), around("<start_of_turn>", "<end_of_turn>")]),
    Planted("end tag", (*ADDED, "foreign-marks"), [around("", "</s>"), around("", "<|im_end|>")],
            [around("", " [SEP]"), around("", "<|eot_id|>"), around("", " <eos>")]),
    Planted("language tag", ADDED, [around("__de__ "), around("<2de> ")],
            [around(">>deu<< "), around("[zz_ZZ] ")]),
    Planted("padding", (*ADDED, "foreign-marks"), [around("", " <pad> <pad> <pad>")],
            [around("", "<|endoftext|><|endoftext|>"), around("", " [PAD] [PAD] [PAD] [PAD]")]),
    Planted("n-best list", ADDED, [numbered("{0} ||| {1}")],
            [numbered("{0} ||| {1} ||| LM= {score:.3f} ||| {score:.4f}"),
             numbered("H-{0} {score:.4f} {1}")]),
    Planted("line numbers", ADDED, [numbered("{row}. {1}"), numbered("{row}: {1}")],
            [numbered("[{row}] {1}"), numbered("({row}) {1}")]),
    Planted("score after", ADDED, [numbered("{1} ||| {score:.3f}")],
            [numbered("{1} [{score:.2f}]"), numbered("{1} # {score:.3f}")]),
    Planted("JSON list", ADDED, [lambda line: json.dumps([line.text], ensure_ascii=False)],
            [lambda line: json.dumps([[line.text]], ensure_ascii=False),
             lambda line: repr((line.text,))]),
    Planted("JSON object", ADDED,
            [lambda line: json.dumps({"translation": line.text}, ensure_ascii=False)],
            [lambda line: json.dumps({"id": line.row, "mt": line.text}, ensure_ascii=False),
             lambda line: json.dumps({"output_text": line.text, "ok": True}, ensure_ascii=False)]),
    Planted("CSV quoting", (*ADDED, "escaped"), [csv, lambda line: csv(line, '[",]')],
            [lambda line: csv(line) + ","]),
    Planted("quotation marks", ADDED, [around('"', '"')], [around("'", "'"), around("«", "»")]),
    Planted("code fence", ADDED, [around("```", "```"), around("```\\n", "\\n```")],
            [around("```text ", " ```"), around("~~~ ", " ~~~")]),
    Planted("bold", ADDED, [around("**", "**")], [around("__", "__"), around("*", "*")]),
    Planted("list item", ADDED, [around("* ")], [around("> "), around("### ")]),
    Planted("thinking", ADDED,
            [thinking("think", "The source is about an event.", "The verb is in the past tense.",
                      "I should keep the name.", "The register is formal.")],
            [thinking("reasoning", "First I look at the subject of this sentence.",
                      "An idiom, so no literal rendering.", "Check number and gender."),
             thinking("scratchpad", "Hmm, two readings are possible.", "I choose the second.")]),
    Planted("refusal", ("refusal",),
            [answers("I'm sorry, but I can't translate this text.",
                     "As an AI language model, I cannot help with that request.",
                     "I apologize, but I am unable to provide a translation of this content.")],
            [answers("Unfortunately, translating this passage is something I am not able to do.",
                     "I won't be able to assist with this one; it may violate our content policy.",
                     "Sorry, this request goes against my guidelines.",
                     "I do not feel comfortable translating that sentence for you.")]),
    Planted("question back", ("refusal",),
            [answers("Please provide the text you would like me to translate.",
                     "It seems that no text was given. Could you send the sentence to translate?")],
            [answers("Which language should I translate the sentence into?",
                     "I don't see any sentence here. Please paste what you want translated.")]),
    Planted("token limit", ("truncated", "too-short"), [at_most(16)], [at_most(12), at_most(20)]),
    Planted("cut lines", ("truncated", "too-short"), [cut(0.5, words=True)],
            [cut(0.45, words=False), cut(0.55, words=False)]),
    Planted("source in front", ADDED, [in_front(" "), in_front(" ||| ")],
            [in_front(" => "), in_front("\t")], sources=True),
    Planted("twice", ("repeated-text",), [twice(" ")], [twice(" | "), twice("")]),
    Planted("loop", ("repeated-text", "too-long"), [looped(8, 2)], [looped(6, 3), looped(12, 1)]),
    Planted("SentencePiece", ("subwords",), [subwords(" ", 4, "▁"), blanks_as("▁", "▁")],
            [subwords(" ", 3, "▁"), blanks_as("Ġ", "Ġ")]),
    Planted("BPE", ("subwords",), [subwords("@@ ", 4)], [subwords("@@ ", 3), subwords("￭ ", 4)]),
    Planted("WordPiece", ("subwords",), [subwords(" ##", 4)], [subwords(" ##", 3)]),
    Planted("tokens", ("tokenized",), [tokenized], [in_words]),
    Planted("Penn Treebank", ("tokenized", "foreign-marks"), [penn], [lambda line: penn(line, "")]),
    Planted("no space after punctuation", ("missing-spaces", "lost-spaces"), [close_up(",.;:!?")],
            [close_up(",;"), close_up(".,")]),
    Planted("no spaces", ("missing-spaces", "lost-spaces"),
            [lambda line: line.text.replace(" ", "")],
            [lambda line: re.sub(" (?=[^ ]*( |$))", "", line.text)]),
    Planted("blanks as marks", ("foreign-marks", "missing-spaces", "subwords"),
            [blanks_as("_")], [blanks_as("·"), blanks_as("+")]),
    Planted("mojibake", ("mojibake",), [misread("cp1252")], [misread("latin-1"), misread("cp437")]),
    Planted("entities", ("html-entity",), [entities], [escaped_once]),
    Planted("escapes", ("escaped",), [lambda line: json.dumps(line.text)[1:-1]],
            [lambda line: quote(line.text)]),
    Planted("line breaks", ("foreign-marks", "escaped"),
            [between_words("<br>", 5), between_words("\\n", 4)],
            [between_words(" <br/>", 3), between_words("\\r\\n", 4), between_words("<p>", 6)]),
    Planted("unknown word", ("foreign-marks",), [instead_of_a_word("<unk>")],
            [instead_of_a_word("[UNK]"), instead_of_a_word("⁇")]),
    Planted("another language", ("wrong-language", "wrong-script"),
            [text_of("other")], [text_of("other")]),
    Planted("not translated", ("wrong-language", "wrong-script", "untranslated"),
            [text_of("source")], [text_of("source")]),
    Planted("not translated, sources known", ("wrong-language", "wrong-script", "untranslated"),
            [text_of("source")], [text_of("source")], sources=True),
    Planted("lower case", ("case",), [cased(str.lower)], [cased(str.lower)]),
    Planted("capitals", ("case",), [cased(str.upper)], [cased(str.upper)]),
)  # fmt: skip


def plant(
    change: Change, share: float, hyps: Sequence[str], srcs: Sequence[str], others: Sequence[str], random: Random
) -> tuple[list[str], set[int]]:
    """Texts with a fault in a share of the lines or in so many lines, and the lines it changed."""
    rows: Sequence[int] = range(len(hyps))
    if share != 1.0:
        count = share if isinstance(share, int) else int(len(hyps) * share)
        rows = sorted(random.sample([row for row in rows if hyps[row].strip()], count))
    bad = list(hyps)
    for row in rows:
        if hyps[row].strip():
            bad[row] = change(Line(hyps[row], row, srcs[row], others[row], random))
    return bad, {row for row in rows if bad[row] != hyps[row]}
