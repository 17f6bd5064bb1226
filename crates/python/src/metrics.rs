//! The metrics beside BLEU: chrF and TER, whichever a name says.

use std::sync::Arc;

use pyo3::buffer::PyBuffer;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyString};
use truebleu_core::chrf::Chrf;
use truebleu_core::segments;
use truebleu_core::ter::Ter;
use truebleu_core::views::{Corpus, Segments};

use crate::buffers::{bytes_of, whole_rows};
use crate::calls::detached;
use crate::chunks::{self, Chunks, Total};
use crate::columns::{self, Column, How};
use crate::pairs::{self, Fill};
use crate::{Crossed, Given};

/// A metric with its settings; it does not change, so threads may share it.
#[pyclass(frozen, module = "truebleu._core")]
pub struct Metric(pub Arc<dyn segments::Metric>);

#[pymethods]
impl Metric {
    #[new]
    fn new(name: &str, settings: Vec<(String, String)>) -> PyResult<Self> {
        let pairs = settings
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()));
        let metric: Result<Arc<dyn segments::Metric>, _> = match name {
            "chrf" => Chrf::compile(pairs).map(|metric| Arc::new(metric) as _),
            "ter" => Ter::compile(pairs).map(|metric| Arc::new(metric) as _),
            _ => Err(format!("no metric is named {name:?}")),
        };
        metric.map(Self).map_err(PyValueError::new_err)
    }

    /// Integers in a row.
    #[getter]
    fn width(&self) -> usize {
        self.0.width()
    }

    /// One row of integers for each segment, as native-endian int64.
    fn rows<'py>(
        &self,
        py: Python<'py>,
        hyps: &Bound<'py, PyAny>,
        refs: &Bound<'py, PyAny>,
        threads: usize,
    ) -> PyResult<Bound<'py, PyByteArray>> {
        let chunks = Chunks::new(hyps, refs, How::default(), threads)?;
        let work = |corpus: &Corpus<'_>| self.0.rows(corpus, threads);
        chunks.collect(py, self.0.width(), work, i64::to_ne_bytes)
    }

    /// The sum of the rows of all segments.
    fn total<'py>(
        &self,
        py: Python<'py>,
        hyps: &Bound<'py, PyAny>,
        refs: &Bound<'py, PyAny>,
        threads: usize,
    ) -> PyResult<Total> {
        let chunks = Chunks::new(hyps, refs, How::default(), threads)?;
        let work = |corpus: &Corpus<'_>| self.0.total(corpus, threads);
        chunks.total(py, self.0.width(), work)
    }

    /// One score for each segment, as native-endian float64.
    fn scores<'py>(
        &self,
        py: Python<'py>,
        hyps: &Bound<'py, PyAny>,
        refs: &Bound<'py, PyAny>,
        threads: usize,
    ) -> PyResult<Bound<'py, PyByteArray>> {
        let chunks = Chunks::new(hyps, refs, How::default(), threads)?;
        let work = |corpus: &Corpus<'_>| self.0.scores(corpus, threads);
        chunks.collect(py, 1, work, f64::to_ne_bytes)
    }

    /// The score of each of the rows that lie one behind the other in a buffer of int64.
    fn values<'py>(
        &self,
        py: Python<'py>,
        rows: PyBuffer<i64>,
    ) -> PyResult<Bound<'py, PyByteArray>> {
        let rows = whole_rows(py, &rows, self.0.width())?;
        bytes_of(
            py,
            &detached(py, || self.0.values(&rows))?,
            f64::to_ne_bytes,
        )
    }

    /// As that of `Plan`; every score is exact.
    #[pyo3(signature = (columns, threads, empty, how=(None, None, 1)))]
    fn pairwise<'py>(
        &self,
        py: Python<'py>,
        columns: Crossed<'py>,
        threads: usize,
        empty: &Bound<'py, PyAny>,
        how: Given,
    ) -> PyResult<Bound<'py, PyAny>> {
        let columns = pairs::Columns::new(&columns, How::new(how)?)?;
        pairs::pairwise(py, self.fill(), columns, threads, empty)
    }

    /// As that of `Plan`; every score is exact.
    #[pyo3(signature = (columns, groups, threads, how=(None, None, 1)))]
    fn expected<'py>(
        &self,
        py: Python<'py>,
        columns: Crossed<'py>,
        groups: pairs::Groups,
        threads: usize,
        how: Given,
    ) -> PyResult<Vec<f64>> {
        let columns = pairs::Columns::new(&columns, How::new(how)?)?;
        pairs::expected(py, self.fill(), columns, groups, threads)
    }

    /// The words of each text.
    fn words<'py>(
        &self,
        py: Python<'py>,
        texts: &Bound<'py, PyAny>,
    ) -> PyResult<Vec<Vec<Bound<'py, PyString>>>> {
        let column = Column::new("texts", texts)?;
        let segments = columns::texts(py, "texts", &column)?;
        let lists = detached(py, || self.0.words(&segments))?.map_err(|bad| {
            chunks::fault_error(py, bad.fault, &format!("texts[{}]", bad.position))
        })?;
        let to_char = |&code: &u32| char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER);
        let to_str = |word: &Vec<u32>| {
            let text: String = word.iter().map(to_char).collect();
            PyString::new(py, &text)
        };
        Ok(lists
            .iter()
            .map(|list| list.iter().map(to_str).collect())
            .collect())
    }
}

impl Metric {
    fn fill(&self) -> impl Fill + '_ {
        |candidates: &Segments<'_>,
         references: Option<&Segments<'_>>,
         threads: usize,
         scores: &mut [f64]| self.0.pairs(candidates, references, threads, scores)
    }
}
