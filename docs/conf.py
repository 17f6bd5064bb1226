# SPDX-License-Identifier: Apache-2.0
"""How Sphinx builds the site: `make docs`."""

from __future__ import annotations

from truebleu import __version__

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
