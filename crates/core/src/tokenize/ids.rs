//! Token ids as tokens: each is its own key, and its own tag if it fits.

use std::ops::BitOr;

use super::Tokens;
use crate::columns::views::{Fault, Ids, Marks};
use crate::simd::{Isa, Key, Tag, Task};

/// The key of an id.
pub(super) const fn key(id: u64) -> Key {
    [id, u64::MAX]
}

/// The tag of half an id that has no other: those that fit are equal if their tags are.
const fn tag(half: u32) -> Tag {
    (half ^ half >> 16) as Tag
}

/// An integer that ids are stored in. Many are read at once, so they stay as narrow as they are.
trait Id: BitOr<Output = Self> + Copy + Default + Eq + From<bool> + Into<i64> + TryFrom<i64> {
    fn tag(self) -> Tag;
}

impl Id for i32 {
    #[inline(always)]
    fn tag(self) -> Tag {
        tag(self as u32)
    }
}

impl Id for i64 {
    #[inline(always)]
    fn tag(self) -> Tag {
        tag((self ^ self >> 32) as u32)
    }
}

impl Tokens {
    /// Takes the ids of a segment. Keys are missing if tags are exact.
    #[inline(always)]
    pub fn read_ids<I: Isa>(&mut self, isa: I, ids: Ids, marks: &Marks) -> Result<(), Fault> {
        isa.apart(Read {
            tokens: self,
            ids,
            marks,
        })
    }

    #[inline(always)]
    fn take<T: Id>(&mut self, row: &[T], marks: &Marks) -> Result<(), Fault> {
        let row = within(row, marks);
        if fitting(&marks.pads).any(|pad| has(row, pad)) {
            let is_token = |&id: &T| !marks.pads.contains(&id.into());
            let kept: Vec<_> = row.iter().copied().filter(is_token).collect();
            self.copy(&kept)
        } else {
            self.copy(row)
        }
    }

    #[inline(always)]
    fn copy<T: Id>(&mut self, row: &[T]) -> Result<(), Fault> {
        if row.len() >= u32::MAX as usize {
            return Err(Fault::TooLong);
        }
        let union = row.iter().fold(T::default(), |union, &id| union | id);
        let union = union.into();
        if union < 0 {
            let negative = row.iter().find(|&&id| id.into() < 0);
            return Err(Fault::NegativeId(negative.map_or(union, |&id| id.into())));
        }
        (self.first, self.count, self.own) = (0, row.len(), 0..0);
        self.tags_are_exact = union <= i64::from(Tag::MAX);
        self.reserve_keys();
        for (place, &id) in self.tags.iter_mut().zip(row) {
            *place = id.tag();
        }
        if !self.tags_are_exact {
            for (place, &id) in self.keys.iter_mut().zip(row) {
                *place = key(id.into() as u64);
            }
        }
        Ok(())
    }

    /// Makes the keys that [`Tokens::read_ids`] leaves out: where all tags are exact, nobody reads them.
    #[inline(always)]
    pub fn complete_keys(&mut self) {
        if self.tags_are_exact {
            for (place, &tag) in self.keys.iter_mut().zip(&self.tags[..self.count]) {
                *place = key(tag.into());
            }
        }
    }
}

/// The marks that fit the type of a row; it cannot hold others.
#[inline(always)]
fn fitting<T: Id>(marks: &[i64]) -> impl Iterator<Item = T> {
    marks.iter().filter_map(|&mark| T::try_from(mark).ok())
}

/// The part of a row from its first token to its end; padding after it may remain if there are
/// several ids of padding.
#[inline(always)]
fn within<'a, T: Id>(row: &'a [T], marks: &Marks) -> &'a [T] {
    let mut row = row;
    while let [first, rest @ ..] = row
        && marks.pads.contains(&(*first).into())
    {
        row = rest;
    }
    for end in fitting(&marks.ends) {
        let before = 16 * row.chunks(16).take_while(|ids| !has(ids, end)).count();
        let rest = row.get(before..).unwrap_or_default();
        if let Some(at) = rest.iter().position(|&id| id == end) {
            row = &row[..before + at];
        }
    }
    for pad in fitting(&marks.pads) {
        while let Some((rest, last)) = row.split_last_chunk::<16>()
            && last.iter().fold(0, |any, &id| any | u8::from(id != pad)) == 0
        {
            row = rest;
        }
        while let [rest @ .., last] = row
            && *last == pad
        {
            row = rest;
        }
    }
    row
}

/// Whether `id` is among `ids`, which are compared many at once.
#[inline(always)]
fn has<T: Id>(ids: &[T], id: T) -> bool {
    let any = ids
        .iter()
        .fold(T::default(), |any, &its| any | T::from(its == id));
    any != T::default()
}

struct Read<'a> {
    tokens: &'a mut Tokens,
    ids: Ids<'a>,
    marks: &'a Marks,
}

impl Task for Read<'_> {
    type Output = Result<(), Fault>;

    #[inline(always)]
    fn run<I: Isa>(self, _: I) -> Self::Output {
        match self.ids {
            Ids::Int32(row) => self.tokens.take(row, self.marks),
            Ids::Int64(row) => self.tokens.take(row, self.marks),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_bound_a_row() {
        let read = |row: &[i32], pads: &[i64], ends: &[i64]| {
            let mut tokens = Tokens::default();
            let marks = Marks {
                pads: pads.to_vec(),
                ends: ends.to_vec(),
            };
            let wide: Vec<_> = row.iter().copied().map(i64::from).collect();
            let ids = |tokens: &Tokens| {
                (0..tokens.len())
                    .map(|i| tokens.name(i).0[0])
                    .collect::<Vec<_>>()
            };
            tokens.take(row, &marks).map(|()| {
                let narrow = ids(&tokens);
                assert_eq!(tokens.take(&wide, &marks), Ok(()));
                assert_eq!(ids(&tokens), narrow);
                narrow
            })
        };
        assert_eq!(read(&[5, 6], &[], &[]), Ok(vec![5, 6]));
        assert_eq!(read(&[0, 0, 5, 0, 6, 0], &[0], &[]), Ok(vec![5, 6]));
        assert_eq!(read(&[5, 2, 6, 2], &[], &[2]), Ok(vec![5]));
        assert_eq!(read(&[0, 5, 0, 6, 2, 7, 0], &[0], &[2]), Ok(vec![5, 6]));
        // One id for both, as in GPT-2: padding on the left is passed over.
        assert_eq!(read(&[2, 2, 5, 6, 2, 7], &[2], &[2]), Ok(vec![5, 6]));
        assert_eq!(read(&[2, 2], &[2], &[2]), Ok(vec![]));
        let late = [vec![1; 40], vec![2, 9], vec![1; 40]].concat();
        assert_eq!(read(&late, &[], &[2]), Ok(vec![1; 40]));
        assert_eq!(read(&[5, -100, -100], &[-100], &[]), Ok(vec![5]));
        // The padding of a batch with one long row is passed over 16 ids at a time.
        for (len, behind) in [(3, 40), (20, 16), (0, 35)] {
            let padded = [vec![5; len], vec![0; behind]].concat();
            assert_eq!(read(&padded, &[0], &[]), Ok(vec![5; len]));
        }
        // -100 in labels beside the padding of a model, and a model with several ends.
        assert_eq!(
            read(&[-100, 0, 5, -100, 6, 0, -100, 0], &[0, -100], &[]),
            Ok(vec![5, 6])
        );
        assert_eq!(read(&[2, 5, 9, 2], &[2, -100], &[2, 9]), Ok(vec![5]));
        assert_eq!(read(&[5, 6, 2, 9, 7], &[], &[9, 2]), Ok(vec![5, 6]));
        assert_eq!(read(&[5, -7], &[], &[]), Err(Fault::NegativeId(-7)));
        assert_eq!(read(&[5], &[i64::MAX], &[i64::MIN]), Ok(vec![5]));
    }

    #[test]
    fn tags_of_ids_are_exact_if_all_fit() {
        let mut tokens = Tokens::default();
        for (row, exact) in [
            ([1_i64, 0xFFFF], true),
            ([1, 0x1_0000], false),
            ([1 << 40, 2], false),
        ] {
            assert_eq!(tokens.take(&row, &Marks::default()), Ok(()));
            assert_eq!(tokens.tags_are_exact(), exact);
            tokens.complete_keys();
            assert_eq!(tokens.keys(), row.map(|id| key(id as u64)));
            assert_eq!(tokens.tags(), row.map(Id::tag));
        }
        assert_eq!(0xFFFF_i64.tag(), 0xFFFF);
    }
}
