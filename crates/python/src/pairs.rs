//! Segments against each other: columns that are not paired, and what the core makes of them.

use pyo3::buffer::PyBuffer;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyByteArray;
use truebleu_core::diversity;
use truebleu_core::pairwise::{self, Groups};
use truebleu_core::plan::Plan;
use truebleu_core::views::{BadSegment, Segments};

use crate::chunks::fault_error;
use crate::columns::{self, Column};
use crate::{bytes_of, input_error};

/// A column with where its groups begin and end.
type Grouped<'py> = (Bound<'py, PyAny>, Vec<usize>);

/// What fills the matrix of candidates and references, on so many threads.
pub trait Fill:
    Fn(&Segments, Option<&Segments>, usize, &mut [f64]) -> Result<(), BadSegment> + Sync + Send
{
}

impl<F> Fill for F where
    F: Fn(&Segments, Option<&Segments>, usize, &mut [f64]) -> Result<(), BadSegment> + Sync + Send
{
}

/// Fills an array that `empty` makes of a shape. Not one of our own: `NumPy` asks for large pages,
/// and does not write zeros first; small pages and zeros took half of the time at 2,048 candidates.
pub fn pairwise<'py>(
    py: Python<'py>,
    fill: impl Fill,
    candidates: &Bound<'py, PyAny>,
    references: Option<&Bound<'py, PyAny>>,
    threads: usize,
    empty: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let columns = Columns::new(candidates, references)?;
    let (candidates, references) = columns.read(py)?;
    let references = references.as_ref();
    let shape = (candidates.len(), references.unwrap_or(&candidates).len());
    let array = empty.call1((shape,))?;
    let buffer = PyBuffer::<f64>::get(&array)?;
    if buffer.readonly() || !buffer.is_c_contiguous() || buffer.item_count() != shape.0 * shape.1 {
        let message = "the array is read-only, has gaps or another size";
        return Err(PyValueError::new_err(message));
    }
    if buffer.item_count() > 0 {
        // SAFETY: the buffer has so many floats, one behind the other, and keeps them where they
        // are; the array was made for this call, so that nobody else reads or writes it.
        let scores = unsafe {
            std::slice::from_raw_parts_mut(buffer.buf_ptr().cast::<f64>(), buffer.item_count())
        };
        py.detach(|| fill(&candidates, references, threads, scores))
            .map_err(|bad| error(py, bad))?;
    }
    Ok(array)
}

pub fn expected<'py>(
    py: Python<'py>,
    fill: impl Fill,
    candidates: Grouped<'py>,
    references: Option<Grouped<'py>>,
    weights: Option<&[f64]>,
    threads: usize,
) -> PyResult<Vec<f64>> {
    let (candidates, bounds) = candidates;
    let (references, ref_bounds) = references.unzip();
    let columns = Columns::new(&candidates, references.as_ref())?;
    let (candidates, references) = columns.read(py)?;
    let candidates = groups(candidates, bounds)?;
    let references = match (references, ref_bounds) {
        (Some(references), Some(bounds)) => Some(groups(references, bounds)?),
        _ => None,
    };
    let columns = references.as_ref().unwrap_or(&candidates);
    if candidates.bounds.len() != columns.bounds.len()
        || weights.is_some_and(|weights| weights.len() != columns.segments.len())
    {
        return Err(PyValueError::new_err("groups or weights do not fit"));
    }
    let expected = || pairwise::expected(fill, &candidates, references.as_ref(), weights, threads);
    py.detach(expected).map_err(|bad| error(py, bad))
}

pub fn against_others<'py>(
    py: Python<'py>,
    plan: &Plan,
    texts: &Bound<'py, PyAny>,
    places: Option<Vec<usize>>,
    scored: Option<usize>,
) -> PyResult<Bound<'py, PyByteArray>> {
    let column = Column::new("texts", texts)?;
    let texts = columns::alone(py, "texts", &column)?;
    if texts.len() < 2 {
        let message = format!(
            "texts has {} text; give two at least, to compare",
            texts.len()
        );
        return Err(input_error(py, &message));
    }
    let places = places.unwrap_or_else(|| (0..texts.len()).collect());
    let scored = scored.unwrap_or(texts.len());
    let mut sorted = places.clone();
    sorted.sort_unstable();
    if scored > texts.len() || !sorted.into_iter().eq(0..texts.len()) {
        return Err(PyValueError::new_err(
            "places or scored do not fit the texts",
        ));
    }
    let found = py
        .detach(|| diversity::scores(plan, &texts, &places, scored))
        .map_err(|bad| fault_error(py, bad.fault, &format!("texts[{}]", places[bad.position])))?;
    bytes_of(py, &found, f64::to_ne_bytes)
}

/// Candidates and, perhaps, references.
struct Columns<'py> {
    candidates: Column<'py>,
    references: Option<Column<'py>>,
}

impl<'py> Columns<'py> {
    fn new(
        candidates: &Bound<'py, PyAny>,
        references: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Self> {
        let references = references.map(|column| Column::new("references", column));
        Ok(Self {
            candidates: Column::new("candidates", candidates)?,
            references: references.transpose()?,
        })
    }

    fn read(&self, py: Python<'py>) -> PyResult<(Segments<'_>, Option<Segments<'_>>)> {
        let candidates = columns::alone(py, "candidates", &self.candidates)?;
        let Some(references) = &self.references else {
            return Ok((candidates, None));
        };
        let references = columns::alone(py, "references", references)?;
        let is_text = |segments: &Segments| matches!(segments, Segments::Texts(_));
        let some = !candidates.is_empty() && !references.is_empty();
        if some && is_text(&candidates) != is_text(&references) {
            let message = "candidates hold strings and references lists of words, or the reverse; \
                           tokenize both or neither";
            return Err(input_error(py, message));
        }
        Ok((candidates, Some(references)))
    }
}

fn groups(segments: Segments<'_>, bounds: Vec<usize>) -> PyResult<Groups<'_>> {
    let ascending = bounds.first() == Some(&0) && bounds.is_sorted();
    if ascending && bounds.last() == Some(&segments.len()) {
        Ok(Groups { segments, bounds })
    } else {
        Err(PyValueError::new_err("the bounds of groups do not fit"))
    }
}

fn error(py: Python<'_>, bad: BadSegment) -> PyErr {
    let name = if bad.in_refs {
        "references"
    } else {
        "candidates"
    };
    fault_error(py, bad.fault, &format!("{name}[{}]", bad.position))
}
