//! One order after the other: which n-grams occur in two segments or more.

use std::ops::Range;

use super::{Documents, NONE};
use crate::room;
use crate::stop::did;
use crate::tokenize::Seed;

/// Slots of a table that stays in the cache of a core: 256 KiB.
const CACHED: usize = 1 << 14;
/// Most parts that n-grams are dealt to; each is written at an end of its own.
const PARTS: usize = 1 << 8;

/// Bytes that a token takes: cells, repeats, next, dealt and, at most, slots.
const PER_TOKEN: usize = 96;

/// The feature of an n-gram that has occurred in its document more often than in any that is
/// entered.
const LOST: u32 = NONE - 1;

/// An n-gram in the table: the pair that names it, then its first position plus 1 (0 if the slot
/// is empty) and, above, the last position so far.
type Slot = [u64; 2];

/// The features of one order after the other, by the position at which their n-gram begins.
///
/// An n-gram is named by the position at which it occurred first, if it occurs again; an n-gram
/// that holds one without a name occurs once too, and is not looked up: of a corpus, that is most.
/// Those that are looked up are dealt to parts by their hashes first, so that the table of each
/// part is small: waiting for memory took half of the time.
#[derive(Debug)]
pub struct Shared<'a> {
    documents: &'a Documents,
    seed: &'a Seed,
    /// So many documents, from the first on, have their n-grams entered; the others are compared
    /// with those.
    entered: usize,
    order: usize,
    /// By position: the name of the n-gram, or NONE if it occurs nowhere else, and its feature, or
    /// NONE if no other document has it. Side by side, as they are written together.
    cells: Vec<[u32; 2]>,
    /// By position: the feature of an n-gram that has occurred in the document before, or LOST.
    /// NONE says that this is the first time.
    repeats: Vec<u32>,
    /// By feature: where the same n-gram came first as the next occurrence in a document.
    next: Vec<u32>,
    /// The n-grams to look up, part by part.
    dealt: Vec<Gram>,
    slots: Vec<Slot>,
}

/// An n-gram to look up.
#[derive(Clone, Copy, Debug, Default)]
struct Gram {
    pair: u64,
    position: u32,
    /// Where its document begins.
    begin: u32,
}

impl<'a> Shared<'a> {
    pub fn new(documents: &'a Documents, seed: &'a Seed, entered: usize) -> Self {
        let positions = documents.tokens.len();
        room::make(PER_TOKEN * positions);
        Self {
            documents,
            seed,
            entered,
            order: 0,
            cells: vec![[NONE; 2]; positions],
            repeats: vec![NONE; positions],
            next: vec![NONE; positions],
            dealt: Vec::new(),
            slots: Vec::new(),
        }
    }

    /// For each position of a document the feature whose n-gram begins there, if another document
    /// has it too: the position at which it came first; else NONE.
    #[inline(always)]
    pub fn features(&self, document: usize) -> impl Iterator<Item = u32> {
        let bounds = self.documents.bounds[document]..self.documents.bounds[document + 1];
        self.cells[bounds].iter().map(|cell| cell[1])
    }

    /// Those of all documents, one behind the other.
    pub fn all_features(&self) -> Vec<u32> {
        self.cells.iter().map(|cell| cell[1]).collect()
    }

    /// Goes on to the next order; the first call to order 1.
    #[inline(always)]
    pub fn advance(&mut self) {
        self.order += 1;
        if self.order == 1 {
            self.look_up_tokens();
            return;
        }
        let parts = self.deal();
        self.cells.fill([NONE; 2]);
        self.repeats.fill(NONE);
        self.next.fill(NONE);
        let end = self.documents.bounds[self.entered] as u32;
        for part in parts {
            // A search ends at an empty slot, of which there is one at least.
            let entered = self.dealt[part.clone()].partition_point(|gram| gram.position < end);
            did(16 * part.len());
            let room = (entered + entered / 4 + 1).next_power_of_two();
            self.slots.clear();
            self.slots.resize(room, [0; 2]);
            for i in part {
                let gram = self.dealt[i];
                let slot = self.seed.of_pair(gram.pair) as usize & (room - 1);
                self.look_up(gram, slot, gram.position < end);
            }
        }
    }

    /// Single tokens, whose numbers are slots.
    #[inline(always)]
    fn look_up_tokens(&mut self) {
        let documents = self.documents;
        self.slots.resize(documents.vocabulary, [0; 2]);
        for (document, bounds) in documents.bounds.windows(2).enumerate() {
            let tokens = &documents.tokens[bounds[0]..bounds[1]];
            did(16 * tokens.len());
            for (position, &token) in (bounds[0] as u32..).zip(tokens) {
                let gram = Gram {
                    pair: u64::from(token),
                    position,
                    begin: bounds[0] as u32,
                };
                self.look_up(gram, token as usize, document < self.entered);
            }
        }
    }

    /// Deals out the n-grams that may occur twice; returns where each part is.
    #[inline(always)]
    fn deal(&mut self) -> Vec<Range<usize>> {
        let parts = (self.cells.len() / CACHED)
            .clamp(1, PARTS)
            .next_power_of_two();
        let part_of = |pair| (self.seed.of_pair(pair) >> 32) as usize & (parts - 1);
        let mut counts = vec![0; parts];
        if parts == 1 {
            counts[0] = self.cells.len(); // as good as a pass that counts
        } else {
            self.for_each_gram(|gram, known| counts[part_of(gram.pair)] += usize::from(known));
        }
        let mut starts = Vec::with_capacity(parts);
        let mut start = 0;
        for count in counts {
            starts.push(start);
            start += count + 1; // each is written one gram too far
        }
        let mut dealt = std::mem::take(&mut self.dealt);
        if dealt.len() < start {
            dealt = vec![Gram::default(); start];
        }
        let mut ends = starts.clone();
        self.for_each_gram(|gram, known| {
            let end = &mut ends[part_of(gram.pair)];
            dealt[*end] = gram;
            *end += usize::from(known);
        });
        self.dealt = dealt;
        starts
            .into_iter()
            .zip(ends)
            .map(|(start, end)| start..end)
            .collect()
    }

    /// Calls `take` with each n-gram and whether the two that are one token shorter have names. No
    /// branch, because that is hard to foretell.
    #[inline(always)]
    fn for_each_gram(&self, mut take: impl FnMut(Gram, bool)) {
        for bounds in self.documents.bounds.windows(2) {
            let (begin, end) = (bounds[0], bounds[1]);
            if end - begin < self.order {
                continue;
            }
            did(4 * (end - begin));
            let cells = self.cells[begin..=end + 1 - self.order].windows(2);
            let last_tokens = &self.documents.tokens[begin + self.order - 1..end];
            for (position, (cells, &token)) in (begin as u32..).zip(cells.zip(last_tokens)) {
                let [name, next] = [cells[0][0], cells[1][0]];
                let gram = Gram {
                    pair: u64::from(name) << 32 | u64::from(token),
                    position,
                    begin: begin as u32,
                };
                take(gram, name.max(next) != NONE); // the largest number is NONE
            }
        }
    }

    #[inline(always)]
    fn look_up(&mut self, gram: Gram, slot: usize, enter: bool) {
        let mask = self.slots.len() - 1;
        let position = gram.position as usize;
        let mut at = slot;
        loop {
            let [pair, occurred] = self.slots[at];
            if occurred == 0 {
                if enter {
                    let place = u64::from(gram.position);
                    self.slots[at] = [gram.pair, place << 32 | (place + 1)];
                }
                return;
            }
            if pair == gram.pair {
                break;
            }
            at = (at + 1) & mask;
        }
        let occurred = self.slots[at][1];
        let (first, recent) = (occurred as u32 - 1, (occurred >> 32) as u32);
        self.slots[at][1] = u64::from(gram.position) << 32 | u64::from(first + 1);
        if recent < gram.begin {
            // The first time in this document.
            self.cells[first as usize] = [first; 2];
            self.cells[position] = [first; 2];
        } else {
            self.cells[first as usize][0] = first;
            self.cells[position][0] = first;
            self.repeat(first, recent as usize, gram.position, enter);
        }
    }

    /// The n-gram that came first at `first` has occurred in this document before, last at `recent`.
    #[inline(always)]
    fn repeat(&mut self, first: u32, recent: usize, position: u32, enter: bool) {
        let before = match self.repeats[recent] {
            NONE => first,
            feature => feature,
        };
        let feature = match self.next.get(before as usize) {
            Some(&NONE) if enter => {
                self.next[before as usize] = position;
                self.repeats[position as usize] = position;
                return;
            }
            None | Some(&NONE) => LOST,
            Some(&next) => next,
        };
        self.repeats[position as usize] = feature;
        if feature != LOST {
            self.cells[feature as usize][1] = feature;
            self.cells[position as usize][1] = feature;
        }
    }
}
