//! Checks whether there is enough memory before much of it is allocated.
//!
//! An allocation that fails ends the process, and so does Linux when memory that it promised is
//! written to and there is none.

use std::fs::read_to_string;
use std::panic::resume_unwind;

/// Smaller amounts are not checked: 256 MiB.
const LARGE: usize = 1 << 28;

/// An amount of memory, in bytes, that cannot be allocated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutOfMemory {
    pub needed: usize,
    /// Free bytes, where they are fewer; else the limit of the process is lower.
    pub free: Option<usize>,
}

/// Checks that this many bytes can be allocated.
///
/// # Errors
/// They cannot be allocated.
#[inline]
pub fn check(needed: usize) -> Result<(), OutOfMemory> {
    if needed < LARGE {
        Ok(())
    } else {
        check_large(needed)
    }
}

/// The same for code that returns no errors: it unwinds to the caller.
#[inline]
pub(crate) fn require(needed: usize) {
    if let Err(error) = check(needed) {
        resume_unwind(Box::new(error));
    }
}

#[cold]
fn check_large(needed: usize) -> Result<(), OutOfMemory> {
    // An attempt shows the limits of the process (`ulimit -v`).
    let within_limits = Vec::<u8>::new().try_reserve_exact(needed).is_ok();
    let free = free().filter(|&free| free < needed);
    if within_limits && free.is_none() {
        Ok(())
    } else {
        Err(OutOfMemory { needed, free })
    }
}

/// Bytes that the machine, or its container, has left.
fn free() -> Option<usize> {
    let machine = number_after(&read_to_string("/proc/meminfo").ok()?, "MemAvailable:")?;
    let container = || {
        let file = |name| read_to_string(format!("/sys/fs/cgroup/memory.{name}")).ok();
        let most: usize = file("max")?.trim().parse().ok()?;
        Some(most.saturating_sub(number_after(&file("stat")?, "anon")?))
    };
    let machine = machine.saturating_mul(1024);
    Some(container().map_or(machine, |free| machine.min(free)))
}

/// The number after a name at the start of a line.
fn number_after(text: &str, name: &str) -> Option<usize> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    line.split_ascii_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_exabyte_is_refused() {
        assert_eq!(check(LARGE - 1), Ok(()));
        let error = check(1 << 60).expect_err("an exabyte");
        assert_eq!(error.needed, 1 << 60);
        assert!(std::panic::catch_unwind(|| require(1 << 60)).is_err());
        assert!(error.free.is_some() || !cfg!(target_os = "linux"));
        let plausible = |free| free > 1 << 20 && free < 1 << 60;
        assert!(error.free.is_none_or(plausible));
    }

    #[test]
    fn numbers_are_read_after_their_names() {
        let text = "MemFree: 5 kB\nMemAvailable:   17 kB\n";
        assert_eq!(number_after(text, "MemAvailable:"), Some(17));
        assert_eq!(number_after(text, "anon"), None);
    }
}
