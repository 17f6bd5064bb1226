//! Segments against each other: columns that are not paired, and what the core makes of them.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyByteArray;
use truebleu_core::diversity;
use truebleu_core::pairwise::{self, Groups};
use truebleu_core::plan::Plan;
use truebleu_core::views::{BadSegment, Segments};

use crate::chunks::fault_error;
use crate::columns::{self, Column};
use crate::{floats, input_error};

/// A column with where its groups begin and end.
type Grouped<'py> = (Bound<'py, PyAny>, Vec<usize>);

pub fn pairwise<'py>(
    py: Python<'py>,
    plan: &Plan,
    candidates: &Bound<'py, PyAny>,
    references: Option<&Bound<'py, PyAny>>,
    exact: bool,
    threads: usize,
) -> PyResult<(Bound<'py, PyByteArray>, (usize, usize))> {
    let columns = Columns::new(candidates, references)?;
    let (candidates, references) = columns.read(py)?;
    let shape = (
        candidates.len(),
        references.as_ref().unwrap_or(&candidates).len(),
    );
    let pairs = shape.0 * shape.1;
    let matrix = PyByteArray::new_with(py, 8 * pairs, |out| {
        let fill = |scores: &mut [f64]| {
            let filled = || {
                pairwise::fill(
                    plan,
                    &candidates,
                    references.as_ref(),
                    exact,
                    threads,
                    scores,
                )
            };
            py.detach(filled).map_err(|bad| error(py, bad))
        };
        // SAFETY: any eight bytes are a float, and the array is not shared yet.
        let (before, scores, behind) = unsafe { out.align_to_mut::<f64>() };
        if before.is_empty() && behind.is_empty() {
            return fill(scores);
        }
        let mut scores = vec![0.0; pairs];
        fill(&mut scores)?;
        for (score, place) in scores.iter().zip(out.as_chunks_mut::<8>().0) {
            *place = score.to_ne_bytes();
        }
        Ok(())
    })?;
    Ok((matrix, shape))
}

pub fn expected<'py>(
    py: Python<'py>,
    plan: &Plan,
    candidates: Grouped<'py>,
    references: Option<Grouped<'py>>,
    weights: Option<&[f64]>,
    exact: bool,
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
    let expected = || {
        pairwise::expected(
            plan,
            &candidates,
            references.as_ref(),
            weights,
            exact,
            threads,
        )
    };
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
    floats(py, &found)
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
