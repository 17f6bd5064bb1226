//! Scores every candidate against every reference: a matrix of segment scores.
//!
//! Segments are read once, and pairs are counted 64 to 512 at a time: each shared feature (see
//! [`crate::sets::ngrams`]) is a set of references, and the matches of a candidate are the sum of its
//! features' sets.

mod adder;
mod blocks;
mod expected;
mod features;
mod finding;
pub(crate) mod plain;
mod scores;

pub use expected::{Groups, expected};

use adder::{MOST, STEP, add};
pub(crate) use blocks::{MatrixRows, Part, Parts, rows};
pub(crate) use features::{Features, Sets};
pub(crate) use finding::Finding;
use scores::Scorer;

use crate::columns::views::{BadSegment, Fault, Outcome, Sides};
use crate::combine;
use crate::plan::{Measure, Plan};
use crate::run::interrupt;
use crate::run::parallel;
use crate::sets::ngrams::{Documents, Numbering};
use crate::simd::{Isa, Task, dispatch};

/// Rows between two checks for interrupts.
const UNCHECKED: usize = 64;

/// Fewest pairs worth a thread: to start one takes as long as 20,000 pairs.
const PAIRS_PER_THREAD: usize = 100_000;
/// The same where they are counted one by one.
const PLAIN_PAIRS_PER_THREAD: usize = 10_000;

/// Fills `scores`, which have `m` columns for `m` references: that of candidate `i` against
/// reference `j` at `i * m + j`. Without references the candidates are their own.
///
/// If `exact`, each is what [`crate::run::batch::scores`] gives for the pair, to the last bit; else it
/// may differ in a few of the last bits.
pub fn fill(plan: &Plan, sides: Sides, exact: bool, threads: usize, scores: &mut [f64]) -> Outcome {
    if plan.count.measure != Measure::Precision || plan.count.ignored.is_some() {
        let workers = parallel::workers(scores.len(), PLAIN_PAIRS_PER_THREAD, threads);
        let value = |row: &[i64], buffer: &mut _| combine::score(&plan.combine, row, buffer).0;
        return plain::fill(plan, sides, workers, scores, value);
    }
    let documents = &read(plan, sides)?;
    let columns = sides.columns().len();
    let workers = parallel::workers(scores.len(), PAIRS_PER_THREAD, threads);
    let pairs = Pairs {
        plan,
        documents,
        first: sides.first(),
        columns,
        exact,
    };
    // Sets no wider than the references need.
    match columns {
        0..=64 => pairs.score::<1>(workers, scores),
        65..=128 => pairs.score::<2>(workers, scores),
        129..=256 => pairs.score::<4>(workers, scores),
        _ => pairs.score::<8>(workers, scores),
    }
    Ok(())
}

/// All segments as numbers: references first, as their features are entered, and those of
/// candidates looked up.
fn read(plan: &Plan, sides: Sides) -> Outcome<Documents> {
    let first = sides.first();
    let mut numbering = Numbering::new(plan, first + sides.candidates.len());
    if let Some(references) = sides.references {
        let in_refs = |bad: BadSegment| bad.fault.at(true, bad.position);
        numbering.extend(references).map_err(in_refs)?;
    }
    numbering.extend(sides.candidates)?;
    numbering.finish().map_err(|document| {
        let in_refs = document < first;
        Fault::TooLong.at(in_refs, if in_refs { document } else { document - first })
    })
}

/// The input of all threads.
#[derive(Clone, Copy)]
struct Pairs<'a> {
    plan: &'a Plan,
    documents: &'a Documents,
    /// The document that is the first candidate; 0 if the candidates are the references.
    first: usize,
    /// Number of references, which are the documents from 0 on.
    columns: usize,
    exact: bool,
}

impl Pairs<'_> {
    fn score<const W: usize>(self, workers: usize, scores: &mut [f64]) {
        let Self {
            plan, documents, ..
        } = self;
        let (orders, columns) = (plan.count.orders, self.columns);
        let finding = &Finding::new(plan.level, &plan.seed, orders, documents, columns, workers);
        let parts = &Parts::new(self.rows(scores), columns, 64 * W, workers);
        parallel::run(workers, |number| {
            let worker = Worker::<W> {
                pairs: self,
                features: &finding.features(finding.take_part()),
                parts,
                number,
            };
            dispatch(plan.level, worker);
        });
    }

    /// The rows of the matrix, those of one length one after the other; see [`Scorer`].
    fn rows<'b>(&self, scores: &'b mut [f64]) -> MatrixRows<'b> {
        let documents = self.documents;
        let mut rows = rows(scores, self.columns, self.first);
        rows.sort_unstable_by_key(|&(row, _)| (documents.tokens_of(row), documents.hyp_lens[row]));
        rows
    }

    /// Whether the candidates are the references.
    fn is_square(&self) -> bool {
        self.first == 0
    }
}

/// One thread's work, part after part.
struct Worker<'a, 'b, const W: usize> {
    pairs: Pairs<'a>,
    features: &'a [&'a Features],
    parts: &'a Parts<'b>,
    number: usize,
}

impl<const W: usize> Task for Worker<'_, '_, W> {
    type Output = ();

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) {
        let (pairs, features) = (self.pairs, self.features);
        let (documents, columns) = (pairs.documents, pairs.columns);
        let mut sets = Sets::<W>::new(features);
        let mut scorer = Scorer::new(pairs.plan, pairs.exact);
        let mut counts = vec![vec![[0; 64]; W]; features.len()];
        let mut chosen = Vec::new();
        let mut filled = None;
        for Part { begin, rows } in self.parts.taken_by(self.number) {
            let block = begin..columns.min(begin + 64 * W);
            if filled.replace(begin) != Some(begin) {
                sets.fill(features, begin, block.len());
                let ref_tokens: Vec<_> = block.clone().map(|j| documents.tokens_of(j)).collect();
                scorer.set_references(&ref_tokens);
            }
            for (i, (document, row)) in rows.into_iter().enumerate() {
                if i.is_multiple_of(UNCHECKED) {
                    interrupt::check();
                }
                let tokens = documents.tokens_of(document);
                // A candidate shares all n-grams with itself, also those that no other document has.
                let itself =
                    (pairs.is_square() && block.contains(&document)).then(|| document - begin);
                scorer.set_hypothesis(tokens, documents.hyp_lens[document]);
                if tokens > MOST {
                    let mut large = vec![vec![0_u32; block.len()]; features.len()];
                    for (order, large) in large.iter_mut().enumerate() {
                        let features = features[order].of(document);
                        count_large(isa, &sets, order, features, &mut chosen, large);
                        if let Some(j) = itself {
                            large[j] = tokens.saturating_sub(order) as u32;
                        }
                    }
                    scorer.score_large(&large, row);
                    continue;
                }
                for (order, counts) in counts.iter_mut().enumerate() {
                    let features = features[order].of(document);
                    count(isa, &sets, order, features, &mut chosen, counts);
                    if let Some(j) = itself {
                        counts[j / 64][j % 64] = tokens.saturating_sub(order) as u8;
                    }
                }
                scorer.score(&counts, row);
            }
        }
    }
}

/// The number of `features` of an order, at most [`MOST`] of them, that each lane has.
#[inline(always)]
fn count<I: Isa, const W: usize>(
    isa: I,
    sets: &Sets<W>,
    order: usize,
    features: &[u32],
    chosen: &mut Vec<u32>,
    counts: &mut [[u8; 64]],
) {
    if chosen.len() < features.len() + STEP {
        chosen.resize(features.len() + STEP, 0);
    }
    let count = sets.choose(order, features, chosen);
    let padded = count.next_multiple_of(STEP);
    chosen[count..padded].fill(0);
    add(isa, &sets.sets, &chosen[..padded], counts);
}

/// Adds to `counts` how many of any number of features of an order each lane has.
#[inline(always)]
pub(crate) fn count_large<I: Isa, const W: usize>(
    isa: I,
    sets: &Sets<W>,
    order: usize,
    features: &[u32],
    chosen: &mut Vec<u32>,
    counts: &mut [u32],
) {
    let mut some = [[0; 64]; W];
    for features in features.chunks(MOST) {
        count(isa, sets, order, features, chosen, &mut some);
        for (count, &more) in counts.iter_mut().zip(some.as_flattened()) {
            *count += u32::from(more);
        }
    }
}

#[cfg(test)]
mod tests;
