//! Which processor a thread runs on.

/// A processor, on systems that tell.
#[derive(Clone, Copy)]
pub(crate) struct Cpu {
    #[cfg(target_os = "linux")]
    number: usize,
}

#[cfg(target_os = "linux")]
impl Cpu {
    /// That of this thread.
    pub fn current() -> Self {
        let number = rustix::thread::sched_getcpu();
        Self { number }
    }

    /// Takes this thread to another processor if it is on this one and may be elsewhere. It may
    /// come back: where threads run is for the system to say.
    pub fn leave(self) {
        use rustix::thread::{sched_getaffinity, sched_setaffinity};

        if Self::current().number != self.number {
            return;
        }
        // An error says that there are more processors than a set has room for.
        let Ok(allowed) = sched_getaffinity(None) else {
            return;
        };
        let mut others = allowed;
        others.unset(self.number);
        if others.count() > 0 && sched_setaffinity(None, &others).is_ok() {
            let _ = sched_setaffinity(None, &allowed);
        }
    }
}

#[cfg(not(target_os = "linux"))]
impl Cpu {
    /// That of this thread.
    pub fn current() -> Self {
        Self {}
    }

    /// Does nothing.
    pub fn leave(self) {}
}
