//! Fifth decision: how counts become a number. This is the only place of the formula.

mod options;
mod sums;

use crate::settings::Settings;

pub use options::{
    Arithmetic, Brevity, Empty, Guard, Join, MissingOrder, Rounding, Summation, Undefined,
    ZeroPrecision,
};
use sums::add;

/// The logarithm of a precision of zero, as in sacreBLEU (`utils.my_log`).
const LOG_ZERO: f64 = -9_999_999_999.0;
/// One in the sums of fractions that rows hold for some ways to join segments: 36 bits after the
/// point are more than any tool prints, and leave sums of 10^8 segments.
pub(crate) const ONE: f64 = (1_u64 << 36) as f64;
/// The largest score of a segment in such a sum, if 1 is perfect: options can make it infinite.
const MOST: f64 = 1024.0;

/// How counts of zero are smoothed (Chen and Cherry 2014).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Smooth {
    None,
    /// This value instead of a count of zero.
    Floor(f64),
    /// This value instead of a precision of zero.
    Constant(f64),
    /// This value added to matches and totals from order 2 on, whether they are zero or not.
    AddK(f64),
    /// The same from order 1 on.
    AddKAll(f64),
    /// The j-th order without a match counts 1 / 2^j (mteval's).
    Exp,
    /// The j-th order without a match counts ln(length) / (this value * 2^j).
    Length(f64),
    /// Each precision is averaged with its neighbors.
    Average,
    /// From order 3 on, precisions are interpolated with an extrapolation of the two before, by this
    /// weight.
    Interpolate(f64),
    /// `Length`, then `Average`.
    LengthAverage(f64),
}

impl Smooth {
    /// The precision of an order without n-grams.
    pub fn constant(self) -> f64 {
        match self {
            Self::Constant(value) => value,
            _ => 0.0,
        }
    }

    pub fn interpolates(self) -> bool {
        matches!(self, Self::Interpolate(_))
    }

    pub fn needs_next_order(self) -> bool {
        matches!(self, Self::Average | Self::LengthAverage(_))
    }
}

/// Makes a smoothing from its value.
type MakeSmooth = fn(f64) -> Smooth;

const SMOOTHINGS: [(&str, MakeSmooth); 10] = [
    ("none", |_| Smooth::None),
    ("floor", Smooth::Floor),
    ("constant", Smooth::Constant),
    ("add-k", Smooth::AddK),
    ("add-k-all", Smooth::AddKAll),
    ("exp", |_| Smooth::Exp),
    ("length", Smooth::Length),
    ("average", |_| Smooth::Average),
    ("interpolate", Smooth::Interpolate),
    ("length-average", Smooth::LengthAverage),
];

#[derive(Clone, Debug)]
pub struct Combine {
    /// Number of orders in the mean.
    pub orders: usize,
    pub smooth: Smooth,
    /// Added to the matches, the n-grams and the precision of each order.
    pub add_counts: [f64; 3],
    /// An order has at least so many n-grams.
    pub least_total: f64,
    pub guard: Guard,
    pub missing_order: MissingOrder,
    pub zero_precision: ZeroPrecision,
    /// Leave out orders without n-grams.
    pub effective_order: bool,
    /// One for each order; equal if `None`.
    pub weights: Option<Vec<f64>>,
    /// The score is the sum of those up to each order, times these numbers, instead of the last.
    pub cumulative_weights: Option<Vec<f64>>,
    pub arithmetic: Arithmetic,
    pub summation: Summation,
    pub brevity: Brevity,
    /// The exponent of the penalty.
    pub brevity_power: f64,
    /// Added to the length of the hypothesis and of the reference in the penalty.
    pub add_lengths: [f64; 2],
    pub undefined: Undefined,
    /// The factor of the product.
    pub factor: f64,
    pub join: Join,
    pub empty: Empty,
    pub rounding: Rounding,
}

impl Combine {
    pub(crate) fn compile(settings: &mut Settings) -> Result<Self, String> {
        let smooth = settings.one_of("smooth_method", &SMOOTHINGS)?;
        let orders = settings.orders("max_ngram_order", 1, 4)?;
        let weights = settings.weights("weights", orders)?;
        let cumulative_weights = settings.weights("cumulative_weights", orders)?;
        let arithmetic = settings.choice("arithmetic")?;
        let scale: f64 = settings.number("scale", 100.0)?;
        Ok(Self {
            orders,
            smooth: smooth(settings.number("smooth_value", 0.0)?),
            add_counts: settings.array("add_counts")?,
            least_total: settings.number("least_total", 0.0)?,
            guard: settings.choice("guard")?,
            missing_order: settings.choice("missing_order")?,
            zero_precision: settings.choice("zero_precision")?,
            effective_order: settings.choice("effective_order")?,
            weights,
            cumulative_weights,
            arithmetic,
            summation: settings.choice("summation")?,
            brevity: settings.choice("brevity")?,
            brevity_power: settings.number("brevity_power", 1.0)?,
            add_lengths: settings.array("add_lengths")?,
            undefined: settings.choice("undefined")?,
            factor: match arithmetic {
                Arithmetic::Percent => scale / 100.0,
                _ => scale,
            },
            join: settings.choice("join")?,
            empty: settings.choice("empty")?,
            rounding: settings.one_of("precision", &Rounding::CHOICES)?,
        })
    }

    /// Orders that are counted for smoothing or the score.
    pub fn orders_read(&self) -> usize {
        self.orders + usize::from(self.smooth.needs_next_order())
    }
}

/// A score and its factors.
#[derive(Clone, Debug, PartialEq)]
pub struct Combined {
    pub value: f64,
    pub bp: f64,
    /// After smoothing, in percent; order 1 first.
    pub precisions: Vec<f64>,
}

/// Scores a row, or a sum of rows.
pub fn combine(how: &Combine, row: &[i64]) -> Combined {
    let mut precisions = Vec::new();
    let (value, bp) = corpus_score(how, row, &mut precisions);
    if how.arithmetic != Arithmetic::Percent {
        for precision in &mut precisions {
            *precision *= 100.0;
        }
    }
    Combined {
        value,
        bp,
        precisions,
    }
}

/// The score of each order alone, and of the orders up to each.
pub fn by_order(how: &Combine, row: &[i64]) -> (Vec<f64>, Vec<f64>) {
    (
        up_to(how, row, |n| Some(one_hot(n))),
        up_to(how, row, |_| None),
    )
}

/// The score up to each order, with weights for as many orders.
fn up_to(how: &Combine, row: &[i64], weights: impl Fn(usize) -> Option<Vec<f64>>) -> Vec<f64> {
    let mut precisions = Vec::new();
    (1..=how.orders)
        .map(|orders| {
            let weights = match &how.weights {
                Some(own) if orders == how.orders && weights(orders).is_none() => Some(own.clone()),
                _ => weights(orders),
            };
            let whole = orders == how.orders && weights == how.weights;
            let how = Combine {
                orders,
                weights,
                cumulative_weights: how.cumulative_weights.clone().filter(|_| whole),
                join: if whole || how.join != Join::Mean {
                    how.join
                } else {
                    Join::Rows
                },
                ..how.clone()
            };
            corpus_score(&how, row, &mut precisions).0
        })
        .collect()
}

fn one_hot(orders: usize) -> Vec<f64> {
    let mut weights = vec![0.0; orders];
    weights[orders - 1] = 1.0;
    weights
}

/// Scores a row or a sum of rows: as [`score`], or the mean of the scores that the row holds.
pub fn corpus_score(how: &Combine, row: &[i64], precisions: &mut Vec<f64>) -> (f64, f64) {
    let (value, bp) = score(how, row, precisions);
    if how.join == Join::Mean {
        let (sum, segments) = (row[row.len() / 2], row[row.len() - 1]);
        let is_zero = how.empty == Empty::Zero && how.empty.concerns(row[0], row[1]);
        if segments > 1 || (is_zero && segments == 1) {
            return (sum as f64 / segments as f64 / ONE * scale(how), bp);
        }
    }
    (value, bp)
}

/// The score of each row up to each order, all rows of an order before those of the next, if these are
/// the reference lengths.
pub fn scores_up_to(how: &Combine, rows: &[&[i64]], ref_lens: &[f64]) -> Vec<f64> {
    let penalty = |(row, &ref_len): (&&[i64], &f64)| brevity_penalty(how, row[0] as f64, ref_len);
    let penalties: Vec<_> = rows.iter().zip(ref_lens).map(penalty).collect();
    let (mut scores, mut precisions) = (Vec::new(), Vec::new());
    for orders in 1..=how.orders {
        let how = Combine {
            orders,
            ..how.clone()
        };
        scores.extend(rows.iter().zip(&penalties).map(|(row, &penalty)| {
            let counts = Counts::of(row);
            let mean = mean_after(&how, counts, counts, &mut precisions);
            product(&how, penalty, mean.unwrap_or_else(|none| none.value))
        }));
    }
    scores
}

/// Writes into the row of a segment, after the counts, what its sum with others needs.
#[cold]
pub fn note_segment(how: &Combine, row: &mut [i64]) {
    match how.join {
        Join::Rows => {}
        Join::Smoothed => note_smoothing(how, row),
        Join::Mean => note_score(how, row),
    }
}

/// Writes the score and 1: a sum has the sum of the scores and their number. A score that does not
/// exist counts as 0. If empty segments are skipped, the place before has their number.
fn note_score(how: &Combine, row: &mut [i64]) {
    let (half, last) = (row.len() / 2, row.len() - 1);
    let is_empty = how.empty.concerns(row[0], row[1]);
    if how.empty.skips() {
        if is_empty {
            row.fill(0);
            row[last - 1] = 1;
            return;
        }
        (row[half - 1], row[last - 1]) = (0, 0);
    }
    let mut share = score(how, row, &mut Vec::new()).0 / scale(how);
    if is_empty {
        share = 0.0;
    } else if share > MOST {
        share = MOST;
    }
    row[half] = (share * ONE + 0.5).floor() as i64;
    row[last] = 1;
}

/// Writes the share that smoothing adds to the matches of each order, and 0 for its n-grams.
fn note_smoothing(how: &Combine, row: &mut [i64]) {
    let half = row.len() / 2 - 1;
    let (matches, totals) = row[2..].split_at_mut(half);
    let (matches, shares) = matches.split_at_mut(how.orders_read());
    totals[how.orders_read()..].fill(0);
    let mut halvings = 1.0;
    for (share, &count) in shares.iter_mut().zip(&*matches) {
        *share = match how.smooth {
            _ if count != 0 || how.add_counts[0] != 0.0 => 0,
            Smooth::Exp => {
                halvings *= 2.0;
                (ONE / halvings) as i64
            }
            Smooth::Floor(_) => ONE as i64,
            _ => 0,
        };
    }
}

/// What smoothing added to the matches of an order, segment by segment. A row that
/// [`note_segment`] has not seen has n-grams there, or neither n-grams nor matches.
fn matches_added(how: &Combine, matches: &[i64], totals: &[i64], n: usize) -> f64 {
    let value = match (how.join, how.smooth) {
        (Join::Smoothed, Smooth::Exp) => 1.0,
        (Join::Smoothed, Smooth::Floor(value)) => value,
        _ => return 0.0,
    };
    let place = matches.len() / 2 + n; // the half of the orders after those that are counted
    if totals[place] == 0 {
        matches[place] as f64 / ONE * value
    } else {
        0.0
    }
}

fn scale(how: &Combine) -> f64 {
    how.factor * unit(how)
}

/// A precision of 1 in the arithmetic.
fn unit(how: &Combine) -> f64 {
    if how.arithmetic == Arithmetic::Percent {
        100.0
    } else {
        1.0
    }
}

/// The parts of a row.
#[derive(Clone, Copy)]
struct Counts<'a> {
    hyp_len: i64,
    matches: &'a [i64],
    totals: &'a [i64],
}

impl<'a> Counts<'a> {
    fn of(row: &'a [i64]) -> Self {
        let (matches, totals) = row[2..].split_at((row.len() - 2) / 2);
        Self {
            hyp_len: row[0],
            matches,
            totals,
        }
    }
}

/// Scores a row; leaves the precisions in `precisions`, in the unit of the arithmetic.
pub fn score(how: &Combine, row: &[i64], precisions: &mut Vec<f64>) -> (f64, f64) {
    score_after(how, row, row, precisions)
}

/// The same, if smoothing that reads other orders reads them in the row `last`: NLTK passes the last
/// segment to its smoothing methods.
pub fn score_after(
    how: &Combine,
    row: &[i64],
    last: &[i64],
    precisions: &mut Vec<f64>,
) -> (f64, f64) {
    let (hyp_len, ref_len) = (row[0], row[1]);
    let bp = brevity_penalty(how, hyp_len as f64, ref_len as f64);
    if is_undefined(how, hyp_len, ref_len) {
        precisions.clear();
        precisions.resize(how.orders, 0.0);
        return (f64::NAN, bp);
    }
    let mean = mean_after(how, Counts::of(row), Counts::of(last), precisions);
    (product(how, bp, mean.unwrap_or_else(|none| none.value)), bp)
}

/// The calculation of a score, for those who show it.
///
/// `words`: the outcome (`product`, or why the score is none), the rule of the penalty, and for each
/// order the rule of its precision and what was done to it afterwards.
///
/// `numbers`: the score, the penalty, both lengths, what is added to them, and the power of the
/// penalty; then for each order matches and n-grams; what was added to the matches segment by
/// segment, and to their sum; the n-grams that count, and what was added to them; what was added to
/// the precision; the divisor of matches that are halved; the precision, its weight, and the precision
/// to the power of the weight.
pub struct Steps {
    pub words: Vec<&'static str>,
    pub numbers: Vec<f64>,
}

/// The steps from a row to its score, by the functions that compute the score.
#[cold]
pub fn steps(how: &Combine, row: &[i64]) -> Steps {
    let mut precisions = Vec::new();
    let (value, bp) = corpus_score(how, row, &mut precisions);
    let (counts, [more_c, more_r]) = (Counts::of(row), how.add_lengths);
    let (c, r) = (row[0] as f64, row[1] as f64);
    let used = smoothed(how, counts, counts, &mut vec![0.0; how.orders]);
    let weights = Weights::new(how, how.orders, &precisions[..used]);
    let mut words = vec!["product", penalty_rule(how, c + more_c, r + more_r)];
    let mut numbers = vec![value, bp, c, r, more_c, more_r, how.brevity_power];
    let mut ratios = ratios(how, counts).fuse(); // which a `map_while` is not
    for (n, &precision) in precisions.iter().enumerate() {
        let (total, unit) = (counts.totals[n] as f64, unit(how));
        let ratio = ratios.next();
        let is_interpolated =
            how.smooth.interpolates() && (n >= 2 && precisions[2] != 0.0 && ratio.is_some());
        let mut ratio = ratio.unwrap_or(Ratio {
            rule: "missing",
            total,
            halvings: 1.0,
            ..Ratio::default()
        });
        let after = if how.smooth.needs_next_order() {
            "averaged"
        } else if is_interpolated {
            ratio.total = ngrams_interpolated(counts, n);
            "interpolated"
        } else {
            "plain"
        };
        words.extend([ratio.rule, after]);
        let weight = weights
            .of(n, precision)
            .map_or(0.0, |weight| weight / weights.whole);
        let factor = (weight * (logarithm(how, precision) - unit.ln())).exp();
        numbers.extend([
            counts.matches[n] as f64,
            total,
            ratio.by_segment,
            ratio.to_match,
            ratio.total,
            ratio.to_total,
            how.add_counts[2],
            ratio.halvings,
            precision / unit,
            weight,
            factor,
        ]);
    }
    words[0] = if how.join == Join::Mean && row[row.len() - 1] > 1 {
        "segments"
    } else if is_undefined(how, row[0], row[1]) {
        "undefined"
    } else if let Err(none) = mean_after(how, counts, counts, &mut precisions) {
        none.reason
    } else if value.is_nan() {
        "not-a-number"
    } else if how.cumulative_weights.is_some() {
        "orders"
    } else if weights.whole == 0.0 {
        "no-order"
    } else {
        "product"
    };
    Steps { words, numbers }
}

/// The factor of a score from the lengths: the brevity penalty, or NaN if there is no score.
pub fn length_factor(how: &Combine, hyp_len: i64, ref_len: i64) -> f64 {
    if is_undefined(how, hyp_len, ref_len) {
        f64::NAN
    } else {
        brevity_penalty(how, hyp_len as f64, ref_len as f64)
    }
}

/// The factor of a score from the counts: the mean of the precisions, which are left in `precisions`.
/// It is 0 or NaN where the tool returns that without a mean.
pub fn mean(
    how: &Combine,
    hyp_len: i64,
    matches: &[i64],
    totals: &[i64],
    precisions: &mut Vec<f64>,
) -> f64 {
    let counts = Counts {
        hyp_len,
        matches,
        totals,
    };
    mean_after(how, counts, counts, precisions).unwrap_or_else(|none| none.value)
}

/// Why precisions have no mean, and what the tool returns instead.
struct NoMean {
    reason: &'static str,
    value: f64,
}

fn mean_after(
    how: &Combine,
    counts: Counts,
    last: Counts,
    precisions: &mut Vec<f64>,
) -> Result<f64, NoMean> {
    let none = |reason, value| Err(NoMean { reason, value });
    let (matches, totals) = (&counts.matches[..how.orders], counts.totals);
    precisions.clear();
    precisions.resize(how.orders, 0.0);
    if how.undefined == Undefined::MissingOrder && totals[..how.orders].iter().any(|&t| t <= 0) {
        return none("undefined", f64::NAN);
    }
    if is_zero(how.guard, counts.hyp_len, matches, totals) {
        return none("guard", 0.0);
    }
    let used = smoothed(how, counts, last, precisions);
    if how.smooth.interpolates() && precisions.get(2).is_none_or(|&p| p == 0.0) {
        return none("no-trigram", f64::NAN); // NLTK's method 6 raises an error
    }
    let up_to = |orders: usize| geometric_mean(how, orders, &precisions[..used.min(orders)]);
    Ok(match &how.cumulative_weights {
        None => up_to(how.orders),
        Some(weights) => {
            let terms = (1..).zip(weights).filter(|&(_, &weight)| weight != 0.0);
            terms.map(|(orders, weight)| weight * up_to(orders)).sum()
        }
    })
}

pub fn product(how: &Combine, length_factor: f64, mean: f64) -> f64 {
    let value = length_factor * mean * how.factor;
    if how.rounding == Rounding::Score {
        f64::from(value as f32)
    } else {
        value
    }
}

/// Whether a mean is proportional to the fourth root of the product of the matches, for
/// hypotheses with n-grams of all orders and as long as the orders that match are the same.
pub fn is_geometric(how: &Combine) -> bool {
    let plain = matches!(
        how.smooth,
        Smooth::None | Smooth::Floor(_) | Smooth::Constant(_) | Smooth::Exp | Smooth::Length(_)
    );
    let as_counted = how.add_counts.iter().all(|&added| added == 0.0) && how.least_total == 0.0;
    let all = how.zero_precision != ZeroPrecision::Drop
        && how.weights.is_none()
        && how.cumulative_weights.is_none()
        && how.join != Join::Smoothed;
    plain && as_counted && all && how.orders == 4 && how.rounding == Rounding::Nothing
}

/// Whether the tool divides by zero or takes the logarithm of zero here.
fn is_undefined(how: &Combine, hyp_len: i64, ref_len: i64) -> bool {
    match how.undefined {
        Undefined::Never | Undefined::MissingOrder => false,
        Undefined::EmptyHyp => hyp_len == 0,
        Undefined::EmptyHypOnly => hyp_len == 0 && ref_len > 0,
        Undefined::EmptyEither => hyp_len == 0 || ref_len == 0,
        Undefined::EmptyBoth => hyp_len == 0 && ref_len == 0,
    }
}

/// Whether the score is zero before smoothing.
fn is_zero(guard: Guard, hyp_len: i64, matches: &[i64], totals: &[i64]) -> bool {
    match guard {
        Guard::None => false,
        Guard::NoMatch => matches.iter().all(|&count| count == 0),
        Guard::NoUnigram => matches[0] == 0,
        Guard::AnyOrder => matches.contains(&0),
        Guard::EmptyHyp => hyp_len == 0,
        Guard::ShortHyp => (hyp_len as usize) < matches.len(),
        Guard::MissingOrder => totals[..matches.len()].iter().any(|&total| total <= 0),
    }
}

/// The penalty for lengths, which are no integers if a caller averages those of references.
#[allow(clippy::float_cmp)] // a power of exactly 1 changes nothing
fn brevity_penalty(how: &Combine, hyp_len: f64, ref_len: f64) -> f64 {
    let [more_c, more_r] = how.add_lengths;
    let (c, r) = (hyp_len + more_c, ref_len + more_r);
    let rule = how.brevity;
    if is_long_enough(how, c, r) {
        return 1.0;
    }
    let penalty = match rule {
        Brevity::Linear => c / r,
        Brevity::Symmetric => (-(1.0 - r / c).abs()).exp(),
        Brevity::Inverted => (1.0 - c / r).exp(),
        // Equal to the standard one up to the last bit; both are 0 for an empty hypothesis.
        Brevity::Ratio => (1.0 - 1.0 / (c / r)).exp(),
        _ => (1.0 - r / c).exp(),
    };
    if how.brevity_power == 1.0 {
        penalty
    } else {
        penalty.powf(how.brevity_power)
    }
}

/// Whether a hypothesis has no penalty.
fn is_long_enough(how: &Combine, c: f64, r: f64) -> bool {
    (c >= r && (how.brevity != Brevity::Symmetric || r == 0.0)) || how.brevity == Brevity::None
}

/// The name of the rule that gives the penalty.
fn penalty_rule(how: &Combine, c: f64, r: f64) -> &'static str {
    match how.brevity {
        Brevity::None => "none",
        _ if is_long_enough(how, c, r) => "long-enough",
        Brevity::Inverted => "inverted",
        _ if c == 0.0 => "no-token",
        Brevity::Symmetric if c >= r => "longer",
        Brevity::Linear => "linear",
        _ => "standard",
    }
}

/// The precision of an order from its counts.
#[derive(Default)]
struct Ratio {
    /// The formula.
    rule: &'static str,
    by_segment: f64,
    to_match: f64,
    total: f64,
    to_total: f64,
    halvings: f64,
    /// Whether there are n-grams after all that is added.
    is_present: bool,
    value: f64,
}

/// The precisions of the orders up to the one at which the tool stops.
fn ratios<'a>(how: &'a Combine, counts: Counts<'a>) -> impl Iterator<Item = Ratio> + 'a {
    let unit = unit(how);
    let round = |value: f64| {
        if how.rounding == Rounding::Precisions {
            f64::from(value as f32)
        } else {
            value
        }
    };
    let Counts {
        hyp_len,
        matches,
        totals,
    } = counts;
    let [to_match, to_total, to_precision] = how.add_counts;
    let mut halvings = 1.0;
    (0..how.orders).map_while(move |n| {
        let added = match how.smooth {
            Smooth::AddK(k) if n > 0 => k,
            Smooth::AddKAll(k) => k,
            _ => 0.0,
        };
        let at_least = (totals[n] as f64).max(how.least_total);
        let by_segment = matches_added(how, matches, totals, n);
        let count = matches[n] as f64 + by_segment;
        let correct = round(count + round(added)) + to_match;
        let total = round(at_least + round(added)) + to_total;
        let is_present = total != 0.0;
        // The order of operations is sacreBLEU's: percent first, then divide.
        let (rule, value) = match how.smooth {
            smooth if !is_present => match how.missing_order {
                MissingOrder::Stop => return None,
                MissingOrder::Zero => ("missing", smooth.constant()),
                MissingOrder::One => ("perfect", unit),
            },
            Smooth::Exp if correct == 0.0 => {
                halvings *= 2.0;
                ("halved", unit / (halvings * total))
            }
            Smooth::Floor(value) if correct == 0.0 => ("floor", round(unit * value) / total),
            Smooth::Constant(value) if correct == 0.0 => ("constant", value),
            Smooth::Length(k) | Smooth::LengthAverage(k) if correct == 0.0 && hyp_len > 1 => {
                halvings *= 2.0;
                let share = 1.0 / (halvings * k / (hyp_len as f64).ln());
                ("length", unit * share / total)
            }
            _ => ("ratio", round(unit * correct) / total),
        };
        let value = if is_present {
            round(value) + unit * to_precision
        } else {
            value
        };
        Some(Ratio {
            rule,
            by_segment,
            to_match: added + to_match,
            total: at_least,
            to_total: added + to_total,
            halvings,
            is_present,
            value,
        })
    })
}

/// Fills `precisions`; returns how many of them are in the mean.
fn smoothed(how: &Combine, counts: Counts, last: Counts, precisions: &mut [f64]) -> usize {
    let (mut reached, mut effective) = (0, 0);
    for (precision, ratio) in precisions.iter_mut().zip(ratios(how, counts)) {
        reached += 1;
        if ratio.is_present {
            effective = reached;
        }
        *precision = ratio.value;
    }
    match how.smooth {
        Smooth::Average | Smooth::LengthAverage(_) => {
            let next = last.matches[how.orders] as f64 / last.totals[how.orders] as f64;
            average(precisions, next);
        }
        Smooth::Interpolate(alpha) => {
            interpolate(alpha, counts, last, &mut precisions[..reached]);
        }
        _ => {}
    }
    if how.effective_order {
        effective
    } else {
        how.orders
    }
}

/// NLTK's form of Chen and Cherry's method 5: each precision is averaged with the smoothed one before
/// it and the plain one after it; `next` is the precision after the last.
fn average(precisions: &mut [f64], next: f64) {
    let mut before = precisions[0] + 1.0;
    for n in 0..precisions.len() {
        let after = precisions.get(n + 1).copied().unwrap_or(next);
        precisions[n] = (before + precisions[n] + after) / 3.0;
        before = precisions[n];
    }
}

/// Their method 6: from order 3 on, a precision is interpolated with an extrapolation of the two
/// before it.
fn interpolate(alpha: f64, counts: Counts, last: Counts, precisions: &mut [f64]) {
    if precisions.get(2).is_none_or(|&p| p == 0.0) {
        return;
    }
    for n in 2..precisions.len() {
        let expected = if precisions[n - 2] == 0.0 {
            0.0
        } else {
            precisions[n - 1] * precisions[n - 1] / precisions[n - 2]
        };
        let total = ngrams_interpolated(last, n);
        precisions[n] = (counts.matches[n] as f64 + alpha * expected) / (total + alpha);
    }
}

/// The n-grams of an order for interpolation, where NLTK does not floor them at one.
fn ngrams_interpolated(counts: Counts, n: usize) -> f64 {
    if counts.hyp_len > n as i64 {
        counts.totals[n].max(0) as f64
    } else {
        0.0
    }
}

/// The weights of orders in a mean, which are divided by `whole`; 0 if there is no mean.
struct Weights<'a> {
    own: Option<&'a [f64]>,
    equal: f64,
    whole: f64,
    orders: usize,
    drops_zeros: bool,
}

impl<'a> Weights<'a> {
    /// The weights for a score of this many orders, the first of which have precisions.
    fn new(how: &'a Combine, orders: usize, precisions: &[f64]) -> Self {
        let mut weights = Self {
            own: how.weights.as_deref(),
            equal: 1.0,
            whole: precisions.len() as f64,
            orders: precisions.len(),
            drops_zeros: how.zero_precision == ZeroPrecision::Drop,
        };
        if weights.drops_zeros || (weights.own.is_some() && how.arithmetic != Arithmetic::Weighted)
        {
            let terms = precisions.iter().enumerate();
            weights.whole = terms.filter_map(|(n, &p)| weights.of(n, p)).sum();
        } else if how.arithmetic == Arithmetic::Weighted && orders > 0 {
            weights.equal = 1.0 / orders as f64;
            weights.whole = weights.whole.min(1.0);
        }
        weights
    }

    /// The weight of an order, unless it is left out.
    fn of(&self, n: usize, precision: f64) -> Option<f64> {
        let is_in = n < self.orders && !(self.drops_zeros && precision == 0.0);
        is_in.then(|| self.own.map_or(self.equal, |own| own[n]))
    }
}

/// The mean of the precisions of the first orders, for a score of this many orders.
pub fn geometric_mean(how: &Combine, orders: usize, precisions: &[f64]) -> f64 {
    let weights = Weights::new(how, orders, precisions);
    if weights.whole == 0.0 {
        return 0.0;
    }
    let is_root = how.arithmetic == Arithmetic::Root && how.weights.is_none();
    if is_root && how.zero_precision == ZeroPrecision::Zero {
        return precisions.iter().product::<f64>().powf(1.0 / weights.whole);
    }
    let terms = precisions.iter().enumerate();
    let terms = terms.filter_map(|(n, &p)| Some(weights.of(n, p)? * logarithm(how, p)));
    (add(how.summation, terms) / weights.whole).exp()
}

fn logarithm(how: &Combine, precision: f64) -> f64 {
    match how.zero_precision {
        _ if precision != 0.0 => precision.ln(),
        ZeroPrecision::Zero => LOG_ZERO,
        _ => 0.0,
    }
}
