//! The shared features of each document, and bit sets of the documents that have each.

use super::adder::Set;
use crate::ngrams::{Documents, NONE, Shared};
use crate::room;
use crate::simd::{Isa, Level, Task, dispatch};
use crate::stop::did;
use crate::tokenize::Seed;

/// The features that documents share, numbered from 0 through all orders.
#[derive(Debug, Default)]
pub struct Features {
    orders: usize,
    /// By order, then by document.
    lists: Vec<u32>,
    bounds: Vec<usize>,
    documents: usize,
    count: usize,
}

impl Features {
    /// Finds those of so many orders; `entered` as in [`Shared::new`].
    pub fn find(
        level: Level,
        seed: &Seed,
        orders: usize,
        documents: &Documents,
        entered: usize,
    ) -> Self {
        let find = Find {
            seed,
            orders,
            documents,
            entered,
        };
        dispatch(level, find)
    }

    /// The features of one order that a document has.
    #[inline]
    pub fn of(&self, order: usize, document: usize) -> &[u32] {
        let at = order * self.documents + document;
        &self.lists[self.bounds[at]..self.bounds[at + 1]]
    }

    /// All orders that are counted.
    pub fn orders(&self) -> usize {
        self.orders
    }
}

struct Find<'a> {
    seed: &'a Seed,
    orders: usize,
    documents: &'a Documents,
    entered: usize,
}

impl Task for Find<'_> {
    type Output = Features;

    #[inline(always)]
    fn run<I: Isa>(self, _: I) -> Features {
        let documents = self.documents;
        let mut shared = Shared::new(documents, self.seed, self.entered);
        let mut list = List::new(self.orders, documents);
        for _ in 0..self.orders {
            shared.advance();
            list.order(documents, |document| shared.features(document));
        }
        list.features
    }
}

/// Features, of which one order after the other is listed.
#[derive(Debug, Default)]
pub struct List {
    pub features: Features,
    /// By the first position of a feature, what it is called.
    numbers: Vec<u32>,
}

impl List {
    pub fn new(orders: usize, documents: &Documents) -> Self {
        Self {
            features: Features {
                orders,
                lists: Vec::new(),
                bounds: vec![0],
                documents: documents.len(),
                count: 0,
            },
            numbers: vec![0; documents.tokens.len()],
        }
    }

    /// Lists the next order; `firsts` are as [`Shared::features`].
    #[inline(always)]
    pub fn order<F>(&mut self, documents: &Documents, firsts: impl Fn(usize) -> F)
    where
        F: Iterator<Item = u32>,
    {
        let Self {
            features: found,
            numbers,
        } = self;
        let mut count = found.count;
        room::make(8 * (found.lists.len() + documents.tokens.len()));
        for document in 0..documents.len() {
            did(4 * documents.tokens_of(document));
            let positions = documents.bounds[document]..;
            let mut end = found.lists.len();
            found.lists.resize(end + documents.tokens_of(document), 0);
            for (position, first) in positions.zip(firsts(document)) {
                // No branches: which n-grams are shared is hard to foretell.
                let is_first = first as usize == position;
                let place = if first == NONE {
                    position
                } else {
                    first as usize
                };
                numbers[position] = if is_first { count as u32 } else { 0 };
                count += usize::from(is_first);
                found.lists[end] = numbers[place];
                end += usize::from(first != NONE);
            }
            found.lists.truncate(end);
            found.bounds.push(end);
        }
        found.count = count;
    }
}

/// Bit sets for some of the documents, one lane to a document: for each feature, who has it.
#[derive(Debug)]
pub struct Sets<const W: usize> {
    /// The first set is empty.
    pub sets: Vec<Set<W>>,
    /// The set of each feature; that of a feature that none of the documents has is the first.
    set_of: Vec<u32>,
}

impl<const W: usize> Sets<W> {
    pub fn new(features: &Features) -> Self {
        Self {
            sets: vec![[0; W]],
            set_of: vec![0; features.count],
        }
    }

    /// Fills the sets for the documents from `first` on, of which there are `lanes`.
    pub fn fill(&mut self, features: &Features, first: usize, lanes: usize) {
        self.sets.truncate(1);
        self.set_of.fill(0);
        for order in 0..features.orders {
            for lane in 0..lanes {
                for &feature in features.of(order, first + lane) {
                    let set = &mut self.set_of[feature as usize];
                    if *set == 0 {
                        *set = self.sets.len() as u32;
                        self.sets.push([0; W]);
                    }
                    self.sets[*set as usize][lane / 64] |= 1 << (lane % 64);
                }
            }
        }
    }

    /// The sets of `features` that are not empty; `chosen` is at least as long, and padded with the
    /// empty set.
    #[inline(always)]
    pub fn choose(&self, features: &[u32], chosen: &mut [u32]) -> usize {
        let mut count = 0;
        for &feature in features {
            let set = self.set_of[feature as usize];
            chosen[count] = set;
            count += usize::from(set != 0);
        }
        count
    }
}
