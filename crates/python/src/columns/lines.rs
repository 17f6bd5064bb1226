//! Lines of UTF-8 text, as files hold them.

use std::ops::Range;

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use truebleu_core::views::Text;

use super::Flat;

/// The lines of one file, or the references of each segment from several files of one length.
pub fn read<'a>(files: &'a [(Bound<'_, PyBytes>, Range<usize>)]) -> Flat<Text<'a>> {
    let text = |(data, range): &'a (Bound<'_, PyBytes>, Range<usize>)| {
        lines_of(&data.as_bytes()[range.clone()])
    };
    let mut lines: Vec<_> = files.iter().map(text).collect();
    if let [only] = &mut lines[..] {
        return Flat {
            leaves: only.map(Some).collect(),
            levels: Vec::new(),
        };
    }
    let (mut leaves, mut bounds) = (Vec::new(), vec![0]);
    loop {
        let before = leaves.len();
        leaves.extend(lines.iter_mut().filter_map(Iterator::next).map(Some));
        if leaves.len() == before {
            return Flat {
                leaves,
                levels: vec![bounds],
            };
        }
        bounds.push(leaves.len());
    }
}

/// Lines end at `\n` only; a last one without it counts.
fn lines_of(bytes: &[u8]) -> impl Iterator<Item = Text<'_>> {
    let text = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    let mut start = 0;
    let ends = memchr::memchr_iter(b'\n', text).chain([text.len()]);
    ends.map(move |end| Text::Utf8(&text[std::mem::replace(&mut start, end + 1)..end]))
}

/// How many lines there are.
pub fn count(bytes: &[u8]) -> usize {
    let open = usize::from(!bytes.is_empty() && !bytes.ends_with(b"\n"));
    memchr::memchr_iter(b'\n', bytes).count() + open
}

/// How many lines end in `data` from `start` on, but `most` of them, and where the last one ends.
pub fn end_of(data: &[u8], start: usize, most: usize) -> (usize, usize) {
    let mut found = (0, start);
    for at in memchr::memchr_iter(b'\n', data.get(start..).unwrap_or_default()).take(most) {
        found = (found.0 + 1, start + at + 1);
    }
    found
}
