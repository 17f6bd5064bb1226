//! Calls that are stopped before they end: at Ctrl-C, say.
//!
//! Work says how many steps it took ([`did`]). After enough of them the thread that called asks
//! whether to go on, and the threads that it employs look at what it was told. Who has to stop
//! unwinds to [`stoppable`], so that no loop needs a way out of its own, and nobody sees half of a
//! result.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::simd::large_pages;

/// Why a call was stopped, or the panic that ended it.
pub type Reason = Box<dyn Any + Send>;

/// Asks whether to go on.
pub type Ask = fn() -> Result<(), Reason>;

/// Steps from one look to the next: a millisecond or so of work.
const STEPS: usize = 1 << 20;

/// From one question to the next. To ask means to wait for the interpreter.
pub(crate) const PAUSE: Duration = Duration::from_millis(40);

thread_local! {
    /// Steps since this thread last looked.
    static DONE: Cell<usize> = const { Cell::new(0) };
    /// Whom this thread asks, and when it last did; employed threads ask nobody.
    static ASK: Cell<Option<Ask>> = const { Cell::new(None) };
    static ASKED: Cell<Option<Instant>> = const { Cell::new(None) };
    /// The threads that work for the same call, or are stopped with this one for another reason.
    static TEAM: RefCell<Option<Team>> = const { RefCell::new(None) };
}

/// Threads that are stopped together.
#[derive(Clone, Debug, Default)]
pub struct Team(Arc<AtomicBool>);

impl Team {
    /// That of this thread.
    pub(crate) fn of_this_thread() -> Self {
        TEAM.with_borrow_mut(|team| team.get_or_insert_default().clone())
    }

    /// Makes this thread one of it.
    pub fn join(&self) {
        TEAM.set(Some(self.clone()));
    }

    /// Has all calls of its threads end, those that come, too.
    pub fn stop(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    fn is_stopped(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// What a call unwinds with whose thread was stopped with its team.
#[derive(Debug)]
pub struct Stopped;

/// Does `work`, and asks from time to time whether to go on.
///
/// # Errors
/// What `ask` answered, [`Stopped`], or the panic of `work`.
pub fn stoppable<T>(ask: Ask, work: impl FnOnce() -> T) -> Result<T, Reason> {
    let outer = ASK.replace(Some(ask));
    let before = (ASKED.take(), DONE.take(), TEAM.with_borrow(Clone::clone));
    if outer.is_some() {
        // A question is answered by code that calls again: its end is not that of the first call.
        TEAM.take();
    }
    let result = catch_unwind(AssertUnwindSafe(work));
    ASK.set(outer);
    ASKED.set(before.0);
    DONE.set(before.1);
    TEAM.set(before.2);
    result
}

/// Says that so many steps of work are done, each about a nanosecond long.
#[inline(always)]
pub fn did(steps: usize) {
    let done = DONE.get().saturating_add(steps);
    DONE.set(done);
    if done >= STEPS {
        look();
    }
}

/// Bytes of a segment that are not usual.
pub(crate) const LARGE: usize = 1 << 14;

/// Says that a pass over so many bytes is done, if they are those of a long segment: usual ones are
/// counted by the eight.
#[inline(always)]
pub(crate) fn passed(bytes: usize) {
    if bytes > LARGE {
        did(bytes);
    }
}

/// Items that are written in a row.
const IN_A_ROW: usize = 1 << 16;

/// Makes `items` so many, as `Vec::resize` does, piece by piece: the system takes half a second to
/// find a gigabyte.
#[cold]
#[inline(never)]
pub(crate) fn lengthen<T: Copy>(items: &mut Vec<T>, len: usize, value: T) {
    items.reserve(len.saturating_sub(items.len()));
    large_pages(items.spare_capacity_mut());
    while items.len() < len {
        let some = IN_A_ROW.min(len - items.len());
        items.resize(items.len() + some, value);
        did(some * size_of::<T>() / 2);
    }
}

/// A copy, made piece by piece.
pub(crate) fn copied<T: Copy>(items: &[T]) -> Vec<T> {
    let mut copy = Vec::with_capacity(items.len());
    large_pages(copy.spare_capacity_mut());
    for some in items.chunks(IN_A_ROW) {
        copy.extend_from_slice(some);
        did(size_of_val(some) / 2);
    }
    copy
}

/// Unwinds, where another thread was stopped and has left something undone.
pub(crate) fn give_up() -> ! {
    resume_unwind(Box::new(Stopped))
}

/// Unwinds if the call is to be stopped.
#[cold]
#[inline(never)]
pub(crate) fn look() {
    let done = DONE.replace(0);
    let team = TEAM.with_borrow(Clone::clone);
    if team.as_ref().is_some_and(Team::is_stopped) {
        give_up();
    }
    let Some(ask) = ASK.get() else { return };
    let now = Instant::now();
    // The first look tells by the steps how long ago the work began.
    let worked = Duration::from_nanos(done as u64);
    let begun = ASKED
        .get()
        .or_else(|| now.checked_sub(worked))
        .unwrap_or(now);
    if now - begun < PAUSE {
        ASKED.set(Some(begun));
        return;
    }
    ASKED.set(Some(now));
    if let Err(reason) = ask() {
        if let Some(team) = team {
            team.stop();
        }
        resume_unwind(reason);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shares::{employ, share};

    #[allow(clippy::unnecessary_wraps)] // an answer, as all are
    fn go_on() -> Result<(), Reason> {
        Ok(())
    }

    fn refuse() -> Result<(), Reason> {
        Err(Box::new(5))
    }

    #[test]
    fn work_is_stopped_on_all_threads_for_the_reason_given() {
        for workers in 1..5 {
            let stopped = stoppable(refuse, || {
                employ(workers, |_| {
                    loop {
                        did(1 << 20);
                    }
                });
            });
            let reason = stopped.expect_err("it never ends by itself");
            assert_eq!(reason.downcast_ref(), Some(&5), "{workers}");
            // What comes next on this thread is not.
            assert_eq!(
                stoppable(go_on, || share(3, 0..9, |_| Ok(()))).ok(),
                Some(Ok(()))
            );
        }
    }

    #[test]
    fn a_thread_that_has_nothing_left_to_do_asks_for_the_others() {
        let stopped = stoppable(refuse, || {
            employ(3, |number| {
                if number > 0 {
                    loop {
                        did(1 << 20);
                    }
                }
            });
        });
        assert!(stopped.is_err());
    }

    #[test]
    fn a_team_is_stopped_from_outside() {
        let team = Team::default();
        team.stop();
        let found = std::thread::scope(|scope| {
            let other = scope.spawn(|| {
                team.join();
                let first = stoppable(go_on, || {
                    employ(2, |_| {
                        loop {
                            did(STEPS);
                        }
                    });
                });
                (first, stoppable(go_on, || did(STEPS)))
            });
            other.join()
        });
        let (first, second) = found.expect("it ends");
        assert!(first.expect_err("it is stopped").is::<Stopped>());
        assert!(second.expect_err("what comes is, too").is::<Stopped>());
    }

    #[test]
    fn memory_is_had_piece_by_piece() {
        for (before, len) in [(0, 0), (3, 2), (3, 9), (0, 5 * IN_A_ROW + 1)] {
            let mut items = vec![7_u8; before];
            lengthen(&mut items, len, 5);
            let expected: Vec<_> = (0..before.max(len))
                .map(|i| if i < before { 7 } else { 5 })
                .collect();
            assert_eq!(items, expected);
        }
        let late = stoppable(refuse, || {
            let mut items = Vec::new();
            for _ in 0..1 << 20 {
                items.clear();
                lengthen(&mut items, STEPS, [0_u64; 2]);
            }
        });
        assert!(late.is_err(), "a terabyte is not had in silence");
    }

    #[test]
    fn the_first_look_asks_if_the_work_has_lasted() {
        assert!(stoppable(refuse, || did(PAUSE.as_nanos() as usize)).is_err());
        assert!(stoppable(refuse, || did(STEPS)).is_ok());
    }

    #[test]
    fn who_is_not_stoppable_works_on() {
        assert_eq!(DONE.get(), 0);
        (0..64).for_each(|_| did(STEPS / 2));
        assert!(stoppable(go_on, || (0..64).for_each(|_| did(STEPS))).is_ok());
    }

    #[test]
    fn a_call_within_a_question_has_its_own_end() {
        fn call() -> Result<(), Reason> {
            assert!(
                stoppable(refuse, || employ(2, |_| loop {
                    did(STEPS);
                }))
                .is_err()
            );
            Err(Box::new("outer"))
        }
        let stopped = stoppable(call, || {
            employ(2, |_| {
                loop {
                    did(STEPS);
                }
            });
        });
        let reason = stopped.expect_err("it never ends by itself");
        assert_eq!(reason.downcast_ref(), Some(&"outer"));
    }
}
