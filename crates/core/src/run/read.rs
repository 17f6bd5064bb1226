//! Reads a segment and its references into reused buffers.

use std::cell::Cell;
use std::ops::Range;

use crate::columns::views::{Corpus, Fault, Outcome, Segments};
use crate::count::Counter;
use crate::normalize::{LowercaseWhen, normalize};
use crate::plan::{LengthUnit, Plan};
use crate::run::{interrupt, memory};
use crate::simd::{Isa, Task, prefetch};
use crate::tokenize::Tokens;

thread_local! {
    /// Buffers of the last batch on this thread: new ones take as long as scoring a sentence.
    static KEPT: Cell<Option<Box<SegmentBuffers>>> = const { Cell::new(None) };
}

/// Size of a segment above which its memory is not kept, and interrupts are checked.
const LARGE: usize = 1 << 14;

/// Buffers for one segment after the other.
#[derive(Default)]
pub(crate) struct SegmentBuffers {
    pub hyp: Tokens,
    pub refs: Vec<Tokens>,
    pub counter: Counter,
}

impl SegmentBuffers {
    /// The buffers of the last batch, or new ones.
    pub fn take() -> Box<Self> {
        KEPT.take().unwrap_or_default()
    }

    /// Keeps the buffers for the next batch, unless a segment made them large.
    pub fn keep(self: Box<Self>) {
        let large = |tokens: &Tokens| tokens.capacity() > LARGE;
        if !large(&self.hyp) && self.refs.len() <= 64 && !self.refs.iter().any(large) {
            KEPT.set(Some(self));
        }
    }
}

/// Most bytes of memory for a byte of text, a word or an id: its position (8), its key (20) and its
/// slot in a table.
const PER_ITEM: usize = 48;

/// The most references of a segment of which each keeps its reserved places.
const MANY: usize = 1_024;

/// How many segments before it is read a text is prefetched: to read these takes as long as memory.
const AHEAD: usize = 16;

/// Prefetches a text or ids that are read soon after `position`: they are scattered over memory, and
/// waiting for each takes longer than scoring it.
#[inline(always)]
pub(crate) fn prefetch_after(segments: &Segments, position: usize) {
    match segments {
        Segments::Texts(texts) => {
            if let Some(text) = texts.get(position + AHEAD) {
                prefetch(text.address());
                prefetch(text.address().wrapping_add(128));
            }
        }
        Segments::Ids { rows, .. } => {
            if let Some(row) = rows.get(position + AHEAD) {
                for line in 0..row.bytes().min(LARGE).div_ceil(128) {
                    prefetch(row.address().wrapping_add(128 * line));
                }
            }
        }
        Segments::Words { .. } => {}
    }
}

/// Bytes of texts that are read together: their tokens stay in the nearest cache.
const TOGETHER: usize = 4 << 10;

/// Reads pairs of a corpus one after the other.
pub(crate) struct Pairs<'a> {
    plan: &'a Plan,
    corpus: &'a Corpus<'a>,
    /// Whether texts can be read together: where segments do not share references.
    together: bool,
    /// Pairs that were read and not given.
    ahead: usize,
    /// The positions of the references that were read last.
    present: Range<usize>,
}

impl<'a> Pairs<'a> {
    pub fn new(plan: &'a Plan, corpus: &'a Corpus<'a>) -> Self {
        let are_texts = |column: &Segments| matches!(column, Segments::Texts(_));
        let together = plan.reads_several()
            && corpus.group == 1
            && are_texts(&corpus.hyps)
            && are_texts(&corpus.refs);
        Self {
            plan,
            corpus,
            together,
            ahead: 0,
            present: 0..0,
        }
    }

    /// Reads the hypothesis of a segment and its references, which it returns. The segments up to
    /// `end` come next.
    #[inline(always)]
    pub fn read<'r, I: Isa>(
        &mut self,
        isa: I,
        segment: usize,
        end: usize,
        hyp: &mut Tokens,
        refs: &'r mut Vec<Tokens>,
    ) -> Outcome<&'r [Tokens]> {
        let positions = self.corpus.references(segment);
        let count = positions.len();
        if self.together {
            if self.ahead == 0 {
                self.ahead = isa.apart(ReadAhead {
                    plan: self.plan,
                    corpus: self.corpus,
                    segments: segment..end,
                    hyp,
                    refs,
                })?;
            }
            self.ahead -= 1;
            hyp.advance();
            for tokens in &mut refs[..count] {
                tokens.advance();
            }
            return Ok(&refs[..count]);
        }
        let Self { plan, corpus, .. } = *self;
        prefetch_after(&corpus.hyps, segment);
        prefetch_after(&corpus.refs, positions.start);
        isa.apart(ReadOne(plan, &corpus.hyps, segment, hyp))
            .map_err(|fault| fault.at(false, segment))?;
        if positions != self.present {
            if refs.len() < count {
                refs.resize_with(count, Tokens::default);
            }
            for (position, tokens) in positions.clone().zip(refs.iter_mut()) {
                isa.apart(ReadOne(plan, &corpus.refs, position, tokens))
                    .map_err(|fault| fault.at(true, position))?;
                if count > MANY {
                    tokens.shrink();
                }
            }
            self.present = positions;
            if count > 64 {
                interrupt::check();
            }
        }
        let refs = &mut refs[..count];
        if !hyp.tags_are_exact() || !refs.iter().all(Tokens::tags_are_exact) {
            hyp.complete_keys();
            refs.iter_mut().for_each(Tokens::complete_keys);
        }
        Ok(refs)
    }
}

/// Reads the first of the segments, and as many as are read together; returns their number. A function
/// of its own, and so is that for one text: they are long, and each metric has them.
struct ReadAhead<'r, 'a> {
    plan: &'a Plan,
    corpus: &'a Corpus<'a>,
    segments: Range<usize>,
    hyp: &'r mut Tokens,
    refs: &'r mut Vec<Tokens>,
}

impl Task for ReadAhead<'_, '_> {
    type Output = Outcome<usize>;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Self::Output {
        let Self {
            plan,
            corpus,
            segments,
            hyp,
            refs,
        } = self;
        let bad = |in_refs, position| move |fault: Fault| fault.at(in_refs, position);
        let first = segments.start;
        let (mut count, mut size, mut most) = (0, 0, 0);
        hyp.line.clear();
        for segment in segments {
            prefetch_after(&corpus.hyps, segment);
            size += append(isa, plan, &corpus.hyps, segment, hyp).map_err(bad(false, segment))?;
            let positions = corpus.references(segment);
            if refs.len() < positions.len() {
                refs.resize_with(positions.len(), Tokens::default);
            }
            while most < positions.len() {
                refs[most].line.clear();
                most += 1;
            }
            for (position, tokens) in positions.clone().zip(refs.iter_mut()) {
                prefetch_after(&corpus.refs, position);
                size += append(isa, plan, &corpus.refs, position, tokens)
                    .map_err(bad(true, position))?;
            }
            if positions.len() > 64 {
                interrupt::check();
            }
            count += 1;
            if size >= TOGETHER {
                break;
            }
        }
        for (i, tokens) in std::iter::once(hyp).chain(&mut refs[..most]).enumerate() {
            tokens.line.seal().map_err(bad(false, first))?;
            plan.tokenizer.split(isa, tokens);
            tokens.make_keys(isa, &plan.seed);
            if i > 0 && most > MANY {
                tokens.shrink();
            }
            tokens.rewind();
        }
        Ok(count)
    }
}

/// Appends a text to those that are read together, and returns its size.
#[inline(always)]
fn append<I: Isa>(
    isa: I,
    plan: &Plan,
    segments: &Segments,
    position: usize,
    tokens: &mut Tokens,
) -> Result<usize, Fault> {
    let Segments::Texts(texts) = segments else {
        return Ok(0);
    };
    let size = check(segments, position)?;
    normalize(isa, &plan.normalize, texts[position], &mut tokens.line)?;
    tokens.line.separate();
    Ok(size)
}

/// The size of a segment, for which there is memory.
#[inline(always)]
fn check(segments: &Segments, position: usize) -> Result<usize, Fault> {
    let size = segments.size_of(position);
    memory::check(PER_ITEM * size)?;
    if size > LARGE {
        interrupt::check();
    }
    Ok(size)
}

/// Normalizes and tokenizes one segment.
#[inline(always)]
pub(crate) fn read<I: Isa>(
    isa: I,
    plan: &Plan,
    segments: &Segments,
    position: usize,
    tokens: &mut Tokens,
) -> Result<(), Fault> {
    isa.apart(ReadOne(plan, segments, position, tokens))?;
    tokens.complete_keys();
    Ok(())
}

struct ReadOne<'a>(&'a Plan, &'a Segments<'a>, usize, &'a mut Tokens);

impl Task for ReadOne<'_> {
    type Output = Result<(), Fault>;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Self::Output {
        let Self(plan, segments, position, tokens) = self;
        check(segments, position)?;
        match segments {
            Segments::Texts(texts) => {
                tokens.line.clear();
                normalize(isa, &plan.normalize, texts[position], &mut tokens.line)?;
                tokens.line.seal()?;
                if plan.count.length_unit == LengthUnit::Characters {
                    tokens.characters = tokens.line.characters();
                }
                plan.tokenizer.split(isa, tokens);
                if plan.normalize.when == LowercaseWhen::After {
                    tokens.join(isa, plan.normalize.case)?;
                    plan.blanks.split(isa, tokens);
                }
            }
            Segments::Words { words, bounds } => {
                let words = words[bounds[position]..bounds[position + 1]]
                    .iter()
                    .copied();
                tokens.read_words(isa, plan.normalize.case, words)?;
                tokens.characters = tokens.line.characters() + tokens.len().saturating_sub(1);
            }
            Segments::Ids { rows, marks } => {
                tokens.read_ids(isa, rows[position], marks)?;
                return Ok(());
            }
        }
        tokens.make_keys(isa, &plan.seed);
        Ok(())
    }
}
