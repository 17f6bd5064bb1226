//! Clipped matches by position masks, without building or hashing n-grams.
//!
//! For a token of the hypothesis let `m_1` be the positions at which the reference has it, as
//! bits. The n-gram that ends at this token occurs where `m_n = (m_(n-1) of the token before << 1)
//! & m_1`. Occurrences of different n-grams never share a bit, and each occurrence of one n-gram
//! finds the same bits, so clipping is: take one bit that is still free, if there is one.

use super::MASKED;
use crate::simd::{Isa, Key, TAGS, Tag, Task};
use crate::tokenize::Tokens;

/// Positions in 64 tokens, as bits.
pub type Word = [u8; 8];

/// Reused buffers.
#[derive(Debug, Default)]
pub struct Buffers {
    rows: Vec<[Word; 1]>,
    joint: Vec<u64>,
    hints: Vec<u32>,
}

impl Buffers {
    /// The positions of each token of `hyp` in `reference`, which has up to `64 * W` tokens.
    #[inline(always)]
    fn find<I: Isa, const W: usize>(
        &mut self,
        isa: I,
        hyp: &Tokens,
        reference: &Tokens,
    ) -> &[[[Word; 1]; W]] {
        self.rows.clear();
        self.rows.resize(W * hyp.len(), [[0; 8]]);
        let rows = self.rows.as_chunks_mut().0;
        isa.apart(Find {
            hyp,
            reference,
            rows: &mut *rows,
            lane: 0,
            hints: &mut self.hints,
        });
        rows
    }
}

/// Matches of orders 1 to N, clipped by the largest count in one reference.
pub struct Matches<'a, const N: usize> {
    pub hyp: &'a Tokens,
    pub refs: &'a [Tokens],
    pub buffers: &'a mut Buffers,
}

impl<const N: usize> Task for Matches<'_, N> {
    type Output = [u32; N];

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> [u32; N] {
        let Self { hyp, refs, buffers } = self;
        match longest(refs) {
            0..=64 => against::<I, 1, N>(isa, hyp, refs, buffers),
            65..=128 => against::<I, 2, N>(isa, hyp, refs, buffers),
            129..=192 => against::<I, 3, N>(isa, hyp, refs, buffers),
            193..=256 => against::<I, 4, N>(isa, hyp, refs, buffers),
            _ => against::<I, { MASKED / 64 }, N>(isa, hyp, refs, buffers),
        }
    }
}

#[inline(always)]
fn against<I: Isa, const W: usize, const N: usize>(
    isa: I,
    hyp: &Tokens,
    refs: &[Tokens],
    buffers: &mut Buffers,
) -> [u32; N] {
    if let [only] = refs {
        let mut progress = Progress::<W, N>::NEW;
        for row in buffers.find(isa, hyp, only) {
            progress.step(row);
        }
        return progress.taken();
    }
    let mut matches = [0; N];
    for taken in taken_from::<I, W, N>(isa, hyp, refs, buffers) {
        for (n, count) in matches.iter_mut().enumerate() {
            *count += u32::from(taken >> n & 1);
        }
    }
    matches
}

/// Bit `n - 1` of item `i` says whether the n-gram that ends at token `i` matches. It does if any
/// reference still has it: over the segment, that is the largest count.
#[inline(always)]
fn taken_from<I: Isa, const W: usize, const N: usize>(
    isa: I,
    hyp: &Tokens,
    refs: &[Tokens],
    buffers: &mut Buffers,
) -> Vec<u8> {
    let mut taken = vec![0_u8; hyp.len()];
    if W == 1 {
        let mut rest = refs;
        while !rest.is_empty() {
            rest = take_from_word::<I, N>(isa, hyp, rest, buffers, &mut taken);
        }
        return taken;
    }
    for reference in refs {
        let mut progress = Progress::<W, N>::NEW;
        for (row, taken) in buffers.find(isa, hyp, reference).iter().zip(&mut taken) {
            *taken |= progress.step(row);
        }
    }
    taken
}

/// The same for as many of the first references as fit one word, with a bit that stays zero after each;
/// adds to `taken`, and returns the other references.
#[inline(always)]
fn take_from_word<'a, I: Isa, const N: usize>(
    isa: I,
    hyp: &Tokens,
    refs: &'a [Tokens],
    buffers: &mut Buffers,
    taken: &mut [u8],
) -> &'a [Tokens] {
    let mut joint = std::mem::take(&mut buffers.joint);
    joint.clear();
    joint.resize(hyp.len(), 0);
    let (mut firsts, mut fences, mut end, mut rest) = (0, 0, 0, refs);
    while let [reference, others @ ..] = rest
        && (end == 0 || end + reference.len() < 64)
    {
        for (joint, [[at]]) in joint
            .iter_mut()
            .zip(buffers.find::<I, 1>(isa, hyp, reference))
        {
            *joint |= u64::from_le_bytes(*at) << end;
        }
        firsts |= 1_u64 << end;
        end += reference.len();
        fences |= 1_u64.checked_shl(end as u32).unwrap_or(0);
        (end, rest) = (end + 1, others);
    }
    let (mut ending, mut free) = ([0; N], [u64::MAX; N]);
    for (&at, taken) in joint.iter().zip(taken) {
        for n in (0..N).rev() {
            ending[n] = if n == 0 { at } else { ending[n - 1] << 1 & at };
            let shared = ending[n] & free[n];
            // The lowest bit of each reference: what it borrows comes from its fence.
            let lowest = shared & !(shared | fences).wrapping_sub(firsts);
            free[n] ^= lowest;
            *taken |= u8::from(lowest != 0) << n;
        }
    }
    buffers.joint = joint;
    rest
}

/// Which tokens of the hypothesis end an n-gram that matches; see [`taken_from`].
pub struct Taken<'a, const N: usize>(pub Matches<'a, N>);

impl<const N: usize> Task for Taken<'_, N> {
    type Output = Vec<u8>;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Vec<u8> {
        let Matches { hyp, refs, buffers } = self.0;
        match longest(refs) {
            0..=64 => taken_from::<I, 1, N>(isa, hyp, refs, buffers),
            65..=128 => taken_from::<I, 2, N>(isa, hyp, refs, buffers),
            129..=192 => taken_from::<I, 3, N>(isa, hyp, refs, buffers),
            193..=256 => taken_from::<I, 4, N>(isa, hyp, refs, buffers),
            _ => taken_from::<I, { MASKED / 64 }, N>(isa, hyp, refs, buffers),
        }
    }
}

/// How often the n-grams of orders 1 to N that end at each token count, if they are not clipped: each
/// occurrence once if a reference has it (`is_simple`), or the first one as often as a reference has
/// it. References have up to 64 tokens.
pub struct Unclipped<'a, const N: usize> {
    pub matches: Matches<'a, N>,
    pub is_simple: bool,
}

impl<const N: usize> Task for Unclipped<'_, N> {
    type Output = Vec<[u8; N]>;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Self::Output {
        let Matches { hyp, refs, buffers } = self.matches;
        let mut most = vec![[0; N]; hyp.len()];
        for reference in refs {
            let (mut ending, mut free) = ([0_u64; N], [u64::MAX; N]);
            let rows = buffers.find::<I, 1>(isa, hyp, reference);
            for ([[at]], most) in rows.iter().zip(&mut most) {
                let at = u64::from_le_bytes(*at);
                for n in (0..N).rev() {
                    ending[n] = if n == 0 { at } else { ending[n - 1] << 1 & at };
                    let count = if self.is_simple {
                        u32::from(ending[n] != 0)
                    } else {
                        (ending[n] & free[n]).count_ones()
                    };
                    free[n] &= !ending[n];
                    most[n] = most[n].max(count as u8);
                }
            }
        }
        most
    }
}

fn longest(refs: &[Tokens]) -> usize {
    refs.iter().map(Tokens::len).max().unwrap_or(0)
}

/// Finds where `reference` has each token of `hyp`: word `w` of row `i` becomes, in lane `lane`, the
/// positions of token `i` among the tokens from `64 * w` on. `hints` is a buffer.
///
/// Its steps are independent, and those of [`Progress`] are a chain: in one loop they took twice as
/// long. As a function of its own it has more registers, and is there once.
pub struct Find<'a, const W: usize, const L: usize> {
    pub hyp: &'a Tokens,
    pub reference: &'a Tokens,
    pub rows: &'a mut [[[Word; L]; W]],
    pub lane: usize,
    pub hints: &'a mut Vec<u32>,
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
            hints,
        } = self;
        let lane = lane % L;
        let words = reference.len().div_ceil(TAGS);
        assert!(words <= W);
        let exact = hyp.tags_are_exact() && reference.tags_are_exact();
        let mut rest = reference.len();
        for (w, (tags, keys)) in (0..W).zip(reference.blocks()) {
            let len = rest.min(TAGS);
            let block = Block { tags, keys, len };
            let words = rows.iter_mut().map(|row| &mut row[w][lane]);
            let equal = match (exact, len <= TAGS / 2) {
                (true, _) => block.find::<I, 2, true>(isa, hyp, words), // ids are often more than 32
                (false, true) => block.find::<I, 1, false>(isa, hyp, words),
                (false, false) => block.find::<I, 2, false>(isa, hyp, words),
            };
            if !equal {
                block.compare_keys(hyp, rows.iter_mut().map(|row| &mut row[w][lane]));
            }
            rest -= len;
        }
        // Positions of tokens with equal keys but other bytes are removed. The tokens to compare are
        // listed first: a branch for each is hard to predict.
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
                let same = |bit: u32| hyp.same(i as usize, reference, TAGS * w + bit as usize);
                *word = retain(u64::from_le_bytes(*word), same).to_le_bytes();
            }
        }
    }
}

/// Up to 64 tokens of a reference.
#[derive(Clone, Copy)]
struct Block<'a> {
    tags: &'a [Tag; TAGS],
    keys: &'a [Key; TAGS + 1],
    len: usize,
}

impl Block<'_> {
    /// Fills the word of each token of `hyp`, and says whether that was all. If `EXACT`, tokens with
    /// equal tags are equal.
    ///
    /// Otherwise equal tags are a hint, and comparing the keys at all of them would be a loop of a few
    /// steps for each token, which is hard to predict. Instead each token is compared with the first
    /// place that has its tag, and each later place of a tag with the first one. If all of these are
    /// equal, so are all others with equal tags. The first place is number 64 where there is none.
    #[inline(always)]
    fn find<'w, I: Isa, const HALVES: usize, const EXACT: bool>(
        self,
        isa: I,
        hyp: &Tokens,
        words: impl Iterator<Item = &'w mut Word>,
    ) -> bool {
        let some = u64::MAX >> (TAGS - self.len);
        let tags = isa.load_tags(self.tags);
        let (mut later, mut differences) = (0, [0; 2]);
        for ((word, &tag), key) in words.zip(hyp.tags()).zip(hyp.keys()) {
            let places = isa.equal_tags::<HALVES>(tags, tag) & some;
            *word = places.to_le_bytes();
            if !EXACT {
                later |= places & places.wrapping_sub(1);
                let first = &self.keys[places.trailing_zeros() as usize];
                note(&mut differences, if places == 0 { key } else { first }, key);
            }
        }
        while later != 0 {
            let at = later.trailing_zeros() as usize;
            let first = (isa.equal_tags::<HALVES>(tags, self.tags[at]) & some).trailing_zeros();
            note(&mut differences, &self.keys[first as usize], &self.keys[at]);
            later &= later - 1;
        }
        differences == [0; 2]
    }

    /// Removes the places at which the key is another.
    #[cold]
    fn compare_keys<'w>(self, hyp: &Tokens, words: impl Iterator<Item = &'w mut Word>) {
        for (word, key) in words.zip(hyp.keys()) {
            let same = |at: u32| self.keys[at as usize] == *key;
            *word = retain(u64::from_le_bytes(*word), same).to_le_bytes();
        }
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
fn retain(mut word: u64, keep: impl Fn(u32) -> bool) -> u64 {
    let mut rest = word;
    while rest != 0 {
        if !keep(rest.trailing_zeros()) {
            word ^= rest & rest.wrapping_neg();
        }
        rest &= rest - 1;
    }
    word
}

/// The matches of one reference of up to `64 * W` tokens while the hypothesis is read. The orders of
/// each word are adjacent, so that the compiler makes vectors of them: half the time of one wide
/// integer for each order.
struct Progress<const W: usize, const N: usize> {
    /// Where the n-grams that end at the last token end in the reference.
    ending: [[u64; N]; W],
    /// Ends of n-grams that no n-gram of the hypothesis has taken.
    free: [[u64; N]; W],
}

impl<const W: usize, const N: usize> Progress<W, N> {
    const NEW: Self = Self {
        ending: [[0; N]; W],
        free: [[u64::MAX; N]; W],
    };

    /// Reads one token, which the reference has at `positions`; bit `n - 1` of the result says
    /// whether an n-gram was taken.
    #[inline(always)]
    fn step(&mut self, positions: &[[Word; 1]; W]) -> u8 {
        let mut carry = [0; N];
        let mut open = [u64::MAX; N]; // becomes zero once a bit is taken: no branch to mispredict
        for (w, &[at]) in positions.iter().enumerate() {
            let at = u64::from_le_bytes(at);
            let last = self.ending[w];
            for (n, open) in open.iter_mut().enumerate() {
                let before = match n.checked_sub(1) {
                    Some(shorter) => last[shorter] << 1 | carry[shorter],
                    None => u64::MAX,
                };
                let ending = before & at;
                self.ending[w][n] = ending;
                let shared = ending & self.free[w][n] & *open;
                self.free[w][n] ^= shared & shared.wrapping_neg();
                *open &= u64::from(shared == 0).wrapping_neg();
            }
            carry = last.map(|ends| ends >> 63);
        }
        let mut taken = 0;
        for (n, &open) in open.iter().enumerate() {
            taken |= u8::from(open == 0) << n;
        }
        taken
    }

    fn taken(&self) -> [u32; N] {
        std::array::from_fn(|n| self.free.iter().map(|word| word[n].count_zeros()).sum())
    }
}
