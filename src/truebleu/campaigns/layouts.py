# SPDX-License-Identifier: Apache-2.0
"""The files of test sets and systems in a folder, found by their names.

A name says what a file is, by one of the patterns in `NAMES`; the tags `set` and `pair` of a run
file say it. What no pattern describes is listed as unused, with the reason; nothing is guessed from
the contents of texts.
"""

from __future__ import annotations

import os
import re
from collections import defaultdict
from pathlib import Path
from typing import Any

from truebleu.campaigns.sets import SetFiles
from truebleu.errors import InputError
from truebleu.inputs.files import is_run
from truebleu.inputs.markup_files import MarkupFiles
from truebleu.inputs.paths import COMPRESSED, walked
from truebleu.metrics.runs import load_run

_LANGUAGE = r"[a-z]{2,3}(?:_[A-Z][a-z]{3}|_[A-Z]{2})?"
_PAIR = rf"(?P<first>{_LANGUAGE})-(?P<target>{_LANGUAGE})"
_JOINED = r"(?P<first>[a-z]{2})(?P<target>[a-z]{2})"
_SET = r"(?P<set>[^/]+?)"
_SYSTEM = r"(?P<system>[^/]+?)"
_ID = r"(?:[.:_-]?(?P<id>[^/]+?))??"
_END = r"(?:\.(?:txt|sgml?|xml))?"
_IN_TARGET = rf"(?:\.(?P=target))?{_END}"
_IN_LANGUAGE = rf"(?:\.{_LANGUAGE})?{_END}"
_OUTPUT = r"\.(?:out|hyp|hypo|mt|output|trans)"
_DOCUMENTS = r"(?:docs?|docids?|documents?)"
_LABELS = r"(?:labels?|domains?)"

#: What a file is, by the end of its path without the suffix of a compression: the first pattern
#: that matches.
NAMES = tuple(
    (kind, re.compile(rf"(?:^|/){pattern}$"))
    for kind, pattern in (
        # SYSTEM/test.de-en.out, SYSTEM/de-en.out, SYSTEM/eng_Latn-deu_Latn.devtest
        ("output", rf"{_SYSTEM}/{_SET}\.{_PAIR}{_OUTPUT}{_END}"),
        ("output", rf"{_SYSTEM}/{_PAIR}{_OUTPUT}{_END}"),
        ("output", rf"{_SYSTEM}/{_PAIR}\.(?P<set>dev|devtest|test)(?:{_OUTPUT})?{_END}"),
        # WMT's repositories and sacreBLEU's: wmt22.en-de.ref.A.de, wmt22.en-de.hyp.SYSTEM.de
        ("reference", rf"{_SET}\.{_PAIR}\.refs?{_ID}{_IN_TARGET}"),
        ("source", rf"{_SET}\.{_PAIR}\.(?:src|source){_IN_LANGUAGE}"),
        ("output", rf"{_SET}\.{_PAIR}\.hyp\.{_SYSTEM}{_IN_TARGET}"),
        ("documents", rf"{_SET}\.{_PAIR}\.{_DOCUMENTS}{_END}"),
        ("labels", rf"{_SET}\.{_PAIR}\.{_LABELS}{_END}"),
        # WMT until 2020: newstest2019-ende-ref.de, newstest2019.SYSTEM.6789.en-de
        ("reference", rf"{_SET}-{_JOINED}-ref{_IN_LANGUAGE}"),
        ("source", rf"{_SET}-{_JOINED}-src{_IN_LANGUAGE}"),
        ("output", rf"{_SET}\.{_SYSTEM}\.\d+\.{_PAIR}{_END}"),
        # OpusTools': test.de-en.de; FLORES': deu_Latn.devtest, deu.devtest
        ("reference", rf"{_SET}\.{_PAIR}\.(?P=target){_END}"),
        ("source", rf"{_SET}\.{_PAIR}\.(?P=first){_END}"),
        ("flores", rf"(?P<language>[a-z]{{3}}(?:_[A-Z][a-z]{{3}})?)\.(?P<set>dev|devtest|test){_END}"),
        # SET/PAIR/ref.A.txt, SET/PAIR/hyp.SYSTEM.txt, SET/PAIR/SYSTEM.out
        ("reference", rf"{_SET}/{_PAIR}/(?:refs?|references?){_ID}{_IN_TARGET}"),
        ("source", rf"{_SET}/{_PAIR}/(?:src|source){_IN_LANGUAGE}"),
        ("output", rf"{_SET}/{_PAIR}/hyp[._-]{_SYSTEM}{_IN_TARGET}"),
        ("output", rf"{_SET}/{_PAIR}/{_SYSTEM}{_OUTPUT}{_END}"),
        ("documents", rf"{_SET}/{_PAIR}/{_DOCUMENTS}{_END}"),
        ("labels", rf"{_SET}/{_PAIR}/{_LABELS}{_END}"),
        # sacreBLEU's outputs of WMT: wmt21_systems/wmt21_systems.en-de.SYSTEM
        ("output", rf"{_SET}/(?P=set)\.{_PAIR}\.(?!(?:xml|sgml?)$){_SYSTEM}"),
        # WMT's XML with sources, references and systems: newstest2021.en-de.all.xml
        ("everything", rf"{_SET}\.{_PAIR}(?:\.all)?\.xml"),
    )
)

#: Files of sacreBLEU's test sets that are no text.
_FACTS = re.compile(r"\.(origlang|genre|testsuite|json|tsv|md|zip|tar)$")


#: Files that are not part of a set, with the reason.
Unused = tuple[tuple[str, str], ...]


#: The files of a set by what they are, and then by the name of a reference or a system.
_Files = defaultdict[str, dict[str, str]]


class Layout:
    """The test sets and systems in a folder, by the names of their files.

    Attributes:
        sets: the test sets that have references and outputs, in order of their names.
        unused: files that are not part of a set, with the reason.

    Raises:
        InputError: the path is not a folder, or no set has a reference and an output.
    """

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self._sets: dict[tuple[str, str], _Files] = defaultdict(lambda: defaultdict(dict))
        #: Texts of FLORES by set and language, and outputs whose names have no set.
        self._flores: dict[tuple[str, str], str] = {}
        self._homeless: list[tuple[str, str, str]] = []
        self._unused: list[tuple[str, str]] = []
        if not os.path.isdir(folder):
            raise InputError(f"{folder}: no such folder; name a folder, or a manifest FILE.toml")
        for file in walked(os.fspath(folder)):
            self._add(file)
        self.sets = self._complete()
        self.unused: Unused = tuple(sorted(self._unused))
        if not self.sets:
            raise InputError(f"{folder}: no reference and output found by name; write a manifest")

    def _add(self, path: str) -> None:
        """Put a file where its name says."""
        name = Path(os.path.abspath(path)).as_posix()
        for suffix in COMPRESSED:
            name = name.removesuffix(suffix)
        if is_run(path):
            run = load_run(path)
            place = str(run.tags.get("set", "")), str(run.tags.get("pair", ""))
            if not place[0]:
                self._unused.append((path, "the run file has no tag set"))
                return
            for system in run.systems:
                self._keep(path, self._sets[place]["output"], system)
            return
        matches = ((kind, found) for kind, pattern in NAMES if (found := pattern.search(name)))
        kind, match = next(matches, ("", None))
        if match is None or _FACTS.search(name):
            self._unused.append((path, "its name is not one of a layout"))
            return
        parts = match.groupdict()
        pair = f"{parts['first']}-{parts['target']}" if "target" in parts else ""
        set_name = parts.get("set") or ""
        if kind == "flores":
            self._keep(path, self._flores, (set_name, parts["language"]))
            return
        if kind == "output" and not set_name:
            self._homeless.append((path, pair, parts["system"]))
            return
        files = self._sets[set_name, pair]
        if kind == "everything":
            self._add_everything(path, files)
        else:
            self._keep(path, files[kind], parts.get("id") or parts.get("system") or "")

    def _add_everything(self, path: str, files: _Files) -> None:
        """The sources, references and systems of an XML file."""
        markup = MarkupFiles()
        roles = {"src": "source", "ref": "reference", "hyp": "output", "doc": "documents"}
        try:
            texts = [(kind, markup.paths(path, role)) for role, kind in roles.items()]
        except (InputError, ValueError) as error:
            self._unused.append((path, str(error)))
            return
        for kind, parts in texts:
            for part in parts:
                self._keep(part, files[kind], part[len(path) + 1 :].partition(":")[2])

    def _keep(self, path: str, files: dict[Any, str], key: Any) -> None:
        if key in files:
            self._unused.append((path, f"{files[key]} is the same by its name"))
        else:
            files[key] = path

    def _complete(self) -> tuple[SetFiles, ...]:
        """The sets that are complete; the files of others are not used."""
        for path, pair, system in self._homeless:
            homes = [files for (_, its), files in self._sets.items() if its == pair]
            if len(homes) == 1:
                self._keep(path, homes[0]["output"], system)
            else:
                why = f"several sets have the pair {pair}" if homes else f"no set has {pair}"
                self._unused.append((path, why))
        sets = []
        for (name, pair), files in sorted(self._sets.items()):
            for role, language in zip(("source", "reference"), pair.split("-"), strict=False):
                if text := self._flores.get((name, language)):
                    files[role].setdefault("", text)
            if files["output"] and (files["reference"] or all(map(is_run, files["output"].values()))):
                references = tuple(path for _, path in sorted(files["reference"].items()))
                others = (next(iter(files[kind].values()), None) for kind in ("source", "documents", "labels"))
                sets.append(SetFiles(name, pair, references, dict(sorted(files["output"].items())), *others))
                continue
            lack = "outputs" if files["reference"] else "references"
            paths = (path for own in files.values() for path in own.values())
            self._unused += ((path, f"no {lack} of {name} {pair} were found") for path in paths)
        return tuple(sets)
