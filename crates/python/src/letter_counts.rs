//! The letters of texts, and how often they follow each other in other texts.

use pyo3::buffer::PyBuffer;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use truebleu_core::characters::is_space;

use crate::buffers::{Bytes, bytes_of};

/// Buckets of the counts; n-grams that share one are counted together.
const BUCKETS: usize = 1 << 20;
const PRIME: i64 = 65_599;

/// The code points of some letters in texts, as integers of 4 bytes, how many of these integers each
/// text has, and how many letters, as integers of 8 bytes. A run of other characters is one 0, but
/// for white space around a text; the end of a text is one, too.
///
/// `is_letter` has a byte for each code point, 0 for other characters; those beyond it are such.
#[pyfunction]
pub fn letters_in<'py>(
    py: Python<'py>,
    texts: Vec<Bound<'py, PyString>>,
    is_letter: &[u8],
) -> PyResult<[Bound<'py, PyBytes>; 3]> {
    let [mut codes, mut sizes, mut counts] = [const { Vec::<u8>::new() }; 3];
    for text in &texts {
        let start = codes.len();
        let text = text.to_str()?.trim_matches(|one| is_space(u32::from(one)));
        let mut count = 0_i64;
        let mut before = None;
        for character in text.chars().chain(['\n']) {
            let known = is_letter
                .get(character as usize)
                .is_some_and(|&letter| letter != 0);
            let code = if known { character as i32 } else { 0 };
            if code != 0 || before != Some(0) {
                codes.extend(code.to_ne_bytes());
            }
            count += i64::from(known);
            before = Some(code);
        }
        sizes.extend(((codes.len() - start) as i64 / 4).to_ne_bytes());
        counts.extend(count.to_ne_bytes());
    }
    Ok([codes, sizes, counts].map(|bytes| PyBytes::new(py, &bytes)))
}

/// The counts of one, two and three letters in a row. Letters are positive integers, 0 is all else,
/// and so is what is before the first.
#[pyclass(frozen)]
pub struct LetterCounts {
    counts: [Vec<u32>; 3],
    letters: usize,
    /// How many letters differ.
    different: usize,
}

#[pymethods]
impl LetterCounts {
    #[new]
    fn new(py: Python<'_>, codes: PyBuffer<i32>) -> PyResult<Self> {
        let codes = codes.to_vec(py)?;
        let mut counts = [(); 3].map(|()| vec![0; BUCKETS]);
        let mut different = 0;
        for buckets in n_grams(&codes) {
            different += usize::from(counts[0][buckets[0]] == 0);
            for (counts, bucket) in counts.iter_mut().zip(buckets) {
                counts[bucket] += 1;
            }
        }
        Ok(Self {
            counts,
            letters: codes.len(),
            different,
        })
    }

    /// The probability of each letter: the sum of the estimates from three letters, two, one and
    /// none, with these weights, as doubles.
    fn probabilities<'py>(
        &self,
        py: Python<'py>,
        codes: PyBuffer<i32>,
        weights: [f64; 4],
    ) -> Bytes<'py> {
        let codes = codes.to_vec(py)?;
        let [letters, different] = [self.letters, self.different].map(|n| n.max(1) as f64);
        // How often the letters before came: the same n-grams, one place earlier.
        let mut before = [self.counts[0][0], self.counts[1][0]];
        let probabilities: Vec<f64> = n_grams(&codes)
            .map(|[one, two, three]| {
                let [one, two, three] = [
                    self.counts[0][one],
                    self.counts[1][two],
                    self.counts[2][three],
                ];
                let shares = [
                    f64::from(three) / f64::from(before[1].max(1)),
                    f64::from(two) / f64::from(before[0].max(1)),
                    f64::from(one) / letters,
                    1.0 / different,
                ];
                before = [one, two];
                weights.iter().zip(shares).map(|(w, share)| w * share).sum()
            })
            .collect();
        bytes_of(py, &probabilities, f64::to_ne_bytes)
    }
}

/// The buckets of the one, two and three letters that end at each place.
fn n_grams(codes: &[i32]) -> impl Iterator<Item = [usize; 3]> {
    let mut before = [0, 0];
    codes.iter().map(move |&code| {
        let code = i64::from(code);
        let two = before[1] * PRIME + code;
        let three = (before[0] * PRIME + before[1]) * PRIME + code;
        before = [before[1], code];
        [code, two, three].map(|n_gram| n_gram as usize & (BUCKETS - 1))
    })
}
