//! Several segments at once.
//!
//! The position masks of one segment are a chain of short, dependent steps. Eight segments are eight
//! chains, one in each lane of wide registers: a token then takes 0.6 ns instead of 2.4. With narrow
//! registers four are better: they wait less for the longest, and need half the cache.

use super::places::{Find, Finder, Word};
use crate::simd::{Isa, Task};
use crate::tokenize::Tokens;

/// Segments that are counted together.
const MANY: usize = 8;
const FEW: usize = 4;

/// Places of a token in each lane.
type Row<const W: usize, const L: usize> = [[Word; L]; W];

/// Position masks of several segments, each against one reference of up to `64 * W` tokens.
#[derive(Debug, Default)]
pub struct Lanes<const W: usize> {
    /// A [`Row`] for each token of the hypotheses. After the last token of a lane come zeros, which have
    /// no effect.
    places: Vec<Word>,
    tokens: usize,
    /// The number of each lane's segment.
    segments: [usize; MANY],
    used: usize,
}

impl<const W: usize> Lanes<W> {
    /// Puts a segment into a free lane, and says whether it was the last one.
    #[inline(always)]
    pub fn set<I: Isa>(
        &mut self,
        isa: I,
        hyp: &Tokens,
        reference: &Tokens,
        segment: usize,
        finder: &mut Finder,
    ) -> bool {
        if I::NUMBERS > FEW {
            self.set_of::<I, MANY>(isa, hyp, reference, finder);
        } else {
            self.set_of::<I, FEW>(isa, hyp, reference, finder);
        }
        self.tokens = self.tokens.max(hyp.len());
        self.segments[self.used] = segment;
        self.used += 1;
        self.used == I::NUMBERS.max(FEW)
    }

    #[inline(always)]
    fn set_of<I: Isa, const L: usize>(
        &mut self,
        isa: I,
        hyp: &Tokens,
        reference: &Tokens,
        finder: &mut Finder,
    ) {
        let places = W * L * hyp.len();
        if self.places.len() < places {
            self.places.resize(places, [0; 8]);
        }
        isa.apart(Find::<W, L> {
            hyp,
            reference,
            rows: self.places.as_chunks_mut().0.as_chunks_mut().0,
            lane: self.used,
            finder,
        });
    }

    /// Calls `write` with each segment and its matches of orders 1 to N, and empties all lanes.
    #[inline(always)]
    pub fn finish<I: Isa, const N: usize>(&mut self, isa: I, write: impl FnMut(usize, [u32; N])) {
        if self.used == 0 {
            return;
        }
        if I::NUMBERS > FEW {
            self.finish_of::<I, MANY, N>(isa, write);
        } else {
            self.finish_of::<I, FEW, N>(isa, write);
        }
        self.tokens = 0;
        self.used = 0;
    }

    #[inline(always)]
    fn finish_of<I: Isa, const L: usize, const N: usize>(
        &mut self,
        isa: I,
        mut write: impl FnMut(usize, [u32; N]),
    ) {
        let places = &mut self.places[..W * L * self.tokens];
        let free = isa.apart(Follow::<W, L, N>(places.as_chunks().0.as_chunks().0));
        for (lane, &segment) in self.segments[..self.used].iter().enumerate() {
            let taken = |words: [[u64; L]; W]| {
                let taken = words.map(|word| word[lane].count_zeros());
                taken.iter().sum()
            };
            write(segment, free.map(taken));
        }
        places.fill([0; 8]);
    }
}

/// Ends of n-grams that no n-gram of the hypothesis has taken; see `Progress` in [`super::masks`].
struct Follow<'a, const W: usize, const L: usize, const N: usize>(&'a [Row<W, L>]);

impl<const W: usize, const L: usize, const N: usize> Task for Follow<'_, W, L, N> {
    type Output = [[[u64; L]; W]; N];

    /// As many lanes as fit a register at a time, so that all that changes stays in registers.
    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Self::Output {
        let mut result = [[[0; L]; W]; N];
        let none = isa.load_numbers(&[[0; 8]; MANY]);
        let all = isa.load_numbers(&[[0xFF; 8]; MANY]);
        for first in (0..L).step_by(I::NUMBERS) {
            let mut ending = [[none; W]; N];
            let mut free = [[all; W]; N];
            for row in self.0 {
                for n in (0..N).rev() {
                    let mut open = all;
                    for w in (0..W).rev() {
                        let at = isa.load_numbers(&row[w][first..]);
                        let ends = match (n.checked_sub(1), w.checked_sub(1)) {
                            (None, _) => at,
                            (Some(shorter), None) => {
                                isa.both(isa.shift(ending[shorter][W - 1]), at)
                            }
                            (Some(shorter), Some(before)) => isa.both(ending[shorter][before], at),
                        };
                        ending[n][w] = ends;
                        let ends = if w + 1 == W {
                            ends
                        } else {
                            isa.both(ends, open)
                        };
                        let taken = isa.lowest_shared(ends, free[n][w]);
                        free[n][w] = isa.either_one(free[n][w], taken);
                        if w > 0 {
                            open = isa.both(open, isa.is_zero(taken));
                        }
                    }
                }
            }
            for n in 0..N {
                for w in 0..W {
                    isa.store_numbers(free[n][w], &mut result[n][w][first..]);
                }
            }
        }
        result
    }
}
