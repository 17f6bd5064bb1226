//! Runs the five decisions of a [`Plan`] over many segments: BLEU as a metric.

use std::cmp::Reverse;
use std::ops::Range;

use crate::columns::views::{Corpus, Fault, Outcome, Segments, Sides};
use crate::combine::{self, Combine, Join, Rounding};
use crate::count::{self, Counter, ROWS};
use crate::metric::{self, Count, Metric, Sink};
use crate::plan::Plan;
use crate::resample::Resampled;
use crate::run::batch::sum_in_parallel;
use crate::run::read::{Pairs, SegmentBuffers, read};
use crate::run::{interrupt, memory, parallel};
use crate::sets::pairwise;
use crate::simd::{Isa, Level, Task, dispatch};
use crate::stats;
use crate::tokenize::Tokens;

/// Fewest segments worth a thread: to start one takes as long as 200 segments.
const SEGMENTS_PER_THREAD: usize = 5_000;
/// Tokens of a usual segment.
const TOKENS_PER_SEGMENT: usize = 25;
/// Rows between two checks for interrupts.
const UNCHECKED: usize = 64;

impl Metric for Plan {
    fn level(&self) -> Level {
        self.level
    }

    fn width(&self) -> usize {
        self.width()
    }

    fn workers(&self, corpus: &Corpus, threads: usize) -> usize {
        // Segments may have many references, and samples of a model may be few and long.
        let texts = corpus.len().midpoint(corpus.refs.len()).max(corpus.len());
        let segments = texts.max(corpus.hyps.ids() / TOKENS_PER_SEGMENT);
        parallel::workers(segments, SEGMENTS_PER_THREAD, threads).min(corpus.len().max(1))
    }

    fn for_each_row(&self, corpus: &Corpus, range: Range<usize>, sink: Sink) -> Outcome {
        metric::for_each_row(self, corpus, range, sink)
    }

    fn value(&self, row: &[i64], precisions: &mut Vec<f64>) -> f64 {
        combine::corpus_score(&self.combine, row, precisions).0
    }

    fn pairs(&self, sides: Sides, exact: bool, threads: usize, scores: &mut [f64]) -> Outcome {
        pairwise::fill(self, sides, exact, threads, scores)
    }

    fn tokens(&self, segments: &Segments) -> Outcome<Vec<Vec<Vec<u8>>>> {
        let tokenize = Tokenize {
            plan: self,
            segments,
        };
        dispatch(self.level, tokenize)
    }

    fn reads_letters(&self) -> bool {
        self.reads_letters()
    }
}

impl Resampled for Plan {
    fn value_in_floats(&self, row: &[i64], precisions: &mut Vec<f64>) -> f64 {
        let combine = Combine {
            // CrystalBLEU, which sacreBLEU lacks, is not rounded.
            rounding: match &self.count.ignored {
                None => Rounding::Precisions,
                Some(_) => self.combine.rounding,
            },
            ..self.combine.clone()
        };
        combine::corpus_score(&combine, row, precisions).0
    }
}

/// The sum of the rows of each plan. What several read or count alike is read or counted once.
pub fn totals(plans: &[&Plan], corpus: &Corpus, threads: usize) -> Outcome<Vec<Vec<i64>>> {
    let mut totals: Vec<_> = plans.iter().map(|plan| vec![0; plan.width()]).collect();
    let mut rest: Vec<_> = (0..plans.len()).collect();
    // Plans of more orders are counted before those that need fewer.
    rest.sort_by_key(|&i| Reverse(plans[i].count.counted));
    while let Some(&first) = rest.first() {
        let alike: Vec<_> = rest
            .extract_if(.., |&mut i| plans[i].reads_as(plans[first]))
            .collect();
        let group: Vec<_> = alike.iter().map(|&i| plans[i]).collect();
        let width = group.iter().map(|plan| plan.width()).sum();
        let workers = group[0].workers(corpus, threads);
        let sums = sum_in_parallel(corpus.len(), workers, width, |range, sums| {
            let task = SumRows {
                plans: &group,
                corpus,
                range,
                sums,
            };
            dispatch(group[0].level, task)
        })?;
        let mut sums = sums.as_slice();
        for i in alike {
            let sum = sums.split_off(..plans[i].width()).unwrap_or_default();
            totals[i].copy_from_slice(sum);
        }
    }
    Ok(totals)
}

/// The scores of all prefixes of each segment (one token, two tokens, ...), and their number for each
/// segment.
pub fn prefixes(plan: &Plan, corpus: &Corpus, threads: usize) -> Outcome<(Vec<f64>, Vec<usize>)> {
    let mut lengths = vec![0; corpus.len()];
    let workers = plan.workers(corpus, threads);
    let size = parallel::part_size(corpus.len(), workers);
    let mut scores = vec![Vec::new(); corpus.len().div_ceil(size)];
    let parts = lengths.chunks_mut(size).zip(&mut scores).enumerate();
    parallel::for_each(workers, parts, |(i, (lengths, scores))| {
        let task = Prefixes {
            plan,
            corpus,
            start: i * size,
            lengths,
            scores,
        };
        dispatch(plan.level, task)
    })?;
    Ok((scores.concat(), lengths))
}

/// Score, brevity penalty and precisions of each row, one row after the other.
pub fn parts(plan: &Plan, rows: &[i64]) -> Vec<f64> {
    let mut parts = Vec::with_capacity(rows.len() / plan.width() * (2 + plan.combine.orders));
    for rows in rows.chunks(UNCHECKED * plan.width()) {
        interrupt::check();
        for row in rows.chunks_exact(plan.width()) {
            let combined = combine::combine(&plan.combine, row);
            parts.extend([combined.value, combined.bp]);
            parts.extend(combined.precisions);
        }
    }
    parts
}

/// The score of each row, if smoothing that reads other orders reads the row of `last` at its place.
pub fn values_after(plan: &Plan, rows: &[i64], last: &[i64]) -> Vec<f64> {
    let mut precisions = Vec::new();
    let pairs = rows
        .chunks_exact(plan.width())
        .zip(last.chunks_exact(plan.width()));
    pairs
        .map(|(row, last)| combine::score_after(&plan.combine, row, last, &mut precisions).0)
        .collect()
}

/// The row of a corpus whose segments have these rows of counts alone, without what the plan notes.
pub fn joined(plan: &Plan, counts: &[i64]) -> Vec<i64> {
    let (counted, half) = (plan.count.counted, 2 + plan.count.orders);
    let (mut row, mut sum) = (vec![0; plan.width()], vec![0; plan.width()]);
    for counts in counts.chunks_exact(stats::width(counted)) {
        let (before, totals) = counts.split_at(2 + counted);
        row[..2 + counted].copy_from_slice(before);
        row[half..half + counted].copy_from_slice(totals);
        combine::note_segment(&plan.combine, &mut row);
        stats::add(&mut sum, &row);
    }
    sum
}

/// The reference length of each segment, by the lengths of its hypothesis and of its references;
/// negative ones are absent.
pub fn ref_lens(plan: &Plan, hyps: &[i64], refs: &[i64]) -> Vec<i64> {
    let of_segment = (refs.len() / hyps.len().max(1)).max(1);
    let pairs = hyps.iter().zip(refs.chunks_exact(of_segment));
    let choose = |(&hyp, refs): (&i64, &[i64])| {
        let present: Vec<_> = refs.iter().filter(|&&length| length >= 0).collect();
        let lengths = present.iter().map(|&&length| length as usize);
        count::ref_len(plan.count.ref_len, hyp as usize, lengths) as i64
    };
    pairs.map(choose).collect()
}

impl Count for Plan {
    #[inline(always)]
    fn count<I: Isa>(&self, isa: I, corpus: &Corpus, range: Range<usize>, sink: Sink) -> Outcome {
        let plan = self;
        let mut rows = vec![0; range.len().min(ROWS) * plan.width()];
        let mut buffers = SegmentBuffers::take();
        let SegmentBuffers { hyp, refs, counter } = &mut *buffers;
        let end = range.end;
        let mut pairs = Pairs::new(plan, corpus);
        for start in range.step_by(ROWS) {
            interrupt::check();
            let some = start..end.min(start + ROWS);
            let rows = &mut rows[..some.len() * plan.width()];
            let next = some.end;
            for (row, segment) in some.enumerate() {
                let refs = pairs.read(isa, segment, next, hyp, refs)?;
                counter.count(isa, &plan.count, hyp, refs, rows, row);
            }
            counter.finish(isa, &plan.count, rows);
            if plan.combine.join != Join::Rows {
                for row in rows.chunks_mut(plan.width()) {
                    combine::note_segment(&plan.combine, row);
                }
            }
            for row in rows.chunks(plan.width()) {
                sink(row);
            }
        }
        buffers.keep();
        Ok(())
    }
}

/// Adds the rows of plans that read alike, one after the other; `sums` holds a row of each.
struct SumRows<'a> {
    plans: &'a [&'a Plan],
    corpus: &'a Corpus<'a>,
    range: Range<usize>,
    sums: &'a mut [i64],
}

impl Task for SumRows<'_> {
    type Output = Outcome;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Self::Output {
        let Self { plans, corpus, .. } = self;
        let several = corpus.ref_counts().1 > 1;
        // For each plan, an earlier one that counts its matches, too.
        let sources: Vec<_> = plans
            .iter()
            .enumerate()
            .map(|(i, plan)| {
                plans[..i]
                    .iter()
                    .position(|other| plan.count.matches_as(&other.count, several))
            })
            .collect();
        let mut rows: Vec<_> = plans
            .iter()
            .map(|plan| vec![0; ROWS * plan.width()])
            .collect();
        let mut counters: Vec<_> = plans.iter().map(|_| Counter::default()).collect();
        let mut buffers = SegmentBuffers::take();
        let SegmentBuffers { hyp, refs, .. } = &mut *buffers;
        let end = self.range.end;
        let mut pairs = Pairs::new(plans[0], corpus);
        for start in self.range.step_by(ROWS) {
            interrupt::check();
            let some = start..end.min(start + ROWS);
            for (at, segment) in some.clone().enumerate() {
                let refs = pairs.read(isa, segment, some.end, hyp, refs)?;
                for (i, (plan, rows)) in plans.iter().zip(&mut rows).enumerate() {
                    if sources[i].is_none() {
                        counters[i].count(isa, &plan.count, hyp, refs, rows, at);
                    } else {
                        let row = &mut rows[at * plan.width()..][..plan.width()];
                        count::lengths(&plan.count, hyp, refs.iter().map(Tokens::len), row);
                    }
                }
            }
            let mut sums = &mut *self.sums;
            for (i, plan) in plans.iter().enumerate() {
                let (before, rest) = rows.split_at_mut(i);
                let rows = &mut rest[0][..some.len() * plan.width()];
                if let Some(source) = sources[i] {
                    let of_source = before[source].chunks(plans[source].width());
                    for (row, from) in rows.chunks_mut(plan.width()).zip(of_source) {
                        let counted = 2..2 + plan.count.counted;
                        row[counted.clone()].copy_from_slice(&from[counted]);
                    }
                } else {
                    counters[i].finish(isa, &plan.count, rows);
                }
                let sum = sums.split_off_mut(..plan.width()).unwrap_or_default();
                for row in rows.chunks_mut(plan.width()) {
                    if plan.combine.join != Join::Rows {
                        combine::note_segment(&plan.combine, row);
                    }
                    stats::add(sum, row);
                }
            }
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
    type Output = Outcome;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Self::Output {
        let Self { plan, corpus, .. } = self;
        let mut buffers = SegmentBuffers::take();
        let SegmentBuffers { hyp, refs, counter } = &mut *buffers;
        let (mut rows, mut precisions) = (Vec::new(), Vec::new());
        let mut pairs = Pairs::new(plan, corpus);
        for (segment, length) in (self.start..).zip(self.lengths) {
            let refs = pairs.read(isa, segment, segment + 1, hyp, refs)?;
            memory::check(8 * plan.width() * hyp.len())
                .map_err(|error| Fault::from(error).at(false, segment))?;
            counter.prefixes(isa, &plan.count, hyp, refs, &mut rows);
            *length = hyp.len();
            interrupt::check();
            let score = |row| combine::score(&plan.combine, row, &mut precisions).0;
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
    type Output = Outcome<Vec<Vec<Vec<u8>>>>;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Self::Output {
        let mut tokens = Tokens::default();
        let mut lists = Vec::with_capacity(self.segments.len());
        for position in 0..self.segments.len() {
            read(isa, self.plan, self.segments, position, &mut tokens)
                .map_err(|fault| fault.at(false, position))?;
            interrupt::check();
            let token = |i| tokens.token(i).to_vec();
            lists.push((0..tokens.len()).map(token).collect());
        }
        Ok(lists)
    }
}
