# SPDX-License-Identifier: Apache-2.0
"""The kernel in a page: WebAssembly, the scripts that call it, and what all pages share.

`make wasm` builds `kernel.wasm` from `crates/wasm`. It runs in a worker (`worker.js`), which
`kernel.js` calls; `options.js` resolves dialects and options from the table that this module writes
into the page.
"""

from __future__ import annotations

import json
import zlib
from base64 import b64encode
from collections.abc import Iterable, Sequence
from functools import cache
from hashlib import sha256
from importlib.resources import files
from string import Template
from typing import Any

from truebleu.charts.look import Look
from truebleu.dialects.decisions import IN_PYTHON, OPTIONS, SMOOTH_VALUES, Dialect
from truebleu.dialects.options import HIGHEST_ORDER
from truebleu.dialects.signature import KEYED
from truebleu.dialects.tools import DIALECTS
from truebleu.metrics.tokenizers import NATIVE, READ_CATEGORIES
from truebleu.text.html import HTML, element, join
from truebleu.version import __version__

#: The scripts of a page that uses the kernel, before its own.
SCRIPTS = ("options.js", "kernel.js")

#: Scripts of every page: elements and texts, light and dark, differences of texts.
PARTS = ("text.js", "theme.js", "difference.js")

#: Colors of systems, by their places in the palette: neither blue nor orange, which mean matches.
_HUES = (6, 2, 8, 9, 3, 11, 13)

#: The script of the worker.
_WORKER = ("worker.js", "text.js", "intervals.js")


def source(name: str, package: str = "truebleu.browser") -> str:
    """The text of a file of a package."""
    return files(package).joinpath(name).read_text(encoding="utf-8")


def style(own: str) -> str:
    """The style of a page: what all pages share, its own, and the colors that systems have in
    charts, on light and dark pages.
    """  # noqa: D205
    light, dark = (Look(colors=name).palette.systems for name in ("light", "dark"))
    hues = (_HUES[i % len(_HUES)] for i in range(len(light)))
    colors = (f"--s{i}: light-dark({light[hue]}, {dark[hue]});" for i, hue in enumerate(hues))
    return source("base.css") + own + f":root {{ {' '.join(colors)} }}\n"


def script(scripts: Iterable[str]) -> str:
    """The script of a page, in a scope of its own, which no element of the page can name."""
    return "'use strict';{\n" + "\n".join(scripts) + "}"


@cache
def kernel_elements() -> HTML:
    """The elements that `kernel.js` and `options.js` read."""
    wasm = files("truebleu.browser").joinpath("kernel.wasm").read_bytes()
    worker = "\n".join(map(source, _WORKER))
    if "</" in worker:
        raise ValueError("a script in a page cannot contain </")
    texts = {"wasm": packed(wasm, 9), "worker": worker}
    elements = [element("script", HTML(text), type="text/plain", id=f"kernel-{name}") for name, text in texts.items()]
    table = HTML(json_in_page(_table()))
    return join([*elements, element("script", table, type="application/json", id="kernel-table")])


def packed(data: bytes, level: int) -> str:
    """Base64 of zlib's format, in which there is no markup."""
    return b64encode(zlib.compress(data, level)).decode()


def json_in_page(value: Any) -> str:
    """JSON in ASCII that cannot end or open an element."""
    text = json.dumps(value, allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def page(template: str, styles: Sequence[str], scripts: Sequence[str], **parts: str) -> str:
    """A page from its template.

    Its style and script are the first ones; the others are those of a page that it opens, which has
    its permissions.
    """
    permissions = policy(styles, scripts) + "; frame-src blob:" * (len(styles) > 1)
    parts |= {"policy": permissions, "style": styles[0], "script": scripts[0], "version": __version__}
    return Template(template).substitute(parts)


def policy(styles: Iterable[str], scripts: Iterable[str]) -> str:
    """The permissions of a page: its own styles and scripts, the kernel in a worker, and images
    that it makes itself.
    """  # noqa: D205

    def digests(texts: Iterable[str]) -> str:
        hashes = (b64encode(sha256(text.encode()).digest()).decode() for text in texts)
        return " ".join(f"'sha256-{digest}'" for digest in hashes)

    return (
        f"default-src 'none'; script-src {digests(scripts)} 'wasm-unsafe-eval'; worker-src blob:; "
        f"style-src {digests(styles)}; img-src data: blob:; base-uri 'none'; form-action 'none'"
    )


def _table() -> dict[str, Any]:
    """The dialects and options for `options.js`."""
    return {
        "dialects": [
            {"name": row.name, "options": _changed(row),
             **{name: getattr(row, name) for name in ("version", "users", "quirks", "fixed")}}
            for row in DIALECTS.values()
        ],
        "options": [
            {"name": option.name, "part": option.part, "kind": option.kind.__name__,
             "default": option.default, "choices": option.choices, "least": option.least,
             "size": option.size, "help": option.help, "common": option.common}
            for option in OPTIONS.values()
            if option.name not in IN_PYTHON
        ],
        "highestOrder": HIGHEST_ORDER,
        "smoothValues": SMOOTH_VALUES,
        "native": [name for name in NATIVE if name != "nltk-line"],  # the module must be small
        "readCategories": READ_CATEGORIES,
        "keyed": sorted(KEYED),
    }  # fmt: skip


def _changed(row: Dialect) -> dict[str, Any]:
    """The options of a dialect that differ from the defaults."""
    return {k: v for k, v in row.options().items() if v != OPTIONS[k].default}
