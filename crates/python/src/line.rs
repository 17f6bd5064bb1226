//! Work that one thread puts in line and several do.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use truebleu_core::run::interrupt;

/// Time between two checks for interrupts of a thread that waits.
const INTERVAL: Duration = Duration::from_millis(50);

/// Numbered pieces of work that no thread has taken yet, and results that nobody has taken yet.
pub struct Line<W, R> {
    state: Mutex<State<W, R>>,
    /// Work has arrived, or no more will.
    arrived: Condvar,
    /// A result has arrived, or no more will.
    finished: Condvar,
}

struct State<W, R> {
    waiting: VecDeque<(usize, W)>,
    results: BTreeMap<usize, R>,
    closed: bool,
}

/// Closes a line, also where a thread panics: no other waits for what it would have done.
pub struct Closing<'a, W, R>(pub &'a Line<W, R>);

impl<W, R> Drop for Closing<'_, W, R> {
    fn drop(&mut self) {
        let mut state = self.0.state();
        state.closed = true;
        state.waiting.clear();
        self.0.arrived.notify_all();
        self.0.finished.notify_all();
    }
}

impl<W, R> Line<W, R> {
    pub fn new() -> Self {
        Self {
            state: Mutex::new(State {
                waiting: VecDeque::new(),
                results: BTreeMap::new(),
                closed: false,
            }),
            arrived: Condvar::new(),
            finished: Condvar::new(),
        }
    }

    fn state(&self) -> MutexGuard<'_, State<W, R>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Puts work in line; false if the line is closed.
    pub fn put(&self, number: usize, work: W) -> bool {
        let mut state = self.state();
        if state.closed {
            return false;
        }
        state.waiting.push_back((number, work));
        self.arrived.notify_one();
        true
    }

    /// Pieces of work that wait.
    pub fn len(&self) -> usize {
        self.state().waiting.len()
    }

    /// The next piece of work, if one waits.
    pub fn take(&self) -> Option<(usize, W)> {
        self.state().waiting.pop_front()
    }

    /// The next piece of work, for which this thread waits, until the line is closed.
    pub fn take_later(&self) -> Option<(usize, W)> {
        let mut state = self.state();
        while state.waiting.is_empty() && !state.closed {
            state = (self.arrived.wait(state)).unwrap_or_else(PoisonError::into_inner);
        }
        state.waiting.pop_front()
    }

    pub fn finish(&self, number: usize, result: R) {
        self.state().results.insert(number, result);
        self.finished.notify_one();
    }

    /// The result of a piece of work, if it is there.
    pub fn result(&self, number: usize) -> Option<R> {
        self.state().results.remove(&number)
    }

    /// Waits for the result of a piece of work that another thread does; false if that thread failed.
    pub fn wait(&self, number: usize) -> bool {
        let mut state = self.state();
        while !state.results.contains_key(&number) {
            if state.closed {
                return false;
            }
            let waited = self.finished.wait_timeout(state, INTERVAL);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
            if !state.results.contains_key(&number) {
                drop(state);
                interrupt::check();
                state = self.state();
            }
        }
        true
    }
}
