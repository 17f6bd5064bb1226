//! Characters: decoded from UTF-8, white space, lower case.

use std::sync::OnceLock;

/// The number of characters in UTF-8 text.
pub fn count(text: &[u8]) -> usize {
    let starts = |&&byte: &&u8| byte & 0xC0 != 0x80;
    text.iter().filter(starts).count()
}

/// White space of Python's `str.split` and `str.strip`: bidirectional type WS, B or S, or category
/// Zs. The set has not changed since Unicode 6.3.
pub const fn is_space(character: u32) -> bool {
    matches!(
        character,
        0x09..=0x0D
            | 0x1C..=0x20
            | 0x85
            | 0xA0
            | 0x1680
            | 0x2000..=0x200A
            | 0x2028
            | 0x2029
            | 0x202F
            | 0x205F
            | 0x3000
    )
}

/// `text` without white space at its end.
pub fn trim_end(mut text: &[u8]) -> &[u8] {
    while let Some(&last) = text.last() {
        if last > b' ' && last < 0x80 {
            break;
        }
        let start = text.iter().rposition(|&byte| byte & 0xC0 != 0x80);
        let start = start.unwrap_or(0);
        if !is_space(decode(&text[start..]).0) {
            break;
        }
        text = &text[..start];
    }
    text
}

/// `text` without white space at its start.
pub fn trim_start(mut text: &[u8]) -> &[u8] {
    while !text.is_empty() {
        let (character, width) = decode(text);
        if !is_space(character) {
            break;
        }
        text = &text[width.min(text.len())..];
    }
    text
}

/// First character of `text` and its number of bytes. `text` is not empty.
pub fn decode(text: &[u8]) -> (u32, usize) {
    let mut bytes = [0; 4];
    for (byte, &source) in bytes.iter_mut().zip(text) {
        *byte = source;
    }
    decode_four(bytes)
}

/// The character at the start of four bytes, and its number of bytes; any number for bytes that are
/// not UTF-8.
#[inline(always)]
pub fn decode_four(bytes: [u8; 4]) -> (u32, usize) {
    let [lead, second, third, fourth] = bytes.map(u32::from);
    let (second, third, fourth) = (second & 0x3F, third & 0x3F, fourth & 0x3F);
    match lead {
        0..0xC0 => (lead, 1),
        0xC0..0xE0 => ((lead & 0x1F) << 6 | second, 2),
        0xE0..0xF0 => ((lead & 0x0F) << 12 | second << 6 | third, 3),
        _ => ((lead & 0x07) << 18 | second << 12 | third << 6 | fourth, 4),
    }
}

/// Single characters in lower case. The standard library searches for each, which took a third of
/// chrF's time.
#[derive(Clone, Copy)]
pub struct LowerCase {
    /// The first characters, up to Arabic.
    small: &'static [u32; 0x700],
}

impl LowerCase {
    pub fn known() -> Self {
        static SMALL: OnceLock<[u32; 0x700]> = OnceLock::new();
        let small = SMALL.get_or_init(|| std::array::from_fn(|code| searched(code as u32)));
        Self { small }
    }

    /// Whether lower case depends on the neighbors (Σ) or is two characters (İ).
    pub fn depends(code: u32) -> bool {
        code == u32::from('Σ') || code == u32::from('İ')
    }

    /// Any other character in lower case.
    #[inline]
    pub fn of(self, code: u32) -> u32 {
        match (self.small.get(code as usize), code) {
            (Some(&lower), _) => lower,
            // Scripts of South Asia, punctuation, Han, kana, Hangul.
            (_, 0x0900..0x10A0 | 0x2000..0x2100 | 0x2E80..0xA640 | 0xAC00..0xD800) => code,
            _ => searched(code),
        }
    }
}

fn searched(code: u32) -> u32 {
    character(code)
        .to_lowercase()
        .next()
        .map_or(code, u32::from)
}

pub fn character(code: u32) -> char {
    char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER)
}
