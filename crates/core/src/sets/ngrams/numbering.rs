//! Segments as numbers, read one after the other.

use super::Documents;
use crate::columns::views::{Fault, Outcome, Segments};
use crate::count::hyp_len;
use crate::count::vocabulary::{NONE, Vocabulary};
use crate::plan::Plan;
use crate::run::interrupt;
use crate::run::read::{prefetch_after, read};
use crate::simd::{Isa, Task, dispatch};
use crate::tokenize::Tokens;

/// Texts between two checks for interrupts.
const UNCHECKED: usize = 64;

/// Numbers the tokens of segments, which may come in parts. Only the bytes of words without a short
/// key are kept.
#[derive(Debug)]
pub struct Numbering<'a> {
    plan: &'a Plan,
    vocabulary: Vocabulary,
    documents: Documents,
    tokens: Tokens,
}

impl<'a> Numbering<'a> {
    /// A numbering for about this many segments.
    pub fn new(plan: &'a Plan, segments: usize) -> Self {
        Self {
            plan,
            vocabulary: Vocabulary::with_capacity(8 * segments.clamp(64, 2_048)),
            documents: Documents::default(),
            tokens: Tokens::default(),
        }
    }

    pub fn len(&self) -> usize {
        self.documents.len()
    }

    /// The bytes of each token, by its number.
    pub fn words(&self) -> Vec<Vec<u8>> {
        self.vocabulary.words()
    }

    pub fn extend(&mut self, segments: &Segments) -> Outcome {
        dispatch(self.plan.level, Extend(self, segments))
    }

    /// Adds one of some segments.
    #[inline(always)]
    pub fn read<I: Isa>(
        &mut self,
        isa: I,
        segments: &Segments,
        position: usize,
    ) -> Result<(), Fault> {
        let Self {
            plan,
            vocabulary,
            documents,
            tokens,
        } = self;
        if position.is_multiple_of(UNCHECKED) {
            interrupt::check();
        }
        prefetch_after(segments, position);
        read(isa, plan, segments, position, tokens)?;
        let numbers = (0..tokens.len()).map(|i| vocabulary.number(tokens.name(i)));
        documents.tokens.extend(numbers);
        documents.bounds.push(documents.tokens.len());
        documents.hyp_lens.push(hyp_len(&plan.count, tokens));
        Ok(())
    }

    /// The documents, or the number of the first one that exceeds the last position.
    pub fn finish(self) -> Result<Documents, usize> {
        let mut documents = self.documents;
        documents.vocabulary = self.vocabulary.len();
        // Positions are numbers of 32 bits, of which the two largest are reserved.
        let fit = |&bound: &usize| bound < NONE as usize - 1;
        match documents.bounds.partition_point(fit) {
            fitting if fitting < documents.bounds.len() => Err(fitting - 1),
            _ => Ok(documents),
        }
    }
}

struct Extend<'a, 'b>(&'a mut Numbering<'b>, &'a Segments<'a>);

impl Task for Extend<'_, '_> {
    type Output = Outcome;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Self::Output {
        let Self(numbering, segments) = self;
        for position in 0..segments.len() {
            let read = numbering.read(isa, segments, position);
            read.map_err(|fault| fault.at(false, position))?;
        }
        Ok(())
    }
}
