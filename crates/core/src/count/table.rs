//! Clipped matches by a table of n-grams: any order, any length.
//!
//! An n-gram is named by the pair (name of its first n - 1 tokens, name of its last token), so
//! names are exact; no n-gram is identified by a hash.

use std::collections::HashMap;

use foldhash::fast::RandomState;

use crate::run::interrupt;
use crate::tokenize::{Name, Tokens};

/// Name of an n-gram that no reference has.
const UNKNOWN: u32 = u32::MAX;

/// How often an n-gram counts where it stands, and how often it still may: takes the largest count
/// in one reference.
pub type Take = fn(&mut u32) -> u32;

/// Each occurrence once, until the count of the reference is used up.
pub const CLIP: Take = |left| {
    let once = (*left).min(1);
    *left -= once;
    once
};
/// Each occurrence once.
pub const EACH: Take = |left| (*left).min(1);
/// The first occurrence as often as the reference has it.
pub const ALL: Take = |left| std::mem::take(left);

/// Fills `matches[n - 1]` with the matches of order `n`.
pub fn matches(take: Take, hyp: &Tokens, refs: &[Tokens], matches: &mut [i64]) {
    matches.fill(0);
    each_match(take, hyp, refs, matches.len(), |n, _, count| {
        matches[n] += i64::from(count);
    });
}

/// Calls `sink` with `n`, the place in the hypothesis and the count of each n-gram of `n + 1` tokens
/// that counts.
#[inline(never)]
pub fn each_match(
    take: Take,
    hyp: &Tokens,
    refs: &[Tokens],
    orders: usize,
    sink: impl FnMut(usize, usize, u32),
) {
    let mut words: HashMap<Name, u32, RandomState> = HashMap::default();
    for reference in refs {
        for i in places(reference.len()) {
            let next = words.len() as u32;
            words.entry(reference.name(i)).or_insert(next);
        }
    }
    let name = |tokens: &Tokens| -> Vec<u32> {
        let of = |i| words.get(&tokens.name(i)).copied().unwrap_or(UNKNOWN);
        places(tokens.len()).map(of).collect()
    };
    let ref_words: Vec<_> = refs.iter().map(name).collect();
    each_match_of_numbers(take, &name(hyp), &ref_words, words.len(), orders, sink);
}

/// The places in a text; checks for an interrupt at every 65,536th.
fn places(count: usize) -> impl Iterator<Item = usize> {
    (0..count).inspect(|at| {
        if at % (1 << 16) == 0 {
            interrupt::check();
        }
    })
}

/// Clipped matches of words that are numbers below `distinct`, or [`UNKNOWN`].
pub fn matches_of_numbers(hyp: &[u32], refs: &[Vec<u32>], distinct: usize, matches: &mut [i64]) {
    matches.fill(0);
    each_match_of_numbers(CLIP, hyp, refs, distinct, matches.len(), |n, _, _| {
        matches[n] += 1;
    });
}

fn each_match_of_numbers(
    take: Take,
    hyp: &[u32],
    refs: &[Vec<u32>],
    distinct: usize,
    orders: usize,
    mut sink: impl FnMut(usize, usize, u32),
) {
    let mut ref_names = refs.to_vec();
    let mut hyp_names = hyp.to_vec();
    // The table has its final size: to move millions of names takes half a second.
    let longest = refs.iter().map(Vec::len).max().unwrap_or(0);
    let mut names: HashMap<(u32, u32), u32, RandomState> =
        HashMap::with_capacity_and_hasher(longest, RandomState::default());
    for n in 0..orders {
        if n > 0 {
            names.clear();
            for (grams, words) in ref_names.iter_mut().zip(refs) {
                extend(grams, words, n, |pair| {
                    let next = names.len() as u32;
                    *names.entry(pair).or_insert(next)
                });
            }
            extend(&mut hyp_names, hyp, n, |pair| {
                names.get(&pair).copied().unwrap_or(UNKNOWN)
            });
        }
        let distinct = if n == 0 { distinct } else { names.len() };
        count(take, &hyp_names, &ref_names, distinct, |at, times| {
            sink(n, at, times);
        });
    }
}

/// Turns the names of n-grams at each position into those one word longer: `grams[i]` named the
/// words `i..i + n`.
fn extend(grams: &mut Vec<u32>, words: &[u32], n: usize, mut name: impl FnMut((u32, u32)) -> u32) {
    grams.truncate(words.len().saturating_sub(n));
    for at in places(grams.len()) {
        let (gram, word) = (&mut grams[at], words[at + n]);
        *gram = if *gram == UNKNOWN || word == UNKNOWN {
            UNKNOWN
        } else {
            name((*gram, word))
        };
    }
}

fn count(
    take: Take,
    hyp: &[u32],
    refs: &[Vec<u32>],
    distinct: usize,
    mut sink: impl FnMut(usize, u32),
) {
    let mut allowed = vec![0_u32; distinct];
    for reference in refs {
        let mut counts = vec![0_u32; distinct];
        for &gram in reference {
            counts[gram as usize] += 1;
        }
        for (allowed, count) in allowed.iter_mut().zip(counts) {
            *allowed = (*allowed).max(count);
        }
    }
    for (at, &gram) in hyp.iter().enumerate() {
        if gram != UNKNOWN && allowed[gram as usize] > 0 {
            sink(at, take(&mut allowed[gram as usize]));
        }
    }
}
