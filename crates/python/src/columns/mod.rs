//! Columns of Python objects, Arrow arrays and lines as views: no text is copied.
//!
//! A column is read to its leaves (strings) with the bounds of the lists around them, whatever it
//! is made of; [`corpus`] then says what the lists mean.

mod arrow;
mod lines;
mod objects;

use arrow_array::{Array, ArrayRef};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyTuple};
use truebleu_core::views::{Corpus, Segments, Text};

use crate::input_error;

pub use objects::{AHEAD, hold_words};

/// What keeps the text of a column alive and still while it is read.
pub enum Column<'py> {
    /// Tuples, level by level: the column itself, then all lists in it, and so on.
    Objects(Vec<Vec<Bound<'py, PyTuple>>>),
    Arrays(Vec<ArrayRef>),
    /// UTF-8 text, one string to a line; several are the references of the same segments.
    Lines(Vec<Bound<'py, PyBytes>>),
}

/// UTF-8 text with one segment to a line; several are the references of the same segments.
#[pyclass(frozen, module = "truebleu._core")]
pub struct Lines(Vec<Py<PyBytes>>);

#[pymethods]
impl Lines {
    #[new]
    fn new(files: Vec<Py<PyBytes>>) -> Self {
        Self(files)
    }
}

/// A column read: strings, `None` where there is none, and for each level of lists, outermost
/// first, where they begin and end.
#[derive(Default)]
struct Flat<'a> {
    leaves: Vec<Option<Text<'a>>>,
    levels: Vec<Vec<usize>>,
}

impl<'py> Column<'py> {
    /// Takes hold of `object`: a tuple or list of strings or lists; lines; or anything that exports
    /// an Arrow array or stream.
    pub fn new(name: &str, object: &Bound<'py, PyAny>) -> PyResult<Self> {
        if let Ok(tuple) = object.cast::<PyTuple>() {
            return objects::snapshot(tuple).map(Self::Objects);
        }
        if let Ok(list) = object.cast::<PyList>() {
            return objects::snapshot(&list.to_tuple()).map(Self::Objects);
        }
        if let Ok(lines) = object.cast::<Lines>() {
            let files = lines.get().0.iter();
            return Ok(Self::Lines(
                files.map(|file| file.bind(object.py()).clone()).collect(),
            ));
        }
        arrow::import(name, object).map(Self::Arrays)
    }

    /// Number of items, which are segments or their references.
    pub fn len(&self) -> usize {
        match self {
            Self::Objects(levels) => levels[0][0].as_slice().len(),
            Self::Arrays(arrays) => arrays.iter().map(Array::len).sum(),
            Self::Lines(files) => files
                .first()
                .map_or(0, |file| lines::count(file.as_bytes())),
        }
    }

    /// Reads the column; `start` is added to the places that errors name.
    fn read(&self, py: Python<'py>, name: &str, start: usize) -> PyResult<Flat<'_>> {
        match self {
            Self::Objects(levels) => objects::read(name, levels, start),
            Self::Arrays(arrays) => arrow::read(py, name, arrays),
            Self::Lines(files) => Ok(lines::read(files)),
        }
    }
}

/// Hypotheses and references as the kernel takes them. Strings are texts, and lists of strings
/// among the hypotheses are words; the references have one more level if there are several. The
/// columns begin at segment `start` of those that the caller knows.
pub fn corpus<'a, 'py>(
    py: Python<'py>,
    hyps: &'a Column<'py>,
    refs: &'a Column<'py>,
    start: usize,
) -> PyResult<Corpus<'a>> {
    let hyps = hyps.read(py, "hyps", start)?;
    let refs = refs.read(py, "refs", start)?;
    let words = hyps.levels.len();
    if words > 1 {
        return Err(input_error(
            py,
            "hyps are nested too deep; each is a string or a list of words",
        ));
    }
    let several = refs.levels.len() == words + 1;
    if refs.levels.len() != words && !several {
        let (refs, hyps) = if words == 0 {
            ("lists of words", "strings")
        } else {
            ("strings", "lists of words")
        };
        let message = format!("refs hold {refs}, but hyps hold {hyps}; tokenize both or neither");
        return Err(input_error(py, &message));
    }
    let hyps = segments(hyps).map_err(|at| {
        let place = if words == 0 {
            format!("hyps[{}]", start + at)
        } else {
            "a word of hyps".into()
        };
        input_error(
            py,
            &format!("{place} is None; it must be a string (\"\" for an empty one)"),
        )
    })?;
    let absent = |i: usize| {
        let place = start + i;
        let message = format!("refs[{place}] has no reference; each hypothesis needs one at least");
        input_error(py, &message)
    };
    let (refs, bounds) = if several {
        let (present, bounds) = without_absent(refs);
        if let Some(i) = bounds.windows(2).position(|pair| pair[0] == pair[1]) {
            return Err(absent(i));
        }
        let refs = segments(present).map_err(|_| input_error(py, "a word of refs is None"))?;
        (refs, Some(bounds))
    } else {
        (segments(refs).map_err(absent)?, None)
    };
    Ok(Corpus { hyps, refs, bounds })
}

/// A column that is not paired with another one: texts, or lists of words.
pub fn alone<'a, 'py>(
    py: Python<'py>,
    name: &str,
    column: &'a Column<'py>,
) -> PyResult<Segments<'a>> {
    let flat = column.read(py, name, 0)?;
    if flat.levels.len() > 1 {
        let message = format!("{name} are nested too deep; each is a string or a list of words");
        return Err(input_error(py, &message));
    }
    let words = !flat.levels.is_empty();
    segments(flat).map_err(|at| {
        let place = if words {
            format!("a word of {name}")
        } else {
            format!("{name}[{at}]")
        };
        input_error(py, &format!("{place} is None; it must be a string"))
    })
}

/// The segments, or the place of the first `None`.
fn segments(flat: Flat<'_>) -> Result<Segments<'_>, usize> {
    if let Some(at) = flat.leaves.iter().position(Option::is_none) {
        return Err(at);
    }
    // `map` and not `flatten`, which would not reuse the memory of the column.
    let leaves = flat
        .leaves
        .into_iter()
        .map(|leaf| leaf.unwrap_or(Text::Utf8(&[])))
        .collect();
    Ok(match flat.levels.into_iter().next() {
        None => Segments::Texts(leaves),
        Some(bounds) => Segments::Words {
            words: leaves,
            bounds,
        },
    })
}

/// Takes the outermost lists off, and the absent references with them: where a reference is a
/// string, `None` says that there is none.
fn without_absent(mut flat: Flat<'_>) -> (Flat<'_>, Vec<usize>) {
    let mut bounds = flat.levels.remove(0);
    if flat.levels.is_empty() && flat.leaves.iter().any(Option::is_none) {
        let (mut start, mut present) = (0, 0);
        for bound in &mut bounds[1..] {
            present += flat.leaves[start..*bound].iter().flatten().count();
            start = std::mem::replace(bound, present);
        }
        flat.leaves.retain(Option::is_some);
    }
    (flat, bounds)
}
