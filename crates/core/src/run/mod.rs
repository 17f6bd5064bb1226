//! Runs the metrics over many segments: batches on several threads, interrupts, limits of memory.

pub mod batch;
pub mod bleu;
pub(crate) mod counting;
pub mod interrupt;
pub mod memory;
pub mod parallel;
pub(crate) mod read;
