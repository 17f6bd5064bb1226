//! Long columns of Python objects, some items at a time.

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};
use truebleu_core::simd::prefetch;

use super::Column;
use super::objects::{AHEAD, Kind};
use crate::input_error;

/// Texts in a tuple or list, which a function of Python makes lists of words of: of so many at a time
/// as are scored together, so that words do not fill the memory, and can soon be given back.
#[pyclass(frozen, module = "truebleu._core")]
pub struct Tokenized {
    texts: Py<PyAny>,
    tokenize: Py<PyAny>,
}

#[pymethods]
impl Tokenized {
    /// `tokenize(name, texts, start)` gives the words of a tuple of texts as a tuple; `name` is the
    /// column's, in which the first of them is text `start`.
    #[new]
    fn new(texts: Py<PyAny>, tokenize: Py<PyAny>) -> Self {
        Self { texts, tokenize }
    }
}

impl Tokenized {
    pub fn all<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyTuple>> {
        self.words(self.texts.bind(py), name, 0)
    }

    fn words<'py>(
        &self,
        texts: &Bound<'py, PyAny>,
        name: &str,
        start: usize,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let words = self.tokenize.bind(texts.py()).call1((name, texts, start))?;
        Ok(words.cast_into()?)
    }
}

/// A column that is read in parts. What the whole of it holds is known from the beginning: a part
/// may have nothing but empty lists.
pub struct Sliced<'py> {
    name: &'static str,
    items: Bound<'py, PyAny>,
    kind: Kind,
    tokenized: Option<Bound<'py, Tokenized>>,
}

impl<'py> Sliced<'py> {
    /// Nothing for what cannot be read in parts.
    pub fn new(name: &'static str, object: &Bound<'py, PyAny>) -> Option<Self> {
        let tokenized = object.cast::<Tokenized>().ok().cloned();
        let items = match &tokenized {
            Some(tokenized) => tokenized.get().texts.bind(object.py()).clone(),
            None => object.clone(),
        };
        let mut kind = Kind::of(&items)?;
        if tokenized.is_some() {
            if kind.ids {
                return None;
            }
            kind.depth += 1;
        }
        Some(Self {
            name,
            items,
            kind,
            tokenized,
        })
    }

    pub fn len(&self) -> PyResult<usize> {
        self.items.len()
    }

    /// Takes hold of the items from `start` to `end`.
    pub fn part(&self, start: usize, end: usize) -> PyResult<Column<'py>> {
        let mut items = slice(&self.items, start, end)?;
        if let Some(tokenized) = &self.tokenized {
            items = tokenized.get().words(items.as_any(), self.name, start)?;
        }
        Column::of_objects(self.name, &items, Some((self.kind, start)))
    }
}

/// Part of a tuple or list as a tuple, which holds its items for as long as they are viewed.
fn slice<'py>(
    object: &Bound<'py, PyAny>,
    start: usize,
    end: usize,
) -> PyResult<Bound<'py, PyTuple>> {
    let Ok(list) = object.cast::<PyList>() else {
        return Ok(object.cast::<PyTuple>()?.get_slice(start, end));
    };
    let shortened = |_| input_error(object.py(), "a list was shortened while it was read");
    let take = |i| {
        let later = i + AHEAD;
        if later < end {
            // SAFETY: gives the address of an item, or null, and only the address is used.
            prefetch(unsafe { ffi::PyList_GetItem(list.as_ptr(), later as isize) }.cast());
        }
        list.get_item(i)
    };
    let items: PyResult<Vec<_>> = (start..end).map(take).collect();
    PyTuple::new(object.py(), items.map_err(shortened)?)
}
