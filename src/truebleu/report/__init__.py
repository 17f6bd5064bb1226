# SPDX-License-Identifier: Apache-2.0
"""A comparison as one page: scores, charts, findings and every segment, to send to a colleague."""

from __future__ import annotations

import os

from truebleu.errors import OptionError, describe
from truebleu.report.charts import check_libraries
from truebleu.report.contents import gather
from truebleu.report.page import page
from truebleu.text.atomic import check_output, write_whole

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from truebleu.dialects.decisions import Dialect
    from truebleu.metrics.bleu import BLEU


def write_report(
    path: str | os.PathLike[str],
    systems: Mapping[str, Any] | Iterable[tuple[str, Any]],
    refs: Any,
    dialect: str | Dialect | BLEU = "sacrebleu",
    *,
    title: str = "BLEU report",
    force: bool = False,
    **options: Any,
) -> None:
    """Write a page about one system or several: one file that needs no network.

    Args:
        path: of the file.
        systems: hypotheses by the system's name, as for `BLEU.corpus`, but no token ids.
        refs: as for `BLEU.corpus`.
        dialect: whose score it is about.
        title: of the page.
        force: replace a file that is there.
        options: `srcs`, the sources; `documents` and `groups`, a label for each segment, of which
            documents are what the tests draw; `metrics`, such as `[CHRF(), TER()]`, to be shown
            beside; `ref_names`, what the findings call the references; `test`, `resamples`,
            `seed`, `alpha`, `threads` and `progress`, as for `compare`; `comparison`, if that was
            made already; and options of the dialect
            to change.

    Raises:
        InputError: there is no system, or texts are not aligned or none.
        OptionError: the file cannot be written or exists, or an option does not exist
            or cannot have this value.
        MissingExtraError: charts need the libraries of the extra `report`.

    Example:
        >>> from truebleu import write_report
        >>> hyps = {"A": ["the cat sat", "it is late"], "B": ["a cat sat", "it was late"]}
        >>> write_report("report.html", hyps, ["the cat sat", "it is late"])
    """
    if not isinstance(title, str):
        raise OptionError(f"title cannot be {describe(title)}; it must be a string")
    target = os.fspath(path)
    check_output(target, force=force)
    check_libraries()
    write_whole(
        target, page(gather(systems, refs, dialect, **options), title).encode(), force=force
    )
