//! Reads long columns a few thousand segments at a time: texts that the interpreter touched are
//! still in the processor's cache when the kernel reads them, and memory does not grow with the
//! column.

use pyo3::prelude::*;
use pyo3::types::PyByteArray;
use truebleu_core::columns::views::{BadSegment, Corpus, Fault};
use truebleu_core::stats;

use crate::buffers::Filled;
use crate::calls::{self, check_memory, detached};
use crate::columns::{self, Column, How, Source};
use crate::input_error;

/// Segments at a time for each thread: 4 ms of work. Detaching from the interpreter takes far less.
const SEGMENTS: usize = 1 << 13;

/// The sum of all rows; the number of segments; the smallest and the largest number of references;
/// whether the caller tokenized.
pub type Total = (Vec<i64>, usize, (usize, usize), bool);

/// Hypotheses and references, read once.
pub struct Chunks<'py> {
    hyps: Source<'py>,
    refs: Source<'py>,
    how: How,
    /// Hypotheses of a part. A part holds whole groups.
    size: usize,
}

impl<'py> Chunks<'py> {
    pub fn new(
        hyps: &Bound<'py, PyAny>,
        refs: &Bound<'py, PyAny>,
        how: How,
        threads: usize,
    ) -> PyResult<Self> {
        let py = hyps.py();
        let (hyps, refs) = (Source::new("hyps", hyps)?, Source::new("refs", refs)?);
        let size = if hyps.has_parts() && refs.has_parts() {
            SEGMENTS.saturating_mul(threads)
        } else {
            usize::MAX
        };
        let chunks = Self {
            hyps,
            refs,
            size: (size / how.group).max(1) * how.group,
            how,
        };
        if let (Some(hyps), Some(refs)) = (chunks.hyps.len(), chunks.refs.len()) {
            chunks.check_aligned(py, (hyps, true), (refs, true), || false)?;
        }
        Ok(chunks)
    }

    /// Checks that there is one entry of references for each hypothesis or group. `hyps` and `refs`
    /// are counts so far, with whether these are all; `transposed` says whether each entry holds a
    /// reference for each hypothesis.
    fn check_aligned(
        &self,
        py: Python<'_>,
        hyps: (usize, bool),
        refs: (usize, bool),
        transposed: impl Fn() -> bool,
    ) -> PyResult<()> {
        if hyps == (0, true) {
            let message = "hyps is empty; give at least one segment";
            return Err(input_error(py, message));
        }
        if refs.0.checked_mul(self.how.group) == Some(hyps.0) {
            return Ok(());
        }
        let counted = |source: &Source<'_>, (count, all): (usize, bool)| match source.len() {
            Some(known) => known.to_string(),
            None if all => count.to_string(),
            None => format!("{count} or more"),
        };
        let (hyps, refs) = (counted(&self.hyps, hyps), counted(&self.refs, refs));
        let noun = if hyps == "1" { "segment" } else { "segments" };
        let each = match self.how.group {
            1 => String::new(),
            group => format!(" for groups of {group}"),
        };
        let advice = if transposed() {
            ": that is sacreBLEU's [reference][segment] layout; pass refs=truebleu.streams(*refs)"
        } else {
            ""
        };
        let message = format!("hyps has {hyps} {noun}, refs has {refs}{each}{advice}");
        Err(input_error(py, &message))
    }

    /// Number of segments, if it is known before they are read.
    pub fn segments(&self) -> Option<usize> {
        self.hyps.len()
    }

    /// Runs `work` on each part, detached from the interpreter, and gives the result to `sink`.
    /// Results take `bytes` for each segment, which are checked here if the number of
    /// segments is not known before. Returns this number.
    pub fn for_each<T: Send>(
        &self,
        py: Python<'py>,
        bytes: usize,
        work: impl Fn(&Corpus<'_>) -> Result<T, BadSegment> + Sync,
        mut sink: impl FnMut(T, &Corpus<'_>) -> PyResult<()>,
    ) -> PyResult<usize> {
        let (hyps, refs) = (&self.hyps, &self.refs);
        let (how, size) = (&self.how, self.size);
        let mut start = 0;
        loop {
            let parts = (hyps.part(size)?, refs.part(size / how.group)?);
            let (hyp_count, ref_count) = (parts.0.len(), parts.1.len());
            let end = start + hyp_count;
            if start > 0 && (hyp_count, ref_count) == (0, 0) {
                return Ok(end);
            }
            let all_refs = (start / how.group + ref_count, ref_count < size / how.group);
            let transposed = || match &parts.1 {
                Column::Objects(entries) => start == 0 && entries.are_lists_of(hyp_count),
                _ => false,
            };
            self.check_aligned(py, (end, hyp_count < size), all_refs, transposed)?;
            if hyps.len().is_none() {
                // Results of earlier segments may be copied to a larger allocation.
                check_memory(py, bytes.saturating_mul(end + hyp_count))?;
            }
            let corpus = columns::corpus(py, &parts.0, &parts.1, how, start)?;
            let made = detached(py, || work(&corpus))?;
            sink(
                made.map_err(|bad| segment_error(py, bad, &corpus, start))?,
                &corpus,
            )?;
            if hyp_count < size {
                return Ok(end);
            }
            start = end;
            py.check_signals()?;
        }
    }

    /// The sum of the rows that `work` makes of each part.
    pub fn total(
        &self,
        py: Python<'py>,
        width: usize,
        work: impl Fn(&Corpus<'_>) -> Result<Vec<i64>, BadSegment> + Sync,
    ) -> PyResult<Total> {
        let mut total = vec![0; width];
        let (mut fewest, mut most) = (usize::MAX, 0);
        let mut tokenized = false;
        let work = |corpus: &Corpus<'_>| Ok((work(corpus)?, corpus.ref_counts()));
        let segments = self.for_each(py, 0, work, |(row, (least, largest)), corpus| {
            stats::add(&mut total, &row);
            (fewest, most) = (fewest.min(least), most.max(largest));
            tokenized = corpus.is_tokenized();
            Ok(())
        })?;
        Ok((total, segments, (fewest, most), tokenized))
    }

    /// The results of `work` as bytes, `per_segment` values of 8 bytes for each segment.
    pub fn collect<T: Copy + Send>(
        &self,
        py: Python<'py>,
        per_segment: usize,
        work: impl Fn(&Corpus<'_>) -> Result<Vec<T>, BadSegment> + Sync,
        bytes: impl Fn(T) -> [u8; 8],
    ) -> PyResult<Bound<'py, PyByteArray>> {
        let known = per_segment * self.segments().unwrap_or(0);
        check_memory(py, 16 * known)?; // some values exist twice
        let mut out = Filled::new(py, known)?;
        self.for_each(py, 8 * per_segment, work, |values, _| {
            out.add(&values, &bytes)
        })?;
        out.finish()
    }
}

fn segment_error(py: Python<'_>, bad: BadSegment, corpus: &Corpus<'_>, start: usize) -> PyErr {
    let place = match (bad.in_refs, &corpus.bounds) {
        (false, _) => format!("hyps[{}]", start + bad.position),
        (true, bounds) => {
            let entry = bounds.as_ref().map_or(bad.position, |bounds| {
                bounds.partition_point(|&bound| bound <= bad.position) - 1
            });
            format!("refs[{}]", start / corpus.group + entry)
        }
    };
    fault_error(py, bad.fault, &place)
}

/// The error for a segment at `place` that cannot be read.
pub fn fault_error(py: Python<'_>, fault: Fault, place: &str) -> PyErr {
    let message = match fault {
        Fault::Surrogate(code) => format!(
            "{place} holds the lone surrogate U+{code:04X}, which is not a character; decode the text \
             without errors=\"surrogateescape\", or replace it"
        ),
        Fault::NotUtf8(before) => format!(
            "{place} is not UTF-8 from byte {} on; the column was read from a damaged file, or has \
             another encoding",
            before + 1
        ),
        Fault::NegativeId(id) => format!(
            "{place} holds the id {id}; ids are 0 or more (pad_id={id} declares it as padding)"
        ),
        Fault::NoText => {
            format!("{place} holds token ids, but this metric needs text; give strings")
        }
        Fault::OutOfMemory(error) => {
            let text = calls::memory_text(error);
            format!("{place} {text}; split it into segments")
        }
        Fault::TooManyWords(hyp, reference) => format!(
            "{place} has {reference} words and its hypothesis {hyp}; TER compares at most \
             8,192 words with 8,192; split it into segments"
        ),
        Fault::TooLong => format!("{place} is longer than 4 GiB; split it into segments"),
        Fault::References(count) => format!(
            "{place} has {count} references; TER and NIST take at most 22, or a number that divides \
             232,792,560"
        ),
        Fault::NoSource => format!(
            "{place} has no source; iBLEU needs it after the references: \
             refs=truebleu.with_sources(refs, sources)"
        ),
    };
    input_error(py, &message)
}
