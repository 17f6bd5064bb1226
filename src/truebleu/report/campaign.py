# SPDX-License-Identifier: Apache-2.0
"""The page of a campaign: heat maps of sets and systems, and the report of each set.

The reports are compressed in the page, each in an element of its own that is unpacked when it is
opened. What all reports share, such as their style and script, is there once. Where the page would
be over 100 MB, the reports are files in a folder next to it.
"""

from __future__ import annotations

import os
import zlib
from base64 import b64decode, b64encode
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from string import Template
from typing import Any

from truebleu import browser
from truebleu.analysis.compare.comparison import Pair
from truebleu.campaigns.formats import averages_head, notes, places, ranked
from truebleu.campaigns.results import Campaign, Matrix, Row
from truebleu.campaigns.sets import TestSet
from truebleu.dialects.languages import tokenizer
from truebleu.errors import OptionError, quantity
from truebleu.metrics.bleu import BLEU
from truebleu.report.charts import checked
from truebleu.report.contents import Material, gather
from truebleu.report.differences import p_text, square
from truebleu.report.elements import by_system, interval, number, remark, rounded, table
from truebleu.report.page import page, sources
from truebleu.text.atomic import make_folder, write_whole
from truebleu.text.escaping import visible
from truebleu.text.html import HTML, element, escaped, join, user_text
from truebleu.version import __version__

#: Bytes of the largest page that has the reports of its sets in it.
LARGEST = 100_000_000

#: The shades of a heat map.
_SHADES = 4


def write_campaign(
    path: str | os.PathLike[str],
    result: Campaign,
    *,
    title: str = "Campaign",
    force: bool = False,
    read: Callable[[Any], TestSet] = lambda files: files.read(),
    progress: Callable[[float], None] = lambda _: None,
) -> None:
    """Write a page about a campaign: heat maps, averages, and the report of each set.

    One file that needs no network; a click on a score opens the report of its set. If the file
    would be over 100 MB, the reports are files in a folder next to it, `NAME_sets`.

    Args:
        path: the file to write.
        result: what `campaign` returned.
        title: page title.
        force: replace an existing file.
        read: how to read a set of files; they must not have changed since.
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
    packed = {}
    for i, files in enumerate(result.sets):
        texts = read(files)
        texts = texts.by_document() if result.by_document else texts
        report = _report(texts, result)
        for k, part in enumerate(shared):
            report = report.replace(part, f"<!--shared-{k}-->")
        packed[files.title] = _pack(report)
        progress((i + 1) / len(result.sets))
    folder = None
    if sum(map(len, packed.values())) > LARGEST:
        folder = Path(target).with_suffix("").name + "_sets"
        _write_folder(Path(target).with_name(folder), packed, shared, force=force)
    write_whole(target, _page(result, title, packed, shared, folder).encode(), force=force)


def _pack(text: str) -> str:
    """Base64 of zlib's format."""
    return b64encode(zlib.compress(text.encode(), 1)).decode()


def _report(texts: TestSet, result: Campaign) -> str:
    """The page of a set, without the parts that take most of the time."""
    metrics = result.metrics[texts.title]
    bleu = next((metric for metric in metrics if isinstance(metric, BLEU)), None)
    rows = result.matrix("BLEU").rows if bleu else ()
    comparison = next((row.comparison for row in rows if row.title == texts.title), None)
    material = Material(
        bleu or BLEU(tokenize=tokenizer(texts.pair)), texts.systems, texts.refs, comparison,
        metrics=[metric for metric in metrics if metric is not bleu], srcs=texts.srcs,
        groups=texts.labels,
    )  # fmt: skip
    return page(gather(material), texts.title)


def _write_folder(
    folder: Path, packed: Mapping[str, str], shared: Sequence[str], *, force: bool
) -> None:
    """The reports as files 1.html, 2.html and so on."""
    if folder.exists() and not force:
        raise OptionError(f"{folder} exists; use --force (force=True) to replace it")
    make_folder(folder)
    for i, data in enumerate(packed.values(), start=1):
        report = zlib.decompress(b64decode(data)).decode()
        for k, part in enumerate(shared):
            report = report.replace(f"<!--shared-{k}-->", part)
        write_whole(str(folder / f"{i}.html"), report.encode(), force=force)


def _page(
    result: Campaign,
    title: str,
    packed: Mapping[str, str],
    shared: Sequence[str],
    folder: str | None,
) -> str:
    places = {title: i for i, title in enumerate(packed, start=1)}

    def link(row: Row) -> str:
        place = places[row.title]
        return f"#set-{place}" if folder is None else f"{folder}/{place}.html"

    parts = [browser.source(name, "truebleu.report") for name in ("page.css", "campaign.css")]
    style = browser.style("".join(parts))
    own = browser.source("campaign.js", "truebleu.report")
    script = browser.script([*map(browser.source, ("text.js", "theme.js")), own])
    anchors = {f"matrix-{i}": matrix for i, matrix in enumerate(result.matrices, start=1)}
    elements = []
    if folder is None:
        elements = [
            element("script", HTML(_pack(part)), type="text/plain", data_shared=True)
            for part in shared
        ]
        elements += [
            element("script", HTML(data), type="text/plain", id=f"packed-set-{places[name]}",
                    data_title=visible(name))
            for name, data in packed.items()
        ]  # fmt: skip
    links = [element("a", _name(matrix), href=f"#{name}") for name, matrix in anchors.items()]
    return Template(browser.source("campaign.html", "truebleu.report")).substitute(
        # The reports in the page inherit its permissions.
        policy=browser.policy([style, shared[0]], [script, shared[1]]) + "; frame-src blob:",
        generator=f"TrueBLEU {__version__}",
        title=escaped(title),
        heading=user_text(title),
        style=style,
        contents=join(links if len(links) > 1 else []),
        body=join(_section(result, matrix, name, link) for name, matrix in anchors.items()),
        footer=element("p", f"Written by TrueBLEU {__version__}."),
        sets="\n".join(elements),
        script=script,
    )


def _name(matrix: Matrix) -> HTML:
    if matrix.label is None:
        return escaped(matrix.metric)
    return join([matrix.metric, ": ", user_text(matrix.label)])


def _section(result: Campaign, matrix: Matrix, anchor: str, link: Callable[[Row], str]) -> HTML:
    order = ranked(result, matrix)
    lines = list(notes(result, matrix))
    return element(
        "section",
        element("h2", _name(matrix), id=f"{anchor}-heading"),
        _verdict(matrix),
        _heat(matrix, order, link),
        remark("Click a score for the report of its set. ", *(f"{line}. " for line in lines[:1])),
        _averages(matrix, order),
        _differences(matrix, order),
        element("div", *map(remark, lines[1:]), class_="notes"),
        id=anchor,
        aria_labelledby=f"{anchor}-heading",
    )


def _verdict(matrix: Matrix) -> HTML | None:
    """Which system has the best average, by how much, and how certain that is."""
    best, *others = matrix.averages.ranked()
    if best.cluster is None:
        return None
    value = element("b", f"{rounded(best.score.value, matrix.decimals)} {matrix.metric}")
    complete = sum(system.cluster is not None for system in matrix.averages.systems)
    of = "" if complete > len(others) else f" of the {quantity(complete, 'system')} with every set"
    parts: list[str] = [element("b", user_text(best.name)), " has the best average", of,
                        ": ", value, f" over {quantity(len(matrix.rows), 'set')}"]  # fmt: skip
    for pair in matrix.averages.pairs:
        if others and {pair.a, pair.b} == {best.name, others[0].name}:
            sign = 1 if pair.b == best.name else -1
            gap = rounded(sign * pair.difference, matrix.decimals, "+")
            certain = "" if pair.better else "not significant, "
            parts += [f", {gap} over ", user_text(others[0].name), f" ({certain}{p_text(pair)})"]
    return element("p", *parts, ".", class_="verdict")


def _heat(matrix: Matrix, order: Sequence[str], link: Callable[[Row], str]) -> HTML:
    """A table with a row for each set, in which the best score has the darkest color."""
    rows = [
        element("tr", element("th", user_text(row.title), scope="row"),
                *(_cell(matrix, row, name, link(row)) for name in order))
        for row in matrix.rows
    ]  # fmt: skip
    averages = {system.name: system for system in matrix.averages.systems}
    cells = []
    for name in order:
        average = averages.get(name)
        text = "\N{EN DASH}" if average is None else rounded(average.score.value, matrix.decimals)
        star = element("span", "*" if name in matrix.best else "", class_="star")
        partial = average is not None and average.cluster is None
        shown = [f"({text})"] if partial else [text, star]
        cells.append(element("td", *shown, class_="best" if name in matrix.best else None))
    title = f"average of {quantity(len(matrix.rows), 'set')}"
    rows.append(element("tr", element("th", title, scope="row"), *cells, class_="average"))
    caption = f"{matrix.metric} of each system on each set"
    return by_system("set", order, rows, caption, "heat")


def _cell(matrix: Matrix, row: Row, name: str, link: str) -> HTML:
    score = row.scores.get(name)
    if score is None:
        return element("td", "\N{EN DASH}", title="no output", class_="missing")
    sign = 1 if matrix.higher_is_better else -1
    values = [sign * entry.value for entry in row.scores.values()]
    span = max(values) - min(values)
    shade = round(_SHADES * (sign * score.value - min(values)) / span) if span else _SHADES
    details = f"{row.title}: {score.value:.{matrix.decimals}f} {matrix.metric}"
    if ends := row.interval(name):
        low, high = (f"{end:.{matrix.decimals}f}" for end in ends)
        details += f", interval {low} to {high}"
    if name != row.best and row.comparison:
        details += ", not" if name in row.equals else ","
        details += f" significantly worse than {row.best}"
        details += ", which does not survive" * (name in row.lost)
    mark = "*" if name in row.equals else "~" * (name in row.lost)
    star = element("span", mark, class_="star")
    shown = element("a", rounded(score.value, matrix.decimals), star, href=link,
                    title=visible(details))  # fmt: skip
    classes = [f"ahead shade{shade}", *(["best"] if name in row.equals else [])]
    return element("td", shown, class_=" ".join(classes))


def _averages(matrix: Matrix, order: Sequence[str]) -> HTML:
    averages = {system.name: system for system in matrix.averages.systems}
    rows = [
        [user_text(system.name), number(system.score.value, matrix.decimals),
         interval(system.interval, matrix.decimals), *places(matrix, system, " to ")]
        for system in (averages[name] for name in order if name in averages)
    ]  # fmt: skip
    caption = (
        "Averages, the best first, systems that lack a set last; wins and losses are significant "
        "results over the averages, set wins and losses those in the sets"
    )
    return table(["system", *averages_head(matrix)], rows, caption)


def _differences(matrix: Matrix, order: Sequence[str]) -> HTML | None:
    """The average of each row's system minus that of each column's."""

    def details(pair: Pair, sign: int) -> str:
        won, lost = matrix.pair_record(pair)[::sign]
        return f", over {quantity(len(pair.strata), 'set')}: {won} won, {lost} lost"

    caption = (
        "Differences of averages over the sets that both systems have; * marks significant ones"
    )
    pairs = matrix.averages.pairs
    return square(order, pairs, matrix.decimals, caption, details) if pairs else None
