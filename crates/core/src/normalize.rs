//! First decision: what is done to the text before it is tokenized.

use crate::characters::{self, LowerCase, decode, trim_end};
use crate::columns::views::{Fault, Text, checked};
use crate::settings::choices;
use crate::simd::Isa;

/// The treatment of upper case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Case {
    Mixed,
    /// Full Unicode lower case.
    LowerUnicode,
    /// A to Z only.
    LowerAscii,
}

choices! {
    /// Which ends of a segment lose their white space before it is tokenized.
    pub enum Strip {
        None = "none",
        Right = "right",
    }
}

choices! {
    /// Before or after the tokenizer, which reads markup with names in lower case.
    pub enum LowercaseWhen {
        Before = "before",
        After = "after",
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Normalize {
    pub case: Case,
    pub when: LowercaseWhen,
    pub strip: Strip,
}

/// Blank bytes after a line, so that the kernel reads whole blocks of it.
const PADDING: usize = 64;

/// A normalized segment as UTF-8, or several with a blank after each, in a reused buffer.
#[derive(Debug, Default)]
pub struct Line {
    bytes: Vec<u8>,
    len: usize,
    /// Where each of several texts ends.
    ends: Vec<u32>,
}

impl Line {
    /// The text, without the padding.
    #[inline]
    pub fn text(&self) -> &[u8] {
        &self.bytes[..self.len]
    }

    /// The text and at least one blank after it, in blocks of 64 bytes.
    #[inline]
    pub fn blocks(&self) -> &[[u8; 64]] {
        let blocks = self.bytes.as_chunks::<64>().0;
        &blocks[..=self.len / 64]
    }

    /// The text and 64 blanks.
    #[inline]
    pub fn padded(&self) -> &[u8] {
        &self.bytes
    }

    pub fn characters(&self) -> usize {
        characters::count(self.text())
    }

    #[inline]
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.ends.clear();
    }

    /// Ends one of several texts.
    #[inline(always)]
    pub fn separate(&mut self) {
        self.ends.push(self.end());
        self.bytes.push(b' ');
    }

    /// Where each of several texts ends.
    #[inline]
    pub fn ends(&self) -> &[u32] {
        &self.ends
    }

    /// Appends `text` in the requested case; call [`Line::seal`] at the end.
    #[inline(always)]
    pub fn append<I: Isa>(&mut self, isa: I, case: Case, text: Text) -> Result<(), Fault> {
        let start = self.bytes.len();
        match text {
            Text::Utf8(bytes) => self.bytes.extend_from_slice(bytes),
            Text::Unchecked(bytes) => self.bytes.extend_from_slice(checked(bytes)?),
            Text::Latin1(units) => isa.append_latin1(units, &mut self.bytes),
            Text::Ucs2(units) => isa
                .append_ucs2(units, &mut self.bytes)
                .map_err(|unit| Fault::Surrogate(unit.into()))?,
            Text::Ucs4(units) => append_ucs4(units, &mut self.bytes)?,
        }
        match case {
            Case::Mixed => {}
            Case::LowerAscii => self.bytes[start..].make_ascii_lowercase(),
            Case::LowerUnicode => self.lower(start),
        }
        Ok(())
    }

    /// Unicode lower case with the final-sigma rule, as Python's `str.lower`.
    fn lower(&mut self, start: usize) {
        let tail = &mut self.bytes[start..];
        tail.make_ascii_lowercase();
        if !tail.is_ascii() && !lower_in_place(tail) {
            let lower = String::from_utf8_lossy(tail).to_lowercase();
            self.bytes.truncate(start);
            self.bytes.extend_from_slice(lower.as_bytes());
        }
    }

    #[inline]
    pub fn end(&self) -> u32 {
        self.bytes.len() as u32
    }

    /// Adds the padding. The kernel counts bytes in 32 bits.
    #[inline(always)]
    pub fn seal(&mut self) -> Result<(), Fault> {
        self.len = self.bytes.len();
        if self.len > u32::MAX as usize - PADDING {
            return Err(Fault::TooLong);
        }
        self.bytes.extend_from_slice(&[b' '; PADDING]);
        Ok(())
    }

    /// Shortens the text to `len` bytes, and seals it again.
    pub fn truncate(&mut self, len: usize) {
        self.bytes.truncate(len);
        self.len = len;
        self.bytes.extend_from_slice(&[b' '; PADDING]);
    }

    /// Keeps `len` bytes from `start` on.
    pub fn keep(&mut self, start: usize, len: usize) {
        self.bytes.copy_within(start..start + len, 0);
        self.truncate(len);
    }

    /// Puts `before` and `after` around the text.
    pub fn enclose(&mut self, before: &[u8], after: &[u8]) {
        self.bytes.truncate(self.len);
        self.bytes.splice(..0, before.iter().copied());
        self.bytes.extend_from_slice(after);
        self.truncate(self.bytes.len());
    }

    /// Another text in its place.
    pub fn set(&mut self, text: &[u8]) {
        self.bytes.clear();
        self.bytes.extend_from_slice(text);
        self.truncate(text.len());
    }

    /// Replaces each `pattern`, left to right, by `with`, which is not longer. No text of several has
    /// a blank in a pattern.
    pub fn replace(&mut self, pattern: &[u8], with: &[u8]) {
        let (mut read, mut write) = (0, 0);
        let mut ends = self.ends.iter_mut().peekable();
        while let Some(offset) = find(&self.bytes[read..self.len], pattern) {
            while let Some(end) = ends.next_if(|end| **end as usize <= read + offset) {
                *end -= (read - write) as u32;
            }
            self.bytes.copy_within(read..read + offset, write);
            write += offset;
            self.bytes[write..write + with.len()].copy_from_slice(with);
            write += with.len();
            read += offset + pattern.len();
        }
        for end in ends {
            *end -= (read - write) as u32;
        }
        if read > 0 {
            self.bytes.copy_within(read..self.len, write);
            self.truncate(write + self.len - read);
        }
    }
}

/// Lowers the characters of a text. If one depends on its neighbors or takes another number of bytes,
/// the rest stays as it is, and the answer is false.
fn lower_in_place(text: &mut [u8]) -> bool {
    let cases = LowerCase::known();
    let mut at = 0;
    while let Some(offset) = text[at..].iter().position(|&byte| byte >= 0x80) {
        at += offset;
        let (code, width) = decode(&text[at..]);
        if LowerCase::depends(code) {
            return false;
        }
        let lower = cases.of(code);
        if lower != code {
            let mut bytes = [0; 4];
            let lower = char::from_u32(lower).map(|lower| lower.encode_utf8(&mut bytes).as_bytes());
            match (lower, text.get_mut(at..at + width)) {
                (Some(lower), Some(place)) if lower.len() == width => place.copy_from_slice(lower),
                _ => return false,
            }
        }
        at = (at + width).min(text.len());
    }
    true
}

fn find(text: &[u8], pattern: &[u8]) -> Option<usize> {
    let mut from = 0;
    while let Some(offset) = text[from..].iter().position(|&byte| byte == pattern[0]) {
        from += offset;
        if text[from..].starts_with(pattern) {
            return Some(from);
        }
        from += 1;
    }
    None
}

/// Appends `text` to `line` as the plan says; call [`Line::seal`] at the end.
#[inline(always)]
pub fn normalize<I: Isa>(
    isa: I,
    how: &Normalize,
    text: Text,
    line: &mut Line,
) -> Result<(), Fault> {
    let start = line.bytes.len();
    let case = match how.when {
        LowercaseWhen::Before => how.case,
        LowercaseWhen::After => Case::Mixed,
    };
    line.append(isa, case, text)?;
    // Most texts end in a visible ASCII character, which ends the search.
    let visible = line.bytes.last().is_some_and(u8::is_ascii_graphic);
    if how.strip == Strip::Right && !visible {
        let kept = trim_end(&line.bytes[start..]).len();
        line.bytes.truncate(start + kept);
    }
    Ok(())
}

fn append_ucs4(units: &[u32], out: &mut Vec<u8>) -> Result<(), Fault> {
    for &unit in units {
        let character = char::from_u32(unit).ok_or(Fault::Surrogate(unit))?;
        out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::columns::codepoints;

    #[test]
    fn each_character_is_lowered_as_the_standard_library_lowers_it() {
        for one in ('\0'..'\u{20000}').chain([char::MAX]) {
            for text in [
                one.to_string(),
                format!("é{one}Σ, {one}"),
                format!("É{one}É"),
            ] {
                let (mut line, mut bytes) =
                    (text.chars().map(u32::from).collect(), Line::default());
                codepoints::lower(&mut line);
                bytes.bytes.extend_from_slice(text.as_bytes());
                bytes.lower(0);
                let expected = text.to_lowercase();
                assert!(
                    line.into_iter().eq(expected.chars().map(u32::from)),
                    "{text:?}"
                );
                assert_eq!(bytes.bytes, expected.as_bytes(), "{text:?}");
            }
        }
    }
}
