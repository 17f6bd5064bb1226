//! Programs without their comments, as codebleu's rules have it.

use memchr::memmem;
use truebleu_core::characters::is_space;

/// The text without comments and blank lines. A comment is one by the rules of C++, and quotes are
/// strings in which nothing is a comment. It leaves a space.
pub fn without(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut result = String::with_capacity(text.len());
    let mut copied = 0;
    let mut at = 0;
    // A quote or a `/*` that is not closed is an ordinary character, and so are all later ones.
    let mut is_open = [false; 256];
    while let Some(next) = memchr::memchr3(b'/', b'\'', b'"', &bytes[at..]) {
        at += next;
        let rest = &bytes[at + 1..];
        let length = match (bytes[at], rest.first()) {
            (b'/', Some(b'/')) => memchr::memchr(b'\n', rest).or(Some(rest.len())),
            (b'/', Some(b'*')) if !is_open[usize::from(b'/')] => {
                memmem::find(&rest[1..], b"*/").map(|end| end + 3)
            }
            (b'/', _) => {
                at += 1;
                continue;
            }
            (quote, _) if !is_open[usize::from(quote)] => closing(rest, quote).map(|end| end + 1),
            _ => None,
        };
        let Some(length) = length else {
            is_open[usize::from(bytes[at])] = true;
            at += 1;
            continue;
        };
        let end = at + 1 + length;
        if bytes[at] == b'/' {
            result.push_str(&text[copied..at]);
            result.push(' ');
            copied = end;
        }
        at = end;
    }
    result.push_str(&text[copied..]);
    without_blank_lines(&result)
}

/// The place of the quote that closes a string; a backslash and the character after it do not.
fn closing(text: &[u8], quote: u8) -> Option<usize> {
    let mut at = 0;
    loop {
        at += memchr::memchr2(quote, b'\\', text.get(at..)?)?;
        if text[at] == quote {
            return Some(at);
        }
        at += 2;
    }
}

pub fn without_blank_lines(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    for line in text.split('\n') {
        if line.chars().any(|character| !is_space(character.into())) {
            if !result.is_empty() {
                result.push('\n');
            }
            result.push_str(line);
        }
    }
    result
}
