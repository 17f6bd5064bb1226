# SPDX-License-Identifier: Apache-2.0
"""Charts in the page."""

from __future__ import annotations

from truebleu.report.markup import Markup

TYPE_CHECKING = False
if TYPE_CHECKING:
    from truebleu.report.contents import Contents
    from truebleu.report.divisions import Division


def scores(contents: Contents) -> Markup:
    return Markup("")


def differences(contents: Contents) -> Markup:
    return Markup("")


def precisions(contents: Contents) -> Markup:
    return Markup("")


def losses(contents: Contents) -> Markup:
    return Markup("")


def division(contents: Contents, division: Division) -> Markup:
    return Markup("")
