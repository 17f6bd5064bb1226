//! Columns of Python objects: tuples and lists of strings, or of lists.

use std::ops::{Deref, Range};

use pyo3::exceptions::PyOverflowError;
use pyo3::ffi::PyASCIIObject;
use pyo3::prelude::*;
use pyo3::types::string::PyStringData;
use pyo3::types::{PyBool, PyFloat, PyList, PyString, PyTuple};
use truebleu_core::columns::views::Text;
use truebleu_core::simd::prefetch;

use super::ids::{IdRows, Values};
use super::{Flat, keep_present};
use crate::input_error;

/// Distance, in strings, at which memory is prefetched.
const AHEAD: usize = 32;

/// More levels than any column has: groups of references of words have 4.
const DEEP: usize = 16;

/// The shape of a column, as its first items that are not `None` show it.
#[derive(Clone, Copy)]
pub struct Shape {
    /// Levels of lists, of which the column is one.
    pub depth: usize,
    /// Whether the innermost items are token ids; else they are strings.
    pub ids: bool,
}

impl Shape {
    /// The shape of a tuple or list; `None` if it is unknown or cannot be scored.
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

/// Items of each list that are examined: 32 to the power of 4 takes 1 ms.
pub const LOOKED_AT: usize = 32;

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
        items.find(|item| !is_missing(item))
    } else {
        items.find_map(|item| first_at(&item, depth - 1))
    }
}

/// Items that are referenced, so that they do not change under a view.
pub enum Held<'py> {
    /// Items of a tuple, which takes them from a list at once.
    Tuple(Bound<'py, PyTuple>, Range<usize>),
    Items(Vec<Bound<'py, PyAny>>),
}

impl<'py> Deref for Held<'py> {
    type Target = [Bound<'py, PyAny>];

    fn deref(&self) -> &Self::Target {
        match self {
            Self::Tuple(tuple, part) => &tuple.as_slice()[part.clone()],
            Self::Items(items) => items,
        }
    }
}

/// The innermost items of a column, and the bounds of each level of lists, outermost first.
pub struct Objects<'py> {
    leaves: Held<'py>,
    bounds: Vec<Vec<usize>>,
    /// Whether words may have blanks: a column that Python marks by its class.
    may_split: bool,
}

impl<'py> Objects<'py> {
    /// The items of a column, of which the first is item `start` of a larger one. Without `depth`,
    /// its first items determine the levels of lists.
    pub fn new(name: &str, items: Held<'py>, start: usize, depth: Option<usize>) -> PyResult<Self> {
        let may_split = matches!(&items, Held::Tuple(column, _)
            if column.get_type().name().is_ok_and(|name| name == "Words"));
        let (mut leaves, mut bounds) = (items, Vec::<Vec<usize>>::new());
        while depth.map_or_else(
            || first(&leaves).is_some_and(is_list),
            |depth| bounds.len() + 1 < depth,
        ) {
            if let (Held::Items(lists), Some(bounds)) = (&mut leaves, bounds.last_mut()) {
                keep_present(lists, bounds, |item| !is_missing(item));
            }
            let mut ends = vec![0];
            let mut inner = Vec::new();
            for (i, item) in leaves.iter().enumerate() {
                if let Ok(list) = item.cast::<PyList>() {
                    inner.extend(list.iter());
                } else if let Ok(tuple) = item.cast::<PyTuple>() {
                    inner.extend(tuple.iter());
                } else {
                    let expected = "a list, like the items before it";
                    return Err(wrong_item(name, &bounds, start, i, item, expected));
                }
                ends.push(inner.len());
            }
            bounds.push(ends);
            if let (true, Some(item)) = (bounds.len() > DEEP, inner.first()) {
                // A list that contains itself has no end.
                let message =
                    format!("{name} are nested too deep; each is a string or a list of words");
                return Err(input_error(item.py(), &message));
            }
            leaves = Held::Items(inner);
        }
        Ok(Self {
            leaves,
            bounds,
            may_split,
        })
    }

    pub fn len(&self) -> usize {
        self.bounds
            .first()
            .map_or(self.leaves.len(), |bounds| bounds.len() - 1)
    }

    /// Whether each item is a list of this length.
    pub fn are_lists_of(&self, length: usize) -> bool {
        let lists = self.bounds.first().map(|bounds| bounds.windows(2));
        lists.is_some_and(|mut lists| lists.all(|list| list[1] - list[0] == length))
    }

    /// Whether the first item at the bottom is an integer.
    pub fn hold_integers(&self) -> bool {
        first(&self.leaves)
            .is_some_and(|item| !item.is_instance_of::<PyString>() && is_number(item))
    }

    /// Integers at the bottom as rows of ids.
    pub fn ids(mut self, name: &str, start: usize) -> PyResult<IdRows> {
        let (bounds, leaves) = (&self.bounds, &self.leaves);
        let wrong = |i: usize, expected| wrong_item(name, bounds, start, i, &leaves[i], expected);
        if self.bounds.is_empty() {
            let at = self.leaves.iter().position(is_number).unwrap_or(0);
            return Err(wrong(at, "a string, or a list of words or token ids"));
        }
        let mut values = Vec::with_capacity(self.leaves.len());
        for (i, item) in self.leaves.iter().enumerate() {
            // `extract` takes objects with `__index__`; a bool is not an id.
            match item.extract::<i64>() {
                Ok(id) if !item.is_instance_of::<PyBool>() => values.push(id),
                Err(error) if error.is_instance_of::<PyOverflowError>(item.py()) => {
                    let digits = item.str().map(|digits| digits.to_string());
                    // Python writes no more than 4,300 digits.
                    let shown = digits
                        .ok()
                        .filter(|digits| digits.len() <= 40)
                        .unwrap_or_else(|| "a number of more than 40 digits".into());
                    let at = place(&self.bounds, start, i);
                    let message = format!("{name}{at} is {shown}, which is not a 64-bit id");
                    return Err(input_error(item.py(), &message));
                }
                _ => return Err(wrong(i, "an integer, like the ids before it")),
            }
        }
        let innermost = self.bounds.pop().unwrap_or_default();
        Ok(IdRows {
            values: Values::Owned(values),
            spans: innermost
                .windows(2)
                .map(|pair| (pair[0], pair[1]))
                .collect(),
            levels: self.bounds,
            is_cube: false,
        })
    }

    /// Views of the strings at the bottom, which are words in lists if there are `words`.
    pub(super) fn read(&self, name: &str, start: usize, words: bool) -> PyResult<Flat<Text<'_>>> {
        let checks = words && !self.may_split && !self.bounds.is_empty();
        let (items, mut leaves) = (&*self.leaves, Vec::with_capacity(self.leaves.len()));
        for (i, item) in items.iter().enumerate() {
            if let Some(later) = items.get(i + AHEAD) {
                prefetch(later.as_ptr().cast::<u8>().wrapping_add(128));
            }
            leaves.push(match item.cast::<PyString>() {
                Ok(string) => {
                    let text = view(string)?;
                    if checks && text.is_split() {
                        let at = place(&self.bounds, start, i);
                        return Err(not_a_word(name, &at, string));
                    }
                    Some(text)
                }
                Err(_) if is_missing(item) => None,
                Err(_) => {
                    let expected = "a string";
                    return Err(wrong_item(name, &self.bounds, start, i, item, expected));
                }
            });
        }
        Ok(Flat {
            leaves,
            levels: self.bounds.clone(),
        })
    }
}

fn first<'a, 'py>(items: &'a [Bound<'py, PyAny>]) -> Option<&'a Bound<'py, PyAny>> {
    items.iter().find(|item| !is_missing(item))
}

/// Whether an item is absent: `None`, unequal to itself as `NaN` and `NaT` are, or the missing value of
/// pandas or of `NumPy`'s masks, which cannot be compared.
fn is_missing(item: &Bound<'_, PyAny>) -> bool {
    if item.is_instance_of::<PyString>() || is_list(item) {
        return false; // nearly always
    }
    let is_named = |name: Bound<'_, PyString>| name == "NAType" || name == "MaskedConstant";
    item.is_none() || item.get_type().name().is_ok_and(is_named) || item.ne(item).unwrap_or(false) // an array has no answer
}

pub fn is_list(item: &Bound<'_, PyAny>) -> bool {
    item.is_instance_of::<PyList>() || item.is_instance_of::<PyTuple>()
}

/// Whether the columns hold words only, which [`crate::Metric::total`] reads as words: lists of
/// strings, and at least one list of references for each hypothesis. Subclasses of `str` do not
/// count: they may compare in other ways.
#[pyfunction]
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

fn is_number(item: &Bound<'_, PyAny>) -> bool {
    item.is_instance_of::<PyFloat>() || item.hasattr("__index__").unwrap_or(false)
}

/// The text of an object, if it is a string.
pub fn text<'a>(item: &'a Bound<'_, PyAny>) -> Option<Text<'a>> {
    item.cast::<PyString>()
        .ok()
        .and_then(|string| view(string).ok())
}

fn view<'a>(string: &'a Bound<'_, PyString>) -> PyResult<Text<'a>> {
    // CPython puts the characters of ASCII text after a shorter head than those of other text; the
    // function that asks for it is gone from 3.14 on.
    let ascii = string.as_ptr().addr() + size_of::<PyASCIIObject>();
    // SAFETY: reads the string's kind, length and address where CPython keeps them (tested on the
    // platforms that wheels are built for). The string lives and does not change for `'a`.
    Ok(match unsafe { string.data() }? {
        PyStringData::Ucs1(units) if units.as_ptr().addr() == ascii => {
            debug_assert!(units.is_ascii());
            Text::Utf8(units)
        }
        PyStringData::Ucs1(units) => Text::Latin1(units),
        PyStringData::Ucs2(units) => Text::Ucs2(units),
        PyStringData::Ucs4(units) => Text::Ucs4(units),
    })
}

/// The position of innermost item `at` in lists with these bounds, outermost first.
pub fn place(bounds: &[Vec<usize>], start: usize, mut at: usize) -> String {
    let mut inner = String::new();
    for level in bounds.iter().rev() {
        let list = level.partition_point(|&bound| bound <= at) - 1;
        inner = format!("[{}]{inner}", at - level[list]);
        at = list;
    }
    format!("[{}]{inner}", start + at)
}

/// The error for a word with blanks at a place in the column.
pub fn not_a_word(name: &str, at: &str, word: &Bound<'_, PyString>) -> PyErr {
    let entry = at.split_inclusive(']').next().unwrap_or_default();
    let shown = word.repr().map(|word| word.to_string()).unwrap_or_default();
    let message = format!("{name}{entry} holds {shown:.200}, not a word; give the text");
    input_error(word.py(), &message)
}

fn wrong_item(
    name: &str,
    bounds: &[Vec<usize>],
    start: usize,
    at: usize,
    item: &Bound<'_, PyAny>,
    expected: &str,
) -> PyErr {
    let (at, kind) = (place(bounds, start, at), item.get_type().name());
    let kind = kind.map(|name| name.to_string()).unwrap_or_default();
    let message = format!("{name}{at} is of type {kind}; it must be {expected}");
    input_error(item.py(), &message)
}
