//! Reads long columns a few thousand segments at a time: texts that the interpreter touched are
//! still in the processor's cache when the kernel reads them, and memory does not grow with the
//! column. With several threads, this one reads on while the others count, and counts when enough
//! is read.

use std::collections::VecDeque;
use std::rc::Rc;
use std::sync::Arc;

use pyo3::exceptions::PyException;
use pyo3::prelude::*;
use truebleu_core::columns::views::{BadSegment, Corpus, Fault};
use truebleu_core::run::{interrupt, parallel};
use truebleu_core::stats;

use crate::buffers::{Bytes, Filled};
use crate::calls::{self, check_memory, detached, interruptible_by_signals};
use crate::columns::{self, Column, How, Source};
use crate::input_error;
use crate::line::{Closing, Line};

/// Segments at a time for each thread: 4 ms of work. Detaching from the interpreter takes far less.
const SEGMENTS: usize = 1 << 13;

/// Segments at a time where threads share the parts of a column: at its end, a thread waits for half
/// a part.
const SHARED: usize = 1 << 9;

/// Parts for each thread that this one reads before it counts. Where other threads run Python code,
/// it waits up to 5 ms for the interpreter each time; with more parts, texts leave the cache.
const AHEAD: usize = 4;

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
    threads: usize,
    /// Whether each thread takes parts; else all share each part.
    shared: bool,
}

/// Segments as the kernel reads them.
struct Part<'py> {
    /// A view of the columns.
    corpus: Arc<Corpus<'py>>,
    /// The position of the first segment.
    start: usize,
    _columns: Rc<(Column<'py>, Column<'py>)>,
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
        let most = SEGMENTS.saturating_mul(threads);
        let has_parts = hyps.has_parts() && refs.has_parts();
        let shared = has_parts && threads > 1 && hyps.len().is_some_and(|len| len > most);
        let size = match (has_parts, shared) {
            (false, _) => usize::MAX,
            (true, false) => most,
            (true, true) => SHARED,
        };
        let chunks = Self {
            hyps,
            refs,
            size: (size / how.group).max(1) * how.group,
            how,
            threads,
            shared,
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

    /// The part that begins at segment `start`, and whether it is the last; `None` if there is none.
    /// Results take `bytes` for each segment, which are checked here if the number of segments is not
    /// known before.
    fn part(
        &self,
        py: Python<'py>,
        bytes: usize,
        start: usize,
    ) -> PyResult<Option<(Part<'py>, bool)>> {
        let (hyps, refs) = (&self.hyps, &self.refs);
        let (how, size) = (&self.how, self.size);
        let columns = Rc::new((hyps.part(size)?, refs.part(size / how.group)?));
        let (hyp_count, ref_count) = (columns.0.len(), columns.1.len());
        let end = start + hyp_count;
        if (hyp_count, ref_count) == (0, 0) {
            return Ok(None);
        }
        let all_refs = (start / how.group + ref_count, ref_count < size / how.group);
        let transposed = || match &columns.1 {
            Column::Objects(entries) => start == 0 && entries.are_lists_of(hyp_count),
            _ => false,
        };
        self.check_aligned(py, (end, hyp_count < size), all_refs, transposed)?;
        if hyps.len().is_none() {
            // Results of earlier segments may be copied to a larger allocation.
            check_memory(py, bytes.saturating_mul(end + hyp_count))?;
        }
        // SAFETY: the columns live unchanged until the part is dropped, which is after its views: a
        // thread drops its own before it gives a result, or before the scope of threads ends.
        let (hyps, refs) = unsafe { &*Rc::as_ptr(&columns) };
        let part = Part {
            corpus: Arc::new(columns::corpus(py, hyps, refs, how, start)?),
            start,
            _columns: columns,
        };
        Ok(Some((part, hyp_count < size)))
    }

    /// Runs `work` on each part, detached from the interpreter, with the number of threads to use for
    /// it, and gives the results to `sink`, in order. `bytes` are those of [`Self::part`]. Returns the
    /// number of segments.
    pub fn for_each<T: Send>(
        &self,
        py: Python<'py>,
        bytes: usize,
        work: impl Fn(&Corpus<'_>, usize) -> Result<T, BadSegment> + Sync,
        mut sink: impl FnMut(T, &Corpus<'_>) -> PyResult<()>,
    ) -> PyResult<usize> {
        if self.shared {
            return self.for_each_shared(py, bytes, &work, &mut sink);
        }
        let (threads, mut end) = (self.threads, 0);
        while let Some((part, last)) = self.part(py, bytes, end)? {
            let corpus = &*part.corpus;
            let made = detached(py, || work(corpus, threads))?;
            sink(
                made.map_err(|bad| segment_error(py, bad, corpus, part.start))?,
                corpus,
            )?;
            end += corpus.len();
            if last {
                break;
            }
            py.check_signals()?;
        }
        Ok(end)
    }

    /// The same where each thread takes parts.
    fn for_each_shared<T: Send>(
        &self,
        py: Python<'py>,
        bytes: usize,
        work: &(impl Fn(&Corpus<'_>, usize) -> Result<T, BadSegment> + Sync),
        sink: &mut impl FnMut(T, &Corpus<'_>) -> PyResult<()>,
    ) -> PyResult<usize> {
        // Outlives the threads, which have views of its parts.
        let mut parts = VecDeque::new();
        let line = Line::new();
        let count = |(number, corpus): (usize, Arc<Corpus<'_>>)| {
            let result = work(&corpus, 1);
            drop(corpus);
            line.finish(number, result);
        };
        let mut outcome = Ok(0);
        let caller = |wait: &mut (dyn FnMut() + Send)| {
            {
                let _closing = Closing(&line);
                outcome = self.feed(py, bytes, &line, &mut parts, &count, sink);
                if outcome.is_err() {
                    interrupt::stop(); // no one needs what the others do
                }
            }
            py.detach(wait);
        };
        let worker = |_| {
            let _closing = Closing(&line);
            while let Some(taken) = line.take_later() {
                count(taken);
            }
        };
        let run = || parallel::run_beside(self.threads, caller, worker);
        let ended = interruptible_by_signals(py, run);
        let segments = outcome?;
        ended.map(|()| segments)
    }

    /// Reads parts into the line, counts some, and gives all results to `sink`.
    fn feed<T: Send>(
        &self,
        py: Python<'py>,
        bytes: usize,
        line: &Line<Arc<Corpus<'py>>, Result<T, BadSegment>>,
        parts: &mut VecDeque<Part<'py>>,
        count: &(impl Fn((usize, Arc<Corpus<'py>>)) + Sync),
        sink: &mut impl FnMut(T, &Corpus<'_>) -> PyResult<()>,
    ) -> PyResult<usize> {
        // While this thread counts a part, each other one ends a part and takes another.
        let (few, many) = (2 * self.threads - 1, AHEAD * self.threads);
        let (mut first, mut next, mut end, mut over) = (0, 0, 0, None);
        loop {
            while let Some(result) = line.result(first)
                && let Some(part) = parts.front()
            {
                let made =
                    result.map_err(|bad| segment_error(py, bad, &part.corpus, part.start))?;
                sink(made, &part.corpus)?;
                parts.pop_front();
                first += 1;
            }
            if over.is_some() && parts.is_empty() {
                return over.unwrap_or(Ok(())).map(|()| end);
            }
            py.check_signals()?;
            // Where a part takes long, those after it are done; memory does not grow with them.
            let is_full = |parts: &VecDeque<_>| parts.len() >= 4 * many;
            while over.is_none() && line.len() < many && !is_full(parts) {
                match self.part(py, bytes, end) {
                    Ok(Some((part, last))) => {
                        if !line.put(next, Arc::clone(&part.corpus)) {
                            return Ok(end); // a thread panicked, which goes on in this one
                        }
                        (next, end) = (next + 1, end + part.corpus.len());
                        over = last.then_some(Ok(()));
                        parts.push_back(part);
                    }
                    Ok(None) => over = Some(Ok(())),
                    Err(error) if error.is_instance_of::<PyException>(py) => {
                        over = Some(Err(error)); // unless a segment before it cannot be counted
                    }
                    Err(error) => return Err(error),
                }
            }
            let all = !parts.is_empty() && (over.is_some() || is_full(parts));
            let goes_on = py.detach(|| {
                while (all || line.len() >= few)
                    && let Some(taken) = line.take()
                {
                    count(taken);
                }
                !all || line.wait(first)
            });
            if !goes_on {
                return Ok(end); // a thread panicked, which goes on in this one
            }
        }
    }

    /// The sum of the rows that `work` makes of each part.
    pub fn total(
        &self,
        py: Python<'py>,
        width: usize,
        work: impl Fn(&Corpus<'_>, usize) -> Result<Vec<i64>, BadSegment> + Sync,
    ) -> PyResult<Total> {
        let mut total = vec![0; width];
        let (mut fewest, mut most) = (usize::MAX, 0);
        let mut tokenized = false;
        let work =
            |corpus: &Corpus<'_>, threads: usize| Ok((work(corpus, threads)?, corpus.ref_counts()));
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
        work: impl Fn(&Corpus<'_>, usize) -> Result<Vec<T>, BadSegment> + Sync,
        bytes: impl Fn(T) -> [u8; 8],
    ) -> Bytes<'py> {
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
    let place = if bad.in_refs {
        let entry = corpus.bounds.as_ref().map_or(bad.position, |bounds| {
            bounds.partition_point(|&bound| bound <= bad.position) - 1
        });
        format!("refs[{}]", start / corpus.group + entry)
    } else {
        format!("hyps[{}]", start + bad.position)
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
    };
    input_error(py, &message)
}
