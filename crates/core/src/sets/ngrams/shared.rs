//! The n-grams of an order that occur in two segments or more.

use std::ops::Range;

use super::{Documents, NONE};
use crate::run::{interrupt, memory};
use crate::tokenize::Seed;

/// Slots of a table that fits the cache of a core: 256 KiB.
const CACHED: usize = 1 << 14;
/// Most parts of the n-grams; each part is written at its own end.
const PARTS: usize = 1 << 8;

/// Documents between two checks for interrupts.
const UNCHECKED: usize = 1 << 10;

/// Bytes of memory for a token: cells, repeats, next, dealt and, at most, slots.
const PER_TOKEN: usize = 96;

/// The feature of an n-gram that occurs more often in its document than in any entered one.
const LOST: u32 = NONE - 1;

/// An n-gram in the table: the pair that names it, then its first position plus 1 (0 if the slot
/// is empty) and, above, the last position so far.
type Slot = [u64; 2];

/// Finds the n-grams of an order that occur twice.
///
/// An n-gram is identified by the names of the two shorter ones at its start and end. If one of these
/// has no name, the n-gram occurs once and is not looked up, as most of a corpus. The others are first
/// dealt to parts by hash, so that the table of each part is small: waiting for memory took half of
/// the time.
#[derive(Debug)]
pub struct Search<'a> {
    documents: &'a Documents,
    seed: &'a Seed,
    /// The number of documents, from the first on, whose n-grams are entered; the others are
    /// compared with these.
    entered: usize,
    /// By position: the name of the n-gram that begins there, which is the position at which it
    /// came first, or NONE if it occurs nowhere else; and its feature, or NONE if no other document
    /// has it. Side by side, as they are written together.
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
    /// The start of its document.
    begin: u32,
}

/// The order of the names that identify n-grams of `order`: at least half of it. Order 0 stands for
/// none, as tokens have numbers.
pub const fn half(order: usize) -> usize {
    order.next_power_of_two() / 2
}

/// Whether the names of `order` identify n-grams of a higher one, up to `orders`.
pub fn is_needed(order: usize, orders: usize) -> bool {
    order.is_power_of_two() && (2..orders).contains(&order)
}

impl<'a> Search<'a> {
    pub fn new(documents: &'a Documents, seed: &'a Seed, entered: usize) -> Self {
        memory::require(PER_TOKEN * documents.tokens.len());
        Self {
            documents,
            seed,
            entered,
            cells: Vec::new(),
            repeats: Vec::new(),
            next: Vec::new(),
            dealt: Vec::new(),
            slots: Vec::new(),
        }
    }

    /// Finds the n-grams of `order` by the names of the order before, which leave the fewest to look
    /// up.
    #[inline(always)]
    pub fn advance(&mut self, order: usize) {
        if order == 1 {
            self.look_up_tokens();
            return;
        }
        let cells = std::mem::take(&mut self.cells);
        let parts = self.deal(order, order - 1, &cells, |cell| cell[0]);
        self.cells = cells;
        self.look_up_parts(parts);
    }

    /// Finds the n-grams of `order` by `names`, which are those of order [`half`]; the names of single
    /// tokens are their numbers.
    #[inline(always)]
    pub fn find(&mut self, order: usize, names: &[u32]) {
        let parts = match order {
            1 => return self.look_up_tokens(),
            2 => {
                let repeated = self.repeated();
                let name = |token| {
                    if repeated[token as usize] {
                        token
                    } else {
                        NONE
                    }
                };
                self.deal(order, 1, names, name)
            }
            _ => self.deal(order, half(order), names, |name| name),
        };
        self.look_up_parts(parts);
    }

    /// By number of a token, whether it occurs twice. Three of ten pairs have a token that does not.
    fn repeated(&self) -> Vec<bool> {
        let mut occurred = vec![false; self.documents.vocabulary];
        let mut repeated = occurred.clone();
        for &token in &self.documents.tokens {
            repeated[token as usize] |= occurred[token as usize];
            occurred[token as usize] = true;
        }
        repeated
    }

    fn clear(&mut self) {
        let positions = self.documents.tokens.len();
        self.cells.clear();
        self.cells.resize(positions, [NONE; 2]);
        for column in [&mut self.repeats, &mut self.next] {
            interrupt::check(); // 200 MB of positions take 100 ms
            column.clear();
            column.resize(positions, NONE);
        }
    }

    #[inline(always)]
    fn look_up_parts(&mut self, parts: Vec<Range<usize>>) {
        self.clear();
        let end = self.documents.bounds[self.entered] as u32;
        for part in parts {
            // At least one slot is empty, which ends a search.
            let entered = self.dealt[part.clone()].partition_point(|gram| gram.position < end);
            interrupt::check();
            let size = (entered + entered / 4 + 1).next_power_of_two();
            self.slots.clear();
            self.slots.resize(size, [0; 2]);
            for i in part {
                let gram = self.dealt[i];
                let slot = self.seed.of_pair(gram.pair) as usize & (size - 1);
                self.look_up(gram, slot, gram.position < end);
            }
        }
    }

    /// The names of the n-grams, by position.
    pub fn names(&self) -> Vec<u32> {
        self.cells.iter().map(|cell| cell[0]).collect()
    }

    /// For each position of a document the feature whose n-gram begins there, if another document
    /// has it too: the position at which it came first; else NONE.
    #[inline(always)]
    pub fn features(&self, document: usize) -> impl Iterator<Item = u32> {
        let bounds = self.documents.bounds[document]..self.documents.bounds[document + 1];
        self.cells[bounds].iter().map(|cell| cell[1])
    }

    /// Single tokens, whose numbers are slots.
    #[inline(always)]
    fn look_up_tokens(&mut self) {
        self.clear();
        let documents = self.documents;
        self.slots.clear();
        self.slots.resize(documents.vocabulary, [0; 2]);
        for (document, bounds) in documents.bounds.windows(2).enumerate() {
            let tokens = &documents.tokens[bounds[0]..bounds[1]];
            if document.is_multiple_of(UNCHECKED) {
                interrupt::check();
            }
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

    /// Deals the n-grams that may occur twice to parts; returns the range of each part.
    #[inline(always)]
    fn deal<T: Copy>(
        &mut self,
        order: usize,
        shorter: usize,
        names: &[T],
        name: impl Fn(T) -> u32,
    ) -> Vec<Range<usize>> {
        let parts = (names.len() / CACHED).clamp(1, PARTS).next_power_of_two();
        let part_of = |pair| (self.seed.of_pair(pair) >> 32) as usize & (parts - 1);
        let mut counts = vec![0; parts];
        if parts == 1 {
            counts[0] = names.len(); // as good as a pass that counts
        } else {
            self.for_each_gram(order, shorter, names, &name, |gram, known| {
                counts[part_of(gram.pair)] += usize::from(known);
            });
        }
        let mut starts = Vec::with_capacity(parts);
        let mut start = 0;
        for count in counts {
            starts.push(start);
            start += count + 1; // each is written one gram too far
        }
        let mut dealt = std::mem::take(&mut self.dealt);
        if dealt.len() < start {
            dealt = vec![Gram::default(); start]; // a resize would copy
        }
        let mut ends = starts.clone();
        self.for_each_gram(order, shorter, names, &name, |gram, known| {
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

    /// Calls `take` with each n-gram, and whether both names of order `shorter` exist; a branch would
    /// be hard to predict.
    #[inline(always)]
    fn for_each_gram<T: Copy>(
        &self,
        order: usize,
        shorter: usize,
        names: &[T],
        name: impl Fn(T) -> u32,
        mut take: impl FnMut(Gram, bool),
    ) {
        let ahead = order - shorter;
        for (document, bounds) in self.documents.bounds.windows(2).enumerate() {
            if document.is_multiple_of(UNCHECKED) {
                interrupt::check();
            }
            let (begin, end) = (bounds[0], bounds[1]);
            if end - begin < order {
                continue;
            }
            let firsts = &names[begin..=end - order];
            let lasts = &names[begin + ahead..];
            for (position, (&first, &last)) in (begin as u32..).zip(firsts.iter().zip(lasts)) {
                let (first, last) = (name(first), name(last));
                let gram = Gram {
                    pair: u64::from(first) << 32 | u64::from(last),
                    position,
                    begin: begin as u32,
                };
                take(gram, first.max(last) != NONE); // the largest number is NONE
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
