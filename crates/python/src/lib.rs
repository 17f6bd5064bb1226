//! The extension module `truebleu._core`. Each function takes hold of its columns, detaches from
//! the interpreter, lets the core crate work, and maps its error. Nothing here knows what BLEU is.

#![allow(clippy::needless_pass_by_value)] // pyo3 hands extracted arguments over by value

mod buffers;
mod calls;
mod chunks;
mod columns;
mod errors;
mod held;
mod metrics;
mod pairs;
mod panics;
mod resample;
mod sentence;

use pyo3::buffer::PyBuffer;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyString};
use truebleu_core::simd::Level;
use truebleu_core::tokenize::CATEGORIES_VERSION;
use truebleu_core::views::{Corpus, Segments};
use truebleu_core::{batch, combine, pairwise, plan};

use buffers::{bytes_of, whole_rows};
use calls::{Stop, count_item, detached, make_room};
use chunks::{Chunks, Total};
use columns::{Column, Given, How, IdColumn, Lines, Tokenized};
use errors::{error, input_error};
use metrics::Metric;
use resample::{Pcg64, Resampler};

/// Candidates and references; without these, the candidates are their own.
type Crossed<'py> = (Bound<'py, PyAny>, Option<Bound<'py, PyAny>>);

/// A compiled plan; it does not change, so threads may share it.
#[pyclass(frozen, module = "truebleu._core")]
struct Plan(plan::Plan);

#[pymethods]
impl Plan {
    #[new]
    fn new(settings: Vec<(String, String)>) -> PyResult<Self> {
        let pairs = settings
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()));
        plan::Plan::compile(pairs)
            .map(Self)
            .map_err(PyValueError::new_err)
    }

    /// Name of the instruction set in use.
    #[getter]
    fn simd(&self) -> &'static str {
        self.0.level.name()
    }

    /// One row of integers for each segment, as native-endian int64.
    #[pyo3(signature = (hyps, refs, threads, how=(None, None, 1)))]
    fn rows<'py>(
        &self,
        py: Python<'py>,
        hyps: &Bound<'py, PyAny>,
        refs: &Bound<'py, PyAny>,
        threads: usize,
        how: Given,
    ) -> PyResult<Bound<'py, PyByteArray>> {
        let how = self.how(how)?;
        let chunks = Chunks::new(hyps, refs, how, threads)?;
        let work = |corpus: &Corpus<'_>| batch::rows(&self.0, corpus, threads);
        chunks.collect(py, self.0.width(), work, i64::to_ne_bytes)
    }

    /// The sum of the rows of all segments.
    #[pyo3(signature = (hyps, refs, threads, how=(None, None, 1)))]
    fn total<'py>(
        &self,
        py: Python<'py>,
        hyps: &Bound<'py, PyAny>,
        refs: &Bound<'py, PyAny>,
        threads: usize,
        how: Given,
    ) -> PyResult<Total> {
        let how = self.how(how)?;
        let chunks = Chunks::new(hyps, refs, how, threads)?;
        let work = |corpus: &Corpus<'_>| batch::total(&self.0, corpus, threads);
        chunks.total(py, self.0.width(), work)
    }

    /// One score for each segment, as native-endian float64.
    #[pyo3(signature = (hyps, refs, threads, how=(None, None, 1)))]
    fn scores<'py>(
        &self,
        py: Python<'py>,
        hyps: &Bound<'py, PyAny>,
        refs: &Bound<'py, PyAny>,
        threads: usize,
        how: Given,
    ) -> PyResult<Bound<'py, PyByteArray>> {
        let how = self.how(how)?;
        let chunks = Chunks::new(hyps, refs, how, threads)?;
        let work = |corpus: &Corpus<'_>| batch::scores(&self.0, corpus, threads);
        chunks.collect(py, 1, work, f64::to_ne_bytes)
    }

    /// The score of each prefix of each segment, as native-endian float64, and where the scores of a
    /// segment begin and end, as native-endian int64.
    #[pyo3(signature = (hyps, refs, threads, how=(None, None, 1)))]
    fn prefixes<'py>(
        &self,
        py: Python<'py>,
        hyps: &Bound<'py, PyAny>,
        refs: &Bound<'py, PyAny>,
        threads: usize,
        how: Given,
    ) -> PyResult<(Bound<'py, PyByteArray>, Bound<'py, PyByteArray>)> {
        let how = self.how(how)?;
        let chunks = Chunks::new(hyps, refs, how, threads)?;
        let (mut scores, mut offsets, mut end) = (Vec::new(), vec![0_i64], 0);
        let work = |corpus: &Corpus<'_>| batch::prefixes(&self.0, corpus, threads);
        chunks.for_each(py, 0, work, |(found, lengths), _| {
            scores.extend(found);
            offsets.extend(lengths.iter().map(|&length| {
                end += length as i64;
                end
            }));
            Ok(())
        })?;
        Ok((
            bytes_of(py, &scores, f64::to_ne_bytes)?,
            bytes_of(py, &offsets, i64::to_ne_bytes)?,
        ))
    }

    /// The tokens of each text.
    fn tokens<'py>(
        &self,
        py: Python<'py>,
        texts: &Bound<'py, PyAny>,
    ) -> PyResult<Vec<Vec<Bound<'py, PyString>>>> {
        let column = Column::new("texts", texts)?;
        let segments = columns::texts(py, "texts", &column)?;
        let lists = detached(py, || batch::tokens(&self.0, &segments))?.map_err(|bad| {
            chunks::fault_error(py, bad.fault, &format!("texts[{}]", bad.position))
        })?;
        let to_str = |(i, token): (usize, &Vec<u8>)| {
            count_item(py, i)?;
            PyString::from_bytes(py, token)
        };
        lists
            .iter()
            .map(|list| list.iter().enumerate().map(to_str).collect())
            .collect()
    }

    /// The score of each candidate against each reference, row by row, in an array of float64 that
    /// `empty` makes of a shape; without references, the candidates are their own.
    #[pyo3(signature = (columns, exact, threads, empty, how=(None, None, 1)))]
    fn pairwise<'py>(
        &self,
        py: Python<'py>,
        columns: Crossed<'py>,
        exact: bool,
        threads: usize,
        empty: &Bound<'py, PyAny>,
        how: Given,
    ) -> PyResult<Bound<'py, PyAny>> {
        let columns = pairs::Columns::new(&columns, self.how(how)?)?;
        pairs::pairwise(py, self.fill(exact), columns, threads, empty)
    }

    /// The mean score of each candidate against the references of its group, by their weights.
    #[pyo3(signature = (columns, groups, exact, threads, how=(None, None, 1)))]
    fn expected<'py>(
        &self,
        py: Python<'py>,
        columns: Crossed<'py>,
        groups: pairs::Groups,
        exact: bool,
        threads: usize,
        how: Given,
    ) -> PyResult<Vec<f64>> {
        let columns = pairs::Columns::new(&columns, self.how(how)?)?;
        pairs::expected(py, self.fill(exact), columns, groups, threads)
    }

    /// The scores of the texts at the places `scored`, or of all, against all others each, as
    /// native-endian float64.
    #[pyo3(signature = (texts, scored=None, how=(None, None, 1)))]
    fn against_others<'py>(
        &self,
        py: Python<'py>,
        texts: &Bound<'py, PyAny>,
        scored: Option<Vec<usize>>,
        how: Given,
    ) -> PyResult<Bound<'py, PyByteArray>> {
        pairs::against_others(py, &self.0, texts, scored, self.how(how)?)
    }

    /// The score of each of the rows that lie one behind the other in a buffer of int64.
    fn values<'py>(
        &self,
        py: Python<'py>,
        rows: PyBuffer<i64>,
    ) -> PyResult<Bound<'py, PyByteArray>> {
        let rows = whole_rows(py, &rows, self.0.width())?;
        let values = detached(py, || batch::values(&self.0, &rows))?;
        bytes_of(py, &values, f64::to_ne_bytes)
    }

    /// Score, brevity penalty and precisions of each of such rows, one behind the other.
    fn parts<'py>(
        &self,
        py: Python<'py>,
        rows: PyBuffer<i64>,
    ) -> PyResult<Bound<'py, PyByteArray>> {
        let rows = whole_rows(py, &rows, self.0.width())?;
        let parts = detached(py, || batch::parts(&self.0, &rows))?;
        bytes_of(py, &parts, f64::to_ne_bytes)
    }

    /// All of the score of a string against a list or tuple of strings, `None` among them being
    /// passed over; nothing if they are anything else, or cannot be read.
    fn sentence(
        &self,
        py: Python<'_>,
        hyp: &Bound<'_, PyAny>,
        refs: &Bound<'_, PyAny>,
    ) -> PyResult<Option<sentence::Sentence>> {
        sentence::score(py, &self.0, hyp, refs)
    }

    /// Score, brevity penalty and precisions of a row.
    fn combine(&self, row: Vec<i64>) -> PyResult<(f64, f64, Vec<f64>)> {
        let combined = combine::combine(&self.0.combine, self.checked(&row)?);
        Ok((combined.value, combined.bp, combined.precisions))
    }

    /// The scores of each order alone, and of the orders up to each.
    fn by_order(&self, row: Vec<i64>) -> PyResult<(Vec<f64>, Vec<f64>)> {
        Ok(combine::by_order(&self.0.combine, self.checked(&row)?))
    }
}

impl Plan {
    fn fill(&self, exact: bool) -> impl pairs::Fill + '_ {
        move |candidates: &Segments<'_>,
              references: Option<&Segments<'_>>,
              threads: usize,
              scores: &mut [f64]| {
            pairwise::fill(&self.0, candidates, references, exact, threads, scores)
        }
    }

    fn how(&self, given: Given) -> PyResult<How> {
        Ok(How {
            reads_letters: self.0.reads_letters(),
            ..How::new(given)?
        })
    }

    fn checked<'a>(&self, row: &'a [i64]) -> PyResult<&'a [i64]> {
        let (given, width) = (row.len(), self.0.width());
        if given == width {
            Ok(row)
        } else {
            let message = format!("a row has {width} integers here, not {given}");
            Err(PyValueError::new_err(message))
        }
    }
}

/// Instruction sets that this processor can run, the fastest first.
#[pyfunction]
fn simd_levels() -> Vec<&'static str> {
    Level::available().into_iter().map(Level::name).collect()
}

/// Whether the columns are lists of words, each of them a `str` and no subclass, with one reference
/// or more for each hypothesis: what [`Plan::total`] takes for given words.
#[pyfunction]
fn hold_words(hyps: &Bound<'_, PyAny>, refs: &Bound<'_, PyAny>) -> bool {
    columns::hold_words(hyps, refs)
}

/// Where the groups of rows of a column of token ids begin and end, and whether there are groups;
/// nothing of other columns.
#[pyfunction]
fn id_bounds(name: &str, column: &Bound<'_, PyAny>) -> PyResult<Option<(Vec<usize>, bool)>> {
    columns::id_bounds(column.py(), name, &Column::new(name, column)?)
}

/// Where `data` from `start` to `end` stops being UTF-8, in bytes of `data`; nothing if it is UTF-8
/// to its end.
#[pyfunction]
#[pyo3(signature = (data, start=0, end=usize::MAX))]
fn invalid_utf8(py: Python<'_>, data: &[u8], start: usize, end: usize) -> PyResult<Option<usize>> {
    let text = data.get(start..end.min(data.len())).unwrap_or_default();
    let at = detached(py, || columns::invalid_utf8(text))?;
    Ok(at.map(|at| start + at))
}

/// How many lines end in `data` from `start` on, but `most` of them, and where the last one ends.
#[pyfunction]
fn lines_end(py: Python<'_>, data: &[u8], start: usize, most: usize) -> PyResult<(usize, usize)> {
    detached(py, || columns::lines_end(data, start, most))
}

/// Unicode versions of the categories that tokenizers read, and of lower case.
#[pyfunction]
fn unicode_versions() -> (String, String) {
    let (major, minor, _) = CATEGORIES_VERSION;
    let (lower_major, lower_minor, _) = char::UNICODE_VERSION;
    (
        format!("{major}.{minor}"),
        format!("{lower_major}.{lower_minor}"),
    )
}

#[pymodule(gil_used = false)]
mod _core {
    #[pymodule_export]
    use super::{
        IdColumn, Lines, Metric, Pcg64, Plan, Resampler, Stop, Tokenized, hold_words, id_bounds,
        invalid_utf8, lines_end, make_room, simd_levels, unicode_versions,
    };

    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");
}
