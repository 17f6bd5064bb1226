//! Which texts have characters that are looked for: one pass over each text for all questions. To
//! reach the texts, which are all over the memory, takes longer than the answers.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

/// Before the first byte of a text: no byte of UTF-8.
const EDGE: u8 = 0xFF;

/// The bits that a table has for the pairs of bytes next to each other in the UTF-8 of each text,
/// as numbers of four bytes; then the number of characters of each text, and of blanks among them,
/// as numbers of eight bytes. All are 0 for `None`.
///
/// The table has four bytes for each pair of bytes, at 256 times the first plus the second.
#[pyfunction]
pub fn signs_in<'py>(
    py: Python<'py>,
    texts: Vec<Option<Bound<'py, PyString>>>,
    table: &[u8],
) -> PyResult<[Bound<'py, PyBytes>; 3]> {
    let bits: Vec<u32> = (table.as_chunks::<4>().0.iter())
        .map(|&bytes| u32::from_ne_bytes(bytes))
        .collect();
    let Ok(bits) = <&[u32; 1 << 16]>::try_from(&bits[..]) else {
        return Err(PyValueError::new_err("a table of 65536 numbers"));
    };
    let mut found = Vec::with_capacity(4 * texts.len());
    let [mut lengths, mut blanks] = [const { Vec::<u8>::new() }; 2];
    for text in &texts {
        let length = text.as_ref().map_or(Ok(0), |text| text.len())?;
        let text = text.as_ref().map_or(Ok(""), |text| text.to_str())?;
        found.extend(of(text, bits).to_ne_bytes());
        lengths.extend((length as i64).to_ne_bytes());
        let blank_places = memchr::memchr_iter(b' ', text.as_bytes());
        blanks.extend((blank_places.count() as i64).to_ne_bytes());
    }
    Ok([found, lengths, blanks].map(|bytes| PyBytes::new(py, &bytes)))
}

fn of(text: &str, bits: &[u32; 1 << 16]) -> u32 {
    let (mut found, mut before) = (0, EDGE);
    for &byte in text.as_bytes() {
        found |= bits[usize::from(u16::from_be_bytes([before, byte]))];
        before = byte;
    }
    found
}
