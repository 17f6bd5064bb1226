//! TER (Snover et al. 2006): the edits that turn a hypothesis into its reference, divided by the length
//! of the reference. Moving a block of words is one edit.
//!
//! A row holds the edits and the mean length of the references. The mean may not be a whole number of
//! words, so lengths are counted in units, [`UNITS`] to a word.

mod distance;
mod edits;
mod moves;
mod tercom;

use std::cell::Cell;
use std::ops::Range;

use crate::columns::codepoints;
use crate::columns::interner::Words;
use crate::columns::views::{Corpus, Fault, Outcome, Segments, Sides};
use crate::metric::{self, Metric, Sink};
use crate::resample::{EXACT, Resampled};
use crate::run::counting::{self, Counting};
use crate::run::parallel;
use crate::settings::{Named, Settings};
use crate::simd::{Isa, Level};

/// The least common multiple of 1 to 22: the mean of up to 22 lengths is a whole number of units,
/// and sums hold 40 billion words.
pub const UNITS: i64 = 232_792_560;

/// Sums of sixteenths of words are exact in 32-bit floats; those of thirds are not.
const SIXTEENTH: i64 = UNITS / 16;

#[derive(Debug)]
#[allow(clippy::struct_excessive_bools)] // each is an option of Tercom's
pub struct Ter {
    /// Separate punctuation, and undo markup.
    normalized: bool,
    /// Drop punctuation.
    no_punct: bool,
    /// Apply both options to Asian text as well, and split its characters.
    asian_support: bool,
    lowercase: bool,
    level: Level,
}

impl Ter {
    /// Compiles settings; see [`crate::plan::Plan::compile`].
    pub fn compile<'a>(settings: impl Named<'a>) -> Result<Self, String> {
        let mut settings = Settings(settings.into_iter().collect());
        let ter = Self {
            normalized: settings.choice("normalized")?,
            no_punct: settings.choice("no_punct")?,
            asian_support: settings.choice("asian_support")?,
            lowercase: !settings.choice::<bool>("case_sensitive")?,
            level: settings.level()?,
        };
        settings.check_all_read()?;
        Ok(ter)
    }

    fn changes_signs(&self) -> bool {
        self.normalized || self.no_punct
    }
}

/// The state of a segment while its references are read.
#[derive(Debug, Default)]
pub struct TerBuffers {
    words: Words,
    hyp: Vec<u32>,
    reference: Vec<u32>,
    editor: edits::Editor,
    /// The fewest edits of any reference so far.
    fewest: Option<usize>,
    ref_words: usize,
    references: usize,
}

impl TerBuffers {
    fn number(words: &mut Words, line: &[u32], numbers: &mut Vec<u32>) {
        numbers.clear();
        numbers.extend(codepoints::words(line).map(|word| words.number(word)));
    }
}

/// Fewest pairs worth a thread.
const PAIRS_PER_THREAD: usize = 200;

thread_local! {
    static KEPT: Cell<Option<Box<TerBuffers>>> = const { Cell::new(None) };
}

impl Metric for Ter {
    fn level(&self) -> Level {
        self.level
    }

    fn width(&self) -> usize {
        2
    }

    fn workers(&self, corpus: &Corpus, threads: usize) -> usize {
        parallel::workers(corpus.len(), PAIRS_PER_THREAD, threads)
    }

    fn for_each_row(&self, corpus: &Corpus, range: Range<usize>, sink: Sink) -> Outcome {
        metric::for_each_row(self, corpus, range, sink)
    }

    fn value(&self, row: &[i64], _: &mut Vec<f64>) -> f64 {
        let (edits, length) = (row[0] as f64, words_of(row[1]));
        if length > 0.0 {
            100.0 * (edits / length)
        } else if edits > 0.0 {
            100.0
        } else {
            0.0
        }
    }

    fn pairs(&self, sides: Sides, _: bool, threads: usize, scores: &mut [f64]) -> Outcome {
        let workers = parallel::workers(scores.len(), PAIRS_PER_THREAD, threads);
        counting::pair_by_pair(self, sides, workers, scores)
    }

    fn tokens(&self, segments: &Segments) -> Outcome<Vec<Vec<Vec<u8>>>> {
        counting::tokens(segments, |line| {
            self.tokenize(line);
            codepoints::words(line).map(<[u32]>::to_vec).collect()
        })
    }
}

impl Resampled for Ter {
    fn value_in_floats(&self, row: &[i64], _: &mut Vec<f64>) -> f64 {
        if row[1] == 0 {
            return if row[0] > 0 { 100.0 } else { 0.0 };
        }
        let length = (row[1] / SIXTEENTH) as f32 / 16.0;
        f64::from(100.0 * (row[0] as f32 / length))
    }

    fn lost_in_floats(&self, row: &[i64]) -> Option<&'static str> {
        let lost = row[1] % SIXTEENTH != 0 || row[0].max(row[1] / SIXTEENTH) >= EXACT;
        lost.then_some("lengths that are not whole sixteenths of words, or 1048576 words or more")
    }
}

impl Counting for Ter {
    type Buffers = TerBuffers;

    fn hypothesis(&self, buffers: &mut TerBuffers, line: &mut Vec<u32>) -> Result<(), Fault> {
        self.tokenize(line);
        buffers.words.clear();
        TerBuffers::number(&mut buffers.words, line, &mut buffers.hyp);
        (buffers.fewest, buffers.ref_words, buffers.references) = (None, 0, 0);
        Ok(())
    }

    #[inline(always)]
    fn reference<I: Isa>(
        &self,
        _: I,
        buffers: &mut TerBuffers,
        line: &mut Vec<u32>,
    ) -> Result<(), Fault> {
        self.tokenize(line);
        if self.changes_signs() {
            // sacreBLEU reads a reference twice, and a hypothesis once: `&amp;lt;` becomes `&lt;`
            // in one and `<` in the other.
            let words: Vec<_> = codepoints::words(line).collect();
            *line = words.join(&u32::from(b' '));
            self.tokenize(line);
        }
        TerBuffers::number(&mut buffers.words, line, &mut buffers.reference);
        let distinct = buffers.words.len();
        let edits = buffers
            .editor
            .count(&buffers.hyp, &buffers.reference, distinct)?;
        let fewest = buffers.fewest.map_or(edits, |fewest| fewest.min(edits));
        buffers.fewest = Some(fewest);
        buffers.ref_words += buffers.reference.len();
        buffers.references += 1;
        Ok(())
    }

    fn finish(&self, buffers: &mut TerBuffers, row: &mut [i64]) -> Result<(), Fault> {
        let references = buffers.references as i64;
        if references == 0 || UNITS % references != 0 {
            return Err(Fault::References(buffers.references));
        }
        row[0] = buffers.fewest.unwrap_or_default() as i64;
        row[1] = buffers.ref_words as i64 * (UNITS / references);
        Ok(())
    }

    fn kept() -> &'static std::thread::LocalKey<Cell<Option<Box<TerBuffers>>>> {
        &KEPT
    }
}

/// A length in words: rounded once, as a mean of sacreBLEU's is; of a large corpus, exact for 1, 2, 4,
/// 8 or 16 references, as its sums are.
fn words_of(units: i64) -> f64 {
    if units < 1 << f64::MANTISSA_DIGITS {
        units as f64 / UNITS as f64
    } else {
        (units / UNITS) as f64 + (units % UNITS) as f64 / UNITS as f64
    }
}
