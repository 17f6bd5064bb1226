//! Waiting for another thread without a sleep. Linux tends to wake a thread on the processor of the
//! one that wakes it; there it waits again, while the processor that it had is idle. A sleep of
//! 50 us cost 1 to 3 ms (Linux 6.18, 2 processors).

use std::hint::spin_loop;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError, TryLockError};
use std::thread;
use std::time::{Duration, Instant};

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
    begun: AtomicBool,
    value: OnceLock<T>,
}

impl<T> Default for Made<T> {
    fn default() -> Self {
        Self {
            begun: AtomicBool::new(false),
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
        if self.begun.swap(true, Ordering::Relaxed) {
            wait_until(|| self.get().is_some());
        }
        self.value.get_or_init(make)
    }
}
