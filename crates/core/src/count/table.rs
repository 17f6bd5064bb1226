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

/// Fills `matches[n - 1]` with the matches of order `n`, clipped by the largest count in one
/// reference.
pub fn matches(hyp: &Tokens, refs: &[Tokens], matches: &mut [i64]) {
    matches.fill(0);
    each_match(hyp, refs, matches.len(), |n, _| matches[n] += 1);
}

/// As [`matches`], of the reference with the most matches of each order.
#[cold]
pub fn best_matches(hyp: &Tokens, refs: &[Tokens], best: &mut [i64]) {
    best.fill(0);
    let mut of_one = vec![0; best.len()];
    for one in refs {
        matches(hyp, std::slice::from_ref(one), &mut of_one);
        for (best, count) in best.iter_mut().zip(&of_one) {
            *best = (*best).max(*count);
        }
    }
}

/// Calls `sink` with `n` and the place in the hypothesis of each n-gram of `n + 1` tokens that
/// matches.
#[inline(never)]
pub fn each_match(hyp: &Tokens, refs: &[Tokens], orders: usize, sink: impl FnMut(usize, usize)) {
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
    each_match_of_numbers(&name(hyp), &ref_words, words.len(), orders, sink);
}

/// The places in a text; checks for an interrupt at every 65,536th.
fn places(count: usize) -> impl Iterator<Item = usize> {
    (0..count).inspect(|at| {
        if at % (1 << 16) == 0 {
            interrupt::check();
        }
    })
}

/// As [`matches`], for words that are numbers below `distinct`, or [`UNKNOWN`].
pub fn matches_of_numbers(hyp: &[u32], refs: &[Vec<u32>], distinct: usize, matches: &mut [i64]) {
    matches.fill(0);
    each_match_of_numbers(hyp, refs, distinct, matches.len(), |n, _| matches[n] += 1);
}

fn each_match_of_numbers(
    hyp: &[u32],
    refs: &[Vec<u32>],
    distinct: usize,
    orders: usize,
    mut sink: impl FnMut(usize, usize),
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
        clip(&hyp_names, &ref_names, distinct, |at| sink(n, at));
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

fn clip(hyp: &[u32], refs: &[Vec<u32>], distinct: usize, mut sink: impl FnMut(usize)) {
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
            allowed[gram as usize] -= 1;
            sink(at);
        }
    }
}
