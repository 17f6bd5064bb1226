//! Columns of Python objects and Arrow arrays as views: no text is copied.
//!
//! A column is read to its leaves (strings) with the bounds of the lists around them, whatever it
//! is made of; [`corpus`] then says what the lists mean.

use arrow_array::cast::AsArray;
use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi};
use arrow_array::ffi_stream::{ArrayStreamReader, FFI_ArrowArrayStream};
use arrow_array::{Array, ArrayRef, make_array};
use arrow_schema::{ArrowError, DataType};
use pyo3::prelude::*;
use pyo3::types::string::PyStringData;
use pyo3::types::{PyBytes, PyCapsule, PyCapsuleMethods, PyList, PyString, PyTuple};
use truebleu_core::views::{Corpus, Segments, Text};

use crate::input_error;

/// What keeps the text of a column alive and still: tuples do not change under a view.
pub enum Column<'py> {
    /// The outer tuple, and all tuples of the levels below it, level by level.
    Objects(Vec<Vec<Bound<'py, PyTuple>>>),
    Arrays(Vec<ArrayRef>),
    /// UTF-8 text, one string to a line; several are the references of the same segments.
    Lines(Vec<Bound<'py, PyBytes>>),
}

/// A column read: strings, `None` where there is none, and for each level of lists, outermost
/// first, where they begin and end.
struct Flat<'a> {
    leaves: Vec<Option<Text<'a>>>,
    levels: Vec<Vec<usize>>,
}

impl<'py> Column<'py> {
    /// Takes hold of `object`: a tuple of strings or lists; bytes or a tuple of bytes, which are
    /// lines; or anything that exports an Arrow array or stream.
    pub fn new(name: &str, object: &Bound<'py, PyAny>) -> PyResult<Self> {
        if let Ok(bytes) = object.cast::<PyBytes>() {
            return Ok(Self::Lines(vec![bytes.clone()]));
        }
        if let Ok(outer) = object.cast::<PyTuple>() {
            if outer.as_slice().first().is_some_and(|item| item.is_instance_of::<PyBytes>()) {
                return Ok(Self::Lines(outer.extract()?));
            }
            let mut levels = vec![vec![outer.clone()]];
            while let Some(inner) = snapshot(&levels[levels.len() - 1])? {
                levels.push(inner);
            }
            return Ok(Self::Objects(levels));
        }
        let broken = |error: ArrowError| input_error(object.py(), &format!("{name}: {error}"));
        if object.hasattr("__arrow_c_stream__")? {
            let arrays: Result<Vec<_>, _> = from_stream(object)?.map_err(broken)?.collect();
            return Ok(Self::Arrays(arrays.map_err(broken)?.into_iter().map(only_column).collect()));
        }
        Ok(Self::Arrays(vec![only_column(from_array(object)?.map_err(broken)?)]))
    }

    fn read(&self, py: Python<'py>, name: &str) -> PyResult<Flat<'_>> {
        match self {
            Self::Objects(levels) => read_objects(py, name, levels),
            Self::Arrays(arrays) => {
                let mut flat = Flat { leaves: Vec::new(), levels: Vec::new() };
                for array in arrays {
                    read_array(py, name, array, 0, &mut flat)?;
                }
                Ok(flat)
            }
            Self::Lines(files) => Ok(read_lines(files)),
        }
    }
}

/// The lines of one file, or the references of each segment from several files of one length.
fn read_lines<'a>(files: &'a [Bound<'_, PyBytes>]) -> Flat<'a> {
    let mut lines: Vec<_> = files.iter().map(|file| lines_of(file.as_bytes())).collect();
    if let [only] = &mut lines[..] {
        return Flat { leaves: only.map(Some).collect(), levels: Vec::new() };
    }
    let (mut leaves, mut bounds) = (Vec::new(), vec![0]);
    loop {
        let before = leaves.len();
        leaves.extend(lines.iter_mut().filter_map(Iterator::next).map(Some));
        if leaves.len() == before {
            return Flat { leaves, levels: vec![bounds] };
        }
        bounds.push(leaves.len());
    }
}

fn lines_of(bytes: &[u8]) -> impl Iterator<Item = Text<'_>> {
    let text = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    let mut start = 0;
    let ends = memchr::memchr_iter(b'\n', text).chain([text.len()]);
    ends.map(move |end| Text::Utf8(&text[std::mem::replace(&mut start, end + 1)..end]))
}

/// The lists inside `level` as tuples; nothing if its first item that is not `None` is no list.
fn snapshot<'py>(level: &[Bound<'py, PyTuple>]) -> PyResult<Option<Vec<Bound<'py, PyTuple>>>> {
    let mut items = level.iter().flat_map(|tuple| tuple.as_slice());
    let Some(first) = items.find(|item| !item.is_none()) else { return Ok(None) };
    if !is_list(first) {
        return Ok(None);
    }
    let mut tuples = Vec::new();
    for item in level.iter().flat_map(|tuple| tuple.as_slice()) {
        tuples.push(if let Ok(list) = item.cast::<PyList>() {
            list.to_tuple()
        } else if let Ok(tuple) = item.cast::<PyTuple>() {
            tuple.clone()
        } else {
            // Another item among lists: kept as it is, for `read_objects` to name.
            PyTuple::new(item.py(), [item])?
        });
    }
    Ok(Some(tuples))
}

fn is_list(item: &Bound<'_, PyAny>) -> bool {
    item.is_instance_of::<PyList>() || item.is_instance_of::<PyTuple>()
}

fn read_objects<'a>(
    py: Python<'_>,
    name: &str,
    levels: &'a [Vec<Bound<'_, PyTuple>>],
) -> PyResult<Flat<'a>> {
    let (leaf_lists, outer) = levels.split_last().expect("a column has its outer tuple");
    let mut flat = Flat { leaves: Vec::new(), levels: Vec::new() };
    for (depth, (parents, children)) in outer.iter().zip(&levels[1..]).enumerate() {
        let mut bounds = vec![0];
        for (i, item) in parents.iter().flat_map(|tuple| tuple.as_slice()).enumerate() {
            if !is_list(item) {
                let at = if depth == 0 { format!("[{i}]") } else { String::new() };
                return Err(wrong_item(name, &at, item, "a list, like the items before it"));
            }
            bounds.push(bounds[i] + children[i].as_slice().len());
        }
        flat.levels.push(bounds);
    }
    // The outermost bounds count the tuples of the next level, whose lengths are the next bounds.
    for depth in 0..flat.levels.len() {
        let count = levels[depth].iter().map(|tuple| tuple.as_slice().len()).sum::<usize>();
        debug_assert_eq!(flat.levels[depth].len(), count + 1);
    }
    flat.leaves.reserve(leaf_lists.iter().map(|tuple| tuple.as_slice().len()).sum());
    for (i, tuple) in leaf_lists.iter().enumerate() {
        for (j, item) in tuple.as_slice().iter().enumerate() {
            let Ok(string) = item.cast::<PyString>() else {
                if item.is_none() {
                    flat.leaves.push(None);
                    continue;
                }
                let at = if outer.is_empty() { format!("[{j}]") } else { format!("[{i}][{j}]") };
                return Err(wrong_item(name, &at, item, "a string"));
            };
            // SAFETY: reads the string's kind, length and address where CPython keeps them. The
            // tuple holds the string for as long as the view lives, and strings do not change.
            flat.leaves.push(Some(match unsafe { string.data() }? {
                PyStringData::Ucs1(units) => Text::Latin1(units),
                PyStringData::Ucs2(units) => Text::Ucs2(units),
                PyStringData::Ucs4(units) => Text::Ucs4(units),
            }));
        }
    }
    let _ = py;
    Ok(flat)
}

fn wrong_item(name: &str, at: &str, item: &Bound<'_, PyAny>, expected: &str) -> PyErr {
    let kind = item.get_type().name().map_or_else(|_| "?".to_owned(), |name| name.to_string());
    input_error(item.py(), &format!("{name}{at} is of type {kind}; it must be {expected}"))
}

fn read_array<'a>(
    py: Python<'_>,
    name: &str,
    array: &'a ArrayRef,
    depth: usize,
    flat: &mut Flat<'a>,
) -> PyResult<()> {
    let leaves = &mut flat.leaves;
    match array.data_type() {
        DataType::Utf8 => {
            leaves.extend(array.as_string::<i32>().iter().map(|s| s.map(|s| Text::Utf8(s.as_bytes()))));
        }
        DataType::LargeUtf8 => {
            leaves.extend(array.as_string::<i64>().iter().map(|s| s.map(|s| Text::Utf8(s.as_bytes()))));
        }
        DataType::Utf8View => {
            leaves.extend(array.as_string_view().iter().map(|s| s.map(|s| Text::Utf8(s.as_bytes()))));
        }
        DataType::Null => leaves.extend((0..array.len()).map(|_| None)),
        DataType::List(_) => {
            let lists = array.as_list::<i32>();
            let offsets = lists.offsets().iter().map(|&offset| offset as usize).collect();
            return read_lists(py, name, array, offsets, lists.values(), depth, flat);
        }
        DataType::LargeList(_) => {
            let lists = array.as_list::<i64>();
            let offsets = lists.offsets().iter().map(|&offset| offset as usize).collect();
            return read_lists(py, name, array, offsets, lists.values(), depth, flat);
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
    lists: &'a ArrayRef,
    offsets: Vec<usize>,
    values: &'a ArrayRef,
    depth: usize,
    flat: &mut Flat<'a>,
) -> PyResult<()> {
    if let Some(i) = (0..lists.len()).find(|&i| lists.is_null(i)) {
        return Err(input_error(py, &format!("{name}: list {i} is null; it must be a list")));
    }
    if flat.levels.len() == depth {
        flat.levels.push(vec![0]);
    }
    // The values of a sliced array are those of the whole: skip what is outside of the slice.
    let (first, last) = (offsets[0], offsets[offsets.len() - 1]);
    let bounds = &mut flat.levels[depth];
    let start = bounds[bounds.len() - 1];
    bounds.extend(offsets[1..].iter().map(|offset| start + offset - first));
    let before = flat.count(depth + 1);
    read_array(py, name, values, depth + 1, flat)?;
    flat.keep(depth + 1, before, first, last);
    Ok(())
}

impl Flat<'_> {
    /// Items at `depth` lists below the outermost items.
    fn count(&self, depth: usize) -> usize {
        self.levels.get(depth).map_or(self.leaves.len(), |bounds| bounds.len() - 1)
    }

    /// Of the items at `depth` from `before` on, keeps `first..last`.
    fn keep(&mut self, depth: usize, before: usize, first: usize, last: usize) {
        if depth == self.levels.len() {
            self.leaves.truncate(before + last);
            self.leaves.drain(before..before + first);
            return;
        }
        let bounds = &mut self.levels[depth];
        let (from, inner_first) = (bounds[before], bounds[before + first]);
        let inner_last = bounds[before + last];
        bounds.truncate(before + last + 1);
        bounds.drain(before..before + first);
        let moved = bounds[before] - from;
        for bound in &mut bounds[before..] {
            *bound -= moved;
        }
        self.keep(depth + 1, from, inner_first - from, inner_last - from);
    }
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

/// Hypotheses and references as the kernel takes them. Strings are texts, and lists of strings
/// among the hypotheses are words; the references have one more level if there are several.
pub fn corpus<'a, 'py>(
    py: Python<'py>,
    hyps: &'a Column<'py>,
    refs: &'a Column<'py>,
) -> PyResult<Corpus<'a>> {
    let hyps = hyps.read(py, "hyps")?;
    let mut refs = refs.read(py, "refs")?;
    let (words, depth) = (hyps.levels.len(), refs.levels.len());
    if words > 1 {
        return Err(input_error(py, "hyps are nested too deep; each is a string or a list of words"));
    }
    if depth < words || depth > words + 1 {
        let message = if words == 0 {
            "refs hold lists of words, but hyps hold strings; tokenize both or neither"
        } else {
            "refs hold strings, but hyps hold lists of words; tokenize both or neither"
        };
        return Err(input_error(py, message));
    }
    let bounds = (depth > words).then(|| refs.levels.remove(0));
    let (refs, bounds) = segments_of_refs(py, refs, bounds)?;
    let hyps = segments(hyps).map_err(|at| {
        let place = if words == 0 { format!("hyps[{at}]") } else { "a word of hyps".into() };
        input_error(py, &format!("{place} is None; it must be a string (\"\" for an empty one)"))
    })?;
    Ok(Corpus { hyps, refs, bounds })
}

/// A column that holds texts alone.
pub fn texts<'a, 'py>(py: Python<'py>, column: &'a Column<'py>) -> PyResult<Segments<'a>> {
    segments(column.read(py, "texts")?)
        .map_err(|at| input_error(py, &format!("texts[{at}] is None; it must be a string")))
}

/// The segments, or the place of the first `None`.
fn segments(flat: Flat<'_>) -> Result<Segments<'_>, usize> {
    if let Some(at) = flat.leaves.iter().position(Option::is_none) {
        return Err(at);
    }
    let leaves = flat.leaves.into_iter().flatten().collect();
    Ok(match flat.levels.into_iter().next() {
        None => Segments::Texts(leaves),
        Some(bounds) => Segments::Words { words: leaves, bounds },
    })
}

/// References without the absent ones; every hypothesis keeps one at least.
fn segments_of_refs<'a>(
    py: Python<'_>,
    flat: Flat<'a>,
    bounds: Option<Vec<usize>>,
) -> PyResult<(Segments<'a>, Option<Vec<usize>>)> {
    let absent = |i: usize| {
        input_error(py, &format!("refs[{i}] has no reference; each hypothesis needs one at least"))
    };
    let Some(mut bounds) = bounds else {
        return segments(flat).map_err(absent).map(|segments| (segments, None));
    };
    if flat.levels.is_empty() && flat.leaves.iter().any(Option::is_none) {
        // Absent references move the bounds of those behind them.
        let mut present = 0;
        let mut start = bounds[0];
        for bound in &mut bounds[1..] {
            present += flat.leaves[start..*bound].iter().filter(|leaf| leaf.is_some()).count();
            start = *bound;
            *bound = present;
        }
        let flat = Flat { leaves: flat.leaves.into_iter().filter(Option::is_some).collect(), levels: Vec::new() };
        return check_bounds(bounds).map_err(absent).and_then(|bounds| {
            segments(flat).map_err(absent).map(|segments| (segments, Some(bounds)))
        });
    }
    let bounds = check_bounds(bounds).map_err(absent)?;
    let segments = segments(flat).map_err(|_| input_error(py, "a word of refs is None"))?;
    Ok((segments, Some(bounds)))
}

/// The bounds, or the first segment that has nothing.
fn check_bounds(bounds: Vec<usize>) -> Result<Vec<usize>, usize> {
    match bounds.windows(2).position(|pair| pair[0] == pair[1]) {
        Some(i) => Err(i),
        None => Ok(bounds),
    }
}
