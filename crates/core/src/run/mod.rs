//! What runs the five decisions: batches on several threads, interrupts, and limits on memory.

pub mod interrupt;
pub mod memory;
pub(crate) mod parallel;
