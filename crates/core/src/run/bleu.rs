//! Runs the five decisions of a [`Plan`] over many segments: BLEU as a metric.

use std::ops::Range;

use crate::columns::views::{BadSegment, Corpus, Fault, Segments};
use crate::combine;
use crate::count::LANES;
use crate::metric::{EXACT, Metric};
use crate::plan::{Combine, Join, Plan, Rounding};
use crate::run::batch::part_size;
use crate::run::read::{Buffers, prefetch_next, read, read_pair};
use crate::run::{interrupt, memory, parallel};
use crate::sets::pairwise;
use crate::simd::{Isa, Level, Task, dispatch};
use crate::tokenize::Tokens;

/// Fewest segments worth a thread: to start one takes as long as 200 segments.
const SEGMENTS_PER_THREAD: usize = 5_000;
/// Tokens of a usual segment.
const TOKENS_PER_SEGMENT: usize = 25;
/// Segments or rows between two checks for interrupts.
const UNCHECKED: usize = 64;

impl Metric for Plan {
    fn level(&self) -> Level {
        self.level
    }

    fn width(&self) -> usize {
        self.width()
    }

    fn workers(&self, corpus: &Corpus, threads: usize) -> usize {
        // Samples of a model may be few and long.
        let segments = corpus.len().max(corpus.hyps.ids() / TOKENS_PER_SEGMENT);
        let worth = (segments / SEGMENTS_PER_THREAD).clamp(1, threads.max(1));
        worth.min(corpus.len().max(1))
    }

    fn for_each_row(
        &self,
        corpus: &Corpus,
        range: Range<usize>,
        sink: &mut dyn FnMut(&[i64]),
    ) -> Result<(), BadSegment> {
        let rows = CountRows {
            plan: self,
            corpus,
            range,
            sink,
        };
        dispatch(self.level, rows)
    }

    fn value(&self, row: &[i64], precisions: &mut Vec<f64>) -> f64 {
        combine::corpus_score(&self.combine, row, precisions).0
    }

    fn value_in_floats(&self, row: &[i64], precisions: &mut Vec<f64>) -> f64 {
        let combine = Combine {
            rounding: Rounding::Precisions,
            ..self.combine.clone()
        };
        combine::corpus_score(&combine, row, precisions).0
    }

    fn lost_in_floats(&self, row: &[i64]) -> Option<&'static str> {
        (!row.iter().all(|&sum| sum < EXACT)).then_some("16777216 n-grams or more")
    }

    fn pairs(
        &self,
        candidates: &Segments,
        references: Option<&Segments>,
        exact: bool,
        threads: usize,
        scores: &mut [f64],
    ) -> Result<(), BadSegment> {
        pairwise::fill(self, candidates, references, exact, threads, scores)
    }

    fn tokens(&self, segments: &Segments) -> Result<Vec<Vec<Vec<u8>>>, BadSegment> {
        let tokenize = Tokenize {
            plan: self,
            segments,
        };
        dispatch(self.level, tokenize)
    }

    fn plan(&self) -> Option<&Plan> {
        Some(self)
    }

    fn reads_letters(&self) -> bool {
        self.reads_letters()
    }
}

/// The scores of all prefixes of each segment (one token, two tokens, ...), and their number for each
/// segment.
pub fn prefixes(
    plan: &Plan,
    corpus: &Corpus,
    threads: usize,
) -> Result<(Vec<f64>, Vec<usize>), BadSegment> {
    let mut lengths = vec![0; corpus.len()];
    let workers = plan.workers(corpus, threads);
    let size = part_size(corpus.len(), workers);
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

struct CountRows<'a> {
    plan: &'a Plan,
    corpus: &'a Corpus<'a>,
    range: Range<usize>,
    sink: &'a mut dyn FnMut(&[i64]),
}

impl Task for CountRows<'_> {
    type Output = Result<(), BadSegment>;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Self::Output {
        let Self { plan, corpus, .. } = self;
        let mut rows = vec![0; LANES * plan.width()];
        let mut buffers = Buffers::take();
        let Buffers { hyp, refs, counter } = &mut *buffers;
        let end = self.range.end;
        let mut present = 0..0;
        for start in self.range.step_by(LANES) {
            if start.is_multiple_of(UNCHECKED) {
                interrupt::check();
            }
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
            if plan.combine.join != Join::Rows {
                for row in rows.chunks_mut(plan.width()) {
                    combine::note_segment(&plan.combine, row);
                }
            }
            for row in rows.chunks(plan.width()) {
                (self.sink)(row);
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
    type Output = Result<Vec<Vec<Vec<u8>>>, BadSegment>;

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
