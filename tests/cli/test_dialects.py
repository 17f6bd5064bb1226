# SPDX-License-Identifier: Apache-2.0
"""The table of dialects at the command line."""

import json

from support.command import in_process, truebleu

from truebleu import DIALECTS


def names(*words):
    return [entry["name"] for entry in json.loads(truebleu("dialects", *words, "-f", "json"))]


def test_words_select_the_rows_that_mention_all_of_them():
    assert names() == list(DIALECTS)
    assert "coco-caption" in names("caption")
    assert "coco-caption" not in names("caption", "homework") == ["mlds-bleu1"]
    assert names("PERL") == [name for name in names() if "perl" in DIALECTS[name].source.lower()]


def test_a_name_shows_its_row_in_full():
    shown = truebleu("dialects", "multiwoz").decode()
    assert "users    the MultiWOZ benchmark" in shown
    assert "  tokenize                  markers  (sacrebleu: 13a)" in shown


def test_words_that_no_row_mentions_are_an_error():
    done = in_process("dialects", "coco-captoin")
    assert done.returncode == 2
    assert "captoin'; did you mean coco-caption?" in done.stderr.decode()
