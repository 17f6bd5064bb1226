# SPDX-License-Identifier: Apache-2.0
"""BLEU in data frames, training frameworks and clusters.

Each module is imported by its users and imports its library only when it is used. `engine`,
`batches` and `parquet` are shared by Ray, Spark and DuckDB.
"""
