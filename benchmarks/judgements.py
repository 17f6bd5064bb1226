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
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import chain
from math import sqrt
from pathlib import Path
from typing import Any

import truebleu as tb
from truebleu.text.normalizations import normalizations

#: Three-letter codes of languages in rankings of the Appraise tool.
CODES = {
    "ben": "bn", "ces": "cs", "deu": "de", "eng": "en", "fra": "fr", "hau": "ha", "hin": "hi",
    "hrv": "hr", "isl": "is", "jpn": "ja", "rus": "ru", "ukr": "uk", "xho": "xh", "zho": "zh",
    "zul": "zu",
}  # fmt: skip
TOKENIZERS = {"zh": "zh", "ja": "ja-mecab"}

#: The standard deviation of a standardized judgement within a system, about.
DEVIATION = 0.8

_OUTPUT = re.compile(r"(\w+?)(20\d\d)\.(\w+-\w+)\.(hyp|ref)\.(.+)\.\w+")
_APPRAISE = re.compile(
    r"\[(\w{3})-->(\w{3})\]|^-?[\d.]+ \('(.+?)', (\d+), (-?[\d.e-]+), ", re.MULTILINE
)
_ASSESSED = re.compile(r"\S+ (-?[\d.e-]+) (\d+) \d+ (.+?)(?:\.\d+)? *")
_HUMAN = re.compile(r"human|translator|ref", re.IGNORECASE)
_PUNCTUATION = {code: None for code in range(0x110000) if unicodedata.category(chr(code))[0] == "P"}


@dataclass
class TestSet:
    """A test set: references and outputs by name, and system scores with numbers of judgements."""

    name: str
    pair: str
    refs: dict[str, list[str]] = field(default_factory=dict)
    outputs: dict[str, list[str]] = field(default_factory=dict)
    judged: dict[str, tuple[float, int]] = field(default_factory=dict)

    @property
    def language(self) -> str:
        """The target language."""
        return self.pair.partition("-")[2]


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


def texts(checkout: Path, left_out: Callable[[str], None]) -> dict[str, TestSet]:
    """The references and outputs of a checkout, by language pair."""
    sets: dict[str, TestSet] = {}
    for path in sorted((checkout / "txt").glob("*s/*")):  # references come before system-outputs
        if path.parent.name == "sources":
            continue
        if not (match := _OUTPUT.fullmatch(path.name)):
            left_out(f"{path}: not a name like newstest2021.en-de.hyp.NAME.de")
            continue
        kind, year, pair, of, name = match.groups()
        title = f"wmt{year[2:]}{'flores' if kind.startswith('flores') else ''}"
        own = sets.setdefault(pair, TestSet(title, pair))
        try:
            lines = tb.read_lines(path)
        except tb.InputError as error:
            left_out(str(error))
            continue
        if of == "ref":
            own.refs[name] = lines
        elif _HUMAN.match(name):
            left_out(f"{path}: a human translation")
        elif not own.refs or len(lines) != len(next(iter(own.refs.values()))):
            left_out(f"{path}: no reference of {len(lines)} lines")
        else:
            own.outputs[name] = lines
    return sets


def read(checkout: Path, left_out: Callable[[str], None]) -> list[TestSet]:
    """The test sets of a checkout; `left_out` is told about each file and system without use."""
    sets = texts(checkout, left_out)
    for pair, name, score, count in rankings(checkout, left_out):
        names = {bare(output): output for output in sets[pair].outputs} if pair in sets else {}
        if bare(name) in names:
            sets[pair].judged[names[bare(name)]] = (score, count)
        else:
            why = "a human translation" if _HUMAN.match(name) else "judged, but has no output"
            left_out(f"{checkout.name} {pair} {name}: {why}")
    for own in sets.values():
        for name in own.outputs.keys() - own.judged.keys():
            left_out(f"{own.name} {own.pair} {name}: not judged")
    return [own for own in sets.values() if len(own.judged) > 1]


def settings(language: str) -> dict[str, tuple[dict[str, Any], Callable[[str], str]]]:
    """Options of `compare` and a function of the text, by the name of the column."""
    base = {"tokenize": TOKENIZERS.get(language, "13a")}
    chosen: dict[str, tuple[dict[str, Any], Callable[[str], str]]] = {"base": (base, str)}
    for name in ("quotes", "dashes", "width", "digits", "nfkc", "spaces", "typography"):
        rows = normalizations(name)

        def changed(text: str, rows: Any = rows) -> str:
            for row in rows:
                text = row(text)
            return text

        chosen["all-typography" if name == "typography" else name] = (base, changed)
    chosen["no-punct"] = (base, lambda text: text.translate(_PUNCTUATION))
    chosen["lowercase"] = ({**base, "lowercase": True}, str)
    chosen["char"] = ({"tokenize": "char"}, str)
    if language not in TOKENIZERS:
        chosen["intl"] = ({"tokenize": "intl"}, str)
    chosen["chrf"] = ({"metric": "chrf"}, str)
    chosen["chrf++"] = ({"metric": "chrf", "word_order": 2}, str)
    return chosen


def pairs(own: TestSet, resamples: int) -> Iterator[dict[str, Any]]:
    """A row for each pair of systems: how people and each setting see it."""
    order = list(own.judged)
    first, *others = sorted(own.refs)
    columns = {name: (*how, first) for name, how in settings(own.language).items()}
    if others:
        columns["ref2"] = (*columns["base"][:2], others[0])
    tested = {}
    for column, (options, change, ref) in columns.items():
        systems = {name: list(map(change, own.outputs[name])) for name in order}
        refs = list(map(change, own.refs[ref]))
        tested[column] = tb.compare(systems, refs, resamples=resamples, **options).pairs
    for i, pair in enumerate(tested["base"]):
        (score_a, count_a), (score_b, count_b) = own.judged[pair.a], own.judged[pair.b]
        error = DEVIATION * sqrt(1 / count_a + 1 / count_b)
        row = {"set": own.name, "pair": own.pair, "a": pair.a, "b": pair.b,
               "human": round(score_a - score_b, 5), "human_error": f"{error:.6g}"}  # fmt: skip
        for column, results in tested.items():
            row[column] = f"{-results[i].difference:.6g}"
            row[f"p:{column}"] = f"{results[i].p:.6g}"
        yield row


def scores(own: TestSet) -> Iterator[dict[str, Any]]:
    """A row for each system: its score under every dialect and further settings."""
    metrics: dict[str, Any] = {name: tb.BLEU(name) for name in tb.DIALECTS}
    changes: dict[str, dict[str, Any]] = {
        "intl": {"tokenize": "intl"}, "intl-lc": {"tokenize": "intl", "lowercase": True},
        "char": {"tokenize": "char"}, "lc": {"lowercase": True}, "none": {"tokenize": "none"},
        **{str(n): {"max_ngram_order": n} for n in (3, 2, 1, 6)},
        "char-8": {"tokenize": "char", "max_ngram_order": 8},
    }  # fmt: skip
    metrics |= {f"sb-{name}": tb.BLEU(**options) for name, options in changes.items()}
    metrics |= {"chrf": tb.CHRF(), "chrf++": tb.CHRF(word_order=2), "ter": tb.TER(),
                "gleu": tb.GLEU(), "nist": tb.NIST()}  # fmt: skip
    refs = own.refs[min(own.refs)]
    for name, (human, count) in own.judged.items():
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
    with_blanks = [own for own in sets if own.language not in TOKENIZERS]
    write(Path(folder) / "systems.tsv.gz", [row for own in with_blanks for row in scores(own)])
    return left_out


if __name__ == "__main__":
    print("\n".join(main(sys.argv[1:-1], sys.argv[-1])), file=sys.stderr)
