# SPDX-License-Identifier: Apache-2.0
"""Compares scores of WMT's systems with how people judged them, for benchmarks/agreement.py.

    benchmarks/judgements.py CHECKOUT... FOLDER

A CHECKOUT is one of github.com/wmt-conference/wmt*-news-systems: outputs in txt/system-outputs,
references in txt/references, rankings anywhere in humaneval. Writes pairs.tsv.gz and systems.tsv.gz
to FOLDER, and lists what it leaves out. WMT21 and WMT22 take 20 minutes. Needs pandas.
"""

import re
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any
from unicodedata import category

import pandas as pd
from agreement import METRICS, changed

import truebleu as tb
from truebleu.campaigns.layouts import Layout
from truebleu.campaigns.sets import TestSet
from truebleu.dialects.languages import tokenizer

#: Three-letter codes of languages in rankings of the Appraise tool.
CODES = {
    "ben": "bn", "ces": "cs", "deu": "de", "eng": "en", "fra": "fr", "hau": "ha", "heb": "he",
    "hin": "hi", "hrv": "hr", "isl": "is", "jpn": "ja", "rus": "ru", "ukr": "uk", "xho": "xh",
    "zho": "zh", "zul": "zu",
}  # fmt: skip

#: Options of `compare` by the name of the column.
TRIALS: dict[str, dict[str, Any]] = {
    "base": {}, "lowercase": {"lowercase": True}, "char": {"tokenize": "char"}, "ref2": {},
    "no-punct": {}, "intl": {"tokenize": "intl"}, "all-typography": {"normalize": "typography"},
    "quotes": {"normalize": "quotes"},
    "chrf": {"metric": "chrf"}, "chrf++": {"metric": "chrf", "word_order": 2},
}  # fmt: skip

_APPRAISE = re.compile(r"(?m)\[(\w{3})-->(\w{3})\]|^-?[\d.]+ \('(.+?)', \d+, (-?[\d.e-]+), ")
_ASSESSED = re.compile(r"\S+ (-?[\d.e-]+) \d+ \d+ (.+?)(?:\.\d+)? *")
_HUMAN = re.compile(r"human|translator|ref", re.IGNORECASE)
_PUNCTUATION = dict.fromkeys(code for code in range(0x110000) if category(chr(code))[0] in "PS")

#: A test set with a list for each reference, and the mean standardized scores of its systems.
Judged = tuple[TestSet, dict[str, float]]


def bare(name: str) -> str:
    """A name of a system without case and marks, in which rankings and files differ."""
    return re.sub(r"[\W_]", "", name).casefold()


def rankings(checkout: Path, left_out: Callable[[str], None]) -> Iterator[tuple[str, str, float]]:
    """Pair, system and its score in every ranking."""
    for path in sorted(checkout.glob("humaneval/**/ad-sys-ranking-*-z.csv")):
        pair = path.name.removeprefix("ad-sys-ranking-").removesuffix("-z.csv")
        for line in path.read_text("utf-8").splitlines():
            if match := _ASSESSED.fullmatch(line):
                yield pair, match[2], float(match[1])
            else:
                left_out(f"{path}: no ranked system: {line}")
    for path in sorted(checkout.glob("humaneval/**/*.txt")):
        for source, target, name, score in _APPRAISE.findall(path.read_text("utf-8")):
            if source:
                pair = f"{CODES.get(source, source)}-{CODES.get(target, target)}"
            else:
                yield pair, name, float(score)


def read(checkout: Path, left_out: Callable[[str], None]) -> Iterator[Judged]:
    """The test sets of a checkout; `left_out` is told what cannot be used."""
    layout = Layout(checkout / "txt")
    for path, why in layout.unused:
        left_out(f"{path}: {why}")
    judged: dict[str, dict[str, tuple[str, float]]] = defaultdict(dict)
    for pair, name, human in rankings(checkout, left_out):
        judged[pair][bare(name)] = name, human
    for files in layout.sets:
        outputs, humans, ranked = {}, {}, judged[files.pair]
        for name, path in files.systems.items():
            if _HUMAN.match(name) or bare(name) not in ranked:
                left_out(f"{path}: not judged, or a human translation")
                continue
            _, humans[name] = ranked.pop(bare(name))
            try:
                outputs[name] = replace(files, systems={name: path}).read().systems[name]
            except tb.InputError as error:
                left_out(str(error))
        if len(outputs) > 1:
            refs = [tb.read_lines(path) for path in files.references]
            yield TestSet(files.name, refs, outputs, files.pair), humans
    for pair, systems in judged.items():
        for name, _ in systems.values():
            left_out(f"{checkout.name} {pair} {name}: judged, but has no output")


def pairs(texts: TestSet, humans: dict[str, float], resamples: int) -> Iterator[dict[str, Any]]:
    """A row for each pair of systems: how people and each setting see it."""
    tested, tokenize = {}, tokenizer(texts.pair)
    for column, options in TRIALS.items():
        refs = texts.refs[column == "ref2" :][:1]
        if not refs or (column == "intl" and tokenize != "13a"):
            continue
        table = _PUNCTUATION if column == "no-punct" else {}
        first, *systems = ([line.translate(table) for line in lines] for lines in (*refs, *texts.systems.values()))
        named = dict(zip(texts.systems, systems, strict=True))
        usual = {} if "metric" in options else {"tokenize": tokenize}
        tested[column] = tb.compare(named, first, resamples=resamples, robustness=False, **usual | options).pairs
    for i, pair in enumerate(tested["base"]):
        row = {"set": texts.name, "pair": texts.pair, "a": pair.a, "b": pair.b}
        row["human"] = humans[pair.a] - humans[pair.b]
        for column, results in tested.items():
            row |= {column: -results[i].difference, f"p:{column}": results[i].p}
        yield row


def scores(texts: TestSet, humans: dict[str, float]) -> Iterator[dict[str, Any]]:
    """A row for each system: its score under every dialect and further settings."""
    metrics = METRICS | {name: metric for name, (_, _, metric) in changed().items()}
    for name, hyps in texts.systems.items():
        row = {"set": texts.name, "pair": texts.pair, "system": name, "human": humans[name]}
        yield row | {key: metric.corpus(hyps, texts.refs[0]).value for key, metric in metrics.items()}


def main(checkouts: list[str], folder: str, resamples: int = 2000) -> list[str]:
    """Write the two files; returns what was left out, and why."""
    left_out: list[str] = []
    sets = [own for checkout in checkouts for own in read(Path(checkout), left_out.append)]
    files = {
        "pairs": chain.from_iterable(pairs(*own, resamples) for own in sets),
        # Most rows of the table need blanks between words.
        "systems": chain.from_iterable(scores(*own) for own in sets if tokenizer(own[0].pair) == "13a"),
    }
    for name, rows in files.items():
        path = Path(folder) / f"{name}.tsv.gz"
        pd.DataFrame(rows).to_csv(path, sep="\t", index=False, float_format="%.6g")
    return left_out


if __name__ == "__main__":
    print("\n".join(main(sys.argv[1:-1], sys.argv[-1])), file=sys.stderr)
