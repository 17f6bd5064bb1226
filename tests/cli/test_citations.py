# SPDX-License-Identifier: Apache-2.0
"""`--cite` prints the BibTeX of what a command computes."""

import re

import pytest
from support.command import scored


@pytest.mark.parametrize(
    ("arguments", "keys"),
    [
        (["score"], ["papineni-etal-2002-bleu", "post-2018-call"]),
        (["score", "-d", "nltk"], ["papineni-etal-2002-bleu", "bird-etal-2009-nltk"]),
        (["score", "-m", "chrf", "-cw", "2"],
         ["popovic-2015-chrf", "post-2018-call", "popovic-2017-chrf"]),
        (["score", "-tok", "flores101"],
         ["papineni-etal-2002-bleu", "post-2018-call", "goyal-etal-2022-flores"]),
        (["score", "-tok", "nltk-line"],
         ["papineni-etal-2002-bleu", "post-2018-call", "bird-etal-2009-nltk"]),
        (["score", "-tok", "moses:de"],
         ["papineni-etal-2002-bleu", "post-2018-call", "koehn-etal-2007-moses"]),
        (["compare", "-m", "ter", "--test", "bootstrap"],
         ["snover-etal-2006-study", "post-2018-call", "koehn-2004-statistical",
          "westfall-young-1993-resampling"]),
        (["compare", "ref", "-i", "a", "b"],
         ["papineni-etal-2002-bleu", "post-2018-call", "riezler-maxwell-2005-pitfalls"]),
        (["compare", "--test", "sacrebleu-bootstrap", "-m", "gleu"],
         ["wu-etal-2016-gnmt", "koehn-2004-statistical", "holm-1979-procedure"]),
        (["campaign", "-m", "codebleu", "--correction", "bh"],
         ["ren-etal-2020-codebleu", "riezler-maxwell-2005-pitfalls",
          "benjamini-hochberg-1995-controlling"]),
    ],
    ids=lambda value: " ".join(value[1:]) if isinstance(value, list) else "",
)  # fmt: skip
def test_what_is_computed_is_cited(arguments, keys):
    text, remarks = scored(*arguments, "--cite")
    assert (remarks, re.findall(r"^@\w+\{(.+),$", text, re.MULTILINE)) == ("", ["truebleu", *keys])
    for entry in text.removesuffix("\n").split("\n\n"):
        assert entry.count("{") == entry.count("}")
        assert entry.endswith(",\n}")
