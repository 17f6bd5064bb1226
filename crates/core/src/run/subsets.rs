//! Counts a corpus with one selection of references after the other.
//!
//! Texts are read once, and hypotheses are compared with each reference once where that is enough (see
//! [`count::Counter::of_tokens`]).

use crate::columns::views::{BadSegment, Corpus};
use crate::count;
use crate::plan::Plan;
use crate::run::interrupt;
use crate::run::read::{Buffers, Pairs};
use crate::simd::{Isa, Task, dispatch};
use crate::tokenize::Tokens;

/// The row of each segment with each selection: positions of its references. Each segment has the same
/// number of references, and `is_present` says of each whether it is one; if none of a selection is,
/// all are.
pub fn rows(
    plan: &Plan,
    corpus: &Corpus,
    selections: &[Vec<usize>],
    is_present: &(dyn Fn(usize, usize) -> bool + Sync),
) -> Result<Vec<i64>, BadSegment> {
    let task = SubsetRows {
        plan,
        corpus,
        selections,
        is_present,
    };
    dispatch(plan.level, task)
}

struct SubsetRows<'a> {
    plan: &'a Plan,
    corpus: &'a Corpus<'a>,
    selections: &'a [Vec<usize>],
    is_present: &'a (dyn Fn(usize, usize) -> bool + Sync),
}

impl Task for SubsetRows<'_> {
    type Output = Result<Vec<i64>, BadSegment>;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Self::Output {
        let Self { plan, corpus, .. } = self;
        let how = &plan.count;
        let mut rows = vec![0; corpus.len() * self.selections.len() * plan.width()];
        let mut rest = rows.chunks_exact_mut(plan.width());
        let mut buffers = Buffers::take();
        let Buffers { hyp, refs, counter } = &mut *buffers;
        let mut pairs = Pairs::new(plan, corpus);
        let (mut most, end) = (Vec::new(), corpus.len());
        for segment in 0..end {
            interrupt::check();
            let count = pairs.read(isa, segment, end, hyp, refs)?.len();
            let with_one = |one| counter.of_tokens(isa, how, hyp, one);
            let with_each: Option<Vec<_>> = refs[..count].iter().map(with_one).collect();
            for (selection, row) in self.selections.iter().zip(&mut rest) {
                let is_there = |&position: &usize| (self.is_present)(segment, position);
                let mut chosen: Vec<_> = selection.iter().copied().filter(is_there).collect();
                if chosen.is_empty() {
                    chosen.clone_from(selection);
                }
                if let Some(with_each) = &with_each {
                    let lens = chosen.iter().map(|&position| refs[position].len());
                    count::lengths(how, hyp, lens, row);
                    most.clear();
                    most.resize(hyp.len(), Default::default());
                    for &position in &chosen {
                        let (most, with_one) =
                            (most.as_flattened_mut(), with_each[position].as_flattened());
                        for (most, &count) in most.iter_mut().zip(with_one) {
                            *most = count.max(*most);
                        }
                    }
                    count::add_up(&most, &mut row[2..2 + how.counted]);
                } else {
                    let take = |&position: &usize| std::mem::take(&mut refs[position]);
                    let some: Vec<Tokens> = chosen.iter().map(take).collect();
                    counter.count(isa, how, hyp, &some, row, 0);
                    counter.finish(isa, how, row);
                    for (position, tokens) in chosen.into_iter().zip(some) {
                        refs[position] = tokens;
                    }
                }
            }
        }
        buffers.keep();
        Ok(rows)
    }
}
