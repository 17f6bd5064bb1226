//! Where a reference has each token of a hypothesis, as bits.
//!
//! Place `p` of the reference is bit `p / W` of word `p % W`: the next place is the same bit of the next
//! word, and only the last word has to be shifted.

use crate::simd::{Isa, Key, TAGS, Tag, Task};
use crate::tokenize::Tokens;

/// Every `W`th of up to `64 * W` places.
pub type Word = [u8; 8];

/// Reused buffers.
#[derive(Debug, Default)]
pub struct Finder {
    index: Index,
    hints: Vec<u32>,
}

/// Puts the places of token `i` of `hyp` into lane `lane` of row `i`.
///
/// Its steps are independent, and those that follow the n-grams are a chain: in one loop they took
/// twice as long. As a function of its own it has more registers, and is there once.
pub struct Find<'a, const W: usize, const L: usize> {
    pub hyp: &'a Tokens,
    pub reference: &'a Tokens,
    pub rows: &'a mut [[[Word; L]; W]],
    pub lane: usize,
    pub finder: &'a mut Finder,
}

impl<const W: usize, const L: usize> Task for Find<'_, W, L> {
    type Output = ();

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) {
        let Self {
            hyp,
            reference,
            rows,
            lane,
            finder,
        } = self;
        let lane = lane % L;
        let words = reference.len().min(W);
        debug_assert!(reference.len() <= W * TAGS);
        let exact = hyp.tags_are_exact() && reference.tags_are_exact();
        if I::INDEXES && Index::suits(W) {
            let index = &mut finder.index;
            let equal = if exact {
                index.find::<W, L, true>(hyp, reference, rows, lane)
            } else {
                index.find::<W, L, false>(hyp, reference, rows, lane)
            };
            if !equal {
                let (_, keys) = reference.rows::<W>();
                for w in 0..words {
                    let words = rows.iter_mut().map(move |row| &mut row[w][lane]);
                    compare_keys(hyp, words, |bit| keys[bit][w]);
                }
            }
        } else {
            let (tags, keys) = reference.rows::<W>();
            let mut stripes = [[0; TAGS]; W];
            let stripes = if W == 1 {
                tags.as_flattened().as_chunks().0
            } else {
                for (bit, tags) in tags.iter().enumerate() {
                    for (stripe, &tag) in stripes.iter_mut().zip(tags) {
                        stripe[bit] = tag;
                    }
                }
                &stripes
            };
            for (w, tags) in (0..W).zip(stripes).take(words) {
                let stripe = Stripe {
                    tags,
                    keys,
                    w,
                    len: (reference.len() - w).div_ceil(W),
                };
                let words = rows.iter_mut().map(move |row| &mut row[w][lane]);
                let equal = match (exact, stripe.len <= TAGS / 2) {
                    (true, _) => stripe.find::<I, 2, true>(isa, hyp, words), // ids are often more than 32
                    (false, true) => stripe.find::<I, 1, false>(isa, hyp, words),
                    (false, false) => stripe.find::<I, 2, false>(isa, hyp, words),
                };
                if !equal {
                    let words = rows.iter_mut().map(move |row| &mut row[w][lane]);
                    compare_keys(hyp, words, |bit| keys[bit][w]);
                }
            }
        }
        // Places of tokens with equal keys but other bytes are removed. The tokens to compare are
        // listed first: a branch for each is hard to predict.
        let hints = &mut finder.hints;
        if hints.len() < hyp.hashed().len() {
            hints.resize(hyp.hashed().len(), 0);
        }
        let mut count = 0;
        for i in hyp.hashed() {
            let any = (0..words).fold(0, |any, w| any | u64::from_le_bytes(rows[i][w][lane]));
            hints[count] = i as u32;
            count += usize::from(any != 0);
        }
        for &i in &hints[..count] {
            for (w, lanes) in rows[i as usize].iter_mut().enumerate().take(words) {
                let word = &mut lanes[lane];
                let same = |bit| hyp.same(i as usize, reference, W * bit + w);
                *word = retain(u64::from_le_bytes(*word), same).to_le_bytes();
            }
        }
    }
}

/// Every `W`th token of a reference, from number `w` on: up to 64.
struct Stripe<'a, const W: usize> {
    tags: &'a [Tag; TAGS],
    keys: &'a [[Key; W]; TAGS],
    w: usize,
    len: usize,
}

impl<const W: usize> Stripe<'_, W> {
    /// Fills the word of each token of `hyp`, and says whether that was all. If `EXACT`, tokens with
    /// equal tags are equal.
    ///
    /// Otherwise equal tags are a hint, and comparing the keys at all of them would be a loop of a few
    /// steps for each token, which is hard to predict. Instead each token is compared with the first
    /// place that has its tag, and each later place of a tag with the first one. If all of these are
    /// equal, so are all others with equal tags.
    #[inline(always)]
    fn find<'w, I: Isa, const HALVES: usize, const EXACT: bool>(
        &self,
        isa: I,
        hyp: &Tokens,
        words: impl Iterator<Item = &'w mut Word>,
    ) -> bool {
        let Self { keys, w, len, .. } = *self;
        let some = u64::MAX >> (TAGS - len);
        let tags = isa.load_tags(self.tags);
        let (mut later, mut differences) = (0, [0; 2]);
        for ((word, &tag), key) in words.zip(hyp.tags()).zip(hyp.keys()) {
            let places = isa.equal_tags::<HALVES>(tags, tag) & some;
            *word = places.to_le_bytes();
            if !EXACT {
                later |= places & places.wrapping_sub(1);
                let first = &keys[places.trailing_zeros() as usize % TAGS][w];
                note(&mut differences, if places == 0 { key } else { first }, key);
            }
        }
        while later != 0 {
            let at = later.trailing_zeros() as usize;
            let first = (isa.equal_tags::<HALVES>(tags, self.tags[at]) & some).trailing_zeros();
            note(&mut differences, &keys[first as usize][w], &keys[at][w]);
            later &= later - 1;
        }
        differences == [0; 2]
    }
}

/// Removes the places at which the key is another.
#[cold]
fn compare_keys<'w>(
    hyp: &Tokens,
    words: impl Iterator<Item = &'w mut Word>,
    key_at: impl Fn(usize) -> Key,
) {
    for (word, key) in words.zip(hyp.keys()) {
        *word = retain(u64::from_le_bytes(*word), |bit| key_at(bit) == *key).to_le_bytes();
    }
}

/// Adds the bits in which two keys differ.
#[inline(always)]
fn note(differences: &mut [u64; 2], one: &Key, other: &Key) {
    for (all, (one, other)) in differences.iter_mut().zip(one.iter().zip(other)) {
        *all |= one ^ other;
    }
}

/// `word` without the bits that `keep` refuses.
#[inline(always)]
fn retain(mut word: u64, keep: impl Fn(usize) -> bool) -> u64 {
    let mut rest = word;
    while rest != 0 {
        if !keep(rest.trailing_zeros() as usize) {
            word ^= rest & rest.wrapping_neg();
        }
        rest &= rest - 1;
    }
    word
}

/// The places of each tag of a reference, by number. Where registers are narrow, this is faster from two
/// words on than comparing each tag with each.
#[derive(Debug, Default)]
struct Index {
    /// The number of each tag, from 1 on. Zero for tags that the reference does not have, and between
    /// two references for all.
    numbers: Vec<u8>,
    /// The first key that has the tag with this number.
    keys: Vec<Key>,
    /// `W` words for each number.
    places: Vec<u64>,
}

impl Index {
    /// Whether a reference of this many words has few enough tags, and so many that an index pays.
    const fn suits(words: usize) -> bool {
        2 <= words && words * TAGS <= u8::MAX as usize
    }

    /// As [`Stripe::find`], for all words.
    #[expect(
        clippy::expect_used,
        reason = "the line before makes room for all tags"
    )]
    #[inline(always)]
    fn find<const W: usize, const L: usize, const EXACT: bool>(
        &mut self,
        hyp: &Tokens,
        reference: &Tokens,
        rows: &mut [[[Word; L]; W]],
        lane: usize,
    ) -> bool {
        self.numbers.resize(1 << Tag::BITS, 0);
        let numbers = self.numbers.first_chunk_mut().expect("room for all tags");
        let size = 1 + reference.len();
        self.places.clear();
        self.places.resize(W * size, 0);
        self.keys.resize(self.keys.len().max(size), [0; 2]);
        let mut filling = Filling::<W, EXACT> {
            numbers,
            keys: &mut self.keys,
            places: self.places.as_chunks_mut().0,
            next: 1,
            differences: [0; 2],
        };
        let (tags, last_tags) = reference.tags().as_chunks::<W>();
        let (keys, last_keys) = reference.keys().as_chunks::<W>();
        for (bit, (tags, keys)) in tags.iter().zip(keys).enumerate() {
            for w in 0..W {
                filling.add(tags[w], keys[w], w, bit);
            }
        }
        for (w, (&tag, &key)) in last_tags.iter().zip(last_keys).enumerate() {
            filling.add(tag, key, w, tags.len());
        }
        let mut differences = filling.differences;
        let places = self.places.as_chunks::<W>().0;
        for ((row, &tag), key) in rows.iter_mut().zip(hyp.tags()).zip(hyp.keys()) {
            let number = usize::from(numbers[usize::from(tag)]);
            for (words, places) in row.iter_mut().zip(&places[number]) {
                words[lane] = places.to_le_bytes();
            }
            if !EXACT {
                let first = &self.keys[number];
                note(&mut differences, if number == 0 { key } else { first }, key);
            }
        }
        for &tag in reference.tags() {
            numbers[usize::from(tag)] = 0;
        }
        differences == [0; 2]
    }
}

/// An [`Index`] to which tokens of a reference are added.
struct Filling<'a, const W: usize, const EXACT: bool> {
    numbers: &'a mut [u8; 1 << Tag::BITS],
    keys: &'a mut [Key],
    places: &'a mut [[u64; W]],
    next: u8,
    differences: [u64; 2],
}

impl<const W: usize, const EXACT: bool> Filling<'_, W, EXACT> {
    #[inline(always)]
    fn add(&mut self, tag: Tag, key: Key, w: usize, bit: usize) {
        let number = &mut self.numbers[usize::from(tag)];
        let is_new = *number == 0;
        *number = if is_new { self.next } else { *number };
        self.next += u8::from(is_new);
        let number = usize::from(*number);
        self.places[number][w] |= 1 << bit;
        if !EXACT {
            let first = &mut self.keys[number];
            *first = if is_new { key } else { *first };
            note(&mut self.differences, first, &key);
        }
    }
}
