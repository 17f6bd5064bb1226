//! Sums of the units on whose coins a 1 falls, for all systems at once. Integers, so exact.

use super::weights::Columns;
use crate::simd::{Isa, Level, Line, Task, dispatch};

/// Units whose coins are one number.
const COINS: usize = 64;

/// Bits of a count in a number that holds four.
const BITS: usize = 16;

/// Largest count of which at least 64 can be added in 16 bits.
const SMALL: i64 = (1 << BITS) / COINS as i64 - 1;

/// Integers in columns, a row for each unit, cut into tiles that are a line wide.
pub struct Matrix {
    /// Tile after tile, each filled up with empty rows.
    lines: Vec<Line>,
    /// Lines in a tile.
    height: usize,
    /// Columns in a tile: 32 if there are four to a number, else 8.
    breadth: usize,
    /// Rows that can be added before a sum must be taken out.
    safe: usize,
    units: usize,
    /// Columns, with those that fill the last tile.
    pub width: usize,
}

impl Matrix {
    pub fn new(columns: &Columns) -> Self {
        let (count, units) = (columns.totals.len(), columns.units);
        let (least, most) = columns.range();
        // Counts of segments are small, so that four fit a number and none carries into the next.
        let packed = least >= 0 && most <= SMALL;
        let (lanes, safe) = if packed {
            (4, ((1 << BITS) - 1) / most.max(1) as usize)
        } else {
            (1, usize::MAX)
        };
        let breadth = 8 * lanes;
        let height = units.next_multiple_of(COINS);
        let mut rows = vec![Line::default(); count.div_ceil(breadth) * height];
        let mut cells = vec![0; units];
        for column in 0..count {
            let (tile, lane) = (column / breadth, column % breadth);
            columns.fill(column, &mut cells);
            for (row, &cell) in rows[tile * height..].iter_mut().zip(&cells) {
                row.0[lane / lanes] |= (cell as u64) << (BITS * (lane % lanes));
            }
        }
        Self {
            lines: rows,
            height,
            breadth,
            safe,
            units,
            width: count.next_multiple_of(breadth),
        }
    }

    /// Adds the units on whose coins a 1 fell to `sums`, which has room for all columns of each
    /// resample; `coins(r, j)` are those of the units from 64 j on in resample r.
    pub fn add_heads(&self, level: Level, coins: impl Fn(usize, usize) -> u64, sums: &mut [i64]) {
        let resamples = sums.len() / self.width;
        let mut words = vec![0; resamples];
        let mut open = vec![Line::default(); resamples];
        for tile in 0..self.width / self.breadth {
            let lines = &self.lines[tile * self.height..][..self.height];
            let blocks = lines.chunks(self.safe.min(self.height) / COINS * COINS);
            let mut first = 0;
            for block in blocks {
                open.fill(Line::default());
                for lines in block.chunks_exact(COINS) {
                    for (resample, word) in words.iter_mut().enumerate() {
                        *word = coins(resample, first / COINS);
                    }
                    let left = (self.units - first).min(COINS).next_multiple_of(8);
                    let (lines, words, sums) = (&lines[..left], &words[..], &mut open[..]);
                    dispatch(level, AddHeads { lines, words, sums });
                    first += COINS;
                }
                for (sum, sums) in open.iter().zip(sums.chunks_exact_mut(self.width)) {
                    self.take_out(sum, tile, sums);
                }
            }
        }
    }

    fn take_out(&self, sum: &Line, tile: usize, sums: &mut [i64]) {
        let sums = &mut sums[tile * self.breadth..][..self.breadth];
        if self.breadth == 8 {
            for (total, &sum) in sums.iter_mut().zip(&sum.0) {
                *total = total.wrapping_add(sum as i64);
            }
            return;
        }
        for (totals, &sum) in sums.as_chunks_mut::<4>().0.iter_mut().zip(&sum.0) {
            for (lane, total) in totals.iter_mut().enumerate() {
                *total += (sum >> (BITS * lane)) as i64 & 0xffff;
            }
        }
    }
}

struct AddHeads<'a> {
    /// Eight units, or sixteen, and so on to 64.
    lines: &'a [Line],
    /// Their coins in each resample.
    words: &'a [u64],
    sums: &'a mut [Line],
}

impl Task for AddHeads<'_> {
    type Output = ();

    /// Eight units at a time: each of the 256 sums that their coins can make is computed once for
    /// all resamples, which is an eighth of the additions (Arlazarov and others 1970).
    #[inline(always)]
    fn run<I: Isa>(self, isa: I) {
        let mut table = [Line::default(); 256];
        for (byte, eight) in self.lines.as_chunks::<8>().0.iter().enumerate() {
            for (i, line) in eight.iter().enumerate() {
                let (known, new) = table.split_at_mut(1 << i);
                for (new, known) in new.iter_mut().zip(known) {
                    *new = isa.add(known, line);
                }
            }
            for (sum, &word) in self.sums.iter_mut().zip(self.words) {
                *sum = isa.add(sum, &table[usize::from((word >> (8 * byte)) as u8)]);
            }
        }
    }
}
