//! Arrow arrays and streams, through the `PyCapsule` interface: no library is imported.

use std::ops::Range;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi};
use arrow_array::ffi_stream::{ArrayStreamReader, FFI_ArrowArrayStream};
use arrow_array::types::{
    Int8Type, Int16Type, Int32Type, Int64Type, RunEndIndexType, UInt8Type, UInt16Type, UInt32Type,
    UInt64Type,
};
use arrow_array::{
    Array, ArrayRef, ArrowPrimitiveType, GenericListArray, LargeListArray, OffsetSizeTrait,
    RunArray, make_array,
};
use arrow_buffer::OffsetBuffer;
use arrow_data::ArrayData;
use arrow_data::transform::MutableArrayData;
use arrow_schema::{ArrowError, DataType, Field};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyCapsuleMethods, PyString};
use truebleu_core::columns::views::{Ids, Text};

use super::objects::{not_a_word, place};
use super::{Content, Flat};
use crate::input_error;

pub fn exports(object: &Bound<'_, PyAny>) -> bool {
    ["__arrow_c_stream__", "__arrow_c_array__"]
        .iter()
        .any(|method| object.hasattr(method).unwrap_or(false))
}

pub fn import(name: &str, object: &Bound<'_, PyAny>) -> PyResult<Vec<ArrayRef>> {
    let arrays = if object.hasattr("__arrow_c_stream__")? {
        from_stream(object)?.and_then(Iterator::collect)
    } else {
        from_array(object)?.map(|array| vec![array])
    };
    let checked = arrays.and_then(|arrays: Vec<ArrayRef>| {
        let arrays: Vec<_> = arrays.into_iter().map(only_column).collect();
        arrays
            .iter()
            .try_for_each(|array| check(&array.to_data()))?;
        let present = arrays.into_iter().map(without_null_lists);
        present.map(|array| widened(array?)).collect()
    });
    checked.map_err(|error| input_error(object.py(), &format!("{name}: {error}")))
}

/// Rows of arrays that store no bytes for each row; counts of rows take memory.
const MOST_ROWS: usize = 1 << 24;

/// Checks offsets, views, keys and run ends, through which memory is read. The lengths of buffers are
/// unknown. Texts may be invalid UTF-8, for which the kernel names the segment.
fn check(data: &ArrayData) -> Result<(), ArrowError> {
    data.validate()?;
    let kind = match data.data_type() {
        DataType::Utf8 => DataType::Binary,
        DataType::LargeUtf8 => DataType::LargeBinary,
        DataType::Utf8View => DataType::BinaryView,
        other => other.clone(),
    };
    let builder = data.clone().into_builder().data_type(kind);
    // SAFETY: text and bytes have the same buffers, which are checked before they are read.
    unsafe { builder.build_unchecked() }.validate_values()?;
    let stores_rows = !matches!(
        data.data_type(),
        DataType::Null | DataType::RunEndEncoded(..) | DataType::FixedSizeList(_, 0)
    );
    if !stores_rows && data.len() > MOST_ROWS {
        let message = format!(
            "{} rows take no memory; the limit is {MOST_ROWS}",
            data.len()
        );
        return Err(ArrowError::InvalidArgumentError(message));
    }
    data.child_data().iter().try_for_each(check)
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

/// Lists of lists without those that are null, which are absent; other arrays as they are.
fn without_null_lists(array: ArrayRef) -> Result<ArrayRef, ArrowError> {
    let Some((offsets, lists)) = lists_of(&array).filter(|(_, lists)| has_null_lists(lists)) else {
        return Ok(array);
    };
    let lists = without_null_lists(lists.clone())?.to_data();
    let mut present = MutableArrayData::new(vec![&lists], false, lists.len());
    let mut ends = vec![0];
    for row in offsets.windows(2) {
        for i in (row[0]..row[1]).filter(|&i| lists.is_valid(i)) {
            present.try_extend(0, i, i + 1)?;
        }
        ends.push(present.len());
    }
    Ok(with_items(&array, &ends, make_array(present.freeze())))
}

/// Lists that are null where those of an array are, with other items.
fn with_items(array: &ArrayRef, offsets: &[usize], items: ArrayRef) -> ArrayRef {
    let field = Arc::new(Field::new_list_field(items.data_type().clone(), true));
    let ends: Vec<_> = offsets.iter().map(|&end| end as i64).collect();
    let (ends, nulls) = (OffsetBuffer::new(ends.into()), array.nulls().cloned());
    Arc::new(LargeListArray::new(field, ends, items, nulls))
}

/// Whether there is a null among lists, or in lists of lists.
fn has_null_lists(lists: &ArrayRef) -> bool {
    lists_of(lists).is_some_and(|(_, inner)| lists.null_count() > 0 || has_null_lists(inner))
}

/// Lists of ids whose type is neither int32 nor int64, as int64; other arrays as they are.
fn widened(array: ArrayRef) -> Result<ArrayRef, ArrowError> {
    let Some((offsets, items)) = lists_of(&array).filter(|_| holds_numbers(array.data_type()))
    else {
        return Ok(array);
    };
    let items = match items.data_type() {
        DataType::Int8 => to_int64::<Int8Type>(items)?,
        DataType::Int16 => to_int64::<Int16Type>(items)?,
        DataType::UInt8 => to_int64::<UInt8Type>(items)?,
        DataType::UInt16 => to_int64::<UInt16Type>(items)?,
        DataType::UInt32 => to_int64::<UInt32Type>(items)?,
        DataType::UInt64 => to_int64::<UInt64Type>(items)?,
        _ => widened(items.clone())?,
    };
    Ok(with_items(&array, &offsets, items))
}

fn to_int64<T: ArrowPrimitiveType<Native: TryInto<i64>>>(
    ids: &ArrayRef,
) -> Result<ArrayRef, ArrowError> {
    let widen = |id: T::Native| {
        let too_large = |_| ArrowError::CastError(format!("{id:?} is not a 64-bit id"));
        id.try_into().map_err(too_large)
    };
    let ids = ids.as_primitive::<T>();
    Ok(Arc::new(ids.try_unary::<_, Int64Type, _>(widen)?))
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

pub fn read<'a>(
    py: Python<'_>,
    name: &str,
    arrays: &'a [ArrayRef],
    words: bool,
) -> PyResult<Content<'a>> {
    if arrays
        .first()
        .is_some_and(|array| holds_numbers(array.data_type()))
    {
        return read_all(py, name, arrays).map(Content::Ids);
    }
    let flat = read_all(py, name, arrays)?;
    let is_split = |text: &Option<Text>| text.is_some_and(Text::is_split);
    if words
        && !flat.levels.is_empty()
        && let Some(at) = flat.leaves.iter().position(is_split)
        && let Some(Text::Unchecked(word)) = flat.leaves[at]
    {
        let word = PyString::new(py, &String::from_utf8_lossy(word));
        return Err(not_a_word(name, &place(&flat.levels, 0, at), &word));
    }
    Ok(Content::Texts(flat))
}

/// Whether lists of this type have numbers at the bottom.
fn holds_numbers(kind: &DataType) -> bool {
    match kind {
        DataType::List(field) | DataType::LargeList(field) | DataType::FixedSizeList(field, _) => {
            let kind = field.data_type();
            kind.is_numeric() || *kind == DataType::Boolean || holds_numbers(kind)
        }
        _ => false,
    }
}

fn read_all<'a, L: ArrowLeaf<'a>>(
    py: Python<'_>,
    name: &str,
    arrays: &'a [ArrayRef],
) -> PyResult<Flat<L>> {
    let (leaves, levels) = (Vec::new(), Vec::new());
    let mut flat = Flat { leaves, levels };
    for array in arrays {
        read_array(py, name, array, 0, &mut flat)?;
    }
    Ok(flat)
}

/// Items at the bottom of the lists of an array.
trait ArrowLeaf<'a>: Sized {
    /// Appends the items of an array; false if it holds lists instead.
    fn append(array: &'a ArrayRef, leaves: &mut Vec<Option<Self>>) -> Result<bool, String>;
}

impl<'a> ArrowLeaf<'a> for Text<'a> {
    fn append(array: &'a ArrayRef, leaves: &mut Vec<Option<Self>>) -> Result<bool, String> {
        let view = |text: &'a str| Text::Unchecked(text.as_bytes());
        match array.data_type() {
            DataType::Utf8 => leaves.extend(array.as_string::<i32>().iter().map(|s| s.map(view))),
            DataType::LargeUtf8 => {
                leaves.extend(array.as_string::<i64>().iter().map(|s| s.map(view)));
            }
            DataType::Utf8View => leaves.extend(array.as_string_view().iter().map(|s| s.map(view))),
            DataType::Null => leaves.extend((0..array.len()).map(|_| None)),
            _ if lists_of(array).is_some() => return Ok(false),
            other => {
                let mut values = Vec::new();
                match encoded(array) {
                    Some((each, places)) if Self::append(each, &mut values)? => {
                        leaves.extend(places.map(|place| place.and_then(|place| values[place])));
                    }
                    _ => {
                        return Err(format!(
                            "has the Arrow type {other}; cast it to strings, or lists of strings"
                        ));
                    }
                }
            }
        }
        Ok(true)
    }
}

/// The distinct values of an array that refers to them, and the place of each item among them.
fn encoded(array: &ArrayRef) -> Option<(&ArrayRef, Places<'_>)> {
    match array.data_type() {
        DataType::Dictionary(..) => {
            let dictionary = array.as_any_dictionary();
            let values = dictionary.values();
            let places = match values.len() {
                0 => vec![0; array.len()], // all items are null
                _ => dictionary.normalized_keys(),
            };
            let place = |(i, place)| array.is_valid(i).then_some(place);
            Some((values, Box::new(places.into_iter().enumerate().map(place))))
        }
        DataType::RunEndEncoded(ends, _) => Some(match ends.data_type() {
            DataType::Int16 => runs(array.as_run::<Int16Type>()),
            DataType::Int32 => runs(array.as_run::<Int32Type>()),
            _ => runs(array.as_run::<Int64Type>()),
        }),
        _ => None,
    }
}

type Places<'a> = Box<dyn Iterator<Item = Option<usize>> + 'a>;

fn runs<R: RunEndIndexType>(array: &RunArray<R>) -> (&ArrayRef, Places<'_>) {
    let place = |i| Some(array.get_physical_index(i));
    (array.values(), Box::new((0..array.len()).map(place)))
}

impl<'a> ArrowLeaf<'a> for Ids<'a> {
    fn append(array: &'a ArrayRef, leaves: &mut Vec<Option<Self>>) -> Result<bool, String> {
        let Some((offsets, values)) = lists_of(array) else {
            let message = format!(
                "has the Arrow type {}; ids come in lists",
                array.data_type()
            );
            return Err(message);
        };
        let row: Box<dyn Fn(Range<usize>) -> Self> = match values.data_type() {
            DataType::Int32 => {
                let ids = values.as_primitive::<Int32Type>().values();
                Box::new(|range| Ids::Int32(&ids[range]))
            }
            DataType::Int64 => {
                let ids = values.as_primitive::<Int64Type>().values();
                Box::new(|range| Ids::Int64(&ids[range]))
            }
            _ if lists_of(values).is_some() => return Ok(false),
            other => {
                return Err(format!("has ids of type {other}; cast them to integers"));
            }
        };
        for (i, bounds) in offsets.windows(2).enumerate() {
            let range = bounds[0]..bounds[1];
            if values.null_count() > 0 && range.clone().any(|at| values.is_null(at)) {
                return Err(format!(
                    "has a null among the ids of row {}; an id is a number",
                    leaves.len() + 1
                ));
            }
            leaves.push(array.is_valid(i).then(|| row(range)));
        }
        Ok(true)
    }
}

/// The offsets of the lists in an array, and their values.
fn lists_of(array: &ArrayRef) -> Option<(Vec<usize>, &ArrayRef)> {
    match array.data_type() {
        DataType::List(_) => Some(bounds_of(array.as_list::<i32>())),
        DataType::LargeList(_) => Some(bounds_of(array.as_list::<i64>())),
        DataType::FixedSizeList(_, len) => {
            let offsets = (0..=array.len()).map(|i| i * *len as usize);
            Some((offsets.collect(), array.as_fixed_size_list().values()))
        }
        _ => None,
    }
}

fn bounds_of<O: OffsetSizeTrait>(lists: &GenericListArray<O>) -> (Vec<usize>, &ArrayRef) {
    let offsets = lists.offsets().iter().map(|at| at.as_usize());
    (offsets.collect(), lists.values())
}

/// Appends an array that lies `depth` lists deep in its column.
fn read_array<'a, L: ArrowLeaf<'a>>(
    py: Python<'_>,
    name: &str,
    array: &'a ArrayRef,
    depth: usize,
    flat: &mut Flat<L>,
) -> PyResult<()> {
    if let DataType::Struct(fields) = array.data_type() {
        let message = format!("{name} has {} columns; select one", fields.len());
        return Err(input_error(py, &message));
    }
    let appended = L::append(array, &mut flat.leaves)
        .map_err(|problem| input_error(py, &format!("{name} {problem}")))?;
    if appended {
        return Ok(());
    }
    let Some((offsets, values)) = lists_of(array) else {
        return Ok(());
    };
    if let Some(i) = (0..array.len()).find(|&i| array.is_null(i)) {
        let at = flat.count(0) + i; // only rows can be null still
        let message = format!("{name}[{at}] is null; it must be a list");
        return Err(input_error(py, &message));
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
    // A sliced array still has all values.
    flat.keep(depth + 1, before, first, offsets[offsets.len() - 1]);
    Ok(())
}

impl<L> Flat<L> {
    /// Items at `depth` lists below the outermost items.
    pub fn count(&self, depth: usize) -> usize {
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
