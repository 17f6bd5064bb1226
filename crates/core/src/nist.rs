//! NIST (Doddington 2002): the mean information of the n-grams that match, summed over orders, times a
//! penalty for length.
//!
//! The information of an n-gram is the logarithm of how much rarer it is in all references than its
//! first n - 1 tokens. So references are counted first ([`Nist::informed`]), and segments after that.
//!
//! A row holds the length of the hypothesis, the mean length of its references in units of which a
//! token has [`UNITS`], and for each order the information of the matches (in two integers) and the
//! number of n-grams. Information is a multiple of 2^-52 bits, to which logarithms of 1 and more are
//! exact, and rows are integers and add.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::ops::Range;
use std::slice;
use std::sync::Arc;

use foldhash::fast::RandomState;

use crate::columns::views::{Corpus, Fault, Outcome, Segments, Sides};
use crate::count::{NONE, Trie};
use crate::metric::{self, Metric, Sink};
use crate::plan::{Plan, References};
use crate::resample::Resampled;
use crate::run::interrupt;
use crate::run::parallel::workers;
use crate::run::read::{Pairs, SegmentBuffers, read};
use crate::sets::pairwise::plain;
use crate::settings::Named;
use crate::simd::{Isa, Level, Task, dispatch};
use crate::ter::UNITS;
use crate::tokenize::Tokens;

/// The highest order: the mean length over as many is a whole number of units.
const MOST_ORDERS: usize = 22;
/// Bits after the point of the information of an n-gram, in both integers.
const BITS: u32 = 52;
/// Those in the second integer: sums of 2^31 n-grams fit.
const LOW_BITS: u32 = 32;
/// Fewest segments, and pairs, worth a thread.
const SEGMENTS_PER_THREAD: usize = 2_000;

#[derive(Clone, Debug)]
pub struct Nist {
    plan: Arc<Plan>,
    info: Arc<Info>,
}

/// The n-grams of references, with their information in bits.
#[derive(Debug, Default)]
struct Info {
    trie: Trie,
    bits: Vec<f64>,
}

impl Nist {
    /// Compiles settings, those of a plan; see [`Plan::compile`]. Its n-grams have no information.
    pub fn compile<'a>(settings: impl Named<'a>) -> Result<Self, String> {
        let plan = Plan::compile(settings)?;
        if plan.count.orders > MOST_ORDERS {
            return Err(format!("max_ngram_order must be {MOST_ORDERS} or less"));
        }
        Ok(Self {
            plan: Arc::new(plan),
            info: Arc::default(),
        })
    }

    /// Counts the n-grams of some references.
    ///
    /// # Errors
    /// A reference cannot be read.
    pub fn enter(&self, trie: &mut Trie, references: &Segments) -> Outcome {
        let enter = Enter {
            plan: &self.plan,
            trie,
            references,
        };
        dispatch(self.plan.level, enter)
    }

    /// The same metric with the information of counted n-grams.
    #[must_use]
    pub fn informed(&self, trie: Trie) -> Self {
        let counts = trie.counts();
        let mut bits = vec![0.0; counts.len()];
        for (node, bits) in bits.iter_mut().enumerate() {
            let ratio = counts[trie.above(node)] as f64 / counts[node] as f64;
            *bits = ratio.ln() / 2.0_f64.ln(); // as Python's math.log(ratio, 2)
        }
        Self {
            plan: Arc::clone(&self.plan),
            info: Arc::new(Info { trie, bits }),
        }
    }

    /// A number that identifies the information.
    pub fn digest(&self) -> u64 {
        self.info.trie.digest()
    }

    fn orders(&self) -> usize {
        self.plan.count.orders
    }

    /// Writes the row of a segment.
    fn fill_row(&self, grams: &mut OrderGrams, hyp: &Tokens, refs: &[Tokens], row: &mut [i64]) {
        let trie = &self.info.trie;
        row.fill(0);
        row[0] = hyp.len() as i64;
        trie.numbers(hyp, &mut grams.hyp.numbers);
        grams
            .refs
            .resize_with(refs.len().max(grams.refs.len()), Text::default);
        for (text, tokens) in grams.refs.iter_mut().zip(refs) {
            trie.numbers(tokens, &mut text.numbers);
        }
        let best = self.plan.count.references == References::Best;
        if !best {
            let sum: usize = refs.iter().map(Tokens::len).sum();
            row[1] = sum as i64 * (UNITS / refs.len().max(1) as i64);
        }
        let (head, sums) = row.split_at_mut(2);
        for (n, sums) in (1..=self.orders()).zip(sums.as_chunks_mut::<3>().0) {
            let total = (hyp.len() + 1).saturating_sub(n) as i64;
            sums[2] = total;
            grams.hyp.extend(trie, n);
            grams.number();
            let mut chosen: Option<(f64, usize, [i64; 2])> = None;
            for (i, tokens) in refs.iter().enumerate() {
                let text = &mut grams.refs[i];
                text.extend(trie, n);
                grams.allowed.count(&grams.places, &text.nodes);
                if best {
                    let (gain, exact) = grams.gain(&self.info.bits);
                    grams.allowed.most.clear();
                    let better = chosen.is_none_or(|(most, length, _)| {
                        gain.total_cmp(&most).then(tokens.len().cmp(&length)) == Ordering::Greater
                    });
                    if better {
                        chosen = Some((gain, tokens.len(), exact));
                    }
                }
            }
            if let Some((_, length, exact)) = chosen {
                sums[..2].copy_from_slice(&exact);
                head[1] += length as i64 * (UNITS / self.orders() as i64);
            } else if !best {
                sums[..2].copy_from_slice(&grams.gain(&self.info.bits).1);
                grams.allowed.most.clear();
            }
        }
    }
}

/// The score of a row.
fn score(row: &[i64]) -> f64 {
    let mut score = 0.0;
    for &[high, low, total] in row[2..].as_chunks::<3>().0 {
        let gain = (i128::from(high) << LOW_BITS) + i128::from(low);
        score += gain as f64 / (1_u64 << BITS) as f64 / total.max(1) as f64;
    }
    if score == 0.0 {
        return 0.0; // there may be no lengths
    }
    score * length_penalty(row[0] as f64 / (row[1] as f64 / UNITS as f64))
}

/// The factor for a ratio of lengths: a half at two thirds. Without references there is no score, as no
/// n-gram has information.
fn length_penalty(ratio: f64) -> f64 {
    if ratio > 0.0 && ratio < 1.0 {
        let beta = 0.5_f64.ln() / 1.5_f64.ln().powi(2);
        (beta * ratio.ln().powi(2)).exp()
    } else {
        ratio.clamp(0.0, 1.0)
    }
}

/// A text as numbers of tokens, and as nodes of n-grams of one order.
#[derive(Debug, Default)]
struct Text {
    numbers: Vec<u32>,
    nodes: Vec<u32>,
}

impl Text {
    fn extend(&mut self, trie: &Trie, n: usize) {
        trie.extend(&mut self.nodes, &self.numbers, n);
    }
}

/// The n-grams of a segment, of one order after the other.
#[derive(Debug, Default)]
struct OrderGrams {
    hyp: Text,
    refs: Vec<Text>,
    /// The n-grams of the hypothesis in the order of their first occurrences: node and count.
    distinct: Vec<(u32, u32)>,
    places: HashMap<u32, usize, RandomState>,
    allowed: Allowed,
}

/// For each n-gram of the hypothesis, the most occurrences in one reference.
#[derive(Debug, Default)]
struct Allowed {
    most: Vec<u32>,
    of_one: Vec<u32>,
}

impl Allowed {
    fn count(&mut self, places: &HashMap<u32, usize, RandomState>, nodes: &[u32]) {
        self.of_one.clear();
        self.of_one.resize(places.len(), 0);
        self.most.resize(places.len(), 0);
        for place in nodes.iter().filter_map(|node| places.get(node)) {
            self.of_one[*place] += 1;
        }
        for (most, &count) in self.most.iter_mut().zip(&self.of_one) {
            *most = (*most).max(count);
        }
    }
}

impl OrderGrams {
    /// Numbers and counts the n-grams of the hypothesis that some reference has.
    fn number(&mut self) {
        self.distinct.clear();
        self.places.clear();
        for &node in self.hyp.nodes.iter().filter(|&&node| node != NONE) {
            let next = self.distinct.len();
            let place = *self.places.entry(node).or_insert(next);
            if place == next {
                self.distinct.push((node, 0));
            }
            self.distinct[place].1 += 1;
        }
    }

    /// The information of the matches, added as NLTK adds it, and exactly.
    fn gain(&self, bits: &[f64]) -> (f64, [i64; 2]) {
        let (mut sum, mut exact) = (0.0, [0; 2]);
        for (&(node, count), &most) in self.distinct.iter().zip(&self.allowed.most) {
            let count = count.min(most);
            let bits = bits[node as usize];
            sum += bits * f64::from(count);
            let fixed = (bits * (1_u64 << BITS) as f64).round() as i64;
            exact[0] += (fixed >> LOW_BITS) * i64::from(count);
            exact[1] += (fixed & ((1 << LOW_BITS) - 1)) * i64::from(count);
        }
        (sum, exact)
    }
}

impl Metric for Nist {
    fn level(&self) -> Level {
        self.plan.level
    }

    fn width(&self) -> usize {
        2 + 3 * self.orders()
    }

    fn workers(&self, corpus: &Corpus, threads: usize) -> usize {
        workers(corpus.len(), SEGMENTS_PER_THREAD, threads)
    }

    fn for_each_row(&self, corpus: &Corpus, range: Range<usize>, sink: Sink) -> Outcome {
        metric::for_each_row(self, corpus, range, sink)
    }

    fn value(&self, row: &[i64], _: &mut Vec<f64>) -> f64 {
        score(row)
    }

    fn pairs(&self, sides: Sides, _: bool, threads: usize, scores: &mut [f64]) -> Outcome {
        let workers = workers(scores.len(), SEGMENTS_PER_THREAD, threads);
        let width = self.width();
        let work = |candidates: &[Tokens], references: &[Tokens], scores: &mut [f64]| {
            let (mut grams, mut row) = (OrderGrams::default(), vec![0; width]);
            let of_each = scores.chunks_mut(references.len().max(1));
            for (candidate, scores) in candidates.iter().zip(of_each) {
                for (reference, value) in references.iter().zip(scores) {
                    interrupt::check();
                    self.fill_row(&mut grams, candidate, slice::from_ref(reference), &mut row);
                    *value = score(&row);
                }
            }
        };
        plain::in_parts(&self.plan, sides, workers, scores, work)
    }

    fn tokens(&self, segments: &Segments) -> Outcome<Vec<Vec<Vec<u8>>>> {
        self.plan.tokens(segments)
    }
}

impl Resampled for Nist {
    fn lost_in_floats(&self, _: &[i64]) -> Option<&'static str> {
        Some("information")
    }
}

impl metric::Count for Nist {
    #[inline(always)]
    fn count<I: Isa>(&self, isa: I, corpus: &Corpus, range: Range<usize>, sink: Sink) -> Outcome {
        let mut row = vec![0; self.width()];
        let mut grams = OrderGrams::default();
        let mut buffers = SegmentBuffers::take();
        let SegmentBuffers { hyp, refs, .. } = &mut *buffers;
        let mut pairs = Pairs::new(&self.plan, corpus);
        let end = range.end;
        for segment in range {
            interrupt::check();
            let positions = corpus.references(segment);
            let count = positions.len() as i64;
            if count > 1 && UNITS % count != 0 {
                let fault = Fault::References(positions.len());
                return Err(fault.at(true, positions.start));
            }
            let refs = pairs.read(isa, segment, end, hyp, refs)?;
            self.fill_row(&mut grams, hyp, refs, &mut row);
            sink(&row);
        }
        buffers.keep();
        Ok(())
    }
}

struct Enter<'a> {
    plan: &'a Plan,
    trie: &'a mut Trie,
    references: &'a Segments<'a>,
}

impl Task for Enter<'_> {
    type Output = Outcome;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Self::Output {
        let mut tokens = Tokens::default();
        for position in 0..self.references.len() {
            interrupt::check();
            read(isa, self.plan, self.references, position, &mut tokens)
                .map_err(|fault| fault.at(true, position))?;
            self.trie.enter(&tokens, self.plan.count.orders);
        }
        Ok(())
    }
}
