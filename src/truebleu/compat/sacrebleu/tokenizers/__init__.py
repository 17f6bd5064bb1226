# SPDX-License-Identifier: Apache-2.0
"""sacreBLEU's tokenizers: from a line to its tokens with blanks between them."""
