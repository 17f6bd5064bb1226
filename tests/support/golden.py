# SPDX-License-Identifier: Apache-2.0
"""Scores of other tools, recorded in `shared/golden`."""

import csv
import gzip

from support.profiles import SLOW


def golden(shared, name):
    """The rows of a file."""
    with gzip.open(shared / "golden" / name, "rt", encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def sample(rows, every):
    """All rows, or for `make test` those of one in `every` systems."""
    systems = sorted({(row["set"], row["pair"], row["system"]) for row in rows})
    kept = set(systems if SLOW else systems[::every])
    return [row for row in rows if (row["set"], row["pair"], row["system"]) in kept]
