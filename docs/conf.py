# SPDX-License-Identifier: Apache-2.0
"""How Sphinx builds the site: `make docs`."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from truebleu import __version__, write_playground
from truebleu.playground.page import link

if TYPE_CHECKING:
    from sphinx.application import Sphinx

project = "TrueBLEU"
author = "the TrueBLEU developers"
project_copyright = "the TrueBLEU developers, Apache-2.0"
version = release = __version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
source_suffix = {".md": "markdown"}
exclude_patterns = ["static"]
smartquotes = False  # or "--flag" would become a dash

# Headings are link targets, as on GitHub: `dialects.md#nltk`.
myst_heading_anchors = 3
myst_enable_extensions = ["colon_fence", "deflist"]

# A name in a docstring becomes a link if it has a target, else code.
default_role = "py:obj"
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_preserve_defaults = True
python_use_unqualified_type_names = True
maximum_signature_line_length = 88
add_module_names = False
napoleon_google_docstring = True
napoleon_numpy_docstring = False
napoleon_use_ivar = True  # one list; else each attribute takes three lines

html_theme = "furo"
html_title = "TrueBLEU"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_js_files = ["filter.js"]
html_copy_source = False
html_show_sourcelink = False
html_show_sphinx = False
# Sphinx fetches excerpts for search results, which browsers refuse on pages opened from disk.
html_show_search_summary = False


#: Directives for the site are comments, so that a page is whole where it is read in the repository.
HIDDEN = re.compile(r"^<!--(\{.*?)-->$", re.MULTILINE | re.DOTALL)


def _uncover(_app: Sphinx, _page: str, source: list[str]) -> None:
    """Makes directives of a page's comments."""
    source[0] = HIDDEN.sub(r"```\1```", source[0])


class Try(SphinxDirective):
    """A link into the playground: lines such as `hyp: TEXT`, `ref 1: TEXT` and `tool: NAME`.

    Lines of the same name are the segments of a text.
    """

    has_content = True

    def run(self) -> list[nodes.Node]:
        """The paragraph with the link."""
        state: dict[str, list[str]] = {}
        for line in self.content:
            name, _, text = line.partition(": ")
            state.setdefault(name, []).append(text)
        texts = {name: "\n".join(lines) for name, lines in state.items()}
        refs = [text for name, text in texts.items() if name.startswith("ref")]
        others = {name: text for name, text in texts.items() if not name.startswith("ref")}
        address = "../" * self.env.docname.count("/") + f"try.html#{link(**others, ref=refs)}"
        reference = nodes.reference("", "Try it in the playground", refuri=address)
        return [nodes.paragraph("", "", reference, classes=["try"])]


def _add_playground(app: Sphinx, error: Exception | None) -> None:
    """Writes the playground itself into the site, beside the page about it."""
    if error is None and app.builder.format == "html":
        write_playground(Path(app.outdir) / "try.html", force=True)


def setup(app: Sphinx) -> dict[str, Any]:
    """What Sphinx calls."""
    app.connect("source-read", _uncover)
    app.add_directive("try", Try)
    app.connect("build-finished", _add_playground)
    return {"parallel_read_safe": True}
