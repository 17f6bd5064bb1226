//! Resampled scores for Python, as buffers of float64.

use std::ops::Range;
use std::sync::Arc;

use pyo3::exceptions::{PyOverflowError, PyValueError};
use pyo3::prelude::*;
use truebleu_core::resample;

use crate::buffers::{Bytes, Integers, bytes_of};
use crate::calls::detached;
use crate::metric::Metric;

/// The first of some resamples or units, and their number.
type Part = (u64, u64);

/// Systems on the same units, ready to be resampled; it does not change, so threads may share it.
#[pyclass(frozen, module = "truebleu._core")]
pub struct Resampler {
    core: resample::Resampler,
    systems: usize,
    units: u32,
}

#[pymethods]
impl Resampler {
    /// `systems` are buffers of int64: for each unit a row of the metric's.
    #[new]
    fn new(py: Python<'_>, metric: &Metric, systems: Vec<Integers>) -> PyResult<Self> {
        let slices: Option<Vec<&[i64]>> = systems
            .iter()
            // SAFETY: the buffers live to the end of this function, and those of `Stats` are
            // read-only.
            .map(|rows| Some(unsafe { rows.as_slice_ptr()?.as_ref() }))
            .collect();
        let slices = slices.ok_or_else(|| PyValueError::new_err("the rows are not contiguous"))?;
        let width = metric.0.width();
        let length = slices.first().map_or(0, |rows| rows.len());
        if length == 0 || slices.iter().any(|rows| rows.len() != length) || length % width != 0 {
            let message = format!("each system needs the same rows of {width} integers");
            return Err(PyValueError::new_err(message));
        }
        let units = u32::try_from(length / width)
            .map_err(|_| PyOverflowError::new_err("more units than can be numbered"))?;
        let value = |system: usize, at: usize| slices[system][at];
        let core = detached(py, || {
            resample::Resampler::new(Arc::clone(&metric.0), slices.len(), units, value)
        })?;
        Ok(Self {
            core,
            systems: slices.len(),
            units,
        })
    }

    /// For each resample the score of each system, as native-endian float64.
    fn bootstrap<'py>(&self, py: Python<'py>, seed: u64, part: Part, threads: usize) -> Bytes<'py> {
        let range = range(part)?;
        let scores = detached(py, || self.core.bootstrap(seed, range, threads))?;
        bytes_of(py, &scores, f64::to_ne_bytes)
    }

    /// The same with the sum of each system's rows, as native-endian int64.
    fn bootstrap_sums<'py>(
        &self,
        py: Python<'py>,
        seed: u64,
        part: Part,
        threads: usize,
    ) -> Bytes<'py> {
        let range = range(part)?;
        let sums = detached(py, || self.core.bootstrap_sums(seed, range, threads))?;
        bytes_of(py, &sums, i64::to_ne_bytes)
    }

    /// For each unit the score of each system without it.
    fn jackknife<'py>(&self, py: Python<'py>, part: Part, threads: usize) -> Bytes<'py> {
        let range = range(part)?;
        if range.end > u64::from(self.units) {
            let message = format!("there are {} units", self.units);
            return Err(PyValueError::new_err(message));
        }
        let scores = detached(py, || self.core.jackknife(&range, threads))?;
        bytes_of(py, &scores, f64::to_ne_bytes)
    }

    /// For each resample the second score of each pair minus its first if units change places.
    fn permutation<'py>(
        &self,
        py: Python<'py>,
        pairs: Vec<resample::Pair>,
        seed: u64,
        part: Part,
        threads: usize,
    ) -> Bytes<'py> {
        self.check_pairs(&pairs)?;
        let range = range(part)?;
        let gaps = detached(py, || self.core.permutation(&pairs, seed, range, threads))?;
        bytes_of(py, &gaps, f64::to_ne_bytes)
    }

    /// As `bootstrap`, with the draws and the rounding of sacreBLEU.
    fn numpy_bootstrap<'py>(
        &self,
        py: Python<'py>,
        draws: &mut Pcg64,
        count: usize,
        threads: usize,
    ) -> Bytes<'py> {
        let scores = detached(py, || {
            self.core.numpy_bootstrap(&mut draws.0, count, threads)
        })?;
        let scores = scores.map_err(PyOverflowError::new_err)?;
        bytes_of(py, &scores, f64::to_ne_bytes)
    }

    /// As `permutation`, with the draws of sacreBLEU.
    fn numpy_permutation<'py>(
        &self,
        py: Python<'py>,
        pairs: Vec<resample::Pair>,
        draws: &mut Pcg64,
        count: usize,
    ) -> Bytes<'py> {
        self.check_pairs(&pairs)?;
        let gaps = detached(py, || {
            self.core.numpy_permutation(&pairs, &mut draws.0, count)
        })?;
        bytes_of(py, &gaps, f64::to_ne_bytes)
    }
}

impl Resampler {
    fn check_pairs(&self, pairs: &[resample::Pair]) -> PyResult<()> {
        if pairs.iter().any(|pair| pair.0.max(pair.1) >= self.systems) {
            let message = format!("there are {} systems", self.systems);
            return Err(PyValueError::new_err(message));
        }
        Ok(())
    }
}

/// `NumPy`'s random generator, which sacreBLEU draws from, at a given state.
#[pyclass(module = "truebleu._core")]
pub struct Pcg64(resample::Pcg64);

#[pymethods]
impl Pcg64 {
    #[new]
    fn new(state: u128, increment: u128) -> Self {
        Self(resample::Pcg64::new(state, increment))
    }
}

fn range((first, count): Part) -> PyResult<Range<u64>> {
    let end = first.checked_add(count);
    end.map(|end| first..end)
        .ok_or_else(|| PyOverflowError::new_err("more resamples than can be numbered"))
}
