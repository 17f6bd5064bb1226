//! Segments as numbers, read one after the other.

use super::vocabulary::Vocabulary;
use super::{Documents, NONE};
use crate::columns::views::{BadSegment, Fault, Segments};
use crate::count::hyp_len;
use crate::plan::Plan;
use crate::run::interrupt;
use crate::run::read::{prefetch_next, read};
use crate::simd::{Isa, Task, dispatch};
use crate::tokenize::Tokens;

/// How many texts ahead of the one being read memory is asked for the next.
const AHEAD: usize = 8;
/// Texts between two checks for interrupts.
const UNCHECKED: usize = 64;

/// Numbers for the tokens of segments, which may come in parts: nothing of a text is kept but the
/// bytes of words that have no short key.
#[derive(Debug)]
pub struct Numbering<'a> {
    plan: &'a Plan,
    vocabulary: Vocabulary<'a>,
    pub(super) documents: Documents,
    tokens: Tokens,
}

impl<'a> Numbering<'a> {
    /// One for about so many segments.
    pub fn new(plan: &'a Plan, segments: usize) -> Self {
        Self {
            plan,
            vocabulary: Vocabulary::new(&plan.seed, segments),
            documents: Documents::default(),
            tokens: Tokens::default(),
        }
    }

    /// How many documents there are so far.
    pub fn len(&self) -> usize {
        self.documents.len()
    }

    /// Reads all of some segments, behind those before.
    pub fn extend(&mut self, segments: &Segments) -> Result<(), BadSegment> {
        let numbering = self;
        dispatch(
            numbering.plan.level,
            Extend {
                numbering,
                segments,
            },
        )
    }

    /// Reads one of some segments.
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
        prefetch_next(segments, position + AHEAD..position + AHEAD + 1);
        read(isa, plan, segments, position, tokens)?;
        tokens.widen(); // ids are numbered by their keys, as words are
        vocabulary.number(tokens, &mut documents.tokens);
        documents.bounds.push(documents.tokens.len());
        documents.hyp_lens.push(hyp_len(&plan.count, tokens));
        Ok(())
    }

    /// Gives the tokens of another numbering the numbers that they have here.
    pub fn renumber(&mut self, other: Self) -> Documents {
        let numbers = self.vocabulary.number_all(&other.vocabulary);
        let mut documents = other.documents;
        for token in &mut documents.tokens {
            *token = numbers[*token as usize];
        }
        documents
    }

    /// The documents, or the first that is behind the last position.
    pub fn finish(self) -> Result<Documents, usize> {
        let Self {
            vocabulary,
            mut documents,
            ..
        } = self;
        documents.vocabulary = vocabulary.len();
        // Positions are numbers of 32 bits, of which the largest two are none.
        let fit = |&bound: &usize| bound < NONE as usize - 1;
        match documents.bounds.partition_point(fit) {
            fitting if fitting < documents.bounds.len() => Err(fitting - 1),
            _ => Ok(documents),
        }
    }
}

struct Extend<'a, 'b> {
    numbering: &'a mut Numbering<'b>,
    segments: &'a Segments<'a>,
}

impl Task for Extend<'_, '_> {
    type Output = Result<(), BadSegment>;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Self::Output {
        for position in 0..self.segments.len() {
            self.numbering
                .read(isa, self.segments, position)
                .map_err(|fault| BadSegment {
                    fault,
                    in_refs: false,
                    position,
                })?;
        }
        Ok(())
    }
}
