//! One sentence at a time, for loops in which the overhead of a call costs more than the work. No
//! columns are made, and the interpreter is kept for a text of usual length.

use pyo3::prelude::*;
use pyo3::types::{PyList, PyString, PyTuple};
use truebleu_core::columns::views::{Corpus, Segments};
use truebleu_core::combine;
use truebleu_core::plan::Plan;
use truebleu_core::resample::Resampled;
use truebleu_core::run::batch;

use crate::calls::detached;
use crate::columns;
use crate::panics::caught;

/// Score, brevity penalty, precisions, matches, totals, both lengths, number of references.
pub type Sentence = (f64, f64, Vec<f64>, Vec<i64>, Vec<i64>, i64, i64, usize);

/// Characters above which other Python threads may run meanwhile.
const LONG: usize = 1 << 14;

/// The row of a string against a list or tuple of strings, in which `None` is skipped, and the number
/// of strings; `None` for anything else, or text that cannot be read.
///
/// # Errors
/// A signal handler raised an exception.
pub fn row(
    py: Python<'_>,
    metric: &dyn Resampled,
    hyp: &Bound<'_, PyAny>,
    refs: &Bound<'_, PyAny>,
) -> PyResult<Option<(Vec<i64>, usize)>> {
    let refs: Vec<_> = if let Ok(list) = refs.cast::<PyList>() {
        list.iter().filter(|item| !item.is_none()).collect()
    } else if let Ok(tuple) = refs.cast::<PyTuple>() {
        tuple.iter().filter(|item| !item.is_none()).collect()
    } else {
        return Ok(None);
    };
    let text = |item| columns::text(item);
    let texts = refs.iter().map(text).collect::<Option<Vec<_>>>();
    let (Some(hyp_text), Some(texts)) = (text(hyp), texts) else {
        return Ok(None);
    };
    if texts.is_empty() {
        return Ok(None);
    }
    let length = |item: &Bound<'_, PyAny>| {
        item.cast::<PyString>()
            .map_or(0, |text| text.len().unwrap_or(0))
    };
    let long = length(hyp) + refs.iter().map(length).sum::<usize>() > LONG;
    let corpus = Corpus {
        hyps: Segments::Texts(vec![hyp_text]),
        bounds: (texts.len() > 1).then(|| vec![0, texts.len()]),
        refs: Segments::Texts(texts),
        group: 1,
    };
    let row = if long {
        detached(py, || batch::row(metric, &corpus))?
    } else {
        caught(py, || batch::row(metric, &corpus))?
    };
    Ok(row.ok().map(|row| (row, refs.len())))
}

/// The score of such a row, with its factors.
///
/// # Errors
/// A signal handler raised an exception.
pub fn score(
    py: Python<'_>,
    plan: &Plan,
    hyp: &Bound<'_, PyAny>,
    refs: &Bound<'_, PyAny>,
) -> PyResult<Option<Sentence>> {
    let Some((row, count)) = row(py, plan, hyp, refs)? else {
        return Ok(None);
    };
    let made = combine::combine(&plan.combine, &row);
    let (matches, totals) = row[2..].split_at((row.len() - 2) / 2);
    Ok(Some((
        made.value,
        made.bp,
        made.precisions,
        matches.to_vec(),
        totals.to_vec(),
        row[0],
        row[1],
        count,
    )))
}
