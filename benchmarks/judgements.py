# SPDX-License-Identifier: Apache-2.0
"""Compares scores of WMT's systems with how people judged them, for benchmarks/agreement.py.

    benchmarks/judgements.py CHECKOUT... FOLDER

A CHECKOUT is one of github.com/wmt-conference/wmt*-news-systems: outputs in txt/system-outputs,
references in txt/references, rankings anywhere in humaneval. Writes pairs.tsv.gz and systems.tsv.gz
to FOLDER, and lists what it leaves out. WMT21 and WMT22 take a few minutes.
"""

import csv
import gzip
import io
import re
import sys
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import chain
from math import sqrt
from pathlib import Path
from typing import Any

from agreement import SETTINGS

import truebleu as tb
from truebleu.campaigns.layouts import find
from truebleu.campaigns.sets import SetFiles
from truebleu.dialects.languages import tokenizer

#: Three-letter codes of languages in rankings of the Appraise tool.
CODES = {
    "ben": "bn", "ces": "cs", "deu": "de", "eng": "en", "fra": "fr", "hau": "ha", "hin": "hi",
    "hrv": "hr", "isl": "is", "jpn": "ja", "rus": "ru", "ukr": "uk", "xho": "xh", "zho": "zh",
    "zul": "zu",
}  # fmt: skip

#: The standard deviation of a standardized judgement within a system, about.
DEVIATION = 0.8

_APPRAISE = re.compile(
    r"\[(\w{3})-->(\w{3})\]|^-?[\d.]+ \('(.+?)', (\d+), (-?[\d.e-]+), ", re.MULTILINE
)
_ASSESSED = re.compile(r"\S+ (-?[\d.e-]+) (\d+) \d+ (.+?)(?:\.\d+)? *")
_HUMAN = re.compile(r"human|translator|ref", re.IGNORECASE)
_PUNCTUATION: dict[int, None] = {
    code: None for code in range(0x110000) if unicodedata.category(chr(code))[0] in "PS"
}


@dataclass
class Judged:
    """A test set: references, outputs by system, and human scores with numbers of judgements."""

    name: str
    pair: str
    refs: list[list[str]]
    outputs: dict[str, list[str]]
    humans: dict[str, tuple[float, int]] = field(default_factory=dict)

    @property
    def tokenize(self) -> str:
        """The tokenizer of the target language."""
        return tokenizer(self.pair)


def bare(name: str) -> str:
    """A name of a system without case and marks, in which rankings and files differ."""
    return re.sub(r"[\W_]", "", name).casefold()


def rankings(
    checkout: Path, left_out: Callable[[str], None]
) -> Iterator[tuple[str, str, float, int]]:
    """Pair, system, mean standardized score and number of judgements of every ranking."""
    for path in sorted(checkout.glob("humaneval/**/ad-sys-ranking-*-z.csv")):
        pair = path.name.removeprefix("ad-sys-ranking-").removesuffix("-z.csv")
        for line in path.read_text("utf-8").splitlines():
            if match := _ASSESSED.fullmatch(line):
                score, count, name = match.groups()
                yield pair, name, float(score), int(count)
            else:
                left_out(f"{path}: no ranked system: {line}")
    for path in sorted(checkout.glob("humaneval/**/*clusters*.txt")):
        pair = ""
        for source, target, name, count, score in _APPRAISE.findall(path.read_text("utf-8")):
            if source:
                pair = f"{CODES.get(source, source)}-{CODES.get(target, target)}"
            else:
                yield pair, name, float(score), int(count)


def texts(files: SetFiles, left_out: Callable[[str], None]) -> Judged:
    """The references and outputs of a set, with the names WMT gives them."""
    year = re.sub(r"\D*20(\d\d)\D*", r"wmt\1", files.name)
    own = Judged(f"{year}{'flores' * files.name.startswith('flores')}", files.pair, [], {})
    paths = [(True, str(path), path) for path in files.references]
    paths += [(False, name, path) for name, path in files.systems.items()]
    for is_reference, name, path in paths:
        try:
            lines = tb.read_lines(path)
        except tb.InputError as error:
            left_out(str(error))
            continue
        if not is_reference and _HUMAN.match(name):
            left_out(f"{path}: a human translation")
        elif own.refs and len(lines) != len(own.refs[0]):
            left_out(f"{path}: {len(lines)} lines, not {len(own.refs[0])} as the reference")
        elif is_reference:
            own.refs.append(lines)
        elif own.refs:
            own.outputs[name] = lines
    return own


def read(checkout: Path, left_out: Callable[[str], None]) -> list[Judged]:
    """The test sets of a checkout; `left_out` is told about each file and system without use."""
    layout = find([checkout / "txt"])
    for path, why in layout.unused:
        left_out(f"{path}: {why}")
    ranked: dict[str, list[tuple[str, float, int]]] = defaultdict(list)
    for pair, *system in rankings(checkout, left_out):
        ranked[pair].append(system)
    sets = [texts(files, left_out) for files in layout.sets]
    for own in sets:
        names = {bare(name): name for name in own.outputs}
        for name, *human in ranked.pop(own.pair, ()):
            if bare(name) in names:
                own.humans[names[bare(name)]] = tuple(human)
            else:
                why = "a human translation" if _HUMAN.match(name) else "judged, but has no output"
                left_out(f"{own.name} {own.pair} {name}: {why}")
        for name in own.outputs.keys() - own.humans.keys():
            left_out(f"{own.name} {own.pair} {name}: not judged")
    for pair, systems in ranked.items():
        left_out(f"{checkout.name} {pair}: {len(systems)} systems were judged, but have no output")
    return [own for own in sets if len(own.humans) > 1]


def settings(tokenize: str) -> dict[str, dict[str, Any]]:
    """Options of `compare` by the name of the column."""
    base: dict[str, Any] = {"tokenize": tokenize}
    names = ("quotes", "dashes", "width", "digits", "nfkc", "spaces")
    return {
        "base": base,
        **{name: {**base, "normalize": name} for name in names},
        "all-typography": {**base, "normalize": "typography"},
        "no-punct": base,
        "lowercase": {**base, "lowercase": True},
        "char": {"tokenize": "char"},
        **({"intl": {"tokenize": "intl"}} if tokenize == "13a" else {}),
        "chrf": {"metric": "chrf"},
        "chrf++": {"metric": "chrf", "word_order": 2},
        "ref2": base,
    }


def pairs(own: Judged, resamples: int) -> Iterator[dict[str, Any]]:
    """A row for each pair of systems: how people and each setting see it."""
    tested = {}
    for column, options in settings(own.tokenize).items():
        refs, table = own.refs[0], _PUNCTUATION if column == "no-punct" else {}
        if column == "ref2":
            if len(own.refs) == 1:
                continue
            refs = own.refs[1]
        systems = {name: [hyp.translate(table) for hyp in own.outputs[name]] for name in own.humans}
        tested[column] = tb.compare(
            systems, [ref.translate(table) for ref in refs], resamples=resamples,
            robustness=False, **options,
        ).pairs  # fmt: skip
    for i, pair in enumerate(tested["base"]):
        (score_a, count_a), (score_b, count_b) = own.humans[pair.a], own.humans[pair.b]
        error = DEVIATION * sqrt(1 / count_a + 1 / count_b)
        row = {"set": own.name, "pair": own.pair, "a": pair.a, "b": pair.b,
               "human": round(score_a - score_b, 5), "human_error": f"{error:.6g}"}  # fmt: skip
        for column, results in tested.items():
            row[column] = f"{-results[i].difference:.6g}"
            row[f"p:{column}"] = f"{results[i].p:.6g}"
        yield row


def scores(own: Judged) -> Iterator[dict[str, Any]]:
    """A row for each system: its score under every dialect and further settings."""
    metrics: dict[str, Any] = {name: tb.BLEU(name) for name in tb.DIALECTS}
    metrics |= {name: tb.BLEU(**options) for name, options in SETTINGS.items()}
    metrics |= {"chrf": tb.CHRF(), "chrf++": tb.CHRF(word_order=2), "ter": tb.TER(),
                "gleu": tb.GLEU(), "nist": tb.NIST()}  # fmt: skip
    refs = own.refs[0]
    for name, (human, count) in own.humans.items():
        values = {key: metric.corpus(own.outputs[name], refs) for key, metric in metrics.items()}
        values["sb-mean"] = tb.BLEU().sentences(own.outputs[name], refs).mean()
        row = {key: f"{float(value):.6g}" for key, value in values.items()}
        yield {"set": own.name, "pair": own.pair, "system": name, "human": human,
               "judgements": count, **row}  # fmt: skip


def write(path: Path, rows: list[dict[str, Any]]) -> None:
    """Write rows as TSV, compressed, without the time; a missing value is empty."""
    text = io.StringIO(newline="")
    heads = dict.fromkeys(chain.from_iterable(rows))
    writer = csv.DictWriter(text, heads, restval="", delimiter="\t", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    path.write_bytes(gzip.compress(text.getvalue().encode(), mtime=0))


def main(checkouts: list[str], folder: str, resamples: int = 2000) -> list[str]:
    """Write the two files; returns what was left out, and why."""
    left_out: list[str] = []
    sets = [own for checkout in checkouts for own in read(Path(checkout), left_out.append)]
    write(Path(folder) / "pairs.tsv.gz", [row for own in sets for row in pairs(own, resamples)])
    with_blanks = [own for own in sets if own.tokenize == "13a"]
    write(Path(folder) / "systems.tsv.gz", [row for own in with_blanks for row in scores(own)])
    return left_out


if __name__ == "__main__":
    print("\n".join(main(sys.argv[1:-1], sys.argv[-1])), file=sys.stderr)
