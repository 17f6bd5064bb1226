//! The n-grams that segments share, found over a whole set of segments at once.
//!
//! A token is identified by its bytes, and an n-gram by the pair (its first n - 1 tokens, its last
//! token), so that nothing is identified by a hash. A *feature* is an n-gram together with how
//! often it has occurred in its segment: "the second `of the`". Two segments share as many n-grams,
//! clipped, as they share features: `min(a, b)` is the number of `k` with `k <= a` and `k <= b`.

use std::ops::Range;

mod shared;
mod vocabulary;

pub use shared::Shared;

use crate::count::hyp_len;
use crate::plan::Plan;
use crate::read::{prefetch_next, read};
use crate::shares::share;
use crate::simd::{Isa, Task, dispatch};
use crate::tokenize::Tokens;
use crate::views::{BadSegment, Fault, Segments};
use vocabulary::Vocabulary;

/// No position, no feature.
pub const NONE: u32 = u32::MAX;

/// Segments as numbers.
#[derive(Debug)]
pub struct Documents {
    /// The numbers of all tokens, one segment behind the other.
    pub tokens: Vec<u32>,
    /// Where segments begin and end: segment `i` is `tokens[bounds[i]..bounds[i + 1]]`.
    pub bounds: Vec<usize>,
    /// The length of each segment as a hypothesis.
    pub hyp_lens: Vec<usize>,
    /// How many different tokens there are.
    pub vocabulary: usize,
}

impl Documents {
    /// Reads the segments of both columns, first those of `first`. A fault in `second` is one in
    /// the references.
    pub fn read(
        plan: &Plan,
        first: &Segments,
        second: Option<&Segments>,
        threads: usize,
    ) -> Result<Self, BadSegment> {
        let columns = [Some(first), second];
        let segments = first.len() + second.map_or(0, Segments::len);
        let workers = (segments / SEGMENTS_PER_THREAD).clamp(1, threads.max(1));
        let size = segments.div_ceil(workers).max(1);
        let mut parts: Vec<_> = (0..segments)
            .step_by(size)
            .map(|start| Part::new(plan, start..segments.min(start + size)))
            .collect();
        share(workers, parts.iter_mut(), |part| {
            let task = Read {
                plan,
                columns,
                part,
            };
            dispatch(plan.level, task)
        })?;
        let mut whole = Part::new(plan, 0..0);
        for part in parts {
            whole.append(part).map_err(|place| BadSegment {
                fault: Fault::TooLong,
                in_refs: place >= first.len(),
                position: place.checked_sub(first.len()).unwrap_or(place),
            })?;
        }
        Ok(Self {
            tokens: whole.tokens,
            bounds: whole.bounds,
            hyp_lens: whole.hyp_lens,
            vocabulary: whole.vocabulary.len(),
        })
    }

    pub fn len(&self) -> usize {
        self.hyp_lens.len()
    }

    /// Tokens of a segment.
    #[inline]
    pub fn tokens_of(&self, document: usize) -> usize {
        self.bounds[document + 1] - self.bounds[document]
    }
}

/// Some of the segments, with numbers of their own for the tokens.
struct Part<'a> {
    /// Which they are, counted through both columns.
    segments: Range<usize>,
    tokens: Vec<u32>,
    bounds: Vec<usize>,
    hyp_lens: Vec<usize>,
    vocabulary: Vocabulary<'a>,
}

impl<'a> Part<'a> {
    fn new(plan: &'a Plan, segments: Range<usize>) -> Self {
        Self {
            segments,
            tokens: Vec::new(),
            bounds: vec![0],
            hyp_lens: Vec::new(),
            vocabulary: Vocabulary::new(&plan.seed),
        }
    }

    /// Takes in the segments that come next; the error is the segment at which there are too many
    /// tokens.
    fn append(&mut self, next: Self) -> Result<(), usize> {
        // Positions are numbers of 32 bits, of which the largest two are none.
        if self.tokens.len() + next.tokens.len() >= NONE as usize - 1 {
            return Err(next.segments.start);
        }
        if self.tokens.is_empty() && self.hyp_lens.is_empty() {
            *self = next;
            return Ok(());
        }
        let numbers = self.vocabulary.absorb(&next.vocabulary);
        let before = self.tokens.len();
        self.tokens
            .extend(next.tokens.iter().map(|&token| numbers[token as usize]));
        self.bounds
            .extend(next.bounds[1..].iter().map(|bound| before + bound));
        self.hyp_lens.extend(next.hyp_lens);
        Ok(())
    }
}

struct Read<'a, 'p> {
    plan: &'a Plan,
    columns: [Option<&'a Segments<'a>>; 2],
    part: &'a mut Part<'p>,
}

impl Task for Read<'_, '_> {
    type Output = Result<(), BadSegment>;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Self::Output {
        let Self {
            plan,
            columns,
            part,
        } = self;
        let mut tokens = Tokens::default();
        let mut before = 0;
        for (column, segments) in columns.into_iter().enumerate() {
            let Some(segments) = segments else { break };
            let own = |place: usize| place.clamp(before, before + segments.len()) - before;
            for position in own(part.segments.start)..own(part.segments.end) {
                prefetch_next(segments, position + AHEAD..position + AHEAD + 1);
                let bad = |fault| BadSegment {
                    fault,
                    in_refs: column == 1,
                    position,
                };
                read(isa, plan, segments, position, &mut tokens).map_err(bad)?;
                tokens.widen(); // ids are numbered by their keys, as words are
                part.vocabulary.number(&tokens, &mut part.tokens);
                if part.tokens.len() >= NONE as usize - 1 {
                    return Err(bad(Fault::TooLong));
                }
                part.bounds.push(part.tokens.len());
                part.hyp_lens.push(hyp_len(&plan.count, &tokens));
            }
            before += segments.len();
        }
        Ok(())
    }
}

/// Fewest segments that are worth a thread: starting one takes about as long as 100 segments.
const SEGMENTS_PER_THREAD: usize = 400;
/// How many texts ahead of the one being read memory is asked for the next.
const AHEAD: usize = 8;
