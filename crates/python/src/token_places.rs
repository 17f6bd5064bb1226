//! Where the tokens of a text are in it, for Python.

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use truebleu_core::tokenize::Places;

/// For each token, how much text is before it that is no token, and its own size, as numbers of
/// four bytes; and the text in the case of its tokens where that differs.
pub type Found<'py> = (Bound<'py, PyBytes>, Bound<'py, PyBytes>, Option<String>);

/// The places of tokens in a text, as [`Places::find`] finds them.
#[pyfunction]
pub fn places<'py>(
    text: &Bound<'py, PyString>,
    tokens: Vec<Bound<'py, PyString>>,
) -> Option<Found<'py>> {
    let tokens: Option<Vec<_>> = tokens.iter().map(|token| token.to_str().ok()).collect();
    located(text, tokens?)
}

/// As [`places`], of tokens as text.
pub fn located<'py, 'a>(
    text: &Bound<'py, PyString>,
    tokens: impl IntoIterator<Item = &'a str>,
) -> Option<Found<'py>> {
    let found = Places::find(text.to_str().ok()?, tokens)?;
    let bytes = |numbers: Vec<u32>| {
        let bytes: Vec<_> = numbers.into_iter().flat_map(u32::to_ne_bytes).collect();
        PyBytes::new(text.py(), &bytes)
    };
    Some((bytes(found.gaps), bytes(found.sizes), found.counted))
}
