//! iBLEU (Sun and Zhou 2012): BLEU against the references, less BLEU against the source.
//!
//! The last reference of a segment is its source. A row holds BLEU's row with the references, then
//! that with the source.

use std::ops::Range;

use super::Derived;
use crate::combine;
use crate::plan::Plan;
use crate::settings::Settings;

#[derive(Debug)]
pub struct Ibleu {
    plan: Plan,
    /// The weight of BLEU against the references; the source has the rest of 1.
    alpha: f64,
}

impl Ibleu {
    /// Compiles settings: `alpha`, and those of a plan; see [`Plan::compile`].
    pub fn compile<'a>(
        settings: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<Self, String> {
        let mut settings = Settings(settings.into_iter().collect());
        let alpha = settings.number("alpha", 0.9)?;
        Ok(Self {
            plan: Plan::compile(settings.0)?,
            alpha,
        })
    }
}

impl Derived for Ibleu {
    fn plan(&self) -> &Plan {
        &self.plan
    }

    fn columns(&self) -> usize {
        2 * self.plan.width()
    }

    fn least_references(&self) -> usize {
        2
    }

    fn parts(&self, count: usize) -> impl Iterator<Item = Range<usize>> {
        let source = count.saturating_sub(1);
        [0..source, source..count].into_iter()
    }

    fn make_row(&self, counts: &[i64], row: &mut [i64]) {
        row.fill(0);
        for (row, counts) in row.iter_mut().zip(counts) {
            *row = *counts;
        }
        for row in row.chunks_mut(self.plan.width()) {
            combine::note_segment(&self.plan.combine, row);
        }
    }

    fn score(&self, row: &[i64], buffer: &mut Vec<f64>) -> f64 {
        let (references, source) = row.split_at(self.plan.width());
        let mut bleu = |row| combine::corpus_score(&self.plan.combine, row, buffer).0;
        self.alpha * bleu(references) - (1.0 - self.alpha) * bleu(source)
    }
}
