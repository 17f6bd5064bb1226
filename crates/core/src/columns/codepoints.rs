//! Segments as code points, the characters of Python's strings.

use crate::characters::{LowerCase, character, decode, is_space};
use crate::columns::views::{Fault, Segments, Text, checked};
use crate::run::{interrupt, memory};

/// Size of a segment above which interrupts are checked.
const LARGE: usize = 1 << 14;

/// Most bytes of memory for a byte of text: three characters and an n-gram.
const PER_ITEM: usize = 40;

/// Reads a segment into `line`. Words that the caller split are joined by blanks.
pub fn read(segments: &Segments, position: usize, line: &mut Vec<u32>) -> Result<(), Fault> {
    line.clear();
    let size = segments.size_of(position);
    memory::check(PER_ITEM * size)?;
    if size > LARGE {
        interrupt::check();
    }
    match segments {
        Segments::Texts(texts) => append(texts[position], line)?,
        Segments::Words { words, bounds } => {
            for (i, &word) in words[bounds[position]..bounds[position + 1]]
                .iter()
                .enumerate()
            {
                if i > 0 {
                    line.push(u32::from(b' '));
                }
                append(word, line)?;
            }
        }
        Segments::Ids { .. } => return Err(Fault::NoText),
    }
    if line.len() > u32::MAX as usize {
        return Err(Fault::TooLong);
    }
    Ok(())
}

fn append(text: Text, line: &mut Vec<u32>) -> Result<(), Fault> {
    match text {
        Text::Latin1(units) => line.extend(units.iter().map(|&unit| u32::from(unit))),
        Text::Ucs2(units) => {
            if let Some(&unit) = units.iter().find(|&&unit| unit & 0xF800 == 0xD800) {
                return Err(Fault::Surrogate(unit.into()));
            }
            line.extend(units.iter().map(|&unit| u32::from(unit)));
        }
        Text::Ucs4(units) => {
            if let Some(&unit) = units.iter().find(|&&unit| char::from_u32(unit).is_none()) {
                return Err(Fault::Surrogate(unit));
            }
            line.extend_from_slice(units);
        }
        Text::Unchecked(bytes) => return append(Text::Utf8(checked(bytes)?), line),
        Text::Utf8(mut bytes) => {
            line.reserve(bytes.len());
            while let Some((&first, rest)) = bytes.split_first() {
                if first < 0x80 {
                    line.push(first.into());
                    bytes = rest;
                } else {
                    let (character, width) = decode(bytes);
                    line.push(character);
                    bytes = bytes.get(width..).unwrap_or_default();
                }
            }
        }
    }
    Ok(())
}

/// Unicode lower case with the final-sigma rule, as Python's `str.lower`.
pub fn lower(line: &mut Vec<u32>) {
    if line.iter().all(|&character| character < 0x80) {
        for character in line {
            *character += u32::from((*character).wrapping_sub(0x41) < 26) << 5;
        }
        return;
    }
    let cases = LowerCase::known();
    if line.iter().all(|&one| !LowerCase::depends(one)) {
        for code in line {
            *code = cases.of(*code);
        }
    } else {
        let text: String = line.iter().map(|&code| character(code)).collect();
        line.clear();
        line.extend(text.to_lowercase().chars().map(u32::from));
    }
}

/// Whether each of the first characters, up to Arabic, is white space. A branch would be mispredicted
/// at every other word, which took a quarter of chrF's time.
static BLANK: [bool; 0x700] = {
    let mut blank = [false; 0x700];
    let mut character = 0;
    while character < blank.len() {
        blank[character] = is_space(character as u32);
        character += 1;
    }
    blank
};

/// Whether Python counts a character as white space.
#[inline(always)]
pub fn is_blank(character: u32) -> bool {
    match BLANK.get(character as usize) {
        Some(&blank) => blank,
        None => is_space(character),
    }
}

/// The words of a line, as Python's `str.split` returns them.
pub fn words(line: &[u32]) -> impl Iterator<Item = &[u32]> {
    line.split(|&character| is_blank(character))
        .filter(|word| !word.is_empty())
}
