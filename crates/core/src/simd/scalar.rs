//! Plain Rust: the meaning of each step, and the path of processors without AVX2.

use super::{Block, ClassTable, Isa, class};

#[derive(Clone, Copy)]
pub struct Scalar;

impl Isa for Scalar {
    #[inline(always)]
    fn classify(self, bytes: &[u8; 64], table: &ClassTable) -> Block {
        let mut classes = [0u8; 64];
        for (class, &byte) in classes.iter_mut().zip(bytes) {
            *class = table[usize::from(byte)];
        }
        Block {
            space: gather(&classes, class::SPACE),
            alone: gather(&classes, class::ALONE),
            joiner: gather(&classes, class::JOINER),
            digit: gather(&classes, class::DIGIT),
            dash: gather(&classes, class::DASH),
            rewrite: gather(&classes, class::REWRITE),
            wide: gather(&classes, class::WIDE),
            inner: 0,
        }
    }

    #[inline(always)]
    fn bit_positions(self, mask: u64, base: u32, out: &mut [u32; 64]) -> usize {
        let mut rest = mask;
        let mut count = 0;
        while rest != 0 {
            out[count] = base + rest.trailing_zeros();
            rest &= rest - 1;
            count += 1;
        }
        count
    }

    #[inline(always)]
    fn equal_keys(self, lows: &[u64], highs: &[u64], low: u64, high: u64) -> u64 {
        let mut mask = 0;
        for (i, (&l, &h)) in lows.iter().zip(highs).enumerate() {
            mask |= u64::from((l ^ low) | (h ^ high) == 0) << i;
        }
        mask
    }

    #[inline(always)]
    fn append_latin1(self, units: &[u8], out: &mut Vec<u8>) {
        if units.is_ascii() {
            out.extend_from_slice(units);
            return;
        }
        out.reserve(2 * units.len());
        for &unit in units {
            if unit < 0x80 {
                out.push(unit);
            } else {
                out.extend_from_slice(&[0xC0 | unit >> 6, 0x80 | unit & 0x3F]);
            }
        }
    }

    #[inline(always)]
    fn append_ucs2(self, units: &[u16], out: &mut Vec<u8>) -> Result<(), u16> {
        out.reserve(3 * units.len());
        for &unit in units {
            let [low, high] = [unit & 0x3F, unit >> 6].map(|part| part as u8);
            match unit {
                0..0x80 => out.push(unit as u8),
                0x80..0x800 => out.extend_from_slice(&[0xC0 | high, 0x80 | low]),
                0xD800..0xE000 => return Err(unit),
                _ => out.extend_from_slice(&[
                    0xE0 | (unit >> 12) as u8,
                    0x80 | high & 0x3F,
                    0x80 | low,
                ]),
            }
        }
        Ok(())
    }
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
