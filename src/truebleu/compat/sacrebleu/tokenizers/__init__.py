# SPDX-License-Identifier: Apache-2.0
"""sacreBLEU's tokenizers: functions from a line to its tokens, joined by spaces."""
