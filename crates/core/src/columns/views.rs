//! Borrowed input: texts in their owner's encoding, and columns of segments.

use std::ops::Range;

use crate::characters::is_space;
use crate::run::memory::OutOfMemory;

/// One string in its owner's encoding, not copied.
#[derive(Clone, Copy, Debug)]
pub enum Text<'a> {
    /// UTF-8 that was validated before.
    Utf8(&'a [u8]),
    /// UTF-8 that was not validated: an Arrow column from a damaged file may hold anything.
    Unchecked(&'a [u8]),
    /// One byte for each code point below U+0100 (`CPython`'s compact one-byte strings).
    Latin1(&'a [u8]),
    /// Two bytes for each code point below U+10000; surrogates are single code points, not pairs.
    Ucs2(&'a [u16]),
    /// Four bytes for each code point.
    Ucs4(&'a [u32]),
}

impl From<OutOfMemory> for Fault {
    fn from(error: OutOfMemory) -> Self {
        Self::OutOfMemory(error)
    }
}

impl Text<'_> {
    /// Whether a word has white space, and something else.
    #[inline(always)]
    pub fn is_split(self) -> bool {
        match self {
            Self::Utf8(units) | Self::Unchecked(units) => {
                !is_plain(units)
                    && str::from_utf8(units).is_ok_and(|word| has_both(word.chars().map(u32::from)))
            }
            Self::Latin1(units) => has_both(units.iter().map(|&unit| unit.into())),
            Self::Ucs2(units) => has_both(units.iter().map(|&unit| unit.into())),
            Self::Ucs4(units) => has_both(units.iter().copied()),
        }
    }

    /// Whether the last characters are a space and a period.
    pub fn ends_in_spaced_period(self) -> bool {
        match self {
            Self::Utf8(units) | Self::Unchecked(units) | Self::Latin1(units) => {
                units.ends_with(b" .")
            }
            Self::Ucs2(units) => units.ends_with(&[0x20, 0x2e]),
            Self::Ucs4(units) => units.ends_with(&[0x20, 0x2e]),
        }
    }

    #[inline]
    pub(crate) fn bytes(&self) -> usize {
        match self {
            Self::Utf8(units) | Self::Unchecked(units) | Self::Latin1(units) => units.len(),
            Self::Ucs2(units) => size_of_val(*units),
            Self::Ucs4(units) => size_of_val(*units),
        }
    }

    #[inline]
    pub(crate) fn address(&self) -> *const u8 {
        match self {
            Self::Utf8(units) | Self::Unchecked(units) | Self::Latin1(units) => units.as_ptr(),
            Self::Ucs2(units) => units.as_ptr().cast(),
            Self::Ucs4(units) => units.as_ptr().cast(),
        }
    }
}

fn has_both(mut word: impl Iterator<Item = u32> + Clone) -> bool {
    word.clone().any(is_space) && !word.all(is_space)
}

/// Whether all bytes are ASCII characters other than white space.
#[inline(always)]
fn is_plain(bytes: &[u8]) -> bool {
    // Four bytes at a time: a borrow of a lower byte is a reason to look again.
    let are_plain = |bytes: &[u8; 4]| {
        let four = u32::from_ne_bytes(*bytes);
        (four.wrapping_sub(0x2121_2121) | four) & 0x8080_8080 == 0
    };
    match bytes.last_chunk() {
        Some(last) => are_plain(last) && bytes.as_chunks().0.iter().all(are_plain),
        None => bytes
            .last()
            .is_none_or(|&last| are_plain(&[bytes[0], bytes[bytes.len() / 2], last, last])),
    }
}

/// `bytes`, if they are UTF-8.
pub(crate) fn checked(bytes: &[u8]) -> Result<&[u8], Fault> {
    str::from_utf8(bytes)
        .map(str::as_bytes)
        .map_err(|error| Fault::NotUtf8(error.valid_up_to()))
}

/// Token ids of one segment, not copied.
#[derive(Clone, Copy, Debug)]
pub enum Ids<'a> {
    Int32(&'a [i32]),
    Int64(&'a [i64]),
}

impl Ids<'_> {
    #[inline]
    pub(crate) fn address(&self) -> *const u8 {
        match self {
            Self::Int32(ids) => ids.as_ptr().cast(),
            Self::Int64(ids) => ids.as_ptr().cast(),
        }
    }

    pub fn len(&self) -> usize {
        match self {
            Self::Int32(ids) => ids.len(),
            Self::Int64(ids) => ids.len(),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether there are ids, and all are padding.
    pub fn is_padding(&self, marks: &Marks) -> bool {
        let is_pad = |id| marks.pads.contains(&id);
        !self.is_empty()
            && match self {
                Self::Int32(ids) => ids.iter().all(|&id| is_pad(id.into())),
                Self::Int64(ids) => ids.iter().all(|&id| is_pad(id)),
            }
    }

    #[inline]
    pub(crate) fn bytes(&self) -> usize {
        match self {
            Self::Int32(ids) => size_of_val(*ids),
            Self::Int64(ids) => size_of_val(*ids),
        }
    }
}

/// Ids that are not tokens. Padding before the first token is skipped, the segment ends before the
/// next of `ends`, and further padding is dropped.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Marks {
    pub pads: Vec<i64>,
    pub ends: Vec<i64>,
}

/// A column of segments.
#[derive(Debug)]
pub enum Segments<'a> {
    /// Untokenized text, one for each segment.
    Texts(Vec<Text<'a>>),
    /// Words that the caller tokenized: segment `i` is `words[bounds[i]..bounds[i + 1]]`.
    Words {
        words: Vec<Text<'a>>,
        bounds: Vec<usize>,
    },
    /// Ids of the tokens.
    Ids { rows: Vec<Ids<'a>>, marks: Marks },
}

impl Segments<'_> {
    pub fn len(&self) -> usize {
        match self {
            Self::Texts(texts) => texts.len(),
            Self::Words { bounds, .. } => bounds.len() - 1,
            Self::Ids { rows, .. } => rows.len(),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Number of ids, padding included; zero for text.
    pub(crate) fn ids(&self) -> usize {
        match self {
            Self::Ids { rows, .. } => rows.iter().map(Ids::len).sum(),
            _ => 0,
        }
    }

    /// The size of a segment in bytes of text, words or ids.
    #[inline]
    pub(crate) fn size_of(&self, position: usize) -> usize {
        match self {
            Self::Texts(texts) => texts[position].bytes(),
            Self::Words { bounds, .. } => bounds[position + 1] - bounds[position],
            Self::Ids { rows, .. } => rows[position].len(),
        }
    }

    /// Some of the segments, as views of the same texts.
    #[must_use]
    pub fn slice(&self, range: Range<usize>) -> Self {
        match self {
            Self::Texts(texts) => Self::Texts(texts[range].to_vec()),
            Self::Words { words, bounds } => {
                let bounds = &bounds[range.start..=range.end];
                let (first, last) = (bounds[0], bounds[bounds.len() - 1]);
                Self::Words {
                    words: words[first..last].to_vec(),
                    bounds: bounds.iter().map(|bound| bound - first).collect(),
                }
            }
            Self::Ids { rows, marks } => Self::Ids {
                rows: rows[range].to_vec(),
                marks: marks.clone(),
            },
        }
    }
}

/// Candidates and references, all against all; without references, the candidates are their own.
#[derive(Clone, Copy, Debug)]
pub struct Sides<'a> {
    pub candidates: &'a Segments<'a>,
    pub references: Option<&'a Segments<'a>>,
}

impl<'a> Sides<'a> {
    /// The references, or the candidates as their own.
    pub fn columns(&self) -> &'a Segments<'a> {
        self.references.unwrap_or(self.candidates)
    }

    /// The number of the first candidate if the references are numbered first.
    pub fn first(&self) -> usize {
        self.references.map_or(0, Segments::len)
    }
}

/// Hypotheses with their references.
#[derive(Debug)]
pub struct Corpus<'a> {
    pub hyps: Segments<'a>,
    pub refs: Segments<'a>,
    /// References of entry `i` are `refs[bounds[i]..bounds[i + 1]]`; `None` means one each.
    pub bounds: Option<Vec<usize>>,
    /// Number of consecutive hypotheses that share an entry of the references.
    pub group: usize,
}

impl Corpus<'_> {
    pub fn len(&self) -> usize {
        self.hyps.len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The smallest and the largest number of references of a hypothesis.
    pub fn ref_counts(&self) -> (usize, usize) {
        let Some(bounds) = &self.bounds else {
            return (1, 1);
        };
        let counts = || bounds.windows(2).map(|pair| pair[1] - pair[0]);
        (counts().min().unwrap_or(0), counts().max().unwrap_or(0))
    }

    /// Whether the caller tokenized.
    pub fn is_tokenized(&self) -> bool {
        !matches!(self.hyps, Segments::Texts(_))
    }

    /// The positions in `refs` that belong to hypothesis `segment`.
    #[inline]
    pub(crate) fn references(&self, segment: usize) -> Range<usize> {
        // A predicted branch is faster than a division.
        let entry = if self.group == 1 {
            segment
        } else {
            segment / self.group
        };
        match &self.bounds {
            None => entry..entry + 1,
            Some(bounds) => bounds[entry]..bounds[entry + 1],
        }
    }
}

/// The reason that a segment could not be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// A surrogate code point, which is not a character.
    Surrogate(u32),
    /// Not UTF-8 from this byte on.
    NotUtf8(usize),
    /// A segment of 4 GiB or more.
    TooLong,
    /// A negative id that is not padding.
    NegativeId(i64),
    /// Token ids where a metric reads letters.
    NoText,
    /// A segment that needs more memory than there is.
    OutOfMemory(OutOfMemory),
    /// More words of a hypothesis and of its reference than TER compares with each other.
    TooManyWords(usize, usize),
    /// So many references that their mean length is not exact.
    References(usize),
}

impl Fault {
    /// The fault with its place.
    pub fn at(self, in_refs: bool, position: usize) -> BadSegment {
        BadSegment {
            fault: self,
            in_refs,
            position,
        }
    }
}

/// A [`Fault`] and its place: `position` counts hypotheses, or all references.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BadSegment {
    pub fault: Fault,
    pub in_refs: bool,
    pub position: usize,
}

/// What steps over segments return.
pub type Outcome<T = ()> = Result<T, BadSegment>;
