# SPDX-License-Identifier: Apache-2.0
"""One call of the public API after the other, with arguments that fit or do not."""

from __future__ import annotations

import inspect
import math

import truebleu as tb
from support import fuzzed_values as make
from support.fuzzed_values import HostileError
from truebleu.compat import nltk, sacrebleu

#: What users call; the other names of the API are classes of what such a call returns.
ENTRIES = [
    "BLEU", "CHRF", "TER", "Ids", "Stats", "check", "compare", "corpus_bleu", "dialect", "diff",
    "explain", "mbr", "pairwise", "parse_signature", "plot", "reconcile", "scan", "self_bleu",
    "sentence_bleu", "streams", "survey", "verify", "write_report",
]  # fmt: skip
#: Names of the API that hold results, or say what went wrong.
RESULTS = {
    "DIALECTS", "MBR", "Accumulator", "Batch", "Comparison", "CorpusExplanation", "Dialect", "Diff",
    "Explanation", "Figure", "Finding", "InputError", "InternalError", "Match", "Matches",
    "MissingExtraError",
    "OptionError", "Pair", "Parts", "Scan", "Score", "SegmentExplanation", "SelfBLEU", "System",
    "TrueBLEUError", "Verification", "__version__",
}  # fmt: skip
NLTK = [
    "SmoothingFunction", "brevity_penalty", "closest_ref_length", "corpus_bleu",
    "modified_precision", "ngrams", "sentence_bleu",
]  # fmt: skip
SACREBLEU = [
    "BLEU", "CHRF", "TER", "corpus_bleu", "corpus_chrf", "corpus_ter", "extract_char_ngrams",
    "extract_word_ngrams", "raw_corpus_bleu", "sentence_bleu", "sentence_chrf", "sentence_ter",
]  # fmt: skip
#: Slow ones are called less often.
SLOW = {"plot", "reconcile", "survey", "verify", "write_report", "compare", "check"}

SIGNATURES = [
    "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0",
    "BLEU+case.lc+numrefs.1+smooth.exp+tok.intl+version.1.4.3",
    "#:var|c:lc|e:yes|tok:zh|s:floor[0.10]|v:2.6.0",
    "dialect:nltk|nrefs:1|case:mixed|eff:no|tok:none|smooth:none|version:3.9",
    "nrefs:1|case:mixed|eff:no|tok:spm:/x|smooth:add-k[1.00]|weights:0.5,0.5|version:2.6.0 = 27.3",
]


def signature(rng):
    """A signature, whole or damaged."""
    found = rng.choice(SIGNATURES)
    for _ in range(rng.randrange(4)):
        at = rng.randrange(len(found) + 1)
        piece = rng.choice(["", ":", "|", "+", ".", "[", "nan", "1e999", "-", "9" * 5_000, "\0",
                            "\ud800", "=", " = ", "\n", "max_ngram_order:9|"])  # fmt: skip
        found = found[:at] + piece + found[at + rng.randrange(3) :]
    return found


class Caller:
    """Makes calls from a seed, in a folder of its own."""

    def __init__(self, rng, folder):
        self.rng = rng
        self.folder = folder
        self.count = rng.choice([0, 1, 1, 2, 3, 4, 9])
        self.kind = rng.choice(make.KINDS)

    def argument(self, name):
        """A value for a parameter of this name."""
        rng = self.rng
        if rng.random() < 0.08:
            return make.hostile(rng)
        fitting = {
            "hyps": self.column, "texts": self.column, "candidates": self.column,
            "srcs": self.column, "refs": self.refs, "references": self.refs,
            "systems": self.systems,
            "hyp": lambda: make.text(rng), "text": lambda: make.text(rng),
            "name": lambda: make.dialect(rng), "dialect": lambda: make.dialect(rng),
            "a": lambda: make.dialect(rng), "b": lambda: make.dialect(rng),
            "signature": lambda: signature(rng), "path": self.path,
            "threads": lambda: rng.choice([None, 1, 2, 3, 10**9]),
            "resamples": lambda: rng.choice([None, 1, 2, 100, 1_000]),
            "sample": lambda: rng.choice([None, 1, 2, 5]),
            "metric": lambda: rng.choice([None, tb.BLEU(), tb.CHRF(), tb.TER()]),
            "test": lambda: rng.choice(["permutation", "bootstrap", "x"]),
            "definition": lambda: rng.choice(["leave-one-out", "pairwise", "texygen", "x"]),
            "seed": lambda: rng.choice([0, 1, 12345, (1 << 64) - 1, -1, 1 << 64]),
            "group": lambda: rng.choice([None, 1, 2, 3]),
            "documents": lambda: rng.choice([None, [i // 2 for i in range(self.count)]]),
            "reported": lambda: rng.choice([27.3, "27.3", "0.27", 0, 100, "nan", -1, "1e9"]),
            "kind": lambda: rng.choice(["precisions", "scores", "lengths", "differences", "x"]),
            "weights": lambda: rng.choice([None, [1.0] * self.count, [0.0] * self.count]),
            "rows": lambda: [[make.number(rng) for _ in range(10)] for _ in range(self.count)],
            "stats": lambda: tb.BLEU().stats(["a b c d"], ["a b c e"]),
            "most": lambda: rng.choice([0, 1, 5, -1]),
            "data": self.saved,
            "exact": lambda: rng.random() < 0.5, "segment": lambda: rng.choice([None, True, False]),
            "title": lambda: make.text(rng),
            "list_of_references": self.refs, "hypotheses": self.column, "hypothesis": self.hyp,
            "sys_stream": self.column, "ref_streams": lambda: [self.column()], "order": lambda: 4,
            # sacreBLEU's own takes a list of as many items as the number is below zero.
            "n": lambda: rng.choice([0, 1, 2, 6]),
        }  # fmt: skip
        if name in fitting:
            return fitting[name]()
        return rng.choice([make.number, make.hostile, make.text])(rng)

    def column(self):
        return make.column(self.rng, self.count, self.kind)

    def refs(self):
        return make.aligned(self.rng, self.count, self.kind)

    def hyp(self):
        return make.text(self.rng).split()

    def systems(self):
        names = self.rng.sample(["a", "b", "", "\ud800", "<x>", "c\n"], self.rng.randrange(4))
        return {name: self.column() for name in names}

    def path(self):
        names = ["out.html", "out.svg", "out.png", "no/such/folder/x", "", "\0", "table.tsv",
                 "table.jsonl", "table.parquet", "table.csv", ".", "out"]  # fmt: skip
        name = self.rng.choice(names)
        return self.rng.choice([name, str(self.folder / name) if "\0" not in name else name])

    def saved(self):
        """Saved statistics, whole or damaged."""
        data = bytearray(tb.BLEU().stats(["a b", "c"], ["a b", "d"]).to_bytes())
        for _ in range(self.rng.randrange(3)):
            data[self.rng.randrange(len(data))] = self.rng.randrange(256)
        return bytes(data[: self.rng.choice([len(data), self.rng.randrange(len(data))])])

    def arguments(self, function):
        """Arguments for a function or a method, by the names of its parameters."""
        positional, named = [], {}
        try:
            parameters = inspect.signature(function).parameters.values()
        except (TypeError, ValueError):
            return [self.argument("")], {}
        for parameter in parameters:
            if parameter.kind is parameter.VAR_KEYWORD:
                # Warnings and figures have options of other names.
                named |= dict(make.option(self.rng) for _ in range(self.rng.choice([0, 0, 1, 2])))
            elif parameter.kind is parameter.VAR_POSITIONAL:
                positional += [self.argument("hyps") for _ in range(self.rng.randrange(3))]
            elif parameter.name == "progress" or (
                parameter.default is not parameter.empty and self.rng.random() < 0.75
            ):
                continue
            elif parameter.kind is parameter.KEYWORD_ONLY:
                named[parameter.name] = self.argument(parameter.name)
            else:
                keyword = parameter.kind is parameter.POSITIONAL_OR_KEYWORD
                if keyword and (named or self.rng.random() < 0.2):
                    named[parameter.name] = self.argument(parameter.name)
                else:
                    positional.append(self.argument(parameter.name))
        return positional, {str(name): value for name, value in named.items()}

    def call(self, function):
        positional, named = self.arguments(function)
        if getattr(function, "__module__", "").startswith("truebleu.compat"):
            # The originals take as long for an n-gram order of a billion.
            named = {name: 9 if is_huge(value) else value for name, value in named.items()}
            positional = [9 if is_huge(value) else value for value in positional]
        return function(*positional, **named)

    def methods(self, value, most):
        """Calls what a result has to offer."""
        for _ in range(most if type(value).__module__.startswith("truebleu.") else 0):
            names = [name for name in dir(type(value)) if is_ours(type(value), name)]
            names += [
                name for name in ("__repr__", "_repr_html_", "__hash__") if name in dir(value)
            ]
            member = getattr(value, self.rng.choice(names))
            if callable(member):
                self.call(member)


#: What a checkpoint has saved, and places in a sequence: anything else is Python's own error.
PRIVATE = {"aligned", "row", "rows"}


def is_huge(value):
    """Whether a value is a number that Python's loops would count up to."""
    return isinstance(value, (int, float)) and not abs(value) < 100


def is_ours(kind, name):
    """Whether a public member of a class is of the package, and not of Python's own."""
    ours = [base for base in kind.__mro__ if base.__module__.startswith("truebleu")]
    return (
        not name.startswith("_")
        and name not in PRIVATE
        and any(name in vars(base) for base in ours)
    )


def entries():
    """What is called: a name for the report, the function, and what it may raise besides."""
    own = (tb.TrueBLEUError, TypeError)
    found = [(name, getattr(tb, name), own) for name in ENTRIES]
    found += [
        ("Stats.from_bytes", tb.Stats.from_bytes, own),
        ("Stats.concat", tb.Stats.concat, own),
        ("metrics", None, own),
    ]
    # The drop-ins raise what the originals raise; their own tests say what that is.
    original = (Exception,)
    found += [(f"nltk.{name}", getattr(nltk, name), original) for name in NLTK]
    found += [(f"sacrebleu.{name}", getattr(sacrebleu, name), original) for name in SACREBLEU]
    return found


#: Never, from anywhere: the interpreter itself was left in a wrong state.
NEVER = (SystemError, MemoryError, RecursionError)


def step(rng, folder):
    """Makes a call; returns its name and how it ended. Raises what must not be raised."""
    everything = entries()
    weights = [0.1 if name in SLOW else 1.0 for name, *_ in everything]
    ((name, function, allowed),) = rng.choices(everything, weights)
    caller = Caller(rng, folder)
    try:
        if function is None:
            value = rng.choice([tb.BLEU(make.dialect(rng)), tb.CHRF(), tb.TER()])
        else:
            value = caller.call(function)
        caller.methods(value, rng.randrange(4))
    except HostileError:
        return name, "of the caller"
    except NEVER:
        raise
    except tb.InternalError:
        raise
    except allowed as error:
        if isinstance(error, tb.TrueBLEUError):
            message = str(error)
            assert message.strip(), "an error without a message"
        return name, type(error).__name__
    if isinstance(value, tb.Score) and value.scale == 100:
        assert math.isnan(value.value) or value.value >= 0.0
    return name, "returned"
