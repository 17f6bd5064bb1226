# SPDX-License-Identifier: Apache-2.0
"""The table of dialects at the command line."""

import json

from support.command import in_process, truebleu

from truebleu import DIALECTS
from truebleu.dialects.uses import uses


def names(*words):
    return [entry["name"] for entry in json.loads(truebleu("dialects", *words, "-f", "json"))]


def test_words_select_the_rows_that_mention_all_of_them():
    assert names() == [*DIALECTS, *uses()]
    assert "coco-caption" in names("caption")
    assert "coco-caption" not in names("caption", "homework") == ["mlds-bleu1"]
    perl = [name for name in DIALECTS if "perl" in DIALECTS[name].source.lower()]
    assert names("PERL") == perl


def test_a_name_shows_its_row_in_full():
    shown = truebleu("dialects", "multiwoz").decode()
    assert "users    the MultiWOZ benchmark" in shown
    assert "  tokenize                  markers  (sacrebleu: 13a)" in shown


def test_words_that_no_row_mentions_are_an_error():
    done = in_process("dialects", "coco-captoin")
    assert done.returncode == 2
    assert "captoin'; did you mean coco-caption?" in done.stderr.decode()


SEARCHED = (
    "opik mlflow ragas lighteval unitxt vec2text trulens seamless bigcode lm-eval helm promptfoo "
    "langsmith nemo espnet allennlp haystack h2o lmms-eval fairseq2 r2gen swift"
)


def test_names_that_people_search_are_answered_with_a_line():
    for word in SEARCHED.split():
        shown = truebleu("dialects", word).decode()
        assert word in shown.lower()
        assert "tb." in shown or word in DIALECTS, word
    shown = truebleu("dialects", "fairseq2").decode()
    assert 'tb.corpus_bleu(hyps, refs, use="fairseq2")' in shown
    assert "truebleu score REF -i HYP -d fairseq2" in shown
    assert "sacreBLEU without smoothing" in shown
    assert "wrong shape" in truebleu("dialects", "ragas").decode()
