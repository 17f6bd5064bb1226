//! chrF and chrF++ (Popović 2015, 2017): an F-score of n-grams of characters, and of words.
//!
//! A row holds three integers for each order: n-grams of the hypothesis, n-grams of the reference,
//! matches. Orders of characters come first, then those of words. The reference that counts is the
//! one with the best F-score.

mod grams;
mod pairs;

use std::cell::Cell;
use std::cmp::Ordering;
use std::ops::{Add, Div, Mul, Range};

use crate::columns::codepoints;
use crate::columns::interner::{Alphabet, Words};
use crate::columns::views::{Corpus, Fault, Outcome, Segments, Sides};
use crate::metric::{self, Metric, Sink};
use crate::resample::Resampled;
use crate::run::counting::{self, Counting};
use crate::run::parallel;
use crate::settings::{Named, Settings, choices};
use crate::simd::{Isa, Level};
use crate::tokenize::Seed;

choices! {
    /// Which of several references with equal F-scores counts.
    enum Tie {
        /// The greatest row, with the longest reference: independent of the order of references.
        Longer = "longer",
        /// The first one, as in sacreBLEU.
        First = "first",
    }
}

#[derive(Debug)]
pub struct Chrf {
    char_order: usize,
    word_order: usize,
    /// The square of beta: how much more recall counts than precision.
    factor: f64,
    lowercase: bool,
    whitespace: bool,
    /// Use epsilon for orders without n-grams instead of leaving them out.
    eps_smoothing: bool,
    tie: Tie,
    level: Level,
    seed: Seed,
}

impl Chrf {
    /// Compiles settings; see [`crate::plan::Plan::compile`].
    pub fn compile<'a>(settings: impl Named<'a>) -> Result<Self, String> {
        let mut settings = Settings(settings.into_iter().collect());
        let chrf = Self {
            char_order: settings.orders("char_order", 0, 6)?,
            word_order: settings.orders("word_order", 0, 0)?,
            factor: settings.number("factor", 4.0)?,
            lowercase: settings.choice("lowercase")?,
            whitespace: settings.choice("whitespace")?,
            eps_smoothing: settings.choice("eps_smoothing")?,
            tie: settings.choice("tie")?,
            level: settings.level()?,
            seed: Seed::default(),
        };
        settings.check_all_read()?;
        if chrf.orders() == 0 {
            return Err("char_order and word_order cannot both be 0".into());
        }
        Ok(chrf)
    }

    fn orders(&self) -> usize {
        self.char_order + self.word_order
    }

    /// Numbers of the characters and the words of a line.
    fn read(&self, line: &mut Vec<u32>, names: &mut Names, side: &mut Side) {
        if self.lowercase {
            codepoints::lower(line);
        }
        side.characters.resize(line.len(), 0);
        let mut count = 0;
        for &character in &*line {
            side.characters[count] = names.number(character);
            count += usize::from(self.whitespace | !codepoints::is_blank(character));
        }
        side.characters.truncate(count);
        side.words.clear();
        if self.word_order > 0 {
            for_each_word(line, |word| side.words.push(names.words.number(word)));
        }
    }

    /// The score of a row, from 0 to 100, with sacreBLEU's operations in its order: the last bit depends
    /// on it.
    fn f_score<F: Real>(&self, row: &[i64]) -> F {
        let of = F::of;
        let (nothing, factor) = (of(0.0), of(self.factor));
        let share = |matches: i64, count: i64| of(matches as f64) / of(count as f64);
        let f = |precision: F, recall: F, weighted: F| {
            of(1.0 + self.factor) * precision * recall / weighted
        };
        let counts = row.as_chunks::<3>().0;
        if self.eps_smoothing {
            let eps = of(1e-16);
            let share = |matches, count| {
                if count > 0 {
                    share(matches, count)
                } else {
                    eps
                }
            };
            let mut sum = nothing;
            for &[hyp, reference, matches] in counts {
                let (precision, recall) = (share(matches, hyp), share(matches, reference));
                let weighted = factor * precision + recall;
                sum = sum
                    + if weighted > nothing {
                        f(precision, recall, weighted)
                    } else {
                        eps
                    };
            }
            return of(100.0) * sum / of(self.orders() as f64);
        }
        let (mut precision, mut recall, mut orders) = (nothing, nothing, 0);
        for &[hyp, reference, matches] in counts {
            if hyp > 0 && reference > 0 {
                precision = precision + share(matches, hyp);
                recall = recall + share(matches, reference);
                orders += 1;
            }
        }
        if orders == 0 {
            return nothing;
        }
        let (precision, recall) = (precision / of(orders.into()), recall / of(orders.into()));
        if precision + recall == nothing {
            return nothing;
        }
        of(100.0) * f(precision, recall, factor * precision + recall)
    }
}

/// Floats of 64 bits, or of the 32 that sacreBLEU resamples with.
trait Real: Copy + PartialOrd + Add<Output = Self> + Mul<Output = Self> + Div<Output = Self> {
    fn of(value: f64) -> Self;
}

impl Real for f64 {
    fn of(value: f64) -> Self {
        value
    }
}

impl Real for f32 {
    fn of(value: f64) -> Self {
        value as Self
    }
}

/// The words of chrF++: a punctuation mark at the end of a word, or else at its start, is a word of its
/// own.
fn for_each_word(line: &[u32], mut sink: impl FnMut(&[u32])) {
    let is_sign = |&code: &u32| u8::try_from(code).is_ok_and(|byte| byte.is_ascii_punctuation());
    for word in codepoints::words(line) {
        match word {
            [inner @ .., last] if !inner.is_empty() && is_sign(last) => {
                sink(inner);
                sink(std::slice::from_ref(last));
            }
            [first, inner @ ..] if !inner.is_empty() && is_sign(first) => {
                sink(std::slice::from_ref(first));
                sink(inner);
            }
            _ => sink(word),
        }
    }
}

/// The numbers of a segment's characters and words.
#[derive(Debug, Default)]
struct Names {
    alphabet: Alphabet,
    words: Words,
}

/// Characters below are their own numbers: Latin, Greek, Cyrillic, Hebrew, Arabic.
const OWN: u32 = 0x700;

impl Names {
    #[inline(always)]
    fn number(&mut self, character: u32) -> u32 {
        if character < OWN {
            character
        } else {
            OWN + self.alphabet.number(character)
        }
    }

    /// No character has this number, or a greater one.
    fn characters(&self) -> usize {
        OWN as usize + self.alphabet.len()
    }
}

/// A hypothesis or a reference.
#[derive(Debug, Default)]
struct Side {
    characters: Vec<u32>,
    words: Vec<u32>,
}

/// The state of a segment while its references are read.
#[derive(Debug, Default)]
pub struct ChrfBuffers {
    names: Names,
    hyp: Side,
    reference: Side,
    grams: grams::GramBuffers,
    row: Vec<i64>,
    /// The best row so far, and its F-score; empty before the first reference.
    best: Vec<i64>,
    best_score: f64,
}

/// Fewest segments worth a thread.
const SEGMENTS_PER_THREAD: usize = 4_000;

thread_local! {
    static KEPT: Cell<Option<Box<ChrfBuffers>>> = const { Cell::new(None) };
}

impl Metric for Chrf {
    fn level(&self) -> Level {
        self.level
    }

    fn width(&self) -> usize {
        3 * self.orders()
    }

    fn workers(&self, corpus: &Corpus, threads: usize) -> usize {
        parallel::workers(corpus.len(), SEGMENTS_PER_THREAD, threads)
    }

    fn for_each_row(&self, corpus: &Corpus, range: Range<usize>, sink: Sink) -> Outcome {
        metric::for_each_row(self, corpus, range, sink)
    }

    fn value(&self, row: &[i64], _: &mut Vec<f64>) -> f64 {
        self.f_score(row)
    }

    fn pairs(&self, sides: Sides, _: bool, threads: usize, scores: &mut [f64]) -> Outcome {
        pairs::fill(self, sides, threads, scores)
    }

    fn tokens(&self, segments: &Segments) -> Outcome<Vec<Vec<Vec<u8>>>> {
        counting::tokens(segments, |line| {
            if self.lowercase {
                codepoints::lower(line);
            }
            let mut words = Vec::new();
            for_each_word(line, |word| words.push(word.to_vec()));
            words
        })
    }
}

impl Resampled for Chrf {
    fn value_in_floats(&self, row: &[i64], _: &mut Vec<f64>) -> f64 {
        self.f_score::<f32>(row).into()
    }
}

impl Counting for Chrf {
    type Buffers = ChrfBuffers;

    fn hypothesis(&self, buffers: &mut ChrfBuffers, line: &mut Vec<u32>) -> Result<(), Fault> {
        buffers.names.alphabet.clear();
        buffers.names.words.clear();
        self.read(line, &mut buffers.names, &mut buffers.hyp);
        buffers.best.clear();
        Ok(())
    }

    #[inline(always)]
    fn reference<I: Isa>(
        &self,
        isa: I,
        buffers: &mut ChrfBuffers,
        line: &mut Vec<u32>,
    ) -> Result<(), Fault> {
        let ChrfBuffers {
            names,
            hyp,
            reference,
            grams,
            row,
            best,
            best_score,
        } = buffers;
        self.read(line, names, reference);
        row.clear();
        row.resize(self.width(), 0);
        let (characters, words) = row.split_at_mut(3 * self.char_order);
        let distinct = names.characters();
        grams.count(
            isa,
            &hyp.characters,
            &reference.characters,
            distinct,
            characters,
        );
        if self.word_order > 0 {
            grams.count(isa, &hyp.words, &reference.words, names.words.len(), words);
        }
        let score: f64 = self.f_score(row);
        let better = match score.total_cmp(best_score) {
            _ if best.is_empty() => true,
            Ordering::Greater => true,
            Ordering::Equal => self.tie == Tie::Longer && row > best,
            Ordering::Less => false,
        };
        if better {
            std::mem::swap(row, best);
            *best_score = score;
        }
        Ok(())
    }

    fn finish(&self, buffers: &mut ChrfBuffers, row: &mut [i64]) -> Result<(), Fault> {
        row.copy_from_slice(&buffers.best);
        Ok(())
    }

    fn kept() -> &'static std::thread::LocalKey<Cell<Option<Box<ChrfBuffers>>>> {
        &KEPT
    }
}
