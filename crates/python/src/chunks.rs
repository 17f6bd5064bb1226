//! Long columns, some thousand segments at a time: what the interpreter's side of the work leaves
//! in the processor's cache is still there when the kernel's side begins, and the memory that views
//! take does not grow with the column.

use pyo3::prelude::*;
use truebleu_core::views::{BadSegment, Corpus, Fault};

use crate::calls::{self, detached};
use crate::columns::{self, Column, How, Sliced};
use crate::input_error;

/// Segments at a time for each thread: 4 ms of work, beside which detaching from the interpreter
/// and attaching again are nothing.
const SEGMENTS: usize = 1 << 13;

/// Hypotheses and references, aligned.
pub struct Chunks<'py> {
    parts: Parts<'py>,
    how: How,
    pub segments: usize,
}

enum Parts<'py> {
    /// Columns, and how many segments are taken at a time.
    Sliced(Sliced<'py>, Sliced<'py>, usize),
    Whole(Column<'py>, Column<'py>),
}

impl<'py> Chunks<'py> {
    pub fn new(
        hyps: &Bound<'py, PyAny>,
        refs: &Bound<'py, PyAny>,
        how: How,
        threads: usize,
    ) -> PyResult<Self> {
        let sliced = Sliced::new("hyps", hyps).zip(Sliced::new("refs", refs));
        let (parts, counts) = if let Some((hyps, refs)) = sliced {
            // No group is divided.
            let size = (SEGMENTS.saturating_mul(threads) / how.group).max(1) * how.group;
            let counts = (hyps.len()?, refs.len()?);
            (Parts::Sliced(hyps, refs, size), counts)
        } else {
            let (hyps, refs) = (Column::new("hyps", hyps)?, Column::new("refs", refs)?);
            let counts = (hyps.len(), refs.len());
            (Parts::Whole(hyps, refs), counts)
        };
        let message = match counts {
            (0, _) => "hyps is empty; give one segment at least".to_owned(),
            (hyps, refs) if refs.checked_mul(how.group) != Some(hyps) => {
                let each = if how.group == 1 {
                    String::new()
                } else {
                    format!(" for groups of {}", how.group)
                };
                format!("hyps has {hyps} segments, refs has {refs}{each}")
            }
            (segments, _) => {
                return Ok(Self {
                    parts,
                    how,
                    segments,
                });
            }
        };
        Err(input_error(hyps.py(), &message))
    }

    /// Runs `work` on each part, detached from the interpreter, and gives what it made to `sink`.
    pub fn for_each<T: Send>(
        &self,
        py: Python<'py>,
        work: impl Fn(&Corpus<'_>) -> Result<T, BadSegment> + Sync,
        mut sink: impl FnMut(T, &Corpus<'_>),
    ) -> PyResult<()> {
        let mut run = |corpus: &Corpus<'_>, start| {
            let made = detached(py, || work(corpus))?;
            sink(
                made.map_err(|bad| segment_error(py, bad, corpus, start))?,
                corpus,
            );
            Ok(())
        };
        match &self.parts {
            Parts::Whole(hyps, refs) => run(&columns::corpus(py, hyps, refs, self.how, 0)?, 0),
            Parts::Sliced(hyps, refs, size) => {
                for start in (0..self.segments).step_by(*size) {
                    if start > 0 {
                        py.check_signals()?;
                    }
                    let end = self.segments.min(start.saturating_add(*size));
                    let (first, last) = (start / self.how.group, end / self.how.group);
                    let parts = (hyps.part(start, end)?, refs.part(first, last)?);
                    let corpus = columns::corpus(py, &parts.0, &parts.1, self.how, start)?;
                    run(&corpus, start)?;
                    let rooms = (columns::emptied(corpus.hyps), columns::emptied(corpus.refs));
                    hyps.reuse(parts.0, rooms.0);
                    refs.reuse(parts.1, rooms.1);
                }
                Ok(())
            }
        }
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

/// The error for a text at `place` that cannot be read.
pub fn fault_error(py: Python<'_>, fault: Fault, place: &str) -> PyErr {
    let message = match fault {
        Fault::Surrogate(code) => format!(
            "{place} holds the lone surrogate U+{code:04X}, which is no character; decode the text \
             without errors=\"surrogateescape\", or replace it"
        ),
        Fault::NotUtf8(before) => format!(
            "{place} is not UTF-8 from byte {} on; the column was read from a damaged file, or is \
             of another encoding",
            before + 1
        ),
        Fault::NegativeId(id) => format!(
            "{place} holds the id {id}; ids are 0 or more (pad_id={id} says that it is padding)"
        ),
        Fault::NoText => {
            format!("{place} holds token ids, but this metric reads letters; give strings")
        }
        Fault::NoRoom(no_room) => {
            let needed = calls::needed(no_room);
            format!("{place} {needed}; split it into segments")
        }
        Fault::TooManyWords(hyp, reference) => format!(
            "{place} has {reference} words and its hypothesis {hyp}; TER compares 8,192 words with as \
             many, or fewer with more; split it into segments"
        ),
        Fault::TooLong => format!("{place} is longer than 4 GiB; split it into segments"),
        Fault::References(count) => format!(
            "{place} holds {count} references; the mean of their lengths is exact for up to 22"
        ),
    };
    input_error(py, &message)
}
