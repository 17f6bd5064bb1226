//! `CodeBLEU` (Ren et al. 2020): a weighted sum of two n-gram matches, each a [`Plan`], and of two
//! matches of syntax trees, which the caller counts.
//!
//! A row holds the rows of both plans; matches and totals of subtrees, and of data flow; and what
//! rounding adds to weighted matches and words in codebleu, which are floats there.

use std::ops::Range;

use crate::columns::views::{Corpus, Outcome, Segments, Sides};
use crate::combine;
use crate::count::{vocabulary::Vocabulary, weight};
use crate::metric::{self, Count, Metric, Sink};
use crate::plan::{Measure, Plan};
use crate::resample::Resampled;
use crate::run::interrupt;
use crate::run::read::{Pairs, SegmentBuffers};
use crate::settings::{Named, Settings};
use crate::simd::{Isa, Level};
use crate::tokenize::Tokens;

/// Integers of a row that the caller counts, and those of rounding, which are the last.
const TREES: usize = 4;
const ROUNDED: usize = 2;
/// Bits after the point of 0.2 as a float. The unit of what rounding adds is a fifth of the last one.
const BITS: u32 = 55;

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
        self.ngram.width() + self.weighted.width() + TREES + ROUNDED
    }

    fn workers(&self, corpus: &Corpus, threads: usize) -> usize {
        self.ngram.workers(corpus, threads)
    }

    fn for_each_row(&self, corpus: &Corpus, range: Range<usize>, sink: Sink) -> Outcome {
        metric::for_each_row(self, corpus, range, sink)
    }

    fn value(&self, row: &[i64], buffer: &mut Vec<f64>) -> f64 {
        let (ngram, rest) = row.split_at(self.ngram.width());
        let (weighted, rest) = rest.split_at(self.weighted.width());
        let (trees, rounded) = rest.split_at(TREES);
        let dataflow = match share(trees[2], trees[3]) {
            0.0 => self.zero_dataflow,
            share => share,
        };
        self.weights[0] * self.ngram.value(ngram, buffer)
            + self.weights[1] * self.recall(weighted, rounded, buffer)
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

impl CodeBleu {
    /// The weighted match: the formula with codebleu's floats of single words, not with fifths.
    fn recall(&self, row: &[i64], rounded: &[i64], precisions: &mut Vec<f64>) -> f64 {
        let how = &self.weighted.combine;
        let (value, bp) = combine::score(how, row, precisions);
        if value == 0.0 {
            return 0.0; // no word matches
        }
        let sum = |fifths, more| ((i128::from(fifths) << BITS) + i128::from(more)) / 5;
        let matches = sum(row[2], rounded[0]) as f64;
        precisions[0] = matches / sum(row[2 + how.orders], rounded[1]) as f64;
        let mean = combine::geometric_mean(how, how.orders, precisions);
        combine::product(how, bp, mean)
    }
}

impl Count for CodeBleu {
    #[inline(always)]
    fn count<I: Isa>(&self, isa: I, corpus: &Corpus, range: Range<usize>, sink: Sink) -> Outcome {
        let mut row = vec![0; self.width()];
        let mut buffers = SegmentBuffers::take();
        let SegmentBuffers { hyp, refs, counter } = &mut *buffers;
        let mut pairs = Pairs::new(&self.ngram, corpus);
        let end = range.end;
        for segment in range {
            interrupt::check();
            let refs = pairs.read(isa, segment, end, hyp, refs)?;
            let (ngram, rest) = row.split_at_mut(self.ngram.width());
            let (weighted, rest) = rest.split_at_mut(self.weighted.width());
            for (plan, part) in [(&self.ngram, ngram), (&self.weighted, &mut *weighted)] {
                counter.count(isa, &plan.count, hyp, refs, part, 0);
                counter.finish(isa, &plan.count, part);
            }
            let fifths = [weighted[2], weighted[2 + self.weighted.count.orders]];
            let sums = float_sums(&self.weighted.count.measure, hyp, refs);
            for ((rounded, fifths), sum) in rest[TREES..].iter_mut().zip(fifths).zip(sums) {
                let exact = (sum * (1_u64 << BITS) as f64) as i128;
                *rounded = (5 * exact - (i128::from(fifths) << BITS)) as i64;
            }
            sink(&row);
        }
        buffers.keep();
        Ok(())
    }
}

/// The weighted matches and words of all references, added as codebleu 0.7.0 adds them: word by word,
/// in the order in which each reference has them first.
fn float_sums(measure: &Measure, hyp: &Tokens, refs: &[Tokens]) -> [f64; 2] {
    let (mut matches, mut total) = (0.0, 0.0);
    for reference in refs {
        let mut words = Vocabulary::with_capacity(reference.len());
        let mut counts = Vec::with_capacity(reference.len());
        for i in 0..reference.len() {
            let number = words.number(reference.name(i)) as usize;
            if number == counts.len() {
                let weight = f64::from(weight(measure, reference.token(i))) / 5.0;
                counts.push((weight, 0.0, 0.0));
            }
            counts[number].1 += 1.0;
        }
        for i in 0..hyp.len() {
            if let Some(count) = counts.get_mut(words.get(hyp.name(i)) as usize) {
                count.2 += 1.0;
            }
        }
        let (mut own, mut shared) = (0.0, 0.0);
        for (weight, in_ref, in_hyp) in counts {
            own += weight * in_ref;
            shared += weight * f64::min(in_ref, in_hyp);
        }
        (matches, total) = (matches + shared, total + f64::max(own, 1.0));
    }
    [matches, total]
}

impl Resampled for CodeBleu {
    fn lost_in_floats(&self, row: &[i64]) -> Option<&'static str> {
        self.ngram.lost_in_floats(&row[..row.len() - ROUNDED]) // the rest are last bits
    }
}

fn share(matches: i64, total: i64) -> f64 {
    if total == 0 {
        0.0
    } else {
        matches as f64 / total as f64
    }
}
