//! NLTK's `word_tokenize` of one line: the rules of the Treebank, in as few substitutions as give the
//! same tokens. White space becomes blanks.

use unicode_properties::{GeneralCategory, GeneralCategoryGroup, UnicodeGeneralCategory};

use super::classes::is_alphanumeric;
use crate::characters::is_space;

/// Endings before which an apostrophe stays where it is, endings that are split off, and words that
/// are split.
const CLITICS: &str = "re ve ll m t s d n";
const ENDINGS: [&[u8]; 8] = [
    b"'ll", b"'LL", b"'re", b"'RE", b"'ve", b"'VE", b"n't", b"N'T",
];
const CONTRACTIONS: [(&str, &str); 8] = [
    ("can", "not"),
    ("d", "'ye"),
    ("gim", "me"),
    ("gon", "na"),
    ("got", "ta"),
    ("lem", "me"),
    ("more", "'n"),
    ("wan", "na"),
];

const TICKS: u8 = 1;
const QUOTES: u8 = 2;
const MARKS: u8 = 4;
const APOSTROPHES: u8 = 8;
const FIRST_LETTERS: u8 = 16;
const SEPARATORS: u8 = 32;

/// The passes that may substitute at each byte, as bits.
const PASSES: [u8; 256] = {
    // Bytes from 0x80 on start the marks and the white space beyond ASCII.
    let bytes: [(u8, &[u8]); 6] = [
        (TICKS, b"`\"\xC2\xE2"),
        (QUOTES, b"\"'"),
        (
            MARKS,
            b"':,.-\";@#$%&?!*[](){}<>\t\n\x0B\x0C\r\xC2\xE1\xE2\xE3",
        ),
        (APOSTROPHES, b"'"),
        (FIRST_LETTERS, b"'cdglmwCDGLMW"),
        (SEPARATORS, b"\x1C\x1D\x1E\x1F"),
    ];
    let mut table = [0; 256];
    let mut pass = 0;
    while pass < bytes.len() {
        let mut at = 0;
        while at < bytes[pass].1.len() {
            table[bytes[pass].1[at] as usize] |= bytes[pass].0;
            at += 1;
        }
        pass += 1;
    }
    table
};

/// The text with blanks between its tokens.
pub fn separate(text: &str) -> String {
    let seen = text
        .bytes()
        .fold(0, |seen, byte| seen | PASSES[usize::from(byte)]);
    let mut text = text.to_owned();
    if seen & TICKS != 0 {
        substitute(&mut text, TICKS, tick);
    }
    if seen & QUOTES != 0 {
        substitute(&mut text, QUOTES, opening);
    }
    split_period(&mut text);
    substitute(&mut text, MARKS, mark);
    text.push(' ');
    if seen & APOSTROPHES != 0 {
        substitute(&mut text, APOSTROPHES, possessive);
        substitute(&mut text, APOSTROPHES, ending);
    }
    substitute(&mut text, FIRST_LETTERS, contraction);
    if seen & SEPARATORS != 0 {
        // Python's split also ends tokens at these.
        text = text.replace(['\x1C', '\x1D', '\x1E', '\x1F'], " ");
    }
    text
}

/// A pass over a text. What stands before `copied` is in `out`, substituted.
struct Pass<'a> {
    text: &'a str,
    out: String,
    copied: usize,
}

impl<'a> Pass<'a> {
    fn rest(&self, at: usize) -> &'a [u8] {
        &self.text.as_bytes()[at..]
    }

    fn before(&self, at: usize) -> Option<char> {
        self.text[..at].chars().next_back()
    }

    fn after(&self, at: usize) -> Option<char> {
        self.text[at..].chars().next()
    }

    /// Whether a character that is neither a blank nor an apostrophe is before a place.
    fn is_after_word(&self, at: usize) -> bool {
        at > 0 && !b" '".contains(&self.text.as_bytes()[at - 1])
    }

    /// Writes tokens of so many bytes, the first from `start` on; returns the end of the last.
    fn tokens(&mut self, start: usize, lens: &[usize]) -> usize {
        self.copy(start);
        for len in lens {
            self.out.push(' ');
            self.copy(self.copied + len);
            self.out.push(' ');
        }
        self.copied
    }

    /// Writes something else for the text from `start` to `end`, which it returns.
    fn replace(&mut self, start: usize, end: usize, new: &str) -> usize {
        self.copy(start);
        self.out.push_str(new);
        self.copied = end;
        end
    }

    fn copy(&mut self, end: usize) {
        self.out.push_str(&self.text[self.copied..end]);
        self.copied = end;
    }
}

/// Substitutes from left to right. `rule` takes a place at which the pass may substitute, and
/// returns the end of what it substituted, or 0.
#[inline(always)]
fn substitute(text: &mut String, bit: u8, rule: impl Fn(&mut Pass<'_>, usize) -> usize) {
    let mut pass = Pass {
        text,
        out: String::with_capacity(text.len() + text.len() / 2),
        copied: 0,
    };
    let mut at = 0;
    let is_place = |&byte: &u8| PASSES[usize::from(byte)] & bit != 0;
    while let Some(step) = pass.rest(at).iter().position(is_place) {
        at += step;
        at = rule(&mut pass, at).max(at + 1);
    }
    if pass.copied > 0 {
        pass.copy(text.len());
        *text = pass.out;
    }
}

/// Quotation marks that open, and `"` at the start.
fn tick(pass: &mut Pass<'_>, at: usize) -> usize {
    match pass.rest(at) {
        [b'`', b'`', ..] => pass.tokens(at, &[2]),
        [b'`', ..] => pass.tokens(at, &[1]),
        [b'"', ..] if at == 0 => pass.replace(0, 1, " `` "),
        [b'"', ..] => 0,
        _ => mark_of(pass, at, "«“‘„"),
    }
}

/// Quotation marks after a blank or a bracket, and apostrophes before a word.
fn opening(pass: &mut Pass<'_>, at: usize) -> usize {
    let opens = at > 0 && b" ([{<".contains(&pass.text.as_bytes()[at - 1]);
    match pass.rest(at) {
        [b'"', ..] if opens => pass.replace(at, at + 1, " `` "),
        [b'\'', b'\'', ..] if opens => pass.replace(at, at + 2, " `` "),
        [b'\'', ..] => {
            let word = &pass.text[at + 1..];
            let is_word_at = |at: usize| word[at..].starts_with(is_word);
            let is_clitic = |end| prefix(word, end).is_some_and(|len| !is_word_at(len));
            let starts_word = is_word_at(0) && !pass.before(at).is_some_and(is_word);
            if !starts_word || CLITICS.split(' ').any(is_clitic) {
                return 0;
            }
            pass.replace(at, at + 1, "' ")
        }
        _ => 0,
    }
}

/// Marks that are tokens, and white space.
fn mark(pass: &mut Pass<'_>, at: usize) -> usize {
    match pass.rest(at) {
        [b'\'', ..] if is_spaced(pass, at + 1) && at > 0 && !pass.text[..at].ends_with('\'') => {
            pass.tokens(at, &[1])
        }
        // The pattern takes the next character, too, so that of two marks the first is a token.
        [b':' | b',', b':' | b',', _, ..] => pass.tokens(at, &[1]) + 1,
        [b':' | b',', ..] if pass.after(at + 1).is_some_and(is_decimal) => 0,
        rest @ [b'.', b'.', ..] => {
            pass.tokens(at, &[rest.iter().take_while(|&&byte| byte == b'.').count()])
        }
        [b'-', b'-', ..] | [b'\'', b'\'', ..] => pass.tokens(at, &[2]),
        [b'\'' | b'.' | b'-', ..] => 0,
        [b'"', ..] => pass.replace(at, at + 1, " '' "),
        [byte, ..] if byte.is_ascii_punctuation() => pass.tokens(at, &[1]),
        _ => match pass.after(at).filter(|&c| is_blank(c)) {
            Some(blank) => pass.replace(at, at + blank.len_utf8(), " "),
            None => mark_of(pass, at, "‒–—―»”’"),
        },
    }
}

/// Writes a mark beyond ASCII as a token, if it is one of these.
fn mark_of(pass: &mut Pass<'_>, at: usize, marks: &str) -> usize {
    let mark = pass.after(at).filter(|&c| marks.contains(c));
    mark.map_or(0, |c| pass.tokens(at, &[c.len_utf8()]))
}

/// The apostrophe at the end of a word, with the letter that may follow.
fn possessive(pass: &mut Pass<'_>, at: usize) -> usize {
    match pass.rest(at) {
        _ if !pass.is_after_word(at) => 0,
        [_, b' ', ..] => pass.tokens(at, &[1]),
        [_, b's' | b'S' | b'm' | b'M' | b'd' | b'D', b' ', ..] => pass.tokens(at, &[2]),
        _ => 0,
    }
}

/// Endings of three characters.
fn ending(pass: &mut Pass<'_>, at: usize) -> usize {
    for start in [at, at.saturating_sub(1)] {
        let [ending @ .., b' '] = pass.rest(start).get(..4).unwrap_or_default() else {
            continue;
        };
        if pass.is_after_word(start) && ENDINGS.contains(&ending) {
            return pass.tokens(start, &[3]);
        }
    }
    0
}

/// A word that is two, such as `cannot`.
fn contraction(pass: &mut Pass<'_>, at: usize) -> usize {
    let (before, rest) = (pass.before(at), &pass.text[at..]);
    let is_open = |len: usize| rest[len..].starts_with(is_python_word);
    let parts = |(first, second)| {
        let len = prefix(rest, first)?;
        Some([len, prefix(&rest[len..], second)?])
            .filter(|&[first, second]| !is_open(first + second))
    };
    if rest.starts_with('\'') {
        // Here a blank is before an apostrophe only if a word was split; 'tis comes before 'twas.
        pass.copy(at);
        if !pass.out.ends_with(' ') {
            return 0;
        }
        let is_first = before.is_none_or(|c| lower(c) != 's');
        let after_is = pass.out.chars().rev().map(lower).take(3).eq(" si".chars());
        let tis = is_first.then(|| parts(("'t", "is"))).flatten();
        let twas = || {
            (is_first || after_is)
                .then(|| parts(("'t", "was")))
                .flatten()
        };
        return tis.or_else(twas).map_or(0, |lens| pass.tokens(at, &lens));
    }
    if before.is_some_and(is_python_word) {
        return 0;
    }
    for word in CONTRACTIONS {
        let Some(lens) = parts(word) else { continue };
        let blank = rest[lens.iter().sum()..].chars().next();
        if word.0 != "wan" || blank.is_some_and(|c| is_space(c.into())) {
            return pass.tokens(at, &lens);
        }
    }
    0
}

/// The last period becomes a token, if closing marks alone follow it.
fn split_period(text: &mut String) {
    let end = text.trim_end_matches(is_blank);
    let before = end.trim_end_matches(|c| "])}>\"'»”’ ".contains(c));
    let Some(sentence) = before.strip_suffix('.') else {
        return;
    };
    if !sentence.is_empty() && !sentence.ends_with('.') {
        text.replace_range(sentence.len()..before.len(), " . ");
    }
}

/// Whether a blank follows an apostrophe, or a mark with a blank before it.
fn is_spaced(pass: &Pass<'_>, at: usize) -> bool {
    match pass.rest(at) {
        [b':' | b',', _, ..] => !pass.after(at + 1).is_some_and(is_decimal),
        [b' ' | b':' | b',', ..] | [b'.', b'.', ..] => true,
        _ => pass.after(at).is_some_and(|c| ";@#$%&?!‒–—―".contains(c)),
    }
}

/// The length of a word at the start of a text, in any case as Python compares.
fn prefix(text: &str, word: &str) -> Option<usize> {
    let mut rest = text.chars();
    let is_here = word
        .chars()
        .all(|own| rest.next().is_some_and(|c| lower(c) == own));
    is_here.then(|| text.len() - rest.as_str().len())
}

fn lower(c: char) -> char {
    match c {
        'ſ' => 's',
        'İ' | 'ı' => 'i',
        _ => c.to_ascii_lowercase(),
    }
}

/// White space of the package regex, which NLTK uses.
fn is_blank(c: char) -> bool {
    is_space(c.into()) && !matches!(c, '\x1C'..='\x1F')
}

/// `\w` in the package regex.
fn is_word(c: char) -> bool {
    use GeneralCategory::{ConnectorPunctuation, DecimalNumber, LetterNumber};
    if c.is_ascii() {
        return c == '_' || c.is_ascii_alphanumeric();
    }
    let group = c.general_category_group();
    matches!(
        group,
        GeneralCategoryGroup::Letter | GeneralCategoryGroup::Mark
    ) || matches!(
        c.general_category(),
        ConnectorPunctuation | DecimalNumber | LetterNumber
    ) || matches!(c, '\u{200C}' | '\u{200D}' | 'Ⓐ'..='ⓩ' | '🄰'..='🅉' | '🅐'..='🅩' | '🅰'..='🆉')
}

/// `\w` in Python's module re.
fn is_python_word(c: char) -> bool {
    c == '_' || is_alphanumeric(c)
}

/// `\d`.
fn is_decimal(c: char) -> bool {
    c.is_ascii_digit() || (!c.is_ascii() && c.general_category() == GeneralCategory::DecimalNumber)
}
