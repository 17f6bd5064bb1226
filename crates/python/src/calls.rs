//! Work away from the interpreter, which Ctrl-C stops nevertheless.

use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use truebleu_core::room::{self, NoRoom};
use truebleu_core::stop::{Reason, Stopped, Team, stoppable};

use crate::held::{check_signals, interrupted};
use crate::input_error;
use crate::panics::internal_error;

/// Does `work` detached from the interpreter. From time to time, pending signals are handled: what
/// a handler raises, such as `KeyboardInterrupt`, is the error, and nothing is left of the work.
pub fn detached<T: Send>(py: Python<'_>, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    py.detach(|| stoppable(handle_signals, work))
        .map_err(|reason| match reason.downcast::<PyErr>() {
            Ok(error) => interrupted(py, *error),
            Err(reason) if reason.is::<Stopped>() => {
                interrupted(py, PyKeyboardInterrupt::new_err(()))
            }
            Err(reason) => match reason.downcast_ref::<NoRoom>() {
                Some(&no_room) => no_room_error(py, no_room),
                None => internal_error(py, &*reason),
            },
        })
}

/// Python handles signals on its main thread alone; elsewhere there is nothing to handle.
fn handle_signals() -> Result<(), Reason> {
    Python::attach(|py| {
        py.check_signals()
            .map_err(|error| Box::new(error) as Reason)
    })
}

/// Items that are read in a row while the interpreter is kept.
const IN_A_ROW: usize = 1 << 14;

/// Handles pending signals once for many items, of which this is number `i`.
#[inline]
pub fn count_item(py: Python<'_>, i: usize) -> PyResult<()> {
    if i % IN_A_ROW == IN_A_ROW - 1 {
        check_signals(py)
    } else {
        Ok(())
    }
}

/// Makes sure that there is memory for so many bytes.
#[pyfunction]
pub fn make_room(py: Python<'_>, bytes: usize) -> PyResult<()> {
    room::check(bytes).map_err(|no_room| no_room_error(py, no_room))
}

fn no_room_error(py: Python<'_>, no_room: NoRoom) -> PyErr {
    input_error(
        py,
        &format!("this {}; give less at a time", needed(no_room)),
    )
}

/// What is said of memory that is not there.
pub fn needed(NoRoom { needed, free }: NoRoom) -> String {
    let size = |bytes: usize| format!("{:.1} GB", bytes as f64 / 1e9);
    let free = free.map_or("the process may not have as much".to_owned(), |free| {
        format!("{} are free", size(free))
    });
    format!("takes up to {} of memory, but {free}", size(needed))
}

/// What ends the calls of some threads: Ctrl-C reaches the main thread alone.
#[pyclass(frozen, module = "truebleu._core")]
pub struct Stop(Team);

#[pymethods]
impl Stop {
    #[new]
    fn new() -> Self {
        Self(Team::default())
    }

    /// Has the calls of this thread, from now on, be ended by it.
    fn obey(&self) {
        self.0.join();
    }

    /// Ends all such calls with `KeyboardInterrupt`, and those that come.
    fn set(&self) {
        self.0.stop();
    }
}
