//! Token ids in arrays, without copies.

use pyo3::buffer::{Element, PyBuffer};
use pyo3::prelude::*;
use truebleu_core::columns::views;

use super::Flat;
use crate::input_error;

/// Arrays of ids: padded rows, as many to each item in 3-D, or rows between `offsets`; `items` are the
/// bounds of the rows of each item, if items have several.
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

/// Rows of ids, and the buffer that keeps them alive.
pub struct IdRows {
    pub values: Values,
    /// Start and end of each row in the values.
    pub spans: Vec<(usize, usize)>,
    /// The lists around the rows, outermost first.
    pub levels: Vec<Vec<usize>>,
    /// Whether all items have equally many rows, as in a 3-D array: padding fills absent ones.
    pub is_cube: bool,
}

/// Ids in a buffer, or copies of ids that are not contiguous.
pub enum Values {
    Owned32(Vec<i32>),
    Owned(Vec<i64>),
    Int32(PyBuffer<i32>),
    Int64(PyBuffer<i64>),
}

impl IdRows {
    /// The rows of the arrays; no id is copied.
    pub fn view(name: &str, ids: &Bound<'_, Ids>) -> PyResult<Self> {
        let py = ids.py();
        let ids = ids.get();
        let wrong = |problem: &str| input_error(py, &format!("{name}: {problem}"));
        let values = ids.values.bind(py);
        let (values, shape) = if let Ok(buffer) = PyBuffer::<i32>::get(values) {
            let shape = buffer.shape().to_vec();
            let values = if buffer.is_c_contiguous() {
                Values::Int32(buffer)
            } else {
                Values::Owned32(buffer.to_vec(py)?)
            };
            (values, shape)
        } else if let Ok(buffer) = PyBuffer::<i64>::get(values) {
            let shape = buffer.shape().to_vec();
            let values = if buffer.is_c_contiguous() {
                Values::Int64(buffer)
            } else {
                Values::Owned(buffer.to_vec(py)?)
            };
            (values, shape)
        } else {
            return Err(wrong("ids must be int32 or int64"));
        };
        let equal = |count, len| (0..count).map(|i| (i * len, (i + 1) * len)).collect();
        let spans = match (&shape[..], &ids.offsets) {
            (&[count, len], None) => equal(count, len),
            (&[count, each, len], None) => equal(count * each, len),
            (&[len], Some(offsets)) => {
                let bounds = checked(offsets, len).map_err(|problem| {
                    wrong(&format!("offsets {problem}, and there are {len} values"))
                })?;
                bounds.windows(2).map(|pair| (pair[0], pair[1])).collect()
            }
            _ => return Err(wrong("ids are 1-D with offsets, or 2-D or 3-D without")),
        };
        let mut rows = Self {
            values,
            spans,
            levels: Vec::new(),
            is_cube: false,
        };
        if let [count, each, _] = shape[..] {
            rows.levels = vec![(0..=count).map(|i| i * each).collect()];
            rows.is_cube = true;
        } else if let Some(items) = &ids.items {
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
            Values::Owned32(ids) => slices(ids, &self.spans, views::Ids::Int32),
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
    let row = |&(start, end): &(usize, usize)| Some(row(&ids[start..end]));
    spans.iter().map(row).collect()
}

/// The items of a contiguous array.
fn memory<T: Element>(buffer: &PyBuffer<T>) -> &[T] {
    if buffer.item_count() == 0 {
        return &[];
    }
    // SAFETY: the buffer is exported for as long as it is borrowed, and its items are contiguous
    // and `T` (checked by `PyBuffer::get`). If another thread writes to the array meanwhile, the
    // scores are of the values read, as with NumPy's own functions.
    unsafe { std::slice::from_raw_parts(buffer.buf_ptr().cast::<T>(), buffer.item_count()) }
}

/// Offsets, if they ascend within `0..=len`; else the problem.
fn checked(offsets: &[i64], len: usize) -> Result<Vec<usize>, String> {
    let Some(&last) = offsets.last() else {
        return Err("are empty; give one more than there are rows".into());
    };
    if let Some(i) = offsets.windows(2).position(|pair| pair[0] > pair[1]) {
        return Err(format!("descend from {} to {}", offsets[i], offsets[i + 1]));
    }
    if offsets[0] < 0 || last as usize > len {
        return Err(format!("go from {} to {last}", offsets[0]));
    }
    Ok(offsets.iter().map(|&offset| offset as usize).collect())
}
