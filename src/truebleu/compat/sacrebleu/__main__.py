# SPDX-License-Identifier: Apache-2.0
"""`python -m truebleu.compat.sacrebleu`."""

import sys

from truebleu.compat.sacrebleu.sacrebleu import main

sys.exit(main())
