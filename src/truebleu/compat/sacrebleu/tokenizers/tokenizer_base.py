# SPDX-License-Identifier: Apache-2.0
"""What tokenizers derive from."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, ClassVar


class BaseTokenizer:
    """A function from a line to its tokens, joined by blanks; with a name for signatures."""

    #: The kernel's name of the tokenizer, and the `__call__` that it is equal to.
    _native: ClassVar[tuple[str, Callable[..., Any]] | None] = None

    def signature(self) -> Any:
        """The name in signatures."""
        raise NotImplementedError

    def __call__(self, line: Any) -> Any:
        """The tokens of a line."""
        raise NotImplementedError
