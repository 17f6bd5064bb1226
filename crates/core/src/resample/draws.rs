//! Random numbers: our own, each a function of its place alone, and those that `NumPy` draws.

use std::ops::Range;

/// 2^64 divided by the golden ratio.
const GAMMA: u64 = 0x9e37_79b9_7f4a_7c15;

/// What random numbers are for. Each purpose has its own, whatever the seed is.
#[derive(Clone, Copy, Debug)]
pub enum Purpose {
    Picks = 1,
    Coins = 2,
}

/// `SplitMix64` by place (Steele, Lea and Flood 2014, *Fast splittable pseudorandom number
/// generators*): the i-th output is a hash of `start + i * GAMMA`. So every resample can be drawn
/// without those before it, by any thread, and no two share a number.
#[derive(Clone, Copy, Debug)]
pub struct Counter {
    start: u64,
}

impl Counter {
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

    /// Fills `picks` with those of a resample: units below `units`, each as likely as any other.
    #[inline(always)]
    pub fn picks(self, resample: u64, units: u32, picks: &mut [u32]) {
        let threshold = units.wrapping_neg() % units;
        let words = picks.len().div_ceil(2) as u64;
        let mut place = resample.wrapping_mul(words);
        for block in picks.chunks_mut(PICKS) {
            let mut rejected = false;
            for (pair, place) in block.chunks_mut(2).zip(place..) {
                let word = self.word(place);
                for (pick, bits) in pair.iter_mut().zip([word as u32, (word >> 32) as u32]) {
                    let product = u64::from(bits) * u64::from(units);
                    rejected |= (product as u32) < threshold;
                    *pick = (product >> 32) as u32;
                }
            }
            if rejected {
                self.pick_with_care(place, units, threshold, block);
            }
            place = place.wrapping_add(PICKS as u64 / 2);
        }
    }

    /// The same where a number must be drawn again, so that none is likelier than another
    /// (Lemire 2019, *Fast random integer generation in an interval*).
    #[cold]
    fn pick_with_care(self, place: u64, units: u32, threshold: u32, picks: &mut [u32]) {
        for (pair, place) in picks.chunks_mut(2).zip(place..) {
            let word = self.word(place);
            for (pick, mut word) in pair.iter_mut().zip([word, word.rotate_left(32)]) {
                *pick = loop {
                    let product = u64::from(word as u32) * u64::from(units);
                    if product as u32 >= threshold {
                        break (product >> 32) as u32;
                    }
                    word = mix(word.wrapping_add(GAMMA));
                };
            }
        }
    }
}

/// Picks between two looks at whether one must be drawn again; an even number.
const PICKS: usize = 128;

/// The finalizer of `SplitMix64`: Stafford's thirteenth variant.
#[inline(always)]
fn mix(mut word: u64) -> u64 {
    word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}

/// `numpy.random.PCG64`, which sacreBLEU draws from (O'Neill 2014, PCG XSL RR 128/64).
#[derive(Clone, Debug)]
pub struct Pcg64 {
    state: u128,
    increment: u128,
    /// The high half of a number whose low half was asked for.
    half: Option<u32>,
}

impl Pcg64 {
    pub fn new(state: u128, increment: u128) -> Self {
        Self {
            state,
            increment,
            half: None,
        }
    }

    fn next_u64(&mut self) -> u64 {
        const MULTIPLIER: u128 = 0x2360_ed05_1fc6_5da4_4385_df64_9fcc_f645;
        self.state = self
            .state
            .wrapping_mul(MULTIPLIER)
            .wrapping_add(self.increment);
        let folded = (self.state >> 64) as u64 ^ self.state as u64;
        folded.rotate_right((self.state >> 122) as u32)
    }

    #[inline]
    fn next_u32(&mut self) -> u32 {
        if let Some(half) = self.half.take() {
            return half;
        }
        let word = self.next_u64();
        self.half = Some((word >> 32) as u32);
        word as u32
    }

    /// As `Generator.choice(units, size=len(picks))`, replacing what was drawn.
    pub fn picks(&mut self, units: u32, picks: &mut [u32]) {
        if units == 1 {
            return picks.fill(0);
        }
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

/// Coins of consecutive resamples, one behind the other without a gap.
pub struct Coins {
    bits: Vec<u64>,
    units: usize,
}

impl Coins {
    /// Coins of a resample from unit 64 * `word` on; those beyond the last unit mean nothing.
    #[inline(always)]
    pub fn word(&self, resample: usize, word: usize) -> u64 {
        let bit = resample * self.units + 64 * word;
        let (at, shift) = (bit / 64, bit % 64);
        let high = self.bits.get(at + 1).copied().unwrap_or_default();
        self.bits[at] >> shift | (high << 1) << (63 - shift)
    }
}

/// Splits resamples among threads, as even as they go.
pub fn shares(resamples: Range<u64>, threads: usize) -> impl Iterator<Item = Range<u64>> {
    let each = (resamples.end - resamples.start)
        .div_ceil(threads as u64)
        .max(1);
    resamples
        .clone()
        .step_by(each as usize)
        .map(move |start| start..resamples.end.min(start.saturating_add(each)))
}
