//! Sums of the units that a resample takes, for all systems at once. Integers, so exact.

use crate::simd::{Isa, Level, Task, dispatch};

/// Columns that are added in one go: a line of the cache.
const WIDTH: usize = 32;

/// Units whose coins are one number.
const COINS: usize = 64;

/// Largest value that is kept in 16 bits: at least 64 of them can be added there.
const SMALL: i64 = (u16::MAX as i64) / COINS as i64;

/// Integers in rows, one for each unit, cut into tiles of columns.
pub struct Matrix {
    cells: Cells,
    pub units: usize,
    /// Columns, with those that fill the last tile.
    pub width: usize,
}

/// Counts of segments fit 16 bits; those of long documents may not.
enum Cells {
    Small(Tiles<u16>),
    Large(Tiles<i64>),
}

/// Tiles one behind the other; each has a row for each unit and is filled up with empty rows.
struct Tiles<T> {
    rows: Vec<Row<T>>,
    in_tile: usize,
    /// Rows that can be added before the sum of any column can overflow.
    safe: usize,
}

#[derive(Clone, Copy, Default)]
#[repr(align(64))]
struct Row<T>([T; WIDTH]);

impl Matrix {
    /// `value(column, unit)` is what stands in a column, and there are `columns` of `units` each.
    pub fn new(columns: usize, units: usize, value: impl Fn(usize, usize) -> i64) -> Self {
        let (mut least, mut most) = (0, 1);
        for column in 0..columns {
            for unit in 0..units {
                let value = value(column, unit);
                (least, most) = (value.min(least), value.max(most));
            }
        }
        let cells = if least >= 0 && most <= SMALL {
            let safe = (i64::from(u16::MAX) / most) as usize;
            let small = |column, unit| value(column, unit) as u16;
            Cells::Small(Tiles::new(columns, units, safe, small))
        } else {
            Cells::Large(Tiles::new(columns, units, usize::MAX, value))
        };
        Self {
            cells,
            units,
            width: columns.next_multiple_of(WIDTH),
        }
    }

    /// Adds the picked units to `sums`, which has room for all columns.
    pub fn add_picks(&self, level: Level, picks: &[u32], tile: usize, sums: &mut [i64]) {
        let sums = &mut sums[tile * WIDTH..][..WIDTH];
        match &self.cells {
            Cells::Small(tiles) => dispatch(
                level,
                AddPicks {
                    tiles,
                    picks,
                    tile,
                    sums,
                },
            ),
            Cells::Large(tiles) => dispatch(
                level,
                AddPicks {
                    tiles,
                    picks,
                    tile,
                    sums,
                },
            ),
        }
    }

    /// How many tiles the columns are cut into.
    pub fn tiles(&self) -> usize {
        self.width / WIDTH
    }

    /// Adds the units on whose coins a 1 fell to `sums`, which has room for all columns of each
    /// resample; `coins(r, j)` are those of units from 64 j on in resample r.
    pub fn add_heads(
        &self,
        level: Level,
        coins: impl Fn(usize, usize) -> u64 + Copy,
        sums: &mut [i64],
    ) {
        let width = self.width;
        for tile in 0..self.tiles() {
            let units = self.units;
            let resamples = sums.chunks_exact_mut(width);
            let sums: Vec<_> = resamples
                .map(|row| &mut row[tile * WIDTH..][..WIDTH])
                .collect();
            match &self.cells {
                Cells::Small(tiles) => dispatch(
                    level,
                    AddHeads {
                        tiles,
                        tile,
                        units,
                        coins,
                        sums,
                    },
                ),
                Cells::Large(tiles) => dispatch(
                    level,
                    AddHeads {
                        tiles,
                        tile,
                        units,
                        coins,
                        sums,
                    },
                ),
            }
        }
    }
}

impl<T: Cell> Tiles<T> {
    fn new(columns: usize, units: usize, safe: usize, value: impl Fn(usize, usize) -> T) -> Self {
        let in_tile = units.next_multiple_of(COINS);
        let mut rows = vec![Row([T::default(); WIDTH]); columns.div_ceil(WIDTH) * in_tile];
        for column in 0..columns {
            let tile = &mut rows[column / WIDTH * in_tile..][..units];
            for (unit, row) in tile.iter_mut().enumerate() {
                row.0[column % WIDTH] = value(column, unit);
            }
        }
        Self {
            rows,
            in_tile,
            safe,
        }
    }

    fn tile(&self, tile: usize) -> &[Row<T>] {
        &self.rows[tile * self.in_tile..][..self.in_tile]
    }
}

/// A type that statistics are kept in.
trait Cell: Copy + Default + Into<i64> {
    fn plus(self, other: Self) -> Self;
}

impl Cell for u16 {
    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        self.wrapping_add(other)
    }
}

impl Cell for i64 {
    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        self.wrapping_add(other)
    }
}

impl<T: Cell> Row<T> {
    #[inline(always)]
    fn plus(&self, other: &Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i].plus(other.0[i])))
    }

    #[inline(always)]
    fn add_to(&self, sums: &mut [i64]) {
        for (sum, &value) in sums.iter_mut().zip(&self.0) {
            *sum = sum.wrapping_add(value.into());
        }
    }
}

struct AddPicks<'a, T> {
    tiles: &'a Tiles<T>,
    picks: &'a [u32],
    tile: usize,
    sums: &'a mut [i64],
}

impl<T: Cell> Task for AddPicks<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run<I: Isa>(self, _: I) {
        let rows = self.tiles.tile(self.tile);
        for picks in self.picks.chunks(self.tiles.safe) {
            let mut sum = Row([T::default(); WIDTH]);
            for &pick in picks {
                sum = sum.plus(&rows[pick as usize]);
            }
            sum.add_to(self.sums);
        }
    }
}

struct AddHeads<'a, T, F> {
    tiles: &'a Tiles<T>,
    tile: usize,
    units: usize,
    coins: F,
    /// The columns of the tile, for each resample.
    sums: Vec<&'a mut [i64]>,
}

impl<T: Cell, F: Fn(usize, usize) -> u64> Task for AddHeads<'_, T, F> {
    type Output = ();

    /// Eight units at a time: each of the 256 sums that their coins can make is computed once for
    /// all resamples, which is an eighth of the additions (Arlazarov and others 1970).
    #[inline(always)]
    fn run<I: Isa>(mut self, _: I) {
        let rows = self.tiles.tile(self.tile);
        let mut table = [Row([T::default(); WIDTH]); 256];
        let mut open = vec![Row([T::default(); WIDTH]); self.sums.len()];
        let mut words = vec![0; self.sums.len()];
        let mut added = 0;
        for (j, rows) in rows.chunks_exact(COINS).enumerate() {
            if added + COINS > self.tiles.safe {
                self.close(&mut open);
                added = 0;
            }
            added += COINS;
            for (resample, word) in words.iter_mut().enumerate() {
                *word = (self.coins)(resample, j);
            }
            let left = (self.units - COINS * j).min(COINS);
            for (byte, eight) in rows[..left.next_multiple_of(8)].chunks_exact(8).enumerate() {
                for (i, row) in eight.iter().enumerate() {
                    let (known, new) = table.split_at_mut(1 << i);
                    for (new, known) in new.iter_mut().zip(known) {
                        *new = known.plus(row);
                    }
                }
                for (sum, &word) in open.iter_mut().zip(&words) {
                    *sum = sum.plus(&table[usize::from((word >> (8 * byte)) as u8)]);
                }
            }
        }
        self.close(&mut open);
    }
}

impl<T: Cell, F> AddHeads<'_, T, F> {
    #[inline(always)]
    fn close(&mut self, open: &mut [Row<T>]) {
        for (sum, row) in self.sums.iter_mut().zip(open) {
            row.add_to(sum);
            *row = Row([T::default(); WIDTH]);
        }
    }
}
