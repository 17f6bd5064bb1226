//! Finds features, each thread those of other orders.

use std::sync::OnceLock;
use std::vec;

use super::features::Features;
use crate::run::memory;
use crate::run::parallel::Queue;
use crate::sets::ngrams::{Documents, Search, half, is_needed};
use crate::simd::{Isa, Level, Task, dispatch};
use crate::tokenize::Seed;

/// Bytes of memory for the names and the features of an order, for each token.
const PER_TOKEN: usize = 12;

/// The state that threads share.
pub struct Finding<'a> {
    level: Level,
    seed: &'a Seed,
    documents: &'a Documents,
    entered: usize,
    /// Whether one thread finds all orders, one after the other.
    alone: bool,
    /// The orders that no thread has begun.
    orders: Queue<vec::IntoIter<usize>>,
    /// By order: the names, if a higher order needs them.
    names: Vec<OnceLock<Vec<u32>>>,
    features: Vec<OnceLock<Features>>,
}

impl<'a> Finding<'a> {
    /// `entered` as in [`Search::new`]; for `workers` threads.
    pub fn new(
        level: Level,
        seed: &'a Seed,
        orders: usize,
        documents: &'a Documents,
        entered: usize,
        workers: usize,
    ) -> Self {
        memory::require(PER_TOKEN * orders * documents.tokens.len());
        let alone = workers == 1;
        // The second first, because higher orders need it.
        let mut sequence: Vec<_> = (1..=orders).collect();
        if let [one, two, ..] = &mut sequence[..]
            && !alone
        {
            std::mem::swap(one, two);
        }
        Self {
            level,
            seed,
            documents,
            entered,
            alone,
            orders: Queue::new(sequence.into_iter()),
            names: (0..orders).map(|_| OnceLock::new()).collect(),
            features: (0..orders).map(|_| OnceLock::new()).collect(),
        }
    }

    /// Finds the features of one order after the other, until none is left.
    pub fn take_part(&self) -> Search<'a> {
        let mut search = Search::new(self.documents, self.seed, self.entered);
        while let Some(order) = self.orders.next() {
            self.list(&mut search, order);
        }
        search
    }

    /// The features by order; waits for those that other threads are finding.
    pub fn features(&self, mut search: Search) -> Vec<&Features> {
        (1..=self.features.len())
            .map(|order| self.list(&mut search, order))
            .collect()
    }

    fn list(&self, search: &mut Search, order: usize) -> &Features {
        self.features[order - 1].get_or_init(|| {
            let names = (!self.alone).then(|| self.names(search, half(order)));
            let find = Find {
                search: &mut *search,
                order,
                names,
                documents: self.documents,
            };
            let features = dispatch(self.level, find);
            if !self.alone && is_needed(order, self.features.len()) {
                let _ = self.names[order - 1].set(search.names());
            }
            features
        })
    }

    /// The names of an order; waits for another thread that is finding them.
    fn names(&self, search: &mut Search, order: usize) -> &[u32] {
        if order < 2 {
            return &self.documents.tokens;
        }
        self.list(search, order);
        self.names[order - 1].get().map_or(&[], Vec::as_slice)
    }
}

struct Find<'a, 'b> {
    search: &'a mut Search<'b>,
    order: usize,
    names: Option<&'a [u32]>,
    documents: &'a Documents,
}

impl Task for Find<'_, '_> {
    type Output = Features;

    #[inline(always)]
    fn run<I: Isa>(self, _: I) -> Features {
        match self.names {
            Some(names) => self.search.find(self.order, names),
            None => self.search.advance(self.order),
        }
        Features::list(self.documents, self.search)
    }
}
