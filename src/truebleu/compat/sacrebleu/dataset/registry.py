# SPDX-License-Identifier: Apache-2.0
"""Reads what is known of the test sets: `test_sets.toml`, `citations.bib` and `subsets.toml`."""

from __future__ import annotations

import os
import re

from truebleu.compat.sacrebleu.dataset.fake_sgml import FakeSGMLDataset, WMTAdditionDataset
from truebleu.compat.sacrebleu.dataset.iwslt_xml import IWSLTXMLDataset
from truebleu.compat.sacrebleu.dataset.plain_text import PlainTextDataset
from truebleu.compat.sacrebleu.dataset.tsv import TSVDataset
from truebleu.compat.sacrebleu.dataset.wmt_xml import WMTXMLDataset

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from truebleu.compat.sacrebleu.dataset.base import Dataset

_KINDS: dict[str, type[Dataset]] = {
    "text": PlainTextDataset,
    "sgml": FakeSGMLDataset,
    "sgml+text": WMTAdditionDataset,
    "iwslt": IWSLTXMLDataset,
    "xml": WMTXMLDataset,
    "tsv": TSVDataset,
}


def read_sets() -> dict[str, Dataset]:
    """The test sets by name, in sacreBLEU's order."""
    rows = _toml("test_sets.toml")
    entries = re.split(r"\n\n(?=@)", _text("citations.bib").strip())
    citations = {entry.partition("{")[2].partition(",")[0]: entry for entry in entries}
    return {name: _set(name, rows, citations) for name in rows}


def read_subsets() -> dict[str, dict[str, str]]:
    """Labels by document, by test set."""
    return {
        name: {document: label for label, names in row.items() for document in names.split()}
        for name, row in _toml("subsets.toml").items()
    }


def _set(name: str, rows: dict[str, Any], citations: dict[str, str]) -> Dataset:
    row = rows[name]
    row = rows.get(row.get("like"), {}) | row
    part = name.rpartition("/")[2]
    pairs = {
        pair: _files(pair, part, files) for names, *files in row["files"] for pair in names.split()
    }
    for pair, refs in row.get("refs_of", {}).items():
        pairs[pair] = {"path": pairs[pair][0], "refs": refs}
    return _KINDS[row["kind"]](
        name,
        data=[url.format(part=part) for url in row["data"]],
        description=row["description"],
        citation="\n\n".join(citations[key] for key in row["cite"]) if "cite" in row else None,
        md5=row["md5"],
        langpairs=pairs,
        **{key: row[key] for key in ("refs",) if key in row},
    )


def _files(pair: str, part: str, files: list[str]) -> Any:
    s, t = pair.split("-")
    return [file.format(s=s, t=t, x=s if t == "en" else t, part=part) for file in files]


def _toml(name: str) -> dict[str, Any]:
    import tomllib

    return tomllib.loads(_text(name))


def _text(name: str) -> str:
    with open(os.path.join(os.path.dirname(__file__), name), encoding="utf-8") as file:
        return file.read()
