//! NLTK's `word_tokenize` of one line: the rules of the Treebank, in as few substitutions as give the
//! same tokens. White space becomes blanks.

use unicode_properties::{GeneralCategory, GeneralCategoryGroup, UnicodeGeneralCategory};

use super::classes::is_alphanumeric;
use crate::characters::is_space;

/// Endings before which an apostrophe stays where it is, endings that are split off, and words that
/// are split.
const CLITICS: &str = "re ve ll m t s d n";
const ENDINGS: &str = "'ll 'LL 're 'RE 've 'VE n't N'T";
const CONTRACTIONS: &str = "can-not d-'ye gim-me gon-na got-ta lem-me more-'n wan-na";

/// Marks that are tokens before apostrophes are.
const MARKS: &str = ";@#$%&?!\u{2012}\u{2013}\u{2014}\u{2015}";

/// The text with blanks between its tokens.
pub fn separate(text: &str) -> String {
    let (ticks, apostrophes) = (
        text.contains(['`', '"', '«', '“', '‘', '„']),
        text.contains('\''),
    );
    let mut text: Vec<char> = text.chars().collect();
    if ticks {
        substitute(&mut text, |rest, before, out| match rest {
            ['`', '`', ..] => pad(&rest[..2], out),
            ['`' | '«' | '“' | '‘' | '„', ..] => pad(&rest[..1], out),
            ['"', ..] if before.is_none() => pad(&['`'; 2], out) - 1,
            _ => 0,
        });
    }
    if ticks || apostrophes {
        substitute(&mut text, |rest, before, out| match rest {
            [
                open @ (' ' | '(' | '[' | '{' | '<'),
                quote @ ('"' | '\''),
                after @ ..,
            ] if *quote == '"' || after.first() == Some(&'\'') => {
                out.push(*open);
                pad(&['`'; 2], out) + usize::from(*quote == '\'')
            }
            ['\'', after @ ..] if in_word(after, 0) && !before.is_some_and(is_word) => {
                let is_clitic = |end: &str| matches(after, end) && !in_word(after, end.len());
                if CLITICS.split(' ').any(is_clitic) {
                    return 0;
                }
                out.extend(['\'', ' ']);
                1
            }
            _ => 0,
        });
    }
    split_period(&mut text);
    substitute(&mut text, |rest, before, out| match rest {
        ['\'', after @ ..] if is_spaced(after) && before.is_some_and(|c| c != '\'') => {
            pad(&rest[..1], out)
        }
        // The pattern takes the next character, too, so that of two marks the first is a token.
        [':' | ',', ':' | ','] => pad(&rest[..1], out) + pad(&rest[1..], out),
        [':' | ',', next @ (':' | ','), ..] => {
            pad(&rest[..1], out);
            out.push(*next);
            2
        }
        [':' | ',', next, ..] if is_decimal(*next) => 0,
        ['.', '.', ..] => pad(&rest[..rest.iter().take_while(|&&c| c == '.').count()], out),
        ['-', '-', ..] | ['\'', '\'', ..] => pad(&rest[..2], out),
        ['"', ..] => pad(&['\''; 2], out) - 1,
        [c, ..] if MARKS.contains(*c) || ":,*[](){}<>»”’".contains(*c) => pad(&rest[..1], out),
        [c, ..] if is_blank(*c) => {
            out.push(' ');
            1
        }
        _ => 0,
    });
    text.push(' ');
    if apostrophes {
        substitute(&mut text, |rest, _, out| match rest {
            ['\'' | ' ', ..] => 0,
            [_, '\'', ' ', ..] => end_with(&rest[..2], out),
            [_, '\'', 's' | 'S' | 'm' | 'M' | 'd' | 'D', ' ', ..] => end_with(&rest[..3], out),
            _ => 0,
        });
        substitute(&mut text, |rest, _, out| match rest {
            ['\'' | ' ', ..] => 0,
            [_, ending @ ..] if ending.get(3) == Some(&' ') && is_ending(&ending[..3]) => {
                end_with(&rest[..4], out)
            }
            _ => 0,
        });
    }
    substitute(&mut text, contraction);
    // Python's split also ends tokens at four control characters.
    let blank = |c: char| if matches!(c, '\x1C'..='\x1F') { ' ' } else { c };
    text.into_iter().map(blank).collect()
}

/// Splits a word that is two, such as `cannot`.
fn contraction(rest: &[char], before: Option<char>, out: &mut Vec<char>) -> usize {
    let ends = |len: usize| !rest.get(len).is_some_and(|&c| is_python_word(c));
    // Here a blank is before an apostrophe only if a word was split; 'tis comes before 'twas.
    if rest[0] == '\'' && out.last() == Some(&' ') {
        let is_first = !before.is_some_and(|c| matches(&[c], "s"));
        let after_is = out.len() > 2 && matches(&out[out.len() - 3..], "is ");
        let words = [("'tis", is_first), ("'twas", is_first || after_is)];
        let is_here =
            |&&(word, may): &&(&str, bool)| may && matches(rest, word) && ends(word.len());
        return words
            .iter()
            .find(is_here)
            .map_or(0, |(word, _)| split(&rest[..word.len()], 2, out));
    }
    if !"cdglmwCDGLMW".contains(rest[0]) || before.is_some_and(is_python_word) {
        return 0;
    }
    for (first, second) in CONTRACTIONS
        .split(' ')
        .filter_map(|word| word.split_once('-'))
    {
        let (at, len) = (first.len(), first.len() + second.len());
        let is_blank = || rest.get(len).is_some_and(|&c| is_space(c.into()));
        let is_whole = ends(len) && (first != "wan" || is_blank());
        if is_whole && matches(rest, first) && matches(&rest[at..], second) {
            return split(&rest[..len], at, out);
        }
    }
    0
}

/// Substitutes from left to right. `rule` takes the rest of the text and the character before it,
/// writes what replaces the start of the rest, and returns the length of that, or 0.
#[inline(always)]
fn substitute(text: &mut Vec<char>, rule: impl Fn(&[char], Option<char>, &mut Vec<char>) -> usize) {
    let mut out = Vec::with_capacity(text.len() + text.len() / 2 + 8);
    let (mut at, mut before) = (0, None);
    while at < text.len() {
        let len = rule(&text[at..], before, &mut out);
        if len == 0 {
            out.push(text[at]);
        }
        at += len.max(1);
        before = Some(text[at - 1]);
    }
    *text = out;
}

/// The last period becomes a token, if closing marks alone follow it.
fn split_period(text: &mut Vec<char>) {
    let end = text
        .iter()
        .rposition(|&c| !is_space(c.into()))
        .map_or(0, |last| last + 1);
    let dot = text[..end]
        .iter()
        .rposition(|&c| !"])}>\"'»”’ ".contains(c));
    if let Some(dot) = dot.filter(|&dot| dot > 0 && text[dot] == '.' && text[dot - 1] != '.') {
        text.splice(dot..=dot, [' ', '.', ' ']);
    }
}

/// Whether a blank follows an apostrophe, or a mark with a blank before it.
fn is_spaced(after: &[char]) -> bool {
    match after {
        [':' | ',', next, ..] => !is_decimal(*next),
        [' ' | ':' | ',', ..] | ['.', '.', ..] => true,
        [c, ..] => MARKS.contains(*c),
        [] => false,
    }
}

/// Writes a token; returns its length.
fn pad(token: &[char], out: &mut Vec<char>) -> usize {
    split(token, token.len(), out)
}

/// Writes a word in two parts, with blanks around them; returns its length.
fn split(word: &[char], at: usize, out: &mut Vec<char>) -> usize {
    for part in [&word[..at], &word[at..]] {
        out.push(' ');
        out.extend(part);
    }
    out.push(' ');
    word.len()
}

/// Writes the last letter of a word, and its ending as a token; returns the length of both.
fn end_with(word: &[char], out: &mut Vec<char>) -> usize {
    out.push(word[0]);
    1 + pad(&word[1..], out)
}

fn is_ending(end: &[char]) -> bool {
    let is_same = |ending: &str| ending.chars().eq(end.iter().copied());
    (end[0] == '\'' || end[1] == '\'') && ENDINGS.split(' ').any(is_same)
}

/// Whether `rest` starts with a word in any case, as Python compares.
fn matches(rest: &[char], word: &str) -> bool {
    let lower = |c: char| match c {
        'ſ' => 's',
        'İ' | 'ı' => 'i',
        _ => c.to_ascii_lowercase(),
    };
    word.len() <= rest.len() && word.chars().zip(rest).all(|(own, &c)| lower(c) == own)
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

fn in_word(rest: &[char], at: usize) -> bool {
    rest.get(at).is_some_and(|&c| is_word(c))
}

/// `\d`.
fn is_decimal(c: char) -> bool {
    c.is_ascii_digit() || (!c.is_ascii() && c.general_category() == GeneralCategory::DecimalNumber)
}
