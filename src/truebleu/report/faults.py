# SPDX-License-Identifier: Apache-2.0
"""What `check` found, once for all systems that it is true of."""

from __future__ import annotations

from truebleu.report.markup import element, join
from truebleu.text.html import HTML, user_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from truebleu.analysis.check.findings import Finding
    from truebleu.report.contents import Contents

#: Lines that lead to their segments; the others are counted.
_NAMED = 12


def faults(contents: Contents) -> HTML:
    """The findings, the worst first."""
    if contents.findings is None:
        return element("p", "Lists of words are not checked: give text as it is before.")
    found: dict[tuple[object, ...], list[tuple[str, Finding]]] = {}
    for name, findings in zip(contents.names, contents.findings, strict=True):
        for finding in findings:
            key = (finding.kind, finding.column, finding.lines, finding.message)
            found.setdefault(key, []).append((name, finding))
    if not found:
        return element("p", "Nothing is wrong with these texts.")
    order = ["error", "warning", "note"]
    worst = sorted(found.values(), key=lambda each: order.index(each[0][1].severity))
    return element("div", *(_entry(each) for each in worst), class_="findings")


def _entry(each: list[tuple[str, Finding]]) -> HTML:
    finding = each[0][1]
    evidence = [
        join([element("dt", user_text(place)), element("dd", element("bdi", text, dir="auto"))])
        for place, text in finding.evidence
    ]
    return element(
        "article",
        element("h3", element("span", finding.severity, class_=f"badge {finding.severity}"),
                f" {finding.kind} ", element("small", user_text(finding.column))),
        element("p", finding.message),
        element("dl", *evidence) if evidence else None,
        _lines(finding),
        element("p", "do: ", finding.advice, class_="remark"),
        *(element("p", _effect(name, one.before, one.after), class_="remark")
          for name, one in each if one.after is not None),
    )  # fmt: skip


def _lines(finding: Finding) -> HTML | None:
    if not finding.lines:
        return None
    links = [element("a", str(line), href=f"#seg={line}") for line in finding.lines[:_NAMED]]
    more = len(finding.lines) - _NAMED
    parts: list[str] = []
    for i, link in enumerate(links):
        parts += [", " if i else "segment " if len(links) == 1 else "segments ", link]
    return element("p", *parts, f" and {more:,} more" if more > 0 else None)


def _effect(name: str, before: float | None, after: float) -> HTML:
    if before is None:
        said = f"BLEU {after:.2f} once it is repaired; it cannot be computed as it is"
    elif before == after:
        said = f"BLEU {before:.2f}, repaired or not"
    else:
        said = f"BLEU {before:.2f}, repaired {after:.2f} ({after - before:+.2f})"
    return join([user_text(name), ": ", said])
