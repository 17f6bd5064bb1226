//! Matches by tables of n-grams: any measure, any order, any length.

use super::trie::{Grams, extend, places};
use super::vocabulary::{NONE, Vocabulary};
use crate::plan::Measure;
use crate::tokenize::Tokens;

/// How often an n-gram counts where it stands, and how often it still may: takes the largest count
/// in one reference.
type Take = fn(&mut u32) -> u32;

/// Each occurrence once, until the count of the reference is used up.
const CLIP: Take = |left| {
    let once = (*left).min(1);
    *left -= once;
    once
};
/// Each occurrence once.
const EACH: Take = |left| (*left).min(1);
/// The first occurrence as often as the reference has it.
const ALL: Take = |left| std::mem::take(left);

/// Reused buffers.
#[derive(Debug, Default)]
pub struct TableBuffers {
    words: Vocabulary,
    grams: Grams,
}

impl TableBuffers {
    /// Calls `sink` with `n`, the first token and the count of each n-gram of `n + 1` tokens of the
    /// hypothesis that counts.
    #[inline(never)]
    pub fn each_match(
        &mut self,
        measure: &Measure,
        hyp: &Tokens,
        refs: &[Tokens],
        orders: usize,
        sink: impl FnMut(usize, usize, u32),
    ) {
        let Self { words, grams } = self;
        let take = match measure {
            Measure::Precision | Measure::Recall(_) => CLIP,
            Measure::SimplePrecision => EACH,
            Measure::ReferenceCounts => ALL,
        };
        words.clear();
        let number = |i| words.number(hyp.name(i));
        let of_hyp: Vec<_> = places(hyp.len()).map(number).collect();
        let numbers = |tokens: &Tokens| -> Vec<u32> {
            let number = |i| words.get(tokens.name(i));
            places(tokens.len()).map(number).collect()
        };
        let of_refs: Vec<_> = refs.iter().map(numbers).collect();
        each_match(take, grams, &of_hyp, &of_refs, words.len(), orders, sink);
    }
}

/// Clipped matches of words that are numbers below `distinct`, or NONE.
pub fn matches_of_numbers(hyp: &[u32], refs: &[Vec<u32>], distinct: usize, matches: &mut [i64]) {
    matches.fill(0);
    let (grams, orders) = (&mut Grams::default(), matches.len());
    each_match(CLIP, grams, hyp, refs, distinct, orders, |n, _, _| {
        matches[n] += 1;
    });
}

fn each_match(
    take: Take,
    grams: &mut Grams,
    hyp: &[u32],
    refs: &[Vec<u32>],
    distinct: usize,
    orders: usize,
    mut sink: impl FnMut(usize, usize, u32),
) {
    let (mut in_hyp, mut in_refs) = (hyp.to_vec(), refs.to_vec());
    let (mut allowed, mut counts) = (Vec::new(), Vec::new());
    for n in 0..orders {
        if n > 0 {
            grams.clear(hyp.len());
            extend(&mut in_hyp, hyp, n, |gram, last| {
                if gram == NONE || last == NONE {
                    return NONE;
                }
                grams.number(gram, last)
            });
            for (numbers, words) in in_refs.iter_mut().zip(refs) {
                extend(numbers, words, n, |gram, last| grams.get(gram, last));
            }
        }
        let distinct = if n == 0 { distinct } else { grams.len() };
        allowed.clear();
        allowed.resize(distinct, 0_u32);
        for numbers in &in_refs {
            counts.clear();
            counts.resize(distinct, 0_u32);
            for &gram in numbers {
                if let Some(count) = counts.get_mut(gram as usize) {
                    *count += 1;
                }
            }
            for (allowed, &count) in allowed.iter_mut().zip(&counts) {
                *allowed = count.max(*allowed);
            }
        }
        for (at, &gram) in in_hyp.iter().enumerate() {
            if gram != NONE && allowed[gram as usize] > 0 {
                sink(n, at, take(&mut allowed[gram as usize]));
            }
        }
    }
}
