//! The extension module `truebleu._core`. Each function borrows its columns, detaches from the
//! interpreter, calls the core crate and maps its errors. Nothing here knows what BLEU is.

#![allow(clippy::needless_pass_by_value)] // pyo3 hands extracted arguments over by value

mod buffers;
mod calls;
mod chunks;
mod columns;
mod errors;
mod line;
mod metric;
mod overlap;
mod pairs;
mod panics;
mod resample;
mod sentence;
mod syntax;
mod token_places;

use pyo3::prelude::*;
use truebleu_core::simd::Level;
use truebleu_core::tokenize::CATEGORIES_VERSION;

use calls::{Stop, check_memory};
use columns::{
    IdColumn, Lines, Tokenized, hold_words, id_bounds, invalid_utf8, lines_end, spaced_periods,
};
use errors::{error, input_error};
use metric::Metric;
use overlap::{Overlap, matches};
use resample::{Pcg64, Resampler};
use syntax::{Syntax, without_comments};
use token_places::places;

/// Instruction sets of this processor, the fastest first.
#[pyfunction]
fn simd_levels() -> Vec<&'static str> {
    Level::available().into_iter().map(Level::name).collect()
}

/// Unicode versions of the character categories and of lower case.
#[pyfunction]
fn unicode_versions() -> (String, String) {
    let (major, minor, _) = CATEGORIES_VERSION;
    let (lower_major, lower_minor, _) = char::UNICODE_VERSION;
    (
        format!("{major}.{minor}"),
        format!("{lower_major}.{lower_minor}"),
    )
}

#[pymodule(gil_used = false)]
mod _core {
    #[pymodule_export]
    use super::{
        IdColumn, Lines, Metric, Overlap, Pcg64, Resampler, Stop, Syntax, Tokenized, check_memory,
        hold_words, id_bounds, invalid_utf8, lines_end, matches, places, simd_levels,
        spaced_periods, unicode_versions, without_comments,
    };

    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");

    #[pymodule_export]
    const TREE_SITTER: &str = super::syntax::RUNTIME;
}
