//! Reads a segment and its references into reused buffers.

use std::cell::Cell;
use std::ops::Range;

use crate::columns::views::{BadSegment, Corpus, Fault, Segments};
use crate::count::Counter;
use crate::normalize::normalize;
use crate::plan::{LengthUnit, LowercaseWhen, Plan};
use crate::run::{interrupt, memory};
use crate::simd::{Isa, prefetch};
use crate::tokenize::Tokens;

thread_local! {
    /// Buffers of the last batch on this thread: new ones take as long as scoring a sentence.
    static KEPT: Cell<Option<Box<Buffers>>> = const { Cell::new(None) };
}

/// Size of a segment above which its memory is not kept, and interrupts are checked.
const LARGE: usize = 1 << 14;

/// Buffers for one segment after the other.
#[derive(Default)]
pub(crate) struct Buffers {
    pub hyp: Tokens,
    pub refs: Vec<Tokens>,
    pub counter: Counter,
}

impl Buffers {
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

/// How many segments before it is read a text is prefetched: to read these takes as long as memory.
const AHEAD: usize = 8;

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

/// Reads a hypothesis and its references, which it returns. `present` are the positions of the
/// references in `refs`.
#[inline(always)]
pub(crate) fn read_pair<'a, I: Isa>(
    isa: I,
    plan: &Plan,
    corpus: &Corpus,
    segment: usize,
    present: &mut Range<usize>,
    hyp: &mut Tokens,
    refs: &'a mut Vec<Tokens>,
) -> Result<&'a [Tokens], BadSegment> {
    let bad = |in_refs, position| move |fault: Fault| fault.at(in_refs, position);
    read(isa, plan, &corpus.hyps, segment, hyp).map_err(bad(false, segment))?;
    let positions = corpus.references(segment);
    let count = positions.len();
    if positions != *present {
        if refs.len() < count {
            refs.resize_with(count, Tokens::default);
        }
        for (position, tokens) in positions.clone().zip(refs.iter_mut()) {
            read(isa, plan, &corpus.refs, position, tokens).map_err(bad(true, position))?;
        }
        *present = positions;
        if count > 64 {
            interrupt::check();
        }
    }
    Ok(&refs[..count])
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
    let size = segments.size_of(position);
    memory::check(PER_ITEM * size)?;
    if size > LARGE {
        interrupt::check();
    }
    match segments {
        Segments::Texts(texts) => {
            normalize(isa, &plan.normalize, texts[position], &mut tokens.line)?;
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
