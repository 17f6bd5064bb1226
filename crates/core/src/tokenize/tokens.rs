//! Tokenized segments: where their tokens are, and a key and a tag for each that make comparing them
//! cheap.
//!
//! Several texts can be read together, as one line with a blank after each. They are tokenized and
//! named at once: for short ones that takes half the time. [`Tokens::advance`] goes from one to the
//! next.
//!
//! A key is 16 bytes. A token of up to 15 bytes is its own key, so equal keys are equal tokens. The
//! key of a longer one is a seeded hash and its length, and equal keys are only a hint: the bytes
//! must be compared too ([`Tokens::hashed`], [`Tokens::same`]).
//!
//! A tag is two bytes, a seeded hash of the key, so that many are compared at once. Equal tags are a
//! hint: [`crate::count`] compares the keys of tokens whose tags are equal.

use std::hash::BuildHasher;
use std::ops::Range;

use foldhash::fast::RandomState;

use super::ids;
use crate::columns::views::{Fault, Text};
use crate::normalize::{Case, Line};
use crate::simd::{self, Block, Eight, Isa, Key, TAGS, Tag, Task};

/// The longest token that is its own key.
const EXACT: usize = 15;
/// Places that are reserved after the last token.
const AHEAD: usize = 8 * TAGS;
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
    /// A hash of two 32-bit numbers in one.
    #[inline(always)]
    pub(crate) fn of_pair(&self, pair: u64) -> u64 {
        fold(pair ^ self.words[0], self.words[1])
    }
}

#[cfg(test)]
impl Seed {
    /// All pairs have one hash, and all words of 16 bytes that begin with `prefix`: each product has a
    /// zero.
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

/// For each length of an exact key, the padding after the token; none for longer ones.
const FILL: [Key; 32] = {
    let mut rows = [[0, 0]; 32];
    let mut len = 0;
    while len <= EXACT {
        let fill = u128::MAX << (8 * len);
        rows[len] = [fill as u64, (fill >> 64) as u64];
        len += 1;
    }
    rows
};

#[inline(always)]
fn hash(seed: &Seed, text: &[u8], start: usize, len: usize) -> u64 {
    if len <= SHORT {
        hash_short(seed, text, start, len)
    } else {
        hash_long(seed, &text[start..start + len])
    }
}

#[cold]
fn hash_long(seed: &Seed, token: &[u8]) -> u64 {
    seed.any.hash_one(token)
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
    let outer = fold(first[0] ^ secret[0] ^ len as u64, last[1] ^ secret[1]);
    let inner = fold(first[1] ^ secret[2], last[0] ^ secret[3]);
    outer ^ inner.rotate_left(32)
}

#[inline(always)]
fn words_of(bytes: [u8; 16]) -> [u64; 2] {
    let both = u128::from_le_bytes(bytes);
    [both as u64, (both >> 64) as u64]
}

/// Both halves of a product, which depend on all bits of its factors.
#[inline(always)]
fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}

/// A set of numbers: 64 at a time as bits, and how many are in the set before these.
#[derive(Debug, Default)]
pub(super) struct Ranks(Vec<(u64, u32)>);

impl Ranks {
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Adds those of the next 64 numbers whose bits are set; `before` is the size of the set so far.
    #[inline(always)]
    pub fn add(&mut self, bits: u64, before: usize) {
        self.0.push((bits, before as u32));
    }

    /// How many numbers of the set are below `number`.
    #[inline(always)]
    fn below(&self, number: usize) -> usize {
        let (bits, before) = self.0[number / 64];
        let lower = bits & !(u64::MAX << (number % 64));
        before as usize + lower.count_ones() as usize
    }
}

/// A tokenized segment, which can be one of several that were read together, in reused buffers.
#[derive(Debug, Default)]
pub struct Tokens {
    pub line: Line,
    /// Characters of the text before it was tokenized, if they count.
    pub characters: usize,
    pub(super) blocks: Vec<Block>,
    pub(super) starts: Vec<u32>,
    pub(super) ends: Vec<u32>,
    /// The places of the line where tokens start.
    pub(super) begun: Ranks,
    pub(super) keys: Vec<Key>,
    pub(super) tags: Vec<Tag>,
    /// The tokens whose keys are hashes.
    hashed: Vec<u32>,
    /// The same, to count those before a token.
    long: Ranks,
    /// Whether tokens with equal tags are equal.
    pub(super) tags_are_exact: bool,
    /// Of the segment, which are the next texts of the line: the number after it, its first token, its
    /// tokens, and those of `hashed` that are its own.
    next: usize,
    pub(super) first: usize,
    pub(super) count: usize,
    pub(super) own: Range<usize>,
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

    /// Size of the buffers, in bytes of text or in ids.
    pub fn capacity(&self) -> usize {
        (64 * self.blocks.capacity()).max(self.keys.capacity())
    }

    /// The number of tokens, if places are reserved after them; else more than any.
    #[inline(always)]
    pub fn masked_len(&self) -> usize {
        if self.first + self.count + AHEAD <= self.keys.len() {
            self.count
        } else {
            usize::MAX
        }
    }

    /// Frees the places that are reserved: 10 kB for each of many short texts.
    #[cold]
    pub fn shrink(&mut self) {
        let count = self.count;
        for spans in [&mut self.starts, &mut self.ends] {
            spans.truncate(count);
            spans.shrink_to_fit();
        }
        self.keys.truncate(count);
        self.keys.shrink_to_fit();
        self.tags.truncate(count);
        self.tags.shrink_to_fit();
        (self.blocks, self.hashed) = (Vec::new(), self.hashed[self.own.clone()].to_vec());
    }

    #[inline]
    pub fn name(&self, i: usize) -> Name<'_> {
        if self.tags_are_exact {
            return (ids::key(self.tags()[i].into()), &[]);
        }
        match self.keys()[i] {
            key @ [_, HASHED] => (key, self.token(i)),
            key => (key, &[]),
        }
    }

    #[inline]
    pub fn token(&self, i: usize) -> &[u8] {
        let i = self.first + i;
        &self.line.text()[self.starts[i] as usize..self.ends[i] as usize]
    }

    #[inline(always)]
    pub fn keys(&self) -> &[Key] {
        &self.keys[self.first..][..self.count]
    }

    #[inline(always)]
    pub fn tags(&self) -> &[Tag] {
        &self.tags[self.first..][..self.count]
    }

    /// Whether tokens with equal tags are equal.
    #[inline(always)]
    pub fn tags_are_exact(&self) -> bool {
        self.tags_are_exact
    }

    /// The tags and keys of the tokens, `W` to a row. There may be any after those of the last token.
    #[expect(clippy::expect_used, reason = "there are so many places")]
    #[inline(always)]
    pub fn rows<const W: usize>(&self) -> (&[[Tag; W]; TAGS], &[[Key; W]; TAGS]) {
        const { assert!(W * TAGS <= AHEAD) };
        let tags = self.tags[self.first..].as_chunks().0.first_chunk();
        let keys = self.keys[self.first..].as_chunks().0.first_chunk();
        tags.zip(keys)
            .expect("places are reserved after the last token")
    }

    /// The tokens whose keys are hashes, which leave bytes to compare.
    #[inline(always)]
    pub fn hashed(&self) -> impl ExactSizeIterator<Item = usize> {
        let own = &self.hashed[self.own.clone()];
        own.iter().map(|&i| i as usize - self.first)
    }

    /// Goes before the first text of the line.
    #[inline(always)]
    pub fn rewind(&mut self) {
        (self.next, self.first, self.count, self.own) = (0, 0, 0, 0..0);
    }

    /// Goes to the next text of the line.
    #[inline(always)]
    pub fn advance(&mut self) {
        let end = self.line.ends()[self.next] as usize;
        self.next += 1;
        self.first += self.count;
        self.count = self.begun.below(end) - self.first;
        self.own = self.own.end..self.long.below(self.first + self.count);
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

    /// Ends the tokens, which are `count`, by eight empty ones, so that keys are made of eight at a time.
    #[inline(always)]
    pub(super) fn end_spans(&mut self, count: usize) {
        (self.first, self.count) = (0, count);
        for spans in [&mut self.starts, &mut self.ends] {
            if let Some(rest) = spans[count..].first_chunk_mut::<8>() {
                rest.fill(0);
            }
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
        let count = self.ends.len();
        self.starts.resize(count + 2 * 64, 0);
        self.ends.resize(count + 2 * 64, 0);
        self.end_spans(count);
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

    /// Reserves keys and tags for all tokens and [`AHEAD`].
    #[inline(always)]
    pub(super) fn reserve_keys(&mut self) {
        let places = self.count + AHEAD;
        if self.tags.len() < places {
            self.tags.resize(places, 0);
            self.keys.resize(places, [0, 0]);
        }
    }

    /// Computes the keys and tags of all tokens, in a function of its own: inlined among everything
    /// else, it is short of registers and takes up to twice as long.
    #[inline(always)]
    pub fn make_keys<I: Isa>(&mut self, isa: I, seed: &Seed) {
        isa.apart(MakeKeys { tokens: self, seed });
    }
}

struct MakeKeys<'a> {
    tokens: &'a mut Tokens,
    seed: &'a Seed,
}

impl Task for MakeKeys<'_> {
    type Output = ();

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) {
        let Self { tokens, seed } = self;
        tokens.reserve_keys();
        let count = tokens.count;
        let text = tokens.line.padded();
        let factor = seed.words[0] | 1;
        let mut lengths = 0;
        let spans = tokens
            .starts
            .as_chunks()
            .0
            .iter()
            .zip(tokens.ends.as_chunks().0);
        let keys = tokens.keys.as_chunks_mut().0.iter_mut();
        let places = keys.zip(tokens.tags.as_chunks_mut().0);
        for ((starts, ends), (keys, tags)) in spans.zip(places).take(count.div_ceil(8)) {
            let eight = Eight { text, starts, ends };
            lengths |= eight.name(&FILL, factor, keys, tags);
        }
        tokens.long.clear();
        let mut hashed = 0;
        if tokens.hashed.len() < count + 64 {
            tokens.hashed.resize(count + 64, 0);
        }
        let spans = tokens.starts.as_chunks().0.iter();
        let spans = spans.zip(tokens.ends.as_chunks().0).enumerate();
        for (i, (starts, ends)) in spans.take(count / 64 + 1) {
            let mut bits = 0;
            if lengths as usize > EXACT {
                let rest = count - 64 * i;
                bits = longer(starts, ends) & !u64::MAX.checked_shl(rest as u32).unwrap_or(0);
            }
            tokens.long.add(bits, hashed);
            if bits != 0 {
                let places = window(&mut tokens.hashed, hashed);
                hashed += isa.bit_positions(bits, 64 * i as u32, places);
            }
        }
        for &i in &tokens.hashed[..hashed] {
            let (start, end) = (tokens.starts[i as usize], tokens.ends[i as usize]);
            let hash = hash(seed, text, start as usize, (end - start) as usize);
            let key = [hash, HASHED];
            tokens.keys[i as usize] = key;
            tokens.tags[i as usize] = simd::tag(key, factor);
        }
        tokens.own = 0..hashed;
        tokens.tags_are_exact = false;
    }
}

/// Room for the 64 places of a block.
#[expect(
    clippy::expect_used,
    reason = "64 places are reserved after each block"
)]
#[inline(always)]
pub(super) fn window(positions: &mut [u32], from: usize) -> &mut [u32; 64] {
    positions[from..]
        .first_chunk_mut()
        .expect("64 places are reserved after each block")
}

/// A bit for each token that is not its own key.
#[inline(always)]
fn longer(starts: &[u32; 64], ends: &[u32; 64]) -> u64 {
    let mut bits = 0;
    for (i, (start, end)) in starts.iter().zip(ends).enumerate() {
        bits |= u64::from(end.wrapping_sub(*start) as usize > EXACT) << i;
    }
    bits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_colliding_seed_collides() {
        let seed = Seed::that_collides(*b"01234567");
        let key = |word: &[u8; 16]| {
            let text = [word.as_slice(), &[b' '; 64]].concat();
            hash(&seed, &text, 0, word.len())
        };
        assert_eq!(key(b"0123456789abcde0"), key(b"0123456789abcde1"));
    }
}
