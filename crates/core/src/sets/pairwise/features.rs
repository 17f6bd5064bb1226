//! The shared features of each document, and for each feature a bit set of its documents.

use super::adder::Set;
use crate::sets::ngrams::{Documents, NONE, Search};

/// The features of one order that documents share, numbered from 0.
#[derive(Debug, PartialEq)]
pub struct Features {
    lists: Vec<u32>,
    bounds: Vec<usize>,
    count: usize,
}

impl Features {
    /// Lists the shared features.
    #[inline(always)]
    pub fn list(documents: &Documents, search: &Search) -> Self {
        let positions = documents.tokens.len();
        let mut lists = vec![0; positions + 1]; // each is written one place too far
        let mut numbers = vec![0; positions];
        let mut bounds = Vec::with_capacity(documents.len() + 1);
        bounds.push(0);
        let (mut count, mut end) = (0, 0);
        for document in 0..documents.len() {
            let positions = documents.bounds[document]..;
            for (position, first) in positions.zip(search.features(document)) {
                // No branches: shared n-grams are hard to predict.
                let is_first = first as usize == position;
                let place = if first == NONE {
                    position
                } else {
                    first as usize
                };
                numbers[position] = if is_first { count as u32 } else { 0 };
                count += usize::from(is_first);
                lists[end] = numbers[place];
                end += usize::from(first != NONE);
            }
            bounds.push(end);
        }
        lists.truncate(end);
        Self {
            lists,
            bounds,
            count,
        }
    }

    /// Those that a document has.
    #[inline]
    pub fn of(&self, document: usize) -> &[u32] {
        &self.lists[self.bounds[document]..self.bounds[document + 1]]
    }
}

/// Bit sets of some documents, one lane for each: the documents that have a feature.
#[derive(Debug)]
pub struct Sets<const W: usize> {
    /// The first set is empty.
    pub sets: Vec<Set<W>>,
    /// By order, the set of each feature; the first one if no document has it.
    set_of: Vec<Vec<u32>>,
}

impl<const W: usize> Sets<W> {
    pub fn new(features: &[&Features]) -> Self {
        let none = |features: &&Features| vec![0; features.count];
        Self {
            sets: vec![[0; W]],
            set_of: features.iter().map(none).collect(),
        }
    }

    /// Fills the sets for the documents from `first` on, of which there are `lanes`.
    pub fn fill(&mut self, features: &[&Features], first: usize, lanes: usize) {
        self.sets.truncate(1);
        for (set_of, features) in self.set_of.iter_mut().zip(features) {
            set_of.fill(0);
            for lane in 0..lanes {
                for &feature in features.of(first + lane) {
                    let set = &mut set_of[feature as usize];
                    if *set == 0 {
                        *set = self.sets.len() as u32;
                        self.sets.push([0; W]);
                    }
                    self.sets[*set as usize][lane / 64] |= 1 << (lane % 64);
                }
            }
        }
    }

    /// The sets of `features` of an order that are not empty; `chosen` is at least as long, and padded with the
    /// empty set.
    #[inline(always)]
    pub fn choose(&self, order: usize, features: &[u32], chosen: &mut [u32]) -> usize {
        let set_of = &self.set_of[order];
        let mut count = 0;
        for &feature in features {
            let set = set_of[feature as usize];
            chosen[count] = set;
            count += usize::from(set != 0);
        }
        count
    }
}
