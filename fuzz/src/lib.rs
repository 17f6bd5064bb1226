//! What the targets share: inputs that look like text, and judges that do the plain thing.

pub mod inputs;
pub mod naive;

use truebleu_core::plan::Plan;
use truebleu_core::simd::Level;

/// The same plan for every instruction set of this processor.
pub fn plans(settings: &[(&str, &str)]) -> Vec<Plan> {
    levels()
        .into_iter()
        .map(|level| {
            let all = settings.iter().copied().chain([("simd", level)]);
            Plan::compile(all).expect("a target's settings are valid")
        })
        .collect()
}

/// Names of the instruction sets of this processor, the fastest first.
pub fn levels() -> Vec<&'static str> {
    Level::available().into_iter().map(Level::name).collect()
}

/// Floats by their bits: NaN equals itself, and 0 is not -0.
pub fn bits(values: &[f64]) -> Vec<u64> {
    values.iter().map(|value| value.to_bits()).collect()
}

/// One of `choices`.
pub fn choose<T: Copy>(choices: &[T], by: u8) -> T {
    choices[usize::from(by) % choices.len()]
}
