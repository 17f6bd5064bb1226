//! Long columns of Python objects, some items at a time.

use std::cell::Cell;

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};
use truebleu_core::simd::prefetch;
use truebleu_core::views::Segments;

use super::Column;
use super::objects::{AHEAD, Kind, Objects, Room, Views};
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
    room: Cell<Room<'py>>,
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
            room: Cell::default(),
        })
    }

    pub fn len(&self) -> PyResult<usize> {
        self.items.len()
    }

    /// Takes hold of the items from `start` to `end`.
    pub fn part(&self, start: usize, end: usize) -> PyResult<Column<'py>> {
        let mut items = slice(&self.items, start, end)?;
        if let Some(tokenized) = &self.tokenized {
            let texts = PyTuple::new(self.items.py(), items)?;
            let words = tokenized.get().words(texts.as_any(), self.name, start)?;
            items = words.iter().collect();
        }
        let Kind { depth, ids } = self.kind;
        let objects = Objects::new(self.name, items, start, Some(depth), self.room.take())?;
        Ok(if ids {
            Column::Ids(objects.ids(self.name, start)?)
        } else {
            Column::Objects(objects)
        })
    }

    /// Takes back what a part was made of, for the next one.
    pub fn reuse(&self, part: Column<'py>, views: Views) {
        if let Column::Objects(objects) = part {
            self.room.set(Room::of(objects, views));
        }
    }
}

/// The memory of the views that segments are made of.
pub fn emptied(segments: Segments<'_>) -> Views {
    match segments {
        Segments::Texts(mut views)
        | Segments::Words {
            words: mut views, ..
        } => {
            views.clear();
            // In place: the library reuses the memory of a vector whose items are of one size.
            views.into_iter().map(|_| None).collect()
        }
        Segments::Ids { .. } => Vec::new(),
    }
}

/// Part of a tuple or list, held for as long as it is viewed.
fn slice<'py>(
    object: &Bound<'py, PyAny>,
    start: usize,
    end: usize,
) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let Ok(list) = object.cast::<PyList>() else {
        let items = object.cast::<PyTuple>()?.as_slice();
        return Ok(items[start..end].to_vec());
    };
    let shortened = |_| input_error(object.py(), "a list was shortened while it was read");
    let take = |i| {
        let later = i + AHEAD;
        if later < end {
            // SAFETY: gives the address of an item, or null, and only the address is used.
            prefetch(unsafe { ffi::PyList_GetItem(list.as_ptr(), later as isize) }.cast());
        }
        list.get_item(i).map_err(shortened)
    };
    (start..end).map(take).collect()
}
