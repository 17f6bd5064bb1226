//! Fifth decision: how counts become a number. This is the only place of the formula.

use crate::plan::{
    Arithmetic, Brevity, Combine, Guard, Join, MissingOrder, Rounding, Smooth, Summation,
    Undefined, ZeroPrecision,
};

/// The logarithm of a precision of zero, as in sacreBLEU (`utils.my_log`).
const LOG_ZERO: f64 = -9_999_999_999.0;
/// One in the sums of fractions that rows hold for some ways to join segments: 36 bits after the
/// point are more than any tool prints, and leave sums of 10^8 segments.
pub(crate) const ONE: f64 = (1_u64 << 36) as f64;
/// The largest score of a segment in such a sum, if 1 is perfect: options can make it infinite.
const MOST: f64 = 1024.0;

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
        if segments > 1 {
            return (sum as f64 / segments as f64 / ONE * scale(how), bp);
        }
    }
    (value, bp)
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
/// exist counts as 0.
fn note_score(how: &Combine, row: &mut [i64]) {
    let mut share = score(how, row, &mut Vec::new()).0 / scale(how);
    if share > MOST {
        share = MOST;
    }
    let (half, last) = (row.len() / 2, row.len() - 1);
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

/// Scores a row; leaves the precisions in `precisions`, in the unit of the arithmetic.
pub fn score(how: &Combine, row: &[i64], precisions: &mut Vec<f64>) -> (f64, f64) {
    let (hyp_len, ref_len) = (row[0], row[1]);
    let (matches, totals) = row[2..].split_at((row.len() - 2) / 2);
    let bp = brevity_penalty(how, hyp_len, ref_len);
    if is_undefined(how, hyp_len, ref_len) {
        precisions.clear();
        precisions.resize(how.orders, 0.0);
        return (f64::NAN, bp);
    }
    let mean = mean(how, hyp_len, matches, totals, precisions);
    (product(how, bp, mean), bp)
}

/// The factor of a score from the lengths: the brevity penalty, or NaN if there is no score.
pub fn length_factor(how: &Combine, hyp_len: i64, ref_len: i64) -> f64 {
    if is_undefined(how, hyp_len, ref_len) {
        f64::NAN
    } else {
        brevity_penalty(how, hyp_len, ref_len)
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
    precisions.clear();
    precisions.resize(how.orders, 0.0);
    if how.undefined == Undefined::MissingOrder && totals[..how.orders].iter().any(|&t| t <= 0) {
        return f64::NAN;
    }
    if is_zero(how.guard, hyp_len, &matches[..how.orders], totals) {
        return 0.0;
    }
    let effective = smoothed(how, hyp_len, matches, totals, precisions);
    let used = if how.effective_order {
        effective
    } else {
        how.orders
    };
    if how.smooth.interpolates() && precisions.get(2).is_none_or(|&p| p == 0.0) {
        return f64::NAN; // NLTK's method 6 raises an error
    }
    let up_to =
        |orders: usize| geometric_mean(how, hyp_len, orders, &precisions[..used.min(orders)]);
    match &how.cumulative_weights {
        None => up_to(how.orders),
        Some(weights) => {
            let terms = (1..).zip(weights).filter(|&(_, &weight)| weight != 0.0);
            terms.map(|(orders, weight)| weight * up_to(orders)).sum()
        }
    }
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

#[allow(clippy::float_cmp)] // a power of exactly 1 changes nothing
fn brevity_penalty(how: &Combine, hyp_len: i64, ref_len: i64) -> f64 {
    let [more_c, more_r] = how.add_lengths;
    let (c, r) = (hyp_len as f64 + more_c, ref_len as f64 + more_r);
    let rule = how.brevity;
    if (c >= r && (rule != Brevity::Symmetric || r == 0.0)) || rule == Brevity::None {
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

/// Fills `precisions`; returns how many orders there are up to the last with n-grams.
fn smoothed(
    how: &Combine,
    hyp_len: i64,
    matches: &[i64],
    totals: &[i64],
    precisions: &mut [f64],
) -> usize {
    let unit = unit(how);
    let round = |value: f64| {
        if how.rounding == Rounding::Precisions {
            f64::from(value as f32)
        } else {
            value
        }
    };
    let mut halvings = 1.0;
    let mut effective = 0;
    let mut reached = precisions.len();
    for (n, precision) in precisions.iter_mut().enumerate() {
        let added = match how.smooth {
            Smooth::AddK(k) if n > 0 => k,
            Smooth::AddKAll(k) => k,
            _ => 0.0,
        };
        let [to_match, to_total, _] = how.add_counts;
        let total = (totals[n] as f64).max(how.least_total);
        let count = matches[n] as f64 + matches_added(how, matches, totals, n);
        let correct = round(count + round(added)) + to_match;
        let total = round(total + round(added)) + to_total;
        if total == 0.0 {
            match how.missing_order {
                MissingOrder::Stop => {
                    reached = n;
                    break;
                }
                MissingOrder::Zero => *precision = how.smooth.constant(),
                MissingOrder::One => *precision = unit,
            }
            continue;
        }
        effective = n + 1;
        // The order of operations is sacreBLEU's: percent first, then divide.
        *precision = round(match how.smooth {
            Smooth::Exp if correct == 0.0 => {
                halvings *= 2.0;
                unit / (halvings * total)
            }
            Smooth::Floor(value) if correct == 0.0 => round(unit * value) / total,
            Smooth::Constant(value) if correct == 0.0 => value,
            Smooth::Length(k) | Smooth::LengthAverage(k) if correct == 0.0 && hyp_len > 1 => {
                halvings *= 2.0;
                unit * (1.0 / (halvings * k / (hyp_len as f64).ln())) / total
            }
            _ => round(unit * correct) / total,
        }) + unit * how.add_counts[2];
    }
    match how.smooth {
        Smooth::Average | Smooth::LengthAverage(_) => {
            let next = matches[how.orders] as f64 / totals[how.orders] as f64;
            average(precisions, next);
        }
        Smooth::Interpolate(alpha) => {
            interpolate(alpha, hyp_len, matches, &mut precisions[..reached], totals);
        }
        _ => {}
    }
    effective
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
fn interpolate(alpha: f64, hyp_len: i64, matches: &[i64], precisions: &mut [f64], totals: &[i64]) {
    if precisions.get(2).is_none_or(|&p| p == 0.0) {
        return;
    }
    for n in 2..precisions.len() {
        let expected = if precisions[n - 2] == 0.0 {
            0.0
        } else {
            precisions[n - 1] * precisions[n - 1] / precisions[n - 2]
        };
        // Here NLTK does not floor the total at one.
        let total = if hyp_len > n as i64 {
            totals[n].max(0)
        } else {
            0
        };
        precisions[n] = (matches[n] as f64 + alpha * expected) / (total as f64 + alpha);
    }
}

#[allow(clippy::float_cmp)] // NLTK compares its weights with 0.25 too
fn geometric_mean(how: &Combine, hyp_len: i64, orders: usize, precisions: &[f64]) -> f64 {
    if precisions.is_empty() {
        return 0.0; // no order has n-grams
    }
    let log = |p: f64| match (p, how.zero_precision) {
        (0.0, ZeroPrecision::Zero) => LOG_ZERO,
        (0.0, _) => 0.0,
        _ => p.ln(),
    };
    if how.zero_precision == ZeroPrecision::Drop {
        return mean_without_zeros(how, precisions);
    }
    let logs = precisions.iter().map(|&p| log(p));
    let (sum, count) = match (&how.weights, how.arithmetic) {
        (weights, Arithmetic::Weighted) => {
            let equal = 1.0 / orders as f64;
            let quarter = |weights: &Vec<f64>| weights.iter().all(|&weight| weight == 0.25);
            let reweigh = how.auto_reweigh
                && hyp_len < 4
                && orders == 4
                && weights.as_ref().is_none_or(quarter);
            let terms = logs.enumerate().map(|(n, log)| match weights {
                _ if reweigh && (n as i64) < hyp_len => 1.0 / hyp_len as f64 * log,
                _ if reweigh => 0.0,
                Some(weights) => weights[n] * log,
                None => equal * log,
            });
            (add(how.summation, terms), 1.0)
        }
        (None, _) => (add(how.summation, logs), precisions.len() as f64),
        (Some(weights), _) => {
            let weighted = logs.zip(weights).map(|(log, weight)| log * weight);
            (
                add(how.summation, weighted),
                weights[..precisions.len()].iter().sum(),
            )
        }
    };
    if count == 0.0 {
        0.0
    } else {
        (sum / count).exp()
    }
}

/// The weighted mean of the orders with a precision above 0.
fn mean_without_zeros(how: &Combine, precisions: &[f64]) -> f64 {
    let weight = |n: usize| how.weights.as_ref().map_or(1.0, |weights| weights[n]);
    let present = || precisions.iter().enumerate().filter(|&(_, &p)| p != 0.0);
    let whole: f64 = present().map(|(n, _)| weight(n)).sum();
    if whole == 0.0 {
        return 0.0;
    }
    let terms = present().map(|(n, &p)| weight(n) * p.ln());
    (add(how.summation, terms) / whole).exp()
}

fn add(how: Summation, terms: impl Iterator<Item = f64>) -> f64 {
    match how {
        Summation::Naive => terms.fold(0.0, |sum, term| sum + term),
        Summation::Compensated => {
            let (mut sum, mut lost) = (0.0_f64, 0.0);
            for term in terms {
                let next = sum + term;
                lost += if sum.abs() >= term.abs() {
                    sum - next + term
                } else {
                    term - next + sum
                };
                sum = next;
            }
            sum + lost
        }
        Summation::Exact => exact_sum(terms),
    }
}

/// The sum rounded once: Shewchuk's partial sums, which do not overlap, as Python's `math.fsum`.
#[allow(clippy::float_cmp)] // whether doubling was exact is the question
fn exact_sum(terms: impl Iterator<Item = f64>) -> f64 {
    let mut partials: Vec<f64> = Vec::new();
    for mut term in terms {
        let mut kept = 0;
        for i in 0..partials.len() {
            let mut partial = partials[i];
            if term.abs() < partial.abs() {
                (term, partial) = (partial, term);
            }
            let high = term + partial;
            let low = partial - (high - term);
            if low != 0.0 {
                partials[kept] = low;
                kept += 1;
            }
            term = high;
        }
        partials.truncate(kept);
        partials.push(term);
    }
    let Some(mut high) = partials.pop() else {
        return 0.0;
    };
    let mut low = 0.0;
    while let Some(partial) = partials.pop() {
        let before = high;
        high = before + partial;
        low = partial - (high - before);
        if low != 0.0 {
            break;
        }
    }
    // Round half to even: the partials below decide on which side of the middle the sum is.
    if let Some(&below) = partials.last()
        && ((low < 0.0 && below < 0.0) || (low > 0.0 && below > 0.0))
    {
        let twice = low * 2.0;
        let rounded = high + twice;
        if twice == rounded - high {
            high = rounded;
        }
    }
    high
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    proptest! {
        /// Sums integers, some of which cancel out.
        #[test]
        fn exact_sums_are_rounded_once(terms in prop::collection::vec((any::<i32>(), 0..70), 0..9), back in 0..9_usize) {
            let terms: Vec<_> = terms.into_iter().map(|(n, by)| i128::from(n) << by).collect();
            let terms = [&terms, &*terms.iter().take(back).map(|n| -n).collect::<Vec<_>>()].concat();
            let result = super::exact_sum(terms.iter().map(|&term| term as f64));
            let sum = terms.iter().sum::<i128>() as f64;
            prop_assert_eq!(result.to_bits(), sum.to_bits());
        }
    }
}
