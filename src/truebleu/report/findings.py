# SPDX-License-Identifier: Apache-2.0
"""The findings of `check` on the page, with links to their segments."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from truebleu.analysis.check import SEVERITIES, Finding, effect_text, separate
from truebleu.errors import quantity
from truebleu.report.contents import Contents
from truebleu.report.elements import remark
from truebleu.text.html import HTML, element, join, user_text

#: The most lines of a finding with links to their segments; the others are counted.
_LINKS = 12

#: A finding by the name of each system that has it, for which repair has its own effect.
Shared = Mapping[str, Finding]


def findings(contents: Contents) -> HTML:
    """The findings about references, sources and systems, each once."""
    if contents.findings is None:
        return element("p", "Lists of words are not checked; pass texts as they are before.")
    listed = _listed(contents)
    if not listed:
        return element("p", "No problems found.")
    return element("div", *(_finding(contents, shared) for shared in listed), class_="findings")


def counts(contents: Contents) -> str:
    """How many findings there are of each severity, as in `1 error, 2 warnings`."""
    if contents.findings is None:
        return "not checked"
    each = Counter(_any(shared).severity for shared in _listed(contents))
    return ", ".join(quantity(each[name], name) for name in SEVERITIES if each[name]) or "none"


def badges(own: Sequence[Finding], href: str = "#findings") -> HTML | None:
    """How many findings of each severity the texts of a system have, with a link to them."""
    each = Counter(finding.severity for finding in own if finding.role == "hyp")
    marks = [
        element("span", quantity(each[name], name), class_=f"badge {name}") for name in SEVERITIES[:2] if each[name]
    ]
    return element("a", *marks, href=href) if marks else None


def _listed(contents: Contents) -> list[Shared]:
    """Each finding once: the most severe first, and of these the one with the largest effect."""
    shared, own = separate(dict(zip(contents.names, contents.findings or (), strict=True)))
    listed: list[Shared] = list(shared)
    listed += [{name: finding} for name, each in own.items() for finding in each]

    def effect(finding: Finding) -> float:
        if finding.after is None or finding.before is None:
            return 0.0
        return abs(finding.after - finding.before)

    return sorted(listed, key=lambda each: (SEVERITIES.index(_any(each).severity), -max(map(effect, each.values()))))


def _any(shared: Shared) -> Finding:
    return next(iter(shared.values()))


def _finding(contents: Contents, shared: Shared) -> HTML:
    finding = _any(shared)
    is_own = finding.role == "hyp"
    place = contents.names.index(next(iter(shared))) if is_own else None
    evidence = [
        join([element("dt", user_text(place)), element("dd", element("bdi", text, dir="auto"))])
        for place, text in finding.evidence
    ]
    badge = element("span", finding.severity, class_=f"badge {finding.severity}")
    column = element("small", user_text(next(iter(shared)) if is_own else finding.column))
    return element(
        "article",
        element("h3", badge, f" {finding.kind} ", column),
        element("p", finding.message),
        element("dl", *evidence) if evidence else None,
        element("p", links(finding.lines, place)) if finding.lines else None,
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
        systems = "all systems" if len(same) == len(repairs) else quantity(len(same), "other system")
        yield remark(f"Repair leaves {_any(shared).metric} of {systems} as it is")


def links(lines: Sequence[int], place: int | None = None) -> HTML | None:
    """Links to segments; with a place, the system at this place is shown."""
    if not lines:
        return None
    system = "" if place is None else f"&a={place}"
    parts: list[str] = []
    for line in lines[:_LINKS]:
        parts += [", ", element("a", str(line), href=f"#seg={line}{system}")]
    parts[0] = "segment " if len(lines) == 1 else "segments "
    more = len(lines) - _LINKS
    return element("span", *parts, f" and {more:,} more" if more > 0 else None)
