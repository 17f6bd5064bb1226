//! Token ids as tokens: each is its own key.
//!
//! Vocabularies are smaller than 2^31, so ids are compared in four bytes; if one does not fit, all
//! become keys.

use super::Tokens;
use crate::columns::views::{Fault, Ids, Marks};
use crate::simd::{Isa, Key, KeyBlock, Task};

/// Padding after the last id, up to a block of 64; it equals no id.
const NONE: i32 = -1;

/// The key of an id.
pub const fn key(id: u64) -> Key {
    (id, u64::MAX)
}

/// An integer that ids are stored in.
trait Id: Copy + Eq + Into<i64> + TryFrom<i64> {
    fn narrow(self) -> i32;
}

impl Id for i32 {
    fn narrow(self) -> i32 {
        self
    }
}

impl Id for i64 {
    fn narrow(self) -> i32 {
        self as i32
    }
}

impl Tokens {
    /// Takes the ids of a segment.
    #[inline(always)]
    pub fn read_ids<I: Isa>(&mut self, isa: I, ids: Ids, marks: Marks) -> Result<(), Fault> {
        isa.apart(Read {
            tokens: self,
            ids,
            marks,
        })
    }

    /// The ids, if they are kept in four bytes.
    #[inline(always)]
    pub fn ids(&self) -> Option<&[i32]> {
        self.are_ids.then(|| &self.ids[..self.count])
    }

    /// The same in blocks of 64, the last one padded.
    #[inline(always)]
    pub fn id_blocks(&self) -> Option<&[[i32; 64]]> {
        self.are_ids
            .then(|| &self.ids.as_chunks().0[..self.count.div_ceil(64)])
    }

    /// Makes keys of ids, to compare them with ids that do not fit four bytes, or to number them.
    pub fn widen(&mut self) {
        if self.are_ids {
            let ids = std::mem::take(&mut self.ids);
            self.set_keys(&ids[..self.count]);
            self.ids = ids;
        }
    }

    fn set_keys<T: Id>(&mut self, ids: &[T]) {
        self.are_ids = false;
        self.count = ids.len();
        self.hashed_count = 0;
        self.keys.clear();
        self.keys.resize(ids.len().div_ceil(8), KeyBlock::default());
        for (block, ids) in self.keys.iter_mut().zip(ids.chunks(8)) {
            for (i, &id) in ids.iter().enumerate() {
                (block.lows[i], block.highs[i]) = key(id.into() as u64);
            }
        }
    }

    #[inline(always)]
    fn take<T: Id>(&mut self, row: &[T], marks: Marks) -> Result<(), Fault> {
        // A mark that does not fit the type is not in the row.
        let [pad, end] =
            [marks.pad, marks.end].map(|mark| mark.and_then(|mark| T::try_from(mark).ok()));
        let row = within(row, pad, end);
        match pad {
            Some(pad) if has(row, pad) => {
                let kept: Vec<_> = row.iter().copied().filter(|&id| id != pad).collect();
                self.copy(&kept)
            }
            _ => self.copy(row),
        }
    }

    #[inline(always)]
    fn copy<T: Id>(&mut self, row: &[T]) -> Result<(), Fault> {
        if row.len() >= u32::MAX as usize {
            return Err(Fault::TooLong);
        }
        let union = row.iter().fold(0, |union, &id| union | id.into());
        if union < 0 {
            let negative = row.iter().find(|&&id| id.into() < 0);
            return Err(Fault::NegativeId(negative.map_or(union, |&id| id.into())));
        }
        if union > i64::from(i32::MAX) {
            self.set_keys(row);
            return Ok(());
        }
        self.are_ids = true;
        self.count = row.len();
        let whole = row.len().next_multiple_of(64);
        if self.ids.len() < whole {
            self.ids.resize(whole, NONE);
        }
        for (place, id) in self.ids.iter_mut().zip(row) {
            *place = id.narrow();
        }
        self.ids[row.len()..whole].fill(NONE);
        Ok(())
    }
}

/// The part of a row from its first token to its end.
#[inline(always)]
fn within<T: Id>(row: &[T], pad: Option<T>, end: Option<T>) -> &[T] {
    let mut row = row;
    if let Some(pad) = pad {
        while let [first, rest @ ..] = row
            && *first == pad
        {
            row = rest;
        }
    }
    if let Some(end) = end {
        let before = 16 * row.chunks(16).take_while(|ids| !has(ids, end)).count();
        let rest = row.get(before..).unwrap_or_default();
        if let Some(at) = rest.iter().position(|&id| id == end) {
            row = &row[..before + at];
        }
    }
    if let Some(pad) = pad {
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
    ids.iter().fold(0, |any, &its| any | u8::from(its == id)) != 0
}

struct Read<'a> {
    tokens: &'a mut Tokens,
    ids: Ids<'a>,
    marks: Marks,
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
        let read = |row: &[i32], pad, end| {
            let mut tokens = Tokens::default();
            let marks = Marks { pad, end };
            let wide: Vec<_> = row.iter().copied().map(i64::from).collect();
            tokens.take(row, marks).map(|()| {
                let narrow = tokens.ids().map(<[i32]>::to_vec);
                assert_eq!(tokens.take(&wide, marks), Ok(()));
                assert_eq!(tokens.ids().map(<[i32]>::to_vec), narrow);
                narrow.expect("ids")
            })
        };
        assert_eq!(read(&[5, 6], None, None), Ok(vec![5, 6]));
        assert_eq!(read(&[0, 0, 5, 0, 6, 0], Some(0), None), Ok(vec![5, 6]));
        assert_eq!(read(&[5, 2, 6, 2], None, Some(2)), Ok(vec![5]));
        assert_eq!(
            read(&[0, 5, 0, 6, 2, 7, 0], Some(0), Some(2)),
            Ok(vec![5, 6])
        );
        // One id for both, as in GPT-2: padding on the left is passed over.
        assert_eq!(read(&[2, 2, 5, 6, 2, 7], Some(2), Some(2)), Ok(vec![5, 6]));
        assert_eq!(read(&[2, 2], Some(2), Some(2)), Ok(vec![]));
        let late = [vec![1; 40], vec![2, 9], vec![1; 40]].concat();
        assert_eq!(read(&late, None, Some(2)), Ok(vec![1; 40]));
        assert_eq!(read(&[5, -100, -100], Some(-100), None), Ok(vec![5]));
        // The padding of a batch with one long row is passed over 16 ids at a time.
        for (len, behind) in [(3, 40), (20, 16), (0, 35)] {
            let padded = [vec![5; len], vec![0; behind]].concat();
            assert_eq!(read(&padded, Some(0), None), Ok(vec![5; len]));
        }
        assert_eq!(read(&[5, -7], None, None), Err(Fault::NegativeId(-7)));
        assert_eq!(read(&[5], Some(i64::MAX), Some(i64::MIN)), Ok(vec![5]));
    }

    #[test]
    fn ids_beyond_four_bytes_have_keys() {
        let mut tokens = Tokens::default();
        for row in [[1, i64::MAX], [1 << 31, 1 << 32]] {
            assert_eq!(tokens.take(&row, Marks::default()), Ok(()));
            assert_eq!(tokens.ids(), None);
            assert_eq!(row.map(|id| key(id as u64)), [tokens.key(0), tokens.key(1)]);
        }
        assert_eq!(tokens.take(&[1, 2], Marks::default()), Ok(()));
        assert_eq!(tokens.ids(), Some(&[1, 2][..]));
        tokens.widen();
        assert_eq!([tokens.key(0), tokens.key(1)], [key(1), key(2)]);
    }
}
