//! The n-grams that a hypothesis shares with its references, and the tokens that they cover.

use std::collections::HashMap;
use std::ops::Range;

use foldhash::fast::RandomState;

use crate::count::weight;
use crate::plan::{Measure, Plan, References};
use crate::run::{interrupt, memory};
use crate::sets::overlap::best_reference;

/// Most bytes of memory for an n-gram of an order: what is kept of it, its place, and its entry.
const PER_GRAM: usize = 128;

/// One hypothesis and its references.
#[derive(Debug)]
pub struct Matches {
    /// The n-grams of each order: those of the hypothesis, then others of the references that count,
    /// in the order of the texts.
    pub ngrams: Vec<Vec<Ngram>>,
    /// The matches that cover the tokens of each text.
    pub covers: Vec<Cover>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ngram {
    /// Its texts and where it begins there. The hypothesis is text 0; references that do not count
    /// have no places.
    pub places: Vec<[u32; 2]>,
    /// Occurrences that are counted: in the hypothesis or, if recall is measured, in all references.
    pub possible: u32,
    /// Counted occurrences that match.
    pub matched: u32,
    /// The weight of an occurrence.
    pub weight: u32,
    /// The largest count in a reference.
    pub allowed: u32,
    /// Occurrences in the hypothesis beyond those that can match.
    pub clipped: u32,
    /// Occurrences in the hypothesis if no reference has the n-gram.
    pub unmatched: u32,
    /// Occurrences in a reference that the hypothesis lacks.
    pub missed: u32,
}

/// For each token of a text the longest match that covers it.
///
/// If an n-gram occurs more often than it can match, its first occurrences are the matches.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cover {
    /// The order of the match; 0 for a token without one.
    pub orders: Vec<u32>,
    /// Where the match begins.
    pub starts: Vec<u32>,
    /// Whether the token can match, but occurs too often; in references never.
    pub clipped: Vec<bool>,
}

impl Matches {
    /// Matches the tokens of a hypothesis, the first of the texts, with those of its references.
    pub fn of_words<T: AsRef<[u8]>>(plan: &Plan, texts: &[Vec<T>]) -> Self {
        let mut numbers: HashMap<&[u8], u32, RandomState> = HashMap::default();
        let mut weights = Vec::new();
        let mut number = |token| {
            let word = AsRef::as_ref(token);
            *numbers.entry(word).or_insert_with(|| {
                weights.push(weight(&plan.count.measure, word));
                weights.len() as u32 - 1
            })
        };
        let texts: Vec<Vec<u32>> = texts
            .iter()
            .map(|tokens| tokens.iter().map(&mut number).collect())
            .collect();
        Self::new(plan, &texts, &weights)
    }

    /// The same for tokens as numbers; a token without a weight has the weight 1.
    pub fn new(plan: &Plan, texts: &[Vec<u32>], weights: &[u32]) -> Self {
        let tokens: usize = texts.iter().map(Vec::len).sum();
        memory::require(PER_GRAM * tokens * plan.combine.orders);
        let mut covers: Vec<_> = texts
            .iter()
            .map(|tokens| Cover {
                orders: vec![0; tokens.len()],
                starts: vec![0; tokens.len()],
                clipped: vec![false; tokens.len()],
            })
            .collect();
        // For each position of each text, the number of the n-gram that begins there.
        let mut numbers = texts.to_vec();
        let ngrams = (1..=plan.combine.orders)
            .map(|n| {
                let grams = grams(texts, n, &mut numbers, weights);
                of_order(plan, grams, &numbers, n, &mut covers)
            })
            .collect();
        Self { ngrams, covers }
    }
}

/// Turns the numbers of the n-grams of order `n - 1` into those of order `n`; returns these n-grams with
/// their places.
fn grams(texts: &[Vec<u32>], n: usize, numbers: &mut [Vec<u32>], weights: &[u32]) -> Vec<Ngram> {
    interrupt::check();
    let mut ids: HashMap<(u32, u32), u32, RandomState> = HashMap::default();
    let mut grams: Vec<Ngram> = Vec::new();
    for (text, (tokens, numbers)) in texts.iter().zip(numbers).enumerate() {
        numbers.truncate((tokens.len() + 1).saturating_sub(n));
        for (start, number) in numbers.iter_mut().enumerate() {
            let last = tokens[start + n - 1];
            let before = if n == 1 { 0 } else { *number };
            *number = *ids.entry((before, last)).or_insert(grams.len() as u32);
            if *number as usize == grams.len() {
                let weight = weights.get(last as usize).filter(|_| n == 1);
                grams.push(Ngram {
                    weight: weight.copied().unwrap_or(1),
                    ..Ngram::default()
                });
            }
            grams[*number as usize]
                .places
                .push([text as u32, start as u32]);
        }
    }
    grams
}

/// Counts the n-grams of an order, and enters their matches into the covers.
fn of_order(
    plan: &Plan,
    mut grams: Vec<Ngram>,
    texts: &[Vec<u32>],
    n: usize,
    covers: &mut [Cover],
) -> Vec<Ngram> {
    let counted = counted(plan, &grams, texts.len());
    let mut limits = Vec::with_capacity(grams.len());
    for gram in &mut grams {
        limits.push(gram.count(&plan.count.measure, &counted));
    }
    for (text, (numbers, cover)) in texts.iter().zip(covers).enumerate() {
        let mut occurred = vec![0; grams.len()];
        for (start, &number) in numbers.iter().enumerate() {
            let id = number as usize;
            let most = limits[id][usize::from(text > 0)];
            occurred[id] += 1;
            if occurred[id] > most {
                cover.clipped[start] |= n == 1 && text == 0 && most > 0;
                continue;
            }
            for at in start..start + n {
                if cover.orders[at] < n as u32 {
                    cover.orders[at] = n as u32;
                    cover.starts[at] = start as u32;
                }
            }
        }
    }
    for gram in &mut grams {
        gram.places
            .retain(|&[text, _]| text == 0 || counted.contains(&(text as usize)));
    }
    grams.retain(|gram| !gram.places.is_empty());
    grams
}

/// The texts of the references that count.
fn counted(plan: &Plan, grams: &[Ngram], texts: usize) -> Range<usize> {
    let shared = plan.count.measure.shared();
    match plan.count.references {
        References::First => 1..texts.min(2),
        References::Best if !matches!(plan.count.measure, Measure::Recall(_)) => {
            let best = best_reference(texts.saturating_sub(1), |reference| {
                let matches = |gram: &Ngram| shared(gram.in_text(0), gram.in_text(1 + reference));
                grams.iter().map(matches).sum()
            });
            1 + best.start..1 + best.end
        }
        _ => 1..texts,
    }
}

impl Ngram {
    fn in_text(&self, text: usize) -> u32 {
        let places = self.places.iter();
        places.filter(|place| place[0] as usize == text).count() as u32
    }

    /// Counts the places in the hypothesis and the references that count. Returns how many occurrences
    /// can match in the hypothesis, and in a reference.
    fn count(&mut self, measure: &Measure, counted: &Range<usize>) -> [u32; 2] {
        let shared = measure.shared();
        let in_hyp = self.in_text(0);
        let in_refs: Vec<u32> = counted.clone().map(|text| self.in_text(text)).collect();
        let allowed = in_refs.iter().copied().max().unwrap_or(0);
        let most = match measure {
            Measure::SimplePrecision if allowed > 0 => in_hyp,
            _ => allowed,
        };
        if let Measure::Recall(_) = measure {
            self.possible = in_refs.iter().sum();
            self.matched = in_refs.iter().map(|&in_ref| shared(in_hyp, in_ref)).sum();
        } else {
            self.possible = in_hyp;
            self.matched = shared(in_hyp, allowed);
        }
        self.allowed = allowed;
        if allowed > 0 {
            self.clipped = in_hyp.saturating_sub(most);
        } else {
            self.unmatched = in_hyp;
        }
        self.missed = allowed.saturating_sub(in_hyp);
        [most, in_hyp]
    }
}
