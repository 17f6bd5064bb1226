//! The one class of the kernel that Python calls: a metric with its settings.

use std::any::Any;
use std::sync::{Arc, Mutex, PoisonError};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyString};
use truebleu_core::columns::views::Corpus;
use truebleu_core::count::Trie;
use truebleu_core::nist::Nist;
use truebleu_core::plan::Plan;
use truebleu_core::resample::Resampled;
use truebleu_core::run::batch;
use truebleu_core::run::bleu;
use truebleu_core::{combine, families, stats};

use crate::buffers::{Bytes, Integers, bytes_of, whole_rows};
use crate::calls::detached;
use crate::chunks::{Chunks, Total, fault_error};
use crate::columns::{self, Column, How, HowArgs};
use crate::input_error;
use crate::pairs::{self, Crossed};
use crate::sentence;
use crate::token_places::{Found, located};

/// A score; of BLEU also the brevity penalty, the precisions, and the scores of each order alone and of
/// the orders up to each.
type Scored = (f64, Option<(f64, Vec<f64>, Vec<f64>, Vec<f64>)>);
/// Hypotheses, references, the most threads, and how both are read.
type Input<'py> = (Bound<'py, PyAny>, Bound<'py, PyAny>, usize, HowArgs);
/// As [`Metric::corpus`] returns it.
type Summed<'py> = (Bound<'py, PyByteArray>, (usize, usize), bool, Scored);

/// A metric with its settings; it does not change, so threads may share it.
#[pyclass(frozen, module = "truebleu._core")]
pub struct Metric(pub Arc<dyn Resampled>);

#[pymethods]
impl Metric {
    #[new]
    fn new(name: &str, settings: Vec<(String, String)>) -> PyResult<Self> {
        let settings = settings
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()));
        families::compile(name, settings)
            .map(Self)
            .map_err(PyValueError::new_err)
    }

    /// Name of the instruction set in use.
    #[getter]
    fn simd(&self) -> &'static str {
        self.0.level().name()
    }

    /// Integers in a row.
    #[getter]
    fn width(&self) -> usize {
        self.0.width()
    }

    /// One row of integers for each segment, as native-endian int64.
    #[pyo3(signature = (*input))]
    fn rows<'py>(&self, py: Python<'py>, input: Input<'py>) -> Bytes<'py> {
        let chunks = self.chunks(input)?;
        let work = |corpus: &Corpus<'_>, threads: usize| batch::rows(&*self.0, corpus, threads);
        chunks.collect(py, self.0.width(), work, i64::to_ne_bytes)
    }

    /// The sum of the rows of all segments.
    #[pyo3(signature = (*input))]
    fn total<'py>(&self, py: Python<'py>, input: Input<'py>) -> PyResult<Total> {
        let chunks = self.chunks(input)?;
        let work = |corpus: &Corpus<'_>, threads: usize| batch::total(&*self.0, corpus, threads);
        chunks.total(py, self.0.width(), work)
    }

    /// The same for each of several metrics, which are BLEU.
    #[staticmethod]
    fn totals(
        py: Python<'_>,
        metrics: Vec<PyRef<'_, Self>>,
        hyps: &Bound<'_, PyAny>,
        refs: &Bound<'_, PyAny>,
        threads: usize,
    ) -> PyResult<Vec<Total>> {
        let plans: Vec<_> = metrics
            .iter()
            .map(|metric| metric.plan("totals"))
            .collect::<PyResult<_>>()?;
        let how = How {
            reads_letters: plans.iter().any(|plan| plan.reads_letters()),
            ..How::new((vec![], vec![], 1))?
        };
        let chunks = Chunks::new(hyps, refs, how, threads)?;
        let width = plans.iter().map(|plan| plan.width()).sum();
        let work = |corpus: &Corpus<'_>, threads: usize| {
            Ok(bleu::totals(&plans, corpus, threads)?.concat())
        };
        let (sums, segments, counts, tokenized) = chunks.total(py, width, work)?;
        let mut rest = sums.as_slice();
        let next = |plan: &&Plan| {
            let sum = rest.split_off(..plan.width()).unwrap_or_default();
            (sum.to_vec(), segments, counts, tokenized)
        };
        Ok(plans.iter().map(next).collect())
    }

    /// One score for each segment, as native-endian float64.
    #[pyo3(signature = (*input))]
    fn scores<'py>(&self, py: Python<'py>, input: Input<'py>) -> Bytes<'py> {
        let chunks = self.chunks(input)?;
        let work = |corpus: &Corpus<'_>, threads: usize| batch::scores(&*self.0, corpus, threads);
        chunks.collect(py, 1, work, f64::to_ne_bytes)
    }

    /// NIST with the information of the n-grams of `refs`, and a number that identifies it.
    fn informed<'py>(
        &self,
        py: Python<'py>,
        hyps: &Bound<'py, PyAny>,
        refs: &Bound<'py, PyAny>,
        how: HowArgs,
    ) -> PyResult<(Self, u64)> {
        let error = || PyValueError::new_err("only NIST has information");
        let nist = self.is::<Nist>().ok_or_else(error)?;
        let chunks = Chunks::new(hyps, refs, self.how(how)?, 1)?;
        let trie = Mutex::new(Trie::default());
        let locked = || trie.lock().unwrap_or_else(PoisonError::into_inner);
        let work = |corpus: &Corpus<'_>, _: usize| nist.enter(&mut locked(), &corpus.refs);
        chunks.for_each(py, 0, work, |(), _| Ok(()))?;
        let trie = trie.into_inner().unwrap_or_else(PoisonError::into_inner);
        let (nist, digest) = detached(py, || {
            let nist = nist.informed(trie);
            let digest = nist.digest();
            (nist, digest)
        })?;
        Ok((Self(Arc::new(nist)), digest))
    }

    /// The score of each row in a buffer of int64. Smoothing that reads other orders reads the row of
    /// `last` at its place, if there is one.
    #[pyo3(signature = (rows, last=None))]
    fn values<'py>(&self, py: Python<'py>, rows: Integers, last: Option<Integers>) -> Bytes<'py> {
        let rows = whole_rows(py, &rows, self.0.width())?;
        let values = match last {
            None => detached(py, || batch::values(&*self.0, &rows))?,
            Some(last) => {
                let last = whole_rows(py, &last, self.0.width())?;
                let plan = self.plan("values of a last segment")?;
                detached(py, || bleu::values_after(plan, &rows, &last))?
            }
        };
        bytes_of(py, &values, f64::to_ne_bytes)
    }

    /// The row of a corpus, from the counts of its segments in a buffer of int64.
    fn joined(&self, py: Python<'_>, counts: Integers) -> PyResult<Vec<i64>> {
        let plan = self.plan("joined")?;
        let counts = whole_rows(py, &counts, stats::width(plan.count.counted))?;
        detached(py, || bleu::joined(plan, &counts))
    }

    /// The reference length of each segment, from the lengths of hypotheses and of all references,
    /// negative where there is none; buffers of int64.
    fn ref_lens<'py>(&self, py: Python<'py>, hyps: Integers, refs: Integers) -> Bytes<'py> {
        let plan = self.plan("ref_lens")?;
        let hyps = whole_rows(py, &hyps, 1)?;
        let refs = whole_rows(py, &refs, hyps.len().max(1))?;
        let lengths = detached(py, || bleu::ref_lens(plan, &hyps, &refs))?;
        bytes_of(py, &lengths, i64::to_ne_bytes)
    }

    /// The score of each row in a buffer of int64 up to each order, if `ref_lens` are the reference
    /// lengths; all rows of an order before those of the next.
    fn scores_up_to<'py>(&self, py: Python<'py>, rows: Integers, ref_lens: Vec<f64>) -> Bytes<'py> {
        let plan = self.plan("scores_up_to")?;
        let rows = whole_rows(py, &rows, plan.width())?;
        let rows: Vec<_> = rows.chunks_exact(plan.width()).collect();
        let scores = detached(py, || {
            combine::scores_up_to(&plan.combine, &rows, &ref_lens)
        })?;
        bytes_of(py, &scores, f64::to_ne_bytes)
    }

    /// The score of each candidate against each reference, row by row, in an array of float64 that
    /// `empty` makes of a shape; without references, the candidates are their own.
    fn pairwise<'py>(
        &self,
        py: Python<'py>,
        columns: Crossed<'py>,
        exact: bool,
        threads: usize,
        empty: &Bound<'py, PyAny>,
        how: HowArgs,
    ) -> PyResult<Bound<'py, PyAny>> {
        let columns = pairs::PairColumns::new(&columns, self.how(how)?)?;
        pairs::pairwise(py, &*self.0, columns, exact, threads, empty)
    }

    /// The mean score of each candidate against the references of its group, by their weights.
    fn expected<'py>(
        &self,
        py: Python<'py>,
        columns: Crossed<'py>,
        groups: pairs::Groups,
        exact: bool,
        threads: usize,
        how: HowArgs,
    ) -> PyResult<Vec<f64>> {
        let columns = pairs::PairColumns::new(&columns, self.how(how)?)?;
        pairs::expected(py, &*self.0, columns, groups, exact, threads)
    }

    /// The tokens of each text.
    fn tokens<'py>(&self, texts: &Bound<'py, PyAny>) -> PyResult<Vec<Vec<Bound<'py, PyString>>>> {
        let lists = self.token_lists(texts)?;
        let to_str = |token: &Vec<u8>| PyString::from_bytes(texts.py(), token);
        lists
            .iter()
            .map(|list| list.iter().map(to_str).collect())
            .collect()
    }

    /// Where the tokens of each text are in it, as [`crate::places`] finds them.
    fn places<'py>(&self, texts: &Bound<'py, PyAny>) -> PyResult<Vec<Option<Found<'py>>>> {
        let strings: Vec<Bound<'py, PyString>> = texts.extract()?;
        let lists = self.token_lists(texts)?;
        let places = strings.iter().zip(&lists).map(|(text, tokens)| {
            let tokens: Result<Vec<_>, _> =
                tokens.iter().map(|token| str::from_utf8(token)).collect();
            located(text, tokens.ok()?)
        });
        Ok(places.collect())
    }

    /// The score of each prefix of each segment, as native-endian float64, and the bounds of the
    /// scores of each segment, as native-endian int64.
    #[pyo3(signature = (*input))]
    fn prefixes<'py>(
        &self,
        py: Python<'py>,
        input: Input<'py>,
    ) -> PyResult<(Bound<'py, PyByteArray>, Bound<'py, PyByteArray>)> {
        let plan = self.plan("prefixes")?;
        let chunks = self.chunks(input)?;
        let (mut scores, mut offsets, mut end) = (Vec::new(), vec![0_i64], 0);
        let work = |corpus: &Corpus<'_>, threads: usize| bleu::prefixes(plan, corpus, threads);
        chunks.for_each(py, 0, work, |(some, lengths), _| {
            scores.extend(some);
            offsets.extend(lengths.iter().map(|&length| {
                end += length as i64;
                end
            }));
            Ok(())
        })?;
        Ok((
            bytes_of(py, &scores, f64::to_ne_bytes)?,
            bytes_of(py, &offsets, i64::to_ne_bytes)?,
        ))
    }

    /// Score, brevity penalty and precisions of each row in a buffer of int64.
    fn parts<'py>(&self, py: Python<'py>, rows: Integers) -> Bytes<'py> {
        let plan = self.plan("parts")?;
        let rows = whole_rows(py, &rows, plan.width())?;
        let parts = detached(py, || bleu::parts(plan, &rows))?;
        bytes_of(py, &parts, f64::to_ne_bytes)
    }

    /// The score of each text, or of those at the positions `scored`, against all others, as
    /// native-endian float64.
    #[pyo3(signature = (texts, scored=None, how=(vec![], vec![], 1)))]
    fn against_others<'py>(
        &self,
        py: Python<'py>,
        texts: &Bound<'py, PyAny>,
        scored: Option<Vec<usize>>,
        how: HowArgs,
    ) -> Bytes<'py> {
        let (plan, how) = (self.plan("against_others")?, self.how(how)?);
        pairs::against_others(py, plan, texts, scored, how)
    }

    /// The score of a string against a list or tuple of strings, in which `None` is skipped; `None`
    /// for anything else, or text that cannot be read.
    fn sentence(
        &self,
        py: Python<'_>,
        hyp: &Bound<'_, PyAny>,
        refs: &Bound<'_, PyAny>,
    ) -> PyResult<Option<sentence::Sentence>> {
        sentence::score(py, self.plan("sentence")?, hyp, refs)
    }

    /// The score of such a pair by `formula`, its row, and the number of references.
    fn pair<'py>(
        &self,
        py: Python<'py>,
        hyp: &Bound<'py, PyAny>,
        refs: &Bound<'py, PyAny>,
        formula: &Bound<'py, Self>,
    ) -> PyResult<Option<(f64, Bound<'py, PyByteArray>, usize)>> {
        let Some((row, count)) = sentence::row(py, &*self.0, hyp, refs)? else {
            return Ok(None);
        };
        let bytes = bytes_of(py, &row, i64::to_ne_bytes)?;
        let value = formula.get().0.value(&row, &mut Vec::new());
        Ok(Some((value, bytes, count)))
    }

    /// The score of a row, and of BLEU its factors.
    fn score(&self, row: Vec<i64>) -> PyResult<Scored> {
        Ok(self.scored(self.checked(&row)?))
    }

    /// The sum of the rows of all segments, the smallest and the largest number of references, whether
    /// the caller tokenized, and the score of the sum by `formula`.
    #[pyo3(signature = (formula, *input))]
    fn corpus<'py>(
        &self,
        py: Python<'py>,
        formula: &Bound<'py, Self>,
        input: Input<'py>,
    ) -> PyResult<Summed<'py>> {
        let (row, segments, counts, tokenized) = self.total(py, input)?;
        if segments == 0 {
            return Err(input_error(py, "hyps is empty; give at least one segment"));
        }
        let bytes = bytes_of(py, &row, i64::to_ne_bytes)?;
        Ok((bytes, counts, tokenized, formula.get().scored(&row)))
    }

    /// The calculation of a row's score: words and numbers as in [`combine::Steps`].
    fn steps(&self, row: Vec<i64>) -> PyResult<(Vec<&'static str>, Vec<f64>)> {
        let steps = combine::steps(&self.plan("steps")?.combine, self.checked(&row)?);
        Ok((steps.words, steps.numbers))
    }
}

impl Metric {
    fn checked<'a>(&self, row: &'a [i64]) -> PyResult<&'a [i64]> {
        let (length, width) = (row.len(), self.0.width());
        if length == width {
            Ok(row)
        } else {
            let message = format!("a row has {width} integers here, not {length}");
            Err(PyValueError::new_err(message))
        }
    }

    /// The tokens of each text, as UTF-8.
    fn token_lists(&self, texts: &Bound<'_, PyAny>) -> PyResult<Vec<Vec<Vec<u8>>>> {
        let (py, column) = (texts.py(), Column::new("texts", texts)?);
        let segments = columns::texts(py, &column)?;
        detached(py, || self.0.tokens(&segments))?
            .map_err(|bad| fault_error(py, bad.fault, &format!("texts[{}]", bad.position)))
    }

    fn chunks<'py>(&self, (hyps, refs, threads, how): Input<'py>) -> PyResult<Chunks<'py>> {
        Chunks::new(&hyps, &refs, self.how(how)?, threads)
    }

    fn how(&self, args: HowArgs) -> PyResult<How> {
        Ok(How {
            reads_letters: self.0.reads_letters(),
            ..How::new(args)?
        })
    }

    /// The five decisions, for methods that only BLEU has.
    pub fn plan(&self, verb: &str) -> PyResult<&Plan> {
        let no_plan = || PyValueError::new_err(format!("only BLEU has {verb}"));
        self.is().ok_or_else(no_plan)
    }

    fn scored(&self, row: &[i64]) -> Scored {
        let Some(plan) = self.is::<Plan>() else {
            return (self.0.value(row, &mut Vec::new()), None);
        };
        let combined = combine::combine(&plan.combine, row);
        let (alone, up_to) = combine::by_order(&plan.combine, row);
        let factors = (combined.bp, combined.precisions, alone, up_to);
        (combined.value, Some(factors))
    }

    /// The metric, if it is of this type.
    fn is<M: Any>(&self) -> Option<&M> {
        let metric: &dyn Any = &*self.0;
        metric.downcast_ref()
    }
}
