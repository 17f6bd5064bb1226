//! Self-BLEU: each text against all the others, counted at once.
//!
//! Clipped by the largest count in one of the others, an n-gram of a text matches as often as the
//! text has features (see [`crate::ngrams`]) that any other text has too. One pass over all
//! n-grams finds those, however many references each text then has.

use std::mem::take;

use crate::combine;
use crate::count::{Counter, total};
use crate::ngrams::{Documents, NONE, Search};
use crate::pairwise::read_all;
use crate::plan::{Count, Plan, RefLen};
use crate::room;
use crate::simd::{Isa, Task, dispatch};
use crate::stop::did;
use crate::views::{BadSegment, Segments};

/// Steps that a score takes.
const SCORE: usize = 1 << 7;

/// The scores of the texts from the first to `scored` against all other texts.
///
/// The texts are listed in the order of `places`, where they stand among all: two rules ask which
/// reference is listed first.
pub fn scores(
    plan: &Plan,
    texts: &Segments,
    places: &[usize],
    scored: usize,
) -> Result<Vec<f64>, BadSegment> {
    if plan.count.recall.is_some() || plan.count.first_reference_only {
        return dispatch(
            plan.level,
            Plain {
                plan,
                texts,
                places,
                scored,
            },
        );
    }
    let documents = Documents::read(plan, texts, None)?;
    let matches = dispatch(
        plan.level,
        Matches {
            plan,
            documents: &documents,
            scored,
        },
    );
    let lengths = Lengths::new(&documents, places);
    let orders = plan.count.orders;
    let mut precisions = Vec::new();
    let mut row = vec![0; plan.width()];
    let score = |(document, matches): (usize, &[i64])| {
        did(SCORE);
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
    Ok(matches.chunks(orders).enumerate().map(score).collect())
}

/// The matches of each scored text, order by order.
struct Matches<'a> {
    plan: &'a Plan,
    documents: &'a Documents,
    scored: usize,
}

impl Task for Matches<'_> {
    type Output = Vec<i64>;

    #[inline(always)]
    fn run<I: Isa>(self, _: I) -> Vec<i64> {
        let Count { orders, .. } = self.plan.count;
        let documents = self.documents;
        let mut search = Search::new(documents, &self.plan.seed, self.scored);
        room::make(8 * self.scored * orders);
        let mut matches = vec![0; self.scored * orders];
        for order in 1..=orders {
            search.advance(order);
            for (document, matches) in matches.chunks_mut(orders).enumerate() {
                did(16 + documents.tokens_of(document));
                let features = search.features(document);
                matches[order - 1] = features.filter(|&feature| feature != NONE).count() as i64;
            }
        }
        matches
    }
}

/// The lengths of all texts, to be asked for those of all but one.
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
    /// There are two texts or more.
    fn new(documents: &'a Documents, places: &'a [usize]) -> Self {
        let of = |document| documents.tokens_of(document);
        let mut listed: Vec<_> = (0..documents.len()).map(|i| (of(i), places[i])).collect();
        listed.sort_unstable_by(|a, b| {
            did(4);
            a.cmp(b)
        });
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

/// Text by text, for plans whose counts are no intersections.
struct Plain<'a> {
    plan: &'a Plan,
    texts: &'a Segments<'a>,
    places: &'a [usize],
    scored: usize,
}

impl Task for Plain<'_> {
    type Output = Result<Vec<f64>, BadSegment>;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Self::Output {
        let plan = self.plan;
        let mut texts = read_all(isa, plan, self.texts, false)?;
        let mut counter = Counter::default();
        let mut row = vec![0; plan.width()];
        let mut precisions = Vec::new();
        let mut listed = vec![0; texts.len()];
        for (text, &place) in self.places.iter().enumerate() {
            listed[place] = text;
        }
        let mut scores = Vec::with_capacity(self.scored);
        for text in 0..self.scored {
            let hyp = take(&mut texts[text]);
            let others: Vec<_> = listed.iter().filter(|&&other| other != text).collect();
            let mut refs: Vec<_> = others
                .iter()
                .map(|&&other| take(&mut texts[other]))
                .collect();
            counter.count(isa, &plan.count, &hyp, &refs, 0, &mut row);
            counter.finish(&plan.count, &mut row);
            scores.push(combine::score(&plan.combine, &row, &mut precisions).0);
            did(256 + 16 * texts.len());
            for (&&other, tokens) in others.iter().zip(refs.drain(..)) {
                texts[other] = tokens;
            }
            texts[text] = hyp;
        }
        Ok(scores)
    }
}
