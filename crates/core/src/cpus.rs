//! Which processor a thread runs on.

/// The processor of this thread, where that can be told.
pub(crate) fn current() -> Option<usize> {
    #[cfg(target_os = "linux")]
    return Some(rustix::thread::sched_getcpu());
    #[cfg(not(target_os = "linux"))]
    None
}

/// Takes this thread to another processor if it is on this one and may be elsewhere. It may come
/// back: where threads run best is for the system to say in the end.
pub(crate) fn leave(cpu: Option<usize>) {
    #[cfg(target_os = "linux")]
    if let Some(cpu) = cpu
        && current() == Some(cpu)
    {
        use rustix::thread::{sched_getaffinity, sched_setaffinity};

        // A machine of more processors than a set has room for says so, and nothing is done.
        if let Ok(allowed) = sched_getaffinity(None) {
            let mut others = allowed;
            others.unset(cpu);
            if others.count() > 0 && sched_setaffinity(None, &others).is_ok() {
                let _ = sched_setaffinity(None, &allowed);
            }
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = cpu;
}
