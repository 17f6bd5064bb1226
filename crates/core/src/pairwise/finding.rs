//! Features for several threads, which find those of several orders side by side.

use std::sync::OnceLock;

use super::features::Features;
use crate::ngrams::{Documents, Search, half, is_needed};
use crate::shares::{Queue, spin};
use crate::simd::{Isa, Level, Task, dispatch};
use crate::tokenize::Seed;

/// What the threads share.
pub struct Finding<'a> {
    level: Level,
    seed: &'a Seed,
    documents: &'a Documents,
    entered: usize,
    /// The orders that nobody has begun with.
    orders: Queue<usize>,
    /// By order: the names that a higher order needs, which are there before the features.
    names: Vec<OnceLock<Vec<u32>>>,
    features: Vec<OnceLock<Features>>,
}

impl<'a> Finding<'a> {
    /// `entered` as in [`Search::new`].
    pub fn new(
        level: Level,
        seed: &'a Seed,
        orders: usize,
        documents: &'a Documents,
        entered: usize,
    ) -> Self {
        // The second first, because higher orders need it.
        let mut sequence: Vec<_> = (1..=orders).collect();
        if let [one, two, ..] = &mut sequence[..] {
            std::mem::swap(one, two);
        }
        Self {
            level,
            seed,
            documents,
            entered,
            orders: Queue::new(sequence.into_iter()),
            names: (0..orders).map(|_| OnceLock::new()).collect(),
            features: (0..orders).map(|_| OnceLock::new()).collect(),
        }
    }

    /// Finds features of orders, until none is left that nobody has begun with.
    pub fn take_part(&self) {
        let mut search = self.search();
        while let Some(order) = self.orders.next(false) {
            self.list(&mut search, order);
        }
    }

    /// The features by order; waits for those that other threads are finding.
    pub fn features(&self) -> Vec<&Features> {
        let mut search = self.search();
        let mut list = |order: usize| {
            spin(&self.features[order - 1]);
            self.list(&mut search, order)
        };
        (1..=self.features.len()).map(&mut list).collect()
    }

    fn search(&self) -> Search<'a> {
        Search::new(self.documents, self.seed, self.entered)
    }

    fn list(&self, search: &mut Search, order: usize) -> &Features {
        self.features[order - 1].get_or_init(|| {
            let find = Find {
                order,
                names: self.names(search, half(order)),
                search: &mut *search,
            };
            dispatch(self.level, find);
            if is_needed(order, self.features.len()) {
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
        let names = &self.names[order - 1];
        spin(names);
        if names.get().is_none() {
            self.list(search, order);
        }
        names.get().map_or(&[], Vec::as_slice)
    }
}

struct Find<'a, 'b> {
    search: &'a mut Search<'b>,
    order: usize,
    names: &'a [u32],
}

impl Task for Find<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<I: Isa>(self, _: I) {
        self.search.find(self.order, self.names);
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
