# SPDX-License-Identifier: Apache-2.0
"""sacreBLEU's command line. A test set that is named and not in its cache is fetched."""

from __future__ import annotations

import io
import logging
import os
import sys
import zlib
from typing import NoReturn

from truebleu.compat.sacrebleu.arguments import parse_args
from truebleu.compat.sacrebleu.dataset import DATASETS
from truebleu.compat.sacrebleu.files import SACREBLEU_DIR, smart_open
from truebleu.compat.sacrebleu.metrics import METRICS
from truebleu.compat.sacrebleu.report import Color, print_results_table, print_single_results
from truebleu.compat.sacrebleu.subsets import (
    filter_subset,
    find,
    print_subset_results,
    print_test_set,
)
from truebleu.compat.sacrebleu.utils import (
    download_test_set,
    get_available_testsets,
    get_available_testsets_for_langpair,
    get_langpairs_for_testset,
    get_reference_files,
)
from truebleu.errors import InputError, TrueBLEUError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence
    from typing import Any

sacrelogger = logging.getLogger("sacrebleu")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command line; returns the exit code: 1 for a user's mistake, 17 for ragged lines."""
    try:
        args = parse_args(arguments)
        _set_up(args)
        _run(args)
    except SystemExit as left:
        return left.code if isinstance(left.code, int) else 0
    except (TrueBLEUError, OSError, EOFError, zlib.error, UnicodeError) as error:
        sacrelogger.error("%s", error)  # noqa: TRY400  # one line, no traceback
        return 1
    return 0


def _fail(*messages: Any, code: int = 1) -> NoReturn:
    for message in messages:
        sacrelogger.error(message)
    sys.exit(code)


def _set_up(args: Namespace) -> None:
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(encoding="utf-8")
    colors = sys.stdout.isatty() and not os.environ.get("NO_COLOR") and not args.no_color
    Color.ENABLE_COLORS = colors
    if not args.quiet:
        logging.basicConfig(level=logging.INFO, format="sacreBLEU: %(message)s")


def _run(args: Namespace) -> None:
    _answer_questions(args)
    _check(args)
    if args.echo:
        for test_set in args.test_set.split(","):
            print_test_set(test_set, args.langpair, args.echo, args.origlang, args.subset)
        return
    if args.langpair:
        _, *target = args.langpair.split("-")
        if not target:
            raise InputError(f"{args.langpair!r} is no language pair; write it as de-en")
        args.bleu_trg_lang = target[0]
    if args.test_set is not None and args.bleu_tokenize == "none":
        sacrelogger.warning(
            "You are turning off BLEU's internal tokenizer "
            "presumably to supply your own tokenized files."
        )
        sacrelogger.warning("Published numbers will not be comparable to other papers.")
    refs = _read_references(args)
    args.num_refs = len(refs)
    paired = args.paired_bs or args.paired_ar
    systems, names = _read_stdin(args) if args.input is None else _read_files(args, paired)
    if paired:
        names = _name_the_baseline(names, args)
    _check_modes(args, len(names), paired)
    for system in systems:
        _check_lengths(system, refs, args)
    kept = filter_subset(
        [*systems, *refs], args.test_set, args.langpair, args.origlang, args.subset
    )
    everything = systems[0], refs
    systems, refs = kept[: len(names)], kept[len(names) :]
    for system in systems:
        _check_lengths(system, refs, args)
    metrics = {
        name.upper(): METRICS[name.upper()](**_options(args, name), references=refs)
        for name in args.metrics
    }
    if args.sentence_level:
        _score_sentences(next(iter(metrics.values())), systems[0], refs, args)
    elif len(names) == 1:
        _score_one(metrics, systems[0], args, everything)
    else:
        _score_many(metrics, list(zip(names, systems, strict=True)), args, paired)


def _answer_questions(args: Namespace) -> None:
    """The flags that score nothing."""
    if args.download:
        download_test_set(args.download, args.langpair)
        sys.exit(0)
    if args.list:
        _list(args)
        sys.exit(0)
    if args.sentence_level and len(args.metrics) > 1:
        _fail("Only one metric can be used in sentence-level mode.")
    if args.citation:
        if not args.test_set:
            _fail("I need a test set (-t).")
        for test_set in args.test_set.split(","):
            citation = find(test_set).citation  # the original fails here, with any test set
            if citation is None:
                sacrelogger.error("No citation found for %s", test_set)
            else:
                print(citation)
        sys.exit(0)


def _list(args: Namespace) -> None:
    if args.test_set:
        for pair in [args.langpair] if args.langpair else get_langpairs_for_testset(args.test_set):
            print(f"{pair}: {', '.join(find(args.test_set).fieldnames(pair))}")
        return
    if args.langpair:
        found = get_available_testsets_for_langpair(args.langpair)
        print(f"The available test sets for {args.langpair} are:")
    else:
        found = get_available_testsets()
        print("The available test sets are:")
    for name in sorted(found):
        print(f"{name:<30}: {DATASETS[name].description}")


def _check(args: Namespace) -> None:
    """Test sets or references, and not both."""
    if args.num_refs != 1 and (args.test_set is not None or len(args.refs) > 1):
        _fail(
            (
                "The --num-refs argument allows you to provide any number of tab-delimited "
                "references in a single file."
            ),
            (
                "You can only use it with externally provided references, however "
                "(i.e., not with `-t`),"
            ),
            "and you cannot then provide multiple reference files.",
        )
    test_sets = [] if args.test_set is None else args.test_set.split(",")
    for test_set in test_sets:
        if test_set not in DATASETS:
            _fail(
                f"Unknown test set {test_set!r}",
                "Please run with --list to see the available test sets.",
            )
    if args.test_set is None:
        if not args.refs:
            _fail(
                (
                    "If manual references given, make sure to provide them before the -i/--input "
                    "argument to avoid confusion."
                ),
                "Otherwise, I need a predefined test set (-t) from the following list:",
                get_available_testsets(),
            )
        if args.echo:
            sacrelogger.warning("--echo requires a test set (--t) and a language pair (-l)")
            sys.exit(1)
    elif args.refs:
        _fail("I need exactly one of (a) a predefined test set (-t) or (b) a list of references")
    elif args.langpair is None:
        _fail(
            "I need a language pair (-l). Use --list to see available language pairs for this "
            "test set."
        )
    for test_set in test_sets:
        pairs = get_langpairs_for_testset(test_set)
        if args.langpair not in pairs:
            _fail(
                f"No such language pair {args.langpair!r}",
                f"Available language pairs for {test_set!r} are:",
                *(f" > {pair}" for pair in pairs),
            )


def _read_references(args: Namespace) -> list[list[str]]:
    """Streams of references; those of several test sets one behind the other."""
    sets = [args.refs]
    if args.test_set is not None:
        sets = [_find_references(name, args.langpair) for name in args.test_set.split(",")]
    if any(len(files) > len(sets[0]) for files in sets):
        _fail("The test sets have different numbers of references.")
    streams: list[list[str]] = [[] for _ in range(max(len(sets[0]), args.num_refs))]
    for files in sets:
        for i, file in enumerate(files):
            with smart_open(file, encoding=args.encoding) as opened:
                lines = [line.rstrip() for line in opened]
            if args.num_refs == 1:
                streams[i] += lines
                continue
            for number, line in enumerate(lines, start=1):
                fields = line.split("\t", maxsplit=args.num_refs - 1)
                if len(fields) != args.num_refs:
                    _fail(
                        f"FATAL: line {number}: expected {args.num_refs} fields, "
                        f"but found {len(fields)}.",
                        code=17,
                    )
                for each, field in zip(streams, fields, strict=True):
                    each.append(field)
    return streams


def _find_references(test_set: str, langpair: str) -> list[str]:
    files = get_reference_files(test_set, langpair)
    if not files:
        sacrelogger.warning("No references found for test set %s/%s.", test_set, langpair)
    return files


def _read_stdin(args: Namespace) -> tuple[list[list[str]], list[str]]:
    """Systems in columns, with tabs between them."""
    lines = io.TextIOWrapper(sys.stdin.buffer, encoding=args.encoding)
    first = lines.readline().rstrip().split("\t")
    systems = [[field] for field in first]
    for line in lines:
        fields = line.rstrip().split("\t")
        if len(fields) != len(first):
            _fail(
                "FATAL: the number of tab-delimited fields in the input stream differ across "
                "lines.",
                code=17,
            )
        for system, field in zip(systems, fields, strict=True):
            system.append(field.rstrip())
    return systems, [f"System {i}" for i in range(1, len(first) + 1)]


def _read_files(args: Namespace, paired: bool) -> tuple[list[list[str]], list[str]]:
    systems: list[list[str]] = []
    names: list[str] = []
    if not args.input:
        _fail("--input (-i) names no system.", "Give one file at least, or leave it out.")
    for name in args.input:
        if name in names:
            if paired and name == names[0]:
                sacrelogger.info("Ignoring %r as it was also given as the baseline.", name)
                continue
            _fail(
                f"{name!r} already used to name a system.",
                "Make sure to have a different basename for each system.",
            )
        with smart_open(name, encoding=args.encoding) as opened:
            systems.append([line.rstrip() for line in opened])
        names.append(name)
    return systems, names


def _name_the_baseline(names: list[str], args: Namespace) -> list[str]:
    if args.input is None:
        return ["Baseline", *names[:-1]]
    return [f"Baseline: {names[0]}", *names[1:]]


def _check_modes(args: Namespace, systems: int, paired: bool) -> None:
    if args.sentence_level:
        if systems > 1:
            _fail("Only one system can be evaluated in sentence-level mode.")
        if args.confidence or paired:
            _fail("Statistical tests are unavailable in sentence-level mode.")
        args.bleu_effective_order = True
    if paired and systems == 1:
        _fail("Paired tests require multiple input systems given to --input (-i).")
    if systems > 1 and args.confidence:
        _fail("Use paired tests (--paired) for multiple systems.")


def _check_lengths(system: list[str], refs: list[list[str]], args: Namespace) -> None:
    if not system:
        message = f"Test set {args.test_set!r} contains no sentence"
        if args.origlang is not None or args.subset is not None:
            message += " with"
            if args.origlang:
                message += f" origlang={args.origlang}"
            if args.subset:
                message += f" subset={args.subset}" + args.subset
        _fail(message)
    if all(len(stream) == len(system) for stream in refs):
        return
    messages = ["System and reference streams have different lengths."]
    if args.test_set:
        messages += [
            (
                "This could be an issue with your system output or with sacreBLEU's reference "
                "database if -t is given."
            ),
            "For the latter, try cleaning out the cache by typing:\n",
            f"  rm -r {SACREBLEU_DIR}/{args.test_set}\n",
            "The test sets will be re-downloaded the next time you run sacreBLEU.",
        ]
    _fail(*messages)


def _options(args: Namespace, metric: str) -> dict[str, Any]:
    """A metric's own arguments, without its name before theirs."""
    start = f"{metric}_"
    return {
        name.removeprefix(start): value
        for name, value in vars(args).items()
        if name.startswith(start)
    }


def _score_sentences(
    metric: Any, system: list[str], refs: list[list[str]], args: Namespace
) -> None:
    for hyp, *ref in zip(system, *refs, strict=True):
        score = metric.sentence_score(hyp, ref)
        signature = metric.get_signature().format(args.short)
        print(score.format(args.width, args.score_only, signature))


def _score_one(
    metrics: dict[str, Any],
    system: list[str],
    args: Namespace,
    everything: tuple[list[str], list[list[str]]],
) -> None:
    if args.detail and args.format == "json":
        args.format = "text"
    as_json = args.format == "json"
    results = []
    for name in sorted(metrics):
        resamples = args.confidence_n if args.confidence else 1
        score = metrics[name].corpus_score(system, references=None, n_bootstrap=resamples)
        signature = metrics[name].get_signature().format(args.short and not as_json)
        results.append(score.format(args.width, args.score_only, signature, as_json))
    print_single_results(results, args)
    if args.detail:
        print_subset_results(metrics, *everything, args)


def _score_many(
    metrics: dict[str, Any], systems: list[tuple[str, list[str]]], args: Namespace, paired: bool
) -> None:
    sacrelogger.info("Found %s systems.", len(systems))
    scores: dict[str, Any] = {"System": [name for name, _ in systems]}
    signatures = {}
    if paired:
        from truebleu.compat.sacrebleu.significance import PairedTest

        test = PairedTest(
            systems,
            metrics,
            references=None,
            test_type="bs" if args.paired_bs else "ar",
            n_samples=args.paired_bs_n if args.paired_bs else args.paired_ar_n,
            n_jobs=args.paired_jobs,
        )
        found, scores = test()
        signatures = {name: one.format(args.short) for name, one in found.items()}
    else:
        for _, system in systems:
            for name in sorted(metrics):
                score = metrics[name].corpus_score(system, references=None)
                signatures[score.name] = metrics[name].get_signature().format(args.short)
                scores.setdefault(score.name, []).append(score.format(args.width, True))
    print_results_table(scores, signatures, args)


if __name__ == "__main__":
    sys.exit(main())
