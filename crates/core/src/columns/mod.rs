//! Input as the kernel reads it: columns of segments that borrow their texts, and numbers for
//! characters and words.

pub(crate) mod codepoints;
pub mod interner;
pub mod views;
