//! Scores of sets of texts, in which each text is compared with many others.

pub mod matches;
pub(crate) mod ngrams;
pub mod overlap;
pub mod pairwise;
pub mod self_bleu;
