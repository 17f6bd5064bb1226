//! Work that runs without the interpreter, and that signals interrupt.

use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use truebleu_core::run::interrupt::{Flag, Interrupted, interruptible};
use truebleu_core::run::memory::{self, OutOfMemory};

use crate::input_error;
use crate::panics::internal_error;

/// Does `work` detached from the interpreter. Pending signals are handled from time to time; what a
/// handler raises, such as `KeyboardInterrupt`, ends the work and is the error.
pub fn detached<T: Send>(py: Python<'_>, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    interruptible_by_signals(py, || py.detach(work))
}

/// Does `work`, which detaches from the interpreter itself, in the same way.
pub fn interruptible_by_signals<T>(py: Python<'_>, work: impl FnOnce() -> T) -> PyResult<T> {
    // Python handles signals on its main thread alone; elsewhere this does nothing.
    let signals = || Python::attach(|py| py.check_signals().map_err(|error| Box::new(error) as _));
    interruptible(signals, work).map_err(|reason| match reason.downcast::<PyErr>() {
        Ok(error) => *error,
        Err(reason) if reason.is::<Interrupted>() => PyKeyboardInterrupt::new_err(()),
        Err(reason) => match reason.downcast_ref::<OutOfMemory>() {
            Some(&error) => memory_error(py, error),
            None => internal_error(py, &*reason),
        },
    })
}

/// Checks that this many bytes of memory are available.
#[pyfunction]
pub fn check_memory(py: Python<'_>, bytes: usize) -> PyResult<()> {
    memory::check(bytes).map_err(|error| memory_error(py, error))
}

fn memory_error(py: Python<'_>, error: OutOfMemory) -> PyErr {
    let message = format!("this {}; split the input", memory_text(error));
    input_error(py, &message)
}

/// The part of an error message about memory that cannot be allocated.
pub fn memory_text(OutOfMemory { needed, free }: OutOfMemory) -> String {
    let size = |bytes: usize| format!("{:.1} GB", bytes as f64 / 1e9);
    let free = free.map_or("the process may not use as much".to_owned(), |free| {
        format!("{} are free", size(free))
    });
    format!("takes up to {} of memory, but {free}", size(needed))
}

/// Interrupts the calls of some threads: Python handles Ctrl-C on its main thread alone.
#[pyclass(frozen, module = "truebleu._core")]
pub struct Stop(Flag);

#[pymethods]
impl Stop {
    #[new]
    fn new() -> Self {
        Self(Flag::default())
    }

    /// Makes this object interrupt the calls that the current thread makes from now on.
    fn adopt(&self) {
        self.0.adopt();
    }

    /// Ends all such calls, present and future, with `KeyboardInterrupt`.
    fn set(&self) {
        self.0.set();
    }
}
