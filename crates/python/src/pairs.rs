//! Scores of segments against each other: pairwise, expected scores, self-BLEU.

use std::mem::take;

use pyo3::buffer::PyBuffer;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use truebleu_core::columns::views::{BadSegment, Segments, Sides};
use truebleu_core::metric::Metric;
use truebleu_core::plan::Plan;
use truebleu_core::sets::pairwise;
use truebleu_core::sets::self_bleu::Collection;

use crate::buffers::{Bytes, bytes_of};
use crate::calls::{check_memory, detached};
use crate::chunks::fault_error;
use crate::columns::{self, Column, How, Source};
use crate::input_error;

/// Texts of a part of a long column.
const TEXTS: usize = 1 << 13;

/// Candidates and references; without these, the candidates are their own.
pub type Crossed<'py> = (Bound<'py, PyAny>, Option<Bound<'py, PyAny>>);

/// Bounds of the groups of candidates and of references, and weights of references.
pub type Groups = (Vec<usize>, Option<Vec<usize>>, Option<Vec<f64>>);

/// Fills an array that `empty` makes of a shape. It is `NumPy`'s, in large pages and without zeros:
/// writing zeros to small pages took half of the time at 2,048 candidates.
pub fn pairwise<'py>(
    py: Python<'py>,
    metric: &dyn Metric,
    columns: PairColumns<'py>,
    exact: bool,
    threads: usize,
    empty: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let (candidates, references) = columns.read(py, 0)?;
    let sides = Sides {
        candidates: &candidates,
        references: references.as_ref(),
    };
    let shape = (candidates.len(), sides.columns().len());
    let bytes = shape.0.saturating_mul(shape.1).saturating_mul(8);
    check_memory(py, bytes)?;
    let array = empty.call1((shape,))?;
    let buffer = PyBuffer::<f64>::get(&array)?;
    if buffer.readonly() || !buffer.is_c_contiguous() || buffer.item_count() != shape.0 * shape.1 {
        let message = "the array is read-only, has gaps or another size";
        return Err(PyValueError::new_err(message));
    }
    if buffer.item_count() > 0 {
        // SAFETY: the buffer holds this many contiguous floats and does not move; the array was made
        // for this call, so that no other code reads or writes it.
        let scores = unsafe {
            std::slice::from_raw_parts_mut(buffer.buf_ptr().cast::<f64>(), buffer.item_count())
        };
        let fill = || metric.pairs(sides, exact, threads, scores);
        detached(py, fill)?.map_err(|bad| error(py, bad))?;
    }
    Ok(array)
}

pub fn expected(
    py: Python<'_>,
    metric: &dyn Metric,
    columns: PairColumns<'_>,
    (bounds, ref_bounds, weights): Groups,
    exact: bool,
    threads: usize,
) -> PyResult<Vec<f64>> {
    let (candidates, references) = columns.read(py, 1)?;
    let candidates = groups(py, candidates, bounds)?;
    let references = match (references, ref_bounds) {
        (Some(references), Some(bounds)) => Some(groups(py, references, bounds)?),
        _ => None,
    };
    let others = references.as_ref().unwrap_or(&candidates);
    let is_fit = |weights: &Vec<f64>| weights.len() == others.segments.len();
    if candidates.bounds.len() != others.bounds.len() || !weights.as_ref().is_none_or(is_fit) {
        let message = "groups or weights do not match the columns";
        return Err(PyValueError::new_err(message));
    }
    let fill =
        |sides: Sides, threads, scores: &mut [f64]| metric.pairs(sides, exact, threads, scores);
    let expected = || {
        let (references, weights) = (references.as_ref(), weights.as_deref());
        pairwise::expected(fill, &candidates, references, weights, threads)
    };
    detached(py, expected)?.map_err(|bad| error(py, bad))
}

pub fn against_others<'py>(
    py: Python<'py>,
    plan: &Plan,
    texts: &Bound<'py, PyAny>,
    scored: Option<Vec<usize>>,
    how: How,
) -> Bytes<'py> {
    let source = Source::new("texts", texts)?;
    let at_once = if source.has_parts() {
        TEXTS
    } else {
        usize::MAX
    };
    let mut collection = Collection::new(plan, source.len().unwrap_or(TEXTS));
    let fault = |bad: BadSegment, start| {
        fault_error(py, bad.fault, &format!("texts[{}]", start + bad.position))
    };
    loop {
        let start = collection.count();
        let part = source.part(at_once)?;
        let segments = columns::alone(py, "texts", &part, &how, 0, start)?;
        detached(py, || collection.extend(&segments))?.map_err(|bad| fault(bad, start))?;
        if segments.len() < at_once {
            break;
        }
        py.check_signals()?;
    }
    let count = collection.count();
    if count < 2 {
        let message = format!("self-BLEU needs at least two texts; texts has {count}");
        return Err(input_error(py, &message));
    }
    if let Some(places) = &scored {
        let mut rest = vec![true; count];
        let is_other = |&place: &usize| rest.get_mut(place).is_some_and(take);
        if !places.iter().all(is_other) {
            let message = "scored must be distinct positions of texts";
            return Err(PyValueError::new_err(message));
        }
    }
    let values =
        detached(py, || collection.scores(scored.as_deref()))?.map_err(|bad| fault(bad, 0))?;
    bytes_of(py, &values, f64::to_ne_bytes)
}

/// Candidates and optional references.
pub struct PairColumns<'py> {
    candidates: Column<'py>,
    references: Option<Column<'py>>,
    how: How,
}

impl<'py> PairColumns<'py> {
    pub fn new((candidates, references): &Crossed<'py>, how: How) -> PyResult<Self> {
        let candidates = Column::new("candidates", candidates)?;
        let references = references
            .as_ref()
            .map(|column| Column::new("references", column));
        Ok(Self {
            candidates,
            references: references.transpose()?,
            how,
        })
    }

    /// The segments; rows of ids may lie in `groups` levels of lists.
    fn read(
        &self,
        py: Python<'py>,
        groups: usize,
    ) -> PyResult<(Segments<'_>, Option<Segments<'_>>)> {
        let references = self.references.as_ref();
        columns::crossed(py, &self.candidates, references, &self.how, groups)
    }
}

fn groups<'a>(
    py: Python<'_>,
    segments: Segments<'a>,
    bounds: Vec<usize>,
) -> PyResult<pairwise::Groups<'a>> {
    let ascending = bounds.first() == Some(&0) && bounds.is_sorted();
    if ascending && bounds.last() == Some(&segments.len()) {
        Ok(pairwise::Groups { segments, bounds })
    } else {
        let message =
            "candidates or references are nested too deep; each source has one list of rows";
        Err(input_error(py, message))
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
