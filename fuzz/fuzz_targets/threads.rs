//! Work that is large enough to be shared out: any number of threads makes of it what one does, to
//! the last bit, or finds the same fault; who is stopped in the middle says so, and nothing else.

#![no_main]

use std::sync::Arc;
use std::thread;
use std::time::Duration;

use libfuzzer_sys::arbitrary::{self, Arbitrary};
use libfuzzer_sys::fuzz_target;
use truebleu_core::chrf::Chrf;
use truebleu_core::columns::views::{BadSegment, Corpus, Segments, Text};
use truebleu_core::metric::Metric;
use truebleu_core::plan::Plan;
use truebleu_core::resample::{Pcg64, Resampler};
use truebleu_core::run::interrupt::{Flag, Interrupted, interruptible};
use truebleu_core::run::{batch, bleu};
use truebleu_core::sets::pairwise::{self, Groups};
use truebleu_core::ter::Ter;
use truebleu_fuzz::inputs::Words;
use truebleu_fuzz::{bits, choose, levels};

#[derive(Arbitrary, Clone, Copy, Debug, PartialEq)]
enum Work {
    Matrix,
    Square,
    Expected,
    Batch,
    Chrf,
    Ter,
    Resamples,
}

#[derive(Arbitrary, Debug)]
struct Input {
    work: Work,
    settings: u8,
    level: u8,
    threads: u8,
    columns: u8,
    exact: bool,
    /// Each text with a word that few have.
    distinct: bool,
    /// One text of more tokens than sums of eight bits hold.
    long: bool,
    seed: u64,
    /// A text that is none.
    fault: Option<u16>,
    /// Interrupted after so many quarters of a millisecond.
    interrupt: Option<u8>,
    words: Vec<Words>,
}

const SETTINGS: [&[(&str, &str)]; 4] = [
    &[("smooth_method", "exp"), ("effective_order", "yes")],
    &[("smooth_method", "floor"), ("length_unit", "characters")],
    &[("smooth_method", "average"), ("max_ngram_order", "2")],
    &[("smooth_method", "add-k"), ("max_ngram_order", "6")],
];

type Found = Result<Vec<u64>, BadSegment>;

impl Input {
    /// A number that the input, `of` and nothing else say.
    fn drawn(&self, of: usize) -> usize {
        let mixed = (self.seed ^ of as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (mixed ^ mixed >> 29).wrapping_mul(0xBF58_476D_1CE4_E5B9) as usize >> 16
    }

    /// So many texts, of one or two of the lists of words each.
    fn texts(&self, count: usize, salt: usize) -> Vec<Vec<u8>> {
        let lists: Vec<_> = self.words.iter().take(64).map(Words::list).collect();
        let text = |i: usize| {
            let mut words = Vec::new();
            for part in 0..=self.drawn(i) % 2 {
                let list = &lists[self.drawn(2 * i + part + 1) % lists.len()];
                words.extend(list.iter().take(24).cloned());
            }
            if self.distinct {
                words.push(format!("word-{}", self.drawn(i) % 999));
            }
            if self.long && i == salt {
                words = vec![words; 50].concat();
            }
            words.join(" ").into_bytes()
        };
        let mut texts: Vec<_> = (salt..salt + count).map(text).collect();
        let places = texts.len().max(1);
        if let (Some(fault), Some(_)) = (self.fault, texts.first()) {
            texts[usize::from(fault) * 7 % places] = b"not \xff text".to_vec();
        }
        texts
    }

    /// Rows of statistics: sums of up to 2^24 times 255.
    fn resampler(&self, plan: &Arc<Plan>, systems: usize, units: u32) -> Resampler {
        let shift = self.columns % 24;
        let cell = |system: usize, at: usize| (self.drawn(at + system) as i64 & 0xFF) << shift;
        Resampler::new(plan.clone(), systems, units, cell)
    }
}

fn column(texts: &[Vec<u8>]) -> Segments<'_> {
    Segments::Texts(texts.iter().map(|text| Text::Unchecked(text)).collect())
}

fn fill(plan: &Plan, input: &Input, hyps: &[Vec<u8>], refs: Option<&[Vec<u8>]>, n: usize) -> Found {
    let mut scores = vec![-1.0; hyps.len() * refs.unwrap_or(hyps).len()];
    let refs = refs.map(column);
    let hyps = column(hyps);
    pairwise::fill(plan, &hyps, refs.as_ref(), input.exact, n, &mut scores)?;
    Ok(bits(&scores))
}

fn batches(plan: &Plan, corpus: &Corpus, threads: usize) -> Found {
    let rows = batch::rows(plan, corpus, threads)?;
    let mut all: Vec<_> = rows.iter().map(|&cell| cell as u64).collect();
    let total = batch::total(plan, corpus, threads)?;
    all.extend(total.iter().map(|&cell| cell as u64));
    all.extend(bits(&batch::scores(plan, corpus, threads)?));
    let (scores, lengths) = bleu::prefixes(plan, corpus, threads)?;
    all.extend(bits(&scores));
    all.extend(lengths.iter().map(|&length| length as u64));
    Ok(all)
}

fn metric(metric: &dyn Metric, corpus: &Corpus, block: usize, threads: usize) -> Found {
    let rows = batch::rows(metric, corpus, threads)?;
    let mut all: Vec<_> = rows.iter().map(|&cell| cell as u64).collect();
    let total = batch::total(metric, corpus, threads)?;
    all.extend(total.iter().map(|&cell| cell as u64));
    all.extend(bits(&batch::scores(metric, corpus, threads)?));
    let (hyps, refs) = (corpus.hyps.slice(0..block), corpus.refs.slice(0..block));
    for refs in [Some(&refs), None] {
        let mut scores = vec![-1.0; block * block];
        metric.pairs(&hyps, refs, true, threads, &mut scores)?;
        all.extend(bits(&scores));
    }
    Ok(all)
}

/// Of half a million pairs, say, of one text each: whatever is large enough for `workers`.
fn work(input: &Input, workers: usize, threads: usize) -> Found {
    let level = ("simd", choose(&levels(), input.level));
    let settings = choose(&SETTINGS, input.settings).iter().copied();
    let plan = Arc::new(Plan::compile(settings.chain([level])).expect("settings"));
    let pairs = |size: usize| {
        let corpus = [input.texts(size, 0), input.texts(size, 1 << 20)];
        move |with: &dyn Fn(&Corpus) -> Found| {
            let [hyps, refs] = corpus.each_ref().map(|texts| column(texts));
            with(&Corpus {
                hyps,
                refs,
                bounds: None,
                group: 1,
            })
        }
    };
    match input.work {
        Work::Matrix => {
            let columns = choose(&[40, 64, 100, 128, 200, 256, 500, 1100], input.columns);
            let rows = 100_000 * workers / columns + 1;
            let refs = input.texts(columns, 1 << 20);
            fill(&plan, input, &input.texts(rows, 0), Some(&refs), threads)
        }
        Work::Square => {
            let size = (100_000 * workers).isqrt() + 1;
            fill(&plan, input, &input.texts(size, 0), None, threads)
        }
        Work::Expected => {
            let size = 1 + usize::from(input.columns % 40);
            let (texts, bounds) = (input.texts(40 * size, 0), 0..=40);
            let groups = Groups {
                segments: column(&texts),
                bounds: bounds.map(|group| group * size).collect(),
            };
            let fill = |hyps: &Segments, refs: Option<&Segments>, n, scores: &mut [f64]| {
                pairwise::fill(&plan, hyps, refs, input.exact, n, scores)
            };
            let found = pairwise::expected(fill, &groups, None, None, threads)?;
            Ok(bits(&found))
        }
        Work::Batch => pairs(5_000 * workers)(&|corpus| batches(&plan, corpus, threads)),
        Work::Chrf => {
            let words = ["0", "2"][usize::from(input.exact)];
            let chrf = Chrf::compile([("word_order", words), level]).expect("settings");
            let block = (5_000 * workers).isqrt() + 1;
            pairs(4_000 * workers)(&|corpus| metric(&chrf, corpus, block, threads))
        }
        Work::Ter => {
            let ter = Ter::compile([level]).expect("settings");
            let block = (200 * workers).isqrt() + 1;
            pairs(200 * workers)(&|corpus| metric(&ter, corpus, block, threads))
        }
        Work::Resamples => {
            let systems = 1 + usize::from(input.columns % 3);
            let units = 16_384 * workers as u32 / systems as u32;
            let made = input.resampler(&plan, systems, units);
            let range = 0..1 + (1 << 23) / u64::from(units) / systems as u64;
            let mut found = bits(&made.bootstrap(input.seed, range.clone(), threads));
            found.extend(bits(&made.jackknife(&(0..u64::from(units)), threads)));
            let mut draws = Pcg64::new(input.seed.into(), 1);
            let numpy = made.numpy_bootstrap(&mut draws, range.end as usize, threads);
            found.extend(bits(&numpy.unwrap_or_default()));
            let beyond = made.permutation(input.seed, range, threads);
            found.extend(beyond.iter().flat_map(|pair| [pair.more, pair.equal]));
            Ok(found)
        }
    }
}

/// The result, unless the work is interrupted first.
fn interrupted(after: u8, work: impl FnOnce() -> Found + Send) -> Option<Found> {
    let flag = Flag::default();
    let result = thread::scope(|scope| {
        let working = scope.spawn(|| {
            flag.adopt();
            interruptible(|| Ok(()), work)
        });
        thread::sleep(Duration::from_micros(250 * u64::from(after)));
        flag.set();
        working.join().expect("panics are caught")
    });
    match result {
        Ok(found) => Some(found),
        Err(reason) => {
            assert!(reason.is::<Interrupted>(), "another reason");
            None
        }
    }
}

fuzz_target!(|input: Input| {
    if input.words.is_empty() {
        return;
    }
    let threads = 2 + usize::from(input.threads % 3);
    let found = work(&input, threads, threads);
    assert!(found.is_ok() || input.fault.is_some());
    if let Some(after) = input.interrupt
        && let Some(before) = interrupted(after, || work(&input, threads, threads))
    {
        assert_eq!(before, found);
    }
    assert_eq!(work(&input, threads, 1), found);
});
