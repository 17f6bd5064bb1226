//! Columns without pairs: every segment of one is scored against every segment of the other, or of
//! itself.

use pyo3::prelude::*;
use truebleu_core::columns::views::{Marks, Segments, Text};

use super::{Column, Content, Flat, How, LETTERS, alike, segments};
use crate::input_error;

/// Texts, or lists of words, that are not paired with others.
pub fn texts<'a, 'py>(py: Python<'py>, column: &'a Column<'py>) -> PyResult<Segments<'a>> {
    match column.read(py, "texts", 0, true)? {
        Content::Texts(flat) => unpaired_texts(py, "texts", flat, 0),
        Content::Ids(_) => {
            let message = "texts hold token ids; give strings or lists of words";
            Err(input_error(py, message))
        }
    }
}

/// A column that is not paired with another one: texts, lists of words, or token ids. Rows of ids may
/// lie in `groups` levels of lists, which are removed. The column begins at segment `start` of the
/// caller's.
pub fn alone<'a, 'py>(
    py: Python<'py>,
    name: &str,
    column: &'a Column<'py>,
    how: &How,
    groups: usize,
    start: usize,
) -> PyResult<Segments<'a>> {
    let content = column.read(py, name, start, true)?;
    unpaired(py, name, content, how, groups, start)
}

/// Candidates and optional references, each as [`alone`] returns them.
pub fn crossed<'a, 'py>(
    py: Python<'py>,
    candidates: &'a Column<'py>,
    references: Option<&'a Column<'py>>,
    how: &How,
    groups: usize,
) -> PyResult<(Segments<'a>, Option<Segments<'a>>)> {
    const NAMES: [&str; 2] = ["candidates", "references"];
    let Some(references) = references else {
        return Ok((alone(py, NAMES[0], candidates, how, groups, 0)?, None));
    };
    let (candidates, references) = alike(
        candidates.read(py, NAMES[0], 0, true)?,
        references.read(py, NAMES[1], 0, true)?,
    );
    let kinds = [candidates.kind(), references.kind()];
    let some = !candidates.is_empty() && !references.is_empty();
    let candidates = unpaired(py, NAMES[0], candidates, how, groups, 0)?;
    let references = unpaired(py, NAMES[1], references, how, groups, 0)?;
    if some && kinds[0] != kinds[1] {
        let message = format!(
            "candidates hold {}, but references hold {}; tokenize both or neither",
            kinds[0], kinds[1]
        );
        return Err(input_error(py, &message));
    }
    Ok((candidates, Some(references)))
}

/// The bounds of the groups of rows of token ids, and whether there are groups: else all rows are
/// one. `None` for a column of text.
#[pyfunction]
pub fn id_bounds(name: &str, column: &Bound<'_, PyAny>) -> PyResult<Option<(Vec<usize>, bool)>> {
    let read = Column::new(name, column)?;
    let Content::Ids(mut flat) = read.read(column.py(), name, 0, false)? else {
        return Ok(None);
    };
    let rows = flat.leaves.len();
    Ok(match (flat.levels.len(), flat.levels.pop()) {
        (1, Some(bounds)) => Some((bounds, true)),
        _ => Some((vec![0, rows], false)),
    })
}

fn unpaired<'a>(
    py: Python<'_>,
    name: &str,
    content: Content<'a>,
    how: &How,
    groups: usize,
    start: usize,
) -> PyResult<Segments<'a>> {
    match content {
        Content::Texts(_) if how.marks != Marks::default() => {
            let message =
                format!("pad_id and eos_id mark token ids, but {name} hold text; leave them out");
            Err(input_error(py, &message))
        }
        Content::Texts(flat) => unpaired_texts(py, name, flat, start),
        Content::Ids(_) if how.reads_letters => Err(input_error(py, LETTERS)),
        Content::Ids(flat) if flat.levels.len() > groups => {
            let message = format!("{name} are nested too deep; each is a row of token ids");
            Err(input_error(py, &message))
        }
        Content::Ids(flat) => segments(flat, &how.marks).map_err(|at| {
            let at = start + at;
            let message = format!("{name}[{at}] is None; it must be a row of token ids");
            input_error(py, &message)
        }),
    }
}

fn unpaired_texts<'a>(
    py: Python<'_>,
    name: &str,
    flat: Flat<Text<'a>>,
    start: usize,
) -> PyResult<Segments<'a>> {
    if flat.levels.len() > 1 {
        let message = format!("{name} are nested too deep; each is a string or a list of words");
        return Err(input_error(py, &message));
    }
    let words = !flat.levels.is_empty();
    segments(flat, &Marks::default()).map_err(|at| {
        let place = if words {
            format!("a word of {name}")
        } else {
            format!("{name}[{}]", start + at)
        };
        input_error(py, &format!("{place} is None; it must be a string"))
    })
}
