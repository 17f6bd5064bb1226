# SPDX-License-Identifier: Apache-2.0
"""Every public name with its kind and signature, one per line.

After an intended change, `python tests/support/public_names.py` writes them to
tests/golden/api.txt, and CHANGELOG.md tells what changed.
"""

import dataclasses
import inspect
from importlib import import_module
from pathlib import Path

SNAPSHOT = Path(__file__).parent.parent / "golden" / "api.txt"

#: Modules that users import. Without `__all__`, what a module defines itself is public.
MODULES = [
    "truebleu", "truebleu.spec", "truebleu.charts", "truebleu.compat.nltk",
    "truebleu.integrations.batches", "truebleu.integrations.ray", "truebleu.integrations.spark",
    "truebleu.integrations.duckdb", "truebleu.integrations.huggingface",
    "truebleu.integrations.pandas", "truebleu.integrations.polars",
    "truebleu.integrations.torchmetrics",
]  # fmt: skip

#: Operators and protocols that are as public as methods.
PROTOCOLS = {
    "__add__", "__array__", "__arrow_c_array__", "__arrow_c_schema__", "__arrow_c_stream__",
    "__call__", "__contains__", "__enter__", "__exit__", "__float__", "__getitem__", "__int__",
    "__iter__", "__len__", "__radd__",
}  # fmt: skip


def shape(function):
    """The parameters of a function, to compare with those of another tool's."""
    parameters = inspect.signature(function).parameters.values()
    return [(parameter.name, parameter.kind, parameter.default) for parameter in parameters]


def lines():
    """All names, in the order of the modules; options, dialects and flags are on written pages."""
    for name in MODULES:
        module = import_module(name)
        for public in sorted(_public(module)):
            yield from _described(f"{name}.{public}", getattr(module, public))


def _public(module):
    named = getattr(module, "__all__", None)
    if named is not None:
        return [name for name in named if not inspect.ismodule(getattr(module, name))]
    return [
        name
        for name, value in vars(module).items()
        if not name.startswith("_") and getattr(value, "__module__", None) == module.__name__
    ]


def _described(name, value):
    if not inspect.isclass(value):
        if inspect.isroutine(value):
            yield f"{name}{_signature(value)}"
        else:
            yield f"{name}: {type(value).__name__}"
        return
    # What errors and counters are made of is Python's.
    ours = value.__module__.startswith("truebleu") and not issubclass(value, Exception)
    yield f"class {name}{_signature(value) if ours else ''}"
    for member, kind in sorted(_members(value).items()):
        yield f"    {member}{kind}"


def _members(cls):
    """Members of a class that are ours, with what they are."""
    members = {}
    for base in reversed(cls.__mro__):
        if not base.__module__.startswith("truebleu"):
            continue
        fields = [*inspect.get_annotations(base), *_slots(base)]
        if dataclasses.is_dataclass(base):
            fields += [field.name for field in dataclasses.fields(base)]
        members.update({field: "" for field in fields if not field.startswith("_")})
        for name, value in vars(base).items():
            if (name.startswith("_") and name not in PROTOCOLS) or inspect.ismemberdescriptor(value):
                continue
            inner = value.__func__ if isinstance(value, (classmethod, staticmethod)) else value
            members[name] = _signature(inner) if inspect.isroutine(inner) else ""
    return members


def _slots(cls):
    slots = cls.__dict__.get("__slots__", ())
    return (slots,) if isinstance(slots, str) else slots


def _signature(value):
    signature = inspect.signature(value)
    parts = []
    kinds = [parameter.kind for parameter in signature.parameters.values()]
    for i, parameter in enumerate(signature.parameters.values()):
        if parameter.kind is parameter.KEYWORD_ONLY and (not i or kinds[i - 1] is parameter.POSITIONAL_OR_KEYWORD):
            parts.append("*")
        stars = {parameter.VAR_POSITIONAL: "*", parameter.VAR_KEYWORD: "**"}
        text = stars.get(parameter.kind, "") + parameter.name
        if isinstance(parameter.annotation, str):
            text += f": {parameter.annotation}"
        if parameter.default is not parameter.empty:
            # A function has no text that is the same twice.
            text += " = ..." if callable(parameter.default) else f" = {parameter.default!r}"
        parts.append(text)
    returns = signature.return_annotation
    return f"({', '.join(parts)})" + (f" -> {returns}" if isinstance(returns, str) else "")


def text():
    """The snapshot."""
    return "".join(f"{line}\n" for line in lines())


if __name__ == "__main__":
    SNAPSHOT.write_text(text(), encoding="utf-8")
