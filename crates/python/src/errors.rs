//! Errors of the package, which are defined in Python.

use pyo3::prelude::*;

/// An error in the user's input.
pub fn input_error(py: Python<'_>, message: &str) -> PyErr {
    error(py, "InputError", message)
}

/// An error of `truebleu.errors`, or the error of importing it.
pub fn error(py: Python<'_>, kind: &str, message: &str) -> PyErr {
    let error = || {
        py.import("truebleu.errors")?
            .getattr(kind)?
            .call1((message,))
    };
    error().map_or_else(|failure| failure, PyErr::from_value)
}
