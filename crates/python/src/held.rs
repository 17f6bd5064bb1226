//! Objects that a call has hold of, of which there may be many millions. To let go of so many takes
//! long, 5 to 10 ns each, in which no signal would be heard.

use std::cell::RefCell;
use std::mem::take;
use std::ops::{Deref, DerefMut};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use pyo3::prelude::*;
use pyo3::types::PyType;

/// So many are let go in a row.
const IN_A_ROW: usize = 1 << 16;

/// What an interrupted call had hold of.
type Rest = Mutex<Vec<Vec<Py<PyAny>>>>;

thread_local! {
    /// That of the last call of this thread that was interrupted, while its exception lives.
    static REST: RefCell<Weak<Rest>> = const { RefCell::new(Weak::new()) };
}

/// What goes with the exception of an interrupted call, as the variables of Python's functions do: it is
/// let go when the exception is, which has been seen by then.
#[pyclass(frozen, module = "truebleu._core")]
struct Kept {
    _rest: Arc<Rest>,
}

#[pymethods]
impl Kept {
    /// Pickled, as exceptions are on their way to another process, it is `None`.
    #[staticmethod]
    fn __reduce__(py: Python<'_>) -> (Bound<'_, PyType>, ()) {
        (py.None().into_bound(py).get_type(), ())
    }
}

/// Handles pending signals.
pub fn check_signals(py: Python<'_>) -> PyResult<()> {
    py.check_signals().map_err(|error| interrupted(py, error))
}

/// `error`, which ends a call in the middle, and keeps what the call holds.
pub fn interrupted(py: Python<'_>, error: PyErr) -> PyErr {
    let rest = Arc::default();
    REST.set(Arc::downgrade(&rest));
    // An exception that takes no attributes keeps nothing.
    let _ = error.value(py).setattr("_held", Kept { _rest: rest });
    error
}

/// Objects of a call.
#[derive(Default)]
pub struct Held<'py>(Vec<Bound<'py, PyAny>>);

impl<'py> Held<'py> {
    pub fn new(objects: Vec<Bound<'py, PyAny>>) -> Self {
        REST.take(); // of a call before
        Self(objects)
    }

    /// Takes hold of the items of a list, too.
    ///
    /// # Errors
    /// A signal came in between.
    pub fn add(
        &mut self,
        mut items: impl ExactSizeIterator<Item = Bound<'py, PyAny>>,
    ) -> PyResult<()> {
        while items.len() > IN_A_ROW {
            self.extend(items.by_ref().take(IN_A_ROW));
            if let Some(item) = self.last() {
                check_signals(item.py())?;
            }
        }
        self.extend(items);
        Ok(())
    }

    /// Lets go of all, and gives their memory.
    ///
    /// # Errors
    /// A signal came in between.
    pub fn let_go(mut self) -> PyResult<Vec<Bound<'py, PyAny>>> {
        while self.len() > IN_A_ROW {
            let py = self[0].py();
            let left = self.len() - IN_A_ROW;
            self.truncate(left);
            check_signals(py)?;
        }
        self.clear();
        Ok(take(&mut self))
    }
}

impl<'py> Deref for Held<'py> {
    type Target = Vec<Bound<'py, PyAny>>;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl DerefMut for Held<'_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.0
    }
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        if !self.is_empty()
            && let Some(rest) = REST.with_borrow(Weak::upgrade)
        {
            let objects = take(&mut self.0).into_iter().map(Bound::unbind).collect();
            let mut rest = rest.lock().unwrap_or_else(PoisonError::into_inner);
            rest.push(objects);
        }
    }
}
