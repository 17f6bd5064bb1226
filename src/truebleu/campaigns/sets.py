# SPDX-License-Identifier: Apache-2.0
"""A test set with the outputs of systems: where its files are, and its texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from truebleu.errors import InputError, OptionError, within
from truebleu.inputs.columns import labels as as_labels
from truebleu.inputs.corpus import LineStreams, column, label_list, named_systems
from truebleu.inputs.files import UTF_8, Decoding, check_counts, is_run, read_lines
from truebleu.inputs.markup_files import MarkupFiles
from truebleu.metrics.runs import Run, load_run, opened


class Titled:
    """A test set, or what is about one."""

    __slots__ = ()

    name: str
    pair: str

    @property
    def title(self) -> str:
        """Name and pair."""
        return f"{self.name} {self.pair}".strip()


@dataclass(frozen=True, slots=True, eq=False)  # `==` of arrays is not a bool
class TestSet(Titled):
    """A test set in memory, for `campaign`.

    Args:
        name: of the set.
        refs: the references of each segment, as for `BLEU.corpus`; None if all systems are runs.
        systems: the hypotheses of each system by its name, or its run, as for `compare`.
        pair: language pair, such as `en-de`; the tokenizer follows its target language.
        srcs: the sources, for the report.
        documents: a label for each segment, for `by_doc`.
        labels: a label for each segment, such as its domain; each label gets a matrix.

    Example:
        >>> import truebleu as tb
        >>> tb.TestSet("dev", ["the cat", "a dog"], {"A": ["the cat", "the dog"]}, "de-en").title
        'dev de-en'
    """

    __test__ = False  # not a class of tests, whatever pytest thinks of its name

    name: str
    refs: Any
    systems: Any
    pair: str = ""
    srcs: Any = None
    documents: Any = None
    labels: Any = None

    def read(self) -> TestSet:
        """The set with columns that can be read several times, all of one length.

        Raises:
            InputError: they have different lengths, or none.
        """
        refs = None if self.refs is None else column("refs", self.refs)
        named = [(name, opened(hyps)) for name, hyps in named_systems(self.systems)]
        systems = {name: hyps if isinstance(hyps, Run) else column("hyps", hyps) for name, hyps in named}
        others: dict[str, Any] = {
            name: list(values) if name == "srcs" else label_list(name, values)
            for name in ("srcs", "documents", "labels")
            if (values := getattr(self, name)) is not None
        }
        columns = {} if refs is None else {"refs": refs}
        columns |= {f"system {name!r}": hyps for name, hyps in systems.items()} | others
        if columns:
            with within(self.title):
                check_counts((name, "segment", len(values)) for name, values in columns.items())
                if not all(map(len, columns.values())):
                    raise InputError(f"{next(iter(columns))} is empty; give at least one segment")
        return replace(self, refs=refs, systems=systems, **others)

    def by_document(self) -> TestSet:
        """The set with a segment for each document: its lines, joined by blanks.

        Raises:
            OptionError: the set has no documents.
            InputError: a document has segments with different labels or numbers of references.
        """
        if self.documents is None:
            raise OptionError(f"{self.title} has no documents; leave out --by-doc (by_doc=True)")
        if any(isinstance(hyps, Run) for hyps in self.systems.values()):
            raise OptionError(f"{self.title}: run files have no texts to join; leave out --by-doc")
        places: dict[Any, list[int]] = {}
        for i, name in enumerate(self.documents):
            places.setdefault(name, []).append(i)

        def joined(values: Any) -> list[str]:
            listed = list(values)
            return [" ".join(listed[i] for i in segments) for segments in places.values()]

        rows = [[row] if isinstance(row, str) else list(row) for row in self.refs]
        refs = []
        for name, segments in places.items():
            own = [rows[i] for i in segments]
            with within(f"{self.title}: document {name}"):
                if len(set(map(len, own))) > 1 or any(None in row for row in own):
                    raise InputError("its segments differ in references; leave out --by-doc")
                if self.labels is not None and len({self.labels[i] for i in segments}) > 1:
                    raise InputError("its segments have different labels; give all the same")
            refs.append([" ".join(texts) for texts in zip(*own, strict=True)])
        firsts = [segments[0] for segments in places.values()]
        labels = None if self.labels is None else [self.labels[i] for i in firsts]
        srcs = None if self.srcs is None else joined(self.srcs)
        systems = {name: joined(hyps) for name, hyps in self.systems.items()}
        return replace(self, refs=refs, systems=systems, srcs=srcs, documents=None, labels=labels)


@dataclass(frozen=True, slots=True)
class SetFiles(Titled):
    """The files of a test set: one line for each segment; see `TestSet` for their meaning."""

    name: str
    pair: str
    references: tuple[str, ...]
    systems: Mapping[str, str]
    source: str | None = None
    documents: str | None = None
    labels: str | None = None

    def read(self, decoding: Decoding = UTF_8) -> TestSet:
        """Read all files.

        Raises:
            InputError: a file cannot be read, or has another number of lines than the first
                reference.
        """
        counts: list[tuple[str, str, int]] = []
        markup = MarkupFiles(decoding)

        def lines(path: str, role: str, system: str = "") -> Any:
            if system and is_run(path):
                run = load_run(path)
                read: Any = run[system] if system in run.systems else run
            else:
                parts = markup.paths(path, role)
                named = [part for part in parts if part == f"{path}#hyp:{system}"]
                part = (named or parts)[0] if len(named or parts) == 1 else path
                read = read_lines(part, decoding)
            counts.append((path, "line", len(read)))
            return read

        paths = [part for path in self.references for part in markup.paths(path, "ref")]
        refs = [lines(path, "ref") for path in paths]
        systems = {name: lines(path, "hyp", name) for name, path in self.systems.items()}
        srcs = None if self.source is None else list(lines(self.source, "src"))
        kinds = {"doc": self.documents, "domain": self.labels}
        labels = (None if path is None else as_labels(lines(path, role)) for role, path in kinds.items())
        others = [srcs, *labels]
        check_counts(counts)
        joined = (refs[0] if len(refs) == 1 else LineStreams(refs)) if refs else None
        return TestSet(self.name, joined, systems, self.pair, *others)


def all_systems(sets: Sequence[SetFiles | TestSet]) -> list[str]:
    """The names of the systems of all sets, in the order in which they first occur."""
    return list(dict.fromkeys(name for test_set in sets for name in test_set.systems))
