//! Work that several threads share. A thread that has finished a part takes the next one, so that
//! none waits long for another.
//!
//! Threads live as long as a call. A pool that outlives it would be gone in a forked child, and
//! training frameworks fork their data loaders.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

use super::interrupt::{self, Flag, Interrupted, Reason};
use crate::columns::views::{BadSegment, Outcome};

/// Parts for each worker: starting on one takes a microsecond.
pub(crate) const PARTS_PER_WORKER: usize = 16;

/// Segments of a part.
pub(crate) fn part_size(segments: usize, workers: usize) -> usize {
    let parts = if workers == 1 {
        1
    } else {
        PARTS_PER_WORKER * workers
    };
    segments.div_ceil(parts).max(1)
}

/// The number of threads worth starting for so much work, if each should have `least` of it.
pub(crate) fn workers(work: usize, least: usize, threads: usize) -> usize {
    (work / least).clamp(1, threads.max(1))
}

/// Parts that no thread has taken yet.
pub(crate) struct Queue<I>(Mutex<I>);

impl<I: Iterator> Queue<I> {
    pub fn new(parts: I) -> Self {
        Self(Mutex::new(parts))
    }

    /// The next part from the front.
    pub fn next(&self) -> Option<I::Item> {
        locked(&self.0).next()
    }

    /// The next part from the back.
    pub fn next_back(&self) -> Option<I::Item>
    where
        I: DoubleEndedIterator,
    {
        locked(&self.0).next_back()
    }
}

/// The value in a lock, even if a thread panicked while it held the lock: the panic goes on in the
/// caller.
pub(crate) fn locked<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Runs `worker` on up to `workers` threads, of which this one is number 0.
///
/// A panic or an interrupt of one of them goes on in the caller.
pub(crate) fn run(workers: usize, worker: impl Fn(usize) + Sync) {
    if workers <= 1 {
        return worker(0);
    }
    let caller = |wait: &mut (dyn FnMut() + Send)| {
        worker(0);
        wait();
    };
    run_beside(workers, caller, &worker);
}

/// Runs `caller` on this thread and `worker` on up to `workers` - 1 others. `caller` gets a function
/// that waits for the others.
///
/// A panic or an interrupt of one of them goes on in the caller.
pub fn run_beside(
    workers: usize,
    caller: impl FnOnce(&mut (dyn FnMut() + Send)),
    worker: impl Fn(usize) + Sync,
) {
    let first = Mutex::new(None);
    let flag = Flag::current();
    let this = thread::current();
    let running = AtomicUsize::new(0);
    thread::scope(|scope| {
        for number in 1..workers {
            let (worker, first, flag, this, running) = (&worker, &first, &flag, &this, &running);
            let spawned = thread::Builder::new().spawn_scoped(scope, move || {
                flag.adopt();
                if let Err(reason) = catch_unwind(AssertUnwindSafe(|| worker(number))) {
                    keep(&mut locked(first), reason);
                }
                running.fetch_sub(1, Ordering::Release);
                this.unpark();
            });
            // Where the system refuses another thread, the others do its work.
            running.fetch_add(usize::from(spawned.is_ok()), Ordering::Relaxed);
        }
        let mut wait = || {
            while running.load(Ordering::Acquire) > 0 {
                thread::park_timeout(interrupt::INTERVAL);
                interrupt::check();
            }
        };
        if let Err(reason) = catch_unwind(AssertUnwindSafe(|| caller(&mut wait))) {
            keep(&mut locked(&first), reason);
        }
    });
    if let Some(reason) = locked(&first).take() {
        resume_unwind(reason);
    }
}

/// Keeps the first reason; a thread that was interrupted because of another one has none.
fn keep(kept: &mut Option<Reason>, reason: Reason) {
    if kept.as_ref().is_none_or(|kept| kept.is::<Interrupted>()) {
        *kept = Some(reason);
    }
}

/// Does `work` on each of the parts; returns the fault that comes first in the input.
pub(crate) fn for_each<T: Send>(
    workers: usize,
    parts: impl Iterator<Item = T> + Send,
    work: impl Fn(T) -> Outcome + Sync,
) -> Outcome {
    let parts = Queue::new(parts.enumerate());
    let first: Mutex<Option<(usize, BadSegment)>> = Mutex::new(None);
    run(workers, |_| {
        while let Some((place, part)) = parts.next() {
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
    let first = *locked(&first);
    first.map_or(Ok(()), |(_, bad)| Err(bad))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::columns::views::Fault;

    #[test]
    fn the_first_fault_is_returned_and_every_part_before_it_done() {
        for workers in 1..5 {
            let mut done = [false; 200];
            let parts = done.iter_mut().enumerate();
            let result = for_each(workers, parts, |(position, done)| {
                *done = true;
                if position % 60 == 59 {
                    Err(Fault::TooLong.at(false, position))
                } else {
                    Ok(())
                }
            });
            assert_eq!(result.map_err(|bad| bad.position), Err(59));
            assert!(done[..=59].iter().all(|&done| done));
        }
        assert_eq!(for_each(3, 0..100, |_| Ok(())), Ok(()));
    }

    #[test]
    fn the_caller_does_something_else_beside_the_workers() {
        for workers in 1..4 {
            let (begun, ended) = (AtomicUsize::new(1), AtomicUsize::new(1));
            let caller = |wait: &mut (dyn FnMut() + Send)| {
                while begun.load(Ordering::Acquire) < workers {
                    thread::yield_now(); // they begin without this thread
                }
                wait();
                assert_eq!(ended.load(Ordering::Acquire), workers);
            };
            run_beside(workers, caller, |number| {
                assert!((1..workers).contains(&number));
                begun.fetch_add(1, Ordering::Release);
                ended.fetch_add(1, Ordering::Release);
            });
        }
    }

    #[test]
    fn a_panic_of_a_worker_goes_on_in_the_caller() {
        let ended = |reason: fn(usize) -> Option<Reason>| {
            let call = || {
                run(3, |number| {
                    if let Some(reason) = reason(number) {
                        resume_unwind(reason);
                    }
                });
            };
            catch_unwind(call).expect_err("a worker panics")
        };
        let others = ended(|number| (number > 0).then(|| Box::new(number) as Reason));
        assert!(others.is::<usize>());
        let all = ended(|number| {
            Some(if number == 1 {
                Box::new(number)
            } else {
                Box::new(Interrupted)
            })
        });
        assert_eq!(all.downcast_ref(), Some(&1_usize));
    }
}
