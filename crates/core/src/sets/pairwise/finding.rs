//! Features for several threads, which find those of several orders side by side.

use std::sync::OnceLock;
use std::vec;

use super::features::Features;
use crate::run::memory;
use crate::run::parallel::Queue;
use crate::sets::ngrams::{Documents, Search, half, is_needed};
use crate::simd::{Isa, Level, Task, dispatch};
use crate::tokenize::Seed;

/// Bytes that the names and the features of an order take for a token.
const PER_TOKEN: usize = 12;

/// What the threads share.
pub struct Finding<'a> {
    level: Level,
    seed: &'a Seed,
    documents: &'a Documents,
    entered: usize,
    /// Whether there is one thread, which finds one order after the other.
    alone: bool,
    /// The orders that nobody has begun with.
    orders: Queue<vec::IntoIter<usize>>,
    /// By order: the names that a higher order needs, which are there before the features.
    names: Vec<OnceLock<Vec<u32>>>,
    features: Vec<OnceLock<Features>>,
}

impl<'a> Finding<'a> {
    /// `entered` as in [`Search::new`]; for so many threads.
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

    /// Finds features of orders, until none is left that nobody has begun with.
    pub fn take_part(&self) -> Search<'a> {
        let mut search = Search::new(self.documents, self.seed, self.entered);
        while let Some(order) = self.orders.next() {
            self.list(&mut search, order);
        }
        search
    }

    /// The features by order, after a thread has taken part; waits for those that others are finding.
    pub fn features(&self, mut search: Search) -> Vec<&Features> {
        (1..=self.features.len())
            .map(|order| self.list(&mut search, order))
            .collect()
    }

    fn list(&self, search: &mut Search, order: usize) -> &Features {
        self.features[order - 1].get_or_init(|| {
            let names = (!self.alone).then(|| self.names(search, half(order)));
            let find = Find {
                order,
                names,
                search: &mut *search,
            };
            dispatch(self.level, find);
            if !self.alone && is_needed(order, self.features.len()) {
                let _ = self.names[order - 1].set(search.names());
            }
            let list = List {
                documents: self.documents,
                found: search,
            };
            dispatch(self.level, list)
        })
    }

    /// The names of an order; waits for the thread that is finding them.
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
}

impl Task for Find<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<I: Isa>(self, _: I) {
        match self.names {
            Some(names) => self.search.find(self.order, names),
            None => self.search.advance(self.order),
        }
    }
}

struct List<'a> {
    documents: &'a Documents,
    found: &'a Search<'a>,
}

impl Task for List<'_> {
    type Output = Features;

    #[inline(always)]
    fn run<I: Isa>(self, _: I) -> Features {
        Features::list(self.documents, self.found)
    }
}
