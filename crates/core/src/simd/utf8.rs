//! Text of one and two bytes to a character as UTF-8, for processors that cannot compress a vector: the
//! bytes of each character have lanes, and a table says which of them are kept.

use super::wide128::{Instructions, load_all};

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
                let (kept, count) = &PAIRS[usize::from(two)];
                let bytes = &mut places[end..][..16];
                isa.store(
                    isa.look_up(lanes, isa.load(kept)),
                    &mut bytes.as_chunks_mut().0[0],
                );
                end += usize::from(*count);
            }
        }
        out.truncate(start + end - (64 - some.len()));
    }
}

const C2: u8 = 0xC2;
const C3: u8 = 0xC3;

/// [`super::Isa::append_ucs2`]: 16 characters become lanes of four bytes, which the compiler does with
/// vectors, and then the bytes that are not needed are left out of four lanes at a time.
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
        let is_surrogate = |unit: &u16| unit & 0xF800 == 0xD800;
        let any = chunk
            .iter()
            .fold(false, |any, unit| any | is_surrogate(unit));
        if any && let Some(unit) = chunk.iter().copied().find(is_surrogate) {
            return Err(unit);
        }
        let mut lanes = [0; 64];
        for (lane, &unit) in lanes.as_chunks_mut().0.iter_mut().zip(chunk) {
            let unit = u32::from(unit);
            let [low, middle] = [unit & 0x3F, unit >> 6 & 0x3F];
            let bytes = match unit {
                0..0x80 => unit,
                0x80..0x800 => 0x80C0 | unit >> 6 | low << 8,
                _ => 0x0080_80E0 | unit >> 12 | middle << 8 | low << 16,
            };
            *lane = bytes.to_le_bytes();
        }
        // Of each lane the bits of the second and the third byte, then of four lanes as one number.
        let more = isa.common_bits(load_all(isa, &lanes), [isa.splat(0x80); 4]) >> 1
            & 0x3333_3333_3333_3333;
        let more = (more | more >> 2) & 0x0F0F_0F0F_0F0F_0F0F;
        let more = (more | more >> 4).to_le_bytes();
        out.extend_from_slice(&[0; 64]);
        let places = &mut out[start..];
        let mut end = 0;
        let more = [more[0], more[2], more[4], more[6]];
        for (lanes, more) in lanes.as_chunks().0.iter().zip(more) {
            let (kept, count) = &KEPT[usize::from(more)];
            let bytes = &mut places[end..][..16];
            isa.store(
                isa.look_up(isa.load(lanes), isa.load(kept)),
                &mut bytes.as_chunks_mut().0[0],
            );
            end += usize::from(*count);
        }
        out.truncate(start + end - (16 - some.len()));
    }
    Ok(())
}

/// Which bytes of four lanes are kept, and how many: the first of each lane, and the second and third
/// if the index says so.
pub static KEPT: [([u8; 16], u8); 256] = {
    let mut rows = [([0; 16], 0); 256];
    let mut more = 0;
    while more < 256 {
        let (indices, count) = &mut rows[more];
        let mut byte = 0;
        while byte < 16 {
            let (lane, place) = (byte / 4, byte % 4);
            if place == 0 || place < 3 && more >> (2 * lane + place - 1) & 1 == 1 {
                indices[*count as usize] = byte as u8;
                *count += 1;
            }
            byte += 1;
        }
        more += 1;
    }
    rows
};

/// The same for eight lanes of two bytes, the second of which is kept if the index has the lane's bit.
pub static PAIRS: [([u8; 16], u8); 256] = {
    let mut rows = [([0; 16], 0); 256];
    let mut more = 0;
    while more < 256 {
        let (indices, count) = &mut rows[more];
        let mut byte = 0;
        while byte < 16 {
            if byte % 2 == 0 || more >> (byte / 2) & 1 == 1 {
                indices[*count as usize] = byte as u8;
                *count += 1;
            }
            byte += 1;
        }
        more += 1;
    }
    rows
};
