//! BLEU is five decisions; each is a module.
//!
//! 1. [`normalize`]: how text is changed first;
//! 2. [`tokenize`]: what is a token;
//! 3. [`count`]: what is counted, per segment: one row of integers ([`stats`]);
//! 4. aggregate: how segments are combined. Rows add, so this is addition ([`run::batch`]);
//! 5. [`combine`]: how the sums become a number.
//!
//! chrF ([`chrf`]), TER ([`ter`]) and NIST ([`nist`]) count, add and combine in their own ways; GLEU
//! ([`gleu`]) combines BLEU's counts, `CrystalBLEU` ([`crystalbleu`]) is a plan that leaves n-grams out,
//! and `CodeBLEU` ([`codebleu`]) has two plans. All implement [`metric::Metric`]; [`families`] has their
//! names. Around them, [`columns`] borrows the input, [`run`] executes batches, [`sets`]
//! scores texts against each other, and [`resample`] draws corpora.
//!
//! A [`plan::Plan`] holds the five decisions for one tool. Nothing here knows Python, and no tool
//! has a code path of its own: a tool is a plan.

pub mod characters;
pub mod chrf;
pub mod codebleu;
pub mod columns;
pub mod combine;
pub mod count;
pub mod crystalbleu;
pub mod families;
pub mod gleu;
#[cfg(test)]
#[path = "../tests/judged.rs"]
mod judged;
pub mod metric;
pub mod nist;
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
