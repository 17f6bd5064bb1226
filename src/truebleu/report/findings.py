# SPDX-License-Identifier: Apache-2.0
"""The findings of `check` on the page, with links to their segments."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from truebleu.analysis.check import SEVERITIES, Finding, effect_text, separate
from truebleu.errors import quantity
from truebleu.report.contents import Contents
from truebleu.report.elements import remark
from truebleu.text.html import HTML, element, escaped, join, user_text

#: The most lines of a finding with links to their segments; the others are counted.
_LINKS = 12

#: A finding by the name of each system that has it, for which repair has its own effect.
Shared = Mapping[str, Finding]


def findings(contents: Contents) -> HTML:
    """The findings about references and sources, each once, then those about each system."""
    if contents.findings is None:
        return element("p", "Lists of words are not checked; pass texts as they are before.")
    parts = _separated(contents)
    if not parts:
        return element("p", "No problems found.")
    return join(
        element("div", element("h3", heading), *map(_finding, shared), class_="findings")
        for heading, shared in parts
    )


def counts(contents: Contents) -> str:
    """How many findings there are of each severity, as in `1 error, 2 warnings`."""
    if contents.findings is None:
        return "not checked"
    each = Counter(
        _any(finding).severity for _, shared in _separated(contents) for finding in shared
    )
    return ", ".join(quantity(each[name], name) for name in SEVERITIES if each[name]) or "none"


def badges(own: Sequence[Finding], href: str = "#findings") -> HTML | None:
    """How many findings of each severity the texts of a system have, with a link to them."""
    each = Counter(finding.severity for finding in own if finding.role == "hyp")
    marks = [
        element("span", quantity(each[name], name), class_=f"badge {name}")
        for name in SEVERITIES[:2] if each[name]
    ]  # fmt: skip
    return element("a", *marks, href=href) if marks else None


def _separated(contents: Contents) -> list[tuple[HTML, list[Shared]]]:
    """What findings are about, and these findings, the most severe first."""
    checked = dict(zip(contents.names, contents.findings or (), strict=True))
    shared, own = separate(checked)
    parts: list[tuple[HTML, list[Shared]]] = [
        (user_text(name), [{name: finding} for finding in each])
        for name, each in own.items()
        if each
    ]
    return [(escaped("References and sources"), list(shared)), *parts] if shared else parts


def _any(shared: Shared) -> Finding:
    return next(iter(shared.values()))


def _finding(shared: Shared) -> HTML:
    finding = _any(shared)
    evidence = [
        join([element("dt", user_text(place)), element("dd", element("bdi", text, dir="auto"))])
        for place, text in finding.evidence
    ]
    badge = element("span", finding.severity, class_=f"badge {finding.severity}")
    column = element("small", user_text(finding.column)) if finding.role != "hyp" else None
    return element(
        "article",
        element("h4", badge, f" {finding.kind} ", column),
        element("p", finding.message),
        element("dl", *evidence) if evidence else None,
        _links(finding.lines),
        remark("Fix: ", finding.advice),
        *_effects(shared),
    )


def _effects(shared: Shared) -> Iterator[HTML]:
    """What repair does to the score of each system; those that it leaves alone are one line."""
    repairs = {name: finding for name, finding in shared.items() if finding.after is not None}
    same = [name for name, finding in repairs.items() if finding.after == finding.before]
    for name, finding in repairs.items():
        if len(repairs) == 1:
            yield remark(effect_text(finding))
        elif name not in same:
            yield remark(user_text(name), ": ", effect_text(finding))
    if same and len(repairs) > 1:
        systems = (
            "all systems" if len(same) == len(repairs) else quantity(len(same), "other system")
        )
        yield remark(f"Repair leaves {_any(shared).metric} of {systems} as it is")


def _links(lines: Sequence[int]) -> HTML | None:
    if not lines:
        return None
    parts: list[str] = []
    for line in lines[:_LINKS]:
        parts += [", ", element("a", str(line), href=f"#seg={line}")]
    parts[0] = "segment " if len(lines) == 1 else "segments "
    more = len(lines) - _LINKS
    return element("p", *parts, f" and {more:,} more" if more > 0 else None)
