//! The steps over vectors of 16 bytes, written once for NEON, SSE4.1 and WebAssembly.

use super::utf8::{self, Utf8};
use super::{Block, CacheLine, ClassTable, Isa, KeyBlock, SHARES, Scalar, Task, class};

/// The instructions of a processor with vectors of 16 bytes. A value is only made where the
/// processor has them.
pub trait Instructions: Copy {
    type Vector: Copy;

    /// As [`Isa::apart`].
    fn apart<T: Task>(self, task: T) -> T::Output;

    fn load(self, bytes: &[u8; 16]) -> Self::Vector;
    /// Integers in the order of memory.
    fn load_4(self, integers: &[i32; 4]) -> Self::Vector;
    fn load_2(self, integers: &[u64; 2]) -> Self::Vector;
    fn store(self, vector: Self::Vector, bytes: &mut [u8; 16]);
    fn store_4(self, vector: Self::Vector, integers: &mut [i32; 4]);
    fn splat(self, byte: u8) -> Self::Vector;
    fn splat_2_bytes(self, bytes: [u8; 2]) -> Self::Vector;
    fn splat_4_bytes(self, bytes: [u8; 4]) -> Self::Vector;
    fn splat_8_bytes(self, bytes: [u8; 8]) -> Self::Vector;

    fn and(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    fn or(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// The upper four bits of each byte.
    fn upper_halves(self, bytes: Self::Vector) -> Self::Vector;
    /// Byte `indices[i]` of `table` in byte `i`; each index is less than 16.
    fn look_up(self, table: Self::Vector, indices: Self::Vector) -> Self::Vector;

    /// All bits where the bytes, or the integers of four or eight bytes, are equal.
    fn equal_bytes(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    fn equal_4(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    fn equal_8(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;

    /// One bit for each byte: whether any of its bits is set in both vectors.
    fn common_bits(self, a: [Self::Vector; 4], b: [Self::Vector; 4]) -> u64;
    /// One bit for each integer of four bytes, which is all ones or zero.
    fn bits_of_4(self, integers: &[Self::Vector; 4]) -> u16;
    /// One bit for each integer of eight bytes, which is all ones or zero.
    fn bits_of_8(self, integers: [Self::Vector; 4]) -> u8;
    fn has_upper_bit(self, bytes: [Self::Vector; 4]) -> bool;

    /// Adds to each integer of four bytes the products of four bytes and four weights.
    fn add_products(
        self,
        sums: Self::Vector,
        bytes: Self::Vector,
        weights: Self::Vector,
    ) -> Self::Vector;
}

/// Pages have UTF-8 only, and want a small kernel.
const FOR_PAGES: bool = cfg!(target_arch = "wasm32");

/// The path of processors with these instructions.
#[derive(Clone, Copy)]
pub struct Wide128<I>(pub(super) I);

impl<I: Instructions> Isa for Wide128<I> {
    const COMPARED: usize = 512;

    #[inline(always)]
    fn apart<T: Task>(self, task: T) -> T::Output {
        self.0.apart(task)
    }

    /// The lower half of a byte finds the set of upper halves with which it has the class.
    #[inline(always)]
    fn classify(self, bytes: &[u8; 64], table: &ClassTable) -> Block {
        let Self(isa) = self;
        let text = quarters(bytes).map(|bytes| isa.load(bytes));
        let lower = text.map(|bytes| isa.and(bytes, isa.splat(0x0F)));
        let upper = text.map(|bytes| isa.upper_halves(bytes));
        let row_bits = |rows: [u8; 16]| upper.map(|upper| isa.look_up(isa.load(&rows), upper));
        let rows = row_bits([1, 2, 4, 8, 16, 32, 64, 128, 0, 0, 0, 0, 0, 0, 0, 0]);
        let has = |class: u8, rows| {
            let columns = isa.load(table.columns(class));
            isa.common_bits(lower.map(|lower| isa.look_up(columns, lower)), rows)
        };
        let mut block = Block {
            space: has(class::SPACE, rows),
            alone: has(class::ALONE, rows),
            joiner: has(class::JOINER, rows),
            digit: has(class::DIGIT, rows),
            dash: has(class::DASH, rows),
            rewrite: has(class::REWRITE, rows),
            wide: 0,
            inner: 0,
        };
        if isa.has_upper_bit(text) {
            let rows = row_bits([0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128]);
            block.wide = has(class::WIDE, rows);
        }
        block
    }

    #[inline(always)]
    fn bit_positions(self, mask: u64, base: u32, out: &mut [u32; 64]) -> usize {
        Scalar.bit_positions(mask, base, out)
    }

    #[inline(always)]
    fn equal_keys<const W: usize>(
        self,
        hyp: &[KeyBlock],
        reference: &KeyBlock,
        rows: &mut [[[u8; 8]; W]],
        word: usize,
        byte: usize,
    ) {
        assert!(word < W && byte < 8); // checked here, and not for each row
        let Self(isa) = self;
        let pairs = |half: &[u64; 8]| {
            let (pairs, _) = half.as_chunks::<2>();
            [0, 1, 2, 3].map(|i| isa.load_2(&pairs[i]))
        };
        let highs = pairs(&reference.highs);
        // A place without a key has a low half unlike the zeros after the last key of a hypothesis.
        let no_key = isa.splat(0);
        let mut lows = pairs(&reference.lows);
        for (low, &high) in lows.iter_mut().zip(&highs) {
            *low = isa.or(*low, isa.equal_8(high, no_key));
        }
        for (block, rows) in hyp.iter().zip(rows.as_chunks_mut::<8>().0) {
            for ((row, &low), &high) in rows.iter_mut().zip(&block.lows).zip(&block.highs) {
                let low = isa.splat_8_bytes(low.to_ne_bytes());
                let high = isa.splat_8_bytes(high.to_ne_bytes());
                row[word][byte] = isa.bits_of_8(
                    [0, 1, 2, 3]
                        .map(|i| isa.and(isa.equal_8(lows[i], low), isa.equal_8(highs[i], high))),
                );
            }
        }
    }

    #[inline(always)]
    fn equal_ids<const W: usize>(
        self,
        hyp: &[i32],
        reference: &[i32; 64],
        rows: &mut [[[u8; 8]; W]],
        word: usize,
    ) {
        assert!(word < W);
        let Self(isa) = self;
        let (quarters, _) = reference.as_chunks::<16>();
        for (quarter, ids) in quarters.iter().enumerate() {
            let (fours, _) = ids.as_chunks::<4>();
            let ids = [0, 1, 2, 3].map(|i| isa.load_4(&fours[i]));
            for (row, &id) in rows.iter_mut().zip(hyp) {
                let id = isa.splat_4_bytes(id.to_ne_bytes());
                let same = isa.bits_of_4(&ids.map(|ids| isa.equal_4(ids, id)));
                row[word].as_chunks_mut::<2>().0[quarter] = same.to_le_bytes();
            }
        }
    }

    #[inline(always)]
    fn count_lanes(self, digits: &[u64], counts: &mut [u8; 64]) {
        let Self(isa) = self;
        let sources = isa.load(&[0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1]);
        let bits = isa.splat_8_bytes([1, 2, 4, 8, 16, 32, 64, 128]);
        for (quarter, counts) in counts.as_chunks_mut::<16>().0.iter_mut().enumerate() {
            let mut sums = isa.splat(0);
            for (i, &digit) in digits.iter().enumerate() {
                // Byte `i` of a quarter gets the byte that has bit `i`, and keeps that bit alone.
                let copies = isa.splat_2_bytes(((digit >> (16 * quarter)) as u16).to_le_bytes());
                let kept = isa.and(isa.look_up(copies, sources), bits);
                let set = isa.equal_bytes(kept, bits);
                sums = isa.or(sums, isa.and(set, isa.splat(1 << i)));
            }
            isa.store(sums, counts);
        }
    }

    #[inline(always)]
    fn append_latin1(self, units: &[u8], out: &mut Vec<u8>) {
        if FOR_PAGES {
            Scalar.append_latin1(units, out);
        } else {
            utf8::append_latin1(self, units, out);
        }
    }

    #[inline(always)]
    fn append_ucs2(self, units: &[u16], out: &mut Vec<u8>) -> Result<(), u16> {
        if FOR_PAGES {
            Scalar.append_ucs2(units, out)
        } else {
            utf8::append_ucs2(self, units, out)
        }
    }

    #[inline(always)]
    fn weigh(self, lines: &[CacheLine], shares: &[&[[u8; 4]]; SHARES]) -> [[i32; 16]; SHARES] {
        let Self(isa) = self;
        let mut sums = [[0; 16]; SHARES];
        // Two at a time have their sums in registers.
        for (sums, shares) in sums
            .as_chunks_mut::<2>()
            .0
            .iter_mut()
            .zip(shares.as_chunks::<2>().0)
        {
            let mut open = [[isa.splat(0); 4]; 2];
            for ((line, &first), &second) in lines.iter().zip(shares[0]).zip(shares[1]) {
                let bytes = line.0.as_chunks::<2>().0;
                let bytes = [0, 1, 2, 3].map(|i| isa.load_2(&bytes[i]));
                for (open, weights) in open.iter_mut().zip([first, second]) {
                    let weights = isa.splat_4_bytes(weights);
                    for (open, bytes) in open.iter_mut().zip(bytes) {
                        *open = isa.add_products(*open, bytes, weights);
                    }
                }
            }
            for (sums, open) in sums.iter_mut().zip(open) {
                for (sums, open) in sums.as_chunks_mut::<4>().0.iter_mut().zip(open) {
                    isa.store_4(open, sums);
                }
            }
        }
        sums
    }
}

impl<I: Instructions> Utf8 for Wide128<I> {
    #[inline(always)]
    fn look_up(self, bytes: &[u8; 16], indices: &[u8; 16]) -> [u8; 16] {
        let Self(isa) = self;
        let mut found = [0; 16];
        isa.store(isa.look_up(isa.load(bytes), isa.load(indices)), &mut found);
        found
    }

    #[inline(always)]
    fn beyond_ascii(self, bytes: &[u8; 64]) -> u64 {
        let Self(isa) = self;
        let text = quarters(bytes).map(|bytes| isa.load(bytes));
        isa.common_bits(text, [isa.splat(0x80); 4])
    }
}

#[inline(always)]
fn quarters(bytes: &[u8; 64]) -> [&[u8; 16]; 4] {
    let (quarters, _) = bytes.as_chunks::<16>();
    [&quarters[0], &quarters[1], &quarters[2], &quarters[3]]
}
