//! A matrix in parts that threads take: some of its rows, within a block of references.

use crate::shares::{PARTS_PER_WORKER, Queue, employ};

/// The documents that are candidates, and where the scores of each go.
pub(crate) type Rows<'a> = Vec<(usize, &'a mut [f64])>;

/// Rows where a block of references begins: the scores are those against this block.
pub(crate) struct Part<'a> {
    pub begin: usize,
    pub rows: Rows<'a>,
}

/// The parts that a thread takes, one after the other.
pub(crate) struct Parts<'a, 'b> {
    queue: &'a Queue<Part<'b>>,
    from_back: bool,
}

impl<'b> Iterator for Parts<'_, 'b> {
    type Item = Part<'b>;

    fn next(&mut self) -> Option<Part<'b>> {
        self.queue.next(self.from_back)
    }
}

/// The rows of a matrix of so many columns; `first` is the document of the first.
pub(crate) fn rows(scores: &mut [f64], columns: usize, first: usize) -> Rows<'_> {
    (first..).zip(scores.chunks_mut(columns.max(1))).collect()
}

/// Shares `rows` of so many columns out among as many threads as `workers`, in blocks of `lanes`
/// references; each is told its number.
pub(crate) fn in_blocks(
    mut rows: Rows<'_>,
    columns: usize,
    lanes: usize,
    workers: usize,
    worker: impl Fn(usize, Parts<'_, '_>) + Sync,
) {
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
    let queue = &Queue::new(parts.into_iter());
    // A worker fills the sets of a block once, if it begins at the other end than the last.
    employ(workers, |number| {
        let from_back = number % 2 == 1;
        worker(number, Parts { queue, from_back });
    });
}
