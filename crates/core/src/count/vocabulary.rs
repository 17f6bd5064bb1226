//! Numbers for tokens: tokens have the same number if and only if their bytes are the same.

use std::hash::BuildHasher;

use foldhash::fast::RandomState;
use hashbrown::HashTable;

use crate::simd::Key;
use crate::tokenize::{HASHED, Name, PADDING};

/// Stands for no number.
pub const NONE: u32 = u32::MAX;

/// Tokens of one plan, numbered in the order in which they first appear.
#[derive(Clone, Debug, Default)]
pub struct Vocabulary {
    state: RandomState,
    numbers: HashTable<(Key, u32)>,
    keys: Vec<Key>,
    /// The bytes of tokens whose keys are hashes, and the end of each token.
    long: Vec<u8>,
    ends: Vec<usize>,
}

impl Vocabulary {
    /// A vocabulary with room for this many tokens: to grow took a quarter of the time of a thousand
    /// segments.
    pub fn with_capacity(tokens: usize) -> Self {
        Self {
            numbers: HashTable::with_capacity(tokens),
            ..Self::default()
        }
    }

    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// The bytes of a token, if its key is a hash; else none.
    #[inline]
    fn long(&self, number: u32) -> &[u8] {
        let end = number as usize;
        let begin = end.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.long[begin..self.ends[end]]
    }

    /// The tokens, by their numbers.
    pub fn names(&self) -> impl Iterator<Item = Name<'_>> {
        (0..)
            .zip(&self.keys)
            .map(|(number, &key)| (key, self.long(number)))
    }

    /// The bytes of each token, by its number.
    pub fn words(&self) -> Vec<Vec<u8>> {
        let word = |name: Name| match name {
            ([_, HASHED], bytes) => bytes.to_vec(),
            (key, _) => {
                let bytes = key.map(u64::to_le_bytes);
                let bytes = bytes.as_flattened().iter().copied();
                bytes.filter(|&byte| byte != PADDING).collect()
            }
        };
        self.names().map(word).collect()
    }

    pub fn clear(&mut self) {
        self.numbers.clear();
        self.keys.clear();
        self.long.clear();
        self.ends.clear();
    }

    /// The number of a token; NONE if it has none.
    #[inline(always)]
    pub fn get(&self, (key, bytes): Name) -> u32 {
        let same = |&(other, number): &(Key, u32)| {
            other == key && (key[1] != HASHED || self.long(number) == bytes)
        };
        let entry = self.numbers.find(hash(&self.state, key), same);
        entry.map_or(NONE, |&(_, number)| number)
    }

    /// The number of a token, which is a new one if it has none.
    #[inline]
    pub fn number(&mut self, (key, bytes): Name) -> u32 {
        let number = self.get((key, bytes));
        if number != NONE {
            return number;
        }
        let number = self.keys.len() as u32;
        let state = &self.state;
        self.numbers
            .insert_unique(hash(state, key), (key, number), |&(key, _)| {
                hash(state, key)
            });
        self.keys.push(key);
        self.long.extend_from_slice(bytes);
        self.ends.push(self.long.len());
        number
    }
}

#[inline]
fn hash(state: &RandomState, [low, high]: Key) -> u64 {
    state.hash_one(u128::from(high) << 64 | u128::from(low))
}
