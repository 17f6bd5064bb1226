//! Waiting for another thread without a sleep. Linux tends to wake a thread on the processor of the
//! one that wakes it; there it waits again, while the processor that it had is idle. A sleep of
//! 50 us cost 1 to 3 ms (Linux 6.18, 2 processors).

use std::hint::spin_loop;
use std::sync::{Condvar, Mutex, MutexGuard, OnceLock, PoisonError, TryLockError};
use std::thread;
use std::time::{Duration, Instant};

use crate::stop;

/// How long: most of what is waited for takes less, but for a thread that other programs slow down.
const PATIENCE: Duration = Duration::from_millis(2);
/// How often to look between giving way to others: some 10 us.
const LOOKS: usize = 1 << 9;

/// Waits until `done`, or as long as is worth it.
pub(crate) fn wait_until(done: impl Fn() -> bool) {
    let since = Instant::now();
    loop {
        for _ in 0..LOOKS {
            if done() {
                return;
            }
            spin_loop();
        }
        if since.elapsed() > PATIENCE {
            return;
        }
        thread::yield_now();
    }
}

/// What a lock holds that is held for a moment only, even if a thread panicked meanwhile: the panic
/// goes on in the caller.
pub(crate) fn locked<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    for _ in 0..LOOKS {
        match lock.try_lock() {
            Ok(held) => return held,
            Err(TryLockError::Poisoned(held)) => return held.into_inner(),
            Err(TryLockError::WouldBlock) => spin_loop(),
        }
    }
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What the first thread that needs it makes.
#[derive(Debug)]
pub(crate) struct Made<T> {
    /// Whether a thread is making it.
    making: Mutex<bool>,
    ended: Condvar,
    value: OnceLock<T>,
}

impl<T> Default for Made<T> {
    fn default() -> Self {
        Self {
            making: Mutex::new(false),
            ended: Condvar::new(),
            value: OnceLock::new(),
        }
    }
}

impl<T> Made<T> {
    /// If it is there.
    pub fn get(&self) -> Option<&T> {
        self.value.get()
    }

    /// Makes it; waits for it if another thread has begun to, and makes it after all if that one
    /// was stopped.
    pub fn get_or_make(&self, make: impl FnOnce() -> T) -> &T {
        if std::mem::replace(&mut *locked(&self.making), true) {
            wait_until(|| self.get().is_some());
            while self.get().is_none() && !self.begin() {
                // Who waits may be the one that asks whether to go on.
                stop::look();
            }
        }
        let _ending = Ending(self);
        self.value.get_or_init(make)
    }

    /// Whether this thread is to make it; waits a while for the one that does.
    fn begin(&self) -> bool {
        let making = locked(&self.making);
        let (mut making, _) = self
            .ended
            .wait_timeout_while(making, stop::PAUSE, |making| *making)
            .unwrap_or_else(PoisonError::into_inner);
        !std::mem::replace(&mut *making, true)
    }
}

/// Says that a thread has ended to make something, by itself or because it was stopped.
struct Ending<'a, T>(&'a Made<T>);

impl<T> Drop for Ending<'_, T> {
    fn drop(&mut self) {
        *locked(&self.0.making) = false;
        self.0.ended.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::*;
    use crate::stop::{give_up, stoppable};

    #[test]
    fn who_waits_for_another_thread_can_be_stopped() {
        let made = Made::default();
        let (begun, stopped) = (AtomicBool::new(false), AtomicBool::new(false));
        let until = |flag: &AtomicBool| {
            while !flag.load(Ordering::Relaxed) {
                thread::yield_now();
            }
        };
        thread::scope(|scope| {
            scope.spawn(|| {
                made.get_or_make(|| {
                    begun.store(true, Ordering::Relaxed);
                    until(&stopped);
                    5
                });
            });
            until(&begun);
            let waited = stoppable(|| Err(Box::new("stop")), || *made.get_or_make(|| 7));
            stopped.store(true, Ordering::Relaxed);
            assert!(waited.is_err());
            assert_eq!(*made.get_or_make(|| 7), 5);
        });
    }

    #[test]
    fn what_a_thread_that_was_stopped_has_not_made_another_one_makes() {
        let made = Made::default();
        let begun = AtomicBool::new(false);
        thread::scope(|scope| {
            let waiting = scope.spawn(|| {
                while !begun.load(Ordering::Relaxed) {
                    thread::yield_now();
                }
                *made.get_or_make(|| 7)
            });
            let stopped = catch_unwind(AssertUnwindSafe(|| {
                made.get_or_make(|| {
                    begun.store(true, Ordering::Relaxed);
                    thread::sleep(2 * PATIENCE);
                    give_up()
                });
            }));
            assert!(stopped.is_err());
            assert_eq!(waiting.join().ok(), Some(7));
        });
    }
}
