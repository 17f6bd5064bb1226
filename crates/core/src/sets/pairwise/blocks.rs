//! Parts of a matrix for several threads: some of its rows, within a block of references.

use std::vec;

use crate::run::parallel::{PARTS_PER_WORKER, Queue};

/// The documents of candidates, and the places of their scores.
pub(crate) type MatrixRows<'a> = Vec<(usize, &'a mut [f64])>;

/// Rows of the matrix where a block of references begins: the scores are those against this block.
pub(crate) struct Part<'a> {
    pub begin: usize,
    pub rows: MatrixRows<'a>,
}

/// The parts of a matrix that no thread has taken.
pub(crate) struct Parts<'a>(Queue<vec::IntoIter<Part<'a>>>);

/// The rows of a matrix of this many columns; `first` is the document of the first.
pub(crate) fn rows(scores: &mut [f64], columns: usize, first: usize) -> MatrixRows<'_> {
    (first..).zip(scores.chunks_mut(columns.max(1))).collect()
}

impl<'a> Parts<'a> {
    /// The parts of `rows` of `columns` columns, in blocks of `lanes` references, for `workers`.
    pub fn new(mut rows: MatrixRows<'a>, columns: usize, lanes: usize, workers: usize) -> Self {
        let size = match workers {
            1 => rows.len(),
            _ => rows.len().div_ceil(PARTS_PER_WORKER * workers),
        };
        let mut parts = Vec::new();
        for begin in (0..columns).step_by(lanes) {
            let width = lanes.min(columns - begin);
            let mut block = rows.iter_mut().map(|(document, scores)| {
                let (own, behind) = std::mem::take(scores).split_at_mut(width);
                *scores = behind;
                (*document, own)
            });
            while block.len() > 0 {
                let rows = block.by_ref().take(size).collect();
                parts.push(Part { begin, rows });
            }
        }
        Self(Queue::new(parts.into_iter()))
    }

    /// The parts of one thread. Every other thread begins at the end, so that each rarely changes the
    /// block.
    pub fn taken_by(&self, number: usize) -> impl Iterator<Item = Part<'a>> {
        std::iter::from_fn(move || match number % 2 {
            0 => self.0.next(),
            _ => self.0.next_back(),
        })
    }
}
