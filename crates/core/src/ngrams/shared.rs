//! One order after the other: which n-grams occur in two segments or more.

use super::{Documents, NONE};
use crate::tokenize::Seed;

/// Slots of a table that stays in the cache of a core: 256 KiB.
const CACHED: usize = 1 << 14;
/// Most parts that n-grams are dealt to; each is written at an end of its own.
const PARTS: usize = 1 << 8;

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
    /// The name of the n-gram at each position, or NONE if it occurs nowhere else.
    names: Vec<u32>,
    features: Vec<u32>,
    /// Where the feature at each position came first.
    places: Vec<u32>,
    /// Where the same n-gram came first as the next occurrence in a document: the next feature.
    next: Vec<u32>,
    /// The n-grams to look up, part by part.
    dealt: Vec<Gram>,
    /// Where each part begins, and the last one ends.
    parts: Vec<usize>,
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
        Self {
            documents,
            seed,
            entered,
            order: 0,
            names: vec![NONE; positions],
            features: vec![NONE; positions],
            places: vec![NONE; positions],
            next: vec![NONE; positions],
            dealt: Vec::new(),
            parts: Vec::new(),
            slots: Vec::new(),
        }
    }

    /// For each position the feature whose n-gram begins there, if another document has it too:
    /// the position at which it came first; else NONE.
    pub fn features(&self) -> &[u32] {
        &self.features
    }

    /// Goes on to the next order; the first call to order 1.
    #[inline(always)]
    pub fn advance(&mut self) {
        self.order += 1;
        if self.order == 1 {
            self.look_up_tokens();
            return;
        }
        self.deal();
        self.names.fill(NONE);
        self.features.fill(NONE);
        let end = self.documents.bounds[self.entered] as u32;
        for part in 1..self.parts.len() {
            let part = self.parts[part - 1]..self.parts[part];
            // A search ends at an empty slot, of which there is one at least.
            let entered = self.dealt[part.clone()].partition_point(|gram| gram.position < end);
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

    /// Deals out the n-grams that may occur twice.
    #[inline(always)]
    fn deal(&mut self) {
        let parts = (self.names.len() / CACHED)
            .clamp(1, PARTS)
            .next_power_of_two();
        let part_of = |seed: &Seed, pair| (seed.of_pair(pair) >> 32) as usize & (parts - 1);
        let mut ends = vec![0; parts];
        self.for_each_gram(|gram| ends[part_of(self.seed, gram.pair)] += 1);
        let mut sum = 0;
        self.parts.clear();
        self.parts.push(0);
        for end in &mut ends {
            sum += *end;
            *end = *self.parts.last().unwrap_or(&0);
            self.parts.push(sum);
        }
        let mut dealt = std::mem::take(&mut self.dealt);
        if dealt.len() < sum {
            dealt = vec![Gram::default(); sum];
        }
        self.for_each_gram(|gram| {
            let end = &mut ends[part_of(self.seed, gram.pair)];
            dealt[*end] = gram;
            *end += 1;
        });
        self.dealt = dealt;
    }

    /// Calls `take` with the n-grams of which the two that are one token shorter have names.
    #[inline(always)]
    fn for_each_gram(&self, mut take: impl FnMut(Gram)) {
        for bounds in self.documents.bounds.windows(2) {
            let (begin, end) = (bounds[0], bounds[1]);
            if end - begin < self.order {
                continue;
            }
            let names = self.names[begin..=end + 1 - self.order].windows(2);
            let last_tokens = &self.documents.tokens[begin + self.order - 1..end];
            for (position, (name, &token)) in (begin as u32..).zip(names.zip(last_tokens)) {
                if name[0] != NONE && name[1] != NONE {
                    take(Gram {
                        pair: u64::from(name[0]) << 32 | u64::from(token),
                        position,
                        begin: begin as u32,
                    });
                }
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
                    self.open(position);
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
        self.names[first as usize] = first;
        self.names[position] = first;
        let feature = if recent < gram.begin {
            first // the first time in this document
        } else {
            // The next feature to that of the last time.
            let before = self.places[recent as usize];
            let next = self.next.get_mut(before as usize);
            match next {
                Some(next) if *next == NONE && enter => {
                    *next = gram.position;
                    self.open(position);
                    return;
                }
                Some(next) => *next,
                None => NONE,
            }
        };
        self.places[position] = feature;
        if feature != NONE {
            self.features[feature as usize] = feature;
            self.features[position] = feature;
        }
    }

    /// A feature comes first at `position`.
    #[inline(always)]
    fn open(&mut self, position: usize) {
        self.places[position] = position as u32;
        self.next[position] = NONE;
    }
}
