//! The trait of all metrics: they count a row for each segment, add rows, and compute a score from
//! the sum.

use std::ops::Range;
use std::sync::Arc;

use crate::chrf::Chrf;
use crate::codebleu::CodeBleu;
use crate::columns::views::{BadSegment, Corpus, Segments};
use crate::derived::{Crystal, Gleu};
use crate::nist::Nist;
use crate::plan::Plan;
use crate::simd::Level;
use crate::ter::Ter;

/// Sums of 32-bit floats are not exact from here on.
pub const EXACT: i64 = 1 << 24;

/// A metric with its settings; [`crate::run::batch`] runs it.
pub trait Metric: Send + Sync {
    /// The instruction set in use.
    fn level(&self) -> Level;

    /// Integers in a row.
    fn width(&self) -> usize;

    /// The number of threads worth starting for a corpus, at most `threads`.
    fn workers(&self, corpus: &Corpus, threads: usize) -> usize;

    /// Gives the row of each segment of `range` to `sink`, in order.
    fn for_each_row(
        &self,
        corpus: &Corpus,
        range: Range<usize>,
        sink: &mut dyn FnMut(&[i64]),
    ) -> Result<(), BadSegment>;

    /// The score of a row; `buffer` may be reused.
    fn value(&self, row: &[i64], buffer: &mut Vec<f64>) -> f64;

    /// The score as sacreBLEU computes it for resamples, from sums in 32-bit floats.
    fn value_in_floats(&self, row: &[i64], buffer: &mut Vec<f64>) -> f64;

    /// The part of a row that such floats cannot represent.
    fn lost_in_floats(&self, row: &[i64]) -> Option<&'static str>;

    /// Fills the matrix of scores of each candidate against each reference; without references,
    /// the candidates are their own. Only BLEU has scores that are not `exact`; see
    /// [`crate::sets::pairwise::fill`].
    fn pairs(
        &self,
        candidates: &Segments,
        references: Option<&Segments>,
        exact: bool,
        threads: usize,
        scores: &mut [f64],
    ) -> Result<(), BadSegment>;

    /// The tokens of each text, as UTF-8.
    fn tokens(&self, segments: &Segments) -> Result<Vec<Vec<Vec<u8>>>, BadSegment>;

    /// The five decisions, which only BLEU has.
    fn plan(&self) -> Option<&Plan> {
        None
    }

    /// NIST, which counts references first.
    fn nist(&self) -> Option<&Nist> {
        None
    }

    /// Whether it reads the letters of words, which ids do not have.
    fn reads_letters(&self) -> bool {
        false
    }
}

/// The metric called `name`, with settings as for [`Plan::compile`].
///
/// # Errors
/// There is no such metric, setting or value.
pub fn compile<'a>(
    name: &str,
    settings: impl IntoIterator<Item = (&'a str, &'a str)>,
) -> Result<Arc<dyn Metric>, String> {
    Ok(match name {
        "bleu" => Arc::new(Plan::compile(settings)?),
        "chrf" => Arc::new(Chrf::compile(settings)?),
        "codebleu" => Arc::new(CodeBleu::compile(settings)?),
        "ter" => Arc::new(Ter::compile(settings)?),
        "gleu" => Arc::new(Gleu::compile(settings)?),
        "nist" => Arc::new(Nist::compile(settings)?),
        "crystalbleu" => Arc::new(Crystal::compile(settings)?),
        _ => return Err(format!("no metric is named {name:?}")),
    })
}
