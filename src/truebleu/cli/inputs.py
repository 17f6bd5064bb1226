# SPDX-License-Identifier: Apache-2.0
"""Input of commands: references, systems, sources and labels, from text files and tables."""

from __future__ import annotations

import os
import sys

from truebleu.cli.flags import NO_COLOR, THREADS, Args, Flag
from truebleu.errors import InputError, OptionError, suggest, within
from truebleu.inputs import files
from truebleu.inputs.corpus import Lines, LineStreams
from truebleu.inputs.files import Decoding, Origin, origins

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any


INPUT = Flag("-i, --input FILE...", "hypothesis file of each system (default: standard input)", common=True)
NAMES = Flag(
    "--names NAME...", "system names (default: columns, or file names without their common parts)", common=True
)
SYSTEM_FLAGS = (INPUT, NAMES)
BASELINE = Flag("--baseline NAME", "compare all systems with this one only", common=True)
HYP_COL = Flag(
    "--hyp-col COLUMN...", "columns of hypotheses, one for each system; their files are tables then", common=True
)
REF_COL = Flag("--ref-col COLUMN...", "columns of references; REF are tables then", common=True)
JOIN_COL = Flag(
    "--join-col COLUMN", "column by whose values rows of several tables are matched, such as doc_id; also --join doc_id"
)
TAG = Flag("--tag TAG=TEXT...", "notes in the run file, such as step=12000")
#: For commands that save runs.
SAVE_FLAGS = (
    Flag("--save FILE", "save the statistics of all systems, but not the texts, in a run file", common=True),
    TAG,
    Flag("--force", "replace an existing run file"),
)
SRC_FLAGS = (Flag("--src FILE", "source file", common=True), Flag("--src-col COLUMN", "column of sources"))
DOC_FLAGS = (
    Flag("--by-doc FILE", "file with the document of each line; resampling draws whole documents"),
    Flag("--doc-col COLUMN", "column of documents, for the same"),
)
GROUP_BY = Flag(
    "--group-by COLUMN|FILE", "group of each segment: a column of tables; for text, a file with a name on each line"
)
TEST_SET_FLAGS = (
    Flag("-t, --test-set SET", "sacreBLEU's test set, whose references and sources are read"),
    Flag(
        "-l, --language-pair PAIR",
        "language pair, such as en-ja: picks BLEU's tokenizer (zh, "
        "ja-mecab, ko-mecab, char for th, km, lo and my, else 13a), and the pair of the test set",
    ),
)
#: Flags that select segments of the test set.
SUBSET_FLAGS = (
    Flag(
        "-ol, --origlang LANG",
        "only segments of the test set that were written in this language, or with non-en in any other",
    ),
    Flag(
        "--subset PATTERN",
        "only segments of the test set whose document has an annotation that matches, such as a domain",
    ),
)
SCORES = Flag(
    "--scores FILE...",
    "scores of segments from elsewhere, such as COMET: TSV with a column for "
    "each system, or with the columns system, score and segment (its number); JSON lines; or TSV "
    "of MQM and JSON of xCOMET, with marked errors",
)
QUIET = Flag("-q, --quiet", "no notices and warnings on standard error")
#: Flags for decoding files.
ENCODING_FLAGS = (
    Flag("-e, --encoding NAME", "encoding of files without a byte order mark", default="utf-8"),
    Flag("--errors", "what to do with invalid bytes", choices=("strict", "replace", "ignore"), default="strict"),
)
#: Flags for reading hypotheses and references, besides `INPUT`.
FILE_FLAGS = (
    HYP_COL,
    REF_COL,
    JOIN_COL,
    Flag("--shards", "REF may be folders, whose files are read one after the other"),
    Flag("-nr, --num-refs N", "references on each line of REF, separated by tabs", range=(1, None)),
    *ENCODING_FLAGS,
)  # fmt: skip
#: The last flags of commands that read hypotheses and references, and of those that read texts.
LAST_FLAGS = (*FILE_FLAGS, THREADS, NO_COLOR)
LAST_TEXT_FLAGS = (*ENCODING_FLAGS, THREADS, NO_COLOR)
#: The last flags of commands that score whole test sets.
ALL_LAST_FLAGS = (QUIET, *TEST_SET_FLAGS, *SUBSET_FLAGS, *LAST_FLAGS)


class Plan:
    """Where everything is that a command reads, from its command line.

    Args:
        args, paths: the flags, and the files of references; or run files without references.
        takes_runs: whether run files may stand for hypotheses.

    Attributes:
        refs, hyps: the columns of references, and those of hypotheses, one for each system.
        names: of the systems.
        source, documents, groups: their columns, or None.

    Raises:
        InputError: a file of SGML or XML is damaged, or has no such text.
        OptionError: flags contradict each other.
    """

    def __init__(self, args: Args, paths: list[str], *, takes_runs: bool = False) -> None:
        self._args = args
        source = ""
        #: The segments of the test set that are read, from 0; None if all are.
        self.places: list[int] | None = None
        if args.keys() & {"test_set", "origlang", "subset"}:
            from truebleu.cli import test_sets

            source, *paths = test_sets.files_of(args, paths)
            self.places = test_sets.places_of(args)
        hyp_paths = args.get("input", [])
        runs = [path for path in (*paths, *hyp_paths) if files.is_run(path)]
        if runs and paths and paths[0] == runs[0]:
            paths, hyp_paths = [], [*paths, *hyp_paths]
        takes_runs = takes_runs and self.places is None and "group_by" not in args
        if runs and (not takes_runs or runs[0] in paths):
            raise OptionError(f"{runs[0]}: a run file has no texts; name the file of the texts")
        if "ref_col" not in args:
            _check_texts(paths, args)
        hyp_col, is_table = args.get("hyp_col", []), "ref_col" in args
        self._markup: Any = None
        self.paths = paths if is_table else self._texts(paths, "ref")
        paths, hyp_paths = self.paths, hyp_paths if hyp_col else self._texts(hyp_paths, "hyp")
        if is_table and "num_refs" in args:
            raise OptionError("--num-refs splits lines of text; name columns with --ref-col")
        #: Files of hypotheses; empty if they are columns of REF.
        self.hyp_paths: list[str] = hyp_paths or ([] if hyp_col and is_table else ["-"])
        if self.hyp_paths and len(hyp_col) > 1:
            raise OptionError("several --hyp-col also need --ref-col; -i reads one column each")
        if "join_col" in args and not (is_table and hyp_col and self.hyp_paths):
            raise OptionError("--join with a column needs tables: --ref-col, and --hyp-col with -i")
        self.refs = origins("texts", paths, args.get("ref_col", []))
        if self.hyp_paths:
            self.hyps = [Origin("text", [path], *hyp_col) for path in self.hyp_paths]
        else:
            self.hyps = origins("text", paths, hyp_col)
        default = system_names(self.hyp_paths) or hyp_col
        self.has_runs = bool(runs)
        if runs:
            default, self.hyps = _columns_of_runs(default, self.hyps)
            texts = [column.label for column in self.hyps if column.run is None]
            if texts and not paths:
                raise OptionError(f"{texts[0]} is a text, which needs references; name REF")
        self.names = names(default, args)
        #: The table that has the other columns.
        self._table = paths if is_table else self.hyp_paths[:1] if hyp_col else []
        self.source = self._other("text", "src", "src_col")
        if self.source is None and source:
            self.source = Origin("text", [source])
        self.documents = self._other("label", "by_doc", "doc_col")
        self.groups = self._other("label", "group_by", "group_by")

    def _texts(self, paths: list[str], role: str) -> list[str]:
        """The paths of files, with SGML and XML replaced by their texts with a role."""
        if not any(map(files.is_markup, paths)):
            return paths
        if self._markup is None:
            from truebleu.inputs.markup_files import MarkupFiles  # not needed by most runs

            self._markup = MarkupFiles(decoding(self._args))
        return [text for path in paths for text in self._markup.paths(path, role)]

    def _other(self, kind: str, file: str, column: str) -> Origin | None:
        args, flag = self._args, f"--{column.replace('_', '-')}"
        if column in args and self._table:
            if file in args and file != column:
                raise OptionError(f"--{file.replace('_', '-')} and {flag} are both given; give one")
            return Origin(kind, self._table, args[column])
        path = args.get(file, "")
        if column in args and (column != file or (path != "-" and not os.path.exists(files.split_part(path)[0]))):
            what = "a column" if column != file else f"no file {path}; for a column"
            raise OptionError(f"{flag} names {what}, also give --hyp-col and --ref-col")
        role = {"src": "src", "by_doc": "doc", "group_by": "domain"}[file]
        return Origin(kind, self._texts([path], role)) if file in args else None

    @property
    def all(self) -> list[Origin]:
        """All columns, those of references first."""
        return [*self.refs, *self.hyps, *filter(None, (self.source, self.documents, self.groups))]

    @property
    def baseline(self) -> str | None:
        """The name of the system that --baseline names, or whose file it names."""
        baseline: str | None = self._args.get("baseline")
        if baseline is None or baseline in self.names:
            return baseline
        named = {name for label, name in self._file_names if label == baseline}
        if len(named) == 1:
            return named.pop()
        raise OptionError(f"--baseline: no system is named {suggest(baseline, self.names)}")

    @property
    def _file_names(self) -> Iterator[tuple[str, str]]:
        """The names and the paths of the files of the systems, with the names of the systems."""
        paths = [column.label for column in self.hyps]
        return zip([*map(os.path.basename, paths), *paths], self.names * 2, strict=True)

    def read(self) -> Corpus:
        """Read all columns, which must be of one length."""
        segments = load(self.all, self._args)
        check_lengths(segments)
        refs = [segments[column] for column in self.refs]
        has_lists = any(isinstance(row, list) for rows in refs if isinstance(rows, list) for row in rows)
        size = len(segments[self.all[0]])
        corpus = Corpus(
            references=references(refs, self.refs[0].paths[0]) if refs else None,
            ref_names=None if has_lists else [column.label for column in self.refs],
            systems=[(name, segments[hyp]) for name, hyp in zip(self.names, self.hyps, strict=True)],
            sources=self.source and list(segments[self.source]),
            documents=self.documents and _labels(segments[self.documents]),
            groups=self.groups and _labels(segments[self.groups]),
            numbers=range(1, size + 1),
            scores=self._scores(size),
        )
        return corpus if self.places is None else corpus.part(self.places)

    def _scores(self, segments: int) -> dict[str, Any] | None:
        """The scores of --scores, of the segments that are read."""
        if "scores" not in self._args:
            return None
        if self.has_runs:
            raise OptionError("--scores needs the texts of all systems; a run file has none")
        from truebleu.inputs.segment_scores import segment_scores  # not needed by most runs
        from truebleu.inputs.tables import read_columns

        keys, column = None, self._args.get("join_col")
        if column is not None:
            silent = Decoding(self._args["encoding"], self._args["errors"])  # it was read before
            (keys,) = read_columns(self.paths, [(column, "label")], silent)
        return segment_scores(self._args["scores"], self.names, segments, aliases=dict(self._file_names), keys=keys)

    @property
    def group_title(self) -> str:
        """What the groups are called: their column, or `group`."""
        return (self.groups and self.groups.name) or "group"

    def in_group(self, group: str | None) -> within:
        """A block whose errors name the group, if there is one."""
        return within("" if group is None else f"{self.group_title} {group}")


class Corpus:
    """Segments that were read, all of one length.

    Attributes:
        references: of each segment; None if all systems are runs.
        ref_names: the files or columns of the references; None if a segment has a list of them.
        systems: the name and the hypotheses of each system.
        sources, documents, groups: of each segment; None without their flags.
        numbers: of the segments in their files, from 1.
        scores: those from elsewhere, by name and system; None without --scores.
    """

    references: Any
    ref_names: list[str] | None
    systems: list[tuple[str, Any]]
    sources: list[str] | None
    documents: list[Any] | None
    groups: list[Any] | None
    numbers: Sequence[int]
    scores: dict[str, Any] | None

    def __init__(self, **columns: Any) -> None:
        vars(self).update(columns)

    def parts(self) -> dict[str | None, Corpus]:
        """The segments of each group by its name, that of null last; without groups, all by None.

        Groups come in the order in which `score` lists them.
        """
        if self.groups is None:
            return {None: self}
        from truebleu.inputs.corpus import label_names

        places: dict[str | None, list[int]] = {}
        for place, label in enumerate(self.groups):
            places.setdefault(label, []).append(place)
        ordered = sorted(places, key=lambda label: (label is None, label or ""))
        by_label = label_names(places)
        return {by_label[label]: self.part(places[label]) for label in ordered}

    def each(self, analyze: Callable[[Corpus, Any], Any]) -> dict[str | None, dict[str, Any]]:
        """By group and system, what a function makes of the group and the system's hypotheses."""
        from truebleu.inputs.corpus import named_systems

        return {
            name: {system: analyze(part, hyps) for system, hyps in named_systems(part.systems)}
            for name, part in self.parts().items()
        }

    def part(self, places: list[int]) -> Corpus:
        """The segments at these places, from 0."""

        def at(values: Any) -> Any:
            if values is None or isinstance(values, dict):
                return values and {name: at(own) for name, own in values.items()}
            listed = values if isinstance(values, (list, range)) else list(values)
            return [listed[place] for place in places]

        columns = {name: values for name, values in vars(self).items() if name not in ("ref_names", "systems")}
        systems = [(name, at(hyps)) for name, hyps in self.systems]
        return Corpus(ref_names=self.ref_names, systems=systems, **at(columns))


def _labels(column: Any) -> list[Any]:
    from truebleu.inputs.columns import labels  # not needed by most runs

    return labels(column)


def _columns_of_runs(names: list[str], columns: list[Origin]) -> tuple[list[str], list[Origin]]:
    """Columns of files with a column for each system of a run file, and their names.

    The only system of a file has the name of the file, as texts have. Systems of several files with
    the same name have those of their files, too.
    """
    from truebleu.metrics.runs import load_run  # not needed by most runs

    listed: list[tuple[str, str, Origin]] = []
    for name, column in zip(names, columns, strict=True):
        (path,) = column.paths
        if not files.is_run(path):
            listed.append((name, name, column))
            continue
        run = load_run(path)
        for system in run.systems:
            short, long = (name, name) if len(run.systems) == 1 else (system, f"{name} {system}")
            listed.append((short, long, Origin("run", [path], run=run[system])))
    short_names = [short for short, _, _ in listed]
    unique = [short if short_names.count(short) == 1 else long for short, long, _ in listed]
    return unique, [column for _, _, column in listed]


def load(
    columns: Sequence[Origin], args: Args, argument: str = "-i FILE", *, keep_bom: bool = False
) -> dict[Origin, Any]:
    """The segments of each column: lines, or a list; each table is read once.

    With --num-refs, the segments of references are lists of texts, as they may be in tables.
    `argument` names a file instead of the keyboard.
    """
    tables: dict[tuple[str, ...], list[Origin]] = {}
    for column in columns:
        if column.name:
            tables.setdefault(column.paths, []).append(column)
    texts = [column for column in columns if not column.name and column.run is None]
    paths = [path for paths in (*tables, *(column.paths for column in texts)) for path in paths]
    check_standard_input(paths, argument)
    keys = [(args["join_col"], "label")] if "join_col" in args else []
    if keys and texts:
        raise OptionError(f"{texts[0].label} is not a table, so it has no column for --join-col")
    segments = {column: column.run for column in columns}
    read: dict[tuple[str, ...], list[Any]] = {}
    for table, own in tables.items():
        from truebleu.inputs.tables import read_columns  # not needed by most runs

        wanted = [*((column.name, column.kind) for column in own), *keys]
        read[table] = read_columns(table, wanted, decoding(args))
    if keys:
        from truebleu.inputs.tables import in_one_order

        in_one_order(args["join_col"], read)
    for table, own in tables.items():
        segments |= zip(own, read[table], strict=False)
    for column in texts:
        segments[column] = files.read_lines(column.paths[0], decoding(args), keep_bom=keep_bom)
        if column.kind == "texts" and "num_refs" in args:
            from truebleu.inputs.alignment import split_references

            segments[column], bad = split_references(column.label, segments[column], args["num_refs"])
            if bad:
                raise InputError(bad[min(bad)])
    return segments


def check_lengths(segments: dict[Origin, Any]) -> None:
    """Raise InputError unless all columns have as many segments as the first."""
    files.check_counts(
        (column.paths[0], "row" if column.name else "line", len(texts)) for column, texts in segments.items()
    )


def references(columns: list[Any], name: str) -> Any:
    """The references of each segment, from one column or several; `name` is their file's."""
    if all(isinstance(column, Lines) for column in columns):
        return columns[0] if len(columns) == 1 else LineStreams(columns)
    from truebleu.inputs.alignment import absent
    from truebleu.inputs.columns import references as joined

    if bad := absent(columns, name):
        raise InputError(bad[min(bad)])
    return joined(columns)


def names(default: list[str], args: Args) -> list[str]:
    """The names of systems: those of --names, or `default`."""
    listed: list[str] = args.get("names", default)
    if len(listed) != len(default):
        raise OptionError(f"--names needs one name per system: {len(default)}, not {len(listed)}")
    return listed


def system_names(paths: Sequence[str]) -> list[str]:
    """The names of files without what all begin or end with, up to a dot or a slash.

    Folders are left out, too, unless two files have the same name.

    Example:
        >>> system_names(["out/hyp.a.txt", "out/hyp.b.txt"])
        ['a', 'b']
        >>> system_names(["runs/1/hyp.txt", "runs/2/hyp.txt"])
        ['1', '2']
    """
    names = file_names(paths)
    if len(set(names)) == 1:
        return names
    names = [name[shared_start(names) :] for name in names]
    end = shared_start([name[::-1] for name in names])
    return [name[: len(name) - end] for name in names]


def shared_start(names: Sequence[str], ends: str = f".{os.sep}") -> int:
    """The number of characters with which all names start, up to a dot or a slash."""
    start = os.path.commonprefix(names)  # noqa: RUF071  (of characters)
    return max(start.rfind(end) for end in ends) + 1


def file_names(paths: Sequence[str]) -> list[str]:
    """The names of files without folders, or the paths if two names are the same.

    A system of an SGML or XML file, as in `all.xml#hyp:A`, has its own name.
    """
    names = [path.partition("#hyp:")[2] or os.path.basename(path) for path in paths]
    return names if len(set(names)) == len(names) else list(paths)


def are_small(columns: list[Origin]) -> bool:
    """Whether they are text files that fit into memory; others are streamed."""
    return all(column.run is not None or (not column.name and files.is_small(column.paths[0])) for column in columns)


def notice(message: str, kind: str = "notice") -> None:
    """One line on standard error about something that the user should know."""
    from truebleu.text.escaping import visible  # not needed by most runs

    print(f"truebleu: {kind}: {visible(message)}", file=sys.stderr)


def warn(args: Args, metrics: Sequence[Any], references: Any, systems: Any, where: str = "") -> None:
    """Name what makes scores meaningless, unless --quiet is given."""
    if "quiet" not in args:
        from truebleu.inputs.mistakes import mistakes

        names = [metric.signature.partition("tok:")[2].partition("|")[0] for metric in metrics]
        for mistake in mistakes(references, systems, names):
            notice(where + mistake, "warning")


def decoding(args: Args) -> Decoding:
    """How the files of a command become text."""
    return Decoding(args["encoding"], args["errors"], notices(args))


def notices(args: Args) -> Callable[[str], None]:
    """`notice`, or with --quiet a function that prints nothing."""
    return (lambda _: None) if "quiet" in args else notice


def _check_texts(paths: list[str], args: Args) -> None:
    """Tell the user about references that are listed twice; refuse folders, and tables alone."""
    for i, path in enumerate(paths):
        if path in paths[:i] and path != "-":  # which is refused
            notices(args)(f"{path} is listed twice as a reference")
        if os.path.isdir(path) and "shards" not in args:
            raise OptionError(f"{path}: this is a directory; name a file, or add --shards")
    if not args.keys() & {"input", "hyp_col"}:
        from truebleu.inputs.paths import is_named_table

        if is_named_table(paths) and os.path.exists(paths[0]):
            raise OptionError(f"{paths[0]} is a table; also give --hyp-col and --ref-col")


def check_standard_input(paths: list[str], argument: str = "-i FILE") -> None:
    """Raise OptionError if two files are standard input; say so if it is the keyboard."""
    if paths.count("-") > 1:
        raise OptionError("standard input can be read once; name files for the others")
    if "-" in paths and is_keyboard():
        notice(f"reading from the keyboard; add {argument} to read a file, Ctrl-D to end")


def is_keyboard() -> bool:
    """Whether standard input is a terminal."""
    return sys.stdin is not None and sys.stdin.isatty()
