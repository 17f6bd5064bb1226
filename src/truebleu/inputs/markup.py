# SPDX-License-Identifier: Apache-2.0
"""SGML and XML of WMT and NIST: the texts of a file, by their roles and names.

The layouts are those of mteval (`refset`, `tstset` and `srcset`, with a `sysid` or `refid`) and of
WMT since 2021 (`src`, `ref translator` and `hyp system` in each `doc`). Tags are searched for,
because texts of SGML may have an `&` or `<` that no parser of XML accepts. Entities that a file
declares are refused, and nothing is fetched.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from html import escape

from truebleu.errors import InputError, quantity

#: The roles of texts, by the tags around them.
_ROLES = {"refset": "ref", "tstset": "hyp", "srcset": "src", "ref": "ref", "hyp": "hyp", "src": "src"}
_SETS = ("refset", "tstset", "srcset")
#: The attributes with the name of a reference or a system, the first that a tag has.
_NAMES = ("sysid", "system", "refid", "translator")

_TAG = re.compile(r"<(/?)(mteval|dataset|refset|tstset|srcset|doc|src|ref|hyp|seg)(?=[\s/>])([^<>]*)>", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"""(?<![\w:-])([\w:-]++)\s*+=\s*+(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""")
_TEXT = re.compile(r"(.*?)<(/?)seg(?=[\s/>])[^<>]*>", re.IGNORECASE | re.DOTALL)
_ENTITY = re.compile(r"<!ENTITY\b", re.IGNORECASE)
_SEGMENT = re.compile(r"<seg\b", re.IGNORECASE)
_REFERENCE = re.compile(r"&(amp|lt|gt|quot|apos|#\d{1,7}|#x[\da-f]{1,6});", re.IGNORECASE)
_CHARACTERS = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}

#: A segment: the ids of its document and of itself, and how often both occurred before.
Key = tuple[str, str, int]


@dataclass(frozen=True, slots=True)
class Markup:
    """The texts of a file.

    Attributes:
        file: its name.
        texts: by role (`src`, `ref`, `hyp`, or empty) and name, the text of each segment.
        domains: of the documents, by their ids.
        skipped: the number of segments of WMT's test suites, which have no references.
    """

    file: str
    texts: dict[tuple[str, str], dict[Key, str]]
    domains: dict[str, str]
    skipped: int

    @property
    def notice(self) -> str:
        """A line about segments that were left out; empty if there are none."""
        what = f"{self.file}: left out {quantity(self.skipped, 'segment')} of test suites"
        return what if self.skipped else ""

    @property
    def keys(self) -> list[Key]:
        """The segments, in the order of the text that has most."""
        longest = max(self.texts.values(), key=len)
        return list(longest)

    def parts(self, role: str) -> list[str]:
        """What to read for a role: for `ref` and `hyp` perhaps several texts.

        A file of texts with one other role is read for any role: the user knows what it is.
        """
        if role == "domain" and not any(self.domains.values()):
            raise InputError(f"{self.file}: its documents have no domains; name a file of groups")
        if role in ("doc", "domain"):
            return [role]
        texts = [text for text in self.texts if text[0] == role]
        if not texts and len({other for other, _ in self.texts}) == 1:
            texts = list(self.texts)
        if not texts or (role == "src" and len(texts) > 1):
            raise self._unclear()
        return [_part(*text) for text in texts]

    def lines(self, part: str) -> bytes:
        """The lines of one text, or the documents or domains of all segments."""
        if part in ("doc", "domain"):
            labels = {doc: doc if part == "doc" else self.domains[doc] for doc in self.domains}
            return _joined(labels[doc] for doc, *_ in self.keys)
        texts = [text for text in self.texts if part in ("", text[0], _part(*text))]
        if len(texts) != 1:
            raise self._unclear()
        segments, keys = self.texts[texts[0]], self.keys
        if missing := [key for key in keys if key not in segments]:
            doc, segment, _ = missing[0]
            raise InputError(
                f"{self.file}: {_part(*texts[0]) or 'a text'} lacks segment {segment} of document "
                f"{doc}; name texts that have all segments, as in {self._example()}"
            )
        return _joined(segments[key] for key in keys)

    def check_order(self, other: Markup) -> None:
        """Raise InputError if another file has the same segments in another order."""
        for own, its in zip(self.keys, other.keys, strict=False):
            if own != its:
                if Counter(self.keys) == Counter(other.keys):
                    raise InputError(
                        f"{other.file}: segment {its[1]} of document {its[0]} comes where "
                        f"{self.file} has segment {own[1]} of {own[0]}; put both in one order"
                    )
                return

    def _unclear(self) -> InputError:
        parts = [_part(*text) or "a text without a role" for text in self.texts]
        listed = ", ".join(parts[:20]) + (", ..." if len(parts) > 20 else "")
        return InputError(f"{self.file}: has {listed}; name one, as in {self._example()}")

    def _example(self) -> str:
        file = "FILE" if self.file == "<stdin>" else self.file
        return f"{file}#{_part(*next(reversed(self.texts)))}"


def _part(role: str, name: str) -> str:
    return f"{role}:{name}" if name else role


def _joined(texts: Iterator[str]) -> bytes:
    return "".join(f"{text}\n" for text in texts).encode()


@lru_cache(maxsize=1)  # one file often has several systems, each of which is read by itself
def parse(data: bytes, file: str) -> Markup:
    """The texts of SGML or XML in UTF-8.

    Raises:
        InputError: a tag is not closed, an entity is declared, or there is no segment.
    """
    text = _replaced(data.decode(), "<!--", "-->", lambda comment: "\n" * comment.count("\n"))
    text = _replaced(text, "<![CDATA[", "]]>", escape)
    return _Reader(file, text).markup()


class _Reader:
    """Reads the tags of a file one after another."""

    def __init__(self, file: str, text: str) -> None:
        self._file = file
        self._text = text
        self._texts: dict[tuple[str, str], dict[Key, str]] = {}
        self._domains: dict[str, str] = {}
        self._unclosed: list[str] = []
        self._role = self._name = self._name_of_set = self._doc = ""
        #: How often each document and each segment occurred in a text.
        self._times: Counter[tuple[object, ...]] = Counter()
        self._is_suite = False
        self._skipped = 0

    def markup(self) -> Markup:
        first = _SEGMENT.search(self._text)
        end = first.start() if first else len(self._text)
        if entity := _ENTITY.search(self._text, 0, end):
            raise self._error(entity.start(), "declares an entity, which is refused; remove it")
        place = 0
        while tag := _TAG.search(self._text, place):
            place = tag.end()
            if tag[2].lower() != "seg":
                self._read_tag(tag[2].lower(), tag[1] or tag[3][-1:], _attributes(tag[3]))
            elif not tag[1]:
                place = self._read_segment(tag)
        if self._unclosed:
            raise self._error(len(self._text), _unclosed(self._unclosed[-1]))
        if not self._texts:
            what = "; only test suites have some" if self._skipped else ""
            raise InputError(f"{self._file}: SGML or XML without a <seg>{what}; name another file")
        return Markup(self._file, self._texts, self._domains, self._skipped)

    def _read_tag(self, kind: str, slash: str, attributes: dict[str, str]) -> None:
        if slash == "/":
            if kind in self._unclosed:
                del self._unclosed[len(self._unclosed) - 1 - self._unclosed[::-1].index(kind) :]
            if kind in _ROLES:
                self._role = self._name = ""
            if kind in _SETS:
                self._name_of_set = ""
            return
        self._unclosed.append(kind)
        name = next((attributes[key] for key in _NAMES if key in attributes), "")
        if kind == "doc":
            self._times["doc",] += 1
            self._doc = attributes.get("docid") or attributes.get("id") or str(self._times["doc",])
            domain = attributes.get("domain") or attributes.get("genre") or ""
            self._domains[self._doc] = domain
            self._name = name or self._name_of_set
            self._is_suite = "testsuite" in attributes
        elif kind in _ROLES:
            self._role, self._name = _ROLES[kind], name
            if kind in _SETS:
                self._name_of_set = name

    def _read_segment(self, tag: re.Match[str]) -> int:
        """Read the segment after its tag; returns the place after it."""
        text, place = "", tag.end()
        if not tag[3].endswith("/"):
            content = _TEXT.match(self._text, place)
            if content is None or not content[2]:
                raise self._error(tag.start(), _unclosed("seg"))
            text, place = content[1], content.end()
        if self._is_suite:
            self._skipped += 1
            return place
        stream = self._role, self._name
        self._times[stream, self._doc] += 1
        id = _attributes(tag[3]).get("id") or str(self._times[stream, self._doc])
        key = self._doc, id, self._times[stream, self._doc, id]
        self._times[stream, self._doc, id] += 1
        self._domains.setdefault(self._doc, "")
        lines = (line.strip(" \t\r") for line in _unescaped(text).split("\n"))
        self._texts.setdefault(stream, {})[key] = " ".join(filter(None, lines))
        return place

    def _error(self, place: int, what: str) -> InputError:
        return InputError(f"{self._file}:{self._text.count(chr(10), 0, place) + 1}: {what}")


def _unclosed(tag: str) -> str:
    return f"<{tag}> has no </{tag}>; copy the file again if it is cut off"


def _replaced(text: str, start: str, end: str, replace: Callable[[str], str]) -> str:
    """The text with what is between two marks replaced, and without the marks."""
    last = text.rfind(end) + len(end)  # so that each start has an end, unless that is in it
    pattern = f"{re.escape(start)}(.*?){re.escape(end)}"
    return re.sub(pattern, lambda match: replace(match[1]), text[:last], flags=re.DOTALL) + text[last:]


def _attributes(text: str) -> dict[str, str]:
    return {found[1].lower(): _unescaped(found[2] or found[3] or found[4] or "") for found in _ATTRIBUTE.finditer(text)}


def _unescaped(text: str) -> str:
    return _REFERENCE.sub(_character, text) if "&" in text else text


def _character(reference: re.Match[str]) -> str:
    name = reference[1].lower()
    if not name.startswith("#"):
        return _CHARACTERS[name]
    code = int(name[1:].replace("x", "", 1), 16 if name[1] == "x" else 10)
    is_character = 0 < code < 0xD800 or 0xE000 <= code < 0x110000
    return chr(code) if is_character else reference[0]
