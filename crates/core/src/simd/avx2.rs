//! AVX2 with BMI (Haswell, Zen and later).

use super::utf8::{Kept, PAIRS, TRIPLES, filled};
use super::vectors::{PLACES, instructions};
use super::{Block, CacheLine, ClassTable, Isa, SHARES, TAGS, Tag, Task, class};
#[allow(clippy::wildcard_imports)] // an intrinsic's own name says where it comes from
use core::arch::x86_64::*;

#[derive(Clone, Copy)]
pub struct Avx2(());

pub fn detected() -> bool {
    is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("lzcnt")
        && is_x86_feature_detected!("popcnt")
}

/// # Safety
/// [`detected`] must be true.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
#[inline(never)]
pub unsafe fn enter<T: Task>(task: T) -> T::Output {
    task.run(Avx2(()))
}

impl Isa for Avx2 {
    const COMPARED: usize = 512;
    const INDEXES: bool = false;

    #[inline(always)]
    fn apart<T: Task>(self, task: T) -> T::Output {
        // SAFETY: an `Avx2` exists only inside `enter`.
        unsafe { enter(task) }
    }

    #[inline(always)]
    fn classify(self, bytes: &[u8; 64], table: &ClassTable) -> Block {
        let (mut block, mut first, mut last) = (Block::default(), 0, 0);
        for (half, bytes) in bytes.as_chunks::<32>().0.iter().enumerate() {
            // SAFETY: an `Avx2` exists only inside `enter`; the loads read 32 and 16 bytes.
            unsafe {
                let text = _mm256_loadu_si256(bytes.as_ptr().cast());
                let half_mask = _mm256_set1_epi8(0x0F);
                let lower = _mm256_and_si256(text, half_mask);
                let upper = _mm256_and_si256(_mm256_srli_epi16::<4>(text), half_mask);
                // The bit of each upper half: those of ASCII, and those beyond.
                let bits = 0x8040_2010_0804_0201_u64 as i64;
                let ascii = _mm256_setr_epi64x(bits, 0, bits, 0);
                let rows = _mm256_shuffle_epi8(ascii, upper);
                block.space |= have(table.columns(class::SPACE), lower, rows) << (32 * half);
                block.alone |= have(table.columns(class::ALONE), lower, rows) << (32 * half);
                block.joiner |= have(table.columns(class::JOINER), lower, rows) << (32 * half);
                block.digit |= have(table.columns(class::DIGIT), lower, rows) << (32 * half);
                block.dash |= have(table.columns(class::DASH), lower, rows) << (32 * half);
                block.rewrite |= have(table.columns(class::REWRITE), lower, rows) << (32 * half);
                let others = _mm256_setr_epi64x(0, bits, 0, bits);
                let rows = _mm256_shuffle_epi8(others, upper);
                first |= have(table.columns(class::WIDE), lower, rows) << (32 * half);
                last |= have(table.columns(class::LAST), lower, rows) << (32 * half);
            }
        }
        block.with_wide(table, first, last)
    }

    #[inline(always)]
    fn bit_positions(self, mask: u64, base: u32, out: &mut [u32; 64]) -> usize {
        let mut count = 0;
        // SAFETY: an `Avx2` exists only inside `enter`; each load reads 8 bytes. The bytes of the mask
        // before one have eight bits each at most, so that there is room for eight integers more.
        unsafe {
            let mut bases = _mm256_set1_epi32(base as i32);
            for byte in mask.to_le_bytes() {
                let places = _mm_loadl_epi64(PLACES[usize::from(byte)].as_ptr().cast());
                let positions = _mm256_add_epi32(_mm256_cvtepu8_epi32(places), bases);
                _mm256_storeu_si256(out.as_mut_ptr().add(count).cast(), positions);
                bases = _mm256_add_epi32(bases, _mm256_set1_epi32(8));
                count += byte.count_ones() as usize;
            }
        }
        count
    }

    type Tags = [__m256i; 4];

    #[inline(always)]
    fn load_tags(self, tags: &[Tag; TAGS]) -> Self::Tags {
        let (eights, _) = tags.as_chunks::<8>();
        // The step that packs two vectors puts them in order.
        // SAFETY: an `Avx2` exists only inside `enter`.
        unsafe {
            [
                pair(&eights[0], &eights[2]),
                pair(&eights[1], &eights[3]),
                pair(&eights[4], &eights[6]),
                pair(&eights[5], &eights[7]),
            ]
        }
    }

    #[inline(always)]
    fn equal_tags<const HALVES: usize>(self, tags: Self::Tags, tag: Tag) -> u64 {
        // SAFETY: an `Avx2` exists only inside `enter`.
        unsafe {
            let tag = _mm256_set1_epi16(tag as i16);
            let first = equal(tags[0], tags[1], tag);
            if HALVES == 1 {
                return first;
            }
            first | equal(tags[2], tags[3], tag) << 32
        }
    }

    type Numbers = __m256i;
    const NUMBERS: usize = 4;

    // SAFETY of all: an `Avx2` exists only inside `enter`; the load and the store are of 4 numbers.
    instructions! {
        load_numbers(numbers: &[[u8; 8]]) -> __m256i =
            _mm256_loadu_si256(numbers[..4].as_ptr().cast());
        store_numbers(numbers: __m256i, to: &mut [u64]) =
            _mm256_storeu_si256(to[..4].as_mut_ptr().cast(), numbers);
        shift(number: __m256i) -> __m256i = _mm256_add_epi64(number, number);
        both(a: __m256i, b: __m256i) -> __m256i = _mm256_and_si256(a, b);
        either_one(a: __m256i, b: __m256i) -> __m256i = _mm256_xor_si256(a, b);
        is_zero(numbers: __m256i) -> __m256i = _mm256_cmpeq_epi64(numbers, _mm256_setzero_si256());
    }

    #[inline(always)]
    fn lowest_shared(self, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: an `Avx2` exists only inside `enter`.
        unsafe {
            let shared = _mm256_and_si256(a, b);
            _mm256_and_si256(shared, _mm256_sub_epi64(_mm256_setzero_si256(), shared))
        }
    }

    #[inline(always)]
    fn count_lanes(self, digits: &[u64], counts: &mut [u8; 64]) {
        for (half, counts) in counts.as_chunks_mut::<32>().0.iter_mut().enumerate() {
            // SAFETY: an `Avx2` exists only inside `enter`; the store writes 32 bytes.
            unsafe {
                // Byte `i` of a half gets the byte that has bit `i`, and keeps that bit alone.
                let sources = _mm256_setr_epi64x(
                    0,
                    0x0101_0101_0101_0101,
                    0x0202_0202_0202_0202,
                    0x0303_0303_0303_0303,
                );
                let bits = _mm256_set1_epi64x(0x8040_2010_0804_0201_u64 as i64);
                let mut sums = _mm256_setzero_si256();
                let mut weight = _mm256_set1_epi8(1);
                for &digit in digits {
                    let copies = _mm256_set1_epi32((digit >> (32 * half)) as i32);
                    let kept = _mm256_and_si256(_mm256_shuffle_epi8(copies, sources), bits);
                    let set = _mm256_cmpeq_epi8(kept, bits);
                    sums = _mm256_or_si256(sums, _mm256_and_si256(set, weight));
                    weight = _mm256_add_epi8(weight, weight);
                }
                _mm256_storeu_si256(counts.as_mut_ptr().cast(), sums);
            }
        }
    }

    #[inline(always)]
    fn append_latin1(self, units: &[u8], out: &mut Vec<u8>) {
        // Memory for whole stores past the last byte; there may be two bytes to a unit.
        out.reserve(2 * units.len() + 64);
        let mut at = out.len();
        let mut last = [0; 32];
        for some in units.chunks(32) {
            let chunk = some
                .first_chunk()
                .unwrap_or_else(|| filled(some, &mut last));
            // SAFETY: an `Avx2` exists only inside `enter`; the load reads 32 bytes; the stores end
            // within the reserved memory, and `set_len` covers written bytes only.
            unsafe {
                let text = _mm256_loadu_si256(chunk.as_ptr().cast());
                // The first byte of a character, 110000hh or the only one, and the second, 10llllll.
                let high = _mm256_and_si256(_mm256_srli_epi16::<6>(text), _mm256_set1_epi8(1));
                let lead = _mm256_or_si256(high, _mm256_set1_epi8(0xC2_u8 as i8));
                let first = _mm256_blendv_epi8(text, lead, text);
                let second = _mm256_and_si256(text, _mm256_set1_epi8(0xBF_u8 as i8));
                let lanes = [
                    _mm256_unpacklo_epi8(first, second),
                    _mm256_unpackhi_epi8(first, second),
                ];
                let two = (_mm256_movemask_epi8(text) as u32).to_le_bytes();
                at += keep(in_order(lanes), two, &PAIRS, out.as_mut_ptr().add(at));
                at -= 32 - some.len();
                out.set_len(at);
            }
        }
    }

    #[inline(always)]
    fn append_ucs2(self, units: &[u16], out: &mut Vec<u8>) -> Result<(), u16> {
        // Memory for whole stores past the last byte; there may be three bytes to a unit.
        out.reserve(3 * units.len() + 64);
        let mut at = out.len();
        let mut last = [0; 16];
        for some in units.chunks(16) {
            let chunk = some
                .first_chunk()
                .unwrap_or_else(|| filled(some, &mut last));
            // SAFETY: an `Avx2` exists only inside `enter`; the load reads 32 bytes; the stores end
            // within the reserved memory, and `set_len` covers written bytes only.
            unsafe {
                let unit = _mm256_loadu_si256(chunk.as_ptr().cast());
                let splat = |bits: u16| _mm256_set1_epi16(bits as i16);
                let is_below = |bound: u16| {
                    let beyond = _mm256_and_si256(unit, splat(bound.wrapping_neg()));
                    _mm256_cmpeq_epi16(beyond, _mm256_setzero_si256())
                };
                let surrogates =
                    _mm256_cmpeq_epi16(_mm256_and_si256(unit, splat(0xF800)), splat(0xD800));
                let surrogates = _mm256_movemask_epi8(surrogates);
                if surrogates != 0 {
                    return Err(chunk[surrogates.trailing_zeros() as usize / 2]);
                }
                let [one, two] = [is_below(0x80), is_below(0x800)];
                // Two bytes, the first one low, and the third.
                let six = _mm256_srli_epi16::<6>(unit);
                let low = _mm256_and_si256(unit, splat(0x3F));
                let middle = _mm256_and_si256(six, splat(0x3F));
                let pair = _mm256_or_si256(
                    _mm256_or_si256(six, _mm256_slli_epi16::<8>(low)),
                    splat(0x80C0),
                );
                // Most scripts have no third byte, which is easy to predict: Russian takes 5 % less.
                if _mm256_movemask_epi8(two) == -1 {
                    let first = _mm256_blendv_epi8(pair, unit, one);
                    let bits = _mm256_movemask_epi8(_mm256_packs_epi16(one, one));
                    let [low, _, high, _] = (!bits).to_le_bytes();
                    let halves = [
                        _mm256_castsi256_si128(first),
                        _mm256_extracti128_si256::<1>(first),
                    ];
                    at += keep(halves, [low, high], &PAIRS, out.as_mut_ptr().add(at));
                    at -= 16 - some.len();
                    out.set_len(at);
                    continue;
                }
                let triple = _mm256_or_si256(
                    _mm256_or_si256(
                        _mm256_srli_epi16::<12>(unit),
                        _mm256_slli_epi16::<8>(middle),
                    ),
                    splat(0x80E0),
                );
                let first = _mm256_blendv_epi8(_mm256_blendv_epi8(triple, pair, two), unit, one);
                let third = _mm256_or_si256(low, splat(0x80));
                let lanes = [
                    _mm256_unpacklo_epi16(first, third),
                    _mm256_unpackhi_epi16(first, third),
                ];
                // For each character two bits, whether there is a second and a third byte.
                let fewer = _mm256_blendv_epi8(one, two, splat(0xFF00));
                let more = (!_mm256_movemask_epi8(fewer)).to_le_bytes();
                at += keep(in_order(lanes), more, &TRIPLES, out.as_mut_ptr().add(at));
                at -= 16 - some.len();
                out.set_len(at);
            }
        }
        Ok(())
    }

    #[inline(always)]
    fn weigh(self, lines: &[CacheLine], shares: &[&[[u8; 4]]; SHARES]) -> [[i32; 16]; SHARES] {
        assert!(shares.iter().all(|share| share.len() == lines.len()));
        let mut sums = [[0; 16]; SHARES];
        // Four at a time have their sums in registers.
        for (sums, shares) in sums.chunks_mut(4).zip(shares.chunks(4)) {
            // SAFETY: an `Avx2` exists only inside `enter`; each share has weights for each line;
            // loads and stores are of 32 bytes, and those of the lines are aligned.
            unsafe {
                let ones = _mm256_set1_epi16(1);
                let mut open = [[_mm256_setzero_si256(); 2]; 4];
                for (i, line) in lines.iter().enumerate() {
                    let halves = line.0.as_chunks::<4>().0;
                    let [low, high] =
                        [0, 1].map(|half| _mm256_load_si256(halves[half].as_ptr().cast()));
                    for (open, share) in open.iter_mut().zip(shares) {
                        let four = share.as_ptr().add(i).cast::<i32>().read_unaligned();
                        let four = _mm256_set1_epi32(four);
                        for (open, bytes) in open.iter_mut().zip([low, high]) {
                            let pairs = _mm256_maddubs_epi16(bytes, four);
                            let products = _mm256_madd_epi16(pairs, ones);
                            *open = _mm256_add_epi32(*open, products);
                        }
                    }
                }
                for (sums, open) in sums.iter_mut().zip(open) {
                    for (sums, open) in sums.as_chunks_mut::<8>().0.iter_mut().zip(open) {
                        _mm256_storeu_si256(sums.as_mut_ptr().cast(), open);
                    }
                }
            }
        }
        sums
    }
}

/// The lanes of two vectors that were unpacked, as their bytes were in order.
#[inline(always)]
unsafe fn in_order([low, high]: [__m256i; 2]) -> [__m128i; 4] {
    // SAFETY: the caller has an `Avx2`.
    unsafe {
        [
            _mm256_castsi256_si128(low),
            _mm256_castsi256_si128(high),
            _mm256_extracti128_si256::<1>(low),
            _mm256_extracti128_si256::<1>(high),
        ]
    }
}

/// Writes the bytes of the lanes of which `table` says for each byte of `more` that they are kept, and
/// others up to 16 after the last; returns their number.
#[inline(always)]
unsafe fn keep<const N: usize>(
    lanes: [__m128i; N],
    more: [u8; N],
    table: &[Kept; 256],
    to: *mut u8,
) -> usize {
    let mut end = 0;
    for (lane, more) in lanes.into_iter().zip(more) {
        let (kept, count) = &table[usize::from(more)];
        // SAFETY: the caller has an `Avx2`, and room for the 16 bytes of each lane.
        unsafe {
            let kept = _mm_loadu_si128(kept.as_ptr().cast());
            _mm_storeu_si128(to.add(end).cast(), _mm_shuffle_epi8(lane, kept));
        }
        end += usize::from(*count);
    }
    end
}

/// One bit for each byte: whether the set of `columns` at its lower half has the bit in `rows`.
#[inline(always)]
unsafe fn have(columns: &[u8; 16], lower: __m256i, rows: __m256i) -> u64 {
    // SAFETY: the caller has an `Avx2`; the load is of 16 bytes.
    unsafe {
        let columns = _mm256_broadcastsi128_si256(_mm_loadu_si128(columns.as_ptr().cast()));
        let set = _mm256_and_si256(_mm256_shuffle_epi8(columns, lower), rows);
        let none = _mm256_cmpeq_epi8(set, _mm256_setzero_si256());
        u64::from(!_mm256_movemask_epi8(none) as u32)
    }
}

#[inline(always)]
unsafe fn pair(low: &[Tag; 8], high: &[Tag; 8]) -> __m256i {
    // SAFETY: the caller has an `Avx2`; each load reads 8 tags.
    unsafe {
        let high = _mm_loadu_si128(high.as_ptr().cast());
        _mm256_set_m128i(high, _mm_loadu_si128(low.as_ptr().cast()))
    }
}

/// One bit for each tag of two vectors: whether it is the one in all of `tag`.
#[inline(always)]
unsafe fn equal(first: __m256i, second: __m256i, tag: __m256i) -> u64 {
    // SAFETY: the caller has an `Avx2`.
    unsafe {
        let (first, second) = (
            _mm256_cmpeq_epi16(first, tag),
            _mm256_cmpeq_epi16(second, tag),
        );
        u64::from(_mm256_movemask_epi8(_mm256_packs_epi16(first, second)) as u32)
    }
}
