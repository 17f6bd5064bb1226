//! Metrics derived from BLEU's counts: each makes its row of the rows of a hypothesis against some of
//! its references.

mod crystal;
mod gleu;

pub use crystal::Crystal;
pub use gleu::Gleu;

use std::ops::Range;

use crate::columns::views::{BadSegment, Corpus, Segments};
use crate::count::{Counter, ROWS};
use crate::metric::{EXACT, Metric};
use crate::plan::{Count, Plan};
use crate::run::parallel::PARTS_PER_WORKER;
use crate::run::read::{Buffers, Pairs};
use crate::run::{interrupt, parallel};
use crate::sets::pairwise::read_all;
use crate::simd::{Isa, Level, Task, dispatch};
use crate::tokenize::Tokens;

/// Fewest pairs worth a thread.
const PAIRS_PER_THREAD: usize = 10_000;

/// A metric that reads and counts as a plan of BLEU does, and combines the counts in its own way.
pub trait Derived: Send + Sync {
    fn plan(&self) -> &Plan;

    /// Integers in a row.
    fn columns(&self) -> usize;

    /// The references of each row of counts, for a segment with `count` references.
    fn parts(&self, count: usize) -> impl Iterator<Item = Range<usize>>;

    /// Makes the row of a segment of its rows of counts, one after the other.
    fn make_row(&self, counts: &[i64], row: &mut [i64]);

    /// The score of a row.
    fn score(&self, row: &[i64], buffer: &mut Vec<f64>) -> f64;
}

impl<D: Derived> Metric for D {
    fn level(&self) -> Level {
        self.plan().level
    }

    fn width(&self) -> usize {
        self.columns()
    }

    fn workers(&self, corpus: &Corpus, threads: usize) -> usize {
        self.plan().workers(corpus, threads)
    }

    fn for_each_row(
        &self,
        corpus: &Corpus,
        range: Range<usize>,
        sink: &mut dyn FnMut(&[i64]),
    ) -> Result<(), BadSegment> {
        let rows = CountRows {
            metric: self,
            corpus,
            range,
            sink,
        };
        dispatch(self.plan().level, rows)
    }

    fn value(&self, row: &[i64], buffer: &mut Vec<f64>) -> f64 {
        self.score(row, buffer)
    }

    fn value_in_floats(&self, row: &[i64], buffer: &mut Vec<f64>) -> f64 {
        self.score(row, buffer)
    }

    fn lost_in_floats(&self, row: &[i64]) -> Option<&'static str> {
        (!row.iter().all(|&sum| sum < EXACT)).then_some("16777216 n-grams or more")
    }

    fn pairs(
        &self,
        candidates: &Segments,
        references: Option<&Segments>,
        _exact: bool,
        threads: usize,
        scores: &mut [f64],
    ) -> Result<(), BadSegment> {
        let plan = self.plan();
        let candidates = &read_all(plan, candidates, false)?;
        let own = references.map(|references| read_all(plan, references, true));
        let own = own.transpose()?;
        let references = own.as_ref().unwrap_or(candidates);
        let workers = (scores.len() / PAIRS_PER_THREAD).clamp(1, threads.max(1));
        let rows = candidates.len().div_ceil(PARTS_PER_WORKER * workers).max(1);
        let parts = scores.chunks_mut(rows * references.len().max(1));
        parallel::for_each(workers, parts.enumerate(), |(i, scores)| {
            let matrix = Matrix {
                metric: self,
                candidates: &candidates[i * rows..],
                references,
                scores,
            };
            dispatch(plan.level, matrix);
            Ok(())
        })
    }

    fn tokens(&self, segments: &Segments) -> Result<Vec<Vec<Vec<u8>>>, BadSegment> {
        self.plan().tokens(segments)
    }

    fn reads_letters(&self) -> bool {
        self.plan().reads_letters()
    }
}

/// Rows of counts, which [`Counter::finish`] completes.
struct Pending<'a> {
    how: &'a Count,
    width: usize,
    counter: &'a mut Counter,
    counts: Vec<i64>,
}

impl<'a> Pending<'a> {
    fn new(plan: &'a Plan, counter: &'a mut Counter) -> Self {
        Self {
            how: &plan.count,
            width: plan.width(),
            counter,
            counts: Vec::new(),
        }
    }

    #[inline(always)]
    fn count<I: Isa>(&mut self, isa: I, hyp: &Tokens, refs: &[Tokens]) {
        let row = self.counts.len() / self.width;
        self.counts.resize((row + 1) * self.width, 0);
        self.counter
            .count(isa, self.how, hyp, refs, &mut self.counts, row);
    }

    #[inline(always)]
    fn finish<I: Isa>(&mut self, isa: I) {
        self.counter.finish(isa, self.how, &mut self.counts);
    }
}

struct CountRows<'a, D> {
    metric: &'a D,
    corpus: &'a Corpus<'a>,
    range: Range<usize>,
    sink: &'a mut dyn FnMut(&[i64]),
}

impl<D: Derived> Task for CountRows<'_, D> {
    type Output = Result<(), BadSegment>;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Self::Output {
        let Self { metric, corpus, .. } = self;
        let plan = metric.plan();
        let mut row = vec![0; metric.columns()];
        let mut buffers = Buffers::take();
        let Buffers { hyp, refs, counter } = &mut *buffers;
        let mut pending = Pending::new(plan, counter);
        let mut ends = Vec::with_capacity(ROWS);
        let end = self.range.end;
        let mut pairs = Pairs::new(plan, corpus);
        for start in self.range.step_by(ROWS) {
            interrupt::check();
            for segment in start..end.min(start + ROWS) {
                let refs = pairs.read(isa, segment, end, hyp, refs)?;
                for part in metric.parts(refs.len()) {
                    pending.count(isa, hyp, &refs[part]);
                }
                ends.push(pending.counts.len());
            }
            pending.finish(isa);
            let mut begin = 0;
            for end in ends.drain(..) {
                metric.make_row(&pending.counts[begin..end], &mut row);
                (self.sink)(&row);
                begin = end;
            }
            pending.counts.clear();
        }
        buffers.keep();
        Ok(())
    }
}

/// A part of a matrix of scores.
struct Matrix<'a, D> {
    metric: &'a D,
    candidates: &'a [Tokens],
    references: &'a [Tokens],
    scores: &'a mut [f64],
}

impl<D: Derived> Task for Matrix<'_, D> {
    type Output = ();

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) {
        let metric = self.metric;
        let mut counter = Counter::default();
        let mut pending = Pending::new(metric.plan(), &mut counter);
        let mut row = vec![0; metric.columns()];
        let mut buffer = Vec::new();
        let rows = self.scores.chunks_mut(self.references.len().max(1));
        for (candidate, scores) in self.candidates.iter().zip(rows) {
            for (references, scores) in self.references.chunks(ROWS).zip(scores.chunks_mut(ROWS)) {
                interrupt::check();
                for reference in references {
                    pending.count(isa, candidate, std::slice::from_ref(reference));
                }
                pending.finish(isa);
                let counts = pending.counts.chunks(pending.width);
                for (counts, score) in counts.zip(scores) {
                    metric.make_row(counts, &mut row);
                    *score = metric.score(&row, &mut buffer);
                }
                pending.counts.clear();
            }
        }
    }
}
