//! A matrix in parts that threads take: some of its rows, within a block of references.

use std::vec;

use crate::run::parallel::{PARTS_PER_WORKER, Queue};

/// The documents that are candidates, and where the scores of each go.
pub(crate) type MatrixRows<'a> = Vec<(usize, &'a mut [f64])>;

/// Rows of the matrix where a block of references begins: the scores are those against this block.
pub(crate) struct Part<'a> {
    pub begin: usize,
    pub rows: MatrixRows<'a>,
}

/// The parts of a matrix that nobody has taken.
pub(crate) struct Parts<'a>(Queue<vec::IntoIter<Part<'a>>>);

/// The rows of a matrix of so many columns; `first` is the document of the first.
pub(crate) fn rows(scores: &mut [f64], columns: usize, first: usize) -> MatrixRows<'_> {
    (first..).zip(scores.chunks_mut(columns.max(1))).collect()
}

impl<'a> Parts<'a> {
    /// Of `rows` of so many columns, in blocks of `lanes` references, for so many threads.
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
            loop {
                let rows: Vec<_> = block.by_ref().take(size).collect();
                if rows.is_empty() {
                    break;
                }
                parts.push(Part { begin, rows });
            }
        }
        Self(Queue::new(parts.into_iter()))
    }

    /// Those that a thread takes, one after the other. A thread fills the sets of a block once, if
    /// it begins at the other end than the last.
    pub fn taken_by(&self, number: usize) -> impl Iterator<Item = Part<'a>> {
        std::iter::from_fn(move || match number % 2 {
            0 => self.0.next(),
            _ => self.0.next_back(),
        })
    }
}
