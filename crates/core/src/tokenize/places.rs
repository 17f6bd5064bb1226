//! Where the tokens of a text are in it.

use crate::characters::is_space;

/// Tokens that follow each other in a text with only white space between them. Lengths are in units of
/// UTF-16, as in JavaScript.
#[derive(Debug, PartialEq, Eq)]
pub struct Places {
    /// The length of the white space before each token.
    pub gaps: Vec<u32>,
    /// The length of each token.
    pub sizes: Vec<u32>,
    /// The text in the case of its tokens, if that differs.
    pub counted: Option<String>,
}

impl Places {
    /// `None` if the tokens are not those of the text, as with decoded entities.
    pub fn find<'a>(text: &str, tokens: impl IntoIterator<Item = &'a str>) -> Option<Self> {
        let (mut gaps, mut sizes) = (Vec::new(), Vec::new());
        // The text in the case of its tokens from the first that differs on, up to a place.
        let mut counted: Option<(String, usize)> = None;
        let mut at = 0;
        for token in tokens {
            if token.is_empty() {
                return None;
            }
            let mut rest = &text[at..];
            let mut gap = 0;
            if !rest.starts_with(token) {
                let trimmed = rest.trim_start_matches(blank);
                gap = rest[..rest.len() - trimmed.len()].chars().count();
                rest = trimmed;
            }
            let start = text.len() - rest.len();
            let mut len = token.len();
            if !rest.starts_with(token) {
                let characters = token.chars().count();
                len = (rest.char_indices().nth(characters)).map_or(rest.len(), |(end, _)| end);
                let part = &rest[..len];
                if units(part) != units(token) || part.to_lowercase() != token.to_lowercase() {
                    return None;
                }
                let (counted, end) = counted.get_or_insert_default();
                counted.push_str(&text[*end..start]);
                counted.push_str(token);
                *end = start + len;
            }
            at = start + len;
            gaps.push(gap as u32);
            sizes.push(units(token) as u32);
        }
        let ends = text[at..].chars().all(blank);
        let counted = counted.map(|(counted, end)| counted + &text[end..]);
        ends.then_some(Self {
            gaps,
            sizes,
            counted,
        })
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
