//! Panics: faults of our own, or of what another library says is Arrow data. To Python they are
//! errors of the package; pyo3's own for a panic is no `Exception`.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use pyo3::prelude::*;

use crate::{error, input_error};

/// What `read` makes of Arrow data, whose crate panics where they break the promises of the format.
pub fn arrow<T>(py: Python<'_>, name: &str, read: impl FnOnce() -> PyResult<T>) -> PyResult<T> {
    catch_unwind(AssertUnwindSafe(read)).unwrap_or_else(|panic| {
        let message = format!("{name}: these Arrow data cannot be read: {}", said(&*panic));
        Err(input_error(py, &message))
    })
}

/// What `work` makes without leaving the interpreter.
pub fn caught<T>(py: Python<'_>, work: impl FnOnce() -> T) -> PyResult<T> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| internal_error(py, &*panic))
}

/// The error for a panic of the kernel, which has said on standard error where it was.
pub fn internal_error(py: Python<'_>, panic: &(dyn Any + Send)) -> PyErr {
    let message = format!(
        "internal error: {}; this is a fault of TrueBLEU {}: please report it with what you called",
        said(panic),
        env!("CARGO_PKG_VERSION")
    );
    error(py, "InternalError", &message)
}

/// The message of a panic, as one line.
fn said(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    let words = text.unwrap_or("a panic").split_whitespace();
    words.collect::<Vec<_>>().join(" ")
}
