# SPDX-License-Identifier: Apache-2.0
"""Drop-ins: other tools' names on TrueBLEU's kernel."""
