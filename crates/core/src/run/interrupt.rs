//! Ends a call in the middle, for example at Ctrl-C.
//!
//! Long loops call [`check`]. On the thread that made the call, it calls a function of the caller
//! from time to time; worker threads read a flag. A thread that must stop unwinds to
//! [`interruptible`], so that loops need no exit of their own and return no partial results.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The reason that a call was interrupted, or the panic that ended it.
pub type Reason = Box<dyn Any + Send>;

/// The function of the caller that decides whether to continue.
pub type Ask = fn() -> Result<(), Reason>;

/// Time between two calls of that function, which waits for the interpreter.
pub(crate) const INTERVAL: Duration = Duration::from_millis(50);

thread_local! {
    /// The caller's function and the time of its last call; worker threads have none.
    static ASK: Cell<Option<(Ask, Instant)>> = const { Cell::new(None) };
    static FLAG: RefCell<Option<Flag>> = const { RefCell::new(None) };
}

/// Says whether calls of some threads are interrupted.
#[derive(Clone, Debug, Default)]
pub struct Flag(Arc<AtomicBool>);

impl Flag {
    /// That of the call for which this thread works.
    pub(crate) fn current() -> Self {
        FLAG.with_borrow_mut(|flag| flag.get_or_insert_default().clone())
    }

    /// Makes it the flag of this thread, and of the calls that it makes.
    pub fn adopt(&self) {
        FLAG.set(Some(self.clone()));
    }

    /// Interrupts the calls of its threads, present and future.
    pub fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// The reason of a thread whose flag was set.
#[derive(Debug)]
pub struct Interrupted;

/// Does `work`, and calls `ask` from time to time to decide whether to continue.
///
/// # Errors
/// The error of `ask`, [`Interrupted`], or the panic of `work`.
pub fn interruptible<T>(ask: Ask, work: impl FnOnce() -> T) -> Result<T, Reason> {
    let outer = ASK.replace(Some((ask, Instant::now())));
    let flag = FLAG.with_borrow(Clone::clone);
    if outer.is_some() {
        // The code of `ask` may call again; interrupting that call does not interrupt this one.
        FLAG.take();
    }
    let result = catch_unwind(AssertUnwindSafe(work));
    ASK.set(outer);
    FLAG.set(flag);
    result
}

/// Unwinds if the call is to be interrupted. Takes about 30 ns, to read the clock.
#[inline(never)]
pub fn check() {
    if FLAG.with_borrow(|flag| flag.as_ref().is_some_and(Flag::is_set)) {
        unwind();
    }
    let Some((ask, asked)) = ASK.get() else {
        return;
    };
    let now = Instant::now();
    if now - asked < INTERVAL {
        return;
    }
    ASK.set(Some((ask, now)));
    if let Err(reason) = ask() {
        Flag::current().set();
        resume_unwind(reason);
    }
}

/// Interrupts the call that this thread makes, on all its threads.
pub fn stop() {
    Flag::current().set();
}

/// Unwinds, as [`check`] does in an interrupted call.
pub(crate) fn unwind() -> ! {
    resume_unwind(Box::new(Interrupted))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::parallel;

    #[allow(clippy::unnecessary_wraps)] // the type of an answer
    fn go_on() -> Result<(), Reason> {
        Ok(())
    }

    fn refuse() -> Result<(), Reason> {
        Err(Box::new(5))
    }

    fn work_forever(_: usize) {
        loop {
            check();
        }
    }

    #[test]
    fn work_ends_on_all_threads_for_the_reason_of_the_answer() {
        for workers in 1..5 {
            let ended = interruptible(refuse, || parallel::run(workers, work_forever));
            let reason = ended.expect_err("it never ends by itself");
            assert_eq!(reason.downcast_ref(), Some(&5), "{workers}");
            // The next call of this thread continues.
            assert!(interruptible(go_on, check).is_ok());
        }
    }

    #[test]
    fn a_thread_without_work_asks_while_it_waits_for_the_others() {
        let ended = interruptible(refuse, || {
            parallel::run(3, |number| {
                if number > 0 {
                    work_forever(number);
                }
            });
        });
        assert!(ended.is_err());
    }

    #[test]
    fn a_flag_interrupts_the_calls_of_its_threads() {
        let flag = Flag::default();
        flag.set();
        let other = std::thread::spawn(move || {
            flag.adopt();
            let first = interruptible(go_on, || parallel::run(2, work_forever));
            (first, interruptible(go_on, check))
        });
        let (first, second) = other.join().expect("it ends");
        assert!(first.expect_err("interrupted").is::<Interrupted>());
        assert!(second.expect_err("so are later calls").is::<Interrupted>());
    }

    #[test]
    fn a_call_from_within_the_answer_ends_alone() {
        fn call() -> Result<(), Reason> {
            assert!(interruptible(refuse, || parallel::run(2, work_forever)).is_err());
            Err(Box::new("outer"))
        }
        let ended = interruptible(call, || parallel::run(2, work_forever));
        let reason = ended.expect_err("it never ends by itself");
        assert_eq!(reason.downcast_ref(), Some(&"outer"));
    }
}
