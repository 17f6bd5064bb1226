# SPDX-License-Identifier: Apache-2.0
"""`truebleu sacrebleu ...`: the command line of the installed sacreBLEU, accelerated."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from truebleu.compat.accelerate import accelerate


def run(arguments: Sequence[str]) -> int:
    """Run sacreBLEU's command line.

    Returns:
        Its exit code; 1 where it stops with an exception, which is printed as one line.
    """
    with accelerate("sacrebleu"):
        from sacrebleu.sacrebleu import main

        sys.argv[:] = ["sacrebleu", *arguments]
        try:
            main()  # type: ignore[no-untyped-call]
        except SystemExit as end:
            return end.code if isinstance(end.code, int) else int(end.code is not None)
        except BrokenPipeError:
            raise  # `truebleu` ends silently
        except Exception as error:  # noqa: BLE001  (sacreBLEU checks few of its arguments)
            kind = "" if isinstance(error, OSError) else f"{type(error).__name__}: "
            print(f"sacreBLEU: {kind}{' '.join(str(error).split())}", file=sys.stderr)
            return 1
    return 0
