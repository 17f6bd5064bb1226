//! Fifth decision: how counts become a number. The formula lives here alone.

use crate::plan::{Combine, Smooth, Summation};

/// Stands for the logarithm of a precision of zero, as in sacreBLEU (`utils.my_log`).
const LOG_ZERO: f64 = -9_999_999_999.0;

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
    let (value, bp) = score(how, row, &mut precisions);
    Combined {
        value,
        bp,
        precisions,
    }
}

/// Scores a row; leaves the precisions in `precisions`.
pub fn score(how: &Combine, row: &[i64], precisions: &mut Vec<f64>) -> (f64, f64) {
    let (hyp_len, ref_len) = (row[0], row[1]);
    let (matches, totals) = row[2..].split_at((row.len() - 2) / 2);
    let bp = brevity_penalty(hyp_len, ref_len);
    precisions.clear();
    precisions.resize(matches.len(), 0.0);
    if matches.iter().all(|&count| count == 0) {
        return (0.0, bp);
    }
    let mut halvings = 1.0;
    let mut effective = 0;
    for (n, precision) in precisions.iter_mut().enumerate() {
        let added = match how.smooth {
            Smooth::AddK(k) if n > 0 => k,
            _ => 0.0,
        };
        let correct = matches[n] as f64 + added;
        let total = totals[n] as f64 + added;
        if total == 0.0 {
            break;
        }
        effective = n + 1;
        // The order of operations is sacreBLEU's: percent first, then divide.
        *precision = match how.smooth {
            Smooth::Exp if correct == 0.0 => {
                halvings *= 2.0;
                100.0 / (halvings * total)
            }
            Smooth::Floor(value) if correct == 0.0 => 100.0 * value / total,
            _ => 100.0 * correct / total,
        };
    }
    let used = if how.effective_order {
        effective
    } else {
        precisions.len()
    };
    (bp * geometric_mean(how, &precisions[..used]), bp)
}

fn brevity_penalty(hyp_len: i64, ref_len: i64) -> f64 {
    if hyp_len >= ref_len {
        1.0
    } else if hyp_len > 0 {
        (1.0 - ref_len as f64 / hyp_len as f64).exp()
    } else {
        0.0
    }
}

fn geometric_mean(how: &Combine, precisions: &[f64]) -> f64 {
    let log = |p: f64| if p == 0.0 { LOG_ZERO } else { p.ln() };
    let logs = precisions.iter().map(|&p| log(p));
    let (sum, count) = match &how.weights {
        None => (add(how.summation, logs), precisions.len() as f64),
        Some(weights) => {
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
    }
}
