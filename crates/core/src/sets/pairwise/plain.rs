//! Pair by pair, for plans whose counts are no intersections: it takes what the batches take.

use crate::columns::views::{BadSegment, Segments};
use crate::combine;
use crate::count::{Counter, LANES};
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
    dispatch(
        plan.level,
        Matrix {
            plan,
            candidates,
            references,
            scores,
        },
    )
}

struct Matrix<'a> {
    plan: &'a Plan,
    candidates: &'a Segments<'a>,
    references: Option<&'a Segments<'a>>,
    scores: &'a mut [f64],
}

impl Task for Matrix<'_> {
    type Output = Result<(), BadSegment>;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Self::Output {
        let plan = self.plan;
        let candidates = read_all(isa, plan, self.candidates, false)?;
        let own = match self.references {
            None => None,
            Some(references) => Some(read_all(isa, plan, references, true)?),
        };
        let references = own.as_ref().unwrap_or(&candidates);
        let mut counter = Counter::default();
        let mut rows = vec![0; LANES * plan.width()];
        let mut precisions = Vec::new();
        let mut scores = self.scores.iter_mut();
        for candidate in &candidates {
            for some in references.chunks(LANES) {
                let rows = &mut rows[..some.len() * plan.width()];
                let pairs = some.iter().zip(rows.chunks_mut(plan.width()));
                for (lane, (reference, row)) in pairs.enumerate() {
                    let reference = std::slice::from_ref(reference);
                    counter.count(isa, &plan.count, candidate, reference, lane, row);
                }
                counter.finish(&plan.count, rows);
                interrupt::check();
                // Rows first: zip would take a score more than there are rows.
                for (row, score) in rows.chunks(plan.width()).zip(scores.by_ref()) {
                    *score = combine::score(&plan.combine, row, &mut precisions).0;
                }
            }
        }
        Ok(())
    }
}

/// All segments of a column, tokenized.
#[inline(always)]
pub fn read_all<I: Isa>(
    isa: I,
    plan: &Plan,
    segments: &Segments,
    in_refs: bool,
) -> Result<Vec<Tokens>, BadSegment> {
    (0..segments.len())
        .map(|position| {
            let mut tokens = Tokens::default();
            read(isa, plan, segments, position, &mut tokens).map_err(|fault| BadSegment {
                fault,
                in_refs,
                position,
            })?;
            tokens.widen(); // ids of one form, to be compared
            interrupt::check();
            Ok(tokens)
        })
        .collect()
}
