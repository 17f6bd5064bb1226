//! Work that several threads share. Who is done with a part takes the next one, so that a thread
//! that other programs slow down does less, and none waits long for another.
//!
//! Threads live as long as a call. A pool that outlives it would be gone in a forked child, and
//! training frameworks fork their data loaders.

use std::cell::Cell;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, Thread};
use std::time::{Duration, Instant};

use crate::cpus::Cpu;
use crate::stop::{self, Reason, Stopped, Team};
use crate::views::BadSegment;
use crate::waiting::{locked, wait_until};

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
        let_others_begin();
        let mut parts = locked(&self.0);
        if from_back {
            parts.pop_back()
        } else {
            parts.pop_front()
        }
    }
}

/// A worker has begun by then, as a rule: 30 to 60 us after it was started.
const LATE: Duration = Duration::from_micros(60);

thread_local! {
    /// When this thread had started others, and how many of them have not begun.
    static STARTED: Cell<Option<(Instant, Arc<AtomicUsize>)>> = const { Cell::new(None) };
}

/// Gives way, once, to workers that are late. Linux often has a new thread wait for the processor
/// of the one that starts it while another is idle: for 2 ms or more, 3 of 4 times in a process
/// that slept before (6.18, 2 processors). A worker that finds itself there leaves.
fn let_others_begin() {
    if let Some((when, absent)) = STARTED.take() {
        if when.elapsed() < LATE {
            STARTED.set(Some((when, absent)));
        } else if absent.load(Ordering::Relaxed) > 0 {
            thread::yield_now();
        }
    }
}

/// Runs `worker` on up to so many threads, of which this one is the first; each is told its number.
/// What ends one of them ends the call.
pub(crate) fn employ(workers: usize, worker: impl Fn(usize) + Sync) {
    if workers <= 1 {
        return worker(0);
    }
    let (worker, team) = (&worker, &Team::of_this_thread());
    let working = &AtomicUsize::new(workers - 1);
    let first = thread::current();
    let cpu = Cpu::current();
    let absent = Arc::new(AtomicUsize::new(workers - 1));
    let ended = &Mutex::new(None);
    let work = |number| {
        let result = catch_unwind(AssertUnwindSafe(|| worker(number)));
        if let Err(reason) = result {
            keep(&mut locked(ended), reason);
        }
    };
    thread::scope(|scope| {
        for number in 1..workers {
            let leaving = Leaving(working, first.clone());
            let absent = &absent;
            // Where there is no room for a thread, the others do its work.
            let _ = thread::Builder::new().spawn_scoped(scope, move || {
                let _leaving = leaving;
                absent.fetch_sub(1, Ordering::Relaxed);
                cpu.leave();
                team.join();
                work(number);
            });
        }
        STARTED.set(Some((Instant::now(), absent.clone())));
        work(0);
        STARTED.take();
        if locked(ended).is_some() {
            return;
        }
        // The others end when this one does, but for a small part.
        wait_until(|| working.load(Ordering::Acquire) == 0);
        while working.load(Ordering::Acquire) > 0 {
            thread::park_timeout(stop::PAUSE);
            stop::look();
        }
    });
    if let Some(reason) = locked(ended).take() {
        resume_unwind(reason);
    }
}

/// Keeps the first reason; those who were stopped for the reason of another have none.
fn keep(kept: &mut Option<Reason>, reason: Reason) {
    if kept.as_ref().is_none_or(|kept| kept.is::<Stopped>()) {
        *kept = Some(reason);
    }
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

    #[test]
    fn what_ends_a_worker_ends_the_call() {
        let ended = |reason: fn(usize) -> Option<Reason>| {
            let call = || {
                employ(3, |number| {
                    if let Some(reason) = reason(number) {
                        resume_unwind(reason);
                    }
                });
            };
            catch_unwind(call).expect_err("someone is stopped")
        };
        let others = ended(|number| (number > 0).then(|| Box::new(number) as Reason));
        assert!(others.is::<usize>());
        let all = ended(|number| {
            Some(if number == 1 {
                Box::new(number)
            } else {
                Box::new(Stopped)
            })
        });
        assert_eq!(all.downcast_ref(), Some(&1_usize));
    }
}
