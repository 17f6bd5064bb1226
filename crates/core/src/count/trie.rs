//! Numbers for n-grams: two have the same number if and only if their tokens are the same.

use std::collections::HashMap;

use foldhash::fast::RandomState;

use super::vocabulary::{NONE, Vocabulary};
use crate::run::interrupt;
use crate::tokenize::{HASHED, Name, Tokens};

/// Numbers for pairs of numbers, from 0 on. An n-gram is the pair of its first n - 1 tokens and its
/// last one, so that it is identified by its tokens, not by a hash.
#[derive(Clone, Debug, Default)]
pub struct Grams(HashMap<(u32, u32), u32, RandomState>);

impl Grams {
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Makes room for this many n-grams: to move millions into a larger table takes half a second.
    pub fn clear(&mut self, grams: usize) {
        self.0.clear();
        self.0.reserve(grams);
    }

    /// The number of an n-gram, which is the next one if it has none.
    #[inline]
    pub fn number(&mut self, shorter: u32, last: u32) -> u32 {
        let next = self.len() as u32;
        *self.0.entry((shorter, last)).or_insert(next)
    }

    /// The number of an n-gram; NONE if it has none, as if one of its parts is NONE.
    #[inline]
    pub fn get(&self, shorter: u32, last: u32) -> u32 {
        if shorter == NONE || last == NONE {
            return NONE;
        }
        self.0.get(&(shorter, last)).copied().unwrap_or(NONE)
    }
}

/// Turns the numbers of the n-grams that begin at each place into those of the ones that are a token
/// longer: `numbers[i]` was that of the `n` tokens from `tokens[i]` on.
#[inline]
pub fn extend(
    numbers: &mut Vec<u32>,
    tokens: &[u32],
    n: usize,
    mut number: impl FnMut(u32, u32) -> u32,
) {
    numbers.truncate(tokens.len().saturating_sub(n));
    for place in places(numbers.len()) {
        numbers[place] = number(numbers[place], tokens[place + n]);
    }
}

/// The places of a text; checks for an interrupt after every 65,536th.
pub fn places(count: usize) -> impl Iterator<Item = usize> {
    (0..count).inspect(|place| {
        if (place + 1).is_multiple_of(1 << 16) {
            interrupt::check();
        }
    })
}

/// The node of the n-gram of no tokens.
const ROOT: u32 = 0;

/// A tree of n-grams with their counts: a node for each, under that of its first n - 1 tokens.
#[derive(Clone, Debug)]
pub struct Trie {
    words: Vocabulary,
    /// The root is the pair of NONE.
    grams: Grams,
    /// How often each n-gram was entered.
    counts: Vec<u64>,
    /// The node above each node, and its last token.
    edges: Vec<(u32, u32)>,
}

impl Default for Trie {
    fn default() -> Self {
        let mut grams = Grams::default();
        grams.number(NONE, NONE);
        Self {
            words: Vocabulary::default(),
            grams,
            counts: vec![0],
            edges: vec![(ROOT, NONE)],
        }
    }
}

impl Trie {
    /// How often each n-gram was entered, by its node; the root counts tokens.
    pub fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// The node above each node; the root is its own.
    pub fn above(&self, node: usize) -> usize {
        self.edges[node].0 as usize
    }

    /// A number that depends on the n-grams and their counts, and on nothing else.
    pub fn digest(&self) -> u64 {
        let word = |name: Name| match name {
            ([_, HASHED], bytes) => {
                let mix = |hash, &byte: &u8| mixed(hash, u64::from(byte));
                bytes.iter().fold(1, mix)
            }
            ([low, high], _) => mixed(mixed(0, low), high),
        };
        let words: Vec<_> = self.words.names().map(word).collect();
        let (mut hashes, mut sum) = (vec![0; self.counts.len()], 0_u64);
        for (node, &(above, number)) in self.edges.iter().enumerate() {
            if node > 0 {
                hashes[node] = mixed(hashes[above as usize], words[number as usize]);
            }
            sum = sum.wrapping_add(mixed(hashes[node], self.counts[node]));
        }
        sum
    }

    /// The numbers of tokens, NONE for those that do not occur.
    pub fn numbers(&self, tokens: &Tokens, numbers: &mut Vec<u32>) {
        numbers.clear();
        numbers.extend((0..tokens.len()).map(|i| self.words.get(tokens.name(i))));
    }

    /// Enters all n-grams of a text up to an order.
    pub fn enter(&mut self, tokens: &Tokens, orders: usize) {
        self.counts[ROOT as usize] += tokens.len() as u64;
        let numbers = self.enter_tokens(tokens);
        for start in 0..numbers.len() {
            let mut node = ROOT;
            for &number in numbers[start..].iter().take(orders) {
                node = self.enter_child(node, number);
                self.counts[node as usize] += 1;
            }
        }
    }

    /// Enters one n-gram, all tokens of a text.
    pub fn enter_one(&mut self, tokens: &Tokens) {
        let numbers = self.enter_tokens(tokens).into_iter();
        let node = numbers.fold(ROOT, |node, number| self.enter_child(node, number));
        self.counts[node as usize] += 1;
    }

    fn enter_tokens(&mut self, tokens: &Tokens) -> Vec<u32> {
        let number = |i| self.words.number(tokens.name(i));
        (0..tokens.len()).map(number).collect()
    }

    fn enter_child(&mut self, above: u32, number: u32) -> u32 {
        let node = self.grams.number(above, number);
        if node as usize == self.counts.len() {
            self.counts.push(0);
            self.edges.push((above, number));
        }
        node
    }

    /// Turns the nodes of the n-grams of order `n - 1` that begin at each place into those of order
    /// `n`; NONE for those that were not entered. For order 1 the nodes before are none.
    pub fn extend(&self, nodes: &mut Vec<u32>, numbers: &[u32], n: usize) {
        if n == 1 {
            nodes.clear();
            nodes.resize(numbers.len(), ROOT);
        }
        extend(nodes, numbers, n - 1, |node, number| {
            self.grams.get(node, number)
        });
    }

    /// For each order up to `orders` and each place of a text, whether the n-gram there was not
    /// entered.
    pub fn lacks(&self, tokens: &Tokens, orders: usize) -> Vec<Vec<bool>> {
        let (mut numbers, mut nodes) = (Vec::new(), Vec::new());
        self.numbers(tokens, &mut numbers);
        let mut lacks = |n| {
            self.extend(&mut nodes, &numbers, n);
            let is_new = |&node: &u32| node == NONE || self.counts[node as usize] == 0;
            nodes.iter().map(is_new).collect()
        };
        (1..=orders).map(&mut lacks).collect()
    }
}

fn mixed(hash: u64, value: u64) -> u64 {
    let product = (hash.rotate_left(29) ^ value).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    product ^ product >> 32
}
