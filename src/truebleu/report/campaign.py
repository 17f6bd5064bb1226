# SPDX-License-Identifier: Apache-2.0
"""The page of a campaign: who is best, ranked tables, and the report of each set.

The reports are compressed in the page, each in an element of its own that is unpacked when it is
opened. What all reports share, such as their style and script, is there once. Where the page would
be over 100 MB, the reports are files in a folder next to it.
"""

from __future__ import annotations

import os
import zlib
from base64 import b64decode
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import repeat
from pathlib import Path
from typing import Any

from truebleu import browser
from truebleu.analysis.check import Finding
from truebleu.analysis.compare.comparison import Pair, percent
from truebleu.analysis.processes import Processes
from truebleu.campaigns.formats import fit_text, notes, people_text
from truebleu.campaigns.results import Campaign, Matrix, Row
from truebleu.campaigns.sets import TestSet
from truebleu.dialects.languages import tokenizer
from truebleu.errors import OptionError, quantity
from truebleu.metrics.bleu import BLEU
from truebleu.report.charts import checked
from truebleu.report.contents import Contents, Material, gather
from truebleu.report.differences import leader, repairs, square
from truebleu.report.elements import command_line, interval, number, remark, table
from truebleu.report.findings import badges
from truebleu.report.page import folded_section, page, source, sources
from truebleu.report.sections import Section
from truebleu.text.atomic import make_folder, write_whole
from truebleu.text.escaping import visible
from truebleu.text.html import HTML, element, escaped, join, user_text

#: Bytes of the largest page that has the reports of its sets in it.
LARGEST = 100_000_000

#: The shades of a heat map; the most repairs that follow the verdict.
_SHADES, _LISTED = 4, 3


def write_campaign(
    path: str | os.PathLike[str],
    result: Campaign,
    *,
    title: str = "Campaign",
    force: bool = False,
    read: Callable[[Any], TestSet] = lambda files: files.read(),
    command: str = "",
    progress: Callable[[float], None] = lambda _: None,
) -> None:
    """Write a page about a campaign: a verdict, ranked tables, and the report of each set.

    One file that needs no network; a click on a score opens the report of its set. If the file
    would be over 100 MB, the reports are files in a folder next to it, `NAME_sets`.

    Args:
        path: the file to write.
        result: what `campaign` returned.
        title: page title.
        force: replace an existing file.
        read: how to read a set of files; they must not have changed since.
        command: what was typed to write the page, which the page shows.
        progress: called with the share of the work that is done, from 0 to 1.

    Raises:
        InputError: a file of a set cannot be read.
        OptionError: the file exists or cannot be written.
        MissingExtraError: the libraries of the extra `report`, which draw charts, are missing.

    Example:
        >>> import truebleu as tb
        >>> refs = ["the cat sat on the mat", "it is late"]
        >>> systems = {"A": refs, "B": ["a cat sat on a mat", "it was late"]}
        >>> tb.write_campaign("campaign.html", tb.campaign([tb.TestSet("dev", refs, systems)]))
    """
    target = checked(path, title, force=force)
    shared = (*sources(), browser.kernel_elements())
    sets = {}
    with Processes(BLEU().threads - 1) as processes:
        for i, files in enumerate(result.sets):
            texts = read(files)
            texts = texts.by_document() if result.by_document else texts
            contents = _contents(texts, result, processes)
            report = page(contents, texts.title)
            for k, part in enumerate(shared):
                report = report.replace(part, f"<!--shared-{k}-->")
            own = zip(contents.names, contents.findings or repeat(()), strict=False)
            sets[files.title] = _Set(i + 1, browser.packed(report.encode(), 1), dict(own), repairs(contents))
            progress((i + 1) / len(result.sets))
    folder = None
    if sum(len(own.packed) for own in sets.values()) > LARGEST:
        folder = Path(target).with_suffix("").name + "_sets"
        _write_folder(Path(target).with_name(folder), sets.values(), shared, force=force)
    write_whole(target, _page(result, title, command, sets, shared, folder).encode(), force=force)


@dataclass(frozen=True, slots=True)
class _Set:
    """The report of a set: its place and contents, the findings of each system, and repairs.

    Systems are in the order of the report, which names them by their places.
    """

    place: int
    packed: str
    findings: Mapping[str, Sequence[Finding]]
    repairs: Sequence[str]

    def link(self, folder: str | None, state: str = "") -> str:
        """The address of the report, with the state that its own address would have."""
        if folder is None:
            return f"#set-{self.place}{state and '/'}{state}"
        return f"{folder}/{self.place}.html{state and '#'}{state}"

    def first(self, name: str) -> str:
        """The state in which a system is compared with the best of the others."""
        place = list(self.findings).index(name)
        return f"a={place}&b={int(not place)}" if len(self.findings) > 1 else ""


def _contents(texts: TestSet, result: Campaign, processes: Processes) -> Contents:
    """What the report of a set shows: all but the scores under every dialect."""
    metrics = result.metrics[texts.title]
    bleu = next((metric for metric in metrics if isinstance(metric, BLEU)), None)
    rows = result.matrix("BLEU").rows if bleu else ()
    comparison = next((row.comparison for row in rows if row.title == texts.title), None)
    material = Material(
        bleu or BLEU(tokenize=tokenizer(texts.pair)),
        texts.systems,
        texts.refs,
        comparison,
        metrics=[metric for metric in metrics if metric is not bleu],
        srcs=texts.srcs,
        groups=texts.labels,
        survey=False,
    )
    return gather(material, processes)


def _write_folder(folder: Path, sets: Iterable[_Set], shared: Sequence[str], *, force: bool) -> None:
    """The reports as files 1.html, 2.html and so on."""
    if folder.exists() and not force:
        raise OptionError(f"{folder} exists; use --force (force=True) to replace it")
    make_folder(folder)
    for own in sets:
        report = zlib.decompress(b64decode(own.packed)).decode()
        for k, part in enumerate(shared):
            report = report.replace(f"<!--shared-{k}-->", part)
        write_whole(str(folder / f"{own.place}.html"), report.encode(), force=force)


def _page(
    result: Campaign, title: str, command: str, sets: Mapping[str, _Set], shared: Sequence[str], folder: str | None
) -> str:
    style = browser.style(source("page.css") + source("campaign.css"))
    script = browser.script([*map(browser.source, ("text.js", "theme.js")), source("campaign.js")])
    anchors = {f"matrix-{i}": matrix for i, matrix in enumerate(result.matrices, start=1)}
    elements = []
    if folder is None:
        packed = (HTML(browser.packed(part.encode(), 1)) for part in shared)
        elements = [element("script", part, type="text/plain", data_shared=True) for part in packed]
        for name, own in sets.items():
            address = {"id": f"packed-set-{own.place}", "data_title": visible(name)}
            elements.append(element("script", HTML(own.packed), type="text/plain", **address))
    links = [element("a", _name(matrix), href=f"#{name}") for name, matrix in anchors.items()]
    tables = {name: _Table(matrix, sets, folder) for name, matrix in anchors.items()}
    return browser.page(
        source("campaign.html"),
        [style, shared[0]],
        [script, shared[1]],
        title=escaped(title),
        heading=user_text(title),
        contents=join(links if len(links) > 1 else []),
        body=join(_section(result, own.matrix, name, own, command) for name, own in tables.items()),
        sets="\n".join(elements),
    )


def _name(matrix: Matrix) -> HTML:
    if matrix.label is None:
        return escaped(matrix.metric)
    return join([matrix.metric, ": ", user_text(matrix.label)])


def _section(result: Campaign, matrix: Matrix, anchor: str, scores: _Table, command: str) -> HTML:
    pairs = list(matrix.by_pair)
    star, *listed = notes(result, matrix)
    comparison = matrix.averages if len(pairs) > 1 else matrix.by_pair[pairs[0]]
    parts = [
        element("h2", _name(matrix), id=f"{anchor}-heading"),
        leader(comparison, matrix.decimals, is_main=matrix is result.matrices[0]),
        *_doubts(matrix, scores.sets),
        *(remark(f"{line[0].upper()}{line[1:]}.") for line in fit_text(matrix)),
    ]
    if len(pairs) > 1:
        parts.append(scores.ranking())
    click = "Click a score for the segments of its system, compared with the best of the others. "
    parts += [element("div", *map(scores.ranking, pairs), class_="pairs"), remark(click, f"{star}.")]
    if matrix.averages.pairs:
        differences = Section(f"{anchor}-differences", "Differences of averages", _differences(matrix))
        parts.append(folded_section(differences))
    settings = join([*map(remark, listed), command_line(command)])
    parts.append(folded_section(Section(f"{anchor}-settings", "Settings", settings)))
    return element("section", *parts, id=anchor, aria_labelledby=f"{anchor}-heading")


def _doubts(matrix: Matrix, sets: Mapping[str, _Set]) -> Iterator[HTML]:
    """What would change the verdicts in the sets, and what the differences meant to people."""
    survives = {pair.survives for row in matrix.rows for pair in row.pairs}
    lines = [
        f"{row.title}: {row.comparison.survival(matrix.decimals)[0]}"
        for row in matrix.rows
        if row.comparison and row.lost
    ]
    if True in survives and not lines:
        lines = ["All significant differences from the best of each set survive"]
    state = "false" if lines and False in survives else "true" if lines else "none"
    yield element("div", *(remark(visible(line)) for line in lines), data_survives=state)
    if matrix.metric.endswith("BLEU") and matrix.label is None:
        repaired = [remark(visible(title), ": ", line) for title, own in sets.items() for line in own.repairs]
        yield from repaired[:_LISTED]
        if more := repaired[_LISTED:]:
            yield element("details", element("summary", f"{len(more)} more"), *more)
    if people := people_text(matrix):
        yield remark(people[0].upper(), people[1:], ".")


@dataclass(frozen=True, slots=True)
class _Table:
    """Draws the ranked tables of a matrix, with links to the reports of its sets."""

    matrix: Matrix
    sets: Mapping[str, _Set]
    folder: str | None

    def ranking(self, pair: str | None = None) -> HTML:
        """A row for each system, the best first: of a language pair, or over all sets."""
        matrix, decimals = self.matrix, self.matrix.decimals
        comparison = matrix.averages if pair is None else matrix.by_pair[pair]
        rows = matrix.rows if pair is None else matrix.rows_of(pair)
        columns = [user_text((row.name if pair else row.title) or matrix.metric) for row in rows]
        whole, several = comparison is matrix.averages, len(rows) > 1
        head = ["system", *([comparison.metric] if several else columns)]
        head += [f"{percent(1 - comparison.alpha)} interval", "rank"]
        head += ["sets", *columns] if several else []
        head += ["wins", "losses", "set wins", "set losses"] if whole else []
        head += [] if pair is None else ["findings"]
        body = []
        for system in comparison.ranked():
            place = " to ".join(map(str, dict.fromkeys(system.rank or ())))
            own: list[str] = [self._cell(row, system.name) for row in rows]
            cells = [number(system.score.value, decimals)] if several else own
            cells = [user_text(system.name), *cells, interval(system.interval, decimals), place]
            cells += [f"{len(system.strata)} of {len(rows)}", *own] if several else []
            record = (system.wins, system.losses, *matrix.set_record(system)) if whole else ()
            cells += ["" if count is None else str(count) for count in record]
            if pair is not None:
                cells.append(join(self._badges(row, system.name) for row in rows))
            body.append(cells)
        names = [system.name for system in comparison.ranked()]
        caption = f"All {len(rows)} sets" if pair is None else pair or "Scores"
        return table(head, body, caption, (0, len(head) - (pair is not None)), "heat", names)

    def _badges(self, row: Row, name: str) -> HTML | None:
        """How many findings `check` has in the output of a system."""
        own = self.sets[row.title]
        return badges(own.findings.get(name, ()), own.link(self.folder, "findings"))

    def _cell(self, row: Row, name: str) -> HTML:
        score, decimals = row.scores.get(name), self.matrix.decimals
        if score is None:
            return element("span", "\N{EN DASH}", title="no output", class_="missing")
        sign = 1 if self.matrix.higher_is_better else -1
        values = [sign * entry.value for entry in row.scores.values()]
        span = max(values) - min(values)
        shade = round(_SHADES * (sign * score.value - min(values)) / span) if span else _SHADES
        details = f"{row.title}: {score.value:.{decimals}f} {self.matrix.metric}"
        if ends := row.interval(name):
            low, high = (f"{end:.{decimals}f}" for end in ends)
            details += f", interval {low} to {high}"
        mark = "*" if name in row.equals else "~" * (name in row.lost)
        own, best = self.sets[row.title], " best" * (name in row.equals)
        children = number(score.value, decimals), element("span", mark, class_="star")
        attributes = {"title": visible(details), "class_": f"ahead shade{shade}{best}"}
        return element("a", *children, href=own.link(self.folder, own.first(name)), **attributes)


def _differences(matrix: Matrix) -> HTML:
    """The average of each row's system minus that of each column's."""

    def details(pair: Pair) -> str:
        won, lost = matrix.pair_record(pair)
        return f", over {quantity(len(pair.strata), 'set')}: {won} won, {lost} lost"

    caption = "Differences of averages over the sets that both systems have; * marks significant ones"
    order = [system.name for system in matrix.averages.ranked()]
    return square(matrix.averages, order, matrix.decimals, caption, details)
