//! A tokenized segment: where its tokens are, and a key for each that makes comparing them cheap.
//!
//! A key is 16 bytes. A token of up to 15 bytes is its own key, so equal keys are equal tokens. The
//! key of a longer one is a seeded hash and its length, and equal keys are only a hint: whoever
//! compares them has to compare the bytes too ([`Tokens::is_hashed`], [`Tokens::same`]). Keys of 8
//! bytes are made and compared faster, but then one word in six needs its bytes compared, which
//! costs more than it saves.

use std::hash::BuildHasher;

use foldhash::fast::RandomState;

use crate::normalize::Line;
use crate::plan::Case;
use crate::simd::{Block, Isa, Key, KeyBlock};
use crate::views::{Fault, Text};

/// The longest token that is its own key.
const EXACT: usize = 15;
/// The longest token that is hashed here, and not by a call of the general hash.
const SHORT: usize = 32;

/// The hash of long tokens, seeded anew for each plan so that no text can be made to collide.
#[derive(Debug)]
pub struct Seed {
    any: RandomState,
    words: [u64; 4],
}

impl Default for Seed {
    fn default() -> Self {
        let any = RandomState::default();
        Self {
            words: [0, 1, 2, 3].map(|i: u64| any.hash_one(i)),
            any,
        }
    }
}

#[cfg(test)]
impl Seed {
    /// All words of 16 bytes that begin with `prefix` have one hash: each product has a zero.
    pub fn that_collides(prefix: [u8; 8]) -> Self {
        let prefix = u64::from_le_bytes(prefix);
        Self {
            words: [prefix ^ 16, 0, 0, prefix],
            ..Self::default()
        }
    }
}

/// Top byte of the keys that are hashes; the others have their length + 1 there, so that no key is
/// zero.
const HASHED: u64 = 0xFF << 56;

/// For each length of an exact key, the masks of its two words and its top byte.
const EXACT_KEYS: [(u64, u64, u64); EXACT + 1] = {
    let mut rows = [(0, 0, 0); EXACT + 1];
    let mut len = 0;
    while len <= EXACT {
        let mask = (1_u128 << (8 * len)) - 1;
        rows[len] = (mask as u64, (mask >> 64) as u64, (len as u64 + 1) << 56);
        len += 1;
    }
    rows
};

/// Key of the token of `len` bytes from `start` on. `text` goes on for 16 bytes behind it.
///
/// If `LONG`, tokens of up to 32 bytes take one way whatever their length, for texts whose words
/// are often longer than a key (two bytes to a letter, say), where a branch would be mispredicted.
/// The keys are the same.
#[inline(always)]
fn make_key<const LONG: bool>(seed: &Seed, text: &[u8], start: usize, len: usize) -> Key {
    let bytes: &[u8; 16] = text[start..].first_chunk().expect("a line is padded");
    let (first, second) = words_of(*bytes);
    let (low, high, tag) = EXACT_KEYS[len % (EXACT + 1)];
    let exact = (first & low, second & high | tag);
    if LONG && len <= SHORT {
        let hash = hash_short(seed, text, start, len);
        return if len <= EXACT { exact } else { (hash, HASHED) };
    }
    if len <= EXACT {
        exact
    } else {
        (hash_any(seed, text, start, len), HASHED)
    }
}

#[cold]
fn hash_any(seed: &Seed, text: &[u8], start: usize, len: usize) -> u64 {
    if len <= SHORT {
        return hash_short(seed, text, start, len);
    }
    seed.any.hash_one(&text[start..start + len])
}

/// Hash of the first and the last 16 bytes: all there is, up to 32.
#[inline(always)]
fn hash_short(seed: &Seed, text: &[u8], start: usize, len: usize) -> u64 {
    let end = start + len.max(16);
    let first: &[u8; 16] = text[start..].first_chunk().expect("a line is padded");
    let last: &[u8; 16] = text[end - 16..].first_chunk().expect("a line is padded");
    let (first, last) = (words_of(*first), words_of(*last));
    let secret = seed.words;
    let outer = fold(first.0 ^ secret[0] ^ len as u64, last.1 ^ secret[1]);
    let inner = fold(first.1 ^ secret[2], last.0 ^ secret[3]);
    outer ^ inner.rotate_left(32)
}

#[inline(always)]
fn words_of(bytes: [u8; 16]) -> (u64, u64) {
    let both = u128::from_le_bytes(bytes);
    (both as u64, (both >> 64) as u64)
}

/// Both halves of a product, which depend on all bits of its factors.
#[inline(always)]
fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
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
    has_hashed: bool,
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

    /// Whether any key is a hash.
    #[inline(always)]
    pub fn has_hashed(&self) -> bool {
        self.has_hashed
    }

    /// Whether a key is a hash that leaves bytes to compare.
    #[inline(always)]
    pub fn is_hashed(key: Key) -> bool {
        key.1 == HASHED
    }

    /// Whether token `i` has the bytes of token `j` of `other`; both have hashed keys.
    #[inline(always)]
    pub fn same(&self, i: usize, other: &Self, j: usize) -> bool {
        let (mine, its) = (self.token(i), other.token(j));
        if mine.len() <= SHORT && mine.len() == its.len() {
            // The first and the last 16 bytes are all: no call to compare a few bytes.
            let first = |token: &[u8]| token.first_chunk().map(|&bytes| u128::from_le_bytes(bytes));
            let last = |token: &[u8]| token.last_chunk().map(|&bytes| u128::from_le_bytes(bytes));
            first(mine) == first(its) && last(mine) == last(its)
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
        if self.line.text().len() > 8 * self.count {
            self.make_keys_for::<true>(seed);
        } else {
            self.make_keys_for::<false>(seed);
        }
    }

    /// A function of its own: inlined among everything else, it is short of registers and takes up
    /// to twice as long.
    #[inline(never)]
    fn make_keys_for<const LONG: bool>(&mut self, seed: &Seed) {
        let blocks = self.count.div_ceil(8);
        if self.keys.len() < blocks {
            self.keys.resize(blocks, KeyBlock::default());
        }
        if let Some(last) = self.keys[..blocks].last_mut() {
            *last = KeyBlock::default();
        }
        let text = self.line.padded();
        let starts = self.starts[..self.count].chunks(8);
        let ends = self.ends[..self.count].chunks(8);
        let mut longest = 0;
        for ((block, starts), ends) in self.keys.iter_mut().zip(starts).zip(ends) {
            for (i, (&start, &end)) in starts.iter().zip(ends).enumerate() {
                longest = longest.max(end - start);
                let key = make_key::<LONG>(seed, text, start as usize, (end - start) as usize);
                (block.lows[i], block.highs[i]) = key;
            }
        }
        self.has_hashed = longest as usize > EXACT;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_colliding_seed_collides() {
        let seed = Seed::that_collides(*b"01234567");
        let key = |word: &[u8; 16]| {
            let text = [word.as_slice(), &[b' '; 64]].concat();
            make_key::<false>(&seed, &text, 0, word.len())
        };
        assert_eq!(key(b"0123456789abcde0"), key(b"0123456789abcde1"));
        assert!(Tokens::is_hashed(key(b"0123456789abcde0")));
    }
}
