//! Draws how often a resample takes each unit, without a pick for each: a multinomial draw.
//!
//! Independent Poisson numbers, given their sum, are a multinomial draw. So most picks come as one
//! small number for each unit, from 16 random bits, and the missing ones are picked one by one. A sum
//! that is too large is drawn again, which does not change the distribution.

use super::draws::{GAMMA, Purpose, SplitMix, WORDS, mix};
use crate::simd::{FOR_PAGES, Isa, Level, Task, dispatch};

/// Fewest units drawn this way: the sum is low by three standard deviations on average, so
/// that one resample in 700 is drawn again, and of few units that is too large a share of them.
const FEWEST: usize = 512;

/// Bounds between counts that 16 bits distinguish: a Poisson number is over 8 once in a million.
const BOUNDS: usize = 8;

/// Counts that are distinguished at all; a larger one is rarer than 2^-64.
const COUNTS: usize = 21;

/// Numbers of 16 bits in a block of words.
const BLOCK: usize = 4 * WORDS;

/// Draws for this many units.
pub struct Multinomial {
    units: usize,
    numbers: SplitMix,
    picks: SplitMix,
    /// The largest of the numbers of 16 bits that mean a count, from 0 on.
    lasts: [u16; BOUNDS],
    /// On pages, the count of each number of 16 bits, which takes less time there than to compare.
    table: Vec<u8>,
    /// Smaller numbers mean that the next word decides: the part of each count's probability that
    /// is not a multiple of 2^-16.
    unclear: u16,
    /// These parts, each with those of the smaller counts.
    parts: [f64; COUNTS],
}

impl Multinomial {
    /// None if there are too few units to draw them this way.
    pub fn new(seed: u64, units: usize) -> Option<Self> {
        if units < FEWEST {
            return None;
        }
        let rate = 1.0 - 3.0 / (units as f64).sqrt();
        let (mut lasts, mut parts) = ([u16::MAX; BOUNDS], [0.0; COUNTS]);
        let (mut chance, mut part, mut whole) = (65536.0 * (-rate).exp(), 0.0, 0_u32);
        for (count, parts) in parts.iter_mut().enumerate() {
            whole += chance as u32;
            part += chance.fract();
            *parts = part;
            if let Some(last) = lasts.get_mut(count) {
                *last = whole as u16; // less than all, and moved to its place below
            }
            chance *= rate / (count + 1) as f64;
        }
        let unclear = (65536 - whole) as u16;
        for last in &mut lasts {
            *last += unclear - 1;
        }
        let over = |number: u16| lasts.iter().map(|&last| u8::from(number > last)).sum();
        Some(Self {
            table: (0..=u16::MAX).take_while(|_| FOR_PAGES).map(over).collect(),
            units,
            numbers: SplitMix::new(seed, Purpose::Counts),
            picks: SplitMix::new(seed, Purpose::Picks),
            lasts,
            unclear,
            parts,
        })
    }

    /// Writes how often a resample takes each unit, but for the picks that it leaves in `picks`.
    pub fn draw(&self, level: Level, resample: u64, counts: &mut [u8], picks: &mut Vec<u32>) {
        let words = self.units.div_ceil(4) as u64;
        let mut place = resample.wrapping_mul(words * 64);
        let missing = loop {
            let counts = &mut counts[..self.units];
            let sum = dispatch(
                level,
                Draw {
                    how: self,
                    place,
                    counts,
                },
            );
            if let Some(missing) = self.units.checked_sub(sum) {
                break missing;
            }
            place = place.wrapping_add(words);
        };
        picks.clear();
        picks.resize(missing, 0);
        let place = resample.wrapping_mul(self.units.div_ceil(2) as u64);
        self.picks.picks(level, place, self.units as u32, picks);
    }

    /// The count that 16 bits of a word leave open.
    #[cold]
    fn tell(&self, word: u64, lane: usize) -> u8 {
        let word = mix(word.rotate_left(16 * lane as u32).wrapping_add(GAMMA));
        let share = (word >> 11) as f64 / (1_u64 << 53) as f64 * self.parts[COUNTS - 1];
        self.parts.iter().take_while(|&&part| part <= share).count() as u8
    }
}

struct Draw<'a> {
    how: &'a Multinomial,
    place: u64,
    counts: &'a mut [u8],
}

impl Task for Draw<'_> {
    /// The sum of the counts.
    type Output = usize;

    #[inline(always)]
    fn run<I: Isa>(self, _: I) -> usize {
        let Self { how, place, counts } = self;
        let mut sum = 0;
        for (block, counts) in (0..).zip(counts.chunks_mut(BLOCK)) {
            let place = place.wrapping_add(block * WORDS as u64);
            let mut words = [0; WORDS];
            for (word, i) in words.iter_mut().zip(0..) {
                *word = how.numbers.word(place.wrapping_add(i));
            }
            let bytes = words.map(u64::to_le_bytes);
            let numbers = bytes.as_flattened().as_chunks::<2>().0;
            let mut all = [0_u8; BLOCK];
            let mut least = u16::MAX;
            for (count, &number) in all.iter_mut().zip(numbers) {
                let number = u16::from_le_bytes(number);
                least = least.min(number);
                *count = match how.table.get(usize::from(number)) {
                    Some(&count) if FOR_PAGES => count,
                    _ => how.lasts.iter().map(|&last| u8::from(number > last)).sum(),
                };
            }
            if least < how.unclear {
                for (i, count) in all.iter_mut().enumerate() {
                    if u16::from_le_bytes(numbers[i]) < how.unclear {
                        *count = how.tell(words[i / 4], i % 4);
                    }
                }
            }
            counts.copy_from_slice(&all[..counts.len()]);
            sum += counts
                .iter()
                .map(|&count| usize::from(count))
                .sum::<usize>();
        }
        sum
    }
}
