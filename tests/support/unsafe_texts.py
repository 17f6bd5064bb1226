# SPDX-License-Identifier: Apache-2.0
"""Texts with a meaning of their own in HTML, SVG, LaTeX, Markdown or a terminal."""

import re

#: Characters that no output may contain: control characters except line feeds and tabs, and those
#: that change the direction of text.
RAW = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")

ATTACKS = {
    "script": "<script>alert(1)</script>", "image": "<img src=x onerror=alert(1)>",
    "attribute": '" onmouseover="alert(1)" style=\'color:red\'',
    "cdata": "]]></text><script>alert(1)</script><!--",
    "entity": "&lt;b&gt;&amp;&#x3c;script&#x3e;", "template": "${alert(1)} {{constructor}} #{7*7}",
    "expression": "datum.value + width", "color": "\x1b[31mred\x1b[2J",
    "title": "\x1b]0;title\x07\x1b]8;;http://example.org\x1b\\link", "c1": "\x9b31m\x85\x90",
    "rewritten": "good\rbad\x08\x08\x7f", "bidi": "abc\u202edef\u2066ghi",
    "line feed": "one\ntwo\r\nthree\u2028four\x0bfive", "nul": "a\x00b", "surrogate": "a\ud800b",
    "latex": '\\input{/etc/passwd}%\n\\end{tabular} [2em] $x^2_1$ #1 ~ "a" `b`',
    "bracket": "[2em]*",
    "markdown": "**b** _i_ `c` [l](javascript:alert(1)) ![i](http://example.org/i.png) | ~~s~~",
    "pipes": "a\\|b\\\\|c|d\\",
    "link": "<http://example.org> www.example.org mailto:a@example.org", "list": "- # 1. > +",
    "comment": "<!-- --> --%> {#", "combining": "z\u0351\u036b\u0343\u036a\u0302a\u0325",
    "wide": "系统一号" * 12,
}  # fmt: skip
ALL = list(ATTACKS.values())
