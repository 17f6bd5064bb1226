# SPDX-License-Identifier: Apache-2.0
"""The test sets of the installed sacrebleu, which downloads and reads them."""

from __future__ import annotations

from truebleu.cli.flags import Args
from truebleu.errors import InputError, OptionError, needing, suggest

_SELECTED = ("origlang", "subset")


def files_of(args: Args, paths: list[str]) -> list[str]:
    """The text files of the source and of the references of --test-set.

    Raises:
        InputError: the test set cannot be downloaded.
        MissingExtraError: sacrebleu is not installed.
        OptionError: there is no such test set, or there are other references.
    """
    name, pair = args["test_set"], args["language_pair"]
    if name is None:
        raise OptionError("--origlang and --subset select segments of a test set; name it (-t)")
    if pair is None:
        raise OptionError("a test set needs both -t and -l, as in -t wmt22 -l en-de")
    if paths or "ref_col" in args:
        raise OptionError("-t names the references; leave out REF and --ref-col")
    with needing("a sacreBLEU test set", "testsets"):
        from sacrebleu import utils
    pairs = utils.get_langpairs_for_testset(name)
    if not pairs:
        raise OptionError(f"no test set is named {suggest(name, utils.get_available_testsets())}")
    reverse = "-".join(pair.split("-")[::-1])
    if pair not in pairs:
        if reverse in pairs:
            raise OptionError(f"{name} has {reverse}, but not {pair}")
        raise OptionError(f"{name} has no language pair {pair!r}; known: {', '.join(sorted(pairs))}")
    try:
        return [utils.get_source_file(name, pair), *utils.get_reference_files(name, pair)]
    except (Exception, SystemExit) as error:  # noqa: BLE001  (each reader has its own errors)
        raise InputError(f"{name}: cannot be downloaded or read: {error}") from None


def places_of(args: Args) -> list[int] | None:
    """The segments that --origlang and --subset select, from 0; None without these.

    Raises:
        OptionError: the test set has no such segments, or does not say which they are.
    """
    if not args.keys() & {*_SELECTED}:
        return None
    from itertools import count

    from sacrebleu import utils

    name, pair = args["test_set"], args["language_pair"]
    options = [args[key] for key in _SELECTED]
    try:
        (places,) = utils.filter_subset([count()], name, pair, *options)  # type: ignore[no-untyped-call]
    except Exception as error:  # noqa: BLE001  (sacreBLEU raises it for sets without annotations)
        raise OptionError(f"{name}: {error}") from None
    if not places:
        flags = " and ".join(f"--{key} {args[key]}" for key in _SELECTED if key in args)
        raise OptionError(f"{name} has no segment with {flags}")
    return list(places)
