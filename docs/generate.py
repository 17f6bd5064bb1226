# SPDX-License-Identifier: Apache-2.0
"""What `make docs` runs: writes the pages that repeat what the code declares.

docs/generate.py            write index.md, and the pages that list options, commands and names
docs/generate.py --check    write nothing; exit with 1 if one of them is not up to date
"""

from __future__ import annotations

import importlib
import inspect
import io
import pydoc
import re
import sys
import textwrap
from contextlib import redirect_stdout
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import truebleu
from truebleu import DIALECTS, cli
from truebleu.charts.look import Look
from truebleu.cli.commands import COMMANDS
from truebleu.cli.flags import OWN_FLAGS, of_option
from truebleu.dialects.decisions import OPTIONS, PARTS, SMOOTH_VALUES
from truebleu.dialects.options import OPTIONS_OF
from truebleu.dialects.uses import VERIFIED, uses
from truebleu.text.normalizations import MESSAGES, NORMALIZATIONS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from truebleu.dialects.options import Option

HERE = Path(__file__).resolve().parent
README = HERE.parent / "README.md"

NOTICE = "<!-- Written by docs/generate.py (`make docs`) from the code; edit that. -->"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table."""

    def line(cells: Sequence[str]) -> str:
        return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"

    return "\n".join([line(head), line(["---"] * len(head)), *map(line, rows)])


def code(value: Any) -> str:
    """A value as it is typed in Python."""
    fence = "``" if "`" in repr(value) else "`"
    return f"{fence}{value!r}{fence}"


def values(option: Option) -> str:
    """What an option can be."""
    if option.choices:
        names = ", ".join(map(code, option.choices))
        if option.name == "tokenize":
            return f"{names}, and [more](#tokenizers); in Python also a function"
        return names
    if option.name == "normalize":
        return "names of normalizations; in Python also a `Normalization`"
    if option.name == "keywords":
        return "words"
    return {
        bool: "`True`, `False`",
        int: "a whole number, 1 or more",
        float: "a number, 0 or more, or `None`",
        tuple: "a number for each order, 0 or more, or `None`",
        str: "text",
    }[option.kind]


TOKENIZERS_TEXT = """## Tokenizers

`-tok NAME` and `tokenize="NAME"` take these names; in Python also a function from text to tokens,
and `tb.Tokenizer(function, name="ours")`, which has a name in signatures. Signatures also have the
version of a library, or the checksum of a model."""

#: Tokenizers by name, in words.
TOKENIZERS = {
    "none": "white space; for text that is tokenized",
    "13a": "mteval-v13a's rules for Western languages, the default",
    "intl": "the same by Unicode category; `intl-split` splits characters beyond ASCII first",
    "zh": "each Chinese character, the rest as 13a; `zh-fixed` with the ranges that were meant",
    "char": "each character without white space; `chars` with white space, as NLTK reads strings",
    "auto": "that of `target_language=` or `-l en-zh`: `zh`, `ja-mecab`, "
    "`ko-mecab`, `char` for Thai, Khmer, Lao and Burmese, else `13a`",
    "ja-mecab": "MeCab for Japanese, as sacreBLEU; `ko-mecab` for Korean (extras `ja`, `ko`)",
    "flores200": "SentencePiece models: `flores101`, `flores200`, `spBLEU-1K`, `spm:PATH` (`spm`)",
    "nltk-line": "NLTK's `word_tokenize(text, preserve_line=True)`, in the kernel",
    "nltk": "NLTK's `word_tokenize`, which splits sentences first (extra `nltk`, and its data)",
    "jieba": "jieba's words and blanks; `jieba-words` without blanks (extra `jieba`)",
    "moses": "sacremoses for English; `moses:de` for German (extra `moses`)",
    "ptb": "the captions tokenizer of pycocoevalcap, with its jar (extra `captions`, and Java)",
    "hf:PATH": "a tokenizer.json of Hugging Face's tokenizers (extra `hf`)",
    "wordpiece:PATH": "a vocab.txt of BERT (extra `hf`)",
    "han:A,B": "A if a side of the pair has a Chinese character, else B: `han:jieba,none`",
    "re:PATTERN": "the matches of a regular expression",
    "t2t": "tensor2tensor's; also `13a-cjk` (Marian), `dotnet`, `space`, `words`, `markers`",
}

OPTIONS_TEXT = """# Options

BLEU is five decisions. A dialect makes all of them; options change single ones. Their names are
arguments of `BLEU(...)`, `corpus_bleu(...)` and `sentence_bleu(...)`; their flags belong to the
command line. The defaults shown are sacreBLEU's; [dialects](dialects.md) have their own."""


NORMALIZATIONS_TEXT = """\
`--normalize NAME` (`normalize=`) writes texts alike before they are scored; `typography` is all
that concern marks of writers. [`check`](check.md) tries them, and names each fault by its kind."""


def options_page() -> str:
    """Every option of the five parts."""
    rows = [
        (
            f"`{option.name}`",
            option.part,
            values(option),
            code(option.default),
            ", ".join(f"`{name}`" for name in of_option(option).names),
            option.help,
        )
        for option in OPTIONS.values()
    ]
    questions = [(part.__name__.lower(), _first_line(part.__doc__)) for part in PARTS]
    head = ("option", "part", "values", "default", "flags", "what it does")
    sections = [OPTIONS_TEXT, table(("part", "question"), questions), table(head, rows)]
    named = [(f"`{name}`", text) for name, text in TOKENIZERS.items()]
    sections += [TOKENIZERS_TEXT, table(("name", "tokens"), named)]
    for metric, flags in OWN_FLAGS.items():
        own = [(f"`{flag.key.removeprefix(f'{metric}_')}`", _names(flag), flag.help) for flag in flags]
        title = {"codebleu": "CodeBLEU", "chrf": "chrF"}.get(metric, metric.upper())
        sections += [f"## {title}", table(("option", "flags", "what it does"), own)]
    rows = [
        (f"`{kind}`", text, ", ".join(f"`{r.name}`" for r in NORMALIZATIONS.values() if r.kind == kind))
        for kind, text in MESSAGES.items()
    ]
    sections += ["## Normalizations", NORMALIZATIONS_TEXT, table(("kind", "", "names"), rows)]
    return "\n\n".join([*sections, smoothing()])


def _names(flag: Any) -> str:
    return ", ".join(f"`{name}`" for name in flag.names)


def _first_line(docstring: str | None) -> str:
    return (docstring or "").partition("\n")[0]


SMOOTHING_TEXT = """## Smoothing

A corpus without a matching 4-gram has a 4-gram precision of 0, and so a BLEU of 0. Smoothing
replaces the zero. Tools differ in this decision most. For ordering two sentences as
people do, the method hardly matters: every sentence BLEU is [little better than a
coin](meaning.md#single-sentences). Most tools use the names of Chen and Cherry 2014 (*A systematic
comparison of smoothing techniques for sentence-level BLEU*, W14-3346).

For order *n*, let *m* be the matches, *t* the n-grams of the hypothesis and *v* the option
`smooth_value`; *j* counts the orders without a match, from 1."""

SMOOTHING_MORE = """\
`add_counts` adds three more numbers to every order, whatever the method: to *m*, to *t*, and to the
precision. Captioning adds (1e-15, 1e-9, 0), task-oriented dialogue (0, 1e-7, 1e-7). `least_total`
is the smallest *t* of a corpus (Ignite: 1).

Three other options matter as much:

- `guard` says when the score is 0 despite smoothing. sacreBLEU returns 0 if nothing matches at all
  (`no-match`), NLTK if no single word matches (`no-unigram`), torchmetrics if any order has no
  match (`any-order`, so that its smoothing rarely applies), and mteval never (`none`).
- `missing_order` says what happens at an order of which the hypotheses have no n-gram. sacreBLEU
  stops there (`stop`: the order counts as 0, or is left out with `effective_order`), multi-bleu
  uses 0 (`zero`), mteval counts it as perfect (`one`), NLTK avoids the case with `floor_totals`.
- `zero_precision` says what a remaining precision of 0 does: it makes the score 0 (`zero`), or it
  counts as 1 (`skip`: compare-mt, NLTK before 3.2 and tutorials of its time), or the order is left
  out with its weight (`drop`: Lingvo)."""

#: The precision of order n under each method.
PRECISIONS = {
    "none": "*m* / *t*",
    "exp": "1 / (2^*j* *t*) if *m* = 0",
    "floor": "*v* / *t* if *m* = 0",
    "constant": "*v* if *m* = 0",
    "add-k": "(*m* + *v*) / (*t* + *v*) from order 2 on, for any *m*",
    "add-k-all": "the same from order 1 on",
    "length": "ln(hypothesis length) / (2^*j* *v* *t*) if *m* = 0",
    "average": "(p'(n-1) + p(n) + p(n+1)) / 3, with p'(0) = p(1) + 1",
    "interpolate": "(*m* + *v* π) / (*t* + *v*) from order 3 on, π = p'(n-1)² / p'(n-2)",
    "length-average": "`length`, then `average`",
}


def smoothing() -> str:
    """The methods, and the dialects that have them."""
    rows = []
    for method, value in SMOOTH_VALUES.items():
        names = [name for name, row in DIALECTS.items() if row.combine.smooth_method == method]
        more = f" and {len(names) - 5} more" if len(names) > 6 else ""
        shown = ", ".join(f"[{name}](dialects.md#{name})" for name in names[: 5 if more else 6])
        default = "" if value is None else f"{value:.3g}"
        rows.append((f"`{method}`", PRECISIONS.get(method, ""), default, shown + more))
    head = ("`smooth_method`", "precision of order *n*", "default *v*", "dialects")
    return "\n\n".join([SMOOTHING_TEXT, table(head, rows), SMOOTHING_MORE])


DIALECTS_TEXT = f"""\
A dialect is the BLEU of one tool, written as values of [the options](options.md): no code, only
values. There are {len(DIALECTS)}. Options that are not shown have their defaults, which are
sacreBLEU's. `truebleu dialects` prints this table, `truebleu dialects NAME` one dialect, and
`truebleu dialects WORD` all that mention a word, such as `caption`; platforms and toolkits that
call one are [uses](uses.md). *Exact* says how closely TrueBLEU reproduces the tool. *Seen in*
counts the uses that [a census](#the-census) found in public code. Where a tool is wrong, *right
instead* names the dialect to use. A tool that is not listed is usually a dialect with [two or three
options changed](#the-choices)."""

CHOICES = r"""## The choices

The table has many dialects, but the formula has few choices. With *m* matches, *t* n-grams, and the
lengths *c* of the hypotheses and *r* of the references, every tool is a point in this space:

| choice | options | for example |
|---|---|---|
| what a token is | `tokenize`, `lowercase`, `strip`, `markup` | any regular expression: CODE-NN splits at underscores (`re:[^\W_]+\|\S`), LLaMA-Factory counts characters (`re:(?s:.)`); Marian splits Han, kana and Thai (`13a-cjk`); MultiWOZ adds a first and a last token (`markers`) |
| which references | `references`, `ref_len` | promptfoo takes the best reference of each order (`best`) |
| what a match is | `measure` | Naisc does not clip (`simple-precision`), Neural Monkey only by the references (`reference-counts`) |
| what a short segment counts in *t* | 0; 1 with `floor_totals` (NLTK); a negative number with `negative_totals` | pymteval, calculatebleu |
| what is added to *m*, *t* and *m* / *t* of every order | `add_counts` | coco-caption (1e-15, 1e-9, 0); DAMD (0, 1e-7, 1e-7) |
| the smallest *t* of a corpus | `least_total` | Ignite 1, pymteval 1e-9 |
| what an order without a match becomes | `smooth_method`, `smooth_value` | see [smoothing](options.md#smoothing) |
| what an order without n-grams becomes | `missing_order`, `effective_order` | mteval 1, cdec leaves it out |
| what a precision of 0 does | `zero_precision`, `guard` | Lingvo leaves the order out with its weight (`drop`); GluonNLP's is 0 without 4-grams (`missing-order`) |
| what is added to *c* and *r* | `add_lengths` | CODE-NN (1, 1); Nakov (0, 1); coco-caption (1e-15, 1e-9) |
| the penalty | `brevity`, `brevity_power` | tutorials use *c* / *r* (`linear`); NeuralCodeSum's captions square it |
| how orders join | `weights`, `max_ngram_order` | d2l: 1/2, 1/4 |
| how the scores up to each order join | `cumulative_weights` | Liang et al. add BLEU_4 / 2, BLEU_3 / 4, ... |
| how segments join | `join`, `empty` | the score of CODE-NN is a mean (`mean`); ms-swift leaves out pairs without a reference (`skip-ref`); fastai smooths each segment before the counts are added (`smoothed`) |
| when there is no score | `undefined` | TorchEval needs n-grams of every order (`missing-order`) |

The remaining options (`arithmetic`, `summation`, `precision`) decide the last digits. The choices
are independent of each other, so a tool that is not in the table is usually a dialect with two or
three changes:

```python
>>> import truebleu as tb
>>> hyps, refs = (tb.read_lines(f"examples/de-en/{name}.txt") for name in ("hyp.cinder", "ref.A"))
>>> codenn = tb.BLEU(tokenize=r"re:[^\W_]+|\S", lowercase=True, join="mean", ref_len="shortest",
...                  smooth_method="add-k", guard="none", add_lengths=(1, 1))
>>> codenn.corpus(hyps, refs).value == tb.corpus_bleu(hyps, refs, "code-summary").value
True
```

With `join="mean"`, the statistics of a segment also hold its score, to ten digits, so that they
still add; with `join="smoothed"`, they hold what smoothing adds."""  # noqa: E501

CENSUS = """## The census

How much of the field do the dialects cover? A census read public code: 71 uses of BLEU, found by
characteristic strings, and 80 repositories that contain a file for it. A tool counts as a dialect
also with another order or tokenizer.

| | number | a dialect | a dialect with other options |
|---|---|---|---|
| uses | 71 | 64 (90 %) | 65 (92 %) |
| repositories | 80 | 76 (95 %) | 77 (96 %) |

The 64 uses are NLTK (27), sacreBLEU (16), Hugging Face and TensorFlow NMT (3), coco-caption,
CodeXGLUE and torchmetrics (2 each), torchtext, multi-bleu, tensor2tensor, code-summary and
MontiAnna (1 each), and seven formulas that their authors wrote from the paper: the paper's own for
words and for pairs of words, MindSpore's, GluonNLP's with smoothing, a precision of 1e-10 instead
of 0 (2; one uses 1e-8), and a linear penalty (`linear-bp-bleu`). Not counted are five calls of a
function whose code was not found, three hits without BLEU, and one program that crashes on every
input. The use that needs other options is `naisc` for orders 2 to 4 without a penalty. The others
count something else (graphs, trees, networks of alternatives, sets of words, the n-grams of all
references together, matches across segments), or have a formula with errors that a single project
wrote for itself."""

NOT_A_ROW = """## What is not a row

These formulas were met too, mostly in code of one project. `truebleu identify` names the mistakes,
and the dialect that is nearest:

| what the code does | what gives its number |
|---|---|
| takes the best score of a segment over its references (`MaxBLEU`) | `max(tb.sentence_bleu(hyp, [ref]).value for ref in refs)` |
| averages these scores | the same with `statistics.mean` |
| ends the orders at the length of the shorter text | `max_ngram_order=min(4, len(hyp.split()), len(ref.split()))` |
| adds a small number to every precision | `add_counts=(0, 0, 1e-7)` |
| takes a small number for an order without n-grams, too | `smooth_method="constant", missing_order="zero"` |
| takes 1/(t + 1) for an order of t n-grams without a match (torsh-text; others from order 2 on) | the nearest is `smooth_method="add-k-all"` |
| counts n-grams as sets, clips by the sum of the references, takes an arithmetic mean | none: these are mistakes |"""  # noqa: E501


def dialects_page() -> str:
    """Every row of the table of dialects."""
    overview = [
        (f"[{name}](#{name})", row.users, row.seen, row.version, row.source, row.exact, row.fixed)
        for name, row in DIALECTS.items()
    ]
    sections = [
        "# Dialects",
        DIALECTS_TEXT,
        table(("dialect", "who uses it", "seen in", "version", "source", "exact", "right instead"), overview),
    ]
    for name, row in DIALECTS.items():
        settings = [
            (OPTIONS[option].part, f"`{option}`", code(value))
            for option, value in row.options().items()
            if value != OPTIONS[option].default
        ]
        head = ("part", "option", "value")
        shown = table(head, settings) if settings else "All options have their defaults."
        quirks = textwrap.fill(row.quirks, 100, break_on_hyphens=False)
        sections += [f"## {name}", *filter(None, [quirks]), shown]
    sections += [CHOICES, CENSUS, NOT_A_ROW]
    return "\n\n".join(sections)


USES_TEXT = """# BLEU in your tool

Most tools call one of [the dialects](dialects.md) and change how text is read or how segments are
averaged. A *use* is that call: a dialect, its options, and what is scored. Give its name to
`corpus_bleu(hyps, refs, use="mlflow")`, `sentence_bleu` or `BLEU`, or to `-d` on the command line.
It works wherever a dialect does. `truebleu dialects WORD` searches the names and descriptions:

```console
$ truebleu dialects mlflow
name     mlflow
tool     MLflow, mlflow.metrics.bleu
...
```

| verified | |
| --- | --- |
{verified}

{shares}"""


def uses_page() -> str:
    """Every use of a tool."""
    verified = "\n".join(f"| {name} | {text} |" for name, text in VERIFIED.items())
    by_line = sum(not use.python for use in uses().values())
    share = f"{by_line} ({100 * by_line / len(uses()):.0f} %)"
    shares = f"""Of {len(uses())} uses, {share} are one line; the others show what comes first. In
[an earlier census](dialects.md#the-census), one line gives the number of 92 % of the uses and of
96 % of the repositories."""
    rows, notes = [], []
    for name, use in uses().items():
        call = use._about()["scores"] if use.command else "see below"
        rows.append((f"`{name}`", use.tool, use.version, f"`{use._about()['is']}`", call, use.verified))
        if use.note or use.python:
            code = f"\n\n```text\n{use.code}\n```" if use.python else ""
            note = textwrap.fill(use.note, 100, break_on_hyphens=False)
            notes.append(f"### {name}\n\n{note}{code}")
    head = ("use", "tool", "version", "the same as", "scores", "verified")
    text = USES_TEXT.format(verified=verified, shares=shares)
    return "\n\n".join([text, table(head, rows), "## Notes", *notes])


CLI_TEXT = """# Command line

Reference files come first and hypotheses after `-i`, as in sacreBLEU. Every command also reads
[tables](streaming.md), and `-` is standard input. `truebleu help COMMAND` lists the common options
of a command, and `--help-all` all of them; this page has the same lists. Exit codes: 0 success; 1 a
check failed (`--fail-under`, `gate`, an error that `check` found, a score that `reconcile` cannot
reproduce); 2 bad input or usage, reported in one line, with no output file written.
`truebleu sacrebleu` and `truebleu accelerate` have the exit codes of the programs that they run."""

#: The page that explains a command.
GUIDES = {
    "score": "start.md", "explain": "explain.md", "diff": "diff.md", "check": "check.md",
    "reconcile": "reconcile.md", "compare": "significance.md", "campaign": "howto/campaign.md",
    "contrast": "contrast.md", "meaning": "meaning.md", "report": "report.md",
    "playground": "playground.md",
    "plot": "plots.md", "mbr": "pairwise.md", "self-bleu": "pairwise.md#self-bleu",
    "gate": "howto/gate.md",
    "dialects": "dialects.md", "sacrebleu": "migration/sacrebleu.md",
    "accelerate": "howto/accelerate.md", "completion": "install.md#shell-completion",
}  # fmt: skip


def cli_page() -> str:
    """The commands, and the help of each."""
    listed = [(f"[`{name}`]({GUIDES.get(name, 'cli.md')})", purpose) for name, purpose in COMMANDS.items()]
    sections = [CLI_TEXT, table(("command", "purpose"), listed)]
    # The help of `sacrebleu` is the original's, which Python wraps differently in each version.
    for command in (command for command in COMMANDS if command != "sacrebleu"):
        with redirect_stdout(io.StringIO()) as shown:
            cli.main([command, "--help-all"])
        sections += [f"## {command}", f"```text\n{shown.getvalue().rstrip()}\n```"]
    return "\n\n".join(sections)


API_TEXT = """# Python reference

All public names. `help(tb.compare)` prints what a name does, its arguments, results, errors and an
example; the website (`make docs`) shows the same below each table. Examples begin with `import
truebleu as tb`."""

#: The names of `truebleu` by topic, and modules that are documented as a whole.
TOPICS = {
    "Scores": "corpus_bleu sentence_bleu BLEU Score Parts Stats Accumulator streams Ids",
    "Dialects": "dialect DIALECTS Dialect parse_signature Normalization",
    "Other metrics": "CHRF TER GLEU NIST CodeBLEU CrystalBLEU trivial_ngrams",
    "Why a score is what it is": "explain Explanation SegmentExplanation CorpusExplanation diff "
    "Diff survey reconcile Matches Match verify Verification identify Identification Difference",
    "Input": "check Finding repair Repaired read_lines scan Scan Batch",
    "Systems": "compare Comparison System Pair Trial contrast Contrast human_agreement difference_for HumanAgreement",
    "Campaigns": "campaign TestSet Campaign campaigns.results.Matrix campaigns.results.Row write_campaign",
    "Saved runs": "save_run load_run Run metrics.runs.Scoring learning_curve Curve campaigns.curves.Point",
    "Sets of texts": "pairwise mbr MBR self_bleu SelfBLEU",
    "Pages and figures": "plot Figure write_report write_playground",
    "Faster without a change": "accelerate Acceleration",
    "Errors": "TrueBLEUError InputError OptionError MissingExtraError InternalError",
}
MODULES = {
    "Data frames, frameworks, clusters": [
        f"integrations.{name}"
        for name in ("polars", "pandas", "duckdb", "torchmetrics", "huggingface", "ray", "spark", "batches")
    ],
    "BLEU in plain Python": ["spec"],
    "Drop-ins": [
        "compat.nltk",
        "compat.nltk.gleu_score",
        "compat.nltk.nist_score",
        "compat.pycocoevalcap",
        "compat.evaluate",
        "compat.codebleu",
    ],
}


def _directive(name: str, value: Any) -> str:
    """What documents a name on the site."""
    if name == "DIALECTS":
        return f".. py:data:: truebleu.{name}\n   :type: Mapping[str, Dialect]"
    if not inspect.isclass(value):
        return f".. autofunction:: truebleu.{name}"
    if issubclass(value, Exception):
        return f".. autoexception:: truebleu.{name}\n   :show-inheritance:"
    inherited = "\n   :inherited-members:" if hasattr(value, "sentences") and name != "BLEU" else ""
    return f".. autoclass:: truebleu.{name}\n   :members:{inherited}"


def _members(module: Any) -> list[str]:
    """The public functions and classes of a module that are its own."""
    own = [name for name, value in vars(module).items() if getattr(value, "__module__", "").startswith(module.__name__)]
    listed = getattr(module, "__all__", own)
    return [
        name
        for name in listed
        if name[0] != "_"
        and inspect.getdoc(getattr(module, name))
        and getattr(getattr(module, name), "__module__", "").startswith("truebleu.")
        and name != "Fraction"
    ]


def api_page() -> str:
    """Every public name, with the first line of its documentation."""
    sections = [API_TEXT]

    def add(heading: str, names: Iterable[str], intro: str = "") -> None:
        rows, directives = [], []
        for name in names:
            value: Any = pydoc.locate(f"truebleu.{name}")
            if value is None:
                raise LookupError(name)
            text = _first_line(inspect.getdoc(value))
            if name == "DIALECTS":
                text = "all dialects by name"
            rows.append((f"`{name}`", text))
            directives.append(_directive(name, value))
        sections.append(heading)
        sections.extend(filter(None, [intro, table(("name", "what it is"), rows)]))
        hidden = "\n\n".join(directives)
        sections.append(f"<!--{{eval-rst}}\n{hidden}\n-->")

    for title, names in TOPICS.items():
        add(f"## {title}", names.split())
    unlisted = set(truebleu.__all__) - set(" ".join(TOPICS.values()).split()) - {"__version__"}
    if unlisted:
        add("## More", sorted(unlisted))
    for title, modules in MODULES.items():
        sections.append(f"## {title}")
        for path in modules:
            module = importlib.import_module(f"truebleu.{path}")
            names = [f"{path}.{name}" for name in _members(module)]
            add(f"### truebleu.{path}", names, _first_line(module.__doc__))
    return "\n\n".join(sections)


INDEX_TEXT = f"""# TrueBLEU

BLEU scores machine translation and generated text by comparing it with translations made by people.
TrueBLEU computes it exactly as sacreBLEU, NLTK or another tool does ({len(DIALECTS)}
[dialects](dialects.md)), fast, and explains the score. Guides solve one task each, concepts
explain, and the reference lists everything."""

#: The pages of the site by part, and what the reader finds there.
PARTS_OF_SITE = {
    "Start": {
        "start.md": "install TrueBLEU, score two files, read the result",
        "choosing.md": "for each task and language, and when BLEU is wrong",
        "faq.md": "zeros, 100.00000000000004, numbers that differ",
        "tutorial/index.md": "eight pages, from counting words to sacreBLEU's last bit",
        "migration/index.md": "keep the numbers of sacreBLEU, NLTK, evaluate and others",
    },
    "Guides": {
        "howto/paper.md": "the score, the table, the test, the sentence, the citations",
        "howto/old-code.md": "the dialect of a function or a command, and its mistakes",
        "check.md": "lost lines, tokenized text, odd characters",
        "significance.md": "intervals, tests of every pair, ranks",
        "survive.md": "typography, other settings and metrics that would change it",
        "meaning.md": "how often people agreed with a difference",
        "howto/campaign.md": "many systems on many test sets",
        "howto/gate.md": "a build that fails if quality drops",
        "training.md": "rewards, validation, token ids",
        "howto/run.md": "a learning curve with tests, and run files",
        "pairwise.md": "minimum Bayes risk decoding, self-BLEU",
        "howto/accelerate.md": "sacreBLEU, NLTK and pycocoevalcap, faster and unchanged",
        "dataframes.md": "a score for each group or row",
        "streaming.md": "tables, XML, files larger than memory; a score for each row",
        "distributed.md": "or machines of your own",
        "report.md": "every segment of every system on one page",
        "playground.md": "type two sentences, watch every tool compute",
        "plots.md": "SVG, PDF and PNG for papers",
    },
    "Concepts": {
        "decisions.md": "why tools disagree",
        "explain.md": "the computation on paper, and what costs points",
        "contrast.md": "words, names, punctuation, order and length",
        "diff.md": "from one tool to another, one decision at a time",
        "reconcile.md": "thousands of settings, the most common first",
        "chrf-ter.md": "as sacreBLEU computes them",
        "family.md": "and CrystalBLEU",
        "codebleu.md": "BLEU for programs",
        "glossary.md": "the terms of these pages",
    },
    "Reference": {
        "install.md": "extras, environment variables, shell completion",
        "python.md": "how to call TrueBLEU",
        "api.md": "every public name",
        "cli.md": "every command and its options",
        "options.md": "every option of every metric, smoothing with its formulas",
        "dialects.md": "every tool, the census",
        "uses.md": "the names of platforms, harnesses and toolkits, with the line for each",
    },
    "The project": {
        "reliability.md": "what is promised, how it is tested, how to repeat it",
        "performance.md": "all timings, and how to repeat them",
        "architecture.md": "where each thing is, and how to add one",
    },
}


def _title(page: str) -> str:
    """The title of a page."""
    return re.search(r"^# (.*)", (HERE / page).read_text(encoding="utf-8"), re.MULTILINE)[1]


def index_page() -> str:
    """The questions of README, and all pages by part."""
    readme = README.read_text(encoding="utf-8")
    found = re.search(r"^## Questions it answers\n\n(?:\|.*\n)+", readme, re.MULTILINE)
    questions = found[0].rstrip().replace("](docs/", "](") if found else ""
    sections = [INDEX_TEXT, questions]
    listed = {page for pages in PARTS_OF_SITE.values() for page in pages}
    written = {str(path.relative_to(HERE)) for path in [*HERE.glob("*.md"), *HERE.glob("howto/*.md")]}
    unlisted = dict.fromkeys(sorted(written - listed - {"index.md"}), "")
    for part, pages in {**PARTS_OF_SITE, "More": unlisted}.items():
        if not pages:
            continue
        rows = [(f"[{_title(page)}]({page})", text) for page, text in pages.items()]
        listed = "\n".join(page.removesuffix(".md") for page in pages)
        tree = f"<!--{{toctree}}\n:hidden:\n:maxdepth: 1\n:caption: {part}\n\n{listed}\n-->"
        sections += [f"## {part}", table(("page", ""), rows), tree]
    return "\n\n".join(sections)


def _annotation(option: Option) -> str:
    """The type of the values that an option takes."""
    if option.name == "tokenize":
        return "str | Callable[[str], Any]"
    if option.choices:
        return f"Literal[{', '.join(map(repr, option.choices))}]".replace("'", '"')
    if option.name == "normalize":
        return "str | Normalization | Iterable[str | Normalization]"
    kind = {tuple: "Iterable[float]"}.get(option.kind, option.kind.__name__)
    kind = "Iterable[str]" if option.name == "keywords" else kind
    return f"{kind} | None" if option.default is None else kind


#: Arguments that are no options of a metric, with their types.
IDS = {"pad_id": "int | Collection[int] | None", "eos_id": "int | Collection[int] | None"}
SENTENCE = {"use": "str | None", **IDS, "group": "int"}
CORPUS = {**SENTENCE, "threads": "int | None", "confidence": "float | None"}
TEST = {"test": "str", "correction": "str | None", "resamples": "int | None", "seed": "int", "threads": "int | None"}
COMPARISON = {**TEST, "alpha": "float", "progress": "Callable[[float], None]"}
PAIRS = {"metric": "str | Metric | None", "exact": "bool", **IDS, "threads": "int | None"}
STATE = {
    "compute_on_cpu": "bool", "dist_sync_on_step": "bool", "process_group": "Any",
    "dist_sync_fn": "Callable[..., Any] | None", "distributed_available_fn": "Callable[..., bool] | None",
    "sync_on_compute": "bool", "compute_with_cache": "bool",
}  # fmt: skip


def _fields(*parts: Iterable[Option], without: str = "") -> dict[str, str]:
    """The options of parts by name with their types; a name of several has all their types."""
    types: dict[str, dict[str, None]] = {}
    for option in (option for part in parts for option in part):
        if option.name not in without.split():
            types.setdefault(option.name, {}).update(dict.fromkeys(_annotation(option).split(" | ")))
    return {name: " | ".join(sorted(kinds, key="None".__eq__)) for name, kinds in types.items()}


def changes_stub() -> str:
    """The options of metrics as keyword arguments, for type checkers and editors."""
    reading, others = [[o for part in parts for o in part.options] for parts in (PARTS[:2], PARTS[2:])]
    metrics = [kind.options for kind in OPTIONS_OF.values()]
    both = _fields(others, reading, *metrics)
    look = {field.name: field.type for field in fields(Look)}
    # The functions that have an argument `references` or `weights` take the other options alone.
    classes: dict[str, dict[str, str]] = {
        "ReadingChanges(TypedDict, total=False)": {"target_language": "str", **_fields(reading)},
        "_BLEUChanges(ReadingChanges, total=False)": _fields(others, without="references weights"),
        "WeightedBLEUChanges(_BLEUChanges, total=False)": {"weights": both["weights"]},
        "UnweightedBLEUChanges(_BLEUChanges, total=False)": {"references": _fields(others)["references"]},
        "BLEUChanges(WeightedBLEUChanges, UnweightedBLEUChanges, total=False)": {},
        **{
            f"{name}Changes({base}, total=False)": _fields(OPTIONS_OF[name.lower()].options, without="lang")
            for base, names in (("TypedDict", "CHRF TER CodeBLEU"), ("ReadingChanges", "GLEU NIST"))
            for name in names.split()
        },
        "UnweightedMetricChanges(TypedDict, total=False)": {
            "target_language": "str", **_fields(reading, others, *metrics, without="references weights"),
        },
        "PairwiseChanges(UnweightedMetricChanges, total=False)": {"weights": both["weights"]},
        "MetricChanges(PairwiseChanges, total=False)": {"references": both["references"]},
        "MBROptions(UnweightedMetricChanges, total=False)": PAIRS,
        "FrameOptions(MetricChanges, total=False)": {"dialect": "str | Dialect", "metric": "str | Metric | None"},
        "TestOptions(MetricChanges, total=False)": TEST,
        "ComparisonOptions(MetricChanges, total=False)": COMPARISON,
        "PlotOptions(MetricChanges, total=False)": look,
        "StateOptions(TypedDict, total=False)": STATE,
        "BLEUStateOptions(BLEUChanges, StateOptions, total=False)": {"use": "str | None", "threads": "int | None"},
        "SentenceOptions(BLEUChanges, total=False)": SENTENCE,
        "SentencesOptions(UnweightedBLEUChanges, total=False)": SENTENCE,
        "CorpusOptions(BLEUChanges, total=False)": CORPUS,
        "CorporaOptions(UnweightedBLEUChanges, total=False)": CORPUS,
    }  # fmt: skip
    lines = [
        "# Written by docs/generate.py (`make docs`) from the declarations of options; edit those.",
        "from collections.abc import Callable, Collection, Iterable",
        "from typing import Any, Literal, TypedDict",
        "from typing_extensions import TypeVar",
        "",
        "from truebleu.dialects.decisions import Dialect",
        "from truebleu.metrics.metric import Metric",
        "from truebleu.metrics.score import MetricScore",
        "from truebleu.metrics.stats import Rows",
        "from truebleu.text.normalizations import Normalization",
        "",
        'Segment = TypeVar("Segment", default=Any)',
        'Table = TypeVar("Table", bound=Any)',
        "# Covariant, so that a list of several metrics is a list of `Metric`.",
        'StatsOfMetric = TypeVar("StatsOfMetric", bound=Rows, default=Rows, covariant=True)',
        'ScoreOfMetric = TypeVar("ScoreOfMetric", bound=MetricScore, default=MetricScore, covariant=True)',
        "MetricOf = Metric[StatsOfMetric, ScoreOfMetric]",
    ]
    for name, kinds in classes.items():
        lines += ["", f"class {name}:{' ...' * (not kinds)}"]
        lines += [f"    {option}: {kind}" for option, kind in kinds.items()]
    return "\n".join(lines)


def names_stub() -> str:
    """The names of the package with their modules, for the same."""
    return "\n".join(
        ["# Written by docs/generate.py (`make docs`) from the table in `__init__.py`; edit that."]
        + [
            f"from truebleu.{module} import {name} as {name}"
            for module, names in truebleu._NAMES.items()
            for name in names.split()
        ]
    )


PAGES = {
    "options.md": options_page,
    "dialects.md": dialects_page,
    "uses.md": uses_page,
    "cli.md": cli_page,
    "api.md": api_page,
    "index.md": index_page,
}


def main(arguments: Sequence[str]) -> int:
    """Write the pages, or compare them."""
    if arguments not in ([], ["--check"]):
        print("usage: docs/generate.py [--check]", file=sys.stderr)
        return 2
    texts = {f"docs/{name}": f"{NOTICE}\n\n{page()}\n" for name, page in PAGES.items()}
    texts["src/truebleu/dialects/changes.pyi"] = f"{changes_stub()}\n"
    texts["src/truebleu/__init__.pyi"] = f"{names_stub()}\n"
    stale = []
    for name, text in texts.items():
        path = HERE.parent / name
        if path.exists() and path.read_bytes() == text.encode():
            continue
        stale.append(name)
        if not arguments:
            path.write_bytes(text.encode())
    for name in stale:
        print(f"{name} {'is not up to date; run `make docs`' if arguments else 'written'}")
    return int(bool(arguments and stale))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
