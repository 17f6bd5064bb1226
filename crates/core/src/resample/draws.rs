//! Random numbers: our own, each a function of its place alone, and those that `NumPy` draws.

use crate::simd::{Isa, Level, Task, dispatch};

/// 2^64 divided by the golden ratio.
pub const GAMMA: u64 = 0x9e37_79b9_7f4a_7c15;

/// The purpose of random numbers. Each purpose has its own, with any seed.
#[derive(Clone, Copy, Debug)]
pub enum Purpose {
    Picks = 1,
    Coins = 2,
    Counts = 3,
}

/// `SplitMix64` by place (Steele, Lea and Flood 2014, *Fast splittable pseudorandom number
/// generators*): the i-th output is a hash of `start + i * GAMMA`. So every resample can be drawn
/// without those before it, by any thread, and no two share a number.
#[derive(Clone, Copy, Debug)]
pub struct SplitMix {
    start: u64,
}

impl SplitMix {
    pub fn new(seed: u64, purpose: Purpose) -> Self {
        let start = mix(seed.wrapping_add((purpose as u64).wrapping_mul(GAMMA)));
        Self { start }
    }

    /// The number at `place`.
    #[inline(always)]
    pub fn word(self, place: u64) -> u64 {
        mix(self
            .start
            .wrapping_add(place.wrapping_add(1).wrapping_mul(GAMMA)))
    }

    /// Fills `picks` with units below `units`, each as likely as any other, from the numbers at
    /// `place` and after it.
    pub fn picks(self, level: Level, place: u64, units: u32, picks: &mut [u32]) {
        dispatch(level, Pick(self, place, units, picks));
    }
}

/// Fills picks of units with the numbers of a counter from a place on.
struct Pick<'a>(SplitMix, u64, u32, &'a mut [u32]);

impl Task for Pick<'_> {
    type Output = ();

    /// Each number makes two picks. Its halves are multiplied by the number of units and cut to 32
    /// bits, except where that would make some units likelier than others; then they are drawn
    /// again (Lemire 2019, *Fast random integer generation in an interval*).
    #[inline(always)]
    fn run<I: Isa>(self, isa: I) {
        let Self(counter, place, units, picks) = self;
        for (block, picks) in (0..).zip(picks.chunks_mut(2 * WORDS)) {
            let place = place.wrapping_add(block * WORDS as u64);
            let mut words = [0; WORDS];
            for (word, i) in words.iter_mut().zip(0..) {
                *word = counter.word(place.wrapping_add(i));
            }
            if Cut(&words, units, picks).run(isa) {
                continue;
            }
            let threshold = units.wrapping_neg() % units;
            let (low, high) = picks.split_at_mut(picks.len().div_ceil(2));
            for (half, turn) in [(low, 0), (high, 32)] {
                for (pick, word) in half.iter_mut().zip(&words) {
                    *pick = pick_again(word.rotate_right(turn), u64::from(units), threshold);
                }
            }
        }
    }
}

/// Makes two picks of each number, those of the low halves first; true if all are fair.
struct Cut<'a>(&'a [u64; WORDS], u32, &'a mut [u32]);

impl Task for Cut<'_> {
    type Output = bool;

    #[inline(always)]
    fn run<I: Isa>(self, _: I) -> bool {
        let Self(words, units, picks) = self;
        let (threshold, units) = (units.wrapping_neg() % units, u64::from(units));
        let (low, high) = picks.split_at_mut(picks.len().div_ceil(2));
        let mut least = u32::MAX;
        for (pick, word) in low.iter_mut().zip(words) {
            let product = (word & 0xffff_ffff) * units;
            least = least.min(product as u32);
            *pick = (product >> 32) as u32;
        }
        for (pick, word) in high.iter_mut().zip(words) {
            let product = (word >> 32) * units;
            least = least.min(product as u32);
            *pick = (product >> 32) as u32;
        }
        least >= threshold
    }
}

/// Numbers that are made at a time.
pub const WORDS: usize = 64;

#[cold]
fn pick_again(mut word: u64, units: u64, threshold: u32) -> u32 {
    loop {
        let product = u64::from(word as u32) * units;
        if product as u32 >= threshold {
            return (product >> 32) as u32;
        }
        word = mix(word.wrapping_add(GAMMA));
    }
}

/// The finalizer of `SplitMix64`: Stafford's thirteenth variant.
#[inline(always)]
pub fn mix(mut word: u64) -> u64 {
    word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}

const MULTIPLIER: u128 = 0x2360_ed05_1fc6_5da4_4385_df64_9fcc_f645;

/// The output of a state.
#[inline(always)]
fn fold(state: u128) -> u64 {
    let folded = (state >> 64) as u64 ^ state as u64;
    folded.rotate_right((state >> 122) as u32)
}

/// `numpy.random.PCG64`, which sacreBLEU draws from (O'Neill 2014, PCG XSL RR 128/64).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pcg64 {
    state: u128,
    increment: u128,
    /// Factor and summand of four steps.
    leap: (u128, u128),
    /// The high half of a number whose low half was returned.
    half: Option<u32>,
}

impl Pcg64 {
    pub fn new(state: u128, increment: u128) -> Self {
        let twice = (
            MULTIPLIER.wrapping_mul(MULTIPLIER),
            increment.wrapping_mul(MULTIPLIER.wrapping_add(1)),
        );
        let leap = (
            twice.0.wrapping_mul(twice.0),
            twice.1.wrapping_mul(twice.0.wrapping_add(1)),
        );
        Self {
            state,
            increment,
            leap,
            half: None,
        }
    }

    /// The generator after this many picks of `units`, none of which was drawn again.
    #[must_use]
    pub fn skipped(&self, mut picks: u64, units: u32) -> Self {
        let mut skipped = self.clone();
        if units == 1 || picks == 0 {
            return skipped;
        }
        picks -= u64::from(skipped.half.take().is_some());
        let (mut factor, mut summand) = (MULTIPLIER, self.increment);
        let mut words = picks / 2;
        while words > 0 {
            if words % 2 == 1 {
                skipped.state = skipped.state.wrapping_mul(factor).wrapping_add(summand);
            }
            summand = summand.wrapping_mul(factor.wrapping_add(1));
            factor = factor.wrapping_mul(factor);
            words /= 2;
        }
        if picks % 2 == 1 {
            skipped.next_u32();
        }
        skipped
    }

    fn step(&mut self) {
        let product = self.state.wrapping_mul(MULTIPLIER);
        self.state = product.wrapping_add(self.increment);
    }

    #[inline]
    fn next_u32(&mut self) -> u32 {
        if let Some(half) = self.half.take() {
            return half;
        }
        self.step();
        let word = fold(self.state);
        self.half = Some((word >> 32) as u32);
        word as u32
    }

    /// The next numbers, by four chains that need not wait for each other: each leaps over four.
    fn next_words(&mut self) -> [u64; WORDS] {
        let mut words = [0; WORDS];
        let mut states = [0; 4];
        for state in &mut states {
            self.step();
            *state = self.state;
        }
        for four in words.as_chunks_mut::<4>().0 {
            self.state = states[3];
            for (word, state) in four.iter_mut().zip(&mut states) {
                *word = fold(*state);
                *state = state.wrapping_mul(self.leap.0).wrapping_add(self.leap.1);
            }
        }
        words
    }

    /// As `Generator.choice(units, size=len(picks))`, replacing what was drawn; but for the order.
    pub fn picks(&mut self, level: Level, units: u32, picks: &mut [u32]) {
        if units == 1 {
            return picks.fill(0);
        }
        let mut rest = picks;
        while !rest.is_empty() {
            let count = match self.half {
                Some(_) => 1,
                None => rest.len().min(2 * WORDS),
            };
            let (block, after) = rest.split_at_mut(count);
            if count < 2 * WORDS || !self.pick_block(level, units, block) {
                self.pick_in_order(units, block);
            }
            rest = after;
        }
    }

    /// Fills a block unless one of its picks must be drawn again.
    fn pick_block(&mut self, level: Level, units: u32, picks: &mut [u32]) -> bool {
        let before = self.state;
        let words = &self.next_words();
        let fair = dispatch(level, Cut(words, units, picks));
        if !fair {
            self.state = before;
        }
        fair
    }

    fn pick_in_order(&mut self, units: u32, picks: &mut [u32]) {
        let threshold = units.wrapping_neg() % units;
        for pick in picks {
            *pick = loop {
                let product = u64::from(self.next_u32()) * u64::from(units);
                if product as u32 >= threshold {
                    break (product >> 32) as u32;
                }
            };
        }
    }

    /// As `Generator.integers(2, size=resamples * units, dtype=bool)`.
    pub fn coins(&mut self, resamples: usize, units: usize) -> Coins {
        let words = (resamples * units).div_ceil(32);
        let mut bits = Vec::with_capacity(words / 2 + 2);
        for _ in 0..words / 2 {
            let low = u64::from(self.next_u32());
            bits.push(low | u64::from(self.next_u32()) << 32);
        }
        if words % 2 == 1 {
            bits.push(u64::from(self.next_u32()));
        }
        bits.push(0);
        bits.push(0);
        Coins { bits, units }
    }
}

/// Coins of consecutive resamples, one after the other without a gap.
pub struct Coins {
    bits: Vec<u64>,
    units: usize,
}

impl Coins {
    /// Coins of a resample from unit 64 * `word` on; those beyond the last unit are not used.
    #[inline(always)]
    pub fn word(&self, resample: usize, word: usize) -> u64 {
        let bit = resample * self.units + 64 * word;
        let (at, shift) = (bit / 64, bit % 64);
        let high = self.bits.get(at + 1).copied().unwrap_or_default();
        self.bits[at] >> shift | (high << 1) << (63 - shift)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_unit_is_as_likely() {
        // If numbers were only cut to 32 bits, every third unit would be twice as likely.
        const UNITS: u32 = 3 << 30;
        let counter = SplitMix::new(7, Purpose::Picks);
        for level in Level::available() {
            let mut picks = vec![0; 30_001];
            counter.picks(level, 0, UNITS, &mut picks);
            assert!(picks.iter().all(|&pick| pick < UNITS));
            let thirds = picks.iter().filter(|&&pick| pick % 3 == 0).count();
            assert!((9_600..10_400).contains(&thirds), "{thirds}"); // 5 standard deviations
        }
    }

    #[test]
    fn blocks_are_what_is_picked_in_order() {
        // In a third of the blocks, a pick is drawn again.
        const UNITS: u32 = 20_000_000;
        for level in Level::available() {
            let mut ours = Pcg64::new(1 << 90 | 5, 1 << 70 | 1);
            let mut one_by_one = ours.clone();
            let mut blocks = vec![0; 40 * 2 * WORDS + 3];
            let mut in_order = blocks.clone();
            ours.picks(level, UNITS, &mut blocks);
            one_by_one.pick_in_order(UNITS, &mut in_order);
            blocks.sort_unstable();
            in_order.sort_unstable();
            assert_eq!(blocks, in_order);
            assert_eq!(ours, one_by_one);
        }
    }

    #[test]
    fn skipped_picks_are_those_that_would_have_been_drawn() {
        // No pick of a power of two is drawn again.
        for before in [0, 1] {
            let mut start = Pcg64::new(1 << 90 | 5, 1 << 70 | 1);
            start.pick_in_order(1 << 20, &mut vec![0; before]);
            for picks in 0..9 {
                let mut drawn = start.clone();
                drawn.pick_in_order(1 << 20, &mut vec![0; picks]);
                assert_eq!(start.skipped(picks as u64, 1 << 20), drawn);
            }
        }
    }
}
