//! Self-BLEU: each text against all the others, counted at once.
//!
//! With clipping, the matches of a text are its features (see [`crate::sets::ngrams`]) that any other
//! text has too. One pass over all n-grams finds them, however many references a text has.

use crate::columns::views::{Fault, Outcome, Segments};
use crate::combine;
use crate::count::{Counter, total};
use crate::plan::{Measure, Plan, RefLen, References};
use crate::run::{interrupt, memory};
use crate::sets::ngrams::{Documents, NONE, Numbering, Search};
use crate::sets::pairwise::plain::read_all;
use crate::simd::{Isa, Task, dispatch};
use crate::tokenize::Tokens;

/// Texts between two checks for interrupts.
const UNCHECKED: usize = 1 << 10;

/// Texts that are scored against each other; they may come in parts.
#[derive(Debug)]
pub struct Collection<'a> {
    plan: &'a Plan,
    texts: Texts<'a>,
}

#[derive(Debug)]
enum Texts<'a> {
    Numbered(Box<Numbering<'a>>),
    /// For plans whose matches are not intersections.
    Plain(Vec<Tokens>),
}

impl<'a> Collection<'a> {
    /// A collection for about this many texts.
    pub fn new(plan: &'a Plan, texts: usize) -> Self {
        let intersects = plan.count.measure == Measure::Precision;
        let texts = if !intersects || plan.count.references != References::All {
            Texts::Plain(Vec::new())
        } else {
            Texts::Numbered(Box::new(Numbering::new(plan, texts)))
        };
        Self { plan, texts }
    }

    pub fn count(&self) -> usize {
        match &self.texts {
            Texts::Numbered(numbering) => numbering.len(),
            Texts::Plain(texts) => texts.len(),
        }
    }

    pub fn extend(&mut self, segments: &Segments) -> Outcome {
        match &mut self.texts {
            Texts::Numbered(numbering) => numbering.extend(segments),
            Texts::Plain(texts) => {
                texts.extend(read_all(self.plan, segments, false)?);
                Ok(())
            }
        }
    }

    /// The score of each text, or of those at the positions `scored`, against all others. There are
    /// at least two texts.
    pub fn scores(self, scored: Option<&[usize]>) -> Outcome<Vec<f64>> {
        let (plan, count) = (self.plan, self.count());
        match self.texts {
            Texts::Numbered(numbering) => {
                let documents = numbering.finish();
                let documents = documents.map_err(|text| Fault::TooLong.at(false, text))?;
                let Some(scored) = scored else {
                    let places: Vec<_> = (0..count).collect();
                    return Ok(numbered(plan, &documents, &places, count));
                };
                let places = first(scored, count);
                Ok(numbered(
                    plan,
                    &documents.pick(&places),
                    &places,
                    scored.len(),
                ))
            }
            Texts::Plain(texts) => {
                let scored = scored.map_or_else(|| (0..count).collect(), <[usize]>::to_vec);
                Ok(dispatch(plan.level, Plain(plan, texts, scored)))
            }
        }
    }
}

/// All positions up to `count`: those of `places`, then the others.
fn first(places: &[usize], count: usize) -> Vec<usize> {
    let mut others = vec![true; count];
    for &place in places {
        others[place] = false;
    }
    let others = (0..count).filter(|&place| others[place]);
    places.iter().copied().chain(others).collect()
}

/// The scores of the documents from the first to `scored`.
///
/// Documents are in the order of `places`, their positions among all texts: two rules of the reference
/// length depend on these.
fn numbered(plan: &Plan, documents: &Documents, places: &[usize], scored: usize) -> Vec<f64> {
    let matches = dispatch(plan.level, CountMatches(plan, documents, scored));
    let lengths = Lengths::new(documents, places);
    let orders = plan.count.orders;
    let mut precisions = Vec::new();
    let mut row = vec![0; plan.width()];
    let score = |(document, matches): (usize, &[i64])| {
        if document.is_multiple_of(UNCHECKED) {
            interrupt::check();
        }
        let tokens = documents.tokens_of(document);
        let hyp_len = documents.hyp_lens[document];
        row[0] = hyp_len as i64;
        row[1] = lengths.of_others(plan.count.ref_len, document, hyp_len) as i64;
        row[2..2 + orders].copy_from_slice(matches);
        for (n, place) in row[2 + orders..].iter_mut().enumerate() {
            *place = total(&plan.count, tokens, n + 1);
        }
        combine::score(&plan.combine, &row, &mut precisions).0
    };
    matches.chunks(orders).enumerate().map(score).collect()
}

/// The matches of each scored text, order by order.
struct CountMatches<'a>(&'a Plan, &'a Documents, usize);

impl Task for CountMatches<'_> {
    type Output = Vec<i64>;

    #[inline(always)]
    fn run<I: Isa>(self, _: I) -> Vec<i64> {
        let Self(plan, documents, scored) = self;
        let orders = plan.count.orders;
        let mut search = Search::new(documents, &plan.seed, scored);
        memory::require(8 * scored * orders);
        let mut matches = vec![0; scored * orders];
        for order in 1..=orders {
            search.advance(order);
            for (document, matches) in matches.chunks_mut(orders).enumerate() {
                if document.is_multiple_of(UNCHECKED) {
                    interrupt::check();
                }
                let features = search.features(document);
                matches[order - 1] = features.filter(|&feature| feature != NONE).count() as i64;
            }
        }
        matches
    }
}

/// The lengths of all texts, for the reference length of all but one.
struct Lengths<'a> {
    documents: &'a Documents,
    places: &'a [usize],
    /// Each length with its first two places, in order.
    distinct: Vec<(usize, usize, Option<usize>)>,
    sum: usize,
    /// The texts that are listed first and second.
    leaders: [usize; 2],
}

impl<'a> Lengths<'a> {
    fn new(documents: &'a Documents, places: &'a [usize]) -> Self {
        let of = |document| documents.tokens_of(document);
        let mut listed: Vec<_> = (0..documents.len()).map(|i| (of(i), places[i])).collect();
        listed.sort_unstable();
        let mut distinct: Vec<(usize, usize, Option<usize>)> = Vec::new();
        for (length, place) in listed {
            match distinct.last_mut() {
                Some((same, _, second)) if *same == length => {
                    second.get_or_insert(place);
                }
                _ => distinct.push((length, place, None)),
            }
        }
        let at = |place| places.iter().position(|&other| other == place).unwrap_or(0);
        Self {
            documents,
            places,
            distinct,
            sum: documents.tokens.len(),
            leaders: [at(0), at(1)],
        }
    }

    /// The reference length of a text of length `hyp_len` against all others.
    fn of_others(&self, rule: RefLen, document: usize, hyp_len: usize) -> usize {
        let own = self.documents.tokens_of(document);
        let others = || {
            let is_other = move |&&(length, _, second): &&(usize, usize, Option<usize>)| {
                length != own || second.is_some()
            };
            self.distinct.iter().filter(is_other)
        };
        match rule {
            RefLen::Pair => 2,
            RefLen::Average => (self.sum - own) / (self.documents.len() - 1),
            RefLen::First => {
                let [first, second] = self.leaders;
                self.documents
                    .tokens_of(if document == first { second } else { first })
            }
            RefLen::Shortest => others().next().map_or(0, |&(length, ..)| length),
            RefLen::Longest => others().next_back().map_or(0, |&(length, ..)| length),
            RefLen::Closest | RefLen::ClosestFirst => match self.neighbors(document, hyp_len) {
                [Some(below), Some(above)] => {
                    let (under, over) = (hyp_len - below.0, above.0 - hyp_len);
                    let earlier = rule == RefLen::ClosestFirst && above.1 < below.1;
                    if over < under || (over == under && earlier) {
                        above.0
                    } else {
                        below.0
                    }
                }
                [Some((length, _)), None] | [None, Some((length, _))] => length,
                [None, None] => 0,
            },
        }
    }

    /// The longest length of another text that is at most `hyp_len` and the shortest above it,
    /// each with the place where it is listed first.
    fn neighbors(&self, document: usize, hyp_len: usize) -> [Option<(usize, usize)>; 2] {
        let own = self.places[document];
        let other = |&(length, first, second): &(usize, usize, Option<usize>)| {
            let place = if first == own { second } else { Some(first) };
            place.map(|place| (length, place))
        };
        let split = self
            .distinct
            .partition_point(|&(length, ..)| length <= hyp_len);
        let (below, above) = self.distinct.split_at(split);
        [
            below.iter().rev().find_map(other),
            above.iter().find_map(other),
        ]
    }
}

/// Text by text, for plans whose matches are not intersections.
struct Plain<'a>(&'a Plan, Vec<Tokens>, Vec<usize>);

impl Task for Plain<'_> {
    type Output = Vec<f64>;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Vec<f64> {
        let Self(plan, mut texts, scored) = self;
        let mut counter = Counter::default();
        let mut row = vec![0; plan.width()];
        let mut precisions = Vec::new();
        let mut score = |place: usize| {
            let hyp = texts.remove(place);
            counter.count(isa, &plan.count, &hyp, &texts, &mut row, 0);
            counter.finish(isa, &plan.count, &mut row);
            interrupt::check();
            texts.insert(place, hyp);
            combine::score(&plan.combine, &row, &mut precisions).0
        };
        scored.into_iter().map(&mut score).collect()
    }
}
