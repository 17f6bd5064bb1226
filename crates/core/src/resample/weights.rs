//! Sums of units, each as often as a resample draws it: a product of weights and columns. A pick costs
//! one increment of a byte, however many systems there are; then rows are read in order, once for
//! several resamples. Fetching the row of each pick would take longer.

use crate::simd::{CacheLine, CountUp, Isa, Level, SHARES, Task, WEIGHT, dispatch};

/// Units and columns whose bytes are a line.
const DEPTH: usize = 4;
const BREADTH: usize = 16;

/// Units whose coins are one number.
const COINS: usize = 64;

/// Lines whose sums fit 32 bits, for any bytes.
const SAFE: usize = (i32::MAX as usize) / (255 * WEIGHT as usize * DEPTH);

/// Integers in columns, a row for each unit.
pub struct Columns {
    /// Tile after tile of this many columns, each filled up with empty rows.
    lines: Vec<CacheLine>,
    /// Lines in a tile.
    height: usize,
    sources: Vec<ColumnSource>,
    pub totals: Vec<i64>,
    pub units: usize,
}

/// Where a column is: its least value, and what is above it, in bytes from the lowest to the
/// highest. Columns that are the same but for a constant have the same bytes: the length and the
/// unigrams, references of two systems, n-grams and those an order longer.
#[derive(Clone, Copy)]
struct ColumnSource {
    least: i64,
    first: usize,
    bytes: usize,
}

impl Columns {
    /// `fill(column, cells)` writes a column of as many cells as there are units.
    pub fn new(count: usize, units: usize, fill: impl Fn(usize, &mut [i64])) -> Self {
        let mut made = Self {
            lines: Vec::new(),
            height: units.next_multiple_of(COINS) / DEPTH,
            sources: Vec::with_capacity(count),
            totals: Vec::with_capacity(count),
            units,
        };
        let mut cells = vec![0; units];
        let mut bytes = 0;
        for column in 0..count {
            fill(column, &mut cells);
            made.totals.push(cells.iter().sum());
            let least = cells.iter().copied().min().unwrap_or_default();
            for cell in &mut cells {
                *cell -= least;
            }
            let same = made.sources.iter().find(|source| {
                let mut cells = cells.iter().enumerate();
                cells.all(|(unit, &cell)| made.above(**source, unit) == cell)
            });
            if let Some(&source) = same {
                made.sources.push(ColumnSource { least, ..source });
                continue;
            }
            let most = cells.iter().copied().max().unwrap_or_default();
            let source = ColumnSource {
                least,
                first: bytes,
                bytes: 8 - (most.leading_zeros() / 8) as usize,
            };
            made.sources.push(source);
            bytes += source.bytes;
            let lines = bytes.div_ceil(BREADTH) * made.height;
            made.lines.resize(lines, CacheLine::default());
            for i in 0..source.bytes {
                let (tile, lane) = made.place(source.first + i);
                for (line, cells) in made.lines[tile..].iter_mut().zip(cells.chunks(DEPTH)) {
                    for (unit, cell) in cells.iter().enumerate() {
                        let byte = (cell >> (8 * i)) as u64 & 0xff;
                        line.0[lane / 2] |= byte << (32 * (lane % 2) + 8 * unit);
                    }
                }
            }
        }
        made
    }

    /// Number of tiles of distinct columns.
    pub fn tiles(&self) -> usize {
        self.lines.len() / self.height
    }

    /// The value in a column.
    pub fn value(&self, column: usize, unit: usize) -> i64 {
        let source = self.sources[column];
        self.above(source, unit) + source.least
    }

    fn above(&self, source: ColumnSource, unit: usize) -> i64 {
        let mut above = 0;
        for byte in (source.first..source.first + source.bytes).rev() {
            let (tile, lane) = self.place(byte);
            let numbers = self.lines[tile + unit / DEPTH].0;
            let byte = numbers[lane / 2] >> (32 * (lane % 2) + 8 * (unit % DEPTH)) & 0xff;
            above = above << 8 | byte as i64;
        }
        above
    }

    /// The first line of the tile that has a byte of the columns, and its place in a row there.
    fn place(&self, byte: usize) -> (usize, usize) {
        (byte / BREADTH * self.height, byte % BREADTH)
    }

    /// The sums of all columns for each of the resamples, one resample after the other.
    pub fn sums(&self, weights: &Weights, sums: &mut Vec<i64>) {
        let tiles = self.tiles();
        let mut parts = vec![[0_i64; SHARES]; tiles * BREADTH];
        for (lines, parts) in self
            .lines
            .chunks_exact(self.height)
            .zip(parts.chunks_exact_mut(BREADTH))
        {
            for (i, lines) in lines.chunks(SAFE).enumerate() {
                let shares = weights.shares(i * SAFE, lines.len());
                let sums = dispatch(weights.level, Weigh { lines, shares });
                for (resample, sums) in sums.iter().enumerate() {
                    for (part, &sum) in parts.iter_mut().zip(sums) {
                        part[resample] += i64::from(sum);
                    }
                }
            }
        }
        sums.clear();
        for resample in 0..weights.filled {
            for source in &self.sources {
                let parts = parts[source.first..][..source.bytes].iter().rev();
                let above = parts.fold(0, |above, part| (above << 8) + part[resample]);
                sums.push(above + source.least * weights.taken[resample]);
            }
        }
        for &(resample, unit) in &weights.beyond {
            let sums = &mut sums[resample * self.sources.len()..][..self.sources.len()];
            for (column, sum) in sums.iter_mut().enumerate() {
                *sum += self.above(self.sources[column], unit as usize);
            }
        }
    }
}

/// The number of times that some resamples take each unit.
pub struct Weights {
    /// Resample after resample, each filled up to whole lines.
    counts: Vec<u8>,
    height: usize,
    units: usize,
    level: Level,
    filled: usize,
    /// The number of units that each takes.
    taken: [i64; SHARES],
    /// Picks beyond the largest weight, by resample; they are rare.
    beyond: Vec<(usize, u32)>,
}

impl Weights {
    /// Weights for resamples of the units.
    pub fn new(columns: &Columns, level: Level) -> Self {
        Self {
            counts: vec![0; SHARES * columns.height * DEPTH],
            height: columns.height,
            units: columns.units,
            level,
            filled: 0,
            taken: [0; SHARES],
            beyond: Vec::new(),
        }
    }

    pub fn clear(&mut self) {
        self.counts.fill(0);
        self.beyond.clear();
        self.filled = 0;
    }

    pub fn is_full(&self) -> bool {
        self.filled == SHARES
    }

    /// Counts the picks of another resample.
    pub fn push(&mut self, picks: &[u32]) {
        let counts = &mut self.counts[self.filled * self.height * DEPTH..][..self.height * DEPTH];
        if dispatch(self.level, CountUp { picks, counts }) > WEIGHT {
            counts.fill(0);
            for &pick in picks {
                let count = &mut counts[pick as usize];
                if *count == WEIGHT {
                    self.beyond.push((self.filled, pick));
                } else {
                    *count += 1;
                }
            }
        }
        self.taken[self.filled] = picks.len() as i64;
        self.filled += 1;
    }

    /// Takes the counts that `draw` writes, and adds the picks that it returns.
    pub fn push_counts<'a>(&mut self, draw: impl FnOnce(&mut [u8]) -> &'a [u32]) {
        let counts = &mut self.counts[self.filled * self.height * DEPTH..][..self.height * DEPTH];
        for &pick in draw(counts) {
            let count = &mut counts[pick as usize];
            if *count == WEIGHT {
                self.beyond.push((self.filled, pick));
            } else {
                *count += 1;
            }
        }
        self.taken[self.filled] = self.units as i64;
        self.filled += 1;
    }

    /// Counts the units on whose coins a 1 fell; `coins(j)` are those of the units from 64 j on.
    pub fn push_heads(&mut self, coins: impl Fn(usize) -> u64) {
        let counts = &mut self.counts[self.filled * self.height * DEPTH..][..self.height * DEPTH];
        let mut left = self.units;
        let words = counts
            .as_chunks_mut()
            .0
            .iter_mut()
            .enumerate()
            .map(|(j, counts)| {
                let there = u64::MAX >> (COINS - left.min(COINS));
                left -= left.min(COINS);
                (coins(j) & there, counts)
            });
        self.taken[self.filled] = dispatch(self.level, Spread(words));
        self.filled += 1;
    }

    /// The counts of all resamples for some lines.
    fn shares(&self, first: usize, lines: usize) -> [&[[u8; DEPTH]]; SHARES] {
        let counts = self.counts.as_chunks::<DEPTH>().0;
        std::array::from_fn(|resample| &counts[resample * self.height + first..][..lines])
    }
}

/// Writes each bit to a byte, and counts those that are set.
struct Spread<W>(W);

impl<'a, W: Iterator<Item = (u64, &'a mut [u8; COINS])>> Task for Spread<W> {
    type Output = i64;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> i64 {
        let mut heads = 0;
        for (word, counts) in self.0 {
            isa.count_lanes(&[word], counts);
            heads += i64::from(word.count_ones());
        }
        heads
    }
}

struct Weigh<'a> {
    lines: &'a [CacheLine],
    shares: [&'a [[u8; DEPTH]]; SHARES],
}

impl Task for Weigh<'_> {
    type Output = [[i32; BREADTH]; SHARES];

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Self::Output {
        isa.weigh(self.lines, &self.shares)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sums of picks for each column, by definition.
    fn sums(cells: &[Vec<i64>], picks: &[u32]) -> Vec<i64> {
        let sum = |column: &Vec<i64>| picks.iter().map(|&pick| column[pick as usize]).sum();
        cells.iter().map(sum).collect()
    }

    #[test]
    fn sums_are_those_of_the_picks() {
        const UNITS: usize = 701;
        // The same but for a constant, constant, negative, of several bytes.
        let cells: Vec<Vec<i64>> = (0..19_i64)
            .map(|column| {
                let cell = |unit: i64| match column % 5 {
                    0 => unit * 7 % 250 + column,
                    1 => column,
                    2 => 3 - unit * column % 300,
                    3 => unit * unit * column * 1_000_003,
                    _ => unit % 3,
                };
                (0..UNITS as i64).map(cell).collect()
            })
            .collect();
        let columns = Columns::new(cells.len(), UNITS, |column, into| {
            into.copy_from_slice(&cells[column]);
        });
        let all: Vec<u32> = (0..UNITS as u32).collect();
        assert_eq!(columns.totals, sums(&cells, &all));
        for unit in 0..UNITS {
            let row = (0..cells.len()).map(|column| columns.value(column, unit));
            assert!(row.eq(cells.iter().map(|column| column[unit])));
        }
        // As many picks of a unit as a weight may have, one more, and more than a byte holds.
        let often = |times: usize| {
            let mut picks = all.clone();
            picks[..times].fill(700);
            picks
        };
        let drawn = [0, 61, 62, 63, 64, 254, 255, 256, 300, 700].map(often);
        for level in Level::available() {
            let mut weights = Weights::new(&columns, level);
            let mut result = Vec::new();
            for (drawn, filled) in drawn.chunks(SHARES).zip([SHARES, 2]) {
                for picks in drawn {
                    weights.push(picks);
                }
                assert_eq!(weights.is_full(), filled == SHARES);
                columns.sums(&weights, &mut result);
                let expected: Vec<_> = drawn.iter().flat_map(|picks| sums(&cells, picks)).collect();
                assert_eq!(result, expected, "{}", level.name());
                weights.clear();
            }
            let coins = |word: usize| 0x5bd1_e995_97f4_a7c1_u64.rotate_left(word as u32) | 1 << 63;
            weights.push_heads(coins);
            columns.sums(&weights, &mut result);
            let heads: Vec<u32> = all
                .iter()
                .copied()
                .filter(|unit| coins(*unit as usize / 64) >> (unit % 64) & 1 == 1)
                .collect();
            assert_eq!(result, sums(&cells, &heads), "{}", level.name());
        }
    }
}
