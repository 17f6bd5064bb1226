//! `CodeBLEU` (Ren et al. 2020): a weighted sum of two n-gram matches, each a [`Plan`], and of two
//! matches of syntax trees, which the caller counts.
//!
//! A row holds the rows of both plans, then matches and totals of subtrees, and of data flow.

use std::ops::Range;

use crate::columns::views::{Corpus, Outcome, Segments, Sides};
use crate::metric::{Metric, Sink};
use crate::plan::Plan;
use crate::resample::Resampled;
use crate::settings::{Named, Settings};
use crate::simd::Level;

/// Integers of a row that the caller counts.
const TREES: usize = 4;

#[derive(Debug)]
pub struct CodeBleu {
    ngram: Plan,
    weighted: Plan,
    /// Of the four parts, in the order of the row.
    weights: [f64; 4],
    /// What a data flow match of 0 counts as.
    zero_dataflow: f64,
}

impl CodeBleu {
    /// Compiles settings; those of the plans begin with `ngram.` and `weighted.`.
    pub fn compile<'a>(settings: impl Named<'a>) -> Result<Self, String> {
        let (mut ngram, mut weighted, mut own) = (Vec::new(), Vec::new(), Vec::new());
        for (name, value) in settings {
            match name.split_once('.') {
                Some(("ngram", name)) => ngram.push((name, value)),
                Some(("weighted", name)) => weighted.push((name, value)),
                _ if name == "simd" => {
                    ngram.push((name, value));
                    weighted.push((name, value));
                }
                _ => own.push((name, value)),
            }
        }
        let mut own = Settings(own.into_iter().collect());
        let keep_zero: bool = own.choice("keep_zero")?;
        let metric = Self {
            ngram: Plan::compile(ngram)?,
            weighted: Plan::compile(weighted)?,
            weights: own.array("weights")?,
            zero_dataflow: f64::from(u8::from(!keep_zero)),
        };
        own.check_all_read()?;
        Ok(metric)
    }
}

impl Metric for CodeBleu {
    fn level(&self) -> Level {
        self.ngram.level
    }

    fn width(&self) -> usize {
        self.ngram.width() + self.weighted.width() + TREES
    }

    fn workers(&self, corpus: &Corpus, threads: usize) -> usize {
        self.ngram.workers(corpus, threads)
    }

    fn for_each_row(&self, corpus: &Corpus, range: Range<usize>, sink: Sink) -> Outcome {
        let middle = self.ngram.width();
        let mut ngram = Vec::with_capacity(range.len() * middle);
        let mut keep = |row: &[i64]| ngram.extend_from_slice(row);
        self.ngram.for_each_row(corpus, range.clone(), &mut keep)?;
        let mut firsts = ngram.chunks_exact(middle);
        let mut row = vec![0; self.width()];
        let end = self.width() - TREES;
        self.weighted.for_each_row(corpus, range, &mut |second| {
            if let Some(first) = firsts.next() {
                row[..middle].copy_from_slice(first);
                row[middle..end].copy_from_slice(second);
                sink(&row);
            }
        })
    }

    fn value(&self, row: &[i64], buffer: &mut Vec<f64>) -> f64 {
        let (ngram, rest) = row.split_at(self.ngram.width());
        let (weighted, trees) = rest.split_at(self.weighted.width());
        let dataflow = match share(trees[2], trees[3]) {
            0.0 => self.zero_dataflow,
            share => share,
        };
        self.weights[0] * self.ngram.value(ngram, buffer)
            + self.weights[1] * self.weighted.value(weighted, buffer)
            + self.weights[2] * share(trees[0], trees[1])
            + self.weights[3] * dataflow
    }

    /// There are no scores of all pairs: the caller would have to count each pair's trees.
    fn pairs(&self, _: Sides, _: bool, _: usize, scores: &mut [f64]) -> Outcome {
        scores.fill(f64::NAN);
        Ok(())
    }

    fn tokens(&self, segments: &Segments) -> Outcome<Vec<Vec<Vec<u8>>>> {
        self.ngram.tokens(segments)
    }
}

impl Resampled for CodeBleu {}

fn share(matches: i64, total: i64) -> f64 {
    if total == 0 {
        0.0
    } else {
        matches as f64 / total as f64
    }
}
