//! Clipped matches by position masks, without building or hashing n-grams.
//!
//! For a token of the hypothesis let `m_1` be the positions at which the reference has it, as
//! bits. The n-gram that ends at this token occurs where `m_n = (m_(n-1) of the token before << 1)
//! & m_1`. Occurrences of different n-grams never share a bit, and each occurrence of one n-gram
//! finds the same bits, so clipping is: take one bit that is still free, if there is one.

use super::MASKED;
use crate::simd::{Isa, Task};
use crate::tokenize::Tokens;

/// Reused buffers.
#[derive(Debug, Default)]
pub struct Buffers {
    rows: Vec<[u8; 8]>,
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
    ) -> &[[[u8; 8]; W]] {
        self.rows.clear();
        self.rows.resize(W * hyp.len().next_multiple_of(8), [0; 8]);
        let rows = self.rows.as_chunks_mut().0;
        find_all(isa, hyp, reference, rows, 0, &mut self.hints);
        &rows[..hyp.len()]
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
    for reference in refs {
        let mut progress = Progress::<W, N>::NEW;
        for (row, taken) in buffers.find(isa, hyp, reference).iter().zip(&mut taken) {
            *taken |= progress.step(row);
        }
    }
    taken
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
            for ([row], most) in rows.iter().zip(&mut most) {
                let at = u64::from_le_bytes(*row);
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

/// Where `reference` has each token of `hyp`: row `i` gets, from word `first` on, the positions of
/// token `i`. The rows are zeros before, and eight for each block of keys; `hints` is a buffer.
///
/// Its steps are independent, and those of [`Progress`] are a chain: in one loop they took twice as
/// long.
#[inline(always)]
pub fn find_all<I: Isa, const W: usize>(
    isa: I,
    hyp: &Tokens,
    reference: &Tokens,
    rows: &mut [[[u8; 8]; W]],
    first: usize,
    hints: &mut Vec<u32>,
) {
    if let (Some(ids), Some(blocks)) = (hyp.ids(), reference.id_blocks()) {
        for (w, block) in blocks.iter().enumerate() {
            isa.equal_ids(ids, block, rows, first + w);
        }
        return;
    }
    // One block of the reference at a time stays in registers, and a token of the hypothesis takes
    // three steps: half the time of all blocks for each token.
    for (b, block) in reference.key_blocks().iter().enumerate() {
        isa.equal_keys(hyp.key_blocks(), block, rows, first + b / 8, b % 8);
    }
    // Positions of tokens with equal keys but other bytes are removed. The tokens to compare are
    // listed first: a branch for each is hard to predict.
    let words = first..first + reference.len().div_ceil(64);
    if hints.len() < hyp.hashed().len() {
        hints.resize(hyp.hashed().len(), 0);
    }
    let mut count = 0;
    for &i in hyp.hashed() {
        let row = &rows[i as usize][words.clone()];
        let any = row
            .iter()
            .fold(0, |any, &word| any | u64::from_le_bytes(word));
        hints[count] = i;
        count += usize::from(any != 0);
    }
    for &i in &hints[..count] {
        let row = &mut rows[i as usize][words.clone()];
        for (w, word) in row.iter_mut().enumerate() {
            let same = |bit: u32| hyp.same(i as usize, reference, 64 * w + bit as usize);
            *word = retain(u64::from_le_bytes(*word), same).to_le_bytes();
        }
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
    fn step(&mut self, positions: &[[u8; 8]; W]) -> u8 {
        let mut carry = [0; N];
        let mut open = [u64::MAX; N]; // becomes zero once a bit is taken: no branch to mispredict
        for (w, &at) in positions.iter().enumerate() {
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
