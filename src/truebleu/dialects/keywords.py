# SPDX-License-Identifier: Apache-2.0
"""Words that CodeBLEU weighs more, by programming language (codebleu 0.7.0, `keywords/*.txt`)."""

import os

with open(os.path.join(os.path.dirname(__file__), "keywords.txt"), encoding="utf-8") as _file:
    _LINES = [line.partition(":") for line in _file]

KEYWORDS = {lang: tuple(words.split()) for lang, _, words in _LINES}
