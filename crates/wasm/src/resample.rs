//! Resamples of a selection of segments, with the random numbers that Python has for the same seed.

use std::sync::Arc;

use truebleu_core::plan::Plan;
use truebleu_core::resample::Resampler;
use truebleu_core::stats;

use crate::memory::with;

/// Prepares resamples. The input has the numbers of the `systems` rows, then the segments, then the
/// unit of each segment, one of `units`: itself or its document.
#[unsafe(no_mangle)]
extern "C" fn resample(plan: usize, systems: usize, units: usize) {
    with(|state| {
        let (rows, segments) = state.input_integers().split_at(systems);
        let (segments, places) = segments.split_at(segments.len() / 2);
        let plan = Arc::clone(state.plan(plan));
        let width = plan.width();
        let mut cells = vec![0; systems * units * width];
        for (&id, cells) in rows.iter().zip(cells.chunks_exact_mut(units * width)) {
            let rows = state.rows.get(id as usize);
            for (&segment, &place) in segments.iter().zip(places) {
                let unit = &mut cells[place as usize * width..][..width];
                stats::add(unit, rows.row(segment));
            }
        }
        let value = |system: usize, at: usize| cells[system * units * width + at];
        state.resampler = Some(Resampler::new(plan, systems, units as u32, value));
    });
}

/// Writes for each resample the score of each system.
#[unsafe(no_mangle)]
extern "C" fn bootstrap(seed: f64, first: usize, count: usize) {
    made(|resampler| resampler.bootstrap(seed as u64, first as u64..(first + count) as u64, 1));
}

/// Writes for each resample the difference of two systems' scores if segments change places.
#[unsafe(no_mangle)]
extern "C" fn permutation(seed: f64, first: usize, count: usize) {
    made(|resampler| {
        let range = first as u64..(first + count) as u64;
        resampler.permutation(&[(0, 1)], seed as u64, range, 1)
    });
}

/// Writes for each segment the score of each system without it.
#[unsafe(no_mangle)]
extern "C" fn jackknife(first: usize, count: usize) {
    made(|resampler| resampler.jackknife(&(first as u64..(first + count) as u64), 1));
}

#[allow(clippy::expect_used)] // a fault of the page
fn made(work: impl FnOnce(&Resampler<Plan>) -> Vec<f64>) {
    with(|state| {
        state.numbers = work(state.resampler.as_ref().expect("`resample` was called"));
    });
}
