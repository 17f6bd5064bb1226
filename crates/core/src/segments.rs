//! Metrics that count each segment by itself and add what they counted: chrF and TER beside BLEU.

use std::cell::Cell;
use std::ops::Range;

use crate::batch::{in_parallel, sum_in_parallel};
use crate::codepoints;
use crate::shares::{PARTS_PER_WORKER, share};
use crate::simd::{Isa, Level, Task, dispatch};
use crate::stats;
use crate::stop::did;
use crate::views::{BadSegment, Corpus, Fault, Segments};

/// From here on, sums of 32-bit floats are not exact.
pub const EXACT: i64 = 1 << 24;

/// How a metric counts a segment, and what it makes of what was counted.
pub trait Counting: Send + Sync {
    /// Buffers that are used again and again.
    type Buffers: Default + 'static;

    /// Fewest segments that are worth a thread.
    const SEGMENTS_PER_THREAD: usize;

    fn level(&self) -> Level;

    /// Integers in a row.
    fn width(&self) -> usize;

    /// Begins a segment with its hypothesis.
    fn hypothesis(&self, buffers: &mut Self::Buffers, line: &mut Vec<u32>) -> Result<(), Fault>;

    /// Counts the hypothesis against one of its references.
    fn reference<I: Isa>(
        &self,
        isa: I,
        buffers: &mut Self::Buffers,
        line: &mut Vec<u32>,
    ) -> Result<(), Fault>;

    /// Ends the segment: writes its row.
    fn finish(&self, buffers: &mut Self::Buffers, row: &mut [i64]) -> Result<(), Fault>;

    /// The score of a row.
    fn value(&self, row: &[i64]) -> f64;

    /// The same as sacreBLEU computes it of resamples, whose sums are 32-bit floats.
    fn value_in_floats(&self, row: &[i64]) -> f64;

    /// What of a row such floats do not hold.
    fn lost_in_floats(&self, row: &[i64]) -> Option<&'static str>;

    /// As [`Metric::pairs`]: pair by pair, unless a metric knows better.
    fn pairs(
        &self,
        candidates: &Segments,
        references: Option<&Segments>,
        threads: usize,
        scores: &mut [f64],
    ) -> Result<(), BadSegment>
    where
        Self: Sized,
    {
        pair_by_pair(self, candidates, references, threads, scores)
    }

    /// The words of a text.
    fn words(&self, line: Vec<u32>) -> Result<Vec<Vec<u32>>, Fault>;

    /// The buffers of the last batch on this thread: making new ones takes longer than a segment.
    fn kept() -> &'static std::thread::LocalKey<Cell<Option<Box<Self::Buffers>>>>;
}

/// A metric, whichever it is.
pub trait Metric: Send + Sync {
    fn level(&self) -> Level;

    /// Integers in a row.
    fn width(&self) -> usize;

    /// The row of each segment, one after the other.
    fn rows(&self, corpus: &Corpus, threads: usize) -> Result<Vec<i64>, BadSegment>;

    /// The sum of all rows.
    fn total(&self, corpus: &Corpus, threads: usize) -> Result<Vec<i64>, BadSegment>;

    /// The score of each segment by itself.
    fn scores(&self, corpus: &Corpus, threads: usize) -> Result<Vec<f64>, BadSegment>;

    /// The score of a row.
    fn value(&self, row: &[i64]) -> f64;

    /// The score of each row by itself.
    fn values(&self, rows: &[i64]) -> Vec<f64>;

    /// As [`Counting::value_in_floats`].
    fn value_in_floats(&self, row: &[i64]) -> f64;

    /// As [`Counting::lost_in_floats`].
    fn lost_in_floats(&self, row: &[i64]) -> Option<&'static str>;

    /// Fills the matrix of scores of each candidate against each reference; without references,
    /// the candidates are their own. See [`crate::pairwise::fill`].
    fn pairs(
        &self,
        candidates: &Segments,
        references: Option<&Segments>,
        threads: usize,
        scores: &mut [f64],
    ) -> Result<(), BadSegment>;

    /// The words of each text, as code points.
    fn words(&self, segments: &Segments) -> Result<Vec<Vec<Vec<u32>>>, BadSegment>;
}

impl<C: Counting> Metric for C {
    fn level(&self) -> Level {
        Counting::level(self)
    }

    fn width(&self) -> usize {
        Counting::width(self)
    }

    fn rows(&self, corpus: &Corpus, threads: usize) -> Result<Vec<i64>, BadSegment> {
        let width = Counting::width(self);
        let mut rows = vec![0; corpus.len() * width];
        let workers = workers::<C>(corpus.len(), threads);
        in_parallel(corpus.len(), workers, &mut rows, width, |range, rows| {
            let mut next = rows.chunks_exact_mut(width);
            for_each_row(self, corpus, range, |row| {
                if let Some(slot) = next.next() {
                    slot.copy_from_slice(row);
                }
            })
        })?;
        Ok(rows)
    }

    fn total(&self, corpus: &Corpus, threads: usize) -> Result<Vec<i64>, BadSegment> {
        let workers = workers::<C>(corpus.len(), threads);
        let width = Counting::width(self);
        sum_in_parallel(corpus.len(), workers, width, |range, sum| {
            for_each_row(self, corpus, range, |row| stats::add(sum, row))
        })
    }

    fn scores(&self, corpus: &Corpus, threads: usize) -> Result<Vec<f64>, BadSegment> {
        let mut scores = vec![0.0; corpus.len()];
        let workers = workers::<C>(corpus.len(), threads);
        in_parallel(corpus.len(), workers, &mut scores, 1, |range, scores| {
            let mut next = scores.iter_mut();
            for_each_row(self, corpus, range, |row| {
                if let Some(slot) = next.next() {
                    *slot = Counting::value(self, row);
                }
            })
        })?;
        Ok(scores)
    }

    fn value(&self, row: &[i64]) -> f64 {
        Counting::value(self, row)
    }

    fn values(&self, rows: &[i64]) -> Vec<f64> {
        rows.chunks_exact(Counting::width(self))
            .map(|row| {
                did(PAIR / 64);
                Counting::value(self, row)
            })
            .collect()
    }

    fn value_in_floats(&self, row: &[i64]) -> f64 {
        Counting::value_in_floats(self, row)
    }

    fn lost_in_floats(&self, row: &[i64]) -> Option<&'static str> {
        Counting::lost_in_floats(self, row)
    }

    fn pairs(
        &self,
        candidates: &Segments,
        references: Option<&Segments>,
        threads: usize,
        scores: &mut [f64],
    ) -> Result<(), BadSegment> {
        Counting::pairs(self, candidates, references, threads, scores)
    }

    fn words(&self, segments: &Segments) -> Result<Vec<Vec<Vec<u32>>>, BadSegment> {
        let read = |position| {
            let mut line = Vec::new();
            codepoints::read(segments, position, &mut line)?;
            did(PAIR);
            Counting::words(self, line)
        };
        (0..segments.len())
            .map(|position| read(position).map_err(|fault| bad(fault, false, position)))
            .collect()
    }
}

fn workers<C: Counting>(segments: usize, threads: usize) -> usize {
    (segments / C::SEGMENTS_PER_THREAD).clamp(1, threads.max(1))
}

/// [`Metric::pairs`] of any metric.
fn pair_by_pair<C: Counting>(
    metric: &C,
    candidates: &Segments,
    references: Option<&Segments>,
    threads: usize,
    scores: &mut [f64],
) -> Result<(), BadSegment> {
    let columns = references.unwrap_or(candidates).len();
    let workers = workers::<C>(scores.len(), threads);
    let rows = candidates.len().div_ceil(PARTS_PER_WORKER * workers).max(1);
    let parts = scores.chunks_mut(rows * columns.max(1)).enumerate();
    share(workers, parts, |(i, scores)| {
        let pairs = Pairs {
            metric,
            candidates,
            references,
            start: i * rows,
            scores,
        };
        dispatch(Counting::level(metric), pairs)
    })
}

struct Pairs<'a, C> {
    metric: &'a C,
    candidates: &'a Segments<'a>,
    references: Option<&'a Segments<'a>>,
    start: usize,
    scores: &'a mut [f64],
}

impl<C: Counting> Task for Pairs<'_, C> {
    type Output = Result<(), BadSegment>;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Self::Output {
        let Self {
            metric,
            candidates,
            references,
            ..
        } = self;
        let mut row = vec![0; Counting::width(metric)];
        let (mut line, mut buffers) = (Vec::new(), C::Buffers::default());
        let columns = references.unwrap_or(candidates);
        let rows = self.scores.chunks_mut(columns.len());
        for (candidate, scores) in (self.start..).zip(rows) {
            for (reference, score) in scores.iter_mut().enumerate() {
                codepoints::read(candidates, candidate, &mut line)
                    .and_then(|()| metric.hypothesis(&mut buffers, &mut line))
                    .map_err(|fault| bad(fault, false, candidate))?;
                codepoints::read(columns, reference, &mut line)
                    .and_then(|()| metric.reference(isa, &mut buffers, &mut line))
                    .and_then(|()| metric.finish(&mut buffers, &mut row))
                    .map_err(|fault| bad(fault, references.is_some(), reference))?;
                *score = Counting::value(metric, &row);
                did(PAIR);
            }
        }
        Ok(())
    }
}

fn bad(fault: Fault, in_refs: bool, position: usize) -> BadSegment {
    BadSegment {
        fault,
        in_refs,
        position,
    }
}

fn for_each_row<C: Counting>(
    metric: &C,
    corpus: &Corpus,
    range: Range<usize>,
    sink: impl FnMut(&[i64]),
) -> Result<(), BadSegment> {
    let rows = Rows {
        metric,
        corpus,
        range,
        sink,
    };
    dispatch(Counting::level(metric), rows)
}

struct Rows<'a, C, S> {
    metric: &'a C,
    corpus: &'a Corpus<'a>,
    range: Range<usize>,
    sink: S,
}

impl<C: Counting, S: FnMut(&[i64])> Task for Rows<'_, C, S> {
    type Output = Result<(), BadSegment>;

    #[inline(always)]
    fn run<I: Isa>(mut self, isa: I) -> Self::Output {
        let Self { metric, corpus, .. } = self;
        let mut row = vec![0; Counting::width(metric)];
        let mut line = Vec::new();
        let mut buffers = C::kept().take().unwrap_or_default();
        for segment in self.range {
            codepoints::read(&corpus.hyps, segment, &mut line)
                .and_then(|()| metric.hypothesis(&mut buffers, &mut line))
                .map_err(|fault| bad(fault, false, segment))?;
            let references = corpus.references(segment);
            let first = references.start;
            for position in references {
                codepoints::read(&corpus.refs, position, &mut line)
                    .and_then(|()| metric.reference(isa, &mut buffers, &mut line))
                    .map_err(|fault| bad(fault, true, position))?;
                did(PAIR);
            }
            metric
                .finish(&mut buffers, &mut row)
                .map_err(|fault| bad(fault, true, first))?;
            (self.sink)(&row);
        }
        if line.capacity() <= LARGE {
            C::kept().set(Some(buffers));
        }
        Ok(())
    }
}

/// Steps that a usual pair takes; long ones are counted where they are compared.
const PAIR: usize = 1 << 13;

/// Code points of a segment that are not usual: buffers that held as many are not kept.
const LARGE: usize = 1 << 14;
