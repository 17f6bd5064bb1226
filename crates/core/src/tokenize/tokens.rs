//! A tokenized segment: where its tokens are, and a key for each that makes comparing them cheap.
//!
//! A key is 16 bytes. A token of up to 15 bytes is its own key, so equal keys are equal tokens. A
//! longer one has a seeded hash and its length for a key, and equal keys are only a hint: whoever
//! compares them has to compare the bytes too ([`Tokens::is_hashed`], [`Tokens::same`]).

use std::hash::{BuildHasher, Hasher};

use crate::normalize::Line;
use crate::simd::Block;

/// The hash of long tokens, seeded anew in each process so that no text can be made to collide.
pub type Seed = foldhash::fast::RandomState;

/// The longest token that is its own key.
const EXACT: usize = 15;
/// Top byte of a key: length + 1 for exact keys, so that no key is zero, and this for hashed ones.
const HASHED: u64 = 0xFF;

/// Masks that keep the first `i` of 16 bytes.
const KEEP: [u128; EXACT + 1] = {
    let mut masks = [0; EXACT + 1];
    let mut i = 0;
    while i <= EXACT {
        masks[i] = (1 << (8 * i)) - 1;
        i += 1;
    }
    masks
};

/// A tokenized segment, in buffers that are used again and again.
#[derive(Debug, Default)]
pub struct Tokens {
    pub line: Line,
    pub(super) blocks: Vec<Block>,
    pub(super) starts: Vec<u32>,
    pub(super) ends: Vec<u32>,
    pub(super) count: usize,
    lows: Vec<u64>,
    highs: Vec<u64>,
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

    /// The two halves of the keys. Behind the last token come zeros, which equal no key, up to a
    /// multiple of 8.
    #[inline]
    pub fn keys(&self) -> (&[u64], &[u64]) {
        let padded = self.count.next_multiple_of(8);
        (&self.lows[..padded], &self.highs[..padded])
    }

    /// Whether a key, by its high half, is a hash that leaves bytes to compare.
    #[inline]
    pub fn is_hashed(high: u64) -> bool {
        high >> 56 == HASHED
    }

    /// Whether token `i` has the bytes of token `j` of `other`.
    #[inline]
    pub fn same(&self, i: usize, other: &Self, j: usize) -> bool {
        self.token(i) == other.token(j)
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

    /// Takes the words that the caller tokenized: word `i` is the text between `ends[i - 1]` and
    /// `ends[i]`.
    pub fn set_words(&mut self, ends: impl Iterator<Item = u32>) {
        self.ends.clear();
        self.ends.extend(ends);
        self.count = self.ends.len();
        self.starts.clear();
        self.starts.push(0);
        self.starts.extend_from_slice(&self.ends);
    }

    /// Computes the keys of all tokens.
    #[inline(always)]
    pub fn make_keys(&mut self, seed: &Seed) {
        let padded = self.count.next_multiple_of(8);
        if self.lows.len() < padded {
            self.lows.resize(padded, 0);
            self.highs.resize(padded, 0);
        }
        let (lows, highs) = (&mut self.lows[..padded], &mut self.highs[..padded]);
        let text = self.line.padded();
        let spans = self.starts[..self.count].iter().zip(&self.ends[..self.count]);
        for (i, (&start, &end)) in spans.enumerate() {
            let (start, end) = (start as usize, end as usize);
            let len = end - start;
            if len <= EXACT {
                let bytes: [u8; 16] = *text[start..].first_chunk().expect("a line is padded");
                let key = u128::from_le_bytes(bytes) & KEEP[len];
                lows[i] = key as u64;
                highs[i] = (key >> 64) as u64 | (len as u64 + 1) << 56;
            } else {
                let mut hasher = seed.build_hasher();
                hasher.write(&text[start..end]);
                lows[i] = hasher.finish();
                highs[i] = HASHED << 56 | len as u64;
            }
        }
        lows[self.count..].fill(0);
        highs[self.count..].fill(0);
    }
}
