//! Pair by pair, for plans whose matches are not intersections; as fast as a batch.

use crate::columns::views::{BadSegment, Fault, Segments};
use crate::combine;
use crate::count::{Counter, ROWS};
use crate::plan::Plan;
use crate::run::interrupt;
use crate::run::read::read;
use crate::simd::{Isa, Task, dispatch};
use crate::tokenize::Tokens;

/// As [`super::fill`], and exact.
pub fn fill(
    plan: &Plan,
    candidates: &Segments,
    references: Option<&Segments>,
    scores: &mut [f64],
) -> Result<(), BadSegment> {
    let candidates = &read_all(plan, candidates, false)?;
    let own = references.map(|references| read_all(plan, references, true));
    let own = own.transpose()?;
    let references = own.as_ref().unwrap_or(candidates);
    let matrix = Matrix {
        plan,
        candidates,
        references,
        scores,
    };
    dispatch(plan.level, matrix);
    Ok(())
}

struct Matrix<'a> {
    plan: &'a Plan,
    candidates: &'a [Tokens],
    references: &'a [Tokens],
    scores: &'a mut [f64],
}

impl Task for Matrix<'_> {
    type Output = ();

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) {
        let plan = self.plan;
        let mut counter = Counter::default();
        let mut rows = vec![0; ROWS * plan.width()];
        let mut precisions = Vec::new();
        let mut scores = self.scores.iter_mut();
        for candidate in self.candidates {
            for some in self.references.chunks(ROWS) {
                let rows = &mut rows[..some.len() * plan.width()];
                for (i, reference) in some.iter().enumerate() {
                    let reference = std::slice::from_ref(reference);
                    counter.count(isa, &plan.count, candidate, reference, rows, i);
                }
                counter.finish(isa, &plan.count, rows);
                interrupt::check();
                // Rows first: zip would take a score more than there are rows.
                for (row, score) in rows.chunks(plan.width()).zip(scores.by_ref()) {
                    *score = combine::score(&plan.combine, row, &mut precisions).0;
                }
            }
        }
    }
}

/// All segments of a column, tokenized.
pub fn read_all(
    plan: &Plan,
    segments: &Segments,
    in_refs: bool,
) -> Result<Vec<Tokens>, BadSegment> {
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
