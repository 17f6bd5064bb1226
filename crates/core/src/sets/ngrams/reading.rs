//! Segments as numbers, read by several threads: each numbers the tokens that it meets, and then
//! the numbers of one become those of all.

use std::ops::Range;
use std::sync::{Mutex, OnceLock};
use std::vec;

use super::Documents;
use super::numbering::Numbering;
use crate::columns::views::{BadSegment, Fault, Segments};
use crate::plan::Plan;
use crate::run::interrupt;
use crate::run::parallel::{PARTS_PER_WORKER, Queue, locked};
use crate::simd::{Isa, Task, dispatch};

/// What the threads share.
pub struct Reading<'a> {
    plan: &'a Plan,
    first: &'a Segments<'a>,
    second: Option<&'a Segments<'a>>,
    /// Documents that nobody has begun with: those of `first`, then those of `second`.
    ranges: Queue<vec::IntoIter<Range<usize>>>,
    /// By thread.
    read: Vec<OnceLock<Mutex<Option<Read<'a>>>>>,
    documents: OnceLock<Result<Documents, BadSegment>>,
}

/// What one thread has read.
struct Read<'a> {
    numbering: Numbering<'a>,
    /// Which of all documents these are.
    ranges: Vec<Range<usize>>,
    /// The document that has a fault, after which the thread stopped.
    fault: Option<(usize, Fault)>,
}

impl<'a> Reading<'a> {
    /// Of two columns, for so many threads.
    pub fn new(
        plan: &'a Plan,
        first: &'a Segments<'a>,
        second: Option<&'a Segments<'a>>,
        workers: usize,
    ) -> Self {
        let count = first.len() + second.map_or(0, Segments::len);
        let size = match workers {
            1 => count,
            _ => count.div_ceil(PARTS_PER_WORKER * workers),
        };
        let starts = (0..count).step_by(size.max(1));
        let ranges: Vec<_> = starts.map(|start| start..count.min(start + size)).collect();
        Self {
            plan,
            first,
            second,
            ranges: Queue::new(ranges.into_iter()),
            read: (0..workers).map(|_| OnceLock::new()).collect(),
            documents: OnceLock::new(),
        }
    }

    /// The documents, which all threads read that call this; each has a number of its own.
    pub fn documents(&self, number: usize) -> Result<&Documents, BadSegment> {
        self.read(number);
        let documents = self.documents.get_or_init(|| self.join());
        documents.as_ref().map_err(|bad| *bad)
    }

    /// What a thread has read: all that is left, if it has not begun.
    fn read(&self, number: usize) -> &Mutex<Option<Read<'a>>> {
        self.read[number].get_or_init(|| {
            let reader = Reader {
                reading: self,
                number,
            };
            Mutex::new(Some(dispatch(self.plan.level, reader)))
        })
    }

    /// Waits until all is read, and puts it together.
    fn join(&self) -> Result<Documents, BadSegment> {
        let all: Vec<_> = (0..self.read.len())
            .filter_map(|number| locked(self.read(number)).take())
            .collect();
        // Documents before the first that has a fault are read.
        let faults = all.iter().filter_map(|read| read.fault);
        if let Some((document, fault)) = faults.min_by_key(|&(document, _)| document) {
            return Err(self.bad(document, fault));
        }
        let ranges = all.iter().flat_map(|read| &read.ranges);
        if ranges.map(Range::len).sum::<usize>() < self.len() {
            interrupt::unwind();
        }
        let mut all = all.into_iter();
        let Some(first) = all.next() else {
            return Ok(Documents::default());
        };
        let mut own = first.numbering;
        let others: Vec<_> = all
            .map(|read| (own.renumber(read.numbering), read.ranges))
            .collect();
        if !others.is_empty() {
            let mut parts = vec![(std::mem::take(&mut own.documents), first.ranges)];
            parts.extend(others);
            own.documents = in_order(&parts);
        }
        own.finish()
            .map_err(|document| self.bad(document, Fault::TooLong))
    }

    /// How many documents there are.
    fn len(&self) -> usize {
        self.first.len() + self.second.map_or(0, Segments::len)
    }

    /// The column of a document, and its place there.
    fn place(&self, document: usize) -> (&'a Segments<'a>, usize) {
        match self.second {
            Some(second) if document >= self.first.len() => (second, document - self.first.len()),
            _ => (self.first, document),
        }
    }

    fn bad(&self, document: usize, fault: Fault) -> BadSegment {
        BadSegment {
            fault,
            in_refs: document >= self.first.len(),
            position: self.place(document).1,
        }
    }
}

/// What several threads have read, one document behind the other.
fn in_order(all: &[(Documents, Vec<Range<usize>>)]) -> Documents {
    let mut parts = Vec::new();
    for (read, ranges) in all {
        let mut first = 0;
        for range in ranges {
            parts.push((range.start, read, first..first + range.len()));
            first += range.len();
        }
    }
    parts.sort_unstable_by_key(|&(start, ..)| start);
    let mut documents = Documents::default();
    let tokens = all.iter().map(|(read, _)| read.tokens.len());
    documents.tokens.reserve(tokens.sum());
    for (_, part, range) in parts {
        let (before, start) = (part.bounds[range.start], documents.tokens.len());
        let bounds = &part.bounds[range.start + 1..=range.end];
        documents
            .bounds
            .extend(bounds.iter().map(|bound| bound - before + start));
        documents
            .tokens
            .extend_from_slice(&part.tokens[before..part.bounds[range.end]]);
        documents.hyp_lens.extend_from_slice(&part.hyp_lens[range]);
    }
    documents
}

/// Reads some of the documents.
struct Reader<'a, 'b> {
    reading: &'b Reading<'a>,
    number: usize,
}

impl<'a> Task for Reader<'a, '_> {
    type Output = Read<'a>;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Read<'a> {
        let Self { reading, number } = self;
        let plan = reading.plan;
        let count = reading.len();
        // The first has those of the others in the end.
        let share = if number == 0 { 1 } else { reading.read.len() };
        let mut own = Read {
            numbering: Numbering::new(plan, count / share),
            ranges: Vec::new(),
            fault: None,
        };
        let next = || match number % 2 {
            0 => reading.ranges.next(),
            _ => reading.ranges.next_back(),
        };
        while let Some(range) = next() {
            for document in range.clone() {
                let (segments, position) = reading.place(document);
                if let Err(fault) = own.numbering.read(isa, segments, position) {
                    own.fault = Some((document, fault));
                    return own;
                }
            }
            own.ranges.push(range);
        }
        own
    }
}
