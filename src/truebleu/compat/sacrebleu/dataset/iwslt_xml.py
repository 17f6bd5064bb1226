# SPDX-License-Identifier: Apache-2.0
"""Test sets of IWSLT, whose files have WMT's old tags in them."""

from __future__ import annotations

from truebleu.compat.sacrebleu.dataset.fake_sgml import FakeSGMLDataset


class IWSLTXMLDataset(FakeSGMLDataset):
    """As `FakeSGMLDataset`."""
