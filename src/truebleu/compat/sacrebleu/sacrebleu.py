# SPDX-License-Identifier: Apache-2.0
"""sacreBLEU's command line. Test sets come from the installed sacrebleu, scores from the kernel."""

from __future__ import annotations

import logging
import os
import sys
import zlib
from argparse import Namespace
from collections.abc import Sequence
from typing import Any, NoReturn

from truebleu.compat.sacrebleu.arguments import parse_args
from truebleu.compat.sacrebleu.dataset import DATASETS, installed_sacrebleu
from truebleu.compat.sacrebleu.metrics import METRICS
from truebleu.compat.sacrebleu.report import Color, print_results_table, print_single_results
from truebleu.compat.sacrebleu.utils import (
    SACREBLEU_DIR,
    get_available_testsets,
    get_langpairs_for_testset,
    smart_open,
)
from truebleu.errors import InputError, MissingExtraError, TrueBLEUError

sacrelogger = logging.getLogger("sacrebleu")

#: The errors of a wrong file, setting or missing library of a tokenizer.
_USER_ERRORS = (
    TrueBLEUError, OSError, EOFError, zlib.error, UnicodeError, ImportError, RuntimeError,
)  # fmt: skip


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command line.

    Returns:
        The exit code: 1 for a mistake of the user, 17 for lines with missing fields, 2 for an
        unknown argument, or if sacrebleu has to be installed for its test sets.
    """
    try:
        args = parse_args(arguments)
        if hasattr(sys.stdout, "reconfigure"):
            sys.stdout.reconfigure(encoding="utf-8")
        colors = sys.stdout.isatty() and not os.environ.get("NO_COLOR") and not args.no_color
        Color.ENABLE_COLORS = colors
        if not args.quiet:
            logging.basicConfig(level=logging.INFO, format="sacreBLEU: %(message)s")
        _run(args)
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 0
    except BrokenPipeError:
        raise  # `truebleu` ends silently
    except _USER_ERRORS as error:
        sacrelogger.error("%s", str(error).strip())  # noqa: TRY400  # one line, no traceback
        return 2 if isinstance(error, MissingExtraError) else 1
    return 0


def _fail(*messages: Any, code: int = 1) -> NoReturn:
    for message in messages:
        sacrelogger.error(message)
    sys.exit(code)


def _run(args: Namespace) -> None:
    test_sets = args.test_set.split(",") if args.test_set else []
    if args.download:
        _check_test_sets([args.download], args.langpair)
        _call_sacrebleu("download_test_set", args.download, args.langpair)
        return
    if args.list:
        _list_test_sets(test_sets, args.langpair)
        return
    if args.sentence_level and len(args.metrics) > 1:
        _fail("Only one metric can be used in sentence-level mode.")
    if args.citation:  # where sacreBLEU 2.6.0 stops with a TypeError
        if not test_sets:
            _fail("I need a test set (-t).")
        _check_test_sets(test_sets, None)
        for name in test_sets:
            if DATASETS[name].citation is None:
                sacrelogger.error("No citation found for %s", name)
            else:
                print(DATASETS[name].citation)
        return
    _check_references(args, test_sets)
    if args.echo:
        for test_set in test_sets:
            _call_sacrebleu(
                "print_test_set", test_set, args.langpair, args.echo, args.origlang, args.subset
            )
        return
    if args.langpair:
        args.bleu_trg_lang = _target_language(args.langpair)
    if test_sets and args.bleu_tokenize == "none":
        sacrelogger.warning(
            "You are turning off BLEU's internal tokenizer "
            "presumably to supply your own tokenized files."
        )
        sacrelogger.warning("Published numbers will not be comparable to other papers.")
    _score(args, _read_references(args, test_sets))


def _score(args: Namespace, all_refs: list[list[str]]) -> None:
    args.num_refs = len(all_refs)
    paired = args.paired_bs or args.paired_ar
    all_systems, names = _read_stdin(args) if args.input is None else _read_files(args, paired)
    if paired:
        in_columns = args.input is None
        names = ["Baseline", *names[:-1]] if in_columns else [f"Baseline: {names[0]}", *names[1:]]
    _check_modes(args, len(names), paired)
    # Checked before and after: a filter cuts longer systems, which would hide a wrong file.
    for system in all_systems:
        _check_lengths(system, all_refs, args)
    systems, refs = _filter(args, all_systems, all_refs)
    for system in systems:
        _check_lengths(system, refs, args)
    metrics = {}
    for name in args.metrics:
        prefix = f"{name}_"
        options = {
            option.removeprefix(prefix): value
            for option, value in vars(args).items()
            if option.startswith(prefix)
        }
        metrics[name.upper()] = METRICS[name.upper()](**options, references=refs)
    if args.sentence_level:
        (metric,) = metrics.values()
        for hyp, *ref in zip(systems[0], *refs, strict=True):
            score = metric.sentence_score(hyp, ref)
            signature = metric.get_signature().format(args.short)
            print(score.format(args.width, args.score_only, signature))
    elif len(names) == 1:
        _score_one(metrics, systems[0], args)
        if args.detail and not args.test_set:
            print("No subset information found. Consider using --origlang argument.")
        elif args.detail:
            # sacreBLEU reads the characters of `origlang` as languages; a list has the whole name.
            args.origlang = [args.origlang] if args.origlang else None
            _call_sacrebleu("print_subset_results", metrics, all_systems[0], all_refs, args)
    else:
        _score_many(metrics, list(zip(names, systems, strict=True)), args, paired)


def _call_sacrebleu(function: str, *arguments: Any) -> Any:
    """Call a function of the installed `sacrebleu.utils`; its errors become one line."""
    utils = installed_sacrebleu().utils
    utils.Color.ENABLE_COLORS = Color.ENABLE_COLORS
    try:
        return getattr(utils, function)(*arguments)
    except (TrueBLEUError, OSError):
        raise
    except Exception as error:
        raise InputError(str(error)) from error


def _list_test_sets(test_sets: list[str], langpair: str | None) -> None:
    if test_sets:
        _check_test_sets(test_sets, langpair)
        for test_set in test_sets:
            for pair in [langpair] if langpair else get_langpairs_for_testset(test_set):
                print(f"{pair}: {', '.join(DATASETS[test_set].fieldnames(pair))}")
        return
    names = get_available_testsets()
    title = "The available test sets are:"
    if langpair:
        _target_language(langpair)
        names = _call_sacrebleu("get_available_testsets_for_langpair", langpair)
        title = f"The available test sets for {langpair} are:"
    print(title)
    for name in sorted(names):
        print(f"{name:<30}: {DATASETS[name].description.strip()}")


def _check_test_sets(test_sets: list[str], langpair: str | None) -> None:
    for test_set in test_sets:
        if test_set not in DATASETS:
            _fail(
                f"Unknown test set {test_set!r}",
                "Please run with --list to see the available test sets.",
            )
    for test_set in test_sets:
        pairs = get_langpairs_for_testset(test_set)
        if langpair is not None and langpair not in pairs:
            _fail(
                f"No such language pair {langpair!r}",
                f"Available language pairs for {test_set!r} are:",
                *(f" > {pair}" for pair in pairs),
            )


def _target_language(langpair: str) -> str:
    _, *target = langpair.split("-")
    if not target:
        raise InputError(f"{langpair!r} is not a language pair; write it as de-en")
    return target[0]


def _check_references(args: Namespace, test_sets: list[str]) -> None:
    """References come from either test sets or files."""
    if args.num_refs != 1 and (test_sets or len(args.refs) > 1):
        _fail(
            "The --num-refs argument allows you to provide any number of tab-delimited "
            "references in a single file.",
            "You can only use it with externally provided references, however "
            "(i.e., not with `-t`),",
            "and you cannot then provide multiple reference files.",
        )
    if test_sets:
        _check_test_sets(test_sets, None)
        if args.refs:
            _fail(
                "I need exactly one of (a) a predefined test set (-t) or (b) a list of references"
            )
        if args.langpair is None:
            _fail(
                "I need a language pair (-l). Use --list to see available language pairs for this "
                "test set."
            )
        _check_test_sets(test_sets, args.langpair)
    elif not args.refs:
        sacrelogger.error(
            "If manual references given, make sure to provide them before the -i/--input "
            "argument to avoid confusion."
        )
        sacrelogger.error("Otherwise, I need a predefined test set (-t) from the following list:")
        _fail(get_available_testsets())
    elif args.echo:
        sacrelogger.warning("--echo requires a test set (--t) and a language pair (-l)")
        sys.exit(1)


def _read_references(args: Namespace, test_sets: list[str]) -> list[list[str]]:
    """Streams of references, in which several test sets follow each other."""
    sets = [args.refs]
    if test_sets:
        sets = [_call_sacrebleu("get_reference_files", name, args.langpair) for name in test_sets]
        for name, files in zip(test_sets, sets, strict=True):
            if not files:
                sacrelogger.warning("No references found for test set %s/%s.", name, args.langpair)
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
                for stream, field in zip(streams, fields, strict=True):
                    stream.append(field)
    return streams


def _read_stdin(args: Namespace) -> tuple[list[list[str]], list[str]]:
    """Systems in columns, separated by tabs."""
    with open(0, encoding=args.encoding, closefd=False) as lines:
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
        _fail("--input (-i) needs at least one file; leave it out to read standard input")
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
            message += f" subset={args.subset}{args.subset}"  # twice, as in sacreBLEU
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


def _filter(
    args: Namespace, systems: list[list[str]], refs: list[list[str]]
) -> tuple[list[list[str]], list[list[str]]]:
    """The segments of an original language or a subset."""
    if args.origlang is None and args.subset is None:
        return systems, refs
    if not args.test_set or args.langpair is None:
        raise InputError(
            "Filtering for --origlang or --subset needs a test (-t) and a language pair (-l)."
        )
    streams = _call_sacrebleu(
        "filter_subset", [*systems, *refs], args.test_set, args.langpair, args.origlang, args.subset
    )
    return streams[: len(systems)], streams[len(systems) :]


def _score_one(metrics: dict[str, Any], system: list[str], args: Namespace) -> None:
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
        full_signatures, scores = test()
        signatures = {name: one.format(args.short) for name, one in full_signatures.items()}
    else:
        for _, system in systems:
            for name in sorted(metrics):
                score = metrics[name].corpus_score(system, references=None)
                signatures[score.name] = metrics[name].get_signature().format(args.short)
                scores.setdefault(score.name, []).append(score.format(args.width, True))
    print_results_table(scores, signatures, args)


if __name__ == "__main__":
    sys.exit(main())
