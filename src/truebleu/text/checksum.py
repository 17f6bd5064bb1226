# SPDX-License-Identifier: Apache-2.0
"""Checksums of functions, by which signatures tell them apart."""

from __future__ import annotations

import pickle
from io import BytesIO
from types import CodeType, FunctionType
from typing import Any
from zlib import crc32


class _Contents(pickle.Pickler):
    """Pickles functions by their code and constants, not by their names."""

    def reducer_override(self, item: Any) -> Any:
        if isinstance(item, FunctionType):
            cells = [cell.cell_contents for cell in item.__closure__ or ()]
            return str, (item.__code__, item.__defaults__, item.__kwdefaults__, cells)
        if isinstance(item, CodeType):
            return str, (item.co_code, item.co_names, item.co_consts)
        return NotImplemented


def checksum(value: Any) -> str:
    """Eight digits that differ if functions in the value differ in their code or constants.

    They are the same in every process. Values that have no pickle have the checksum of their type.

    Example:
        >>> checksum(lambda text: text.lower()) == checksum(lambda text: text.lower())
        True
        >>> checksum(lambda text: text.lower()) == checksum(lambda text: text.upper())
        False
    """
    file = BytesIO()
    pickler = _Contents(file, protocol=4)
    pickler.fast = True  # equal values give equal bytes, whether or not they are one object
    try:
        pickler.dump(value)
    except Exception:  # noqa: BLE001  (a class may do anything)
        return checksum(type(value).__qualname__)
    return f"{crc32(file.getvalue()):08x}"
