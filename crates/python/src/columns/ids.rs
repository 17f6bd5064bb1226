//! Token ids in arrays that share their memory.

use pyo3::buffer::{Element, PyBuffer};
use pyo3::prelude::*;
use truebleu_core::columns::views;

use super::Flat;
use crate::input_error;

/// Arrays of ids: padded rows, or rows that `offsets` bound; `items` bound the rows of each item, if
/// an item has several.
#[pyclass(frozen, module = "truebleu._core")]
pub struct Ids {
    values: Py<PyAny>,
    offsets: Option<Vec<i64>>,
    items: Option<Vec<i64>>,
}

#[pymethods]
impl Ids {
    #[new]
    #[pyo3(signature = (values, offsets=None, items=None))]
    fn new(values: Py<PyAny>, offsets: Option<Vec<i64>>, items: Option<Vec<i64>>) -> Self {
        Self {
            values,
            offsets,
            items,
        }
    }
}

/// IdRows of ids, and what keeps them alive.
pub struct IdRows {
    pub values: Values,
    /// Where each row begins and ends in the values.
    pub spans: Vec<(usize, usize)>,
    /// The lists around the rows, outermost first.
    pub levels: Vec<Vec<usize>>,
}

pub enum Values {
    Owned(Vec<i64>),
    Int32(PyBuffer<i32>),
    Int64(PyBuffer<i64>),
}

impl IdRows {
    /// The rows that the arrays hold; no id is copied.
    pub fn view(name: &str, ids: &Bound<'_, Ids>) -> PyResult<Self> {
        let py = ids.py();
        let ids = ids.get();
        let wrong = |problem: &str| input_error(py, &format!("{name}: {problem}"));
        let values = ids.values.bind(py);
        let (values, shape) = if let Ok(buffer) = PyBuffer::<i32>::get(values) {
            let shape = layout(&buffer);
            (Values::Int32(buffer), shape)
        } else if let Ok(buffer) = PyBuffer::<i64>::get(values) {
            let shape = layout(&buffer);
            (Values::Int64(buffer), shape)
        } else {
            return Err(wrong("ids must be int32 or int64"));
        };
        let spans = match (shape, &ids.offsets) {
            (Some(Layout::Matrix { count, len, step }), None) => {
                (0..count).map(|i| (i * step, i * step + len)).collect()
            }
            (Some(Layout::Flat(len)), Some(offsets)) => {
                let bounds = checked(offsets, len).map_err(|problem| {
                    wrong(&format!("offsets {problem}, and there are {len} values"))
                })?;
                bounds.windows(2).map(|pair| (pair[0], pair[1])).collect()
            }
            _ => return Err(wrong("ids are 1-D with offsets, or 2-D without")),
        };
        let mut rows = Self {
            values,
            spans,
            levels: Vec::new(),
        };
        if let Some(items) = &ids.items {
            let count = rows.spans.len();
            let bounds = checked(items, count).map_err(|problem| {
                wrong(&format!("items {problem}, and there are {count} rows"))
            })?;
            rows.spans.truncate(bounds[bounds.len() - 1]);
            rows.spans.drain(..bounds[0]);
            rows.levels = vec![bounds.iter().map(|bound| bound - bounds[0]).collect()];
        }
        Ok(rows)
    }

    /// Number of items, which are rows or lists of rows.
    pub fn len(&self) -> usize {
        self.levels
            .first()
            .map_or(self.spans.len(), |bounds| bounds.len() - 1)
    }

    pub(super) fn read(&self) -> Flat<views::Ids<'_>> {
        let leaves = match &self.values {
            Values::Owned(ids) => slices(ids, &self.spans, views::Ids::Int64),
            Values::Int32(buffer) => slices(memory(buffer), &self.spans, views::Ids::Int32),
            Values::Int64(buffer) => slices(memory(buffer), &self.spans, views::Ids::Int64),
        };
        Flat {
            leaves,
            levels: self.levels.clone(),
        }
    }
}

fn slices<'a, T>(
    ids: &'a [T],
    spans: &[(usize, usize)],
    row: impl Fn(&'a [T]) -> views::Ids<'a>,
) -> Vec<Option<views::Ids<'a>>> {
    spans
        .iter()
        .map(|&(start, end)| Some(row(&ids[start..end])))
        .collect()
}

/// How an array lies in memory, counted in items.
#[derive(Clone, Copy)]
enum Layout {
    Flat(usize),
    Matrix {
        count: usize,
        len: usize,
        step: usize,
    },
}

/// The layout of an array whose rows are each in one piece, one behind the other.
fn layout<T: Element>(buffer: &PyBuffer<T>) -> Option<Layout> {
    let size = size_of::<T>() as isize;
    match (buffer.shape(), buffer.strides()) {
        (&[len], &[step]) if step == size || len <= 1 => Some(Layout::Flat(len)),
        (&[count, len], &[between, step]) if step == size || len <= 1 => {
            let step = usize::try_from(between / size).ok()?;
            (between % size == 0 && (step >= len || count <= 1)).then_some(Layout::Matrix {
                count,
                len,
                step: if count <= 1 { len } else { step },
            })
        }
        _ => None,
    }
}

/// All items from the first to the last, with those that lie between rows.
fn memory<T: Element>(buffer: &PyBuffer<T>) -> &[T] {
    let len = match layout(buffer) {
        Some(Layout::Flat(len)) => len,
        Some(Layout::Matrix { count: 0, .. }) | None => 0,
        Some(Layout::Matrix { count, len, step }) => (count - 1) * step + len,
    };
    if len == 0 {
        return &[];
    }
    // SAFETY: the buffer is exported for as long as it is borrowed, its items are `T` (checked by
    // `PyBuffer::get`), and `len` items lie within its shape and strides. Whoever writes to the
    // array meanwhile gets scores of what was read, as with NumPy's own functions.
    unsafe { std::slice::from_raw_parts(buffer.buf_ptr().cast::<T>(), len) }
}

/// Offsets that ascend from 0 or more to `len` or less; else what is wrong with them.
fn checked(offsets: &[i64], len: usize) -> Result<Vec<usize>, String> {
    let Some(&last) = offsets.last() else {
        return Err("are empty; they hold one more than there are rows".into());
    };
    if let Some(i) = offsets.windows(2).position(|pair| pair[0] > pair[1]) {
        return Err(format!("descend from {} to {}", offsets[i], offsets[i + 1]));
    }
    if offsets[0] < 0 || last as usize > len {
        return Err(format!("go from {} to {last}", offsets[0]));
    }
    Ok(offsets.iter().map(|&offset| offset as usize).collect())
}
