//! Plain Rust: the meaning of each step, and the path of other processors.

use super::{Block, CacheLine, ClassTable, Isa, SHARES, TAGS, Tag, Task, class};

#[derive(Clone, Copy)]
pub struct Scalar;

impl Isa for Scalar {
    const COMPARED: usize = 128;
    const INDEXES: bool = false;

    fn apart<T: Task>(self, task: T) -> T::Output {
        task.run(self)
    }

    #[inline(always)]
    fn classify(self, bytes: &[u8; 64], table: &ClassTable) -> Block {
        let mut classes = [0u8; 64];
        for (class, &byte) in classes.iter_mut().zip(bytes) {
            *class = table.of_bytes[usize::from(byte)];
        }
        Block {
            space: gather(&classes, class::SPACE),
            alone: gather(&classes, class::ALONE),
            joiner: gather(&classes, class::JOINER),
            digit: gather(&classes, class::DIGIT),
            dash: gather(&classes, class::DASH),
            rewrite: gather(&classes, class::REWRITE),
            ..Block::default()
        }
        .with_wide(
            table,
            gather(&classes, class::WIDE),
            gather(&classes, class::LAST),
        )
    }

    #[inline(always)]
    fn bit_positions(self, mask: u64, base: u32, out: &mut [u32; 64]) -> usize {
        // Eight at a time, even if fewer are left: their number is hard to predict.
        let mut rest = mask;
        for eight in out.as_chunks_mut::<8>().0 {
            for place in eight {
                *place = base + rest.trailing_zeros();
                rest &= rest.wrapping_sub(1);
            }
            if rest == 0 {
                break;
            }
        }
        mask.count_ones() as usize
    }

    type Tags = [Tag; TAGS];

    #[inline(always)]
    fn load_tags(self, tags: &[Tag; TAGS]) -> Self::Tags {
        *tags
    }

    #[inline(always)]
    fn equal_tags<const HALVES: usize>(self, tags: Self::Tags, tag: Tag) -> u64 {
        let mut same = [0; TAGS];
        for (same, its) in same.iter_mut().zip(&tags).take(32 * HALVES) {
            *same = u8::from(*its == tag);
        }
        gather(&same, 1)
    }

    type Numbers = u64;
    const NUMBERS: usize = 1;

    #[inline(always)]
    fn load_numbers(self, numbers: &[[u8; 8]]) -> u64 {
        u64::from_le_bytes(numbers[0])
    }

    #[inline(always)]
    fn store_numbers(self, number: u64, to: &mut [u64]) {
        to[0] = number;
    }

    #[inline(always)]
    fn shift(self, number: u64) -> u64 {
        number << 1
    }

    #[inline(always)]
    fn lowest_shared(self, a: u64, b: u64) -> u64 {
        (a & b) & (a & b).wrapping_neg()
    }

    #[inline(always)]
    fn both(self, a: u64, b: u64) -> u64 {
        a & b
    }

    #[inline(always)]
    fn either_one(self, a: u64, b: u64) -> u64 {
        a ^ b
    }

    #[inline(always)]
    fn is_zero(self, number: u64) -> u64 {
        u64::from(number == 0).wrapping_neg()
    }

    #[inline(always)]
    fn count_lanes(self, digits: &[u64], counts: &mut [u8; 64]) {
        let mut eights = [0_u64; 8];
        for (d, &digit) in digits.iter().enumerate() {
            for (eight, byte) in eights.iter_mut().zip(digit.to_le_bytes()) {
                *eight += spread(byte) << d;
            }
        }
        for (eight, counts) in eights.iter().zip(counts.as_chunks_mut::<8>().0) {
            *counts = eight.to_le_bytes();
        }
    }

    #[inline(always)]
    fn append_latin1(self, mut units: &[u8], out: &mut Vec<u8>) {
        out.reserve(2 * units.len());
        while let Some(wide) = units.iter().position(|unit| *unit >= 0x80) {
            let unit = units[wide];
            out.extend_from_slice(&units[..wide]);
            out.extend_from_slice(&[0xC0 | unit >> 6, 0x80 | unit & 0x3F]);
            units = &units[wide + 1..];
        }
        out.extend_from_slice(units);
    }

    #[inline(always)]
    fn append_ucs2(self, units: &[u16], out: &mut Vec<u8>) -> Result<(), u16> {
        // Each unit writes three bytes and counts those it needs: no branch on its size.
        let start = out.len();
        out.resize(start + 3 * units.len(), 0);
        let mut at = start;
        for &unit in units {
            let [low, middle] = [unit & 0x3F, unit >> 6 & 0x3F].map(|part| part as u8 | 0x80);
            let (bytes, len) = match unit {
                0..0x80 => ([unit as u8, 0, 0], 1),
                0x80..0x800 => ([0xC0 | (unit >> 6) as u8, low, 0], 2),
                0xD800..0xE000 => return Err(unit),
                _ => ([0xE0 | (unit >> 12) as u8, middle, low], 3),
            };
            out[at..at + 3].copy_from_slice(&bytes);
            at += len;
        }
        out.truncate(at);
        Ok(())
    }

    #[inline(always)]
    fn weigh(self, lines: &[CacheLine], shares: &[&[[u8; 4]]; SHARES]) -> [[i32; 16]; SHARES] {
        let mut sums = [[0; 16]; SHARES];
        for (i, line) in lines.iter().enumerate() {
            let bytes = line.0.map(u64::to_le_bytes);
            let columns = bytes.as_flattened().as_chunks::<4>().0;
            for (sums, share) in sums.iter_mut().zip(shares) {
                let weights = share[i].map(i32::from);
                for (sum, bytes) in sums.iter_mut().zip(columns) {
                    for (&byte, weight) in bytes.iter().zip(weights) {
                        *sum += i32::from(byte) * weight;
                    }
                }
            }
        }
        sums
    }
}

/// Bit `i` of `bits` as the lowest bit of byte `i`.
#[inline(always)]
fn spread(bits: u8) -> u64 {
    // A copy of the byte for each bit, of which that bit alone is kept, and carried to the top.
    let kept = u64::from(bits).wrapping_mul(0x0101_0101_0101_0101) & 0x8040_2010_0804_0201;
    (kept + 0x7F7F_7F7F_7F7F_7F7F) >> 7 & 0x0101_0101_0101_0101
}

/// Collects one class bit of 64 bytes into a mask, eight bytes to a multiplication: with only bit
/// 0 of each byte left, the product brings byte `i`'s bit to bit `56 + i`.
#[inline(always)]
fn gather(classes: &[u8; 64], class: u8) -> u64 {
    const LOW_BITS: u64 = 0x0101_0101_0101_0101;
    const TO_TOP_BYTE: u64 = 0x0102_0408_1020_4080;
    let shift = class.trailing_zeros();
    let (words, _) = classes.as_chunks::<8>();
    let mut mask = 0;
    for (i, &word) in words.iter().enumerate() {
        let bits = u64::from_le_bytes(word) >> shift & LOW_BITS;
        mask |= (bits.wrapping_mul(TO_TOP_BYTE) >> 56) << (8 * i);
    }
    mask
}
