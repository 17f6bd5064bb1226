//! Clipped matches by position masks, without building or hashing n-grams.
//!
//! For a token of the hypothesis let `m_1` be the positions at which the reference has it, as
//! bits. The n-gram that ends at this token occurs where `m_n = (m_(n-1) of the token before << 1)
//! & m_1`. Occurrences of different n-grams never share a bit, and each occurrence of one n-gram
//! finds the same bits, so clipping is: take one bit that is still free, if there is one.

use super::MASKED;
use super::places::{Find, Finder, Word};
use crate::simd::{FOR_PAGES, Isa, Task};
use crate::tokenize::Tokens;

/// Reused buffers.
#[derive(Debug, Default)]
pub struct MaskBuffers {
    rows: Vec<[Word; 1]>,
    joint: Vec<u64>,
    pub finder: Finder,
}

impl MaskBuffers {
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
            finder: &mut self.finder,
        });
        rows
    }
}

/// Bit `n - 1` of item `i` says whether the n-gram of up to `N` tokens that ends at token `i` of `hyp`
/// matches; see [`taken_from`].
pub struct Taken<'a, const N: usize> {
    pub hyp: &'a Tokens,
    pub refs: &'a [Tokens],
    pub buffers: &'a mut MaskBuffers,
}

impl<const N: usize> Task for Taken<'_, N> {
    type Output = Vec<u8>;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Vec<u8> {
        let Self { hyp, refs, buffers } = self;
        match refs.iter().map(Tokens::len).max().unwrap_or(0) {
            0..=64 => taken_from::<I, 1, N>(isa, hyp, refs, buffers),
            65..=128 => taken_from::<I, 2, N>(isa, hyp, refs, buffers),
            129..=192 if !FOR_PAGES => taken_from::<I, 3, N>(isa, hyp, refs, buffers),
            193..=256 if !FOR_PAGES => taken_from::<I, 4, N>(isa, hyp, refs, buffers),
            _ => taken_from::<I, { MASKED / 64 }, N>(isa, hyp, refs, buffers),
        }
    }
}

/// An n-gram matches if any reference still has it: over the segment, that is the largest count.
#[inline(always)]
fn taken_from<I: Isa, const W: usize, const N: usize>(
    isa: I,
    hyp: &Tokens,
    refs: &[Tokens],
    buffers: &mut MaskBuffers,
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
    buffers: &mut MaskBuffers,
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
        let mut open = [u64::MAX; N]; // becomes zero once a bit is taken: no branch to mispredict
        let after_last = self.ending[W - 1].map(|ends| ends << 1);
        for (w, &[at]) in positions.iter().enumerate().rev() {
            let at = u64::from_le_bytes(at);
            let next = match w.checked_sub(1) {
                Some(before) => self.ending[before],
                None => after_last,
            };
            for (n, open) in open.iter_mut().enumerate() {
                let next = match n.checked_sub(1) {
                    Some(shorter) => next[shorter],
                    None => u64::MAX,
                };
                let ending = next & at;
                self.ending[w][n] = ending;
                let shared = ending & self.free[w][n] & *open;
                self.free[w][n] ^= shared & shared.wrapping_neg();
                *open &= u64::from(shared == 0).wrapping_neg();
            }
        }
        let mut taken = 0;
        for (n, &open) in open.iter().enumerate() {
            taken |= u8::from(open == 0) << n;
        }
        taken
    }
}
