//! A tokenized segment: where its tokens are, and a key for each that makes comparing them cheap.
//!
//! A key is 16 bytes. A token of up to 15 bytes is its own key, so equal keys are equal tokens. The
//! key of a longer one is a seeded hash and its length, and equal keys are only a hint: whoever
//! compares them has to compare the bytes too ([`Tokens::is_hashed`], [`Tokens::same`]).

use std::hash::BuildHasher;

use foldhash::fast::RandomState;

use crate::normalize::Line;
use crate::plan::Case;
use crate::simd::{Block, Isa, Key, KeyBlock};
use crate::views::{Fault, Text};

/// Bytes of a key.
const CHUNK: usize = 16;
/// The longest token that is its own key.
const EXACT: usize = CHUNK - 1;

/// The hash of long tokens, seeded anew for each plan so that no text can be made to collide.
#[derive(Debug)]
pub struct Seed {
    any: RandomState,
    /// Odd factors for the bytes of tokens of up to 32 bytes: most hashed tokens are (a Cyrillic
    /// word of 8 letters is), and a call of the general hash would take four times as long.
    factors: [u64; 3],
}

impl Default for Seed {
    fn default() -> Self {
        let any = RandomState::default();
        let factors = [0, 1, 2].map(|i: u64| any.hash_one(i) | 1);
        Self { any, factors }
    }
}

#[cfg(test)]
impl Seed {
    /// Words of 16 to 32 bytes that have one length and begin alike have one hash.
    pub fn that_collides() -> Self {
        Self {
            factors: [0; 3],
            ..Self::default()
        }
    }
}

/// Masks that keep the first `i` of 16 bytes.
const KEEP: [u128; CHUNK + 1] = {
    let mut masks = [u128::MAX; CHUNK + 1];
    let mut i = 0;
    while i < CHUNK {
        masks[i] = (1 << (8 * i)) - 1;
        i += 1;
    }
    masks
};

/// Key of the token of `len` bytes at the start of `text`, which goes on for 32 bytes at least.
///
/// The top byte is the length + 1, at most 255, so that no key is zero.
#[inline(always)]
fn make_key(seed: &Seed, text: &[u8], len: usize) -> Key {
    let tag = (len as u64 + 1).min(0xFF) << 56;
    if len > 2 * CHUNK {
        return (seed.any.hash_one(&text[..len]), tag);
    }
    // One way for both kinds, because a branch on the length would often be mispredicted: up to 15
    // bytes `second` and the byte taken from `first` are zero, and nothing is added.
    let chunk = |i: usize| u128::from_le_bytes(text.as_chunks::<CHUNK>().0[i]);
    let first = chunk(0) & KEEP[len.min(CHUNK)];
    let second = chunk(1) & KEEP[len.saturating_sub(CHUNK)];
    let (first_high, second_high) = ((first >> 64) as u64, (second >> 64) as u64);
    let [a, b, c] = seed.factors;
    let low = (second as u64).wrapping_mul(a) ^ second_high.wrapping_mul(b).rotate_left(32);
    let low = first as u64 ^ low ^ (first_high >> 56).wrapping_mul(c);
    (low, first_high & (u64::MAX >> 8) | tag)
}

/// A tokenized segment, in buffers that are used again and again.
#[derive(Debug, Default)]
pub struct Tokens {
    pub line: Line,
    pub(super) blocks: Vec<Block>,
    pub(super) starts: Vec<u32>,
    pub(super) ends: Vec<u32>,
    pub(super) count: usize,
    keys: Vec<KeyBlock>,
}

impl Tokens {
    #[inline]
    pub fn len(&self) -> usize {
        self.count
    }

    #[inline]
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The bytes of token `i`.
    #[inline]
    pub fn token(&self, i: usize) -> &[u8] {
        &self.line.text()[self.starts[i] as usize..self.ends[i] as usize]
    }

    /// The keys, eight to a block. Behind the last one come zeros, which equal no key.
    #[inline(always)]
    pub fn key_blocks(&self) -> &[KeyBlock] {
        &self.keys[..self.count.div_ceil(8)]
    }

    /// The key of token `i`.
    #[inline(always)]
    pub fn key(&self, i: usize) -> Key {
        let block = &self.keys[i / 8];
        (block.lows[i % 8], block.highs[i % 8])
    }

    /// Whether a key is a hash that leaves bytes to compare.
    #[inline(always)]
    pub fn is_hashed(key: Key) -> bool {
        key.1 >> 56 > EXACT as u64 + 1
    }

    /// Whether token `i` has the bytes of token `j` of `other`, given that their keys are equal.
    #[inline(always)]
    pub fn same(&self, i: usize, other: &Self, j: usize) -> bool {
        let (mine, its) = (self.token(i), other.token(j));
        if mine.len() <= 2 * CHUNK && mine.len() == its.len() {
            ends(mine) == ends(its)
        } else {
            mine == its
        }
    }

    /// Makes room for a token at each byte, and for the 64 places that each block writes.
    #[inline(always)]
    pub(super) fn reserve_spans(&mut self) {
        let places = 64 * self.blocks.len() + 64;
        if self.starts.len() < places {
            self.starts.resize(places, 0);
            self.ends.resize(places, 0);
        }
    }

    /// Takes words that the caller tokenized.
    #[inline(always)]
    pub fn read_words<'a, I: Isa>(
        &mut self,
        isa: I,
        case: Case,
        words: impl Iterator<Item = Text<'a>>,
    ) -> Result<(), Fault> {
        self.line.clear();
        self.starts.clear();
        self.ends.clear();
        for word in words {
            self.starts.push(self.line.end());
            self.line.append(isa, case, word)?;
            self.ends.push(self.line.end());
        }
        self.count = self.ends.len();
        self.line.seal()
    }

    /// Computes the keys of all tokens.
    #[inline(always)]
    pub fn make_keys(&mut self, seed: &Seed) {
        let blocks = self.count.div_ceil(8);
        if self.keys.len() < blocks {
            self.keys.resize(blocks, KeyBlock::default());
        }
        if let Some(last) = self.keys[..blocks].last_mut() {
            *last = KeyBlock::default();
        }
        let text = self.line.padded();
        let spans = self.starts[..self.count]
            .iter()
            .zip(&self.ends[..self.count]);
        for (i, (&start, &end)) in spans.enumerate() {
            let (start, end) = (start as usize, end as usize);
            let key = make_key(seed, &text[start..], end - start);
            let block = &mut self.keys[i / 8];
            (block.lows[i % 8], block.highs[i % 8]) = key;
        }
    }
}

/// The first and the last 16 bytes of at least 16: all of up to 32.
#[inline(always)]
fn ends(bytes: &[u8]) -> [u128; 2] {
    let first: &[u8; CHUNK] = bytes
        .first_chunk()
        .expect("a hashed token is longer than 15 bytes");
    let last: &[u8; CHUNK] = bytes
        .last_chunk()
        .expect("a hashed token is longer than 15 bytes");
    [u128::from_le_bytes(*first), u128::from_le_bytes(*last)]
}
