//! The n-grams that segments share, found over a whole set of segments at once.
//!
//! A token is identified by its bytes, and an n-gram by the pair (its first n - 1 tokens, its last
//! token), so that nothing is identified by a hash. A *feature* is an n-gram together with how
//! often it has occurred in its segment: "the second `of the`". Two segments share as many n-grams,
//! clipped, as they share features: `min(a, b)` is the number of `k` with `k <= a` and `k <= b`.

mod shared;
mod vocabulary;

pub use shared::Shared;

use crate::count::hyp_len;
use crate::plan::Plan;
use crate::read::{prefetch_next, read};
use crate::simd::{Isa, Task, dispatch};
use crate::stop::did;
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
    ) -> Result<Self, BadSegment> {
        dispatch(
            plan.level,
            Read {
                plan,
                columns: [Some(first), second],
            },
        )
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

struct Read<'a> {
    plan: &'a Plan,
    columns: [Option<&'a Segments<'a>>; 2],
}

impl Task for Read<'_> {
    type Output = Result<Documents, BadSegment>;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Self::Output {
        let Self { plan, columns } = self;
        let count = columns.iter().flatten().map(|column| column.len()).sum();
        let mut vocabulary = Vocabulary::new(&plan.seed, count);
        let mut tokens = Tokens::default();
        let mut numbers = Vec::new();
        let mut bounds = vec![0];
        let mut hyp_lens = Vec::new();
        for (column, segments) in columns.into_iter().enumerate() {
            for position in 0..segments.map_or(0, Segments::len) {
                let Some(segments) = segments else { break };
                prefetch_next(segments, position + AHEAD..position + AHEAD + 1);
                let bad = |fault| BadSegment {
                    fault,
                    in_refs: column == 1,
                    position,
                };
                read(isa, plan, segments, position, &mut tokens).map_err(bad)?;
                tokens.widen(); // ids are numbered by their keys, as words are
                vocabulary.number(&tokens, &mut numbers);
                did(32 * tokens.len());
                // Positions are numbers of 32 bits, of which the largest two are none.
                if numbers.len() >= NONE as usize - 1 {
                    return Err(bad(Fault::TooLong));
                }
                bounds.push(numbers.len());
                hyp_lens.push(hyp_len(&plan.count, &tokens));
            }
        }
        Ok(Documents {
            tokens: numbers,
            bounds,
            hyp_lens,
            vocabulary: vocabulary.len(),
        })
    }
}

/// How many texts ahead of the one being read memory is asked for the next.
const AHEAD: usize = 8;
