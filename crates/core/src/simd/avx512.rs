//! AVX-512 with VBMI, VBMI2 and VNNI (Ice Lake, Zen 4 and later).

use super::vectors::instructions;
use super::{Block, CacheLine, ClassTable, Isa, SHARES, TAGS, Tag, Task, class};
#[allow(clippy::wildcard_imports)] // an intrinsic's own name says where it comes from
use core::arch::x86_64::*;

#[derive(Clone, Copy)]
pub struct Avx512(());

pub fn detected() -> bool {
    is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512dq")
        && is_x86_feature_detected!("avx512vl")
        && is_x86_feature_detected!("avx512vbmi")
        && is_x86_feature_detected!("avx512vbmi2")
        && is_x86_feature_detected!("avx512vnni")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("lzcnt")
        && is_x86_feature_detected!("popcnt")
}

/// # Safety
/// [`detected`] must be true.
#[target_feature(
    enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,avx512vnni,bmi1,bmi2,lzcnt,popcnt"
)]
#[inline(never)]
pub unsafe fn enter<T: Task>(task: T) -> T::Output {
    task.run(Avx512(()))
}

const ASCENDING: [u8; 64] = {
    let mut bytes = [0; 64];
    let mut i = 0;
    while i < 64 {
        bytes[i] = i as u8;
        i += 1;
    }
    bytes
};

impl Isa for Avx512 {
    const COMPARED: usize = 512;
    const INDEXES: bool = false;

    #[inline(always)]
    fn apart<T: Task>(self, task: T) -> T::Output {
        // SAFETY: an `Avx512` exists only inside `enter`.
        unsafe { enter(task) }
    }

    #[inline(always)]
    fn classify(self, bytes: &[u8; 64], table: &ClassTable) -> Block {
        // SAFETY: an `Avx512` exists only inside `enter`; the loads read 64 bytes of 64-byte arrays
        // and the four quarters of a 256-byte table.
        unsafe {
            let quarter = |i: usize| _mm512_loadu_si512(table.of_bytes[64 * i..].as_ptr().cast());
            let text = _mm512_loadu_si512(bytes.as_ptr().cast());
            let high = _mm512_movepi8_mask(text);
            let low = _mm512_permutex2var_epi8(quarter(0), text, quarter(1));
            let wide = _mm512_permutex2var_epi8(quarter(2), text, quarter(3));
            let classes = _mm512_mask_mov_epi8(low, high, wide);
            let has = |class: u8| _mm512_test_epi8_mask(classes, _mm512_set1_epi8(class as i8));
            Block {
                space: has(class::SPACE),
                alone: has(class::ALONE),
                joiner: has(class::JOINER),
                digit: has(class::DIGIT),
                dash: has(class::DASH),
                rewrite: has(class::REWRITE),
                ..Block::default()
            }
            .with_wide(table, has(class::WIDE), has(class::LAST))
        }
    }

    #[inline(always)]
    fn bit_positions(self, mask: u64, base: u32, out: &mut [u32; 64]) -> usize {
        let count = mask.count_ones() as usize;
        // SAFETY: an `Avx512` exists only inside `enter`; the load is of 64 bytes.
        unsafe {
            let ascending = _mm512_loadu_si512(ASCENDING.as_ptr().cast());
            let packed = _mm512_maskz_compress_epi8(mask, ascending);
            let base = _mm512_set1_epi32(base as i32);
            let [first, second, third, fourth] = out.as_chunks_mut::<16>().0 else {
                return count; // 64 places are four times 16
            };
            store(_mm512_castsi512_si128(packed), base, first);
            if count > 16 {
                store(_mm512_extracti32x4_epi32::<1>(packed), base, second);
                if count > 32 {
                    store(_mm512_extracti32x4_epi32::<2>(packed), base, third);
                    store(_mm512_extracti32x4_epi32::<3>(packed), base, fourth);
                }
            }
        }
        count
    }

    type Tags = [__m512i; 2];

    #[inline(always)]
    fn load_tags(self, tags: &[Tag; TAGS]) -> Self::Tags {
        let (halves, _) = tags.as_chunks::<32>();
        // SAFETY: an `Avx512` exists only inside `enter`; each load reads 32 of the 64 tags.
        unsafe {
            [
                _mm512_loadu_si512(halves[0].as_ptr().cast()),
                _mm512_loadu_si512(halves[1].as_ptr().cast()),
            ]
        }
    }

    #[inline(always)]
    fn equal_tags<const HALVES: usize>(self, tags: Self::Tags, tag: Tag) -> u64 {
        // SAFETY: an `Avx512` exists only inside `enter`.
        unsafe {
            let tag = _mm512_set1_epi16(tag as i16);
            let first = u64::from(_mm512_cmpeq_epi16_mask(tags[0], tag));
            if HALVES == 1 {
                return first;
            }
            first | u64::from(_mm512_cmpeq_epi16_mask(tags[1], tag)) << 32
        }
    }

    type Numbers = __m512i;
    const NUMBERS: usize = 8;

    // SAFETY of all: an `Avx512` exists only inside `enter`; the load and the store are of 8 numbers.
    instructions! {
        load_numbers(numbers: &[[u8; 8]]) -> __m512i =
            _mm512_loadu_si512(numbers[..8].as_ptr().cast());
        store_numbers(numbers: __m512i, to: &mut [u64]) =
            _mm512_storeu_si512(to[..8].as_mut_ptr().cast(), numbers);
        shift(number: __m512i) -> __m512i = _mm512_add_epi64(number, number);
        both(a: __m512i, b: __m512i) -> __m512i = _mm512_and_si512(a, b);
        either_one(a: __m512i, b: __m512i) -> __m512i = _mm512_xor_si512(a, b);
        is_zero(numbers: __m512i) -> __m512i =
            _mm512_maskz_set1_epi64(_mm512_testn_epi64_mask(numbers, numbers), -1);
    }

    #[inline(always)]
    fn lowest_shared(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: an `Avx512` exists only inside `enter`.
        unsafe {
            let shared = _mm512_and_si512(a, b);
            _mm512_and_si512(shared, _mm512_sub_epi64(_mm512_setzero_si512(), shared))
        }
    }

    #[inline(always)]
    fn count_lanes(self, digits: &[u64], counts: &mut [u8; 64]) {
        // SAFETY: an `Avx512` exists only inside `enter`; the store writes 64 bytes.
        unsafe {
            let mut sums = _mm512_setzero_si512();
            let mut weight = _mm512_set1_epi8(1);
            for &digit in digits {
                sums = _mm512_mask_add_epi8(sums, digit, sums, weight);
                weight = _mm512_add_epi8(weight, weight);
            }
            _mm512_storeu_si512(counts.as_mut_ptr().cast(), sums);
        }
    }

    #[inline(always)]
    fn append_latin1(self, units: &[u8], out: &mut Vec<u8>) {
        // Memory for a whole store past the last byte; there may be two bytes to a unit.
        out.reserve(2 * units.len() + 64);
        let mut at = out.len();
        for chunk in units.chunks(64) {
            // SAFETY: an `Avx512` exists only inside `enter`; the masked load reads `chunk` only;
            // the stores end within the reserved memory, and `set_len` covers written bytes only.
            unsafe {
                let some = u64::MAX >> (64 - chunk.len());
                let bytes = _mm512_maskz_loadu_epi8(some, chunk.as_ptr().cast());
                let low = widen_latin1(_mm512_castsi512_si256(bytes), some as u32);
                _mm512_storeu_si512(out.as_mut_ptr().add(at).cast(), low.0);
                at += low.1;
                let high = _mm512_extracti64x4_epi64::<1>(bytes);
                let high = widen_latin1(high, (some >> 32) as u32);
                _mm512_storeu_si512(out.as_mut_ptr().add(at).cast(), high.0);
                at += high.1;
                out.set_len(at);
            }
        }
    }

    #[inline(always)]
    fn append_ucs2(self, units: &[u16], out: &mut Vec<u8>) -> Result<(), u16> {
        out.reserve(3 * units.len() + 64);
        let mut at = out.len();
        for chunk in units.chunks(16) {
            // SAFETY: an `Avx512` exists only inside `enter`; the masked load reads `chunk` only;
            // 16 units become at most 48 bytes, so the store of 64 ends within the reserved
            // memory, and `set_len` covers written bytes only.
            unsafe {
                let some = u16::MAX >> (16 - chunk.len());
                let loaded = _mm256_maskz_loadu_epi16(some, chunk.as_ptr().cast());
                let unit = _mm512_cvtepu16_epi32(loaded);
                let at_least =
                    |bound: i32| _mm512_mask_cmpge_epu32_mask(some, unit, _mm512_set1_epi32(bound));
                let end = out.as_mut_ptr().add(at);
                let two = at_least(0x80);
                let three = at_least(0x800);
                let surrogate = _mm512_mask_cmpeq_epu32_mask(
                    three,
                    _mm512_and_si512(unit, _mm512_set1_epi32(0xF800)),
                    _mm512_set1_epi32(0xD800),
                );
                if surrogate != 0 {
                    return Err(chunk[surrogate.trailing_zeros() as usize]);
                }
                // Up to three bytes to a lane, the first one low.
                let low = _mm512_and_si512(unit, _mm512_set1_epi32(0x3F));
                let six = _mm512_srli_epi32::<6>(unit);
                let mid = _mm512_and_si512(six, _mm512_set1_epi32(0x3F));
                let pair = _mm512_or_si512(
                    _mm512_or_si512(six, _mm512_slli_epi32::<8>(low)),
                    _mm512_set1_epi32(0x80C0),
                );
                let triple = _mm512_or_si512(
                    _mm512_or_si512(_mm512_srli_epi32::<12>(unit), _mm512_slli_epi32::<8>(mid)),
                    _mm512_or_si512(_mm512_slli_epi32::<16>(low), _mm512_set1_epi32(0x0080_80E0)),
                );
                let lanes = _mm512_mask_mov_epi32(unit, two, pair);
                let lanes = _mm512_mask_mov_epi32(lanes, three, triple);
                let spread = |mask: u16, bits| _pdep_u64(u64::from(mask), bits);
                let keep = spread(some, 0x1111_1111_1111_1111)
                    | spread(two, 0x2222_2222_2222_2222)
                    | spread(three, 0x4444_4444_4444_4444);
                _mm512_storeu_si512(end.cast(), _mm512_maskz_compress_epi8(keep, lanes));
                at += keep.count_ones() as usize;
                out.set_len(at);
            }
        }
        Ok(())
    }

    #[inline(always)]
    fn weigh(self, lines: &[CacheLine], shares: &[&[[u8; 4]]; SHARES]) -> [[i32; 16]; SHARES] {
        assert!(shares.iter().all(|share| share.len() == lines.len()));
        let mut sums = [[0; 16]; SHARES];
        // SAFETY: an `Avx512` exists only inside `enter`; each share has weights for each line;
        // loads and stores are of 64 bytes, and those of the lines are aligned.
        unsafe {
            let mut open = [_mm512_setzero_si512(); SHARES];
            for (i, line) in lines.iter().enumerate() {
                let bytes = _mm512_load_si512(line.0.as_ptr().cast());
                for (open, share) in open.iter_mut().zip(shares) {
                    let four = share.as_ptr().add(i).cast::<i32>().read_unaligned();
                    *open = _mm512_dpbusd_epi32(*open, bytes, _mm512_set1_epi32(four));
                }
            }
            for (sums, open) in sums.iter_mut().zip(open) {
                _mm512_storeu_si512(sums.as_mut_ptr().cast(), open);
            }
        }
        sums
    }
}

/// Writes `base` plus each of 16 bytes.
#[inline(always)]
unsafe fn store(bytes: __m128i, base: __m512i, out: &mut [u32; 16]) {
    // SAFETY: the caller has an `Avx512`; the store writes 16 integers.
    unsafe {
        let positions = _mm512_add_epi32(_mm512_cvtepu8_epi32(bytes), base);
        _mm512_storeu_si512(out.as_mut_ptr().cast(), positions);
    }
}

/// UTF-8 of the Latin-1 `units` that `some` selects, and its length in bytes.
#[inline(always)]
unsafe fn widen_latin1(units: __m256i, some: u32) -> (__m512i, usize) {
    // SAFETY: the caller has an `Avx512`.
    unsafe {
        let units = _mm512_cvtepu8_epi16(units);
        let wide = _mm512_cmpge_epu16_mask(units, _mm512_set1_epi16(0x80));
        // Two bytes to a lane, the first one low: 110000hh 10llllll.
        let lead = _mm512_srli_epi16::<6>(units);
        let tail = _mm512_and_si512(units, _mm512_set1_epi16(0x3F));
        let two = _mm512_or_si512(lead, _mm512_slli_epi16::<8>(tail));
        let two = _mm512_or_si512(two, _mm512_set1_epi16(0x80C0_u16 as i16));
        let lanes = _mm512_mask_mov_epi16(units, wide, two);
        let keep = _pdep_u64(u64::from(some), 0x5555_5555_5555_5555)
            | _pdep_u64(u64::from(wide), 0xAAAA_AAAA_AAAA_AAAA);
        (
            _mm512_maskz_compress_epi8(keep, lanes),
            keep.count_ones() as usize,
        )
    }
}
