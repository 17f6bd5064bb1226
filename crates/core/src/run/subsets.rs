//! Counts a corpus with one selection of references after the other.
//!
//! Texts are read once, and hypotheses are compared with each reference once where that is enough (see
//! [`count::Counter::of_tokens`]).

use crate::columns::views::{Corpus, Outcome};
use crate::count;
use crate::plan::{Measure, Plan, References};
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
) -> Outcome<Vec<i64>> {
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
    type Output = Outcome<Vec<i64>>;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Self::Output {
        let Self { plan, corpus, .. } = self;
        let how = &plan.count;
        // Whether matches are those of the reference where an n-gram counts most.
        let each_alone =
            how.references == References::All && !matches!(how.measure, Measure::Recall(_));
        let mut rows = vec![0; corpus.len() * self.selections.len() * plan.width()];
        let mut rest = rows.chunks_exact_mut(plan.width());
        let mut buffers = Buffers::take();
        let Buffers { hyp, refs, counter } = &mut *buffers;
        let mut pairs = Pairs::new(plan, corpus);
        let (mut most, end) = (Vec::new(), corpus.len());
        for segment in 0..end {
            interrupt::check();
            let count = pairs.read(isa, segment, end, hyp, refs)?.len();
            let of_each: Vec<_> = if each_alone {
                let refs = refs[..count].chunks(1);
                refs.map(|single| counter.of_tokens(isa, how, hyp, single))
                    .collect()
            } else {
                Vec::new()
            };
            for (selection, row) in self.selections.iter().zip(&mut rest) {
                let is_there = |&position: &usize| (self.is_present)(segment, position);
                let mut chosen: Vec<_> = selection.iter().copied().filter(is_there).collect();
                if chosen.is_empty() {
                    chosen.clone_from(selection);
                }
                if each_alone {
                    let lens = chosen.iter().map(|&position| refs[position].len());
                    count::lengths(how, hyp, lens, row);
                    most.clear();
                    most.resize(hyp.len() * how.counted, 0);
                    for position in chosen {
                        for (most, &count) in most.iter_mut().zip(&of_each[position]) {
                            *most = count.max(*most);
                        }
                    }
                    for (count, sum) in row[2..].iter_mut().zip(count::sums(&most, hyp)) {
                        *count = sum;
                    }
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
