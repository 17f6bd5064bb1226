//! BLEU is five decisions, taken in this order; each is a module.
//!
//! 1. [`normalize`]: what is done to the text first;
//! 2. [`tokenize`]: what is a token;
//! 3. [`count`]: what is counted, per segment: one row of integers ([`stats`]);
//! 4. aggregate: how segments join. Rows add, so this is addition ([`run::batch`]);
//! 5. [`combine`]: how the sums become a number.
//!
//! chrF ([`chrf`]) and TER ([`ter`]) have three of the five: what is counted, that it is added, and
//! what becomes of it. All three are a [`metric::Metric`].
//!
//! A [`plan::Plan`] holds the five decisions for one tool. Nothing here knows Python, and no tool
//! is named outside of comments: a tool is a plan, never a code path.

pub mod chrf;
pub mod columns;
pub mod combine;
pub mod count;
pub mod metric;
pub mod normalize;
pub mod plan;
pub mod resample;
pub mod run;
pub mod sets;
mod settings;
pub mod simd;
pub mod stats;
pub mod ter;
pub mod tokenize;
