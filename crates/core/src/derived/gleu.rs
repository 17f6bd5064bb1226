//! GLEU (Wu et al. 2016): matched n-grams of all orders divided by those of the hypothesis or of the
//! reference, whichever has more.
//!
//! A row holds the matches and this number of n-grams. The reference that counts is the one with the
//! best score, and of equal ones the first.

use std::ops::Range;

use super::Derived;
use crate::plan::Plan;
use crate::settings::Settings;

#[derive(Debug)]
pub struct Gleu {
    plan: Plan,
    /// The lowest order; the plan has the highest.
    lowest: usize,
}

impl Gleu {
    /// Compiles settings: `min_len` and `max_len`, and those of a plan; see [`Plan::compile`].
    pub fn compile<'a>(
        settings: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<Self, String> {
        let mut settings = Settings(settings.into_iter().collect());
        let lowest = settings.orders("min_len", 1, 1)?;
        let highest = settings.orders("max_len", lowest, 4)?;
        let orders = highest.to_string();
        settings.0.insert("max_ngram_order", &orders);
        Ok(Self {
            plan: Plan::compile(settings.0)?,
            lowest,
        })
    }

    /// N-grams of all orders in a text of this many tokens.
    fn ngrams(&self, tokens: i64) -> i64 {
        let orders = self.lowest as i64..=self.plan.count.orders as i64;
        orders.map(|n| (tokens + 1 - n).max(0)).sum()
    }
}

impl Derived for Gleu {
    fn plan(&self) -> &Plan {
        &self.plan
    }

    fn columns(&self) -> usize {
        2
    }

    fn parts(&self, count: usize) -> impl Iterator<Item = Range<usize>> {
        (0..count).map(|i| i..i + 1)
    }

    fn make_row(&self, counts: &[i64], row: &mut [i64]) {
        row.fill(0);
        let mut best = -1.0;
        for counts in counts.chunks(self.plan.width()) {
            let matches = counts[1 + self.lowest..2 + self.plan.count.orders]
                .iter()
                .sum::<i64>();
            let most = self.ngrams(counts[0].max(counts[1]));
            let score = matches as f64 / most as f64;
            if most > 0 && score > best {
                best = score;
                row.copy_from_slice(&[matches, most]);
            }
        }
    }

    fn score(&self, row: &[i64], _: &mut Vec<f64>) -> f64 {
        if row[1] == 0 {
            0.0
        } else {
            row[0] as f64 / row[1] as f64
        }
    }
}
