//! Whether there is memory for what is about to be made.
//!
//! An allocation that fails ends the process, and so does the system when the memory that it has
//! promised is written to. Who is about to take much asks here first.

use std::fs::read_to_string;
use std::panic::resume_unwind;

/// Less than this is taken without a question: 256 MiB.
const LARGE: usize = 1 << 28;

/// Memory that is not there, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoRoom {
    pub needed: usize,
    /// What is free, if that is less; else the process may not have as much.
    pub free: Option<usize>,
}

/// Whether there is room for so many bytes.
///
/// # Errors
/// There is none.
#[inline]
pub fn check(needed: usize) -> Result<(), NoRoom> {
    if needed < LARGE { Ok(()) } else { ask(needed) }
}

/// The same for work that has no errors: it unwinds to who called.
#[inline]
pub(crate) fn make(needed: usize) {
    if let Err(no_room) = check(needed) {
        resume_unwind(Box::new(no_room));
    }
}

#[cold]
fn ask(needed: usize) -> Result<(), NoRoom> {
    let free = free();
    // The limits of the process (`ulimit -v`) are asked by asking for as much.
    let given = Vec::<u8>::new().try_reserve_exact(needed).is_ok();
    let free = free.filter(|&free| free < needed);
    if given && free.is_none() {
        Ok(())
    } else {
        Err(NoRoom { needed, free })
    }
}

/// Bytes that the process may still take: those of the machine, or of its container.
fn free() -> Option<usize> {
    let machine = number_behind(&read_to_string("/proc/meminfo").ok()?, "MemAvailable:")?;
    let container = || {
        let file = |name| read_to_string(format!("/sys/fs/cgroup/memory.{name}")).ok();
        let most: usize = file("max")?.trim().parse().ok()?;
        Some(most.saturating_sub(number_behind(&file("stat")?, "anon")?))
    };
    let machine = machine.saturating_mul(1024);
    Some(container().map_or(machine, |free| machine.min(free)))
}

/// The number behind a name at the start of a line.
fn number_behind(text: &str, name: &str) -> Option<usize> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    line.split_ascii_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_has_is_refused() {
        assert_eq!(check(LARGE - 1), Ok(()));
        let refused = check(1 << 60).expect_err("an exabyte");
        assert_eq!(refused.needed, 1 << 60);
        assert!(std::panic::catch_unwind(|| make(1 << 60)).is_err());
        assert!(refused.free.is_some() || !cfg!(target_os = "linux"));
        assert!(
            refused
                .free
                .is_none_or(|free| free > 1 << 20 && free < 1 << 60)
        );
    }

    #[test]
    fn numbers_are_found_behind_their_names() {
        let text = "MemFree: 5 kB\nMemAvailable:   17 kB\n";
        assert_eq!(number_behind(text, "MemAvailable:"), Some(17));
        assert_eq!(number_behind(text, "anon"), None);
    }
}
