# SPDX-License-Identifier: Apache-2.0
"""`truebleu campaign PATH...`: many systems on many test sets, with averages and their tests.

example: truebleu campaign examples -m bleu chrf

Score many systems on many test sets: a matrix, and averages with tests and ranks.
PATH are folders, whose files are found by their names, or manifests FILE.toml.
Systems may be run files, which --save writes; they need no references.
BLEU's tokenizer follows the target language, as with -l in other commands; -tok sets
one for all, such as -tok flores200 for spBLEU.
"""

from __future__ import annotations

import os
import sys
from copy import copy
from dataclasses import replace
from functools import cache, partial
from typing import Any

from truebleu.analysis.compare.corrections import CORRECTIONS
from truebleu.analysis.compare.significance import check_options
from truebleu.campaigns.formats import found_text, render
from truebleu.campaigns.manifest import manifest_text
from truebleu.campaigns.scoring import TESTS, gathered, score_sets
from truebleu.campaigns.sets import SetFiles, all_systems
from truebleu.cli import inputs, metrics
from truebleu.cli.compare import ALPHA, CAPTION, RESAMPLES, notice_warnings
from truebleu.cli.flags import FORMATS, GIVEN_ORDER, SEED, Args, Flag, format_flag, refuse_inputs
from truebleu.cli.progress import Progress
from truebleu.cli.report import command_text
from truebleu.cli.terminal import looks, print_wrapped, terminal_width
from truebleu.dialects.languages import TOKENIZED, tokenizer
from truebleu.errors import OptionError, suggest
from truebleu.inputs.files import is_run
from truebleu.metrics.runs import parse_tags
from truebleu.report.campaign import write_campaign
from truebleu.report.charts import checked
from truebleu.text.atomic import write_whole

MANIFEST = "campaign.toml"

FLAGS = (
    *metrics.FLAGS,
    Flag("-o, --output FILE", "write a page with ranked tables and the report of each set", common=True),
    Flag("--title TEXT", "page title (default: Campaign)"),
    Flag("--init", f"write {MANIFEST} for the files that were found, and end", common=True),
    Flag("--force", "replace existing files"),
    Flag("--systems NAME...", "only these systems", common=True),
    Flag("--by-doc", "score documents as segments, and draw documents in tests", common=True),
    Flag("--test", "test of each pair", choices=TESTS, default=TESTS[0]),
    Flag("--correction", "correction of the p-values of several pairs", choices=tuple(CORRECTIONS), default="maxt"),
    RESAMPLES,
    SEED,
    ALPHA,
    GIVEN_ORDER,
    format_flag(*FORMATS),
    CAPTION,
    metrics.WIDTH,
    metrics.CITE,
    Flag("--save DIR", "save the statistics of each set and system in run files of this folder", common=True),
    inputs.TAG,
    inputs.QUIET,
    *inputs.LAST_TEXT_FLAGS,
)

GROUPS = (("files and output", FLAGS), *metrics.GROUPS)

USAGE = "truebleu campaign PATH... [options]"


def run(args: Args, paths: list[str]) -> None:
    """Run the command."""
    if not paths:
        raise OptionError(f"no folder or manifest; type {USAGE}")
    if "tag" in args and "save" not in args:
        raise OptionError("--tag is for run files; add --save DIR")
    tags = parse_tags(args.get("tag", ()))
    follows, measures = _measures(args)
    sets, unused = gathered(paths)
    if "systems" in args:
        sets = _with_systems(sets, args["systems"])
    if "output" in args:
        checked(args["output"], "", force="force" in args)
        sources = [file for own in sets for file in (*own.references, *own.systems.values())]
        refuse_inputs([args["output"]], [*sources, *filter(os.path.isfile, paths)])
        if run := next(filter(is_run, sources), None):
            raise OptionError(f"{run}: a run file has no texts, which the page of -o shows")
    # The scores are on standard output.
    listed = found_text(sets, unused, terminal_width(), follows=follows)
    print(*listed, "", sep="\n", file=sys.stderr, flush=True)
    if "init" in args:
        write_whole(MANIFEST, manifest_text(sets, ".").encode(), force="force" in args)
        print(MANIFEST)
        return
    read = partial(SetFiles.read, decoding=inputs.decoding(args))

    def read_first(files: Any) -> Any:
        texts = read(files)
        chosen = measures(tokenizer(files.pair) if follows else "")
        inputs.warn(args, chosen, texts.refs, texts.systems.items(), f"{files.title}: ")
        return texts

    settings = check_options(args["test"], args["correction"], args.get("resamples"), args["seed"], args["alpha"])
    with Progress("scoring") as progress:
        result = score_sets(
            sets,
            measures,
            settings,
            by_doc="by_doc" in args,
            save=args.get("save"),
            tags=tags,
            force="force" in args,
            follows=follows,
            progress=progress,
            read=read_first,
        )
    if "output" in args:
        with Progress("writing the page") as progress:
            write_campaign(
                args["output"],
                result,
                title=args.get("title", "Campaign"),
                force="force" in args,
                read=read,
                command=command_text(args),
                progress=progress,
            )
    form = args["format"]
    options = {"given_order": "given_order" in args, "caption": "caption" in args, **looks(args)}
    text = render(form, result, width=args.get("width"), **options)
    (print_wrapped if form == "text" else print)(text)
    notice_warnings(args, (matrix.averages for matrix in result.matrices))


def _measures(args: Args) -> tuple[bool, Any]:
    """Whether the tokenizer follows the target language, and the metrics with a tokenizer."""
    names = args.get("metrics", ["bleu"])
    is_default = args["dialect"] == "sacrebleu" and "tokenize" not in args

    @cache
    def measures(tokenize: str) -> list[Any]:
        own = copy(args)
        if tokenize:
            own["tokenize"] = tokenize
        return metrics.make_metrics(own)

    return is_default and any(name in TOKENIZED for name in names), measures


def _with_systems(sets: list[SetFiles], names: list[str]) -> list[SetFiles]:
    """The sets with these systems only; without those that have none."""
    systems = all_systems(sets)
    for name in names:
        if name not in systems:
            raise OptionError(f"--systems: no system is named {suggest(name, systems)}")
    chosen = [replace(own, systems={name: own.systems[name] for name in names if name in own.systems}) for own in sets]
    return [own for own in chosen if own.systems]
