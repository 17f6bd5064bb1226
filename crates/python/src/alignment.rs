//! Which rows of two columns belong together if lines were lost or inserted: the best path through a
//! band of similarities. `truebleu.analysis.check.alignment` says what it is.

use pyo3::buffer::PyBuffer;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// The row is unpaired.
const ALONE: i32 = -1;

/// For each row and state, the state before, or [`ALONE`] if the row has no pair there, as numbers of
/// four bytes; then the highest sum of each state after the last row.
///
/// A state is an offset; the first is `first`, each other one more. `scores` has a row for each: how
/// similar each hypothesis is to the reference so many rows below it. An unpaired row costs `penalty`.
#[pyfunction]
pub fn best_states(
    py: Python<'_>,
    scores: PyBuffer<f64>,
    first: i64,
    refs: i64,
    penalty: f64,
) -> PyResult<(Bound<'_, PyBytes>, Vec<f64>)> {
    let &[states, rows] = scores.shape() else {
        return Err(PyValueError::new_err("a matrix of scores"));
    };
    let scores = scores.to_vec(py)?;
    let offsets: Vec<i64> = (first..).take(states).collect();
    // Before the first row no reference is paired, which is offset 0.
    let before = |&offset: &i64| if offset == 0 { 0.0 } else { f64::NEG_INFINITY };
    let mut best: Vec<f64> = offsets.iter().map(before).collect();
    let mut came_from = Vec::with_capacity(4 * scores.len());
    for row in 0..rows {
        let (mut highest, mut nearest) = (f64::NEG_INFINITY, 0);
        for (state, &offset) in offsets.iter().enumerate() {
            // To raise the offset costs the difference.
            let ladder = penalty * offset as f64;
            let step = best[state] + ladder;
            if step >= highest {
                (highest, nearest) = (step, state as i32);
            }
            let mut paired = highest - ladder + scores[state * rows + row];
            if !(0..refs).contains(&(row as i64 + offset)) {
                paired = f64::NEG_INFINITY;
            }
            let left = (best.get(state + 1)).map_or(f64::NEG_INFINITY, |best| best - penalty);
            let from = if paired >= left { nearest } else { ALONE };
            came_from.extend(from.to_ne_bytes());
            best[state] = paired.max(left);
        }
    }
    Ok((PyBytes::new(py, &came_from), best))
}
