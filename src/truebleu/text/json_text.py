# SPDX-License-Identifier: Apache-2.0
"""Values as JSON that a terminal can show."""

from __future__ import annotations

import math

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

#: Control characters that JSON need not escape, characters that reorder or hide text, surrogates.
_ESCAPED = "[\x7f-\x9f\xad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\ud800-\udfff]"


def json_text(value: Any) -> str:
    r"""`value` as indented JSON; letters stay as they are, control characters are escaped.

    NaN and infinity, which not all readers accept, are a ValueError: see `for_json`.

    Example:
        >>> print(json_text({"\u4e2d": "\x1b[31m \u202e"}))
        {
         "中": "\u001b[31m \u202e"
        }
    """
    import json  # these two take longer than a score
    import re

    text = json.dumps(value, indent=1, ensure_ascii=False, allow_nan=False)
    return re.sub(_ESCAPED, lambda match: f"\\u{ord(match[0]):04x}", text)


def for_json(value: float | None) -> float | None:
    """`value`, or None if it is NaN or infinite, which JSON cannot write."""
    return value if value is not None and math.isfinite(value) else None
