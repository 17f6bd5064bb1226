//! Scores every candidate against every reference: segments are read once, and a candidate is counted
//! against 64 to 512 references at a time; see [`crate::sets::pairwise`].

use super::{Chrf, Names, Side};
use crate::columns::codepoints;
use crate::columns::views::{Fault, Outcome, Segments, Sides};
use crate::run::{interrupt, parallel};
use crate::sets::ngrams::{Documents, NONE};
use crate::sets::pairwise::{Features, Finding, Part, Parts, Sets, count_large, rows};
use crate::simd::{Isa, Task, dispatch};

/// Fewest pairs worth a thread.
const PAIRS_PER_THREAD: usize = 5_000;

/// As [`crate::metric::Metric::pairs`].
pub fn fill(chrf: &Chrf, sides: Sides, threads: usize, scores: &mut [f64]) -> Outcome {
    let documents = &read(chrf, sides)?;
    let columns = sides.columns().len();
    let workers = (scores.len() / PAIRS_PER_THREAD).clamp(1, threads.max(1));
    let [characters, words] = documents;
    let unit = |documents, orders| Unit {
        finding: Finding::new(chrf.level, &chrf.seed, orders, documents, columns, workers),
        documents,
    };
    let pairs = &Pairs {
        chrf,
        units: [
            unit(characters, chrf.char_order),
            unit(words, chrf.word_order),
        ],
        first: sides.first(),
        columns,
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

/// The characters of all segments, and their words: first the references, if there are any.
fn read(chrf: &Chrf, sides: Sides) -> Outcome<[Documents; 2]> {
    let mut names = Names::default();
    names.words.clear();
    let mut both = [Documents::default(), Documents::default()];
    let (mut line, mut side) = (Vec::new(), Side::default());
    for (in_refs, segments) in [(true, sides.references), (false, Some(sides.candidates))] {
        for position in 0..segments.map_or(0, Segments::len) {
            let Some(segments) = segments else { break };
            let bad = |fault: Fault| fault.at(in_refs, position);
            codepoints::read(segments, position, &mut line).map_err(bad)?;
            if position.is_multiple_of(64) {
                interrupt::check();
            }
            chrf.read(&mut line, &mut names, &mut side);
            for (documents, numbers) in both.iter_mut().zip([&side.characters, &side.words]) {
                documents.tokens.extend_from_slice(numbers);
                documents.bounds.push(documents.tokens.len());
                documents.hyp_lens.push(numbers.len());
            }
            // Positions are numbers of 32 bits, of which the two largest are reserved.
            if both[0].tokens.len() >= NONE as usize - 1 {
                return Err(bad(Fault::TooLong));
            }
        }
    }
    both[0].vocabulary = names.characters();
    both[1].vocabulary = names.words.len();
    Ok(both)
}

/// Characters or words.
struct Unit<'a> {
    documents: &'a Documents,
    finding: Finding<'a>,
}

/// The input of all threads.
struct Pairs<'a> {
    chrf: &'a Chrf,
    units: [Unit<'a>; 2],
    /// The document that is the first candidate; 0 if the candidates are the references.
    first: usize,
    /// Number of references, which are the documents from 0 on.
    columns: usize,
}

impl Pairs<'_> {
    fn score<const W: usize>(&self, workers: usize, scores: &mut [f64]) {
        let rows = rows(scores, self.columns, self.first);
        let parts = &Parts::new(rows, self.columns, 64 * W, workers);
        parallel::run(workers, |number| {
            let worker = Worker::<W> {
                pairs: self,
                features: self
                    .units
                    .each_ref()
                    .map(|Unit { finding, .. }| finding.features(finding.take_part())),
                parts,
                number,
            };
            dispatch(self.chrf.level, worker);
        });
    }
}

/// One thread's work, part after part.
struct Worker<'a, 'b, const W: usize> {
    pairs: &'a Pairs<'a>,
    /// By unit and order.
    features: [Vec<&'a Features>; 2],
    parts: &'a Parts<'b>,
    number: usize,
}

impl<const W: usize> Task for Worker<'_, '_, W> {
    type Output = ();

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) {
        let Pairs { chrf, units, .. } = self.pairs;
        let (first, columns) = (self.pairs.first, self.pairs.columns);
        let features = &self.features;
        let lanes = 64 * W;
        let mut sets = features.each_ref().map(|features| Sets::<W>::new(features));
        // By order, then by reference.
        let mut matches = vec![0_u32; chrf.orders() * lanes];
        let mut row = vec![0; 3 * chrf.orders()];
        let mut chosen = Vec::new();
        let mut filled = None;
        for Part { begin, rows } in self.parts.taken_by(self.number) {
            let block = begin..columns.min(begin + lanes);
            if filled.replace(begin) != Some(begin) {
                for (sets, features) in sets.iter_mut().zip(features) {
                    sets.fill(features, begin, block.len());
                }
            }
            for (document, scores) in rows {
                matches.fill(0);
                interrupt::check();
                let mut by_order = matches.chunks_exact_mut(lanes);
                for ((sets, features), unit) in sets.iter().zip(features).zip(units) {
                    for (order, features) in features.iter().enumerate() {
                        let Some(matches) = by_order.next() else {
                            break;
                        };
                        let features = features.of(document);
                        count_large(isa, sets, order, features, &mut chosen, matches);
                        // A candidate shares all n-grams with itself, also those that no other
                        // document has.
                        if first == 0 && block.contains(&document) {
                            let tokens = unit.documents.tokens_of(document);
                            matches[document - begin] = tokens.saturating_sub(order) as u32;
                        }
                    }
                }
                for (lane, score) in scores.iter_mut().enumerate() {
                    let mut counts = row.as_chunks_mut::<3>().0.iter_mut();
                    let mut by_order = matches.chunks_exact(lanes);
                    for (unit, features) in units.iter().zip(features) {
                        let [hyp, reference] =
                            [document, begin + lane].map(|one| unit.documents.tokens_of(one));
                        for order in 0..features.len() {
                            let (Some(counts), Some(matches)) = (counts.next(), by_order.next())
                            else {
                                break;
                            };
                            let in_reference = reference.saturating_sub(order) as i64;
                            let in_hyp = hyp.saturating_sub(order) as i64;
                            // Where a reference is too short for an order, the order does not count.
                            let in_hyp = if in_reference > 0 { in_hyp } else { 0 };
                            *counts = [in_hyp, in_reference, matches[lane].into()];
                        }
                    }
                    *score = chrf.f_score(&row);
                }
            }
        }
    }
}
