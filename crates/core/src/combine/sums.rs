//! Sums of floats, whose last bit depends on the order of additions.

use super::options::Summation;

/// The sum of `terms`.
pub fn add(how: Summation, terms: impl Iterator<Item = f64>) -> f64 {
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
