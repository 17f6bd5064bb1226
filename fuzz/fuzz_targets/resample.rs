//! Resamples: the same on every instruction set, for any number of threads and in any parts, and
//! scores of sums that plain addition gives.

#![no_main]

use std::sync::Arc;

use libfuzzer_sys::arbitrary::{self, Arbitrary};
use libfuzzer_sys::fuzz_target;
use truebleu_core::plan::Plan;
use truebleu_core::resample::{Pcg64, Resampler};
use truebleu_core::run::batch;
use truebleu_fuzz::{bits, plans};

#[derive(Arbitrary, Debug)]
struct Input {
    seed: u64,
    state: (u128, u128),
    first: u32,
    count: u8,
    threads: u8,
    systems: u8,
    /// Each byte moved to the left by so many bits.
    shift: u8,
    cells: Vec<u8>,
}

const WIDTH: usize = 6;

/// What is drawn, by every way: scores as bits, and counts.
fn draw(
    plan: &Arc<Plan>,
    input: &Input,
    rows: &[Vec<i64>],
    threads: usize,
) -> (Vec<u64>, Vec<u64>) {
    let units = (rows[0].len() / WIDTH) as u32;
    let made = Resampler::new(plan.clone(), rows.len(), units, |system, at| {
        rows[system][at]
    });
    let range = u64::from(input.first)..u64::from(input.first) + u64::from(input.count);
    let mut scores = made.bootstrap(input.seed, range.clone(), threads);
    assert_eq!(scores.len(), rows.len() * usize::from(input.count));
    scores.extend(made.jackknife(&(0..u64::from(units)), threads));
    let mut draws = Pcg64::new(input.state.0, input.state.1 | 1);
    let numpy = made.numpy_bootstrap(&mut draws, usize::from(input.count), threads);
    let lost = u64::from(numpy.is_err());
    scores.extend(numpy.unwrap_or_default());
    let mut counts = vec![lost];
    for beyond in [
        made.permutation(input.seed, range, threads),
        made.numpy_permutation(&mut draws, usize::from(input.count)),
    ] {
        counts.extend(beyond.iter().flat_map(|pair| [pair.more, pair.equal]));
    }
    (bits(&scores), counts)
}

fuzz_target!(|input: Input| {
    let systems = 1 + usize::from(input.systems % 4);
    let units = input.cells.len() / (WIDTH * systems);
    if units == 0 {
        return;
    }
    let shift = input.shift % 40;
    let rows: Vec<Vec<i64>> = input
        .cells
        .chunks_exact(WIDTH * units)
        .map(|cells| cells.iter().map(|&cell| i64::from(cell) << shift).collect())
        .collect();
    let plans = plans(&[("max_ngram_order", "2"), ("smooth_method", "exp")]);
    let plans: Vec<_> = plans.into_iter().map(Arc::new).collect();
    let threads = 1 + usize::from(input.threads % 4);
    let expected = draw(&plans[0], &input, &rows[..systems], threads);
    for plan in &plans {
        assert_eq!(
            draw(plan, &input, &rows[..systems], 1),
            expected,
            "{}",
            plan.level.name()
        );
    }
    // The jackknife draws nothing, so that plain sums must give its scores.
    let made = Resampler::new(plans[0].clone(), systems, units as u32, |s, at| rows[s][at]);
    let mut left = Vec::new();
    for unit in 0..units {
        for system in &rows[..systems] {
            let mut sum = vec![0; WIDTH];
            for (other, row) in system.chunks(WIDTH).enumerate() {
                if other != unit {
                    sum.iter_mut().zip(row).for_each(|(sum, cell)| *sum += cell);
                }
            }
            left.extend(sum);
        }
    }
    let found = made.jackknife(&(0..units as u64), 1);
    assert_eq!(bits(&found), bits(&batch::values(&*plans[0], &left)));
    // Every resample of equal units is the corpus.
    let first: Vec<_> = rows[..systems]
        .iter()
        .map(|rows| rows[..WIDTH].to_vec())
        .collect();
    let same = Resampler::new(plans[0].clone(), systems, units as u32, |s, at| {
        first[s][at % WIDTH]
    });
    let whole: Vec<_> = first
        .iter()
        .flatten()
        .map(|cell| cell * units as i64)
        .collect();
    let expected = batch::values(&*plans[0], &whole).repeat(usize::from(input.count));
    let range = 0..u64::from(input.count);
    assert_eq!(bits(&same.bootstrap(input.seed, range, 2)), bits(&expected));
});
