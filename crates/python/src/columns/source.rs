//! Columns that are read some items at a time, where they are long or never there at once.

use std::cell::Cell;

use pyo3::PyTypeCheck;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyIterator, PyList, PyTuple};
use truebleu_core::columns::views::Segments;
use truebleu_core::simd::prefetch;

use super::objects::{AHEAD, LOOKED_AT, Objects, Scratch, Shape, Views};
use super::{Column, arrow};
use crate::input_error;

/// Texts of a tuple or an iterator, which a function of Python makes lists of words of: of so many at
/// a time as are scored together, so that words do not fill the memory, and can soon be given back.
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
    fn words<'py>(
        &self,
        texts: &Bound<'py, PyTuple>,
        name: &str,
        start: usize,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let words = self.tokenize.bind(texts.py()).call1((name, texts, start))?;
        Ok(words.cast_into()?)
    }
}

/// A column that is read from its beginning to its end, in parts if it can be. What the whole of it
/// holds is known from the beginning: a part may have nothing but empty lists.
pub struct Source<'py> {
    name: &'static str,
    items: Items<'py>,
    tokenized: Option<Bound<'py, Tokenized>>,
    /// What a column holds that is read in parts.
    shape: Option<Shape>,
    /// Items that were read.
    start: Cell<usize>,
    scratch: Cell<Scratch<'py>>,
}

enum Items<'py> {
    /// Of a tuple or list, and how many.
    Held(Bound<'py, PyAny>, usize),
    /// Of an iterator, behind those that were looked at.
    Drawn(Cell<Vec<Bound<'py, PyAny>>>, Bound<'py, PyIterator>),
    /// Of something that is no object of Python's each.
    Others(Bound<'py, PyAny>),
}

impl<'py> Source<'py> {
    pub fn new(name: &'static str, object: &Bound<'py, PyAny>) -> PyResult<Self> {
        let tokenized = object.cast::<Tokenized>().ok().cloned();
        let object = match &tokenized {
            Some(tokenized) => tokenized.get().texts.bind(object.py()),
            None => object,
        };
        let (items, shape) = if object.is_instance_of::<PyTuple>()
            || object.is_instance_of::<PyList>()
        {
            (
                Items::Held(object.clone(), object.len()?),
                Shape::of(object),
            )
        } else if let Some(iterator) = drawn(object) {
            let looked_at: Vec<_> = iterator.clone().take(LOOKED_AT).collect::<PyResult<_>>()?;
            let shape = Shape::of(PyTuple::new(object.py(), &looked_at)?.as_any());
            (Items::Drawn(Cell::new(looked_at), iterator), shape)
        } else {
            (Items::Others(object.clone()), None)
        };
        let shape = match shape {
            Some(Shape { ids: true, .. }) if tokenized.is_some() => None,
            Some(Shape { depth, ids }) => Some(Shape {
                depth: depth + usize::from(tokenized.is_some()),
                ids,
            }),
            None => None,
        };
        Ok(Self {
            name,
            items,
            tokenized,
            shape,
            start: Cell::default(),
            scratch: Cell::default(),
        })
    }

    /// Whether it can be read in parts.
    pub fn has_parts(&self) -> bool {
        self.shape.is_some()
    }

    /// How many items it has, where that is known before they are read.
    pub fn len(&self) -> Option<usize> {
        match self.items {
            Items::Held(_, len) => Some(len),
            _ => None,
        }
    }

    /// Takes hold of so many items, or of those that are left. What has no parts is read at once.
    pub fn part(&self, count: usize) -> PyResult<Column<'py>> {
        let start = self.start.get();
        let mut items = match &self.items {
            Items::Others(object) => return Column::new(self.name, object),
            Items::Held(object, len) => {
                slice(object, start, start.saturating_add(count).min(*len))?
            }
            Items::Drawn(looked_at, iterator) => {
                let mut items = looked_at.take();
                let first = items.len().min(count);
                looked_at.set(items.split_off(first));
                for item in iterator.clone().take(count - first) {
                    items.push(item?);
                }
                items
            }
        };
        self.start.set(start + items.len());
        if let (Some(tokenized), Some(item)) = (&self.tokenized, items.first()) {
            let texts = PyTuple::new(item.py(), items.iter())?;
            let words = tokenized.get().words(&texts, self.name, start)?;
            items = words.iter().collect();
        }
        let Some(Shape { depth, ids }) = self.shape else {
            return Column::of_objects(self.name, items);
        };
        let objects = Objects::new(self.name, items, start, Some(depth), self.scratch.take())?;
        Ok(if ids {
            Column::Ids(objects.ids(self.name, start)?)
        } else {
            Column::Objects(objects)
        })
    }

    /// Takes back what a part was made of, for the next one.
    pub fn reuse(&self, part: Column<'py>, views: Views) {
        if let Column::Objects(objects) = part {
            self.scratch.set(Scratch::of(objects, views));
        }
    }
}

/// An iterator of items. One that exports Arrow data gives arrays.
fn drawn<'py>(object: &Bound<'py, PyAny>) -> Option<Bound<'py, PyIterator>> {
    // A cast that fails imports `collections.abc` for its error: 0.6 ms.
    if !PyIterator::type_check(object) || arrow::exports(object) {
        return None;
    }
    object.cast().ok().cloned()
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
            // SAFETY: gives the address of an item, or null, and only the address is used: another
            // thread may take the item away.
            let item = unsafe { ffi::PyList_GetItem(list.as_ptr(), later as isize) };
            if item.is_null() {
                return Err(shortened(PyErr::fetch(list.py())));
            }
            prefetch(item.cast());
        }
        list.get_item(i).map_err(shortened)
    };
    (start..end).map(take).collect()
}
