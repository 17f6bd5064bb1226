//! Scores of resampled corpora: what intervals and tests of significance are made of.
//!
//! Units are drawn: segments or documents. Rows add, so a resample of a corpus is a sum of rows. All
//! systems share its draws: a resample costs one sum for each system, and a pair of systems only its
//! scores.

mod draws;
mod multinomial;
mod weights;

use std::ops::Range;
use std::sync::Arc;

use crate::metric::Metric;
use crate::run::interrupt;
use crate::run::parallel::{self, Queue};
use crate::simd::Level;

pub use draws::Pcg64;
use draws::{Purpose, SplitMix};
use multinomial::Multinomial;
use weights::{Columns, Weights};

/// Resamples whose sums lie in the cache while they are made.
const HEADS: usize = 512;

/// Resamples between two checks for interrupts, unless there are many pairs.
const UNCHECKED: u64 = 64;
const MANY: usize = 100;

/// Additions that are worth a thread: about a millisecond of work.
const ADDITIONS_PER_THREAD: usize = 1 << 22;

/// Sums of 32-bit floats are not exact from here on.
pub const EXACT: i64 = 1 << 24;

/// A metric whose sums sacreBLEU's resamples hold in 32-bit floats.
pub trait Resampled: Metric {
    /// The score as sacreBLEU computes it from such sums.
    fn value_in_floats(&self, row: &[i64], buffer: &mut Vec<f64>) -> f64 {
        self.value(row, buffer)
    }

    /// The part of a row that such floats cannot represent.
    fn lost_in_floats(&self, row: &[i64]) -> Option<&'static str> {
        (!row.iter().all(|&sum| sum < EXACT)).then_some("16777216 n-grams or more")
    }
}

/// The statistics of systems on the same units, ready to be resampled.
pub struct Resampler<M: ?Sized = dyn Resampled> {
    columns: Columns,
    systems: usize,
    width: usize,
    metric: Arc<M>,
    level: Level,
    /// The part of a row that 32-bit floats cannot represent, if there is one.
    lost: Option<&'static str>,
}

/// Two systems that are compared, by their places.
pub type Pair = (usize, usize);

impl<M: Resampled + ?Sized> Resampler<M> {
    /// `value(system, i)` is the i-th of the integers of a system's rows, which are the metric's,
    /// one row for each unit.
    pub fn new(
        metric: Arc<M>,
        systems: usize,
        units: u32,
        value: impl Fn(usize, usize) -> i64,
    ) -> Self {
        let (width, units) = (metric.width(), units as usize);
        let fill = |column: usize, cells: &mut [i64]| {
            for (unit, cell) in cells.iter_mut().enumerate() {
                *cell = value(column / width, unit * width + column % width);
            }
        };
        let mut row = vec![0; width];
        let lost = (0..systems * units).find_map(|at| {
            let (system, unit) = (at / units, at % units);
            for (i, place) in row.iter_mut().enumerate() {
                *place = value(system, unit * width + i);
            }
            metric.lost_in_floats(&row)
        });
        Self {
            columns: Columns::new(systems * width, units, fill),
            systems,
            width,
            level: metric.level(),
            metric,
            lost,
        }
    }

    /// Scores of all systems for each of `resamples` drawn with replacement.
    pub fn bootstrap(&self, seed: u64, resamples: Range<u64>, threads: usize) -> Vec<f64> {
        self.picked(seed, &resamples, threads, |sums, scores| {
            self.score(sums, scores);
        })
    }

    /// The same with the sums of all systems' rows instead of scores.
    pub fn bootstrap_sums(&self, seed: u64, resamples: Range<u64>, threads: usize) -> Vec<i64> {
        self.picked(seed, &resamples, threads, |sums, rows| {
            rows.extend_from_slice(sums);
        })
    }

    /// What `sink` makes of the sums of each of `resamples` drawn with replacement.
    fn picked<T: Copy + Send>(
        &self,
        seed: u64,
        resamples: &Range<u64>,
        threads: usize,
        sink: impl Fn(&[i64], &mut Vec<T>) + Sync,
    ) -> Vec<T> {
        let counter = SplitMix::new(seed, Purpose::Picks);
        let multinomial = Multinomial::new(seed, self.columns.units);
        let units = self.columns.units as u32;
        let words = self.columns.units.div_ceil(2) as u64;
        let additions = self.additions(if multinomial.is_some() { 1 } else { 4 });
        let made = in_parallel(resamples, additions, threads, |range| {
            let count = (range.end - range.start) as usize;
            let mut results = Vec::with_capacity(count * self.systems);
            let mut picks = Vec::new();
            let take = |i, weights: &mut Weights| {
                let resample = range.start + i as u64;
                if let Some(multinomial) = &multinomial {
                    weights.push_counts(|counts| {
                        multinomial.draw(self.level, resample, counts, &mut picks);
                        &picks
                    });
                } else {
                    picks.resize(self.columns.units, 0);
                    let place = resample.wrapping_mul(words);
                    counter.picks(self.level, place, units, &mut picks);
                    weights.push(&picks);
                }
            };
            self.sum(count, take, |sums| sink(sums, &mut results));
            results
        });
        made.concat()
    }

    /// As [`Self::bootstrap`], with the draws of sacreBLEU and its rounding under `NumPy` 2.
    ///
    /// # Errors
    /// A sum is so large that sacreBLEU's 32-bit floats would not hold it.
    pub fn numpy_bootstrap(
        &self,
        draws: &mut Pcg64,
        resamples: usize,
        threads: usize,
    ) -> Result<Vec<f64>, String> {
        let units = self.columns.units as u32;
        let draw_all = |range: Range<u64>, draws: &mut Pcg64| {
            let count = (range.end - range.start) as usize;
            let mut scores = Vec::with_capacity(count * self.systems);
            let mut buffer = Vec::new();
            let mut lost = None;
            let mut picks = vec![0; self.columns.units];
            let take = |_, weights: &mut Weights| {
                draws.picks(self.level, units, &mut picks);
                weights.push(&picks);
            };
            self.sum(count, take, |sums| {
                for row in self.rows(sums) {
                    lost = lost.or_else(|| self.metric.lost_in_floats(row));
                    scores.push(self.metric.value_in_floats(row, &mut buffer));
                }
            });
            (scores, lost)
        };
        // A share starts where the one before it ends, unless that rejects a draw: one in 3 million
        // for 3,000 units, so that few shares are computed again.
        let additions = self.additions(8);
        let wave = (ADDITIONS_PER_THREAD / additions).max(1) * threads.max(1);
        let waves = resamples.div_ceil(wave).max(1);
        let mut scores = Vec::with_capacity(resamples * self.systems);
        let mut lost = self.lost;
        for wave in 0..waves as u64 {
            let [first, end] = [wave, wave + 1].map(|at| at * resamples as u64 / waves as u64);
            let made = in_parallel(&(first..end), 2 * additions, threads, |range| {
                let start = draws.skipped((range.start - first) * u64::from(units), units);
                let mut end = start.clone();
                let result = draw_all(range.clone(), &mut end);
                (range, start, end, result)
            });
            for (range, start, end, result) in made {
                let result = if start == *draws {
                    *draws = end;
                    result
                } else {
                    draw_all(range, draws)
                };
                scores.extend(result.0);
                lost = lost.or(result.1);
            }
        }
        lost.map_or(Ok(scores), |what| Err(format!("a resample has {what}")))
    }

    /// Scores of all systems without each of `units` in turn.
    pub fn jackknife(&self, units: &Range<u64>, threads: usize) -> Vec<f64> {
        let made = in_parallel(units, self.systems << 8, threads, |range| {
            let mut scores = Vec::new();
            let mut left = vec![0; self.columns.totals.len()];
            for unit in range {
                if unit.is_multiple_of(UNCHECKED) {
                    interrupt::check();
                }
                for (column, (left, total)) in left.iter_mut().zip(&self.columns.totals).enumerate()
                {
                    *left = total - self.columns.value(column, unit as usize);
                }
                self.score(&left, &mut scores);
            }
            scores
        });
        made.concat()
    }

    /// The second score of each pair minus its first if units change places at random: the pairs of
    /// a resample, which share its coins, then those of the next.
    pub fn permutation(
        &self,
        pairs: &[Pair],
        seed: u64,
        resamples: Range<u64>,
        threads: usize,
    ) -> Vec<f64> {
        let counter = SplitMix::new(seed, Purpose::Coins);
        let words = self.columns.units.div_ceil(64) as u64;
        let additions = self.additions(0) + (pairs.len() << 8);
        let made = in_parallel(&resamples, additions, threads, |range| {
            let mut differences =
                Vec::with_capacity((range.end - range.start) as usize * pairs.len());
            let mut first = range.start;
            while first < range.end {
                let count = (range.end - first).min(HEADS as u64);
                let coins = |resample: usize, word: usize| {
                    let place = (first + resample as u64).wrapping_mul(words);
                    counter.word(place.wrapping_add(word as u64))
                };
                self.swap(pairs, coins, count as usize, &mut differences);
                first += count;
            }
            differences
        });
        made.concat()
    }

    /// The same with the draws of sacreBLEU.
    pub fn numpy_permutation(
        &self,
        pairs: &[Pair],
        draws: &mut Pcg64,
        resamples: usize,
    ) -> Vec<f64> {
        let mut differences = Vec::with_capacity(resamples * pairs.len());
        // A multiple of 64, so that the bits of a batch end where a number ends.
        let batch = if self.columns.units > 1 << 16 {
            64
        } else {
            HEADS
        };
        for first in (0..resamples).step_by(batch) {
            let count = (resamples - first).min(batch);
            let coins = draws.coins(count, self.columns.units);
            let coins = |resample, word| coins.word(resample, word);
            self.swap(pairs, coins, count, &mut differences);
        }
        differences
    }

    fn rows<'a>(&self, sums: &'a [i64]) -> impl Iterator<Item = &'a [i64]> {
        sums.chunks_exact(self.width).take(self.systems)
    }

    fn score(&self, sums: &[i64], scores: &mut Vec<f64>) {
        let mut buffer = Vec::new();
        scores.extend(
            self.rows(sums)
                .map(|row| self.metric.value(row, &mut buffer)),
        );
    }

    /// Gives the sums of each resample, which `take` makes the weights of, to `sink`.
    fn sum(
        &self,
        resamples: usize,
        mut take: impl FnMut(usize, &mut Weights),
        mut sink: impl FnMut(&[i64]),
    ) {
        let mut weights = Weights::new(&self.columns, self.level);
        let mut sums = Vec::new();
        for resample in 0..resamples {
            take(resample, &mut weights);
            if weights.is_full() || resample + 1 == resamples {
                interrupt::check();
                self.columns.sums(&weights, &mut sums);
                let resamples = sums.chunks_exact(self.columns.totals.len());
                resamples.for_each(&mut sink);
                weights.clear();
            }
        }
    }

    /// The additions of a resample, if drawing a unit costs `drawing`: one more for each tile.
    fn additions(&self, drawing: usize) -> usize {
        self.columns.units * (drawing + self.columns.tiles())
    }

    /// Appends the second score of each pair minus its first in each resample.
    fn swap(
        &self,
        pairs: &[Pair],
        coins: impl Fn(usize, usize) -> u64,
        resamples: usize,
        differences: &mut Vec<f64>,
    ) {
        let mut heads = Vec::with_capacity(resamples * self.columns.totals.len());
        self.sum(
            resamples,
            |resample, weights| weights.push_heads(|word| coins(resample, word)),
            |sums| heads.extend_from_slice(sums),
        );
        let mut swapped = vec![0; self.width];
        let mut buffer = Vec::new();
        let heads = heads.chunks_exact(self.columns.totals.len());
        for (resample, heads) in (0_u64..).zip(heads) {
            if resample.is_multiple_of(UNCHECKED) || pairs.len() > MANY {
                interrupt::check();
            }
            for &(a, b) in pairs {
                let [one, other] = [(a, b), (b, a)].map(|(kept, taken)| {
                    let at = |system: usize| system * self.width..(system + 1) * self.width;
                    let rows = (
                        &heads[at(kept)],
                        &heads[at(taken)],
                        &self.columns.totals[at(taken)],
                    );
                    for (i, swapped) in swapped.iter_mut().enumerate() {
                        *swapped = rows.0[i] + rows.2[i] - rows.1[i];
                    }
                    self.metric.value(&swapped, &mut buffer)
                });
                differences.push(other - one);
            }
        }
    }
}

/// The results of `work` on each thread's share of the range, in order.
fn in_parallel<T: Send>(
    range: &Range<u64>,
    additions: usize,
    threads: usize,
    work: impl Fn(Range<u64>) -> T + Sync,
) -> Vec<T> {
    let count = (range.end - range.start) as usize;
    let worth = count.saturating_mul(additions) / ADDITIONS_PER_THREAD;
    let each = count.div_ceil(worth.clamp(1, threads.max(1))).max(1);
    let starts: Vec<_> = range.clone().step_by(each).collect();
    let mut made: Vec<Option<T>> = starts.iter().map(|_| None).collect();
    let shares = Queue::new(starts.iter().zip(&mut made));
    parallel::run(starts.len(), |_| {
        while let Some((&start, made)) = shares.next() {
            *made = Some(work(
                start..range.end.min(start.saturating_add(each as u64)),
            ));
        }
    });
    made.into_iter().flatten().collect()
}
