//! A tokenized segment: where its tokens are, and a key for each that makes comparing them cheap.
//!
//! A key is 16 bytes. A token of up to 15 bytes is its own key, so equal keys are equal tokens. The
//! key of a longer one is a seeded hash and its length, and equal keys are only a hint: the bytes
//! must be compared too ([`Tokens::hashed`], [`Tokens::same`]). Keys of 8
//! bytes are made and compared faster, but then one word in six needs its bytes compared, which
//! costs more than it saves.

use std::hash::BuildHasher;
use std::hint::select_unpredictable;

use foldhash::fast::RandomState;

use super::ids;
use crate::columns::views::{Fault, Text};
use crate::normalize::Line;
use crate::plan::Case;
use crate::simd::{Block, Isa, Key, KeyBlock, Task};

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

impl Seed {
    /// A hash of the key of a token.
    #[inline(always)]
    pub(crate) fn of_key(&self, (low, high): Key) -> u64 {
        fold(self.of_pair(low) ^ high, self.words[2])
    }

    /// A hash of two 32-bit numbers in one.
    #[inline(always)]
    pub(crate) fn of_pair(&self, pair: u64) -> u64 {
        fold(pair ^ self.words[0], self.words[1])
    }
}

#[cfg(test)]
impl Seed {
    /// All keys and pairs have one hash. All words of 16 bytes that begin with `prefix` have one hash: each product has a zero.
    pub fn that_collides(prefix: [u8; 8]) -> Self {
        let prefix = u64::from_le_bytes(prefix);
        Self {
            words: [prefix ^ 16, 0, 0, prefix],
            ..Self::default()
        }
    }
}

/// Second half of the keys that are hashes. The others end in 0xFF, which UTF-8 has nowhere.
pub(crate) const HASHED: u64 = 1;

/// The bytes of a key after its token; UTF-8 has none.
pub(crate) const PADDING: u8 = 0xFF;

/// For each length of an exact key, the padding after the token.
const FILL: [(u64, u64); EXACT + 1] = {
    let mut rows = [(0, 0); EXACT + 1];
    let mut len = 0;
    while len <= EXACT {
        let fill = u128::MAX << (8 * len);
        rows[len] = (fill as u64, (fill >> 64) as u64);
        len += 1;
    }
    rows
};

/// Key of the token of `len` bytes from `start` on. `text` has 16 more bytes after it.
///
/// If `LONG`, tokens of up to 32 bytes take one way at any length, for texts whose words
/// are often longer than a key (two bytes to a letter, say), where a branch would be mispredicted.
/// The keys are the same.
#[inline(always)]
fn make_key<const LONG: bool>(seed: &Seed, text: &[u8], start: usize, len: usize) -> Key {
    let exact = exact_key(text, start, len);
    if LONG && len <= SHORT {
        let hash = hash_short(seed, text, start, len);
        return (
            select_unpredictable(len <= EXACT, exact.0, hash),
            select_unpredictable(len <= EXACT, exact.1, HASHED),
        );
    }
    if len <= EXACT {
        exact
    } else {
        (hash_any(seed, text, start, len), HASHED)
    }
}

/// The key of a token that fits.
#[expect(
    clippy::expect_used,
    reason = "64 blanks follow each line, and no token begins there"
)]
#[inline(always)]
fn exact_key(text: &[u8], start: usize, len: usize) -> Key {
    let bytes: &[u8; 16] = text[start..].first_chunk().expect("a line is padded");
    let (first, second) = words_of(*bytes);
    let fill = FILL[len % (EXACT + 1)];
    (first | fill.0, second | fill.1)
}

#[cold]
fn hash_any(seed: &Seed, text: &[u8], start: usize, len: usize) -> u64 {
    if len <= SHORT {
        return hash_short(seed, text, start, len);
    }
    seed.any.hash_one(&text[start..start + len])
}

/// Hash of the first and the last 16 bytes: all there is, up to 32.
#[expect(
    clippy::expect_used,
    reason = "64 blanks follow each line, and no token begins there"
)]
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

/// A tokenized segment, in reused buffers.
#[derive(Debug, Default)]
pub struct Tokens {
    pub line: Line,
    /// Characters of the text before it was tokenized, if they count.
    pub characters: usize,
    pub(super) blocks: Vec<Block>,
    pub(super) starts: Vec<u32>,
    pub(super) ends: Vec<u32>,
    pub(super) count: usize,
    pub(super) keys: Vec<KeyBlock>,
    hashed: Vec<u32>,
    pub(super) hashed_count: usize,
    pub(super) ids: Vec<i32>,
    /// Whether the tokens are `ids`, and have no text and no keys.
    pub(super) are_ids: bool,
}

/// The identity of a token: its key, and its bytes if the key is a hash.
pub type Name<'a> = (Key, &'a [u8]);

impl Tokens {
    #[inline]
    pub fn len(&self) -> usize {
        self.count
    }

    #[inline]
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Size of the buffers, in bytes of text or of ids.
    pub fn capacity(&self) -> usize {
        (64 * self.blocks.capacity()).max(4 * self.ids.capacity())
    }

    #[inline]
    pub fn name(&self, i: usize) -> Name<'_> {
        match self.ids() {
            Some(ids) => (ids::key(ids[i] as u64), &[]),
            None if self.key(i).1 == HASHED => (self.key(i), self.token(i)),
            None => (self.key(i), &[]),
        }
    }

    #[inline]
    pub fn token(&self, i: usize) -> &[u8] {
        &self.line.text()[self.starts[i] as usize..self.ends[i] as usize]
    }

    /// The keys, eight to a block. Zeros follow the last one, which equal no key.
    #[inline(always)]
    pub fn key_blocks(&self) -> &[KeyBlock] {
        &self.keys[..self.count.div_ceil(8)]
    }

    #[inline(always)]
    pub fn key(&self, i: usize) -> Key {
        let block = &self.keys[i / 8];
        (block.lows[i % 8], block.highs[i % 8])
    }

    /// The tokens whose keys are hashes, which leave bytes to compare.
    #[inline(always)]
    pub fn hashed(&self) -> &[u32] {
        &self.hashed[..self.hashed_count]
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

    /// Reserves a token for each byte, and the 64 places that each block writes.
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

    /// Joins the tokens with blanks and changes their case, to be split again.
    #[cold]
    pub fn join<I: Isa>(&mut self, isa: I, case: Case) -> Result<(), Fault> {
        let words: Vec<_> = (0..self.count).map(|i| self.token(i)).collect();
        let joined = words.join(&b' ');
        self.line.clear();
        self.line.append(isa, case, Text::Utf8(&joined))?;
        self.line.seal()
    }

    /// Computes the keys of all tokens. Functions of their own: inlined among everything else, they
    /// are short of registers and take up to twice as long.
    #[inline(always)]
    pub fn make_keys<I: Isa>(&mut self, isa: I, seed: &Seed) {
        self.are_ids = false;
        let blocks = self.count.div_ceil(8);
        if self.keys.len() < blocks {
            self.keys.resize(blocks, KeyBlock::default());
        }
        if let Some(last) = self.keys[..blocks].last_mut() {
            *last = KeyBlock::default();
        }
        if self.hashed.len() < self.count {
            self.hashed.resize(self.count, 0);
        }
        self.hashed_count = if self.line.text().len() > 8 * self.count {
            self.make_long_keys(seed)
        } else {
            isa.apart(ShortKeys { tokens: self, seed })
        };
    }

    /// Returns how many keys are hashes.
    #[inline(never)]
    fn make_long_keys(&mut self, seed: &Seed) -> usize {
        let mut hashed = 0;
        let text = self.line.padded();
        let starts = self.starts[..self.count].chunks(8);
        let ends = self.ends[..self.count].chunks(8);
        for (b, (block, (starts, ends))) in self.keys.iter_mut().zip(starts.zip(ends)).enumerate() {
            for (i, (&start, &end)) in starts.iter().zip(ends).enumerate() {
                let len = (end - start) as usize;
                (block.lows[i], block.highs[i]) = make_key::<true>(seed, text, start as usize, len);
                self.hashed[hashed] = (8 * b + i) as u32;
                hashed += usize::from(len > EXACT);
            }
        }
        hashed
    }
}

struct ShortKeys<'a> {
    tokens: &'a mut Tokens,
    seed: &'a Seed,
}

impl Task for ShortKeys<'_> {
    type Output = usize;

    #[inline(always)]
    fn run<I: Isa>(self, _: I) -> usize {
        let Self { tokens, seed } = self;
        let text = tokens.line.padded();
        let (starts, last_starts) = tokens.starts[..tokens.count].as_chunks::<8>();
        let (ends, last_ends) = tokens.ends[..tokens.count].as_chunks::<8>();
        let mut hashed = 0;
        for (b, (block, (starts, ends))) in tokens
            .keys
            .iter_mut()
            .zip(starts.iter().zip(ends))
            .enumerate()
        {
            let lens: [u32; 8] = std::array::from_fn(|i| ends[i] - starts[i]);
            let longest = lens.iter().fold(0, |longest, &len| longest.max(len));
            if longest as usize <= EXACT {
                for i in 0..8 {
                    let key = exact_key(text, starts[i] as usize, lens[i] as usize);
                    (block.lows[i], block.highs[i]) = key;
                }
            } else {
                for i in 0..8 {
                    let len = lens[i] as usize;
                    let key = make_key::<false>(seed, text, starts[i] as usize, len);
                    (block.lows[i], block.highs[i]) = key;
                    tokens.hashed[hashed] = (8 * b + i) as u32;
                    hashed += usize::from(len > EXACT);
                }
            }
        }
        for (i, (&start, &end)) in last_starts.iter().zip(last_ends).enumerate() {
            let len = (end - start) as usize;
            let block = &mut tokens.keys[starts.len()];
            (block.lows[i], block.highs[i]) = make_key::<false>(seed, text, start as usize, len);
            tokens.hashed[hashed] = (8 * starts.len() + i) as u32;
            hashed += usize::from(len > EXACT);
        }
        hashed
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
        assert_eq!(key(b"0123456789abcde0").1, HASHED);
    }
}
