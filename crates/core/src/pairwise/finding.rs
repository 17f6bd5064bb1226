//! Features for several threads, which find those of several orders side by side.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use super::features::Features;
use crate::ngrams::{Documents, Grams, Search, half};
use crate::simd::{Isa, Level, Task, dispatch};
use crate::tokenize::Seed;

/// What the threads share.
pub struct Finding<'a> {
    level: Level,
    seed: &'a Seed,
    documents: &'a Documents,
    entered: usize,
    /// The order that nobody has begun with, less 1.
    next: AtomicUsize,
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
        Self {
            level,
            seed,
            documents,
            entered,
            next: AtomicUsize::new(0),
            grams: (0..orders).map(|_| OnceLock::new()).collect(),
            features: (0..orders).map(|_| OnceLock::new()).collect(),
        }
    }

    /// The features by order, which all threads find that call this.
    pub fn features(&self) -> Vec<&Features> {
        let orders = self.features.len();
        let mut search = Search::new(self.documents, self.seed, self.entered);
        let mut list = |order: usize| {
            self.features[order].get_or_init(|| {
                let list = List {
                    documents: self.documents,
                    grams: self.grams(&mut search, order + 1),
                };
                dispatch(self.level, list)
            })
        };
        loop {
            let order = self.next.fetch_add(1, Relaxed);
            if order >= orders {
                break;
            }
            list(if order<2 {1-order} else {order});
        }
        (0..orders).map(list).collect()
    }

    fn grams(&self, search: &mut Search, order: usize) -> &Grams {
        let names = match half(order) {
            0 | 1 => &self.documents.tokens,
            half => &self.grams(search, half).names,
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
