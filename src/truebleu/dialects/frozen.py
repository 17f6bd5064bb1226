# SPDX-License-Identifier: Apache-2.0
"""The base class of immutable values in modules that `truebleu score` imports.

One rule for immutable values: a module that `truebleu score` imports derives them from `Frozen`,
because importing `dataclasses` would double the time of a cold process. Every other module uses
`dataclass(frozen=True, slots=True)`.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn


class Frozen:
    """Refuses to set or delete attributes; its constructor takes them by name.

    Constructors of values that each score has use `object.__setattr__`, which is faster.
    """

    __slots__ = ()

    def __init__(self, **values: Any) -> None:
        for name, value in values.items():
            object.__setattr__(self, name, value)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} is frozen; {name} cannot be set")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} is frozen; {name} cannot be deleted")
