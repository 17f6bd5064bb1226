//! Edit distances between words: a matrix within a band, as sacreBLEU computes it, and a faster way to
//! most distances, with one step for 64 words of the reference.

use super::moves::Move;
use crate::run::interrupt;

/// Width of the band on either side of the diagonal.
const BAND: usize = 25;
/// Outside of the band.
const INFINITE: u32 = 1 << 30;

/// Steps from one cell of the matrix to the next; 1 replaces a word by another.
const SAME: u8 = 0;
const DELETE: u8 = 2;
const INSERT: u8 = 3;

/// The columns of the band in row `i` of the matrix, before word `i` of the hypothesis. Row 0 has all
/// columns.
fn band(i: usize, hyp_len: usize, ref_len: usize) -> std::ops::Range<usize> {
    let ratio = ref_len as f64 / hyp_len as f64;
    let width = if (BAND as f64) < ratio / 2.0 {
        (ratio / 2.0 + BAND as f64).ceil() as usize
    } else {
        BAND
    };
    let diagonal = (i as f64 * ratio).floor() as usize;
    let end = if i == hyp_len {
        ref_len + 1
    } else {
        (ref_len + 1).min(diagonal + width)
    };
    diagonal.saturating_sub(width)..end
}

/// Distances between the first words of the hypothesis and the first words of the reference.
#[derive(Debug, Default)]
pub struct Matrix {
    costs: Vec<u32>,
    steps: Vec<u8>,
    width: usize,
    /// Two rows, and the words, of a hypothesis with a block moved.
    rows: [Vec<u32>; 2],
    moved: Vec<u32>,
}

impl Matrix {
    /// Fills the matrix; returns the distance.
    pub fn fill(&mut self, hyp: &[u32], reference: &[u32]) -> usize {
        self.width = reference.len() + 1;
        let cells = self.width * (hyp.len() + 1);
        self.costs.clear();
        self.costs.resize(cells, INFINITE);
        self.steps.clear();
        self.steps.resize(cells, INSERT);
        for (j, cost) in self.costs[..self.width].iter_mut().enumerate() {
            *cost = j as u32;
        }
        for (i, &word) in hyp.iter().enumerate() {
            let (before, row) = self.costs.split_at_mut((i + 1) * self.width);
            let before = &before[i * self.width..];
            let steps = &mut self.steps[(i + 1) * self.width..];
            let columns = band(i + 1, hyp.len(), reference.len());
            for (j, step) in columns.clone().zip(&mut steps[columns]) {
                (row[j], *step) = cell(before, row, j, word, reference);
            }
        }
        self.costs[cells - 1] as usize
    }

    /// The distance of the hypothesis with a block moved; [`Matrix::fill`] was called without.
    pub fn distance(&mut self, hyp: &[u32], reference: &[u32], moved: Move) -> usize {
        interrupt::check();
        let (kept, parts) = moved.apply(hyp);
        let [mut before, mut row] = std::mem::take(&mut self.rows);
        self.moved.clear();
        self.moved.extend(parts.into_iter().flatten());
        before.clear();
        before.extend_from_slice(&self.costs[kept * self.width..][..self.width]);
        row.clear();
        for (i, &word) in self.moved.iter().enumerate() {
            row.clear();
            row.resize(self.width, INFINITE);
            for j in band(kept + i + 1, hyp.len(), reference.len()) {
                row[j] = cell(&before, &row, j, word, reference).0;
            }
            std::mem::swap(&mut before, &mut row);
        }
        let distance = before[reference.len()] as usize;
        self.rows = [before, row];
        distance
    }

    /// Walks from the end to the start. Gives `sink` for each step whether it consumes a word of the
    /// hypothesis, one of the reference, whether it is an error, and the numbers of words up to here.
    pub fn trace(
        &self,
        hyp_len: usize,
        ref_len: usize,
        mut sink: impl FnMut(bool, bool, bool, (usize, usize)),
    ) {
        let (mut i, mut j) = (hyp_len, ref_len);
        while i > 0 || j > 0 {
            let step = self.steps[i * self.width + j];
            let (in_hyp, in_ref) = (step != INSERT, step != DELETE);
            sink(in_hyp, in_ref, step != SAME, (i, j));
            i -= usize::from(in_hyp);
            j -= usize::from(in_ref);
        }
    }
}

/// A cell and the step that led to it. With a tie, substitution comes first, then deletion, then
/// insertion.
#[inline(always)]
fn cell(before: &[u32], row: &[u32], j: usize, word: u32, reference: &[u32]) -> (u32, u8) {
    let delete = before[j] + 1;
    if j == 0 {
        return (delete, DELETE);
    }
    let differs = word != reference[j - 1];
    let mut best = (before[j - 1] + u32::from(differs), SAME + u8::from(differs));
    for other in [(delete, DELETE), (row[j - 1] + 1, INSERT)] {
        if other.0 < best.0 {
            best = other;
        }
    }
    if best.0 < INFINITE {
        best
    } else {
        (INFINITE, best.1)
    }
}

/// The same distances by bits (Myers 1999): a row of the matrix as its steps, up or down by one, from
/// one word of the reference to the next.
#[derive(Debug, Default)]
pub struct Bits {
    /// Blocks of 64 words of the reference.
    blocks: usize,
    ref_len: usize,
    /// Where the reference has each word: `blocks` for each.
    masks: Vec<u64>,
    /// The row after each word of the hypothesis, `blocks` for each, and its last number.
    rows: Vec<Block>,
    distances: Vec<usize>,
    /// Distances from here on may differ within the band.
    limit: usize,
    moved: Vec<Block>,
}

/// 64 columns of a row: those with a step up, and those with a step down.
#[derive(Clone, Copy, Debug)]
struct Block {
    up: u64,
    down: u64,
}

/// Columns in which the next row is one more, and those in which it is one less.
#[derive(Clone, Copy, Debug)]
struct Across {
    more: u64,
    less: u64,
}

impl Block {
    /// The block of the next row, for a word that the reference has at `equal`; `left` is what
    /// becomes of the column before, in the lowest bit.
    #[inline(always)]
    fn next(self, equal: u64, left: Across) -> (Self, Across) {
        let Self { up, down } = self;
        let either = equal | down;
        let equal = equal | left.less;
        let met = ((equal & up).wrapping_add(up) ^ up) | equal;
        let across = Across {
            more: down | !(met | up),
            less: up & met,
        };
        let (more, less) = (across.more << 1 | left.more, across.less << 1 | left.less);
        let next = Self {
            up: less | !(either | more),
            down: more & either,
        };
        (next, across)
    }
}

/// Longest reference whose distances are computed by bits: the masks of longer ones take memory as
/// the square of their length.
const LONGEST: usize = 2_048;

/// Before the first column each row is one more than the row before.
const EDGE: Across = Across { more: 1, less: 0 };

impl Bits {
    pub fn prepare(&mut self, hyp_len: usize, reference: &[u32], distinct: usize) {
        self.ref_len = reference.len();
        if reference.len() > LONGEST {
            self.limit = 0;
            return;
        }
        self.blocks = reference.len().div_ceil(64);
        self.limit = limit(hyp_len, reference.len());
        self.masks.clear();
        self.masks.resize(self.blocks * distinct, 0);
        for (j, &word) in reference.iter().enumerate() {
            self.masks[word as usize * self.blocks + j / 64] |= 1 << (j % 64);
        }
    }

    /// Computes the rows of a hypothesis, in which blocks will be moved.
    pub fn read(&mut self, hyp: &[u32]) {
        if self.limit == 0 {
            return;
        }
        let mut row = std::mem::take(&mut self.moved);
        row.clear();
        row.resize(
            self.blocks,
            Block {
                up: u64::MAX,
                down: 0,
            },
        );
        let mut distance = self.ref_len;
        self.rows.clear();
        self.rows.extend_from_slice(&row);
        self.distances.clear();
        self.distances.push(distance);
        for &word in hyp {
            distance = self.step(&mut row, word, distance);
            self.rows.extend_from_slice(&row);
            self.distances.push(distance);
        }
        self.moved = row;
    }

    /// The distance with a block moved, if the band cannot change it.
    pub fn distance(&mut self, hyp: &[u32], moved: Move) -> Option<usize> {
        if self.limit == 0 {
            return None;
        }
        let (kept, parts) = moved.apply(hyp);
        let mut distance = self.distances[kept];
        if self.blocks == 1 {
            let top = self.ref_len - 1;
            let mut row = self.rows[kept];
            for part in parts {
                for &word in part {
                    let (next, across) = row.next(self.masks[word as usize], EDGE);
                    distance += (across.more >> top & 1) as usize;
                    distance -= (across.less >> top & 1) as usize;
                    row = next;
                }
            }
        } else {
            let mut row = std::mem::take(&mut self.moved);
            row.copy_from_slice(&self.rows[kept * self.blocks..][..self.blocks]);
            for &word in parts.into_iter().flatten() {
                distance = self.step(&mut row, word, distance);
            }
            self.moved = row;
        }
        (distance < self.limit).then_some(distance)
    }

    /// Makes `row` the next one; returns its last number.
    fn step(&self, row: &mut [Block], word: u32, distance: usize) -> usize {
        let masks = &self.masks[word as usize * self.blocks..][..self.blocks];
        let mut left = EDGE;
        let mut last = EDGE;
        for (block, &equal) in row.iter_mut().zip(masks) {
            (*block, last) = block.next(equal, left);
            left = Across {
                more: last.more >> 63,
                less: last.less >> 63,
            };
        }
        let top = (self.ref_len - 1) % 64;
        distance + (last.more >> top & 1) as usize - (last.less >> top & 1) as usize
    }
}

/// The smallest number of edits on a path that leaves the band. Shorter paths stay within the band,
/// which does not change them.
fn limit(hyp_len: usize, ref_len: usize) -> usize {
    let through = |i: usize, j: usize| i.abs_diff(j) + (hyp_len - i).abs_diff(ref_len - j);
    (1..=hyp_len)
        .flat_map(|i| {
            let columns = band(i, hyp_len, ref_len);
            // Paths farther from the diagonal need more edits.
            let left = columns.start.checked_sub(1);
            let right = (columns.end <= ref_len).then_some(columns.end);
            [left, right]
                .into_iter()
                .flatten()
                .map(move |j| through(i, j))
        })
        .min()
        .unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn words(longest: usize) -> impl Strategy<Value = Vec<u32>> {
        prop::collection::vec(0..5_u32, 1..longest)
    }

    proptest! {
        #[test]
        fn bits_and_matrix_agree(
            hyp in words(150), reference in words(150), start in 0..149_usize, length in 1..10_usize,
            target in 0..150_usize,
        ) {
            let start = start % hyp.len();
            let length = length.min(hyp.len() - start);
            let target = target % (hyp.len() + 1);
            let moved = Move { start, length, target };
            let (mut matrix, mut bits) = (Matrix::default(), Bits::default());
            matrix.fill(&hyp, &reference);
            bits.prepare(hyp.len(), &reference, 5);
            bits.read(&hyp);
            let expected = matrix.distance(&hyp, &reference, moved);
            if let Some(result) = bits.distance(&hyp, moved) {
                prop_assert_eq!(result, expected);
            } else {
                prop_assert!(expected >= bits.limit);
            }
            let (kept, parts) = moved.apply(&hyp);
            let words = [&hyp[..kept], parts[0], parts[1], parts[2]].concat();
            prop_assert_eq!(matrix.fill(&words, &reference), expected);
        }
    }
}
