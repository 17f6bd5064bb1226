//! Errors of the package, which Python defines.

use pyo3::prelude::*;

/// For what a user gave.
pub fn input_error(py: Python<'_>, message: &str) -> PyErr {
    error(py, "InputError", message)
}

/// An error of `truebleu.errors`, or what kept it from being imported.
pub fn error(py: Python<'_>, kind: &str, message: &str) -> PyErr {
    let error = || {
        py.import("truebleu.errors")?
            .getattr(kind)?
            .call1((message,))
    };
    error().map_or_else(|failure| failure, PyErr::from_value)
}
