//! Features for several threads, which find those of several orders side by side.

use std::sync::OnceLock;

use super::features::Features;
use crate::ngrams::{Documents, Grams, Search, half};
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
    /// By order; who needs n-grams that another thread is finding waits for them.
    grams: Vec<OnceLock<Grams>>,
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
            grams: (0..orders).map(|_| OnceLock::new()).collect(),
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
        let orders = self.features.len();
        Search::new(self.documents, self.seed, orders, self.entered)
    }

    fn list(&self, search: &mut Search, order: usize) -> &Features {
        self.features[order - 1].get_or_init(|| {
            let list = List {
                documents: self.documents,
                grams: self.grams(search, order),
            };
            dispatch(self.level, list)
        })
    }

    fn grams(&self, search: &mut Search, order: usize) -> &Grams {
        let names = match half(order) {
            0 | 1 => &self.documents.tokens,
            half => {
                spin(&self.grams[half - 1]);
                &self.grams(search, half).names
            }
        };
        let find = || {
            let find = Find {
                search,
                order,
                names,
            };
            dispatch(self.level, find)
        };
        self.grams[order - 1].get_or_init(find)
    }
}

struct Find<'a, 'b> {
    search: &'a mut Search<'b>,
    order: usize,
    names: &'a [u32],
}

impl Task for Find<'_, '_> {
    type Output = Grams;

    #[inline(always)]
    fn run<I: Isa>(self, _: I) -> Grams {
        self.search.find(self.order, self.names)
    }
}

struct List<'a> {
    documents: &'a Documents,
    grams: &'a Grams,
}

impl Task for List<'_> {
    type Output = Features;

    #[inline(always)]
    fn run<I: Isa>(self, _: I) -> Features {
        Features::list(self.documents, &self.grams.features)
    }
}
