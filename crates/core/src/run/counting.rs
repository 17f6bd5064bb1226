//! Runs chrF and TER over many segments, as code points, one reference after the other.

use std::cell::Cell;
use std::ops::Range;

use crate::columns::codepoints;
use crate::columns::views::{Corpus, Fault, Outcome, Segments, Sides};
use crate::metric::{Count, Metric, Sink};
use crate::run::interrupt;
use crate::run::parallel::{self, part_size};
use crate::simd::{Isa, Task, dispatch};

/// A metric that counts a hypothesis against one reference after the other.
pub trait Counting: Metric + Sized {
    /// Reused buffers.
    type Buffers: Default + 'static;

    /// Begins a segment with its hypothesis.
    fn hypothesis(&self, buffers: &mut Self::Buffers, line: &mut Vec<u32>) -> Result<(), Fault>;

    /// Counts the hypothesis against one of its references.
    fn reference<I: Isa>(
        &self,
        isa: I,
        buffers: &mut Self::Buffers,
        line: &mut Vec<u32>,
    ) -> Result<(), Fault>;

    /// Ends the segment and writes its row.
    fn finish(&self, buffers: &mut Self::Buffers, row: &mut [i64]) -> Result<(), Fault>;

    /// The buffers of the last batch on this thread: making new ones takes longer than a segment.
    fn kept() -> &'static std::thread::LocalKey<Cell<Option<Box<Self::Buffers>>>>;
}

/// [`Metric::tokens`]: what `words` makes of the code points of each text.
pub fn tokens(
    segments: &Segments,
    words: impl Fn(&mut Vec<u32>) -> Vec<Vec<u32>>,
) -> Outcome<Vec<Vec<Vec<u8>>>> {
    let character = |&code: &u32| char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER);
    let text = |word: &Vec<u32>| word.iter().map(character).collect::<String>().into_bytes();
    let mut line = Vec::new();
    (0..segments.len())
        .map(|position| {
            codepoints::read(segments, position, &mut line)
                .map_err(|fault| fault.at(false, position))?;
            interrupt::check();
            Ok(words(&mut line).iter().map(text).collect())
        })
        .collect()
}

/// [`Metric::pairs`], pair by pair, on `workers` threads.
pub fn pair_by_pair<C: Counting>(
    metric: &C,
    sides: Sides,
    workers: usize,
    scores: &mut [f64],
) -> Outcome {
    let columns = sides.columns().len();
    let rows = part_size(sides.candidates.len(), workers);
    let parts = scores.chunks_mut(rows * columns.max(1)).enumerate();
    parallel::for_each(workers, parts, |(i, scores)| {
        let pairs = Pairs {
            metric,
            sides,
            start: i * rows,
            scores,
        };
        dispatch(metric.level(), pairs)
    })
}

struct Pairs<'a, C> {
    metric: &'a C,
    sides: Sides<'a>,
    start: usize,
    scores: &'a mut [f64],
}

impl<C: Counting> Task for Pairs<'_, C> {
    type Output = Outcome;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Self::Output {
        let Self { metric, sides, .. } = self;
        let mut row = vec![0; metric.width()];
        let (mut line, mut buffers) = (Vec::new(), C::Buffers::default());
        let columns = sides.columns();
        let rows = self.scores.chunks_mut(columns.len());
        for (candidate, scores) in (self.start..).zip(rows) {
            for (reference, score) in scores.iter_mut().enumerate() {
                codepoints::read(sides.candidates, candidate, &mut line)
                    .and_then(|()| metric.hypothesis(&mut buffers, &mut line))
                    .map_err(|fault| fault.at(false, candidate))?;
                codepoints::read(columns, reference, &mut line)
                    .and_then(|()| metric.reference(isa, &mut buffers, &mut line))
                    .and_then(|()| metric.finish(&mut buffers, &mut row))
                    .map_err(|fault| fault.at(sides.references.is_some(), reference))?;
                *score = metric.value(&row, &mut Vec::new());
                interrupt::check();
            }
        }
        Ok(())
    }
}

impl<C: Counting> Count for C {
    #[inline(always)]
    fn count<I: Isa>(&self, isa: I, corpus: &Corpus, range: Range<usize>, sink: Sink) -> Outcome {
        let metric = self;
        let mut row = vec![0; metric.width()];
        let mut line = Vec::new();
        let mut buffers = C::kept().take().unwrap_or_default();
        for segment in range {
            codepoints::read(&corpus.hyps, segment, &mut line)
                .and_then(|()| metric.hypothesis(&mut buffers, &mut line))
                .map_err(|fault| fault.at(false, segment))?;
            let references = corpus.references(segment);
            let first = references.start;
            for position in references {
                codepoints::read(&corpus.refs, position, &mut line)
                    .and_then(|()| metric.reference(isa, &mut buffers, &mut line))
                    .map_err(|fault| fault.at(true, position))?;
                interrupt::check();
            }
            metric
                .finish(&mut buffers, &mut row)
                .map_err(|fault| fault.at(true, first))?;
            sink(&row);
        }
        if line.capacity() <= LARGE {
            C::kept().set(Some(buffers));
        }
        Ok(())
    }
}

/// Code points of a segment above which buffers are not kept.
const LARGE: usize = 1 << 14;
