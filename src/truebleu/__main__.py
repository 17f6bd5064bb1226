# SPDX-License-Identifier: Apache-2.0
"""`python -m truebleu`."""

import sys

from truebleu.cli import main

sys.exit(main())
