//! Expected scores: the mean score of a candidate against sampled references.
//!
//! Minimum Bayes risk decoding (Kumar and Byrne 2004) chooses the candidate with the highest
//! expected score among those of one source, which usually are the references too (Eikema and Aziz 2020).

use std::ops::Range;

use crate::columns::views::{Outcome, Segments, Sides};
use crate::run::{memory, parallel};

/// Segments in groups: group `i` is `segments[bounds[i]..bounds[i + 1]]`.
#[derive(Debug)]
pub struct Groups<'a> {
    pub segments: Segments<'a>,
    pub bounds: Vec<usize>,
}

impl Groups<'_> {
    fn range(&self, group: usize) -> Range<usize> {
        self.bounds[group]..self.bounds[group + 1]
    }
}

/// The mean score of each candidate against the references of its group, weighted by `weights`, which
/// sum to 1 in each group (equal if `None`). Without references, the candidates are their own. `fill`
/// fills a matrix of candidates and references, on a number of threads.
pub fn expected(
    fill: impl Fn(Sides, usize, &mut [f64]) -> Outcome + Sync,
    candidates: &Groups,
    references: Option<&Groups>,
    weights: Option<&[f64]>,
    threads: usize,
) -> Outcome<Vec<f64>> {
    let columns = references.unwrap_or(candidates);
    let groups = candidates.bounds.len() - 1;
    let mut means = vec![0.0; candidates.segments.len()];
    // Threads share several groups; with one group, all threads work on it.
    let workers = threads.clamp(1, groups.max(1));
    let inner = if workers == 1 { threads } else { 1 };
    let mut parts = Vec::with_capacity(groups);
    let mut rest = &mut means[..];
    for group in 0..groups {
        let (own, behind) = rest.split_at_mut(candidates.range(group).len());
        parts.push((group, own));
        rest = behind;
    }
    parallel::for_each(workers, parts.into_iter(), |(group, means)| {
        let (rows, block) = (candidates.range(group), columns.range(group));
        memory::require(8 * rows.len() * block.len());
        let mut scores = vec![0.0; rows.len() * block.len()];
        let refs = references.map(|references| references.segments.slice(block.clone()));
        let hyps = candidates.segments.slice(rows.clone());
        let sides = Sides {
            candidates: &hyps,
            references: refs.as_ref(),
        };
        fill(sides, inner, &mut scores).map_err(|bad| {
            let before = if bad.in_refs { block.start } else { rows.start };
            bad.fault.at(bad.in_refs, before + bad.position)
        })?;
        let weights = weights.map(|weights| &weights[block.clone()]);
        for (mean, scores) in means.iter_mut().zip(scores.chunks(block.len().max(1))) {
            *mean = match weights {
                None => scores.iter().sum::<f64>() / scores.len() as f64,
                Some(weights) => scores.iter().zip(weights).map(|(s, w)| s * w).sum(),
            };
        }
        Ok(())
    })?;
    Ok(means)
}
