//! Text of one and two bytes to a character as UTF-8, for processors that cannot compress a vector.

/// What the processor does for it.
pub trait Utf8: Copy {
    /// One bit for each byte: whether it is beyond ASCII.
    fn beyond_ascii(self, bytes: &[u8; 64]) -> u64;

    /// Byte `indices[i]` of `bytes` in byte `i`; each index is less than 16.
    fn look_up(self, bytes: &[u8; 16], indices: &[u8; 16]) -> [u8; 16];
}

/// [`super::Isa::append_latin1`]: 64 bytes are copied at once, and again from after the first one
/// that is not ASCII. The last 64 bytes of a text that is ASCII so far overlap those before them:
/// to copy a few bytes is a call.
#[inline(always)]
pub fn append_latin1<I: Utf8>(isa: I, mut units: &[u8], out: &mut Vec<u8>) {
    out.reserve(2 * units.len() + 64);
    let (whole, start) = (units, out.len());
    let mut last = [0; 64];
    while !units.is_empty() {
        if let (1..64, Some(chunk)) = (units.len(), whole.last_chunk())
            && out.len() - start == whole.len() - units.len()
            && isa.beyond_ascii(chunk) == 0
        {
            out.truncate(start + whole.len() - 64);
            out.extend_from_slice(chunk);
            return;
        }
        let some = units.len().min(64);
        let chunk = units.first_chunk().unwrap_or_else(|| {
            last[..some].copy_from_slice(units);
            &last
        });
        let ascii = some.min(isa.beyond_ascii(chunk).trailing_zeros() as usize);
        let end = out.len() + ascii;
        out.extend_from_slice(chunk);
        out.truncate(end);
        units = &units[ascii..];
        if let ([unit, rest @ ..], true) = (units, ascii < some) {
            out.extend_from_slice(&[0xC0 | unit >> 6, 0x80 | unit & 0x3F]);
            units = rest;
        }
    }
}

/// [`super::Isa::append_ucs2`]: 16 characters become lanes of four bytes, which the compiler does with
/// vectors, and then the bytes that are not needed are left out of four lanes at a time.
#[inline(always)]
pub fn append_ucs2<I: Utf8>(isa: I, units: &[u16], out: &mut Vec<u8>) -> Result<(), u16> {
    out.reserve(3 * units.len() + 64);
    let mut last = [0; 16];
    for some in units.chunks(16) {
        let chunk: &[u16; 16] = some.first_chunk().unwrap_or_else(|| {
            last[..some.len()].copy_from_slice(some);
            &last
        });
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
        let more = isa.beyond_ascii(&lanes) >> 1 & 0x3333_3333_3333_3333;
        let more = (more | more >> 2) & 0x0F0F_0F0F_0F0F_0F0F;
        let more = (more | more >> 4).to_le_bytes();
        out.extend_from_slice(&[0; 64]);
        let places = &mut out[start..];
        let mut end = 0;
        let more = [more[0], more[2], more[4], more[6]];
        for (lanes, more) in lanes.as_chunks().0.iter().zip(more) {
            let (kept, count) = &KEPT[usize::from(more)];
            places[end..end + 16].copy_from_slice(&isa.look_up(lanes, kept));
            end += usize::from(*count);
        }
        out.truncate(start + end - (16 - some.len()));
    }
    Ok(())
}

/// Which bytes of four lanes are kept, and how many: the first of each lane, and the second and third
/// if the index says so.
static KEPT: [([u8; 16], u8); 256] = {
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
