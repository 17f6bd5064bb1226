//! One order after the other: which n-grams occur in two segments or more.

use std::collections::HashMap;

use foldhash::fast::RandomState;

use super::{Documents, NONE};
use crate::simd::prefetch_line;
use crate::tokenize::Seed;

/// N-grams that are looked up together: their slots are asked for before the first is looked at.
const TOGETHER: usize = 64;

/// An n-gram in the table: the pair that names it, then its first position plus 1 (0 if the slot
/// is empty) and, above, the last position so far.
type Slot = [u64; 2];

/// The features of one order after the other, by the position at which their n-gram begins.
///
/// An n-gram is named by the position at which it occurred first, if it occurs again; an n-gram
/// that holds one without a name occurs once too, and is not looked up: of a corpus, that is most.
#[derive(Debug)]
pub struct Shared<'a> {
    documents: &'a Documents,
    seed: &'a Seed,
    /// So many documents, from the first on, have their n-grams entered; the others are compared
    /// with those.
    entered: usize,
    order: usize,
    /// By position: the name of the n-gram, or NONE if it occurs nowhere else.
    names: Vec<u32>,
    features: Vec<u32>,
    /// By position: how often the n-gram has occurred before in this document.
    before: Vec<u32>,
    slots: Vec<Slot>,
    /// Where the second, third, ... occurrence in a document came first, by name and number.
    repeats: HashMap<(u32, u32), u32, RandomState>,
}

/// An n-gram to look up.
#[derive(Clone, Copy, Default)]
struct Gram {
    position: u32,
    pair: u64,
    slot: usize,
}

impl<'a> Shared<'a> {
    pub fn new(documents: &'a Documents, seed: &'a Seed, entered: usize) -> Self {
        let positions = documents.tokens.len();
        Self {
            documents,
            seed,
            entered,
            order: 0,
            names: vec![0; positions],
            features: vec![NONE; positions],
            before: vec![0; positions],
            slots: Vec::new(),
            repeats: HashMap::default(),
        }
    }

    /// For each position the feature whose n-gram begins there, if another document has it too:
    /// the position at which it came first; else NONE.
    pub fn features(&self) -> &[u32] {
        &self.features
    }

    /// Goes on to the next order; the first call to order 1.
    #[inline(always)]
    pub fn advance(&mut self) {
        self.order += 1;
        self.repeats.clear();
        self.make_slots();
        let mut grams = [Gram::default(); TOGETHER];
        for document in 0..self.documents.len() {
            let (begin, end) = (
                self.documents.bounds[document],
                self.documents.bounds[document + 1],
            );
            let last = (end + 1).saturating_sub(self.order).max(begin);
            for start in (begin..last).step_by(TOGETHER) {
                let stop = last.min(start + TOGETHER);
                let count = self.gather(start, stop, &mut grams);
                self.names[start..stop].fill(NONE);
                self.features[start..stop].fill(NONE);
                self.before[start..stop].fill(0);
                for gram in &grams[..count] {
                    self.look_up(*gram, begin as u64, document < self.entered);
                }
            }
            self.names[last..end].fill(NONE);
            self.features[last..end].fill(NONE);
        }
    }

    /// Room for all n-grams of this order that may be entered.
    #[inline(always)]
    fn make_slots(&mut self) {
        let count = if self.order == 1 {
            // Numbers of tokens are slots.
            self.documents.vocabulary
        } else {
            let positions = self.documents.bounds[self.entered];
            let named = self.names[..positions].windows(2);
            let count: usize = named
                .map(|pair| usize::from(pair[0] != NONE && pair[1] != NONE))
                .sum();
            // A search ends at an empty slot, of which there is one at least.
            (count + count / 4 + 1).next_power_of_two()
        };
        if self.slots.len() < count {
            self.slots = vec![[0; 2]; count];
        } else {
            self.slots.truncate(count);
            self.slots.fill([0; 2]);
        }
    }

    /// The n-grams that begin at `start..stop` and may occur twice, of which the two that are one
    /// token shorter have names; returns how many.
    #[inline(always)]
    fn gather(&self, start: usize, stop: usize, grams: &mut [Gram; TOGETHER]) -> usize {
        let tokens = &self.documents.tokens[..];
        if self.order == 1 {
            for (gram, position) in grams.iter_mut().zip(start..stop) {
                *gram = Gram {
                    position: position as u32,
                    pair: u64::from(tokens[position]),
                    slot: tokens[position] as usize,
                };
            }
            return stop - start;
        }
        let mask = self.slots.len() - 1;
        let mut count = 0;
        let names = self.names[start..=stop].windows(2);
        let last_tokens = &tokens[start + self.order - 1..stop + self.order - 1];
        for (i, (name, &token)) in names.zip(last_tokens).enumerate() {
            let pair = u64::from(name[0]) << 32 | u64::from(token);
            let slot = self.seed.of_pair(pair) as usize & mask;
            prefetch_line((&raw const self.slots[slot]).cast());
            grams[count % TOGETHER] = Gram {
                position: (start + i) as u32,
                pair,
                slot,
            };
            // No branch: whether a word pair is known is hard to foretell.
            count += usize::from(name[0] != NONE && name[1] != NONE);
        }
        count
    }

    /// `begin` is where the document begins.
    #[inline(always)]
    fn look_up(&mut self, gram: Gram, begin: u64, enter: bool) {
        let mask = self.slots.len() - 1;
        let position = gram.position as usize;
        let mut at = gram.slot;
        loop {
            let [pair, places] = self.slots[at];
            if places == 0 {
                if enter {
                    let place = u64::from(gram.position);
                    self.slots[at] = [gram.pair, place << 32 | (place + 1)];
                }
                return;
            }
            if pair == gram.pair {
                break;
            }
            at = (at + 1) & mask;
        }
        let places = self.slots[at][1];
        let (first, recent) = (places as u32 - 1, places >> 32);
        self.slots[at][1] = u64::from(gram.position) << 32 | u64::from(first + 1);
        self.names[first as usize] = first;
        self.names[position] = first;
        if recent < begin {
            // The first time in this document.
            self.features[first as usize] = first;
            self.features[position] = first;
        } else {
            self.repeat(first, recent as usize, position, enter);
        }
    }

    /// The n-gram called `name` has occurred in this document before, last at `recent`.
    #[cold]
    #[inline(never)]
    fn repeat(&mut self, name: u32, recent: usize, position: usize, enter: bool) {
        let before = self.before[recent] + 1;
        self.before[position] = before;
        if let Some(&first) = self.repeats.get(&(name, before)) {
            self.features[first as usize] = first;
            self.features[position] = first;
        } else if enter {
            self.repeats.insert((name, before), position as u32);
        }
    }
}
