//! Where the tokens of a text are in it.

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use truebleu_core::characters::is_space;

/// For each token, how much text is before it that is no token, and its own size, as numbers of
/// four bytes.
pub type Places<'py> = (Bound<'py, PyBytes>, Bound<'py, PyBytes>, Option<String>);

/// The places of tokens that follow each other with only white space between them, in units of
/// UTF-16, and the text in the case of its tokens where that differs. None if the tokens are not
/// those of the text, as with decoded entities.
#[pyfunction]
pub fn places<'py>(
    text: &Bound<'py, PyString>,
    tokens: Vec<Bound<'py, PyString>>,
) -> Option<Places<'py>> {
    located(text, tokens.iter().map(|token| token.to_str().ok()))
}

/// As [`places`], of tokens as text; a token that is none is not in the text.
pub fn located<'py, 'a>(
    text: &Bound<'py, PyString>,
    tokens: impl Iterator<Item = Option<&'a str>>,
) -> Option<Places<'py>> {
    let mut found = Found::new(text.to_str().ok()?);
    for token in tokens {
        found.add(token?)?;
    }
    let (gaps, sizes, counted) = found.finish()?;
    let bytes = |numbers: Vec<u32>| {
        let bytes: Vec<_> = numbers.into_iter().flat_map(u32::to_ne_bytes).collect();
        PyBytes::new(text.py(), &bytes)
    };
    Some((bytes(gaps), bytes(sizes), counted))
}

struct Found<'a> {
    text: &'a str,
    /// The end of the last token.
    at: usize,
    gaps: Vec<u32>,
    sizes: Vec<u32>,
    /// The text in the case of its tokens up to a place, from the first that differs on.
    counted: Option<(String, usize)>,
}

impl<'a> Found<'a> {
    fn new(text: &'a str) -> Self {
        Self {
            text,
            at: 0,
            gaps: Vec::new(),
            sizes: Vec::new(),
            counted: None,
        }
    }

    fn add(&mut self, token: &str) -> Option<()> {
        if token.is_empty() {
            return None;
        }
        let mut rest = &self.text[self.at..];
        let mut gap = 0;
        if !rest.starts_with(token) {
            let trimmed = rest.trim_start_matches(blank);
            gap = rest[..rest.len() - trimmed.len()].chars().count();
            rest = trimmed;
        }
        let start = self.text.len() - rest.len();
        let mut len = token.len();
        if !rest.starts_with(token) {
            let characters = token.chars().count();
            len = (rest.char_indices().nth(characters)).map_or(rest.len(), |(end, _)| end);
            let part = &rest[..len];
            if units(part) != units(token) || part.to_lowercase() != token.to_lowercase() {
                return None;
            }
            let (counted, end) = self.counted.get_or_insert_default();
            counted.push_str(&self.text[*end..start]);
            counted.push_str(token);
            *end = start + len;
        }
        self.at = start + len;
        self.gaps.push(gap as u32);
        self.sizes.push(units(token) as u32);
        Some(())
    }

    fn finish(self) -> Option<(Vec<u32>, Vec<u32>, Option<String>)> {
        let is_end = self.text[self.at..].chars().all(blank);
        let counted = self
            .counted
            .map(|(counted, end)| counted + &self.text[end..]);
        is_end.then_some((self.gaps, self.sizes, counted))
    }
}

fn blank(character: char) -> bool {
    is_space(character.into())
}

/// The length in JavaScript.
fn units(text: &str) -> usize {
    if text.is_ascii() {
        text.len()
    } else {
        text.encode_utf16().count()
    }
}
