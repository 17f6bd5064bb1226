# SPDX-License-Identifier: Apache-2.0
"""The page as one file: markup, style, script and the kernel, and nothing to load."""

from __future__ import annotations

from dataclasses import fields
from urllib.parse import urlencode

from truebleu import browser
from truebleu.analysis.compare import SEED
from truebleu.analysis.diff.waterfall import HEADS
from truebleu.analysis.explain.worksheet import GUARDS, OUTCOMES, PENALTIES, PRECISIONS, SMOOTHINGS
from truebleu.dialects.decisions import PARTS
from truebleu.metrics.steps import OrderSteps, Steps
from truebleu.report.page import empty_page, sources
from truebleu.text.html import HTML, element, join

#: The script, in the order in which its parts use each other.
_SCRIPTS = ("state", "results", "formula", "panels", "options", "tools", "report", "files", "page")

#: The tools that public code uses most, by the census of the dialects, in a sentence each.
COMMON = {
    "nltk": "Code on dialogue, course work. Splits at spaces; almost 0 if an order has no match.",
    "sacrebleu": "Papers on machine translation, WMT. Splits punctuation off words; smooths.",
    "hf-bleu": "Hugging Face's evaluate. Splits punctuation off words; 0 if an order has no match.",
    "coco-caption": "Captions, data-to-text. Splits at spaces; almost 0 if an order has no match.",
    "multi-bleu": "Papers up to 2018, Moses. Splits at spaces; 0 if an order has no match.",
    "llama-factory": "Fine-tuning of language models. The mean of segments, on characters.",
    "code-summary": "Papers that summarize code. The mean of segments; adds 1 to most counts.",
    "torchmetrics": "Training loops in PyTorch. Splits at spaces; 0 if an order has no match.",
}

_FERRY = (
    "the ferry crosses the wide river at seven in the morning",
    "every morning at seven the ferry goes across the river",
)

#: Texts to begin with: their names, and what the address holds. The first is shown at first.
EXAMPLES: dict[str, dict[str, str | list[str]]] = {
    "A ferry": {"hyp": "The ferry crosses the river at seven every morning.", "ref": [
        "The ferry crosses the wide river at seven in the morning.",
        "Every morning at seven, the ferry goes across the river.",
    ]},
    "Clipping": {"hyp": "the the the the the the the", "ref": list(_FERRY), "order": "1"},
    "Too short": {"hyp": "the ferry crosses the", "ref": list(_FERRY), "tool": "papineni-2002"},
    "Smoothing": {
        "hyp": "the boat crosses a river every morning", "ref": list(_FERRY), "with": "nltk",
    },
    "Three segments": {
        "hyp": "The ferry is late today.\nWe wait on the quay.\nIt comes!",
        "ref": ["The ferry is late today.\nWe are waiting at the quay.\nHere it comes!"],
    },
    "Entities": {
        "hyp": "Fish &amp; chips cost 3.50 (at the quay)", "with": "mteval-v13a",
        "ref": ["Fish & chips cost 3.50 (on the quay)"],
    },
    "Chinese": {
        "hyp": "渡轮每天早上七点过河。", "ref": ["渡轮每天早晨七点渡河。"], "tokenize": "zh",
    },
}  # fmt: skip


def page() -> str:
    """The playground, as HTML."""
    style = browser.style(_source("page.css"))
    shared = (*browser.PARTS, *browser.SCRIPTS)
    script = browser.script([*map(browser.source, shared), *(_source(f"{name}.js") for name in _SCRIPTS)])
    styles, scripts = zip((style, script), sources(), strict=True)
    return browser.page(
        _source("page.html"),
        styles,
        scripts,
        contents=join(element("a", part.__name__, href=f"#{part.__name__.lower()}") for part in PARTS),
        examples=join(element("a", name, href=f"#{link(**texts)}") for name, texts in EXAMPLES.items()),
        panels=join(_panel(number, part) for number, part in enumerate(PARTS, start=1)),
        kernel=browser.kernel_elements(),
        facts=browser.json_in_page(
            {
                "heads": HEADS,
                "penalties": PENALTIES,
                "precisions": PRECISIONS,
                "smoothings": SMOOTHINGS,
                "outcomes": OUTCOMES,
                "guards": GUARDS,
                "steps": _names(Steps)[:-1],
                "orderSteps": _names(OrderSteps),
                "report": empty_page("BLEU report"),
                "seed": SEED,
                "common": COMMON,
            }
        ),
    )


def link(**state: str | list[str]) -> str:
    """What follows the # in an address of the playground.

    Args:
        state: `hyp` and `ref`, with a line for each segment; `tool` and `with`, two dialects;
            options of the tool by name; the `order` and the `segment` to show.
    """
    return urlencode(state, doseq=True)


def _names(steps: type) -> list[str]:
    return [field.name for field in fields(steps)]


def _source(name: str) -> str:
    return browser.source(name, "truebleu.playground")


def _panel(number: int, part: type) -> HTML:
    """A decision: its question, its result, which the script draws, and its options."""
    name = part.__name__
    heading = element("h2", element("span", str(number), class_="step"), name, id=f"{name}-heading")
    question = element("p", (part.__doc__ or "").partition("\n")[0], class_="question")
    head = element("header", heading, question, element("span", class_="moved", hidden=True))
    summary = element("summary", "Options")
    options = element("details", summary, element("div", class_="fields"), class_="options")
    attributes = {"class_": "panel", "aria_labelledby": f"{name}-heading", "data_part": name.lower()}
    return element("section", head, element("div", class_="sides"), options, id=name.lower(), **attributes)
