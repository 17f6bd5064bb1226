//! Texts in the four encodings of the kernel, of words that repeat: random bytes would hardly ever
//! share an n-gram.

use libfuzzer_sys::arbitrary::{self, Arbitrary};
use truebleu_core::columns::views::{Corpus, Segments, Text};

/// Words and parts of words: around 15 and 32 bytes, where keys and hashes change, digits with what
/// stands between them, markup, white space of several kinds, final sigma, Chinese, combining marks.
const PIECES: [&str; 48] = [
    "a", "b", "c", "the", "of", "A", "B", "\u{e9}", "\u{c9}", "\u{3a3}", "\u{3c3}", "\u{130}",
    "0123456789abcd", "0123456789abcde", "0123456789abcde0", "0123456789abcde1",
    "0123456789abcdef0123456789abcde", "0123456789abcdef0123456789abcdef",
    "0123456789abcdef0123456789abcdef0", "0123456789abcdef0123456789abcdeg0", "1", "2", "\u{663}",
    "\u{bd}", ".", ",", "-", "-\n", "\u{2014}", "\u{3002}", "$", "\u{20ac}", "\u{4e2d}",
    "\u{6587}", "\u{20000}", "\u{2a6e}", "\u{300}", "\u{1f600}", "&amp;", "&lt;", "&quot;",
    "&apos;", "<skipped>", "&amp;lt;", "\u{85}", "\u{3000}", "\u{1c}", "\u{a0}",
];

/// A text as somebody may store it.
#[derive(Arbitrary, Clone, Debug)]
pub enum Stored {
    Utf8(String),
    /// Perhaps no UTF-8.
    Bytes(Vec<u8>),
    Latin1(Vec<u8>),
    Ucs2(Vec<u16>),
    Ucs4(Vec<u32>),
    Pieces(Pieces),
    PiecesInUcs4(Pieces),
}

/// Bytes that stand for parts of words, half of them with a blank behind.
#[derive(Arbitrary, Clone, Debug)]
pub struct Pieces(Vec<u8>);

impl Pieces {
    pub fn text(&self) -> String {
        let mut text = String::new();
        for &byte in &self.0 {
            text.push_str(PIECES[usize::from(byte & 0x7F) % PIECES.len()]);
            if byte & 0x80 != 0 {
                text.push(' ');
            }
        }
        text
    }
}

/// Words of the kind that are told apart by keys, hashes and bytes.
#[derive(Arbitrary, Clone, Debug)]
pub struct Words(Vec<u8>);

impl Words {
    /// Every fourth byte is a word more or less of its own.
    pub fn list(&self) -> Vec<String> {
        let word = |&byte: &u8| match byte {
            0..0xC0 => PIECES[usize::from(byte) % 20].to_owned(),
            _ => format!("w{byte}"),
        };
        self.0.iter().map(word).collect()
    }
}

/// A text that owns its units.
pub enum Units {
    Utf8(Vec<u8>),
    Unchecked(Vec<u8>),
    Latin1(Vec<u8>),
    Ucs2(Vec<u16>),
    Ucs4(Vec<u32>),
}

impl Units {
    pub fn view(&self) -> Text<'_> {
        match self {
            Self::Utf8(units) => Text::Utf8(units),
            Self::Unchecked(units) => Text::Unchecked(units),
            Self::Latin1(units) => Text::Latin1(units),
            Self::Ucs2(units) => Text::Ucs2(units),
            Self::Ucs4(units) => Text::Ucs4(units),
        }
    }
}

impl Stored {
    /// The units, and the text they are; nothing if they are none.
    pub fn read(&self) -> (Units, Option<String>) {
        match self {
            Self::Utf8(text) => (Units::Utf8(text.clone().into()), Some(text.clone())),
            Self::Bytes(bytes) => {
                let text = str::from_utf8(bytes).ok().map(str::to_owned);
                (Units::Unchecked(bytes.clone()), text)
            }
            Self::Latin1(bytes) => {
                let text = bytes.iter().map(|&byte| char::from(byte)).collect();
                (Units::Latin1(bytes.clone()), Some(text))
            }
            Self::Ucs2(units) => {
                let text = units.iter().map(|&unit| char::from_u32(unit.into())).collect();
                (Units::Ucs2(units.clone()), text)
            }
            Self::Ucs4(units) => {
                let text = units.iter().map(|&unit| char::from_u32(unit)).collect();
                (Units::Ucs4(units.clone()), text)
            }
            Self::Pieces(pieces) => {
                let text = pieces.text();
                (Units::Utf8(text.clone().into()), Some(text))
            }
            Self::PiecesInUcs4(pieces) => {
                let text = pieces.text();
                (Units::Ucs4(text.chars().map(u32::from).collect()), Some(text))
            }
        }
    }
}

/// A column of texts.
pub fn texts(texts: &[String]) -> Segments<'_> {
    Segments::Texts(texts.iter().map(|text| Text::Utf8(text.as_bytes())).collect())
}

/// A column of lists of words.
pub fn words(lists: &[Vec<String>]) -> Segments<'_> {
    let mut bounds = vec![0];
    for list in lists {
        bounds.push(bounds[bounds.len() - 1] + list.len());
    }
    let views = lists.iter().flatten().map(|word| Text::Utf8(word.as_bytes()));
    Segments::Words { words: views.collect(), bounds }
}

/// Hypotheses with their lists of references.
pub fn corpus<'a>(
    hyps: Segments<'a>,
    refs: Segments<'a>,
    counts: impl Iterator<Item = usize>,
    group: usize,
) -> Corpus<'a> {
    let mut bounds = vec![0];
    for count in counts {
        bounds.push(bounds[bounds.len() - 1] + count);
    }
    Corpus { hyps, refs, bounds: Some(bounds), group }
}
