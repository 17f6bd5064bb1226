//! Text of one and two bytes to a character as UTF-8, for processors that cannot compress a vector: the
//! bytes of each character have lanes, and a table says which of them are kept.

use super::vectors::{Instructions, load_all};

/// A whole chunk that begins with `some`.
#[inline(always)]
pub fn filled<'a, T: Copy, const N: usize>(some: &[T], chunk: &'a mut [T; N]) -> &'a [T; N] {
    chunk[..some.len()].copy_from_slice(some);
    chunk
}

/// [`super::Isa::append_latin1`]. There is no branch for ASCII: most texts that are Latin-1 have
/// letters beyond it here and there, which is hard to predict.
#[inline(always)]
pub fn append_latin1<I: Instructions>(isa: I, units: &[u8], out: &mut Vec<u8>) {
    out.reserve(2 * units.len() + 128);
    let mut last = [0; 64];
    for some in units.chunks(64) {
        let chunk = some
            .first_chunk()
            .unwrap_or_else(|| filled(some, &mut last));
        let texts = load_all(isa, chunk);
        let two = isa.common_bits(texts, [isa.splat(0x80); 4]).to_le_bytes();
        let (start, mut end) = (out.len(), 0);
        out.extend_from_slice(&[0; 128]);
        let places = &mut out[start..];
        for (text, two) in texts.into_iter().zip(two.as_chunks::<2>().0) {
            // The first byte of a character, 110000hh or the only one, and the second, 10llllll.
            let upper = isa.upper_halves(text);
            let lead = isa.load(&[0, 0, 0, 0, 0, 0, 0, 0, C2, C2, C2, C2, C3, C3, C3, C3]);
            let ascii = isa.load(&[!0, !0, !0, !0, !0, !0, !0, !0, 0, 0, 0, 0, 0, 0, 0, 0]);
            let ascii = isa.and(text, isa.look_up(ascii, upper));
            let first = isa.or(ascii, isa.look_up(lead, upper));
            let second = isa.and(text, isa.splat(0xBF));
            for (lanes, &two) in isa.interleave(first, second).into_iter().zip(two) {
                end += keep(isa, lanes, &PAIRS[usize::from(two)], &mut places[end..]);
            }
        }
        out.truncate(start + end - (64 - some.len()));
    }
}

const C2: u8 = 0xC2;
const C3: u8 = 0xC3;

/// [`super::Isa::append_ucs2`]: the low and the high bytes of 16 characters become the bytes of UTF-8,
/// all steps being those of bytes.
#[inline(always)]
pub fn append_ucs2<I: Instructions>(isa: I, units: &[u16], out: &mut Vec<u8>) -> Result<(), u16> {
    out.reserve(3 * units.len() + 64);
    let mut last = [0; 16];
    for some in units.chunks(16) {
        let chunk: &[u16; 16] = some
            .first_chunk()
            .unwrap_or_else(|| filled(some, &mut last));
        let start = out.len();
        if chunk.iter().fold(0, |all, unit| all | unit) < 0x80 {
            out.extend_from_slice(&chunk.map(|unit| unit as u8));
            out.truncate(start + some.len());
            continue;
        }
        let (eights, _) = chunk.as_chunks();
        let both = [isa.load_8(&eights[0]), isa.load_8(&eights[1])];
        let low = gather(
            isa,
            both,
            &[0, 2, 4, 6, 8, 10, 12, 14, NO, NO, NO, NO, NO, NO, NO, NO],
            &[NO, NO, NO, NO, NO, NO, NO, NO, 0, 2, 4, 6, 8, 10, 12, 14],
        );
        let high = gather(
            isa,
            both,
            &[1, 3, 5, 7, 9, 11, 13, 15, NO, NO, NO, NO, NO, NO, NO, NO],
            &[NO, NO, NO, NO, NO, NO, NO, NO, 1, 3, 5, 7, 9, 11, 13, 15],
        );
        let plane = isa.and(high, isa.splat(0xF8));
        let zero = isa.splat(0);
        let surrogates = isa.equal_bytes(plane, isa.splat(0xD8));
        let upper_bit = [isa.splat(0x80); 4];
        let surrogates = isa.common_bits([surrogates, zero, zero, zero], upper_bit);
        if surrogates != 0 {
            return Err(chunk[surrogates.trailing_zeros() as usize]);
        }
        let beyond_ascii = isa.or(high, isa.and(low, isa.splat(0x80)));
        let [is_one, is_two] = [
            isa.equal_bytes(beyond_ascii, zero),
            isa.equal_bytes(plane, zero),
        ];
        // The last byte, 10llllll, the one before it, and the first of two or three.
        let tail = isa.or(isa.and(low, isa.splat(0x3F)), isa.splat(0x80));
        let shifted = isa.load(&[0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3]);
        let six = isa.look_up(shifted, isa.upper_halves(low));
        let fours = isa.load(&[0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60]);
        let six = isa.or(six, isa.look_up(fours, isa.and(high, isa.splat(0x0F))));
        let of_two = isa.or(six, isa.splat(0xC0));
        out.extend_from_slice(&[0; 64]);
        let places = &mut out[start..];
        let mut end = 0;
        let bits = isa.common_bits([is_one, is_two, zero, zero], upper_bit);
        // Most scripts have no third byte, which is easy to predict: Russian takes 7 % less.
        if let [front_ones, back_ones, 0xFF, 0xFF, ..] = bits.to_le_bytes() {
            let lanes = isa.interleave(choose(isa, is_one, low, of_two), tail);
            for (lanes, ones) in lanes.into_iter().zip([front_ones, back_ones]) {
                end += keep(isa, lanes, &PAIRS[usize::from(!ones)], &mut places[end..]);
            }
            out.truncate(start + end - (16 - some.len()));
            continue;
        }
        let of_three = isa.or(isa.upper_halves(high), isa.splat(0xE0));
        let first = choose(isa, is_two, of_two, of_three);
        let first = choose(isa, is_one, low, first);
        let second = choose(isa, is_two, tail, isa.or(six, isa.splat(0x80)));
        let [front, back] = isa.interleave(first, tail);
        let [front_seconds, back_seconds] = isa.interleave(second, zero);
        let [front, back] = [
            isa.interleave(front, front_seconds),
            isa.interleave(back, back_seconds),
        ];
        // For each character two bits, whether there is a second and a third byte.
        let [front_fewer, back_fewer] = isa.interleave(is_one, is_two);
        let fewer = isa.common_bits([front_fewer, back_fewer, zero, zero], upper_bit);
        let lanes = front.into_iter().chain(back);
        for (lanes, more) in lanes.zip((!fewer as u32).to_le_bytes()) {
            end += keep(isa, lanes, &TRIPLES[usize::from(more)], &mut places[end..]);
        }
        out.truncate(start + end - (16 - some.len()));
    }
    Ok(())
}

/// Bytes of two vectors.
#[inline(always)]
fn gather<I: Instructions>(
    isa: I,
    [front, back]: [I::Vector; 2],
    of_front: &[u8; 16],
    of_back: &[u8; 16],
) -> I::Vector {
    let front = isa.look_up(front, isa.load(of_front));
    isa.or(front, isa.look_up(back, isa.load(of_back)))
}

/// The bits of `one` where `mask` has ones, and those of `other`.
#[inline(always)]
fn choose<I: Instructions>(isa: I, mask: I::Vector, one: I::Vector, other: I::Vector) -> I::Vector {
    isa.xor(other, isa.and(mask, isa.xor(one, other)))
}

/// An index for which [`Instructions::look_up`] finds zero.
const NO: u8 = 0x80;

/// Writes the bytes of `lanes` that are kept, and others up to 16; returns their number.
#[inline(always)]
fn keep<I: Instructions>(isa: I, lanes: I::Vector, kept: &Kept, places: &mut [u8]) -> usize {
    let (indices, count) = kept;
    let bytes = &mut places[..16].as_chunks_mut().0[0];
    isa.store(isa.look_up(lanes, isa.load(indices)), bytes);
    usize::from(*count)
}

/// Which bytes of a vector of lanes are kept, and how many.
pub type Kept = ([u8; 16], u8);

/// Of eight lanes of two bytes the first one, and the second if the index has the lane's bit.
pub static PAIRS: [Kept; 256] = kept(2, 2);

/// Of four lanes of four bytes the first one, and the second and third if the index has their bits.
pub static TRIPLES: [Kept; 256] = kept(4, 3);

/// For each index, up to `most` bytes of each lane of `width`.
const fn kept(width: usize, most: usize) -> [Kept; 256] {
    let mut rows = [([0; 16], 0); 256];
    let mut more = 0;
    while more < 256 {
        let (indices, count) = &mut rows[more];
        let mut byte = 0;
        while byte < 16 {
            let (lane, place) = (byte / width, byte % width);
            if place == 0 || place < most && more >> ((most - 1) * lane + place - 1) & 1 == 1 {
                indices[*count as usize] = byte as u8;
                *count += 1;
            }
            byte += 1;
        }
        more += 1;
    }
    rows
}
