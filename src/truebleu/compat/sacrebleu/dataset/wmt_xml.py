# SPDX-License-Identifier: Apache-2.0
"""Test sets in the XML that WMT uses since 2021: source, references and systems in one file."""

from __future__ import annotations

import os
from functools import lru_cache

from truebleu.compat.sacrebleu.dataset.base import Dataset, clean
from truebleu.compat.sacrebleu.dataset.plain_text import lines
from truebleu.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from xml.etree.ElementTree import Element


class WMTXMLDataset(Dataset):
    """One XML file for each language pair, or `{"path": ..., "refs": [...]}`.

    `refs` names the translators whose references are scored against; "" is a reference that
    names none. It is given for the set, and for single language pairs.
    """

    def fieldnames(self, langpair: str) -> list[str]:
        """`src`, `ref:TRANSLATOR` or `ref`, `docid`, `origlang`, the systems, and `domain`."""
        self._pairs(langpair)
        return self._made(langpair) or list(self._fields(langpair))

    def get_reference_files(self, langpair: str) -> list[str]:
        """The files of the references that scores are made with."""
        chosen = self.kwargs.get("refs", [])
        self._pairs(langpair)
        if isinstance(self.langpairs[langpair], dict):
            chosen = self.langpairs[langpair].get("refs", chosen)
        fields = [_field(translator) for translator in chosen]
        pairs = zip(self.get_files(langpair), self.fieldnames(langpair), strict=True)
        return [file for file, field in pairs if field in fields]

    def has_origins(self, langpair: str) -> bool:
        """Whether the files say where segments are from: they do."""
        return True

    def origins(self, langpair: str) -> Iterable[tuple[str | None, str | None]]:
        """The original language of each segment, and its domain."""
        fields: dict[str, list[str]]
        if made := self._made(langpair):
            fields = {
                field: list(lines(self._file(langpair, field)))
                for field in ("origlang", "domain")
                if field in made
            }
        else:
            fields = self._fields(langpair)
        if "origlang" not in fields:
            return super().origins(langpair)
        languages = fields["origlang"]
        return zip(languages, fields.get("domain", [None] * len(languages)), strict=True)

    def _read(self, langpair: str) -> Iterator[tuple[str, Iterable[str]]]:
        for field, values in self._fields(langpair).items():
            yield field, map(clean, values)

    def _raw_files(self, langpair: str) -> list[str]:
        entry = self.langpairs[langpair]
        return [os.path.join(self._rawdir, entry["path"] if isinstance(entry, dict) else entry[0])]

    def _fields(self, langpair: str) -> dict[str, list[str]]:
        files = self._raw_files(langpair)
        self._need(files)
        state = os.stat(files[0])
        return read(files[0], (state.st_mtime_ns, state.st_size))

    def _made(self, langpair: str) -> list[str]:
        """Fields by the text files, where these are all that the cache has.

        Only the XML file knows the order of the systems; here it is that of the alphabet.
        """
        if os.path.exists(self._raw_files(langpair)[0]) or not os.path.isdir(self._outdir):
            return []
        start = os.path.basename(self._text_file(langpair, ""))
        fields = [
            file.removeprefix(start)
            for file in sorted(os.listdir(self._outdir))
            if file.startswith(start) and not file.endswith(".part")
        ]
        refs = [field for field in fields if field == "ref" or field.startswith("ref-")]
        if "src" not in fields or not refs:
            return []
        known = ["src", *refs, *(each for each in ("docid", "origlang") if each in fields)]
        last = [field for field in ("domain",) if field in fields]
        systems = [field for field in fields if field not in (*known, *last)]
        return [
            field.replace("-", ":", 1) if field in refs else field
            for field in (*known, *systems, *last)
        ]


def _field(translator: str | None) -> str:
    return f"ref:{translator}" if translator else "ref"


@lru_cache(maxsize=1)  # a run asks for the fields and for their names, and a file may have 20 MB
def read(file: str, _state: tuple[int, int]) -> dict[str, list[str]]:
    """Fields of a file with a value for each segment that has a reference; no test suites.

    Args:
        file: the XML file.
        _state: when it was changed and its size, so that what was read of another is not taken.

    Raises:
        InputError: the file is not such XML.
    """
    from xml.etree import ElementTree as ET

    # With comments as nodes the text of a segment ends at one, as it does in lxml.
    builder = ET.TreeBuilder(insert_comments=True, insert_pis=True)
    try:
        # S314 is about XML of others: what is read has the MD5 sum that the table says.
        root = ET.parse(file, ET.XMLParser(target=builder)).getroot()  # noqa: S314
        return _fields_of(root)
    except (ET.ParseError, LookupError, TypeError, ValueError) as error:
        raise InputError(f"{file}: not a test set in WMT's XML ({error})") from error


def _fields_of(root: Element) -> dict[str, list[str]]:
    for side in ("src", "ref"):
        languages = {element.get("lang") for element in root.iterfind(f".//{side}")}
        if len(languages) != 1:
            raise ValueError(f"{len(languages)} languages of <{side}> in place of one")
    # The original's order is a new one in each process; this is always the alphabet's.
    translators = sorted(
        {element.get("translator") for element in root.iterfind(".//ref")},
        key=lambda name: name or "",
    )
    refs: dict[str, list[str]] = {_field(name): [] for name in translators}
    sources: list[str] = []
    systems: dict[str, list[str]] = {}
    said: dict[str, list[str]] = {"docid": [], "origlang": [], "domain": []}
    has_domains = False
    for document in root.iterfind(".//doc"):
        if "testsuite" in document.attrib:
            continue
        source = _segments(document, ".//src//seg")
        by_translator = {
            element.get("translator"): _segments(element) for element in document.iterfind(".//ref")
        }
        by_system = {
            element.attrib["system"]: _segments(element) for element in document.iterfind(".//hyp")
        }
        for number in sorted(source):
            if not any(texts.get(number) for texts in by_translator.values()):
                continue
            sources.append(source[number])
            for name in translators:
                refs[_field(name)].append(by_translator.get(name, {}).get(number, ""))
            for name, texts in by_system.items():
                systems.setdefault(name, []).append(texts.get(number, ""))
            said["docid"].append(document.attrib["id"])
            said["origlang"].append(document.attrib["origlang"])
            said["domain"].append(document.get("domain", ""))
            has_domains = "domain" in document.attrib
    domains = said.pop("domain")
    fields = {"src": sources, **refs, **said, **systems}
    return {**fields, "domain": domains} if has_domains else fields


def _segments(element: Element, path: str = ".//seg") -> dict[int, str]:
    """Texts by the numbers of their segments."""
    return {int(found.attrib["id"]): found.text or "" for found in element.iterfind(path)}
