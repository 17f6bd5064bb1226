//! Numbers for tokens: the same for the same bytes, and for no others.

use crate::simd::{Key, prefetch_line};
use crate::tokenize::{HASHED, Seed, Tokens};

/// Fewest slots of a table, and most that it begins with: 24 and 768 KiB.
const SLOTS: usize = 1 << 10;
const LARGEST: usize = 1 << 15;
/// Tokens of a segment that are looked up side by side: all, but of long ones.
const AT_ONCE: usize = 1 << 12;
/// Tokens of another vocabulary that are.
const BATCH: usize = 64;

/// All tokens of some segments, numbered in the order in which they first appear.
#[derive(Debug)]
pub struct Vocabulary<'a> {
    seed: &'a Seed,
    /// Open addressing with linear steps; never more than half full.
    slots: Vec<Slot>,
    /// The slots that are taken, by their numbers: other threads read these, which lie side by side.
    tokens: Vec<Slot>,
    /// The bytes of tokens whose keys are hashes, one behind the other, and where each of them ends.
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
    /// Which of the long tokens it is, if it is one.
    long: u32,
}

impl Slot {
    fn key(&self) -> Key {
        (self.low, self.high)
    }
}

impl<'a> Vocabulary<'a> {
    /// One for the tokens of so many segments: with slots for 8 new ones in each, within limits.
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

    /// How many different tokens there are.
    pub fn len(&self) -> usize {
        self.tokens.len()
    }

    /// Appends the numbers of `tokens`.
    #[inline(always)]
    pub fn number(&mut self, tokens: &Tokens, numbers: &mut Vec<u32>) {
        let mut begin = 0;
        while begin < tokens.len() {
            let end = tokens.len().min(begin + AT_ONCE);
            self.reserve(end - begin);
            self.hash((begin..end).map(|i| tokens.key(i)));
            for i in begin..end {
                let hash = self.hashes[i - begin];
                numbers.push(self.find(tokens.key(i), || tokens.token(i), hash));
            }
            begin = end;
        }
    }

    /// The numbers of all tokens of `other`, by the numbers that they have there.
    pub fn number_all(&mut self, other: &Vocabulary) -> Vec<u32> {
        self.reserve(other.len());
        let mut numbers = Vec::with_capacity(other.len());
        for some in other.tokens.chunks(BATCH) {
            self.hash(some.iter().map(Slot::key));
            for (i, slot) in some.iter().enumerate() {
                let bytes = || other.long_token(*slot);
                numbers.push(self.find(slot.key(), bytes, self.hashes[i]));
            }
        }
        numbers
    }

    fn reserve(&mut self, tokens: usize) {
        while 2 * (self.len() + tokens) > self.slots.len() {
            self.grow();
        }
    }

    /// Hashes keys, and asks for all their slots before the first is looked at: they are anywhere
    /// in memory.
    #[inline(always)]
    fn hash(&mut self, keys: impl Iterator<Item = Key>) {
        let mask = self.slots.len() - 1;
        self.hashes.clear();
        for key in keys {
            let hash = self.seed.of_key(key);
            prefetch_line((&raw const self.slots[hash as usize & mask]).cast());
            self.hashes.push(hash);
        }
    }

    /// The number of a token; `bytes` are asked for only if its key is a hash.
    #[inline(always)]
    fn find<'b>(&mut self, (low, high): Key, bytes: impl Fn() -> &'b [u8], hash: u64) -> u32 {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::columns::views::{Ids, Marks};
    use crate::simd::Scalar;

    #[test]
    fn a_larger_vocabulary_is_numbered() {
        let seed = Seed::default();
        let tokens_of = |ids: &[i32]| {
            let mut tokens = Tokens::default();
            let read = tokens.read_ids(Scalar, Ids::Int32(ids), Marks::default());
            assert_eq!(read, Ok(()));
            tokens.widen();
            tokens
        };
        let ids: Vec<_> = (0..5_000).collect();
        let (mut own, mut other) = (Vocabulary::new(&seed, 1), Vocabulary::new(&seed, 1));
        let (mut numbers, mut others) = (Vec::new(), Vec::new());
        own.number(&tokens_of(&ids[..20]), &mut numbers);
        other.number(&tokens_of(&ids[10..]), &mut others);
        let joined = own.number_all(&other);
        let joined: Vec<_> = others.iter().map(|&i| joined[i as usize]).collect();
        assert_eq!(joined[..10], numbers[10..]);
        assert_eq!(own.len(), ids.len());
        // What each has now is what it has ever after.
        numbers.truncate(10);
        numbers.extend(joined);
        let mut again = Vec::new();
        own.number(&tokens_of(&ids), &mut again);
        assert_eq!(again, numbers);
    }
}
