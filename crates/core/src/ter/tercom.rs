//! Tercom's tokenizer as sacreBLEU 2.6.0 has it (its `TercomTokenizer`), step by step.
//!
//! Steps without effect are left out: the text has blanks around it by then, so that nothing matches
//! at its start or end (a `'s` at the end, a run of kana that is the whole text).

use super::Ter;
use crate::columns::codepoints;

const BLANK: u32 = b' ' as u32;
const MINUS: u32 = b'-' as u32;

impl Ter {
    /// The rest of a line: its words with white space between them.
    pub(super) fn tokenize(&self, line: &mut Vec<u32>) {
        if self.lowercase {
            codepoints::lower(line);
        }
        if self.normalized {
            // One does not look at white space at its end.
            let end = line.iter().rposition(|&c| !codepoints::is_blank(c));
            line.truncate(end.map_or(0, |last| last + 1));
            if !line.is_empty() {
                normalize(line);
            }
            if self.asian_support {
                set_apart(line, |c| {
                    is_asian(c) || is_asian_sign(c) || is_full_width_sign(c)
                });
            }
        }
        if self.no_punct {
            line.retain(|&c| !is_sign(c));
            if self.asian_support {
                line.retain(|&c| !is_asian_sign(c) && !is_full_width_sign(c));
            }
        }
    }
}

/// The general and the Western part.
fn normalize(line: &mut Vec<u32>) {
    rewrite(line, |rest| match *rest {
        [0x0A, MINUS, ..] => Some((2, [None; 4])),
        [0x0A, ..] => Some((1, [Some(BLANK), None, None, None])),
        _ => None,
    });
    // One after the other: `&amp;lt;` becomes `<`.
    for (name, sign) in [
        ("&quot;", b'"'),
        ("&amp;", b'&'),
        ("&lt;", b'<'),
        ("&gt;", b'>'),
    ] {
        let name: Vec<_> = name.bytes().map(u32::from).collect();
        rewrite(line, |rest| {
            let is_match = rest.starts_with(&name);
            is_match.then_some((name.len(), [Some(sign.into()), None, None, None]))
        });
    }
    line.insert(0, BLANK);
    line.push(BLANK);
    set_apart(line, is_set_apart);
    rewrite(line, |rest| match *rest {
        [quote, s, BLANK, ..] if quote == u32::from(b'\'') && s == u32::from(b's') => {
            Some((3, [Some(BLANK), Some(quote), Some(s), Some(BLANK)]))
        }
        _ => None,
    });
    rewrite(line, |rest| match *rest {
        [before, point, ..] if !is_digit(before) && is_point(point) => {
            Some((2, [Some(before), Some(BLANK), Some(point), Some(BLANK)]))
        }
        _ => None,
    });
    rewrite(line, |rest| match *rest {
        [point, after, ..] if is_point(point) && !is_digit(after) => {
            Some((2, [Some(BLANK), Some(point), Some(BLANK), Some(after)]))
        }
        _ => None,
    });
    rewrite(line, |rest| match *rest {
        [digit, MINUS, ..] if is_digit(digit) => {
            Some((2, [Some(digit), Some(BLANK), Some(MINUS), Some(BLANK)]))
        }
        _ => None,
    });
}

/// Replaces from left to right each match of `find` at the start of the rest; a replacement is not
/// searched again.
fn rewrite(line: &mut Vec<u32>, find: impl Fn(&[u32]) -> Option<(usize, [Option<u32>; 4])>) {
    let old = std::mem::take(line);
    line.reserve(old.len() + 16);
    let mut rest = old.as_slice();
    while let Some(&first) = rest.first() {
        if let Some((length, replacement)) = find(rest) {
            line.extend(replacement.into_iter().flatten());
            rest = &rest[length..];
        } else {
            line.push(first);
            rest = &rest[1..];
        }
    }
}

/// Puts blanks around some characters.
fn set_apart(line: &mut Vec<u32>, which: impl Fn(u32) -> bool) {
    rewrite(line, |rest| {
        which(rest[0]).then_some((1, [Some(BLANK), Some(rest[0]), Some(BLANK), None]))
    });
}

fn is_digit(character: u32) -> bool {
    (0x30..=0x39).contains(&character)
}

fn is_point(character: u32) -> bool {
    character == u32::from(b'.') || character == u32::from(b',')
}

/// ASCII punctuation except the apostrophe, comma, minus and full stop; blanks are in the list as well.
fn is_set_apart(character: u32) -> bool {
    u8::try_from(character).is_ok_and(|byte| {
        matches!(
            byte,
            b'{'..=b'~' | b'['..=b'`' | b' '..=b'&' | b'('..=b'+' | b':'..=b'@' | b'/'
        )
    })
}

fn is_sign(character: u32) -> bool {
    u8::try_from(character).is_ok_and(|byte| b".,?:;!\"()".contains(&byte))
}

/// Characters that are words of their own. The last range ends at U+3F22 in sacreBLEU, instead of
/// U+32FF as intended; the additional characters are in other ranges anyway.
fn is_asian(character: u32) -> bool {
    matches!(
        character,
        0x4E00..=0x9FFF
            | 0x3400..=0x4DBF
            | 0x31C0..=0x31EF
            | 0x2E80..=0x2EFF
            | 0x3300..=0x33FF
            | 0xF900..=0xFAFF
            | 0xFE30..=0xFE4F
            | 0x3200..=0x3F22
    )
}

fn is_asian_sign(character: u32) -> bool {
    matches!(
        character,
        0x3001 | 0x3002 | 0x3008..=0x3011 | 0x3014..=0x301F | 0xFF61..=0xFF65 | 0x30FB
    )
}

fn is_full_width_sign(character: u32) -> bool {
    matches!(
        character,
        0xFF0E | 0xFF0C | 0xFF1F | 0xFF1A | 0xFF1B | 0xFF01 | 0xFF02 | 0xFF08 | 0xFF09
    )
}
