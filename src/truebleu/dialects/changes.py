# SPDX-License-Identifier: Apache-2.0
"""Options as keyword arguments: type checkers read `changes.pyi`; at run time they are any."""

from typing import Any, TypeVar

BLEUChanges = WeightedBLEUChanges = MetricChanges = PairwiseChanges = UnweightedMetricChanges = dict[str, Any]
MBROptions = FrameOptions = TestOptions = ComparisonOptions = PlotOptions = dict[str, Any]
StateOptions = BLEUStateOptions = MetricOf = dict[str, Any]
Segment, Table, StatsOfMetric, ScoreOfMetric = map(TypeVar, ("Segment", "Table", "StatsOfMetric", "ScoreOfMetric"))
