# SPDX-License-Identifier: Apache-2.0
"""BLEU on the engines of clusters: statistics add, so each batch gives a row, and the engine adds.

`batches` is a function from Arrow batch to Arrow batch, for any engine; `ray` and `spark` are the
doors to two of them.
"""
