# SPDX-License-Identifier: Apache-2.0
"""No public name changes by accident."""

import difflib

from support import public_names


def test_public_names_are_those_of_the_snapshot():
    expected = public_names.SNAPSHOT.read_text(encoding="utf-8").splitlines()
    changes = list(difflib.unified_diff(expected, list(public_names.lines()), lineterm="", n=0))
    assert not changes, (
        "public names have changed; if intended, run `python tests/support/public_names.py` and "
        "add a line to CHANGELOG.md:\n" + "\n".join(changes[2:])
    )


def test_the_snapshot_sees_what_users_call():
    listed = set(public_names.lines())
    for line in (
        "    corpus",
        "class truebleu.BLEU(dialect: str | Dialect = 'sacrebleu', *, threads: int | None = None",
        "truebleu.corpus_bleu(hyps: Any, refs: Any, dialect: str | Dialect = 'sacrebleu'",
        "truebleu.compat.nltk.sentence_bleu(references",
        "option max_ngram_order: int = 4",
        "dialect nltk-method4",
        "command sacrebleu",
        "    -tok, --tokenize",
    ):
        assert any(entry.startswith(line) for entry in listed), line
