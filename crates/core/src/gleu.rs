//! GLEU (Wu et al. 2016): matched n-grams of all orders divided by those of the hypothesis or of the
//! reference, whichever has more.
//!
//! A row holds the matches and this number of n-grams. The reference that counts is the one with the
//! best score, and of equal ones the first.

use std::ops::Range;
use std::slice;

use crate::columns::views::{Corpus, Outcome, Segments, Sides};
use crate::count::ROWS;
use crate::metric::{self, Count, Metric, Sink};
use crate::plan::Plan;
use crate::resample::Resampled;
use crate::run::interrupt;
use crate::run::parallel::workers;
use crate::run::read::{Pairs, SegmentBuffers};
use crate::sets::pairwise::plain;
use crate::settings::{Named, Settings};
use crate::simd::{Isa, Level};

/// Fewest pairs worth a thread.
const PAIRS_PER_THREAD: usize = 10_000;

#[derive(Debug)]
pub struct Gleu {
    plan: Plan,
    /// The lowest order; the plan has the highest.
    lowest: usize,
}

impl Gleu {
    /// Compiles settings: `min_len` and `max_len`, and those of a plan; see [`Plan::compile`].
    pub fn compile<'a>(settings: impl Named<'a>) -> Result<Self, String> {
        let mut settings = Settings(settings.into_iter().collect());
        let lowest = settings.orders("min_len", 1, 1)?;
        let highest = settings.orders("max_len", lowest, 4)?;
        let orders = highest.to_string();
        settings.0.insert("max_ngram_order", &orders);
        Ok(Self {
            plan: Plan::compile(settings.0)?,
            lowest,
        })
    }

    /// N-grams of all orders in a text of this many tokens.
    fn ngrams(&self, tokens: i64) -> i64 {
        let orders = self.lowest as i64..=self.plan.count.orders as i64;
        orders.map(|n| (tokens + 1 - n).max(0)).sum()
    }

    /// The row of a segment, from its rows of counts with each reference.
    fn best(&self, counts: &[i64]) -> [i64; 2] {
        let (mut best, mut row) = (-1.0, [0, 0]);
        for counts in counts.chunks(self.plan.width()) {
            let matches = counts[1 + self.lowest..2 + self.plan.count.orders]
                .iter()
                .sum::<i64>();
            let most = self.ngrams(counts[0].max(counts[1]));
            let score = matches as f64 / most as f64;
            if most > 0 && score > best {
                best = score;
                row = [matches, most];
            }
        }
        row
    }
}

impl Metric for Gleu {
    fn level(&self) -> Level {
        self.plan.level
    }

    fn width(&self) -> usize {
        2
    }

    fn workers(&self, corpus: &Corpus, threads: usize) -> usize {
        self.plan.workers(corpus, threads)
    }

    fn for_each_row(&self, corpus: &Corpus, range: Range<usize>, sink: Sink) -> Outcome {
        metric::for_each_row(self, corpus, range, sink)
    }

    fn value(&self, row: &[i64], _: &mut Vec<f64>) -> f64 {
        if row[1] == 0 {
            0.0
        } else {
            row[0] as f64 / row[1] as f64
        }
    }

    fn pairs(&self, sides: Sides, _: bool, threads: usize, scores: &mut [f64]) -> Outcome {
        let workers = workers(scores.len(), PAIRS_PER_THREAD, threads);
        let value = |counts: &[i64], buffer: &mut _| self.value(&self.best(counts), buffer);
        plain::fill(&self.plan, sides, workers, scores, value)
    }

    fn tokens(&self, segments: &Segments) -> Outcome<Vec<Vec<Vec<u8>>>> {
        self.plan.tokens(segments)
    }

    fn reads_letters(&self) -> bool {
        self.plan.reads_letters()
    }
}

impl Resampled for Gleu {}

impl Count for Gleu {
    #[inline(always)]
    fn count<I: Isa>(&self, isa: I, corpus: &Corpus, range: Range<usize>, sink: Sink) -> Outcome {
        let width = self.plan.width();
        let (mut counts, mut ends) = (Vec::new(), Vec::with_capacity(ROWS));
        let mut buffers = SegmentBuffers::take();
        let SegmentBuffers { hyp, refs, counter } = &mut *buffers;
        let end = range.end;
        let mut pairs = Pairs::new(&self.plan, corpus);
        for start in range.step_by(ROWS) {
            interrupt::check();
            for segment in start..end.min(start + ROWS) {
                for reference in pairs.read(isa, segment, end, hyp, refs)? {
                    let row = counts.len() / width;
                    counts.resize((row + 1) * width, 0);
                    let reference = slice::from_ref(reference);
                    counter.count(isa, &self.plan.count, hyp, reference, &mut counts, row);
                }
                ends.push(counts.len());
            }
            counter.finish(isa, &self.plan.count, &mut counts);
            let mut begin = 0;
            for end in ends.drain(..) {
                sink(&self.best(&counts[begin..end]));
                begin = end;
            }
            counts.clear();
        }
        buffers.keep();
        Ok(())
    }
}
