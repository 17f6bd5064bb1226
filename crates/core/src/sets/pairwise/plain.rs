//! Pair by pair, for plans whose matches are not intersections; as fast as a batch.

use crate::columns::views::{Fault, Outcome, Segments, Sides};
use crate::count::{Counter, ROWS};
use crate::plan::Plan;
use crate::run::read::read;
use crate::run::{interrupt, parallel};
use crate::simd::{Isa, Task, dispatch};
use crate::tokenize::Tokens;

/// As [`super::fill`], and exact: each score is the `value` of a row of the plan's counts.
pub fn fill(
    plan: &Plan,
    sides: Sides,
    workers: usize,
    scores: &mut [f64],
    value: impl Fn(&[i64], &mut Vec<f64>) -> f64 + Copy + Send + Sync,
) -> Outcome {
    let work = |candidates: &[Tokens], references: &[Tokens], scores: &mut [f64]| {
        let matrix = Matrix {
            plan,
            candidates,
            references,
            scores,
            value,
        };
        dispatch(plan.level, matrix);
    };
    in_parts(plan, sides, workers, scores, work)
}

/// Reads all segments, and divides the rows of the matrix among the threads.
pub fn in_parts(
    plan: &Plan,
    sides: Sides,
    workers: usize,
    scores: &mut [f64],
    work: impl Fn(&[Tokens], &[Tokens], &mut [f64]) + Sync,
) -> Outcome {
    let candidates = &read_all(plan, sides.candidates, false)?;
    let read = |references| read_all(plan, references, true);
    let own = sides.references.map(read).transpose()?;
    let references = own.as_ref().unwrap_or(candidates);
    let rows = parallel::part_size(candidates.len(), workers);
    let parts = scores.chunks_mut(rows * references.len().max(1));
    parallel::for_each(workers, parts.enumerate(), |(i, scores)| {
        work(&candidates[i * rows..], references, scores);
        Ok(())
    })
}

struct Matrix<'a, V> {
    plan: &'a Plan,
    candidates: &'a [Tokens],
    references: &'a [Tokens],
    scores: &'a mut [f64],
    value: V,
}

impl<V: Fn(&[i64], &mut Vec<f64>) -> f64> Task for Matrix<'_, V> {
    type Output = ();

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) {
        let plan = self.plan;
        let mut counter = Counter::default();
        let mut rows = vec![0; ROWS * plan.width()];
        let mut buffer = Vec::new();
        let of_each = self.scores.chunks_mut(self.references.len().max(1));
        for (candidate, scores) in self.candidates.iter().zip(of_each) {
            for (some, scores) in self.references.chunks(ROWS).zip(scores.chunks_mut(ROWS)) {
                let rows = &mut rows[..some.len() * plan.width()];
                for (i, reference) in some.iter().enumerate() {
                    let reference = std::slice::from_ref(reference);
                    counter.count(isa, &plan.count, candidate, reference, rows, i);
                }
                counter.finish(isa, &plan.count, rows);
                interrupt::check();
                for (row, score) in rows.chunks(plan.width()).zip(scores) {
                    *score = (self.value)(row, &mut buffer);
                }
            }
        }
    }
}

/// All segments of a column, tokenized.
pub fn read_all(plan: &Plan, segments: &Segments, in_refs: bool) -> Outcome<Vec<Tokens>> {
    let read_one = |position| {
        let tokens = dispatch(plan.level, ReadOne(plan, segments, position))
            .map_err(|fault| fault.at(in_refs, position))?;
        interrupt::check();
        Ok(tokens)
    };
    (0..segments.len()).map(read_one).collect()
}

struct ReadOne<'a>(&'a Plan, &'a Segments<'a>, usize);

impl Task for ReadOne<'_> {
    type Output = Result<Tokens, Fault>;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Self::Output {
        let mut tokens = Tokens::default();
        read(isa, self.0, self.1, self.2, &mut tokens).map(|()| tokens)
    }
}
