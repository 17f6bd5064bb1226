//! Numbers for tokens: tokens have the same number if and only if their bytes are the same.

use crate::simd::{Key, prefetch_line};
use crate::tokenize::{HASHED, PADDING, Seed, Tokens};

/// Initial slots of a table: 24 to 768 KiB.
const SLOTS: usize = 1 << 10;
const LARGEST: usize = 1 << 15;
/// Tokens that are looked up together: all of a usual segment.
const AT_ONCE: usize = 1 << 12;

/// All tokens of some segments, numbered in the order in which they first appear.
#[derive(Debug)]
pub struct Vocabulary<'a> {
    seed: &'a Seed,
    /// Open addressing with linear steps; never more than half full.
    slots: Vec<Slot>,
    /// The used slots, by their numbers.
    tokens: Vec<Slot>,
    /// The bytes of tokens whose keys are hashes, and the end of each token.
    long: Vec<u8>,
    ends: Vec<usize>,
    hashes: Vec<u64>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    low: u64,
    /// Zero in an empty slot: no key has that.
    high: u64,
    number: u32,
    /// The number of the long token, if it is one.
    long: u32,
}

impl Slot {
    fn key(&self) -> Key {
        [self.low, self.high]
    }
}

impl<'a> Vocabulary<'a> {
    /// One for the tokens of this many segments: with slots for 8 new ones in each, within limits.
    /// Growing took a quarter of the time of a thousand segments.
    pub fn new(seed: &'a Seed, segments: usize) -> Self {
        let size = (16 * segments).clamp(SLOTS, LARGEST).next_power_of_two();
        Self {
            seed,
            slots: vec![Slot::default(); size],
            tokens: Vec::with_capacity(size / 2),
            long: Vec::new(),
            ends: vec![0],
            hashes: Vec::new(),
        }
    }

    pub fn len(&self) -> usize {
        self.tokens.len()
    }

    /// The bytes of each token, by its number.
    pub fn words(&self) -> Vec<Vec<u8>> {
        let word = |&slot: &Slot| {
            if slot.high == HASHED {
                return self.long_token(slot).to_vec();
            }
            let mut bytes = [slot.low.to_le_bytes(), slot.high.to_le_bytes()].concat();
            bytes.retain(|&byte| byte != PADDING);
            bytes
        };
        self.tokens.iter().map(word).collect()
    }

    #[inline(always)]
    pub fn number(&mut self, tokens: &Tokens, numbers: &mut Vec<u32>) {
        let mut begin = 0;
        while begin < tokens.len() {
            let end = tokens.len().min(begin + AT_ONCE);
            self.reserve(end - begin);
            self.hash(&tokens.keys()[begin..end]);
            for i in begin..end {
                let hash = self.hashes[i - begin];
                numbers.push(self.find(tokens.keys()[i], || tokens.token(i), hash));
            }
            begin = end;
        }
    }

    fn reserve(&mut self, tokens: usize) {
        while 2 * (self.len() + tokens) > self.slots.len() {
            self.grow();
        }
    }

    /// Hashes keys, and prefetches their slots, which are scattered over memory.
    #[inline(always)]
    fn hash(&mut self, keys: &[Key]) {
        let mask = self.slots.len() - 1;
        self.hashes.clear();
        for &key in keys {
            let hash = self.seed.of_key(key);
            prefetch_line((&raw const self.slots[hash as usize & mask]).cast());
            self.hashes.push(hash);
        }
    }

    /// The number of a token; `bytes` is called only if its key is a hash.
    #[inline(always)]
    fn find<'b>(&mut self, [low, high]: Key, bytes: impl Fn() -> &'b [u8], hash: u64) -> u32 {
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        loop {
            let slot = self.slots[at & mask];
            if slot.high == 0 {
                break;
            }
            let same_key = slot.low == low && slot.high == high;
            if same_key && (high != HASHED || self.long_token(slot) == bytes()) {
                return slot.number;
            }
            at += 1;
        }
        let mut slot = Slot {
            low,
            high,
            number: self.tokens.len() as u32,
            long: 0,
        };
        if high == HASHED {
            slot.long = self.ends.len() as u32;
            self.long.extend_from_slice(bytes());
            self.ends.push(self.long.len());
        }
        self.slots[at & mask] = slot;
        self.tokens.push(slot);
        slot.number
    }

    fn long_token(&self, slot: Slot) -> &[u8] {
        let end = slot.long as usize;
        &self.long[self.ends[end - 1]..self.ends[end]]
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self) {
        let larger = vec![Slot::default(); 2 * self.slots.len()];
        let mask = larger.len() - 1;
        self.slots = larger;
        for &slot in &self.tokens {
            let mut at = self.seed.of_key(slot.key()) as usize;
            while self.slots[at & mask].high != 0 {
                at += 1;
            }
            self.slots[at & mask] = slot;
        }
    }
}
