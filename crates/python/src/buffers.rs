//! Numbers in and out of Python's buffers.

use pyo3::buffer::PyBuffer;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyByteArray;

use crate::calls::check_memory;

/// Numbers for Python, each in 8 bytes.
pub type Bytes<'py> = PyResult<Bound<'py, PyByteArray>>;
/// A buffer of Python's, of int64.
pub type Integers = PyBuffer<i64>;

/// An array of bytes that is filled from its beginning.
pub struct Filled<'py> {
    array: Bound<'py, PyByteArray>,
    end: usize,
}

impl<'py> Filled<'py> {
    /// With memory for this many values of 8 bytes; it grows if there are more.
    pub fn new(py: Python<'py>, values: usize) -> PyResult<Self> {
        let array = PyByteArray::new(py, &[]);
        array.resize(8 * values)?; // writes no zeros, unlike `new_with`
        Ok(Self { array, end: 0 })
    }

    /// Appends values.
    pub fn add<T: Copy>(&mut self, values: &[T], bytes: impl Fn(T) -> [u8; 8]) -> PyResult<()> {
        let begin = self.end;
        self.end += 8 * values.len();
        if self.end > self.array.len() {
            self.array.resize(self.end)?;
        }
        // SAFETY: no other code has the array yet, and no Python code runs while it is written to.
        let places = unsafe { &mut self.array.as_bytes_mut()[begin..self.end] };
        for (&value, place) in values.iter().zip(places.as_chunks_mut::<8>().0) {
            *place = bytes(value);
        }
        Ok(())
    }

    /// The filled part of the array: memory that was not written to is not returned.
    pub fn finish(self) -> Bytes<'py> {
        self.array.resize(self.end)?;
        Ok(self.array)
    }
}

/// Bytes of values of 8 bytes each.
pub fn bytes_of<'py, T: Copy>(
    py: Python<'py>,
    values: &[T],
    bytes: impl Fn(T) -> [u8; 8],
) -> Bytes<'py> {
    let mut filled = Filled::new(py, values.len())?;
    filled.add(values, bytes)?;
    filled.finish()
}

/// The rows in a buffer, if it holds nothing else.
pub fn whole_rows(py: Python<'_>, rows: &PyBuffer<i64>, width: usize) -> PyResult<Vec<i64>> {
    check_memory(py, 3 * rows.len_bytes())?; // the rows, and twice what is made of them
    if rows.item_count().is_multiple_of(width) {
        return rows.to_vec(py);
    }
    let message = format!("{} integers are not rows of {width}", rows.item_count());
    Err(PyValueError::new_err(message))
}
