//! Many segments at once, on one thread or several. Threads never change a result: each row is
//! computed alone, and integers add in any order.

use std::ops::Range;

use crate::combine;
use crate::count::LANES;
use crate::plan::Plan;
use crate::read::{Buffers, prefetch_next, read, read_pair};
use crate::room;
use crate::shares::{PARTS_PER_WORKER, share};
use crate::simd::{Isa, Task, dispatch};
use crate::stats;
use crate::stop::did;
use crate::tokenize::Tokens;
use crate::views::{BadSegment, Corpus, Segments};

/// Steps that a score takes.
const SCORE: usize = 1 << 7;
/// Fewest segments that are worth a thread: starting one takes about as long as 200 segments.
const SEGMENTS_PER_THREAD: usize = 5_000;
/// Steps that eight usual segments take; long ones are counted where they are read.
const EIGHT: usize = 1 << 12;
/// Steps that it takes to copy a token.
const TOKEN: usize = 1 << 5;
/// Scores that are copied in a row.
const CHUNK: usize = 1 << 16;
/// Tokens of such a segment.
const TOKENS_PER_SEGMENT: usize = 25;

/// The row of each segment, one after the other.
pub fn rows(plan: &Plan, corpus: &Corpus, threads: usize) -> Result<Vec<i64>, BadSegment> {
    let width = plan.width();
    let mut rows = vec![0; corpus.len() * width];
    let workers = workers(corpus, threads);
    in_parallel(corpus.len(), workers, &mut rows, width, |range, rows| {
        let mut next = rows.chunks_exact_mut(width);
        for_each_row(plan, corpus, range, |row| {
            if let Some(slot) = next.next() {
                slot.copy_from_slice(row);
            }
        })
    })?;
    Ok(rows)
}

/// The row of a corpus of one segment.
pub fn row(plan: &Plan, corpus: &Corpus) -> Result<Vec<i64>, BadSegment> {
    let mut found = Vec::new();
    for_each_row(plan, corpus, 0..1, |row| found.extend_from_slice(row))?;
    Ok(found)
}

/// The sum of all rows.
pub fn total(plan: &Plan, corpus: &Corpus, threads: usize) -> Result<Vec<i64>, BadSegment> {
    let workers = workers(corpus, threads);
    sum_in_parallel(corpus.len(), workers, plan.width(), |range, sum| {
        for_each_row(plan, corpus, range, |row| stats::add(sum, row))
    })
}

/// The score of each segment by itself.
pub fn scores(plan: &Plan, corpus: &Corpus, threads: usize) -> Result<Vec<f64>, BadSegment> {
    let mut scores = vec![0.0; corpus.len()];
    let workers = workers(corpus, threads);
    in_parallel(corpus.len(), workers, &mut scores, 1, |range, scores| {
        let mut next = scores.iter_mut();
        let mut precisions = Vec::new();
        for_each_row(plan, corpus, range, |row| {
            if let Some(slot) = next.next() {
                *slot = combine::score(&plan.combine, row, &mut precisions).0;
            }
        })
    })?;
    Ok(scores)
}

/// The scores of each prefix of each segment, one token long, two and so on; and how many there are
/// of each segment.
pub fn prefixes(
    plan: &Plan,
    corpus: &Corpus,
    threads: usize,
) -> Result<(Vec<f64>, Vec<usize>), BadSegment> {
    let mut lengths = vec![0; corpus.len()];
    let workers = workers(corpus, threads);
    let size = part_size(corpus.len(), workers);
    let mut scores = vec![Vec::new(); corpus.len().div_ceil(size)];
    let parts = lengths.chunks_mut(size).zip(&mut scores).enumerate();
    share(workers, parts, |(i, (lengths, scores))| {
        let task = Prefixes {
            plan,
            corpus,
            start: i * size,
            lengths,
            scores,
        };
        dispatch(plan.level, task)
    })?;
    let mut all = Vec::with_capacity(scores.iter().map(Vec::len).sum());
    for part in scores {
        for some in part.chunks(CHUNK) {
            all.extend_from_slice(some);
            did(4 * some.len());
        }
    }
    Ok((all, lengths))
}

/// The score of each row by itself.
pub fn values(plan: &Plan, rows: &[i64]) -> Vec<f64> {
    let mut precisions = Vec::new();
    rows.chunks_exact(plan.width())
        .map(|row| {
            did(SCORE);
            combine::score(&plan.combine, row, &mut precisions).0
        })
        .collect()
}

/// Score, brevity penalty and precisions of each row, one row behind the other.
pub fn parts(plan: &Plan, rows: &[i64]) -> Vec<f64> {
    let mut parts = Vec::with_capacity(rows.len() / plan.width() * (2 + plan.combine.orders));
    for row in rows.chunks_exact(plan.width()) {
        let combined = combine::combine(&plan.combine, row);
        parts.extend([combined.value, combined.bp]);
        parts.extend(combined.precisions);
        did(SCORE);
    }
    parts
}

/// The tokens of each text, as the plan's tokenizer sees them.
pub fn tokens(plan: &Plan, segments: &Segments) -> Result<Vec<Vec<Vec<u8>>>, BadSegment> {
    dispatch(plan.level, Tokenize { plan, segments })
}

/// How many threads a batch gets.
fn workers(corpus: &Corpus, threads: usize) -> usize {
    // Samples of a model may be few and long.
    let segments = corpus.len().max(corpus.hyps.ids() / TOKENS_PER_SEGMENT);
    let worth = (segments / SEGMENTS_PER_THREAD).clamp(1, threads.max(1));
    worth.min(corpus.len().max(1))
}

/// Segments of a part, of which whole lanes are full.
fn part_size(segments: usize, workers: usize) -> usize {
    let parts = if workers == 1 {
        1
    } else {
        PARTS_PER_WORKER * workers
    };
    segments.div_ceil(parts).max(1).next_multiple_of(LANES)
}

/// Shares `segments`, and `out` with `per_segment` values for each, among as many threads.
pub(crate) fn in_parallel<T: Send>(
    segments: usize,
    workers: usize,
    out: &mut [T],
    per_segment: usize,
    work: impl Fn(Range<usize>, &mut [T]) -> Result<(), BadSegment> + Sync,
) -> Result<(), BadSegment> {
    let size = part_size(segments, workers);
    let parts = out.chunks_mut(size * per_segment).enumerate();
    share(workers, parts, |(i, out)| {
        let start = i * size;
        work(start..start + out.len() / per_segment, out)
    })
}

/// Shares `segments` among as many threads, and adds the rows that `work` sums for each part.
pub(crate) fn sum_in_parallel(
    segments: usize,
    workers: usize,
    width: usize,
    work: impl Fn(Range<usize>, &mut [i64]) -> Result<(), BadSegment> + Sync,
) -> Result<Vec<i64>, BadSegment> {
    let size = part_size(segments, workers);
    let mut sums = vec![0; width * segments.div_ceil(size)];
    let parts = sums.chunks_exact_mut(width).enumerate();
    share(workers, parts, |(i, sum)| {
        work(i * size..segments.min((i + 1) * size), sum)
    })?;
    let mut total = vec![0; width];
    for sum in sums.chunks_exact(width) {
        stats::add(&mut total, sum);
    }
    Ok(total)
}

fn for_each_row(
    plan: &Plan,
    corpus: &Corpus,
    range: Range<usize>,
    sink: impl FnMut(&[i64]),
) -> Result<(), BadSegment> {
    dispatch(
        plan.level,
        Rows {
            plan,
            corpus,
            range,
            sink,
        },
    )
}

struct Rows<'a, S> {
    plan: &'a Plan,
    corpus: &'a Corpus<'a>,
    range: Range<usize>,
    sink: S,
}

impl<S: FnMut(&[i64])> Task for Rows<'_, S> {
    type Output = Result<(), BadSegment>;

    #[inline(always)]
    fn run<I: Isa>(mut self, isa: I) -> Self::Output {
        let Self { plan, corpus, .. } = self;
        let mut rows = vec![0; LANES * plan.width()];
        let mut buffers = Buffers::take();
        let Buffers { hyp, refs, counter } = &mut *buffers;
        let end = self.range.end;
        let mut present = 0..0;
        for start in self.range.step_by(LANES) {
            let eight = start..end.min(start + LANES);
            prefetch_next(&corpus.hyps, eight.end..end.min(eight.end + LANES));
            let next_refs = corpus.references(eight.end - 1).end;
            prefetch_next(&corpus.refs, next_refs..next_refs + LANES);
            let rows = &mut rows[..eight.len() * plan.width()];
            for (lane, (segment, row)) in eight.zip(rows.chunks_mut(plan.width())).enumerate() {
                let refs = read_pair(isa, plan, corpus, segment, &mut present, hyp, refs)?;
                counter.count(isa, &plan.count, hyp, refs, lane, row);
            }
            counter.finish(&plan.count, rows);
            for row in rows.chunks(plan.width()) {
                (self.sink)(row);
            }
            did(EIGHT);
        }
        buffers.keep();
        Ok(())
    }
}

struct Prefixes<'a> {
    plan: &'a Plan,
    corpus: &'a Corpus<'a>,
    start: usize,
    lengths: &'a mut [usize],
    scores: &'a mut Vec<f64>,
}

impl Task for Prefixes<'_> {
    type Output = Result<(), BadSegment>;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Self::Output {
        let Self { plan, corpus, .. } = self;
        let mut buffers = Buffers::take();
        let Buffers { hyp, refs, counter } = &mut *buffers;
        let (mut rows, mut precisions) = (Vec::new(), Vec::new());
        let mut present = 0..0;
        for (segment, length) in (self.start..).zip(self.lengths) {
            let refs = read_pair(isa, plan, corpus, segment, &mut present, hyp, refs)?;
            room::check(8 * plan.width() * hyp.len()).map_err(|no_room| BadSegment {
                fault: no_room.into(),
                in_refs: false,
                position: segment,
            })?;
            counter.prefixes(isa, &plan.count, hyp, refs, &mut rows);
            *length = hyp.len();
            did(EIGHT / 8 + rows.len());
            let score = |row| {
                did(SCORE);
                combine::score(&plan.combine, row, &mut precisions).0
            };
            self.scores
                .extend(rows.chunks_exact(plan.width()).map(score));
        }
        buffers.keep();
        Ok(())
    }
}

struct Tokenize<'a> {
    plan: &'a Plan,
    segments: &'a Segments<'a>,
}

impl Task for Tokenize<'_> {
    type Output = Result<Vec<Vec<Vec<u8>>>, BadSegment>;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Self::Output {
        let mut tokens = Tokens::default();
        let mut lists = Vec::with_capacity(self.segments.len());
        for position in 0..self.segments.len() {
            read(isa, self.plan, self.segments, position, &mut tokens).map_err(|fault| {
                BadSegment {
                    fault,
                    in_refs: false,
                    position,
                }
            })?;
            did(EIGHT / 8);
            let token = |i| {
                did(TOKEN);
                tokens.token(i).to_vec()
            };
            lists.push((0..tokens.len()).map(token).collect());
        }
        Ok(lists)
    }
}
