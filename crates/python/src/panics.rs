//! Turns panics into errors of the package: pyo3's own error for a panic is not an `Exception`.
//! They are bugs of ours, or Arrow data of another library that break the format.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use pyo3::prelude::*;

use crate::{error, input_error};

/// Runs `read` on Arrow data; their crate panics where they break the format.
pub fn arrow<T>(py: Python<'_>, name: &str, read: impl FnOnce() -> PyResult<T>) -> PyResult<T> {
    catch_unwind(AssertUnwindSafe(read)).unwrap_or_else(|panic| {
        let message = format!(
            "{name}: these Arrow data cannot be read: {}",
            message_of(&*panic)
        );
        Err(input_error(py, &message))
    })
}

/// Does `work` without detaching from the interpreter.
pub fn caught<T>(py: Python<'_>, work: impl FnOnce() -> T) -> PyResult<T> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| internal_error(py, &*panic))
}

/// The error for a panic of the kernel, whose place Rust prints on standard error.
pub fn internal_error(py: Python<'_>, panic: &(dyn Any + Send)) -> PyErr {
    let message = format!(
        "internal error: {}; this is a bug in TrueBLEU {}: please report it with the call",
        message_of(panic),
        env!("CARGO_PKG_VERSION")
    );
    error(py, "InternalError", &message)
}

/// The message of a panic, as one line.
fn message_of(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    let words = text.unwrap_or("a panic").split_whitespace();
    words.collect::<Vec<_>>().join(" ")
}
