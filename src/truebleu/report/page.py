# SPDX-License-Identifier: Apache-2.0
"""The page as one file: markup, style, script and data, and nothing to load."""

from __future__ import annotations

from truebleu import browser
from truebleu.errors import quantity
from truebleu.report.charts import Charts
from truebleu.report.contents import Contents
from truebleu.report.differences import doubts, verdict
from truebleu.report.findings import counts
from truebleu.report.sections import Section, elsewhere, folded, scores_section
from truebleu.report.segments import segment_data
from truebleu.text.html import HTML, element, escaped, join, user_text

#: The script, in the order in which its parts use each other.
_SCRIPTS = ("data", "list", "segment", "browser", "scatter", "selection", "live", "state", "export",
            "tables", "page")  # fmt: skip


def page(contents: Contents, title: str, charts: Charts | None = None) -> str:
    """The page of a report, as HTML; `charts` are those that another process draws."""
    facts, streams = segment_data(contents)
    if charts is None:
        charts = Charts()
        charts.begin(contents)
    scores, after = scores_section(contents), list(folded(contents, charts))
    links = [(scores.anchor, scores.heading), ("segments", "Segments")]
    links += [(section.anchor, section.heading) for section in after]
    packed = (element("script", HTML(data), type="text/plain", id=f"stream-{own}") for own, data in streams.items())
    return _filled(
        title=escaped(title),
        heading=user_text(title),
        contents=join(element("a", heading, href=f"#{anchor}") for anchor, heading in links),
        summary=_summary(contents),
        front=_section(scores),
        elsewhere=elsewhere(contents),
        chart_open=" open" if contents.elsewhere else "",
        folded=join(map(folded_section, after)),
        legend=_legend(contents.bleu.dialect.count.max_ngram_order),
        facts=browser.json_in_page(facts),
        streams="\n".join(packed),
        kernel=browser.kernel_elements(),
    )


def empty_page(title: str) -> str:
    """The page with nothing but the browser of segments. The script of another page replaces
    `[[facts]]`, `[[streams]]` and `[[kernel]]` by what `page` writes there.
    """  # noqa: D205
    parts = dict.fromkeys(("contents", "summary", "front", "folded", "elsewhere", "chart_open"), "")
    parts |= {name: f"[[{name}]]" for name in ("facts", "streams", "kernel")}
    return _filled(title=title, heading=title, legend=_legend(4), **parts)


def sources() -> tuple[str, str]:
    """The style and the script of every report."""
    shared = map(browser.source, (*browser.PARTS, *browser.SCRIPTS))
    own = (source(f"{name}.js") for name in _SCRIPTS)
    return browser.style(source("page.css")), browser.script([*shared, *own])


def _filled(**parts: str) -> str:
    style, script = sources()
    return browser.page(source("page.html"), [style], [script], **parts)


def _section(part: Section) -> HTML:
    name = f"{part.anchor}-heading"
    heading = element("h2", part.heading, id=name)
    return element("section", heading, part.body, id=part.anchor, aria_labelledby=name)


def folded_section(part: Section) -> HTML:
    """A section below its heading. Browsers unfold it for links to it and for what is searched."""
    name = f"{part.anchor}-heading"
    note = element("span", part.note, class_="note") if part.note else None
    summary = element("summary", element("h2", part.heading, id=name), note)
    body = element("section", part.body, id=part.anchor, aria_labelledby=name)
    return element("details", summary, body, class_="fold")


def source(name: str) -> str:
    """The text of a file of this package."""
    return browser.source(name, "truebleu.report")


def _summary(contents: Contents) -> HTML:
    systems, refs = len(contents.names), len(contents.refs)
    sizes = (systems, "system"), (contents.segments, "segment"), (refs, "reference")
    findings: list[str] = []
    if contents.standings or contents.findings is not None:
        findings = [" · findings: ", element("a", counts(contents), href="#findings")]
    counted = element("p", ", ".join(quantity(*size) for size in sizes), *findings, class_="counts")
    return join([verdict(contents), doubts(contents), counted])


def _legend(orders: int) -> HTML:
    marks = [(f"m{n}", f"{n}-gram") for n in range(1, min(orders, 4) + 1)]
    if orders > 4:
        marks[-1] = ("m4", "4-gram or longer")
    marks += [("m0 clipped", "clipped"), ("m0", "no match")]
    return join(element("span", text, class_=f"run {name}") for name, text in marks)
