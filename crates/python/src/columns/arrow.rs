//! Arrow arrays and streams, by the `PyCapsule` interface: no library is imported.

use arrow_array::cast::AsArray;
use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi};
use arrow_array::ffi_stream::{ArrayStreamReader, FFI_ArrowArrayStream};
use arrow_array::{Array, ArrayRef, make_array};
use arrow_schema::{ArrowError, DataType};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyCapsuleMethods};
use truebleu_core::views::Text;

use super::Flat;
use crate::input_error;

/// The arrays that `object` exports.
pub fn import(name: &str, object: &Bound<'_, PyAny>) -> PyResult<Vec<ArrayRef>> {
    let arrays = if object.hasattr("__arrow_c_stream__")? {
        from_stream(object)?.and_then(Iterator::collect)
    } else {
        from_array(object)?.map(|array| vec![array])
    };
    let arrays: Vec<_> =
        arrays.map_err(|error| input_error(object.py(), &format!("{name}: {error}")))?;
    Ok(arrays.into_iter().map(only_column).collect())
}

/// A table with one column is that column.
fn only_column(array: ArrayRef) -> ArrayRef {
    match array.as_struct_opt() {
        Some(table) if table.num_columns() == 1 && table.null_count() == 0 => {
            table.column(0).clone()
        }
        _ => array,
    }
}

fn from_stream(object: &Bound<'_, PyAny>) -> PyResult<Result<ArrayStreamReader, ArrowError>> {
    let exported = object.call_method0("__arrow_c_stream__")?;
    let capsule = exported.cast::<PyCapsule>()?;
    let pointer = capsule.pointer_checked(Some(c"arrow_array_stream"))?;
    // SAFETY: a capsule of this name holds an `ArrowArrayStream` (Arrow PyCapsule interface);
    // `from_raw` moves it out and leaves a released one for the capsule's destructor.
    Ok(unsafe { ArrayStreamReader::from_raw(pointer.cast::<FFI_ArrowArrayStream>().as_ptr()) })
}

fn from_array(object: &Bound<'_, PyAny>) -> PyResult<Result<ArrayRef, ArrowError>> {
    let exported = object.call_method0("__arrow_c_array__")?;
    let (schema, array): (Bound<'_, PyCapsule>, Bound<'_, PyCapsule>) = exported.extract()?;
    let schema = schema.pointer_checked(Some(c"arrow_schema"))?;
    let array = array.pointer_checked(Some(c"arrow_array"))?;
    // SAFETY: capsules of these names hold an `ArrowSchema`, which stays, and an `ArrowArray`,
    // which is moved out and leaves a released one for the capsule's destructor.
    let data = unsafe {
        let array = FFI_ArrowArray::from_raw(array.cast::<FFI_ArrowArray>().as_ptr());
        from_ffi(array, schema.cast::<FFI_ArrowSchema>().as_ref())
    };
    Ok(data.map(make_array))
}

pub fn read<'a>(py: Python<'_>, name: &str, arrays: &'a [ArrayRef]) -> PyResult<Flat<'a>> {
    let mut flat = Flat::default();
    for array in arrays {
        read_array(py, name, array, 0, &mut flat)?;
    }
    Ok(flat)
}

/// Appends an array that lies `depth` lists deep in its column.
fn read_array<'a>(
    py: Python<'_>,
    name: &str,
    array: &'a ArrayRef,
    depth: usize,
    flat: &mut Flat<'a>,
) -> PyResult<()> {
    let view = |text: &'a str| Text::Utf8(text.as_bytes());
    let leaves = &mut flat.leaves;
    match array.data_type() {
        DataType::Utf8 => leaves.extend(array.as_string::<i32>().iter().map(|s| s.map(view))),
        DataType::LargeUtf8 => leaves.extend(array.as_string::<i64>().iter().map(|s| s.map(view))),
        DataType::Utf8View => leaves.extend(array.as_string_view().iter().map(|s| s.map(view))),
        DataType::Null => leaves.extend((0..array.len()).map(|_| None)),
        DataType::List(_) => {
            let lists = array.as_list::<i32>();
            let offsets: Vec<_> = lists.offsets().iter().map(|&at| at as usize).collect();
            return read_lists(py, name, array, &offsets, lists.values(), depth, flat);
        }
        DataType::LargeList(_) => {
            let lists = array.as_list::<i64>();
            let offsets: Vec<_> = lists.offsets().iter().map(|&at| at as usize).collect();
            return read_lists(py, name, array, &offsets, lists.values(), depth, flat);
        }
        DataType::Struct(fields) => {
            let message = format!("{name} has {} columns; select one", fields.len());
            return Err(input_error(py, &message));
        }
        other => {
            let message = format!("{name} has the Arrow type {other}; cast it to a string column");
            return Err(input_error(py, &message));
        }
    }
    Ok(())
}

fn read_lists<'a>(
    py: Python<'_>,
    name: &str,
    lists: &ArrayRef,
    offsets: &[usize],
    values: &'a ArrayRef,
    depth: usize,
    flat: &mut Flat<'a>,
) -> PyResult<()> {
    if let Some(i) = (0..lists.len()).find(|&i| lists.is_null(i)) {
        return Err(input_error(
            py,
            &format!("{name}: list {i} is null; it must be a list"),
        ));
    }
    if flat.levels.len() == depth {
        flat.levels.push(vec![0]);
    }
    let bounds = &mut flat.levels[depth];
    let start = bounds[bounds.len() - 1];
    let first = offsets[0];
    bounds.extend(offsets[1..].iter().map(|offset| start + offset - first));
    let before = flat.count(depth + 1);
    read_array(py, name, values, depth + 1, flat)?;
    // A sliced array has the values of the whole one.
    flat.keep(depth + 1, before, first, offsets[offsets.len() - 1]);
    Ok(())
}

impl Flat<'_> {
    /// Items at `depth` lists below the outermost items.
    fn count(&self, depth: usize) -> usize {
        self.levels
            .get(depth)
            .map_or(self.leaves.len(), |bounds| bounds.len() - 1)
    }

    /// Of the items at `depth` from `before` on, keeps `first..last`.
    fn keep(&mut self, depth: usize, before: usize, first: usize, last: usize) {
        if depth == self.levels.len() {
            self.leaves.truncate(before + last);
            self.leaves.drain(before..before + first);
            return;
        }
        let bounds = &mut self.levels[depth];
        let start = bounds[before];
        let (inner_first, inner_last) = (bounds[before + first], bounds[before + last]);
        bounds.truncate(before + last + 1);
        bounds.drain(before..before + first);
        for bound in &mut bounds[before..] {
            *bound -= inner_first - start;
        }
        self.keep(depth + 1, start, inner_first - start, inner_last - start);
    }
}
