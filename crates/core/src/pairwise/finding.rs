//! Features for several threads, which find those of several orders side by side.

use super::features::Features;
use crate::ngrams::{Documents, Grams, Search, half};
use crate::room;
use crate::shares::{Made, Queue};
use crate::simd::{Isa, Level, Task, dispatch};
use crate::tokenize::Seed;

/// Bytes that the n-grams of an order take for a token: their names, their features, and these
/// again, listed.
const PER_TOKEN: usize = 12;

/// What the threads share.
pub struct Finding<'a> {
    level: Level,
    seed: &'a Seed,
    documents: &'a Documents,
    entered: usize,
    /// The orders that nobody has begun with.
    orders: Queue<usize>,
    /// By order; who needs n-grams that another thread is finding waits for them.
    grams: Vec<Made<Grams>>,
    features: Vec<Made<Features>>,
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
        room::make(PER_TOKEN * orders * documents.tokens.len());
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
            grams: (0..orders).map(|_| Made::default()).collect(),
            features: (0..orders).map(|_| Made::default()).collect(),
        }
    }

    /// The features by order, which all threads find that call this.
    pub fn features(&self) -> Vec<&Features> {
        let mut search = Search::new(self.documents, self.seed, self.entered);
        while let Some(order) = self.orders.next(false) {
            self.list(&mut search, order);
        }
        let orders = 1..=self.features.len();
        orders.map(|order| self.list(&mut search, order)).collect()
    }

    fn list(&self, search: &mut Search, order: usize) -> &Features {
        self.features[order - 1].get_or_make(|| {
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
        self.grams[order - 1].get_or_make(find)
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
