# SPDX-License-Identifier: Apache-2.0
"""Rows that scripts apply before scoring give what the scripts print."""

import pytest

from truebleu.text.normalizations import NORMALIZATIONS

#: Lines, and what normalize-punctuation.perl (mosesdecoder@34452895) prints with -l en and -l de.
MOSES = [
    ("Er sagte: „Ja“ ( und ging ) .", 'Er sagte: "Ja" (und ging).', 'Er sagte: "Ja" (und ging).'),
    ("«\xa0Non\xa0», dit-il ; l’homme d‘ici … 5\xa0% — ‘fin’.",
     "\"Non,\" dit-il; l'homme d'ici ... 5% - 'fin.\"",
     "\"Non\", dit-il; l'homme d'ici ... 5% - 'fin\"."),
    ("“Well,” he said. “We sold 1\xa0000 cars.” (all ): done",
     '"Well," he said. "We sold 1.000 cars." (all): done',
     '"Well", he said. "We sold 1,000 cars". (all): done'),
    ("nº\xa05 : 20\xa0ºC, 3 cm `quoted'' \"end\".",
     'nº 5: 20 ºC, 3 cm \'quoted " "end."', 'nº 5: 20 ºC, 3 cm \'quoted " "end".'),
]  # fmt: skip


@pytest.mark.parametrize(("line", "english", "german"), MOSES)
def test_moses_punctuation_is_that_of_its_script(line, english, german):
    assert NORMALIZATIONS["moses-punctuation"](line) == english
    assert NORMALIZATIONS["moses-punctuation-de"](line) == german


def test_hyphens_are_split_as_perl_splits_bytes():
    split = NORMALIZATIONS["at-splits"]
    assert split("rich-text – T-Ö-T A-B-C - x") == (
        "rich ##AT##-##AT## text – T ##AT##-##AT## Ö ##AT##-##AT## T A ##AT##-##AT## B-C - x"
    )
    assert split(split("rich-text")) == split("rich-text")
