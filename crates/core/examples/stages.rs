//! Where the time of a segment goes: `stages HYPS REFS NAME=VALUE...` reads two files of lines and the
//! settings of a plan, and writes the nanoseconds that each instruction set takes for each stage of a
//! segment, and what the stages take at least.
//!
//! For each stage there is a loop over the corpus that stops after it, so that a stage costs what its
//! loop takes beyond the one before. The loops take turns, and the shortest run of each counts.

#![allow(clippy::expect_used)] // who runs it sees what is wrong

use std::hint::black_box;
use std::time::Instant;

use truebleu_core::columns::views::{Corpus, Segments, Text};
use truebleu_core::combine;
use truebleu_core::count::{Counter, ROWS};
use truebleu_core::normalize::normalize;
use truebleu_core::plan::Plan;
use truebleu_core::run::batch;
use truebleu_core::simd::{ClassTable, Isa, Key, Level, Task, dispatch};
use truebleu_core::tokenize::Tokens;

const ROUNDS: usize = 50;

// The stages in their order.
const COPY: usize = 0;
const CLASSIFY: usize = 1;
const SPLIT: usize = 2;
const KEYS: usize = 3;
const MATCH: usize = 4;
const SCORE: usize = 5;

/// Bytes of the hypotheses that are read together, about as in a corpus.
const HALF: u32 = 2 << 10;

/// A hypothesis and its reference.
type Pair<'a> = [Text<'a>; 2];

/// What the loops read, and their buffers.
struct Bench<'a> {
    plan: &'a Plan,
    pairs: &'a [Pair<'a>],
    /// Any classes take the same time.
    table: ClassTable,
    tokens: [Tokens; 2],
    counter: Counter,
    corpus: Corpus<'a>,
    /// The keys of all tokens, and a table where each has its slot, or another one has.
    keys: Vec<Key>,
    slots: Vec<Key>,
}

impl<'a> Bench<'a> {
    fn new(plan: &'a Plan, pairs: &'a [Pair<'a>]) -> Self {
        let column = |side: usize| Segments::Texts(pairs.iter().map(|pair| pair[side]).collect());
        let mut bench = Self {
            plan,
            pairs,
            table: ClassTable::new([0; 256], false),
            tokens: Default::default(),
            counter: Counter::default(),
            corpus: Corpus {
                hyps: column(0),
                refs: column(1),
                bounds: None,
                group: 1,
            },
            keys: Vec::new(),
            slots: vec![[0, 0]; SLOTS],
        };
        dispatch(plan.level, AllKeys(&mut bench));
        bench
    }
}

/// A loop, and the name of what it times.
type Loop = (&'static str, fn(&mut Bench, Level));

const LOOPS: [Loop; 10] = [
    ("read once", |bench, level| {
        dispatch(level, ReadOnce(bench.pairs));
    }),
    ("look up", |bench, level| {
        dispatch(level, LookUp(&bench.keys, &bench.slots));
    }),
    ("copy", until::<COPY>),
    ("classify", until::<CLASSIFY>),
    ("split", until::<SPLIT>),
    ("keys", until::<KEYS>),
    ("match", until::<MATCH>),
    ("score", until::<SCORE>),
    ("corpus", |bench, _| {
        let row = batch::total(bench.plan, &bench.corpus, 1);
        black_box(row.expect("text"));
    }),
    ("sentences", |bench, _| {
        let scores = batch::scores(bench.plan, &bench.corpus, 1);
        black_box(scores.expect("text"));
    }),
];

fn until<const LAST: usize>(bench: &mut Bench, level: Level) {
    dispatch(level, Until::<LAST>(bench));
}

/// All stages up to `LAST`.
struct Until<'b, 'a, const LAST: usize>(&'b mut Bench<'a>);

impl<const LAST: usize> Task for Until<'_, '_, LAST> {
    type Output = ();

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) {
        let Bench {
            plan,
            pairs,
            table,
            tokens,
            counter,
            ..
        } = self.0;
        let width = plan.width();
        let (mut rows, mut precisions) = (vec![0; ROWS * width], Vec::new());
        let several = plan.tokenizer.takes_several();
        for some in pairs.chunks(ROWS) {
            let rows = &mut rows[..some.len() * width];
            let mut next = 0;
            while next < some.len() {
                let first = next;
                for tokens in &mut *tokens {
                    tokens.line.clear();
                }
                while next < some.len() && (next == first || several && tokens[0].line.end() < HALF)
                {
                    for (&text, tokens) in some[next].iter().zip(tokens.iter_mut()) {
                        normalize(isa, &plan.normalize, text, &mut tokens.line).expect("text");
                        if several {
                            tokens.line.separate();
                        }
                    }
                    next += 1;
                }
                for tokens in &mut *tokens {
                    tokens.line.seal().expect("text");
                    if LAST == CLASSIFY {
                        for block in tokens.line.blocks() {
                            black_box(isa.classify(block, table));
                        }
                    }
                    if LAST >= SPLIT {
                        plan.tokenizer.split(isa, tokens);
                    }
                    if LAST >= KEYS {
                        tokens.make_keys(isa, &plan.seed);
                    }
                    if several {
                        tokens.rewind();
                    }
                    black_box(&*tokens);
                }
                for row in first..next {
                    if LAST >= MATCH {
                        let [hyp, reference] = &mut *tokens;
                        if several {
                            hyp.advance();
                            reference.advance();
                        }
                        let refs = std::slice::from_ref(&*reference);
                        counter.count(isa, &plan.count, hyp, refs, rows, row);
                    }
                }
            }
            if LAST >= MATCH {
                counter.finish(isa, &plan.count, rows);
            }
            if LAST >= SCORE {
                for row in rows.chunks(width) {
                    black_box(combine::corpus_score(&plan.combine, row, &mut precisions));
                }
            }
            black_box(&*rows);
        }
    }
}

/// Reads the texts once.
struct ReadOnce<'a>(&'a [Pair<'a>]);

impl Task for ReadOnce<'_> {
    type Output = ();

    #[inline(always)]
    fn run<I: Isa>(self, _: I) {
        for text in self.0.as_flattened() {
            match text {
                Text::Utf8(units) | Text::Unchecked(units) | Text::Latin1(units) => {
                    black_box(units.iter().fold(0, |all, &one| all | one));
                }
                Text::Ucs2(units) => drop(black_box(units.iter().fold(0, |all, &one| all | one))),
                Text::Ucs4(units) => drop(black_box(units.iter().fold(0, |all, &one| all | one))),
            }
        }
    }
}

const SLOTS: usize = 1 << 16;

/// Looks up each key in a table of all of them.
struct LookUp<'a>(&'a [Key], &'a [Key]);

impl Task for LookUp<'_> {
    type Output = ();

    #[inline(always)]
    fn run<I: Isa>(self, _: I) {
        let (keys, table) = (self.0, self.1);
        black_box(keys.iter().filter(|&&key| table[slot(key)] == key).count());
    }
}

/// Notes the keys of all tokens.
struct AllKeys<'b, 'a>(&'b mut Bench<'a>);

impl Task for AllKeys<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) {
        let Bench {
            plan,
            pairs,
            tokens: [tokens, _],
            keys,
            slots,
            ..
        } = self.0;
        for &text in pairs.as_flattened() {
            tokens.line.clear();
            normalize(isa, &plan.normalize, text, &mut tokens.line).expect("text");
            tokens.line.seal().expect("text");
            plan.tokenizer.split(isa, tokens);
            tokens.make_keys(isa, &plan.seed);
            keys.extend_from_slice(tokens.keys());
        }
        for &key in &*keys {
            slots[slot(key)] = key;
        }
    }
}

#[inline(always)]
fn slot([low, high]: Key) -> usize {
    let product = u128::from(low ^ 0x9E37_79B9_7F4A_7C15) * u128::from(high ^ 0xD1B5_4A32_D192);
    (product as u64 ^ (product >> 64) as u64) as usize % SLOTS
}

/// A line as `CPython` keeps it.
enum Units {
    Ascii(String),
    One(Vec<u8>),
    Two(Vec<u16>),
    Four(Vec<u32>),
}

impl Units {
    fn new(line: &str) -> Self {
        let codes = || line.chars().map(u32::from);
        match codes().max().unwrap_or(0) {
            0..0x80 => Self::Ascii(line.to_owned()),
            0x80..0x100 => Self::One(codes().map(|code| code as u8).collect()),
            0x100..0x1_0000 => Self::Two(codes().map(|code| code as u16).collect()),
            _ => Self::Four(codes().collect()),
        }
    }

    fn text(&self) -> Text<'_> {
        match self {
            Self::Ascii(line) => Text::Utf8(line.as_bytes()),
            Self::One(units) => Text::Latin1(units),
            Self::Two(units) => Text::Ucs2(units),
            Self::Four(units) => Text::Ucs4(units),
        }
    }
}

fn main() {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let [hyps, refs, settings @ ..] = arguments.as_slice() else {
        eprintln!("usage: stages HYPS REFS NAME=VALUE...");
        std::process::exit(2);
    };
    let read = |path: &String| -> Vec<_> {
        let text = std::fs::read_to_string(path).expect("a file of UTF-8");
        text.lines().map(Units::new).collect()
    };
    let (hyps, refs) = (read(hyps), read(refs));
    let pairs = hyps
        .iter()
        .zip(&refs)
        .map(|(hyp, one)| [hyp.text(), one.text()]);
    let pairs: Vec<Pair> = pairs.collect();
    for level in Level::available() {
        let settings = settings.iter().filter_map(|pair| pair.split_once('='));
        let plan = Plan::compile(settings.chain([("simd", level.name())])).expect("settings");
        let mut bench = Bench::new(&plan, &pairs);
        let mut best = [f64::INFINITY; LOOPS.len()];
        for _ in 0..ROUNDS {
            for (best, (_, run)) in best.iter_mut().zip(LOOPS) {
                let start = Instant::now();
                run(&mut bench, level);
                *best = best.min(start.elapsed().as_secs_f64());
            }
        }
        for (best, (name, _)) in best.iter().zip(LOOPS) {
            let nanoseconds = best * 1e9 / pairs.len() as f64;
            println!("{}\t{name}\t{nanoseconds:.1}", level.name());
        }
    }
}
