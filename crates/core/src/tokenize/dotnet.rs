//! The tokenizer of Microsoft's evaluation library for .NET.
//!
//! It reads a text once, in units of 16 bits: a character beyond U+FFFF is two units without a
//! category, and part of a word.

use std::collections::HashMap;
use std::sync::OnceLock;

use foldhash::fast::RandomState;
use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory};

use crate::characters::is_space;

const ENTITIES: [(&str, char); 5] = [
    ("&quot;", '"'),
    ("&amp;", '&'),
    ("&lt;", '<'),
    ("&gt;", '>'),
    ("&apos;", '\''),
];

/// The tokens of a text, each with a blank before it. Letters are capitals, marks are alone, and
/// a number keeps the punctuation after it.
pub fn separate(text: &str) -> String {
    let mut tokens = String::with_capacity(text.len() + text.len() / 2);
    let mut rest = text;
    let mut in_word = false;
    while let Some(first) = rest.chars().next() {
        let after = &rest[first.len_utf8()..];
        let joined = (after.strip_prefix('\n')).or_else(|| after.strip_prefix("\r\n"));
        if let ('-', Some(joined)) = (first, joined) {
            rest = joined;
            continue;
        }
        let entity =
            (first == '&').then(|| ENTITIES.iter().find(|(name, _)| rest.starts_with(name)));
        if let Some(&(name, character)) = entity.flatten() {
            tokens.extend([' ', character]);
            in_word = false;
            rest = &rest[name.len()..];
            continue;
        }
        rest = after;
        match Kind::of(first) {
            Kind::Blank => in_word = false,
            Kind::Punctuation | Kind::Symbol => {
                tokens.extend([' ', first]);
                in_word = false;
            }
            Kind::Number if !in_word => {
                let goes_on = |c| matches!(Kind::of(c), Kind::Number | Kind::Punctuation);
                let end = after.find(|c| !goes_on(c)).unwrap_or(after.len());
                tokens.extend([' ', first]);
                tokens.push_str(&after[..end]);
                rest = &after[end..];
            }
            kind => {
                if !in_word {
                    tokens.push(' ');
                    in_word = true;
                }
                tokens.push(if kind == Kind::Letter {
                    upper(first)
                } else {
                    first
                });
            }
        }
    }
    tokens
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Blank,
    Punctuation,
    Symbol,
    Number,
    /// Everything else.
    Letter,
}

impl Kind {
    fn of(character: char) -> Self {
        match character {
            'a'..='z' | 'A'..='Z' | '\u{10000}'.. | '\x1C'..='\x1F' => return Self::Letter,
            _ if is_space(character.into()) => return Self::Blank,
            _ => {}
        }
        match character.general_category_group() {
            GeneralCategoryGroup::Punctuation => Self::Punctuation,
            GeneralCategoryGroup::Symbol => Self::Symbol,
            GeneralCategoryGroup::Number => Self::Number,
            _ => Self::Letter,
        }
    }
}

/// .NET's `char.ToUpperInvariant`: Unicode's mapping of one character to one, without the two
/// letters that would become ASCII.
fn upper(character: char) -> char {
    static CAPITALS: OnceLock<HashMap<char, char, RandomState>> = OnceLock::new();
    if character.is_ascii() {
        return character.to_ascii_uppercase();
    }
    let capitals = CAPITALS.get_or_init(|| {
        // Reversed, because the table of `to_uppercase` would be 5 kB of the kernel in a page.
        let mut capitals = HashMap::default();
        for capital in ('\u{80}'..='\u{FFFF}').filter(|&capital| capital != 'ẞ') {
            let mut small = capital.to_lowercase();
            if let (Some(one), None) = (small.next(), small.next())
                && one != capital
            {
                capitals.entry(one).or_insert(capital);
            }
        }
        let (small, capital) = (
            SECOND_SMALL.chars().step_by(2),
            SECOND_SMALL.chars().skip(1).step_by(2),
        );
        capitals.extend(small.zip(capital));
        capitals
    });
    capitals.get(&character).copied().unwrap_or(character)
}

/// Letters that are not the small letter of their capital, each with the capital.
const SECOND_SMALL: &str = "µΜǅǄǈǇǋǊǲǱ\u{345}ΙςΣϐΒϑΘϕΦϖΠϰΚϱΡϵΕᲀВᲁДᲂОᲃСᲄТᲅТᲆЪᲇѢᲈꙊẛṠ\u{1FBE}Ι";
