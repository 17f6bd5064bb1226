//! Numbers for tokens: the same for the same bytes, and for no others.

use crate::simd::prefetch_line;
use crate::tokenize::{HASHED, Seed, Tokens};

/// All tokens of some segments, numbered in the order in which they first appear.
#[derive(Debug)]
pub struct Vocabulary<'a> {
    seed: &'a Seed,
    /// Open addressing with linear steps; never more than three quarters full.
    slots: Vec<Slot>,
    len: u32,
    /// The tokens whose keys are hashes, one behind the other.
    long: Vec<u8>,
    hashes: Vec<u64>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    low: u64,
    /// Zero in an empty slot: no key has that.
    high: u64,
    number: u32,
    /// Length of the token in `long`, if it is there.
    len: u32,
    start: usize,
}

impl<'a> Vocabulary<'a> {
    pub fn new(seed: &'a Seed) -> Self {
        Self {
            seed,
            slots: vec![Slot::default(); 1 << 10],
            len: 0,
            long: Vec::new(),
            hashes: Vec::new(),
        }
    }

    /// How many different tokens there are.
    pub fn len(&self) -> usize {
        self.len as usize
    }

    /// Appends the numbers of `tokens`.
    #[inline(always)]
    pub fn number(&mut self, tokens: &Tokens, numbers: &mut Vec<u32>) {
        while (self.len() + tokens.len()) * 4 > self.slots.len() * 3 {
            self.grow();
        }
        // All slots are asked for before the first is looked at: they are anywhere in memory.
        let mask = self.slots.len() - 1;
        self.hashes.clear();
        for i in 0..tokens.len() {
            let hash = self.seed.of_key(tokens.key(i));
            prefetch_line((&raw const self.slots[hash as usize & mask]).cast());
            self.hashes.push(hash);
        }
        for i in 0..tokens.len() {
            let number = self.find(tokens, i, self.hashes[i] as usize & mask);
            numbers.push(number);
        }
    }

    #[inline(always)]
    fn find(&mut self, tokens: &Tokens, i: usize, start: usize) -> u32 {
        let (low, high) = tokens.key(i);
        let mask = self.slots.len() - 1;
        let mut at = start;
        loop {
            let slot = self.slots[at & mask];
            if slot.high == 0 {
                break;
            }
            let same_key = slot.low == low && slot.high == high;
            if same_key && (high != HASHED || self.long_token(slot) == tokens.token(i)) {
                return slot.number;
            }
            at += 1;
        }
        let mut slot = Slot {
            low,
            high,
            number: self.len,
            len: 0,
            start: self.long.len(),
        };
        if high == HASHED {
            let token = tokens.token(i);
            slot.len = token.len() as u32;
            self.long.extend_from_slice(token);
        }
        self.slots[at & mask] = slot;
        self.len += 1;
        slot.number
    }

    fn long_token(&self, slot: Slot) -> &[u8] {
        &self.long[slot.start..slot.start + slot.len as usize]
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self) {
        let larger = vec![Slot::default(); 2 * self.slots.len()];
        let mask = larger.len() - 1;
        for slot in std::mem::replace(&mut self.slots, larger) {
            if slot.high != 0 {
                let mut at = self.seed.of_key((slot.low, slot.high)) as usize;
                while self.slots[at & mask].high != 0 {
                    at += 1;
                }
                self.slots[at & mask] = slot;
            }
        }
    }
}
