# SPDX-License-Identifier: Apache-2.0
"""Values as JSON that a terminal may show."""

from __future__ import annotations

import json
import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

#: Control characters that JSON need not escape, and those that turn or hide the text around them.
_ESCAPED = re.compile(
    "[\x7f-\x9f\xad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]"
    "|[\ud800-\udfff]"
)


def json_text(value: Any, *, allow_nan: bool = True) -> str:
    r"""`value` as indented JSON, with all letters as they are and all control characters escaped.

    Args:
        value: dicts, lists, text, numbers.
        allow_nan: whether what is no number may be in it, as NaN, which not all readers know.

    Raises:
        ValueError: it holds what is no number, and may not.

    Example:
        >>> print(json_text({"\u4e2d": "\x1b[31m \u202e"}))
        {
         "中": "\u001b[31m \u202e"
        }
    """
    text = json.dumps(value, indent=1, ensure_ascii=False, allow_nan=allow_nan)
    return _ESCAPED.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
