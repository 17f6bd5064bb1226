//! Tuples of strings and of lists, as Python holds them.

use pyo3::exceptions::PyOverflowError;
use pyo3::prelude::*;
use pyo3::types::string::PyStringData;
use pyo3::types::{PyBool, PyFloat, PyInt, PyList, PyString, PyTuple};
use truebleu_core::simd::prefetch;
use truebleu_core::views::Text;

use super::Flat;
use super::ids::{Rows, Values};
use crate::calls::count_item;
use crate::input_error;

/// How many strings ahead of the one being read memory is asked for the next.
pub const AHEAD: usize = 32;

/// Deeper than any column is nested: groups of entries of references of words are 4 deep.
const DEEP: usize = 16;

/// What a column holds, as its first items say that are not `None`.
#[derive(Clone, Copy)]
pub struct Kind {
    /// Lists around what is at the bottom, the column itself being one.
    pub depth: usize,
    /// Whether that is token ids; else it is strings.
    pub ids: bool,
}

impl Kind {
    /// The kind of a tuple or list; nothing where it is none that can be scored, or cannot be told.
    pub fn of(column: &Bound<'_, PyAny>) -> Option<Self> {
        // References of words are 3 deep, groups of rows of ids 4.
        for depth in 1..=4 {
            let first = first_at(column, depth)?;
            if first.is_instance_of::<PyString>() {
                return Some(Self { depth, ids: false });
            }
            if !is_list(&first) {
                let ids = depth > 1 && is_number(&first);
                return ids.then_some(Self { depth, ids });
            }
        }
        None
    }
}

/// Items of each list that are looked at to tell what a column holds: 32 to the power of 4 is 1 ms.
const LOOKED_AT: usize = 32;

/// The first item `depth` lists deep that is not `None`.
fn first_at<'py>(list: &Bound<'py, PyAny>, depth: usize) -> Option<Bound<'py, PyAny>> {
    if let Ok(list) = list.cast::<PyList>() {
        first_in(list.iter(), depth)
    } else {
        first_in(list.cast::<PyTuple>().ok()?.iter(), depth)
    }
}

fn first_in<'py>(
    items: impl Iterator<Item = Bound<'py, PyAny>>,
    depth: usize,
) -> Option<Bound<'py, PyAny>> {
    let mut items = items.take(LOOKED_AT);
    if depth == 1 {
        items.find(|item| !item.is_none())
    } else {
        items.find_map(|item| first_at(&item, depth - 1))
    }
}

/// The tuple and all lists inside it, as tuples: those do not change under a view. How deep they
/// lie is told by their first items, or given.
pub fn snapshot<'py>(
    name: &str,
    tuple: &Bound<'py, PyTuple>,
    depth: Option<usize>,
) -> PyResult<Vec<Vec<Bound<'py, PyTuple>>>> {
    let mut levels = vec![vec![tuple.clone()]];
    loop {
        let last = &levels[levels.len() - 1];
        let more = depth.map_or_else(|| hold_lists(last), |depth| levels.len() < depth);
        if !more {
            return Ok(levels);
        }
        levels.push(lists_of(last)?);
        if levels.len() > DEEP {
            // Without an end for a list that holds itself.
            let message =
                format!("{name} are nested too deep; each is a string or a list of words");
            return Err(input_error(tuple.py(), &message));
        }
    }
}

/// Whether the first item that is not `None` is a list.
fn hold_lists(level: &[Bound<'_, PyTuple>]) -> bool {
    let mut items = level.iter().flat_map(PyTupleMethods::as_slice);
    items.find(|item| !item.is_none()).is_some_and(is_list)
}

/// The lists in `level`.
fn lists_of<'py>(level: &[Bound<'py, PyTuple>]) -> PyResult<Vec<Bound<'py, PyTuple>>> {
    let items = level.iter().flat_map(PyTupleMethods::as_slice);
    let to_tuple = |(i, item): (usize, &Bound<'py, PyAny>)| {
        count_item(item.py(), i)?;
        if let Ok(list) = item.cast::<PyList>() {
            Ok(list.to_tuple())
        } else if let Ok(tuple) = item.cast::<PyTuple>() {
            Ok(tuple.clone())
        } else {
            // Something else among lists: kept as it is, for `read` to name.
            PyTuple::new(item.py(), [item])
        }
    };
    items.enumerate().map(to_tuple).collect()
}

fn is_list(item: &Bound<'_, PyAny>) -> bool {
    item.is_instance_of::<PyList>() || item.is_instance_of::<PyTuple>()
}

/// Whether the columns hold words alone: lists of strings, and one list of them or more for each of
/// the hypotheses. Subclasses do not count: they may compare otherwise than by their text.
pub fn hold_words(hyps: &Bound<'_, PyAny>, refs: &Bound<'_, PyAny>) -> bool {
    let are_words =
        |list: &Bound<'_, PyAny>| all_in(list, PyAnyMethods::is_exact_instance_of::<PyString>);
    let all_words = |list: &Bound<'_, PyAny>| are_words(list).is_some();
    let some_words = |row: &Bound<'_, PyAny>| all_in(row, all_words).is_some_and(|count| count > 0);
    all_in(hyps, all_words).is_some() && all_in(refs, some_words).is_some()
}

/// Length of a list or tuple, if `holds` is true of all its items.
fn all_in<'py>(
    object: &Bound<'py, PyAny>,
    holds: impl Fn(&Bound<'py, PyAny>) -> bool,
) -> Option<usize> {
    if let Ok(list) = object.cast_exact::<PyList>() {
        list.iter().all(|item| holds(&item)).then(|| list.len())
    } else if let Ok(tuple) = object.cast_exact::<PyTuple>() {
        let items = tuple.as_slice();
        items.iter().all(holds).then_some(items.len())
    } else {
        None
    }
}

/// Whether the first item at the bottom is an integer.
pub fn hold_integers(levels: &[Vec<Bound<'_, PyTuple>>]) -> bool {
    let mut items = levels[levels.len() - 1]
        .iter()
        .flat_map(PyTupleMethods::as_slice);
    items
        .find(|item| !item.is_none())
        .is_some_and(|item| !item.is_instance_of::<PyString>() && is_number(item))
}

fn is_number(item: &Bound<'_, PyAny>) -> bool {
    item.is_instance_of::<PyInt>()
        || item.is_instance_of::<PyFloat>()
        || item.hasattr("__index__").unwrap_or(false)
}

/// Integers at the bottom as rows of ids.
pub fn ids(name: &str, levels: &[Vec<Bound<'_, PyTuple>>], start: usize) -> PyResult<Rows> {
    let mut bounds = list_bounds(name, levels, start)?;
    let Some(innermost) = bounds.pop() else {
        let items = levels[0][0].as_slice();
        let at = items.iter().position(is_number).unwrap_or(0);
        let expected = "a string, or a list of words or token ids";
        return Err(wrong_item(name, &format!("[{at}]"), &items[at], expected));
    };
    let mut values = Vec::with_capacity(innermost[innermost.len() - 1]);
    for (i, row) in levels[levels.len() - 1].iter().enumerate() {
        count_item(row.py(), i)?;
        for (j, item) in row.as_slice().iter().enumerate() {
            count_item(item.py(), j)?;
            // `extract` takes what has `__index__`; a truth value is an integer to Python alone.
            match item.extract::<i64>() {
                Ok(id) if !item.is_instance_of::<PyBool>() => values.push(id),
                Err(error) if error.is_instance_of::<PyOverflowError>(item.py()) => {
                    let digits = item.str().map(|digits| digits.to_string());
                    // Python writes no more than 4,300 digits.
                    let shown = digits
                        .ok()
                        .filter(|digits| digits.len() <= 40)
                        .unwrap_or_else(|| "a number of more than 40 digits".into());
                    let at = place(&bounds, start, i);
                    let message = format!("{name}{at}[{j}] is {shown}, which is no 64-bit id");
                    return Err(input_error(item.py(), &message));
                }
                _ => {
                    let at = place(&bounds, start, i);
                    return Err(wrong_item(
                        name,
                        &format!("{at}[{j}]"),
                        item,
                        "an integer, like the ids before it",
                    ));
                }
            }
        }
    }
    Ok(Rows {
        values: Values::Owned(values),
        spans: innermost
            .windows(2)
            .map(|pair| (pair[0], pair[1]))
            .collect(),
        levels: bounds,
    })
}

/// For each level of lists, outermost first, where they begin and end.
fn list_bounds(
    name: &str,
    levels: &[Vec<Bound<'_, PyTuple>>],
    start: usize,
) -> PyResult<Vec<Vec<usize>>> {
    let mut found: Vec<Vec<usize>> = Vec::new();
    for pair in levels.windows(2) {
        let mut bounds = vec![0];
        let items = pair[0].iter().flat_map(PyTupleMethods::as_slice);
        for (i, (item, list)) in items.zip(&pair[1]).enumerate() {
            count_item(item.py(), i)?;
            if !is_list(item) {
                let at = place(&found, start, i);
                return Err(wrong_item(
                    name,
                    &at,
                    item,
                    "a list, like the items before it",
                ));
            }
            bounds.push(bounds[i] + list.as_slice().len());
        }
        found.push(bounds);
    }
    Ok(found)
}

pub fn read<'a>(
    name: &str,
    levels: &'a [Vec<Bound<'_, PyTuple>>],
    start: usize,
) -> PyResult<Flat<Text<'a>>> {
    let mut flat = Flat {
        leaves: Vec::new(),
        levels: list_bounds(name, levels, start)?,
    };
    let lists = &levels[levels.len() - 1];
    flat.leaves
        .reserve(lists.iter().map(|list| list.as_slice().len()).sum());
    for (i, list) in lists.iter().enumerate() {
        let items = list.as_slice();
        count_item(list.py(), i)?;
        for (j, item) in items.iter().enumerate() {
            count_item(item.py(), j)?;
            if let Some(later) = items.get(j + AHEAD) {
                prefetch(later.as_ptr().cast::<u8>().wrapping_add(128));
            }
            flat.leaves.push(match item.cast::<PyString>() {
                Ok(string) => Some(view(string)?),
                Err(_) if item.is_none() => None,
                Err(_) => {
                    let at = match flat.levels.split_last() {
                        None => format!("[{}]", start + j),
                        Some((_, outer)) => format!("{}[{j}]", place(outer, start, i)),
                    };
                    return Err(wrong_item(name, &at, item, "a string"));
                }
            });
        }
    }
    Ok(flat)
}

/// The text of a string; nothing if it is none.
pub fn text<'a>(item: &'a Bound<'_, PyAny>) -> Option<Text<'a>> {
    item.cast::<PyString>()
        .ok()
        .and_then(|string| view(string).ok())
}

fn view<'a>(string: &'a Bound<'_, PyString>) -> PyResult<Text<'a>> {
    // SAFETY: reads the string's kind, length and address where CPython keeps them (tested on the
    // platforms that wheels are built for). The string lives and does not change for `'a`.
    Ok(match unsafe { string.data() }? {
        PyStringData::Ucs1(units) => Text::Latin1(units),
        PyStringData::Ucs2(units) => Text::Ucs2(units),
        PyStringData::Ucs4(units) => Text::Ucs4(units),
    })
}

/// Where item `at` lies of all that are in lists with these bounds, outermost first.
fn place(bounds: &[Vec<usize>], start: usize, mut at: usize) -> String {
    let mut inner = String::new();
    for level in bounds.iter().rev() {
        let list = level.partition_point(|&bound| bound <= at) - 1;
        inner = format!("[{}]{inner}", at - level[list]);
        at = list;
    }
    format!("[{}]{inner}", start + at)
}

fn wrong_item(name: &str, at: &str, item: &Bound<'_, PyAny>, expected: &str) -> PyErr {
    let kind = item
        .get_type()
        .name()
        .map_or_else(|_| "?".to_owned(), |name| name.to_string());
    input_error(
        item.py(),
        &format!("{name}{at} is of type {kind}; it must be {expected}"),
    )
}
