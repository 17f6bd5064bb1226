//! The kernel for web pages. `worker.js` writes texts and numbers to [`input`], calls a function,
//! and reads [`numbers`] and [`text`]. Plans, columns and rows are kept under numbers of their own.
//!
//! Integers cross as 64-bit floats, which hold them exactly up to 2^53. A call with a number that
//! names nothing is a fault of the page: it panics, which ends the worker.

mod memory;
mod resample;

use std::sync::Arc;

use memory::{Rows, Scorer, State, Texts, with};
use truebleu_core::chrf::Chrf;
use truebleu_core::columns::views::{Corpus, Segments, Text};
use truebleu_core::metric::Metric;
use truebleu_core::normalize::normalize;
use truebleu_core::plan::Plan;
use truebleu_core::run::batch;
use truebleu_core::sets::matches::{Cover, Matches};
use truebleu_core::simd::{Isa, Task, dispatch};
use truebleu_core::ter::Ter;
use truebleu_core::tokenize::{CATEGORIES_VERSION, Places, Tokens};
use truebleu_core::{combine, stats};

/// What a function returns that has left an error message in [`text`].
const REFUSED: i32 = -1;

/// Compiles the settings in the input, lines of `name=value`, after a line with the name of a metric
/// that is not BLEU; returns the number of the plan.
#[unsafe(no_mangle)]
extern "C" fn plan() -> i32 {
    with(|state| {
        let settings = String::from_utf8_lossy(state.input_bytes()).into_owned();
        let options = settings.lines().filter_map(|line| line.split_once('='));
        let scorer = match settings.lines().next() {
            Some("chrf") => Chrf::compile(options).map(Scorer::Chrf),
            Some("ter") => Ter::compile(options).map(Scorer::Ter),
            _ => Plan::compile(options).map(|plan| Scorer::Bleu(Arc::new(plan))),
        };
        match scorer {
            Ok(scorer) => state.plans.keep(scorer),
            Err(message) => state.refuse(message),
        }
    })
}

/// The integers in a row.
#[unsafe(no_mangle)]
extern "C" fn width(plan: usize) -> usize {
    with(|state| state.plans.get(plan).width())
}

/// Keeps a column of `count` texts: their lengths in bytes, then the texts, as UTF-8 that takes `size`
/// bytes. A length of `u32::MAX` is that of an absent text.
#[unsafe(no_mangle)]
extern "C" fn column(count: usize, size: usize) -> i32 {
    with(
        |state| match Texts::read(state.input_bytes(), count, size) {
            Some(column) => state.columns.keep(column),
            None => state.refuse("the texts are not UTF-8".to_owned()),
        },
    )
}

/// Keeps rows for this many segments, all of them zeros.
#[unsafe(no_mangle)]
extern "C" fn rows(plan: usize, segments: usize) -> i32 {
    with(|state| {
        let width = state.plans.get(plan).width();
        let cells = vec![0; width * segments];
        state.rows.keep(Rows { width, cells })
    })
}

/// Counts `count` segments from `first` on into the rows from `to` on. The input has the numbers of
/// the columns: the hypotheses, then the references.
#[unsafe(no_mangle)]
extern "C" fn count(plan: usize, rows: usize, to: usize, first: usize, count: usize) -> i32 {
    with(|state| {
        let columns = state.input_integers();
        let mut columns = columns.iter().map(|&id| state.columns.get(id as usize));
        let Some(hyps) = columns.next() else {
            return REFUSED;
        };
        let references: Vec<_> = columns.collect();
        let segments = first..first + count;
        let (mut refs, mut bounds) = (Vec::new(), vec![0]);
        for segment in segments.clone() {
            refs.extend(references.iter().filter_map(|column| column.text(segment)));
            bounds.push(refs.len());
        }
        let text = |segment| hyps.text(segment).unwrap_or(Text::Utf8(&[]));
        let corpus = Corpus {
            hyps: Segments::Texts(segments.map(text).collect()),
            refs: Segments::Texts(refs),
            bounds: Some(bounds),
            group: 1,
        };
        match batch::rows(&**state.plan(plan), &corpus, 1) {
            Ok(counted) => {
                let rows = state.rows.get_mut(rows);
                let start = to * rows.width;
                rows.cells[start..start + counted.len()].copy_from_slice(&counted);
                0
            }
            Err(bad) => state.refuse(format!("segment {}: {:?}", first + bad.position, bad.fault)),
        }
    })
}

/// Copies all rows from the input.
#[unsafe(no_mangle)]
extern "C" fn set_rows(rows: usize) {
    with(|state| {
        let cells = state.input.iter().map(|&cell| cell as i64);
        state.rows.get_mut(rows).cells = cells.collect();
    });
}

/// Writes all rows.
#[unsafe(no_mangle)]
extern "C" fn get_rows(rows: usize) {
    with(|state| {
        let cells = state.rows.get(rows).cells.iter();
        state.numbers = cells.map(|&cell| cell as f64).collect();
    });
}

/// Adds the rows of the segments in the input; writes the sum, then the steps from it to the score, as
/// [`combine::Steps`] has them, their words with blanks between; of another metric, the score alone.
#[unsafe(no_mangle)]
extern "C" fn score(plan: usize, rows: usize) {
    with(|state| {
        let rows = state.rows.get(rows);
        let mut sum = vec![0; rows.width];
        for &segment in state.input_integers() {
            stats::add(&mut sum, rows.row(segment));
        }
        state.numbers = sum.iter().map(|&cell| cell as f64).collect();
        match state.plans.get(plan) {
            Scorer::Bleu(plan) => {
                let steps = combine::steps(&plan.combine, &sum);
                state.numbers.extend(steps.numbers);
                state.text = steps.words.join(" ").into_bytes();
            }
            Scorer::Chrf(chrf) => state.numbers.push(chrf.value(&sum, &mut Vec::new())),
            Scorer::Ter(ter) => state.numbers.push(ter.value(&sum, &mut Vec::new())),
        }
    });
}

/// Writes the score of each row by itself.
#[unsafe(no_mangle)]
extern "C" fn values(plan: usize, rows: usize) {
    with(|state| {
        let rows = state.rows.get(rows);
        state.numbers = batch::values(&**state.plan(plan), &rows.cells);
    });
}

/// Writes the normalized form of the text in the input, the text in the case of its tokens, and its
/// tokens. The numbers: how many tokens there are, whether they are in the text, the length of each part
/// in bytes; then the white space before each token, and the lengths of the tokens, in units of UTF-16.
#[unsafe(no_mangle)]
extern "C" fn tokens(plan: usize) -> i32 {
    with(|state| {
        let plan = Arc::clone(state.plan(plan));
        let input = state.input_bytes().to_vec();
        let Ok(string) = str::from_utf8(&input) else {
            return state.refuse("the text is not UTF-8".to_owned());
        };
        let text = Text::Utf8(string.as_bytes());
        let normalized = dispatch(plan.level, Normalized { plan: &plan, text });
        let Ok(mut lists) = plan.tokens(&Segments::Texts(vec![text])) else {
            return state.refuse("the text is too long".to_owned());
        };
        let tokens = lists.remove(0);
        let words = tokens
            .iter()
            .map(|token| str::from_utf8(token).unwrap_or_default());
        let places = Places::find(string, words);
        state.write([tokens.len() as u32, places.is_some().into()]);
        let (gaps, sizes, counted) = places.map_or_else(Default::default, |places| {
            (places.gaps, places.sizes, places.counted)
        });
        let counted = counted.unwrap_or_else(|| string.to_owned()).into_bytes();
        let parts: Vec<_> = [normalized, counted].into_iter().chain(tokens).collect();
        state.add(parts.iter().map(|part| part.len() as u32));
        state.add(gaps);
        state.add(sizes);
        state.text = parts.concat();
        0
    })
}

/// Matches the tokens of a hypothesis with those of its references. The input has the number of texts,
/// their lengths, and their tokens as numbers. Writes for each text the orders of the matches that cover
/// its tokens, where they begin, and whether the tokens are clipped. Then for each order how many n-grams
/// there are, and for each of them what is matched, clipped, unmatched, missed and allowed, the number of
/// its places, and its places.
#[unsafe(no_mangle)]
extern "C" fn matches(plan: usize) {
    with(|state| {
        let (&count, input) = state.input_integers().split_first().unwrap_or((&0, &[]));
        let (sizes, mut tokens) = input.split_at(count as usize);
        let texts: Vec<Vec<_>> = sizes
            .iter()
            .map(|&size| {
                let (text, after) = tokens.split_at(size as usize);
                tokens = after;
                text.to_vec()
            })
            .collect();
        let found = Matches::new(state.plan(plan), &texts, &[]);
        let mut numbers = Vec::new();
        for Cover {
            orders,
            starts,
            clipped,
        } in found.covers
        {
            numbers.extend(orders);
            numbers.extend(starts);
            numbers.extend(clipped.into_iter().map(u32::from));
        }
        for grams in found.ngrams {
            numbers.push(grams.len() as u32);
            for gram in grams {
                numbers.extend([gram.matched, gram.clipped, gram.unmatched, gram.missed]);
                numbers.extend([gram.allowed, gram.places.len() as u32]);
                numbers.extend(gram.places.concat());
            }
        }
        state.write(numbers);
    });
}

struct Normalized<'a> {
    plan: &'a Plan,
    text: Text<'a>,
}

impl Task for Normalized<'_> {
    type Output = Vec<u8>;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Vec<u8> {
        let mut line = Tokens::default().line;
        let normalized = normalize(isa, &self.plan.normalize, self.text, &mut line);
        let normalized = normalized.and_then(|()| line.seal());
        normalized.map_or_else(|_| Vec::new(), |()| line.text().to_vec())
    }
}

/// Writes the Unicode versions of the character categories and of lower case, with a blank between.
#[unsafe(no_mangle)]
extern "C" fn versions() {
    with(|state| {
        let (categories, lower) = (CATEGORIES_VERSION, char::UNICODE_VERSION);
        let text = format!("{}.{} {}.{}", categories.0, categories.1, lower.0, lower.1);
        state.text = text.into_bytes();
    });
}

#[unsafe(no_mangle)]
extern "C" fn drop_column(column: usize) {
    with(|state| state.columns.remove(column));
}

#[unsafe(no_mangle)]
extern "C" fn drop_rows(rows: usize) {
    with(|state| state.rows.remove(rows));
}

impl State {
    fn write(&mut self, numbers: impl IntoIterator<Item = u32>) {
        self.numbers.clear();
        self.add(numbers);
    }

    fn add(&mut self, numbers: impl IntoIterator<Item = u32>) {
        self.numbers.extend(numbers.into_iter().map(f64::from));
    }

    fn refuse(&mut self, message: String) -> i32 {
        self.text = message.into_bytes();
        REFUSED
    }
}
