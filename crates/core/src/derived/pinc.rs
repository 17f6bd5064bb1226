//! PINC (Chen and Dolan 2011): the share of the hypothesis's n-grams that the source lacks, as the mean
//! over orders.
//!
//! A row holds the score in units of 2^-36, the number of segments, and for each order BLEU's clipped
//! matches and n-grams. The score of a corpus is the mean of those of its segments.

use std::iter;
use std::ops::Range;

use super::Derived;
use crate::combine::ONE;
use crate::plan::Plan;
use crate::settings::Settings;

#[derive(Debug)]
pub struct Pinc {
    plan: Plan,
}

impl Pinc {
    /// Compiles settings, those of a plan; see [`Plan::compile`].
    pub fn compile<'a>(
        settings: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<Self, String> {
        let settings = Settings(settings.into_iter().collect());
        Ok(Self {
            plan: Plan::compile(settings.0)?,
        })
    }
}

impl Derived for Pinc {
    fn plan(&self) -> &Plan {
        &self.plan
    }

    fn columns(&self) -> usize {
        self.plan.width()
    }

    fn parts(&self, count: usize) -> impl Iterator<Item = Range<usize>> {
        iter::once(0..count)
    }

    fn make_row(&self, counts: &[i64], row: &mut [i64]) {
        row.copy_from_slice(counts);
        let (matches, totals) = counts[2..].split_at(self.plan.count.orders);
        row[0] = (of_segment(matches, totals) * ONE).round() as i64;
        row[1] = 1;
    }

    fn score(&self, row: &[i64], _: &mut Vec<f64>) -> f64 {
        let (matches, totals) = row[2..].split_at(self.plan.count.orders);
        match row[1] {
            0 => 0.0,
            1 => of_segment(matches, totals),
            segments => row[0] as f64 / segments as f64 / ONE,
        }
    }
}

/// The score of a segment; orders without n-grams are left out.
fn of_segment(matches: &[i64], totals: &[i64]) -> f64 {
    let (mut sum, mut orders) = (0.0, 0);
    for (&matches, &total) in matches.iter().zip(totals) {
        if total > 0 {
            sum += 1.0 - matches as f64 / total as f64;
            orders += 1;
        }
    }
    sum / f64::from(orders.max(1))
}
