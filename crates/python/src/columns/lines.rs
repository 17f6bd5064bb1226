//! Lines of UTF-8 files.

use std::ops::Range;

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use truebleu_core::columns::views::Text;

use super::Flat;
use crate::calls::{check_memory, detached};

/// The lines of one file, or the references of each segment from several files of one length.
pub fn read<'a>(
    py: Python<'_>,
    files: &'a [(Bound<'_, PyBytes>, Range<usize>)],
) -> PyResult<Flat<Text<'a>>> {
    let lines: usize = files
        .iter()
        .map(|(data, range)| count(&data.as_bytes()[range.clone()]))
        .sum();
    check_memory(py, 2 * lines * size_of::<Option<Text>>())?;
    let text = |(data, range): &'a (Bound<'_, PyBytes>, Range<usize>)| {
        lines_of(&data.as_bytes()[range.clone()])
    };
    let mut lines: Vec<_> = files.iter().map(text).collect();
    if let [only] = &mut lines[..] {
        return Ok(Flat {
            leaves: only.map(Some).collect(),
            levels: Vec::new(),
        });
    }
    let (mut leaves, mut bounds) = (Vec::new(), vec![0]);
    loop {
        let before = leaves.len();
        leaves.extend(lines.iter_mut().filter_map(Iterator::next).map(Some));
        if leaves.len() == before {
            return Ok(Flat {
                leaves,
                levels: vec![bounds],
            });
        }
        bounds.push(leaves.len());
    }
}

/// Lines end at `\n` only; the last one may lack it.
fn lines_of(bytes: &[u8]) -> impl Iterator<Item = Text<'_>> {
    let text = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    let mut start = 0;
    let ends = memchr::memchr_iter(b'\n', text).chain([text.len()]);
    ends.map(move |end| Text::Utf8(&text[std::mem::replace(&mut start, end + 1)..end]))
}

pub fn count(bytes: &[u8]) -> usize {
    let open = usize::from(!bytes.is_empty() && !bytes.ends_with(b"\n"));
    memchr::memchr_iter(b'\n', bytes).count() + open
}

/// The number of lines that end in `data` from `start` on, at most `most`, and the end of the last.
#[pyfunction]
pub fn lines_end(
    py: Python<'_>,
    data: &[u8],
    start: usize,
    most: usize,
) -> PyResult<(usize, usize)> {
    let ends = memchr::memchr_iter(b'\n', data.get(start..).unwrap_or_default()).take(most);
    detached(py, || {
        ends.fold((0, start), |(count, _), at| (count + 1, start + at + 1))
    })
}

/// The first byte of `data` from `start` to `end` that is not UTF-8, or `None`.
#[pyfunction]
#[pyo3(signature = (data, start=0, end=usize::MAX))]
pub fn invalid_utf8(
    py: Python<'_>,
    data: &[u8],
    start: usize,
    end: usize,
) -> PyResult<Option<usize>> {
    let text = data.get(start..end.min(data.len())).unwrap_or_default();
    let error = detached(py, || str::from_utf8(text).err())?;
    Ok(error.map(|error| start + error.valid_up_to()))
}
