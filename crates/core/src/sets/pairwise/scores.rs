//! From the counts of a row of pairs to its scores.
//!
//! A score is the product of a factor of the lengths and a mean of the counts
//! ([`combine::product`]). Candidates of one length come one after the other, so that the first
//! factor is computed once for each pair of lengths, and means are cached by the matches.

use crate::combine;
use crate::count::{ref_len, total};
use crate::plan::Plan;

/// Scores of one hypothesis against a block of references.
#[derive(Debug)]
pub struct Scorer<'a> {
    plan: &'a Plan,
    /// Whether every score is to have the last bit that the formula gives it.
    exact: bool,
    /// The lengths of the hypothesis.
    tokens: usize,
    hyp_len: usize,
    totals: Vec<i64>,
    /// By reference: the factor of the lengths.
    factors: Vec<f64>,
    /// Different lengths among the references, and for each reference which of them it has.
    ref_lens: Vec<usize>,
    ref_len_of: Vec<u32>,
    /// By the number of orders that match: the score of one match in each of them, without the
    /// factor of the lengths. None if scores need the formula.
    shapes: Option<[f64; 5]>,
    means: Vec<Mean>,
    round: u32,
    matches: Vec<i64>,
    precisions: Vec<f64>,
}

/// A cached mean.
#[derive(Clone, Copy, Debug, Default)]
struct Mean {
    matches: u64,
    /// The round: in each, the hypotheses have another length.
    round: u32,
    value: f64,
}

/// Matches of up to eight orders are eight bytes, the key of a cached mean.
const REMEMBERED: usize = 8;
/// Means that are cached at a time: 48 KiB.
const MEANS: usize = 1 << 11;

impl<'a> Scorer<'a> {
    pub fn new(plan: &'a Plan, exact: bool) -> Self {
        Self {
            plan,
            exact,
            tokens: usize::MAX,
            hyp_len: usize::MAX,
            totals: Vec::new(),
            factors: Vec::new(),
            ref_lens: Vec::new(),
            ref_len_of: Vec::new(),
            shapes: None,
            means: vec![Mean::default(); MEANS],
            round: 0,
            matches: vec![0; plan.count.orders],
            precisions: Vec::new(),
        }
    }

    /// Continues with the references of these lengths.
    pub fn set_references(&mut self, tokens: &[usize]) {
        self.ref_lens.clear();
        self.ref_lens.extend_from_slice(tokens);
        self.ref_lens.sort_unstable();
        self.ref_lens.dedup();
        let place = |len| self.ref_lens.partition_point(|&other| other < len) as u32;
        self.ref_len_of.clear();
        self.ref_len_of.extend(tokens.iter().map(|&len| place(len)));
        self.tokens = usize::MAX;
    }

    /// Continues with a hypothesis of these lengths.
    pub fn set_hypothesis(&mut self, tokens: usize, hyp_len: usize) {
        if (self.tokens, self.hyp_len) == (tokens, hyp_len) {
            return;
        }
        (self.tokens, self.hyp_len) = (tokens, hyp_len);
        self.round += 1;
        let Self { plan, .. } = *self;
        let orders = 1..=plan.count.orders;
        self.totals = orders.map(|n| total(&plan.count, tokens, n)).collect();
        let factor = |&tokens: &usize| {
            let ref_len = ref_len(plan.count.ref_len, hyp_len, [tokens].into_iter());
            combine::length_factor(&plan.combine, hyp_len as i64, ref_len as i64)
        };
        let by_len: Vec<_> = self.ref_lens.iter().map(factor).collect();
        let factors = self.ref_len_of.iter().map(|&place| by_len[place as usize]);
        self.factors.clear();
        self.factors.extend(factors);
        let how = &plan.combine;
        let geometric = combine::is_geometric(how) && plan.count.orders == how.orders;
        self.shapes = (!self.exact && geometric && tokens.min(hyp_len) >= how.orders).then(|| {
            let mut shapes = [0.0; 5];
            for (matching, shape) in shapes.iter_mut().enumerate() {
                let matches: [i64; 4] = std::array::from_fn(|n| i64::from(n < matching));
                let totals = &self.totals;
                let mean =
                    combine::mean(how, hyp_len as i64, &matches, totals, &mut self.precisions);
                *shape = combine::product(how, 1.0, mean);
            }
            shapes
        });
    }

    /// Fills `scores` from counts by order and reference, each a byte.
    #[inline(always)]
    pub fn score(&mut self, counts: &[Vec<[u8; 64]>], scores: &mut [f64]) {
        match (&self.shapes, counts) {
            (Some(shapes), [one, two, three, four]) => {
                let blocks = one.iter().zip(two).zip(three.iter().zip(four));
                let pairs = scores.chunks_mut(64).zip(self.factors.chunks(64));
                for (((one, two), (three, four)), (scores, factors)) in blocks.zip(pairs) {
                    quick(shapes, [one, two, three, four], factors, scores);
                }
            }
            _ => self.by_formula(counts, scores),
        }
    }

    #[inline(always)]
    fn by_formula(&mut self, counts: &[Vec<[u8; 64]>], scores: &mut [f64]) {
        for (j, score) in scores.iter_mut().enumerate() {
            let mut key = [0; REMEMBERED];
            for (byte, counts) in key.iter_mut().zip(counts) {
                *byte = counts[j / 64][j % 64];
            }
            let key = u64::from_le_bytes(key);
            let place = key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - MEANS.trailing_zeros());
            let known = self.means[place as usize];
            let mean = if known.matches == key
                && known.round == self.round
                && counts.len() <= REMEMBERED
            {
                known.value
            } else {
                for (matches, counts) in self.matches.iter_mut().zip(counts) {
                    *matches = i64::from(counts[j / 64][j % 64]);
                }
                let value = self.mean();
                self.means[place as usize] = Mean {
                    matches: key,
                    round: self.round,
                    value,
                };
                value
            };
            *score = combine::product(&self.plan.combine, self.factors[j], mean);
        }
    }

    /// Fills `scores` from counts of any size.
    pub fn score_large(&mut self, counts: &[Vec<u32>], scores: &mut [f64]) {
        for (j, score) in scores.iter_mut().enumerate() {
            for (matches, counts) in self.matches.iter_mut().zip(counts) {
                *matches = i64::from(counts[j]);
            }
            *score = combine::product(&self.plan.combine, self.factors[j], self.mean());
        }
    }

    #[inline(never)]
    fn mean(&mut self) -> f64 {
        combine::mean(
            &self.plan.combine,
            self.hyp_len as i64,
            &self.matches,
            &self.totals,
            &mut self.precisions,
        )
    }
}

/// Scores by two square roots, which take a tenth of the time of four logarithms and come within a
/// few of the last bits.
#[inline(always)]
fn quick(shapes: &[f64; 5], counts: [&[u8; 64]; 4], factors: &[f64], scores: &mut [f64]) {
    let [one, two, three, four] = counts;
    let mut roots = [0.0; 64];
    for (j, root) in roots.iter_mut().enumerate() {
        let low = u16::from(one[j].max(1)) * u16::from(two[j].max(1));
        let high = u16::from(three[j].max(1)) * u16::from(four[j].max(1));
        // An order matches only if those below it do. Choices, because to look it up would take
        // as long as a root.
        let mut shape = shapes[4];
        for (order, counts) in counts.iter().enumerate().rev() {
            shape = if counts[j] == 0 { shapes[order] } else { shape };
        }
        *root = shape * (f64::from(low) * f64::from(high)).sqrt().sqrt();
    }
    for ((score, factor), root) in scores.iter_mut().zip(factors).zip(roots) {
        *score = factor * root;
    }
}
