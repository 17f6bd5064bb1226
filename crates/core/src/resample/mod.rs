//! Scores of resampled corpora: what intervals and tests of significance are made of.
//!
//! A unit is what is drawn: a segment, or a document. Rows add, so a resample of a corpus is a sum of
//! rows, and all systems share its draws: each costs one sum for every system, and a pair of
//! systems costs no more than its scores.

mod draws;
mod formula;
mod sums;

use std::ops::Range;

use crate::simd::Level;

pub use draws::Pcg64;
use draws::{Counter, Purpose};
pub use formula::Formula;
use sums::Matrix;

/// Picks that lie in the cache while they are used.
const PICKS: usize = 1 << 16;

/// Resamples whose sums lie in the cache while they are made.
const HEADS: usize = 512;

/// Additions that are worth a thread: about a millisecond of work.
const ADDITIONS_PER_THREAD: usize = 1 << 22;

/// The statistics of systems on the same units, ready to be resampled.
pub struct Resampler {
    matrix: Matrix,
    totals: Vec<i64>,
    systems: usize,
    width: usize,
    formula: Formula,
    level: Level,
    /// What 32-bit floats do not hold of a row, if there is such a row.
    lost: Option<&'static str>,
}

/// For a pair of systems, how many resamples differ by more than they do, and how many by as much.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Beyond {
    pub more: u64,
    pub equal: u64,
}

impl Resampler {
    /// `value(system, i)` is the i-th of the integers of a system's rows, which are the formula's,
    /// one row for each unit.
    pub fn new(
        formula: Formula,
        systems: usize,
        units: u32,
        value: impl Fn(usize, usize) -> i64,
    ) -> Self {
        let (width, units) = (formula.width(), units as usize);
        let cell = |column: usize, unit| value(column / width, unit * width + column % width);
        let columns = systems * width;
        let total = |column| (0..units).map(|unit| cell(column, unit)).sum();
        let mut row = vec![0; width];
        let lost = (0..systems * units).find_map(|at| {
            let (system, unit) = (at / units, at % units);
            for (i, place) in row.iter_mut().enumerate() {
                *place = value(system, unit * width + i);
            }
            formula.lost_in_floats(&row)
        });
        Self {
            matrix: Matrix::new(columns, units, cell),
            totals: (0..columns).map(total).collect(),
            systems,
            width,
            level: formula.level(),
            formula,
            lost,
        }
    }

    /// Scores of all systems for each of `resamples` drawn with replacement.
    pub fn bootstrap(&self, seed: u64, resamples: Range<u64>, threads: usize) -> Vec<f64> {
        let counter = Counter::new(seed, Purpose::Picks);
        let units = self.matrix.units as u32;
        let additions = self.matrix.units * self.matrix.width / 8;
        let made = in_parallel(&resamples, additions, threads, |range| {
            let mut next = range.clone();
            let draw = |picks: &mut [u32]| {
                let resample = next.next().unwrap_or_default();
                counter.picks(self.level, resample, units, picks);
            };
            let count = (range.end - range.start) as usize;
            let mut scores = Vec::with_capacity(count * self.systems);
            self.sum_picks(count, draw, |sums| self.score(sums, &mut scores));
            scores
        });
        made.concat()
    }

    /// The same as sacreBLEU draws them and, with `NumPy` 2, rounds them.
    ///
    /// # Errors
    /// A sum is so large that sacreBLEU's 32-bit floats would not hold it.
    pub fn numpy_bootstrap(&self, draws: &mut Pcg64, resamples: usize) -> Result<Vec<f64>, String> {
        let mut scores = Vec::with_capacity(resamples * self.systems);
        let mut room = Vec::new();
        let mut lost = self.lost;
        let draw = |picks: &mut [u32]| draws.picks(self.level, self.matrix.units as u32, picks);
        self.sum_picks(resamples, draw, |sums| {
            for row in self.rows(sums) {
                lost = lost.or_else(|| self.formula.lost_in_floats(row));
                scores.push(self.formula.value_in_floats(row, &mut room));
            }
        });
        match lost {
            None => Ok(scores),
            Some(what) => Err(format!("a resample has {what}")),
        }
    }

    /// Scores of all systems without each of `units` in turn.
    pub fn jackknife(&self, units: &Range<u64>, threads: usize) -> Vec<f64> {
        let made = in_parallel(units, self.systems << 8, threads, |range| {
            let mut scores = Vec::new();
            let mut left = vec![0; self.matrix.width];
            for unit in range {
                left.fill(0);
                for tile in 0..self.matrix.tiles() {
                    self.matrix
                        .add_picks(self.level, &[unit as u32], tile, &mut left);
                }
                for (left, total) in left.iter_mut().zip(&self.totals) {
                    *left = total - *left;
                }
                self.score(&left, &mut scores);
            }
            scores
        });
        made.concat()
    }

    /// For each pair of systems, how their scores differ when units change places at random.
    /// Pairs come in the order (0, 1), (0, 2), ..., (1, 2), ...
    pub fn permutation(&self, seed: u64, resamples: Range<u64>, threads: usize) -> Vec<Beyond> {
        let counter = Counter::new(seed, Purpose::Coins);
        let words = self.matrix.units.div_ceil(64) as u64;
        let pairs = self.systems * (self.systems - 1) / 2;
        let additions = self.matrix.units * self.matrix.width / 64 + (pairs << 8);
        let made = in_parallel(&resamples, additions, threads, |range| {
            let mut found = self.no_pairs();
            let mut first = range.start;
            while first < range.end {
                let count = (range.end - first).min(HEADS as u64);
                let coins = |resample: usize, word: usize| {
                    let place = (first + resample as u64).wrapping_mul(words);
                    counter.word(place.wrapping_add(word as u64))
                };
                self.count_swapped(coins, count as usize, &mut found);
                first += count;
            }
            found
        });
        let mut found = self.no_pairs();
        for part in made {
            for (sum, part) in found.iter_mut().zip(part) {
                sum.more += part.more;
                sum.equal += part.equal;
            }
        }
        found
    }

    /// The same as sacreBLEU draws them.
    pub fn numpy_permutation(&self, draws: &mut Pcg64, resamples: usize) -> Vec<Beyond> {
        let mut found = self.no_pairs();
        // A multiple of 64, so that the bits of a batch end where a number ends.
        let batch = if self.matrix.units > 1 << 16 {
            64
        } else {
            HEADS
        };
        for first in (0..resamples).step_by(batch) {
            let count = (resamples - first).min(batch);
            let coins = draws.coins(count, self.matrix.units);
            self.count_swapped(
                |resample, word| coins.word(resample, word),
                count,
                &mut found,
            );
        }
        found
    }

    fn no_pairs(&self) -> Vec<Beyond> {
        vec![Beyond::default(); self.systems * (self.systems - 1) / 2]
    }

    /// The sums of each system.
    fn rows<'a>(&self, sums: &'a [i64]) -> impl Iterator<Item = &'a [i64]> {
        sums.chunks_exact(self.width).take(self.systems)
    }

    /// Appends the score of each system.
    fn score(&self, sums: &[i64], scores: &mut Vec<f64>) {
        let mut room = Vec::new();
        scores.extend(
            self.rows(sums)
                .map(|row| self.formula.value(row, &mut room)),
        );
    }

    /// Gives the sums of each resample to `sink`.
    fn sum_picks(
        &self,
        resamples: usize,
        mut draw: impl FnMut(&mut [u32]),
        mut sink: impl FnMut(&[i64]),
    ) {
        let units = self.matrix.units;
        let batch = (PICKS / units).clamp(1, resamples.max(1));
        let mut picks = vec![0; batch * units];
        let mut sums = vec![0; batch * self.matrix.width];
        for first in (0..resamples).step_by(batch) {
            let count = (resamples - first).min(batch);
            let picks = &mut picks[..count * units];
            let sums = &mut sums[..count * self.matrix.width];
            sums.fill(0);
            picks.chunks_exact_mut(units).for_each(&mut draw);
            for tile in 0..self.matrix.tiles() {
                let resamples = sums.chunks_exact_mut(self.matrix.width);
                for (picks, sums) in picks.chunks_exact(units).zip(resamples) {
                    self.matrix.add_picks(self.level, picks, tile, sums);
                }
            }
            sums.chunks_exact(self.matrix.width).for_each(&mut sink);
        }
    }

    #[allow(clippy::float_cmp)] // as much is as much: the same rows make the same bits
    /// Counts for each pair the resamples in which it differs by more, or as much, as in truth.
    fn count_swapped(
        &self,
        coins: impl Fn(usize, usize) -> u64,
        resamples: usize,
        found: &mut [Beyond],
    ) {
        let mut heads = vec![0; resamples * self.matrix.width];
        self.matrix.add_heads(self.level, coins, &mut heads);
        let mut observed = Vec::new();
        self.score(&self.totals, &mut observed);
        let mut swapped = vec![0; self.width];
        let mut room = Vec::new();
        for heads in heads.chunks_exact(self.matrix.width) {
            let mut found = found.iter_mut();
            for a in 0..self.systems {
                for b in a + 1..self.systems {
                    let [one, other] = [(a, b), (b, a)].map(|(kept, taken)| {
                        let at = |system: usize| system * self.width..(system + 1) * self.width;
                        let rows = (&heads[at(kept)], &heads[at(taken)], &self.totals[at(taken)]);
                        for (i, swapped) in swapped.iter_mut().enumerate() {
                            *swapped = rows.0[i] + rows.2[i] - rows.1[i];
                        }
                        self.formula.value(&swapped, &mut room)
                    });
                    let truth = (observed[a] - observed[b]).abs();
                    let difference = (one - other).abs();
                    if let Some(found) = found.next() {
                        // What is no number speaks for no difference.
                        found.equal += u64::from(difference == truth);
                        found.more += u64::from(difference > truth || difference.is_nan());
                    }
                }
            }
        }
    }
}

/// What `work` makes of each thread's share of what is to be done, in order.
fn in_parallel<T: Send>(
    range: &Range<u64>,
    additions: usize,
    threads: usize,
    work: impl Fn(Range<u64>) -> T + Sync,
) -> Vec<T> {
    let count = (range.end - range.start) as usize;
    let worth = count.saturating_mul(additions) / ADDITIONS_PER_THREAD;
    let each = count.div_ceil(worth.clamp(1, threads.max(1))).max(1);
    let mut shares = range
        .clone()
        .step_by(each)
        .map(|start| start..range.end.min(start.saturating_add(each as u64)));
    let first = shares.next().unwrap_or_default();
    let work = &work;
    std::thread::scope(|scope| {
        let started: Vec<_> = shares
            .map(|share| scope.spawn(move || work(share)))
            .collect();
        let mut made = vec![work(first)];
        for handle in started {
            match handle.join() {
                Ok(part) => made.push(part),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        made
    })
}
