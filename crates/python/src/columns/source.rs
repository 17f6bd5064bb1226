//! Columns that are read in parts: long ones, and iterators.

use std::cell::Cell;

use pyo3::PyTypeCheck;
use pyo3::prelude::*;
use pyo3::types::{PyIterator, PyList, PyTuple};
use truebleu_core::columns::views::Text;

use super::objects::{Held, LOOKED_AT, Objects, Shape, is_list, text};
use super::{Column, arrow};
use crate::input_error;

/// Texts of a tuple or an iterator that a Python function tokenizes, one part at a time, so that
/// words do not fill the memory.
#[pyclass(frozen, module = "truebleu._core")]
pub struct Tokenized {
    texts: Py<PyAny>,
    tokenize: Py<PyAny>,
}

#[pymethods]
impl Tokenized {
    /// `tokenize(name, texts, start)` returns the words of a tuple of texts as a tuple; `name` is the
    /// column's, and the first of the texts is its text `start`.
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

/// A column that is read once, in parts if its shape is known from its first items: a part may
/// consist of empty lists.
pub struct Source<'py> {
    name: &'static str,
    items: Items<'py>,
    tokenized: Option<Bound<'py, Tokenized>>,
    /// The shape of a column that is read in parts.
    shape: Option<Shape>,
    start: Cell<usize>,
}

enum Items<'py> {
    /// A tuple or list, and its length.
    Sequence(Bound<'py, PyAny>, usize),
    /// An iterator, and its first items, which were examined.
    Iterator(Cell<Vec<Bound<'py, PyAny>>>, Bound<'py, PyIterator>),
    /// An object whose items are not Python objects.
    Others(Bound<'py, PyAny>),
}

impl<'py> Source<'py> {
    pub fn new(name: &'static str, object: &Bound<'py, PyAny>) -> PyResult<Self> {
        let tokenized = object.cast::<Tokenized>().ok().cloned();
        let object = match &tokenized {
            Some(tokenized) => tokenized.get().texts.bind(object.py()),
            None => object,
        };
        let (items, shape) = if is_list(object) {
            (
                Items::Sequence(object.clone(), object.len()?),
                Shape::of(object),
            )
        } else if let Some(iterator) = iterator_of(object) {
            let looked_at: Vec<_> = iterator.clone().take(LOOKED_AT).collect::<PyResult<_>>()?;
            let shape = Shape::of(PyTuple::new(object.py(), &looked_at)?.as_any());
            (Items::Iterator(Cell::new(looked_at), iterator), shape)
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
        })
    }

    /// Whether it can be read in parts.
    pub fn has_parts(&self) -> bool {
        self.shape.is_some()
    }

    /// Number of items, if it is known before they are read.
    pub fn len(&self) -> Option<usize> {
        match self.items {
            Items::Sequence(_, len) => Some(len),
            _ => None,
        }
    }

    /// The next `count` items, or those that are left. A column without parts is read at once.
    pub fn part(&self, count: usize) -> PyResult<Column<'py>> {
        let start = self.start.get();
        let mut items = match &self.items {
            Items::Others(object) => return Column::new(self.name, object),
            Items::Sequence(object, len) => {
                slice(object, start, start.saturating_add(count).min(*len))?
            }
            Items::Iterator(looked_at, iterator) => {
                let mut items = looked_at.take();
                let first = items.len().min(count);
                looked_at.set(items.split_off(first));
                for item in iterator.clone().take(count - first) {
                    items.push(item?);
                }
                Held::Items(items)
            }
        };
        self.start.set(start + items.len());
        if let (Some(tokenized), Some(item)) = (&self.tokenized, items.first()) {
            let texts = PyTuple::new(item.py(), items.iter())?;
            let words = tokenized.get().words(&texts, self.name, start)?;
            let len = words.len();
            items = Held::Tuple(words, 0..len);
        }
        let Some(Shape { depth, ids }) = self.shape else {
            return Column::of_objects(self.name, items);
        };
        let objects = Objects::new(self.name, items, start, Some(depth))?;
        Ok(if ids {
            Column::Ids(objects.ids(self.name, start)?)
        } else {
            Column::Objects(objects)
        })
    }
}

/// The object as an iterator of items, unless it exports Arrow data.
fn iterator_of<'py>(object: &Bound<'py, PyAny>) -> Option<Bound<'py, PyIterator>> {
    // A cast that fails imports `collections.abc` for its error: 0.6 ms.
    if !PyIterator::type_check(object) || arrow::exports(object) {
        return None;
    }
    object.cast().ok().cloned()
}

/// Some items of a tuple or list.
pub fn slice<'py>(object: &Bound<'py, PyAny>, start: usize, end: usize) -> PyResult<Held<'py>> {
    let items = match object.cast::<PyList>() {
        Ok(list) if start == 0 && end == list.len() => list.to_tuple(),
        Ok(list) => list.get_slice(start, end).to_tuple(),
        Err(_) => return Ok(Held::Tuple(object.cast::<PyTuple>()?.clone(), start..end)),
    };
    if items.len() != end - start {
        let message = "a list was shortened while it was read";
        return Err(input_error(object.py(), message));
    }
    Ok(Held::Tuple(items, 0..end - start))
}

/// How many texts of a list or tuple end in a space and a period.
#[pyfunction]
pub fn spaced_periods(texts: &Bound<'_, PyAny>) -> PyResult<usize> {
    let texts = slice(texts, 0, texts.len()?)?;
    let ends = |item: &&_| text(item).is_some_and(Text::ends_in_spaced_period);
    Ok(texts.iter().filter(ends).count())
}
