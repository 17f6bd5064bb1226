//! Work that several threads share. Who is done with a part takes the next one, so that a thread
//! that other programs slow down does less, and none waits long for another.
//!
//! Threads live as long as a call. A pool that outlives it would be gone in a forked child, and
//! training frameworks fork their data loaders.

use std::collections::VecDeque;
use std::hint::spin_loop;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::{self, Thread};

use crate::stop::{self, Team};
use crate::views::BadSegment;

/// Parts that each worker is meant to take: starting on one takes a microsecond.
pub(crate) const PARTS_PER_WORKER: usize = 16;

/// Parts that wait to be done.
pub(crate) struct Queue<T>(Mutex<VecDeque<T>>);

impl<T> Queue<T> {
    pub fn new(parts: impl Iterator<Item = T>) -> Self {
        Self(Mutex::new(parts.collect()))
    }

    /// The next part from the front; or from the back, for a worker that begins there.
    pub fn next(&self, from_back: bool) -> Option<T> {
        let mut parts = locked(&self.0);
        if from_back {
            parts.pop_back()
        } else {
            parts.pop_front()
        }
    }
}

/// How often to look for what another thread makes: some 80 us, in which all of it is made but for
/// a thread that other programs slow down.
const LOOKS: usize = 1 << 12;

/// Waits a while for what another thread makes. To sleep until then would be simpler, but to be
/// woken takes as long as half of a small task.
pub(crate) fn spin<T>(made: &OnceLock<T>) {
    spin_until(|| made.get().is_some());
}

fn spin_until(done: impl Fn() -> bool) {
    for _ in 0..LOOKS {
        if done() {
            break;
        }
        spin_loop();
    }
}

/// Runs `worker` on up to so many threads, of which this one is the first; each is told its number.
pub(crate) fn employ(workers: usize, worker: impl Fn(usize) + Sync) {
    if workers <= 1 {
        return worker(0);
    }
    let (worker, team) = (&worker, &Team::of_this_thread());
    let working = &AtomicUsize::new(workers - 1);
    let first = thread::current();
    thread::scope(|scope| {
        for number in 1..workers {
            let leaving = Leaving(working, first.clone());
            // Where there is no room for a thread, the others do its work.
            let _ = thread::Builder::new().spawn_scoped(scope, move || {
                let _leaving = leaving;
                team.join();
                worker(number);
            });
        }
        worker(0);
        // The others end when this one does, but for a small part.
        spin_until(|| working.load(Ordering::Acquire) == 0);
        while working.load(Ordering::Acquire) > 0 {
            thread::park_timeout(stop::PAUSE);
            stop::look();
        }
    });
}

/// A worker that wakes the first one when it has nothing left to do, or panics.
struct Leaving<'a>(&'a AtomicUsize, Thread);

impl Drop for Leaving<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Release);
        self.1.unpark();
    }
}

/// Does `work` on each of the parts; returns the fault that comes first in the input.
pub(crate) fn share<T: Send>(
    workers: usize,
    parts: impl Iterator<Item = T>,
    work: impl Fn(T) -> Result<(), BadSegment> + Sync,
) -> Result<(), BadSegment> {
    let parts = Queue::new(parts.enumerate());
    let first: Mutex<Option<(usize, BadSegment)>> = Mutex::new(None);
    employ(workers, |_| {
        while let Some((place, part)) = parts.next(false) {
            if let Err(bad) = work(part) {
                let mut first = locked(&first);
                if first.is_none_or(|(earlier, _)| place < earlier) {
                    *first = Some((place, bad));
                }
                // Parts before this one are done or being done.
                break;
            }
        }
    });
    let found = *locked(&first);
    found.map_or(Ok(()), |(_, bad)| Err(bad))
}

/// What a lock holds, even if a thread panicked meanwhile: the panic goes on in the caller.
pub(crate) fn locked<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::views::Fault;

    #[test]
    fn the_first_fault_is_found_and_every_part_before_it_done() {
        for workers in 1..5 {
            let mut done = [false; 200];
            let parts = done.iter_mut().enumerate();
            let found = share(workers, parts, |(position, done)| {
                *done = true;
                let fault = Fault::TooLong;
                let bad = BadSegment {
                    fault,
                    in_refs: false,
                    position,
                };
                if position % 60 == 59 {
                    Err(bad)
                } else {
                    Ok(())
                }
            });
            assert_eq!(found.map_err(|bad| bad.position), Err(59));
            assert!(done[..=59].iter().all(|&done| done));
        }
        assert_eq!(share(3, 0..100, |_| Ok(())), Ok(()));
    }
}
