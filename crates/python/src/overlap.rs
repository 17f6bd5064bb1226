//! n-grams that hypotheses share with their references, for Python.

use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyString};
use truebleu_core::sets::matches::{self as grams, Matches};
use truebleu_core::sets::overlap;

use crate::buffers::bytes_of;
use crate::calls::detached;
use crate::chunks::fault_error;
use crate::columns::{self, How, Source};
use crate::metric::Metric;

type Bytes<'py> = Bound<'py, PyByteArray>;

/// The tokens of one or two systems and their references, as numbers; it does not change.
#[pyclass(frozen, module = "truebleu._core")]
pub struct Overlap(overlap::Overlap);

#[pymethods]
impl Overlap {
    /// `systems` are columns of hypotheses, as are `refs`, which both have.
    #[new]
    fn new<'py>(
        py: Python<'py>,
        metric: &Metric,
        systems: Vec<Bound<'py, PyAny>>,
        refs: &Bound<'py, PyAny>,
    ) -> PyResult<Self> {
        let plan = metric.plan("overlap")?;
        let how = How::new((vec![], vec![], 1))?;
        let whole = |name, column| Source::new(name, column)?.part(usize::MAX);
        let refs = whole("refs", refs)?;
        let hyps: Vec<_> = systems
            .iter()
            .map(|hyps| whole("hyps", hyps))
            .collect::<PyResult<_>>()?;
        let corpora: Vec<_> = hyps
            .iter()
            .map(|hyps| columns::corpus(py, hyps, &refs, &how, 0))
            .collect::<PyResult<_>>()?;
        let made = detached(py, || overlap::Overlap::new(plan, &corpora))?;
        let place = |in_refs| if in_refs { "refs" } else { "hyps" };
        made.map(Self).map_err(|bad| {
            let place = format!("{}[{}]", place(bad.in_refs), bad.position);
            fault_error(py, bad.fault, &place)
        })
    }

    /// The tokens, by number.
    fn words<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyString>>> {
        let words = self.0.words().iter();
        words.map(|word| PyString::from_bytes(py, word)).collect()
    }

    /// The tokens of all texts, the bounds of the texts and those of the segments, in texts, as
    /// native-endian int64. A segment has the hypotheses, then the references.
    fn texts<'py>(&self, py: Python<'py>) -> PyResult<(Bytes<'py>, Bytes<'py>, Bytes<'py>)> {
        let (tokens, bounds) = self.0.texts();
        let size = |value: usize| (value as i64).to_ne_bytes();
        Ok((
            bytes_of(py, tokens, |token| i64::from(token).to_ne_bytes())?,
            bytes_of(py, bounds, size)?,
            bytes_of(py, self.0.segments(), size)?,
        ))
    }

    /// For each n-gram of an order its place, order, group 0, occurrences, matches and misses of the
    /// first system, as native-endian int64.
    fn tally<'py>(&self, py: Python<'py>, order: usize, threads: usize) -> PyResult<Bytes<'py>> {
        let tally = detached(py, || self.0.tally(order, threads))?;
        bytes_of(py, &tally, i64::to_ne_bytes)
    }

    /// For each segment and group the difference of the systems' statistics; for each token of the
    /// references a byte whose bits are the systems that match it; for each n-gram and group its
    /// place, order, group, matches of the first system alone, of the second alone, and 0.
    fn contrast<'py>(
        &self,
        py: Python<'py>,
        classes: Vec<u8>,
        threads: usize,
    ) -> PyResult<(Bytes<'py>, Bytes<'py>, Bytes<'py>)> {
        let made = detached(py, || self.0.contrast(&classes, threads))?;
        Ok((
            bytes_of(py, &made.rows, i64::to_ne_bytes)?,
            PyByteArray::new(py, &made.hits),
            bytes_of(py, &made.tally, i64::to_ne_bytes)?,
        ))
    }
}

/// An n-gram: its texts and where it begins there, then possible, matched, weight, clipped, unmatched
/// and missed.
type Ngram = (Vec<[u32; 2]>, [u32; 6]);
type Orders = Vec<Vec<Ngram>>;

/// The matches of a hypothesis, the first text, and its references, whose tokens are these: the n-grams
/// of each order, and the longest match of each token of each text.
#[pyfunction]
pub fn matches(
    py: Python<'_>,
    metric: &Metric,
    texts: Vec<Vec<String>>,
) -> PyResult<(Orders, Vec<Vec<u32>>)> {
    let plan = metric.plan("matches")?;
    let found = detached(py, || Matches::of_words(plan, &texts))?;
    let ngram = |gram: grams::Ngram| {
        let counts = [
            gram.possible,
            gram.matched,
            gram.weight,
            gram.clipped,
            gram.unmatched,
            gram.missed,
        ];
        (gram.places, counts)
    };
    let ngrams = found.ngrams.into_iter();
    Ok((
        ngrams
            .map(|grams| grams.into_iter().map(ngram).collect())
            .collect(),
        found.covers.into_iter().map(|cover| cover.orders).collect(),
    ))
}
