# SPDX-License-Identifier: Apache-2.0
"""Base classes of results: text for people, the same in a notebook, and values for JSON."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from truebleu.text import html
from truebleu.text.json_text import for_json


class Printed:
    """A result with a method `format`: `str()` is its text, and a notebook shows it in color."""

    __slots__ = ()

    def format(self, *, color: bool = False) -> str:
        """The result as text; `color` is for terminals."""
        raise NotImplementedError

    def __str__(self) -> str:
        return self.format()

    def _repr_html_(self) -> str:
        return html.terminal(self.format(color=True))


class Record:
    """A dataclass whose fields are its JSON."""

    __slots__ = ()

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        return attributes(self, self.__dataclass_fields__)  # type: ignore[attr-defined]


def attributes(value: Any, names: Iterable[str]) -> dict[str, Any]:
    """Attributes of a value by name, ready for JSON."""
    return {name: plain(getattr(value, name)) for name in names}


def plain(value: Any) -> Any:
    """A value with all that it holds, ready for JSON: NaN is None, objects are their `to_dict()`.

    Example:
        >>> plain({"scores": (1.5, float("nan")), "name": "A"})
        {'scores': [1.5, None], 'name': 'A'}
    """
    if hasattr(value, "to_dict"):
        return value.to_dict()
    if isinstance(value, Mapping):
        return {name: plain(part) for name, part in value.items()}
    if isinstance(value, (list, tuple)):
        return list(map(plain, value))
    return for_json(value) if isinstance(value, float) else value
