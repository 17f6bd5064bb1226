//! A tree of n-grams: a node for each, under that of its first n - 1 tokens. Tokens are numbered by
//! their keys and bytes, and nodes by pairs of numbers, so that nothing is identified by a hash.

use std::collections::HashMap;

use foldhash::fast::RandomState;

use crate::sets::ngrams::NONE;
use crate::simd::Key;
use crate::tokenize::{HASHED, Tokens};

/// The node of the n-gram of no tokens.
pub const ROOT: u32 = 0;

#[derive(Clone, Debug)]
pub struct Trie {
    short: HashMap<Key, u32, RandomState>,
    /// Tokens whose keys are hashes, by their bytes.
    long: HashMap<Box<[u8]>, u32, RandomState>,
    children: HashMap<(u32, u32), u32, RandomState>,
    /// How often each n-gram was entered.
    counts: Vec<u64>,
    /// The node above each node, and its last token.
    edges: Vec<(u32, u32)>,
}

impl Default for Trie {
    fn default() -> Self {
        Self {
            short: HashMap::default(),
            long: HashMap::default(),
            children: HashMap::default(),
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
        let mut words = vec![0; self.short.len() + self.long.len()];
        for (&[low, high], &number) in &self.short {
            words[number as usize] = mixed(mixed(0, low), high);
        }
        for (bytes, &number) in &self.long {
            let mix = |hash, &byte: &u8| mixed(hash, u64::from(byte));
            words[number as usize] = bytes.iter().fold(1, mix);
        }
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
        numbers.extend((0..tokens.len()).map(|i| {
            let known = match tokens.name(i) {
                ([_, HASHED], bytes) => self.long.get(bytes),
                (key, _) => self.short.get(&key),
            };
            known.copied().unwrap_or(NONE)
        }));
    }

    fn enter_tokens(&mut self, tokens: &Tokens) -> Vec<u32> {
        let mut next = (self.short.len() + self.long.len()) as u32;
        let mut number = |i| {
            let slot = match tokens.name(i) {
                ([_, HASHED], bytes) => self.long.entry(bytes.into()).or_insert(next),
                (key, _) => self.short.entry(key).or_insert(next),
            };
            next += u32::from(*slot == next);
            *slot
        };
        (0..tokens.len()).map(&mut number).collect()
    }

    /// Enters all n-grams of a text up to an order.
    pub fn enter(&mut self, tokens: &Tokens, orders: usize) {
        let numbers = self.enter_tokens(tokens);
        self.counts[ROOT as usize] += numbers.len() as u64;
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
        let numbers = self.enter_tokens(tokens);
        let node = numbers
            .into_iter()
            .fold(ROOT, |node, number| self.enter_child(node, number));
        self.counts[node as usize] += 1;
    }

    fn enter_child(&mut self, above: u32, number: u32) -> u32 {
        let next = self.counts.len() as u32;
        let node = *self.children.entry((above, number)).or_insert(next);
        if node == next {
            self.counts.push(0);
            self.edges.push((above, number));
        }
        node
    }

    /// Turns the nodes of the n-grams of order `n - 1` that begin at each position into those of order
    /// `n`; NONE for those that were not entered. For order 1 the nodes before are none.
    pub fn extend(&self, nodes: &mut Vec<u32>, numbers: &[u32], n: usize) {
        if n == 1 {
            nodes.clear();
            nodes.resize(numbers.len(), ROOT);
        }
        nodes.truncate((numbers.len() + 1).saturating_sub(n));
        for (node, &number) in nodes.iter_mut().zip(numbers.iter().skip(n - 1)) {
            let known = (*node != NONE && number != NONE).then_some((*node, number));
            *node = known
                .and_then(|pair| self.children.get(&pair).copied())
                .unwrap_or(NONE);
        }
    }
}

fn mixed(hash: u64, value: u64) -> u64 {
    let product = (hash.rotate_left(29) ^ value).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    product ^ product >> 32
}
