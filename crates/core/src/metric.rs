//! The trait of all metrics: they count a row for each segment, add rows, and compute a score from
//! the sum.

use std::any::Any;
use std::ops::Range;

use crate::columns::views::{BadSegment, Corpus, Segments};
use crate::simd::{Isa, Level, Task, dispatch};

/// A metric with its settings; [`crate::run::batch`] runs it.
pub trait Metric: Any + Send + Sync {
    /// The instruction set in use.
    fn level(&self) -> Level;

    /// Integers in a row.
    fn width(&self) -> usize;

    /// The number of threads worth starting for a corpus, at most `threads`.
    fn workers(&self, corpus: &Corpus, threads: usize) -> usize;

    /// Gives the row of each segment of `range` to `sink`, in order.
    fn for_each_row(
        &self,
        corpus: &Corpus,
        range: Range<usize>,
        sink: &mut dyn FnMut(&[i64]),
    ) -> Result<(), BadSegment>;

    /// The score of a row; `buffer` may be reused.
    fn value(&self, row: &[i64], buffer: &mut Vec<f64>) -> f64;

    /// Fills the matrix of scores of each candidate against each reference; without references,
    /// the candidates are their own. Only BLEU has scores that are not `exact`; see
    /// [`crate::sets::pairwise::fill`].
    fn pairs(
        &self,
        candidates: &Segments,
        references: Option<&Segments>,
        exact: bool,
        threads: usize,
        scores: &mut [f64],
    ) -> Result<(), BadSegment>;

    /// The tokens of each text, as UTF-8.
    fn tokens(&self, segments: &Segments) -> Result<Vec<Vec<Vec<u8>>>, BadSegment>;

    /// Whether it reads the letters of words, which ids do not have.
    fn reads_letters(&self) -> bool {
        false
    }
}

/// A metric whose counting is compiled for each instruction set.
pub trait Count: Metric {
    /// As [`Metric::for_each_row`].
    fn count<I: Isa>(
        &self,
        isa: I,
        corpus: &Corpus,
        range: Range<usize>,
        sink: &mut dyn FnMut(&[i64]),
    ) -> Result<(), BadSegment>;
}

/// [`Metric::for_each_row`] for the instruction set of the metric.
pub fn for_each_row<M: Count>(
    metric: &M,
    corpus: &Corpus,
    range: Range<usize>,
    sink: &mut dyn FnMut(&[i64]),
) -> Result<(), BadSegment> {
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
    sink: &'a mut dyn FnMut(&[i64]),
}

impl<M: Count> Task for CountRows<'_, M> {
    type Output = Result<(), BadSegment>;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Self::Output {
        self.metric.count(isa, self.corpus, self.range, self.sink)
    }
}
