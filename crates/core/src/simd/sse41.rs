//! SSE4.1 (Penryn and later), for x86-64 processors without AVX2.

use super::Task;
use super::vectors::{Instructions, instructions};
use super::wide128::Wide128;
#[allow(clippy::wildcard_imports)] // an intrinsic's own name says where it comes from
use core::arch::x86_64::*;

#[derive(Clone, Copy)]
pub struct Sse41(());

pub fn detected() -> bool {
    is_x86_feature_detected!("sse4.1")
        && is_x86_feature_detected!("ssse3")
        && is_x86_feature_detected!("popcnt")
}

/// # Safety
/// [`detected`] must be true.
#[target_feature(enable = "sse4.1,ssse3,popcnt")]
#[inline(never)]
pub unsafe fn enter<T: Task>(task: T) -> T::Output {
    task.run(Wide128(Sse41(())))
}

// SAFETY of all blocks: a `Sse41` exists only inside `enter`; loads and stores are unaligned, and of
// the 16 bytes of their argument.
impl Instructions for Sse41 {
    type Vector = __m128i;

    instructions! {
        load(bytes: &[u8; 16]) -> __m128i = _mm_loadu_si128(bytes.as_ptr().cast());
        load_8(integers: &[u16; 8]) -> __m128i = _mm_loadu_si128(integers.as_ptr().cast());
        load_2(integers: &[u64; 2]) -> __m128i = _mm_loadu_si128(integers.as_ptr().cast());
        store(vector: __m128i, bytes: &mut [u8; 16]) =
            _mm_storeu_si128(bytes.as_mut_ptr().cast(), vector);
        store_4(vector: __m128i, integers: &mut [i32; 4]) =
            _mm_storeu_si128(integers.as_mut_ptr().cast(), vector);
        splat(byte: u8) -> __m128i = _mm_set1_epi8(byte as i8);
        splat_2_bytes(bytes: [u8; 2]) -> __m128i = _mm_set1_epi16(i16::from_ne_bytes(bytes));
        splat_4_bytes(bytes: [u8; 4]) -> __m128i = _mm_set1_epi32(i32::from_ne_bytes(bytes));
        splat_8_bytes(bytes: [u8; 8]) -> __m128i = _mm_set1_epi64x(i64::from_ne_bytes(bytes));
        and(a: __m128i, b: __m128i) -> __m128i = _mm_and_si128(a, b);
        or(a: __m128i, b: __m128i) -> __m128i = _mm_or_si128(a, b);
        xor(a: __m128i, b: __m128i) -> __m128i = _mm_xor_si128(a, b);
        shift(number: __m128i) -> __m128i = _mm_add_epi64(number, number);
        negate(numbers: __m128i) -> __m128i = _mm_sub_epi64(_mm_setzero_si128(), numbers);
        is_zero(numbers: __m128i) -> __m128i = _mm_cmpeq_epi64(numbers, _mm_setzero_si128());
        upper_halves(bytes: __m128i) -> __m128i =
            _mm_and_si128(_mm_srli_epi16::<4>(bytes), _mm_set1_epi8(0x0F));
        look_up(table: __m128i, indices: __m128i) -> __m128i = _mm_shuffle_epi8(table, indices);
        interleave(a: __m128i, b: __m128i) -> [__m128i; 2] =
            [_mm_unpacklo_epi8(a, b), _mm_unpackhi_epi8(a, b)];
        equal_bytes(a: __m128i, b: __m128i) -> __m128i = _mm_cmpeq_epi8(a, b);
    }

    #[inline(always)]
    fn apart<T: Task>(self, task: T) -> T::Output {
        // SAFETY: see above.
        unsafe { enter(task) }
    }

    #[inline(always)]
    fn add_to_each(self, bytes: [u8; 8], base: u32, to: &mut [u32; 8]) {
        // SAFETY: see above; the load is of 8 bytes.
        unsafe {
            let (bytes, base) = (
                _mm_loadl_epi64(bytes.as_ptr().cast()),
                _mm_set1_epi32(base as i32),
            );
            let first = _mm_add_epi32(_mm_cvtepu8_epi32(bytes), base);
            let last = _mm_add_epi32(_mm_cvtepu8_epi32(_mm_srli_si128::<4>(bytes)), base);
            _mm_storeu_si128(to[..4].as_mut_ptr().cast(), first);
            _mm_storeu_si128(to[4..].as_mut_ptr().cast(), last);
        }
    }

    #[inline(always)]
    fn common_bits(self, a: [__m128i; 4], b: [__m128i; 4]) -> u64 {
        // SAFETY: see above.
        unsafe {
            !(none(a[0], b[0])
                | none(a[1], b[1]) << 16
                | none(a[2], b[2]) << 32
                | none(a[3], b[3]) << 48)
        }
    }

    #[inline(always)]
    fn equal_integers(self, a: [__m128i; 4], b: __m128i) -> u32 {
        // SAFETY: see above.
        unsafe {
            let first = _mm_packs_epi16(_mm_cmpeq_epi16(a[0], b), _mm_cmpeq_epi16(a[1], b));
            let last = _mm_packs_epi16(_mm_cmpeq_epi16(a[2], b), _mm_cmpeq_epi16(a[3], b));
            _mm_movemask_epi8(first) as u32 | (_mm_movemask_epi8(last) as u32) << 16
        }
    }

    #[inline(always)]
    fn add_products(self, sums: __m128i, bytes: __m128i, weights: __m128i) -> __m128i {
        // SAFETY: see above.
        unsafe {
            let pairs = _mm_maddubs_epi16(bytes, weights);
            _mm_add_epi32(sums, _mm_madd_epi16(pairs, _mm_set1_epi16(1)))
        }
    }
}

/// One bit for each byte: whether none of its bits is set in both vectors.
#[inline(always)]
unsafe fn none(a: __m128i, b: __m128i) -> u64 {
    // SAFETY: the caller has a `Sse41`.
    unsafe {
        let none = _mm_cmpeq_epi8(_mm_and_si128(a, b), _mm_setzero_si128());
        u64::from(_mm_movemask_epi8(none) as u16)
    }
}
