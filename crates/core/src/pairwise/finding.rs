//! Features for several threads: while one finds those of an order, another lists those of the last.
//!
//! Nobody waits for work that nobody has begun: what no other thread has listed when the last order
//! is found, the finder lists itself.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, OnceLock};

use super::features::{Features, List};
use crate::ngrams::{Documents, Shared};
use crate::plan::Plan;
use crate::shares::{Queue, locked};
use crate::simd::{Isa, Task, dispatch};

/// What the threads share.
pub struct Finding<'a> {
    plan: &'a Plan,
    documents: &'a Documents,
    entered: usize,
    /// The features of orders that are found and not yet listed; see [`Shared::all_features`].
    found: Queue<Vec<u32>>,
    list: Mutex<List>,
    /// What the finder says of each order; it hangs up when all are listed.
    sender: Mutex<Option<Sender<()>>>,
    receiver: Mutex<Receiver<()>>,
    listed: OnceLock<Features>,
}

impl<'a> Finding<'a> {
    /// `entered` as in [`Shared::new`].
    pub fn new(plan: &'a Plan, documents: &'a Documents, entered: usize) -> Self {
        let (sender, receiver) = channel();
        Self {
            plan,
            documents,
            entered,
            found: Queue::new(std::iter::empty()),
            list: Mutex::new(List::new(plan.count.orders, documents)),
            sender: Mutex::new(Some(sender)),
            receiver: Mutex::new(receiver),
            listed: OnceLock::new(),
        }
    }

    /// The features, which the first of the `workers` finds and all list; nothing if it panicked.
    pub fn take_part(&self, number: usize, workers: usize) -> Option<&Features> {
        if workers == 1 {
            let Self {
                plan, documents, ..
            } = self;
            let orders = plan.count.orders;
            let found = Features::find(plan.level, &plan.seed, orders, documents, self.entered);
            return Some(self.listed.get_or_init(|| found));
        }
        if number == 0 {
            self.find();
        } else {
            while locked(&self.receiver).recv().is_ok() {
                self.list_next();
            }
        }
        self.listed.get()
    }

    fn find(&self) {
        let Some(sender) = locked(&self.sender).take() else {
            return;
        };
        let mut shared = Shared::new(self.documents, &self.plan.seed, self.entered);
        for _ in 0..self.plan.count.orders {
            self.found
                .add(dispatch(self.plan.level, Advance(&mut shared)));
            // It fails only if nobody listens, and then the features are listed below.
            let _ = sender.send(());
        }
        while self.list_next() {}
        let list = std::mem::take(&mut *locked(&self.list));
        let _ = self.listed.set(list.features);
    }

    /// Lists an order, if one is waiting.
    fn list_next(&self) -> bool {
        let mut list = locked(&self.list);
        // In this order: the lock is held from here on, so that orders come one after the other.
        let Some(features) = self.found.next(false) else {
            return false;
        };
        let next = Next {
            list: &mut list,
            documents: self.documents,
            features: &features,
        };
        dispatch(self.plan.level, next);
        true
    }
}

/// Finds the features of the next order.
struct Advance<'a, 'b>(&'a mut Shared<'b>);

impl Task for Advance<'_, '_> {
    type Output = Vec<u32>;

    #[inline(always)]
    fn run<I: Isa>(self, _: I) -> Vec<u32> {
        self.0.advance();
        self.0.all_features()
    }
}

/// Lists the next order.
struct Next<'a> {
    list: &'a mut List,
    documents: &'a Documents,
    features: &'a [u32],
}

impl Task for Next<'_> {
    type Output = ();

    #[inline(always)]
    fn run<I: Isa>(self, _: I) {
        let bounds = &self.documents.bounds;
        self.list.order(self.documents, |document| {
            let positions = bounds[document]..bounds[document + 1];
            self.features[positions].iter().copied()
        });
    }
}
