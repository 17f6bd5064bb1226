# SPDX-License-Identifier: Apache-2.0
"""Options, each declared once, and parts: frozen values with an attribute for each option.

Not dataclasses: importing them takes 12 ms, more than the rest of a `truebleu score` process.
"""

from __future__ import annotations

from truebleu.dialects.frozen import Frozen
from truebleu.errors import OptionError, check_int, describe, suggest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, ClassVar, Self, dataclass_transform
else:

    def dataclass_transform(**_: object) -> Callable[[type], type]:
        """Tells type checkers, and no one else, how `Part` makes constructors."""
        return lambda cls: cls


class Option:
    """The declaration of one option.

    Attributes:
        name: its name in the API; with hyphens, on the command line.
        part: which of the five decisions it belongs to.
        kind: the type of its value.
        default: its value where a dialect does not say otherwise.
        choices: the values it can have; empty if any value of its kind will do.
        help: one line.
        flags: more names on the command line.
        least: the smallest whole number it can be.
    """

    __slots__ = ("choices", "default", "flags", "help", "kind", "least", "name", "part")

    def __init__(
        self,
        default: Any,
        kind: type,
        choices: tuple[str, ...],
        help: str,
        flags: tuple[str, ...],
        least: int = 1,
    ) -> None:
        self.name = self.part = ""
        self.default = default
        self.kind = kind
        self.choices = choices
        self.least = least
        self.help = help
        self.flags = flags

    def check(self, value: Any) -> Any:
        """Return `value`, or raise OptionError if the option cannot have it."""
        if self.kind is bool and _is_scalar(value) and value in (True, False):
            return bool(value)
        if self.kind is str and isinstance(value, str):
            if self.choices and value not in self.choices:
                raise OptionError(f"{self.name} cannot be {suggest(value, self.choices)}")
            return value
        if self.kind is int:
            return check_int(self.name, value, self.least, _MOST)
        optional = value is None and self.default is None
        if self.kind is float and (optional or _is_real(value)):
            if value is not None and not 0 <= value <= _LARGEST:
                raise OptionError(f"{self.name} cannot be {value}; it must be 0 or more")
            return None if value is None else float(value)
        if self.kind is tuple:
            return _check_weights(self.name, value)
        raise OptionError(
            f"{self.name} cannot be {describe(value)}; it must be {_KINDS[self.kind]}"
        )


#: The highest n-gram order: work grows with it even for short segments.
_MOST = 1000

#: The largest number that a float can be; Python's integers go on behind it.
_LARGEST = 1.7976931348623157e308

_KINDS = {bool: "true or false", str: "a name", float: "a number"}


def _is_scalar(value: object) -> bool:
    """Whether it compares to a truth value: an array compares to many."""
    shape = getattr(value, "shape", None)
    return not hasattr(value, "__len__") if shape is None else shape == ()


def _is_real(value: object) -> bool:
    is_number = hasattr(value, "__float__") and not isinstance(value, (str, bytes, bool))
    return is_number and _is_scalar(value)


def _check_weights(name: str, value: Any) -> tuple[float, ...] | None:
    if value is None:
        return None
    try:
        weights = tuple(float(weight) for weight in value)
    except (TypeError, ValueError, OverflowError):
        raise OptionError(
            f"{name} cannot be {describe(value)}; give one number for each order"
        ) from None
    if (
        not weights
        or not all(0 <= weight < float("inf") for weight in weights)
        or sum(weights) == 0
    ):
        raise OptionError(
            f"{name} cannot be {describe(value)}; weights are 0 or more, one at least is not 0"
        )
    return weights


def option(
    *,
    default: Any,
    help: str,
    kind: type | None = None,
    choices: tuple[str, ...] = (),
    least: int = 1,
    flags: tuple[str, ...] = (),
) -> Any:
    """Declare an option of a part."""
    return Option(default, kind or type(default), choices, help, flags, least)


@dataclass_transform(kw_only_default=True, frozen_default=True, field_specifiers=(option,))
class Part(Frozen):
    """One decision: a frozen value with one attribute for each option."""

    options: ClassVar[tuple[Option, ...]] = ()

    def __init_subclass__(cls) -> None:
        declared = {k: v for k, v in vars(cls).items() if isinstance(v, Option)}
        for name, declaration in declared.items():
            declaration.name = name
            declaration.part = cls.__name__.lower()
            delattr(cls, name)
        cls.options = tuple(declared.values())

    def __init__(self, **values: Any) -> None:
        for declared in self.options:
            value = declared.check(values.pop(declared.name, declared.default))
            object.__setattr__(self, declared.name, value)
        for name in values:
            names = [declared.name for declared in self.options]
            raise OptionError(f"{type(self).__name__} has no option {suggest(name, names)}")

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and vars(other) == vars(self)

    def __hash__(self) -> int:
        return hash((type(self), *vars(self).values()))

    def __repr__(self) -> str:
        changed = (
            f"{o.name}={getattr(self, o.name)!r}"
            for o in self.options
            if getattr(self, o.name) != o.default
        )
        return f"{type(self).__name__}({', '.join(changed)})"

    def replace(self, **changes: Any) -> Self:
        """The same part with some options changed."""
        return type(self)(**{**vars(self), **changes})
