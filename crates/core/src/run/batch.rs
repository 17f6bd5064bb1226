//! Scores many segments, on one thread or several. Threads never change a result: each row is
//! computed alone, and the order of integer additions does not matter.

use std::ops::Range;

use crate::columns::views::{Corpus, Outcome};
use crate::metric::Metric;
use crate::run::interrupt;
use crate::run::parallel::{self, part_size};
use crate::stats;

/// Rows between two checks for interrupts.
const UNCHECKED: usize = 64;

/// The row of each segment, one after the other.
pub fn rows<M: Metric + ?Sized>(metric: &M, corpus: &Corpus, threads: usize) -> Outcome<Vec<i64>> {
    let width = metric.width();
    let mut rows = vec![0; corpus.len() * width];
    let workers = metric.workers(corpus, threads);
    in_parallel(corpus.len(), workers, &mut rows, width, |range, rows| {
        let mut next = rows.chunks_exact_mut(width);
        metric.for_each_row(corpus, range, &mut |row| {
            if let Some(slot) = next.next() {
                slot.copy_from_slice(row);
            }
        })
    })?;
    Ok(rows)
}

/// The row of a corpus of one segment.
pub fn row(metric: &dyn Metric, corpus: &Corpus) -> Outcome<Vec<i64>> {
    let mut result = Vec::new();
    metric.for_each_row(corpus, 0..1, &mut |row| result.extend_from_slice(row))?;
    Ok(result)
}

/// The sum of all rows.
pub fn total(metric: &dyn Metric, corpus: &Corpus, threads: usize) -> Outcome<Vec<i64>> {
    let workers = metric.workers(corpus, threads);
    sum_in_parallel(corpus.len(), workers, metric.width(), |range, sum| {
        metric.for_each_row(corpus, range, &mut |row| stats::add(sum, row))
    })
}

/// The score of each segment by itself.
pub fn scores(metric: &dyn Metric, corpus: &Corpus, threads: usize) -> Outcome<Vec<f64>> {
    let mut scores = vec![0.0; corpus.len()];
    let workers = metric.workers(corpus, threads);
    in_parallel(corpus.len(), workers, &mut scores, 1, |range, scores| {
        let mut next = scores.iter_mut();
        let mut buffer = Vec::new();
        metric.for_each_row(corpus, range, &mut |row| {
            if let Some(slot) = next.next() {
                *slot = metric.value(row, &mut buffer);
            }
        })
    })?;
    Ok(scores)
}

/// The score of each row by itself.
pub fn values<M: Metric + ?Sized>(metric: &M, rows: &[i64]) -> Vec<f64> {
    let width = metric.width();
    let mut buffer = Vec::new();
    let mut values = Vec::with_capacity(rows.len() / width);
    for rows in rows.chunks(UNCHECKED * width) {
        interrupt::check();
        let rows = rows.chunks_exact(width);
        values.extend(rows.map(|row| metric.value(row, &mut buffer)));
    }
    values
}

/// Divides `segments`, and `out` with `per_segment` values for each, among the threads.
pub fn in_parallel<T: Send>(
    segments: usize,
    workers: usize,
    out: &mut [T],
    per_segment: usize,
    work: impl Fn(Range<usize>, &mut [T]) -> Outcome + Sync,
) -> Outcome {
    let size = part_size(segments, workers);
    let parts = out.chunks_mut(size * per_segment).enumerate();
    parallel::for_each(workers, parts, |(i, out)| {
        let start = i * size;
        work(start..start + out.len() / per_segment, out)
    })
}

/// Divides `segments` among the threads, and adds the rows that `work` sums for each part.
pub(crate) fn sum_in_parallel(
    segments: usize,
    workers: usize,
    width: usize,
    work: impl Fn(Range<usize>, &mut [i64]) -> Outcome + Sync,
) -> Outcome<Vec<i64>> {
    let size = part_size(segments, workers);
    let mut sums = vec![0; width * segments.div_ceil(size)];
    let parts = sums.chunks_exact_mut(width).enumerate();
    parallel::for_each(workers, parts, |(i, sum)| {
        work(i * size..segments.min((i + 1) * size), sum)
    })?;
    let mut total = vec![0; width];
    for sum in sums.chunks_exact(width) {
        stats::add(&mut total, sum);
    }
    Ok(total)
}
