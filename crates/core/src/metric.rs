//! The trait of all metrics: they count a row for each segment, add rows, and compute a score from
//! the sum.

use std::any::Any;
use std::ops::Range;

use crate::columns::views::{Corpus, Outcome, Segments, Sides};
use crate::simd::{Isa, Level, Task, dispatch};

/// A function that receives rows in order.
pub type Sink<'a> = &'a mut dyn FnMut(&[i64]);

/// A metric with its settings; [`crate::run::batch`] runs it.
pub trait Metric: Any + Send + Sync {
    /// The instruction set in use.
    fn level(&self) -> Level;

    /// Integers in a row.
    fn width(&self) -> usize;

    /// The number of threads worth starting for a corpus, at most `threads`.
    fn workers(&self, corpus: &Corpus, threads: usize) -> usize;

    /// Gives the row of each segment of `range` to `sink`, in order.
    fn for_each_row(&self, corpus: &Corpus, range: Range<usize>, sink: Sink) -> Outcome;

    /// The score of a row; `buffer` may be reused.
    fn value(&self, row: &[i64], buffer: &mut Vec<f64>) -> f64;

    /// Fills the matrix of scores of each candidate against each reference. Only BLEU has scores that
    /// are not `exact`; see [`crate::sets::pairwise::fill`].
    fn pairs(&self, sides: Sides, exact: bool, threads: usize, scores: &mut [f64]) -> Outcome;

    /// The tokens of each text, as UTF-8.
    fn tokens(&self, segments: &Segments) -> Outcome<Vec<Vec<Vec<u8>>>>;

    /// Whether it reads the letters of words, which ids do not have.
    fn reads_letters(&self) -> bool {
        false
    }
}

/// A metric whose counting is compiled for each instruction set.
pub trait Count: Metric {
    /// As [`Metric::for_each_row`].
    fn count<I: Isa>(&self, isa: I, corpus: &Corpus, range: Range<usize>, sink: Sink) -> Outcome;
}

/// [`Metric::for_each_row`] for the instruction set of the metric.
pub fn for_each_row<M: Count>(
    metric: &M,
    corpus: &Corpus,
    range: Range<usize>,
    sink: Sink,
) -> Outcome {
    let rows = CountRows {
        metric,
        corpus,
        range,
        sink,
    };
    dispatch(metric.level(), rows)
}

struct CountRows<'a, M> {
    metric: &'a M,
    corpus: &'a Corpus<'a>,
    range: Range<usize>,
    sink: Sink<'a>,
}

impl<M: Count> Task for CountRows<'_, M> {
    type Output = Outcome;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Self::Output {
        self.metric.count(isa, self.corpus, self.range, self.sink)
    }
}
