//! Columns of segments that are scored against each other.

use pyo3::prelude::*;
use truebleu_core::columns::views::{BadSegment, Segments};
use truebleu_core::sets::pairwise;

use crate::chunks::fault_error;
use crate::columns::{self, Column, How};
use crate::input_error;

/// Candidates and references; without these, the candidates are their own.
pub type Crossed<'py> = (Bound<'py, PyAny>, Option<Bound<'py, PyAny>>);

/// Bounds of the groups of candidates and of references, and weights of references.
pub type Groups = (Vec<usize>, Option<Vec<usize>>, Option<Vec<f64>>);

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
    pub fn read(
        &self,
        py: Python<'py>,
        groups: usize,
    ) -> PyResult<(Segments<'_>, Option<Segments<'_>>)> {
        match &self.references {
            None => columns::alone(py, "candidates", &self.candidates, &self.how, groups, 0)
                .map(|candidates| (candidates, None)),
            Some(references) => {
                columns::crossed(py, &self.candidates, references, &self.how, groups)
                    .map(|(candidates, references)| (candidates, Some(references)))
            }
        }
    }
}

pub fn groups<'a>(
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

pub fn error(py: Python<'_>, bad: BadSegment) -> PyErr {
    let name = if bad.in_refs {
        "references"
    } else {
        "candidates"
    };
    fault_error(py, bad.fault, &format!("{name}[{}]", bad.position))
}
