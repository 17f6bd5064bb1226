//! Syntax trees of programs, for Python.

mod comments;
mod python_comments;
mod subtrees;

use std::ffi::c_void;

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use pyo3::types::PyCapsule;
use tree_sitter::Language;
use truebleu_core::run::{batch, interrupt};

use crate::calls::detached;
use subtrees::{Grammar, Numbers};

/// The version of the runtime, as in Cargo.toml.
pub const RUNTIME: &str = "0.22.6";

/// Bytes of text that are worth a thread: parsing them takes a millisecond.
const BYTES_PER_THREAD: usize = 1 << 12;

/// The grammar of a programming language; it does not change.
#[pyclass(frozen, module = "truebleu._core")]
pub struct Syntax(Grammar);

#[pymethods]
impl Syntax {
    /// `grammar` is what a package of a grammar returns for tree-sitter: an address or a capsule.
    #[new]
    fn new(grammar: &Bound<'_, PyAny>) -> PyResult<Self> {
        let address = if let Ok(capsule) = grammar.cast::<PyCapsule>() {
            capsule
                .pointer_checked(Some(c"tree_sitter.Language"))?
                .as_ptr()
        } else {
            grammar.extract::<usize>()? as *mut c_void
        };
        if address.is_null() {
            return Err(PyTypeError::new_err("not a grammar"));
        }
        // SAFETY: it is a grammar of an imported module, and these are never unloaded.
        let language = unsafe { Language::from_raw(address.cast()) };
        let grammar =
            Grammar::new(&language).map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok(Self(grammar))
    }

    /// For each pair of texts how many subtrees of the second the first has, too, and how many there
    /// are.
    fn matches(
        &self,
        py: Python<'_>,
        hyps: Vec<PyBackedStr>,
        refs: Vec<PyBackedStr>,
        threads: usize,
    ) -> PyResult<Vec<(usize, usize)>> {
        let pairs: Vec<_> = hyps.iter().zip(&refs).collect();
        let bytes: usize = hyps.iter().chain(&refs).map(|text| text.len()).sum();
        let workers = (bytes / BYTES_PER_THREAD).clamp(1, threads.max(1));
        let mut counts = vec![(0, 0); pairs.len()];
        detached(py, || {
            let _ = batch::in_parallel(pairs.len(), workers, &mut counts, 1, |range, counts| {
                let mut numbers = Numbers::new(&self.0);
                for (&(hyp, reference), counts) in pairs[range].iter().zip(counts) {
                    interrupt::check();
                    *counts = numbers.matches(hyp, reference);
                }
                Ok(())
            });
        })?;
        Ok(counts)
    }
}

/// The texts without comments; `None` for Python that only its module `tokenize` can read.
#[pyfunction]
pub fn without_comments(
    py: Python<'_>,
    texts: Vec<PyBackedStr>,
    is_python: bool,
) -> PyResult<Vec<Option<String>>> {
    let is_3_11 = py.version_info() < (3, 12);
    detached(py, || {
        let without = |text: &PyBackedStr| {
            interrupt::check();
            if is_python {
                python_comments::without(text, is_3_11)
            } else {
                Some(comments::without(text))
            }
        };
        texts.iter().map(without).collect()
    })
}
