//! What makes scores of sums of rows: BLEU's plan, or another metric.

use std::sync::Arc;

use crate::combine;
use crate::plan::{Combine, Plan, Rounding};
use crate::segments::{EXACT, Metric};
use crate::simd::Level;

/// How a row becomes a score.
pub enum Formula {
    Bleu {
        width: usize,
        level: Level,
        combine: Combine,
        /// The same with the rounding of 32-bit floats.
        in_floats: Combine,
    },
    Other(Arc<dyn Metric>),
}

impl From<&Plan> for Formula {
    fn from(plan: &Plan) -> Self {
        Self::Bleu {
            width: plan.width(),
            level: plan.level,
            combine: plan.combine.clone(),
            in_floats: Combine {
                rounding: Rounding::Precisions,
                ..plan.combine.clone()
            },
        }
    }
}

impl Formula {
    /// Integers in a row.
    pub fn width(&self) -> usize {
        match self {
            Self::Bleu { width, .. } => *width,
            Self::Other(metric) => metric.width(),
        }
    }

    pub(super) fn level(&self) -> Level {
        match self {
            Self::Bleu { level, .. } => *level,
            Self::Other(metric) => metric.level(),
        }
    }

    /// The score of a row; `room` is used again and again.
    #[inline]
    pub(super) fn value(&self, row: &[i64], room: &mut Vec<f64>) -> f64 {
        match self {
            Self::Bleu { combine, .. } => combine::score(combine, row, room).0,
            Self::Other(metric) => metric.value(row),
        }
    }

    /// The same as sacreBLEU computes it of sums that are 32-bit floats.
    pub(super) fn value_in_floats(&self, row: &[i64], room: &mut Vec<f64>) -> f64 {
        match self {
            Self::Bleu { in_floats, .. } => combine::score(in_floats, row, room).0,
            Self::Other(metric) => metric.value_in_floats(row),
        }
    }

    /// What of a row such floats do not hold.
    pub(super) fn lost_in_floats(&self, row: &[i64]) -> Option<&'static str> {
        match self {
            Self::Bleu { .. } => {
                (!row.iter().all(|&sum| sum < EXACT)).then_some("16777216 n-grams or more")
            }
            Self::Other(metric) => metric.lost_in_floats(row),
        }
    }
}
