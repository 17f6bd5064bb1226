//! Segments as numbers, read by several threads: each numbers the tokens that it meets, and then
//! the numbers of one become those of all.

use std::ops::Range;
use std::sync::Mutex;

use super::vocabulary::Vocabulary;
use super::{Documents, NONE};
use crate::count::hyp_len;
use crate::plan::Plan;
use crate::read::{prefetch_next, read};
use crate::shares::{PARTS_PER_WORKER, Queue};
use crate::simd::{Isa, Task, dispatch};
use crate::stop::{did, give_up};
use crate::tokenize::Tokens;
use crate::views::{BadSegment, Fault, Segments};
use crate::waiting::{Made, locked, wait_until};

/// How many texts ahead of the one being read memory is asked for the next.
const AHEAD: usize = 8;

/// What the threads share.
pub struct Reading<'a> {
    plan: &'a Plan,
    first: &'a Segments<'a>,
    second: Option<&'a Segments<'a>>,
    /// Documents that nobody has begun with: those of `first`, then those of `second`.
    ranges: Queue<Range<usize>>,
    /// By thread.
    read: Vec<Made<Mutex<Option<Read<'a>>>>>,
    documents: Made<Result<Documents, BadSegment>>,
}

/// What one thread has read.
struct Read<'a> {
    vocabulary: Vocabulary<'a>,
    documents: Documents,
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
        Self {
            plan,
            first,
            second,
            ranges: Queue::new(starts.map(|start| start..count.min(start + size))),
            read: (0..workers).map(|_| Made::default()).collect(),
            documents: Made::default(),
        }
    }

    /// The documents, which all threads read that call this; each has a number of its own.
    pub fn documents(&self, number: usize) -> Result<&Documents, BadSegment> {
        self.read(number);
        if number > 0 {
            wait_until(|| self.documents.get().is_some());
        }
        let documents = self.documents.get_or_make(|| self.join());
        documents.as_ref().map_err(|bad| *bad)
    }

    /// What a thread has read: all that is left, if it has not begun.
    fn read(&self, number: usize) -> &Mutex<Option<Read<'a>>> {
        self.read[number].get_or_make(|| {
            let reader = Reader {
                reading: self,
                number,
            };
            Mutex::new(Some(dispatch(self.plan.level, reader)))
        })
    }

    /// Waits until all is read, and puts it together.
    pub(super) fn join(&self) -> Result<Documents, BadSegment> {
        let mut all: Vec<_> = (0..self.read.len())
            .filter_map(|number| locked(self.read(number)).take())
            .collect();
        // Documents before the first that has a fault are read.
        let faults = all.iter().filter_map(|read| read.fault);
        if let Some((document, fault)) = faults.min_by_key(|&(document, _)| document) {
            return Err(self.bad(document, fault));
        }
        let ranges = all.iter().flat_map(|read| &read.ranges);
        if ranges.map(Range::len).sum::<usize>() < self.len() {
            give_up();
        }
        let Some((own, others)) = all.split_first_mut() else {
            return Ok(Documents::default());
        };
        for read in &mut *others {
            let numbers = own.vocabulary.number_all(&read.vocabulary);
            for token in &mut read.documents.tokens {
                *token = numbers[*token as usize];
            }
        }
        let vocabulary = own.vocabulary.len();
        let mut documents = if others.is_empty() {
            std::mem::take(&mut own.documents)
        } else {
            in_order(&all)
        };
        documents.vocabulary = vocabulary;
        // Positions are numbers of 32 bits, of which the largest two are none.
        let fit = |&bound: &usize| bound < NONE as usize - 1;
        match documents.bounds.partition_point(fit) {
            fitting if fitting < documents.bounds.len() => {
                Err(self.bad(fitting - 1, Fault::TooLong))
            }
            _ => Ok(documents),
        }
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
fn in_order(all: &[Read]) -> Documents {
    let mut parts = Vec::new();
    for read in all {
        let mut first = 0;
        for range in &read.ranges {
            parts.push((range.start, read, first..first + range.len()));
            first += range.len();
        }
    }
    parts.sort_unstable_by_key(|&(start, ..)| start);
    let mut documents = Documents::default();
    let tokens = all.iter().map(|read| read.documents.tokens.len());
    documents.tokens.reserve(tokens.sum());
    for (_, read, range) in parts {
        let part = &read.documents;
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
            vocabulary: Vocabulary::new(&plan.seed, count / share),
            documents: Documents::default(),
            ranges: Vec::new(),
            fault: None,
        };
        let mut tokens = Tokens::default();
        while let Some(range) = reading.ranges.next(number % 2 == 1) {
            for document in range.clone() {
                let (segments, position) = reading.place(document);
                prefetch_next(segments, position + AHEAD..position + AHEAD + 1);
                if let Err(fault) = read(isa, plan, segments, position, &mut tokens) {
                    own.fault = Some((document, fault));
                    return own;
                }
                tokens.widen(); // ids are numbered by their keys, as words are
                let documents = &mut own.documents;
                own.vocabulary.number(&tokens, &mut documents.tokens);
                did(32 * tokens.len());
                documents.bounds.push(documents.tokens.len());
                documents.hyp_lens.push(hyp_len(&plan.count, &tokens));
            }
            own.ranges.push(range);
        }
        own
    }
}
