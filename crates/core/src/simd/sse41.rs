//! SSE4.1 (Penryn and later), for x86-64 processors without AVX2.

use super::Task;
use super::wide128::{Instructions, Wide128};
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

    #[inline(always)]
    fn apart<T: Task>(self, task: T) -> T::Output {
        // SAFETY: see above.
        unsafe { enter(task) }
    }

    #[inline(always)]
    fn load(self, bytes: &[u8; 16]) -> __m128i {
        // SAFETY: see above.
        unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) }
    }

    #[inline(always)]
    fn load_4(self, integers: &[i32; 4]) -> __m128i {
        // SAFETY: see above.
        unsafe { _mm_loadu_si128(integers.as_ptr().cast()) }
    }

    #[inline(always)]
    fn load_2(self, integers: &[u64; 2]) -> __m128i {
        // SAFETY: see above.
        unsafe { _mm_loadu_si128(integers.as_ptr().cast()) }
    }

    #[inline(always)]
    fn store(self, vector: __m128i, bytes: &mut [u8; 16]) {
        // SAFETY: see above.
        unsafe {
            _mm_storeu_si128(bytes.as_mut_ptr().cast(), vector);
        }
    }

    #[inline(always)]
    fn store_4(self, vector: __m128i, integers: &mut [i32; 4]) {
        // SAFETY: see above.
        unsafe {
            _mm_storeu_si128(integers.as_mut_ptr().cast(), vector);
        }
    }

    #[inline(always)]
    fn splat(self, byte: u8) -> __m128i {
        // SAFETY: see above.
        unsafe { _mm_set1_epi8(byte as i8) }
    }

    #[inline(always)]
    fn splat_2_bytes(self, bytes: [u8; 2]) -> __m128i {
        // SAFETY: see above.
        unsafe { _mm_set1_epi16(i16::from_ne_bytes(bytes)) }
    }

    #[inline(always)]
    fn splat_4_bytes(self, bytes: [u8; 4]) -> __m128i {
        // SAFETY: see above.
        unsafe { _mm_set1_epi32(i32::from_ne_bytes(bytes)) }
    }

    #[inline(always)]
    fn splat_8_bytes(self, bytes: [u8; 8]) -> __m128i {
        // SAFETY: see above.
        unsafe { _mm_set1_epi64x(i64::from_ne_bytes(bytes)) }
    }

    #[inline(always)]
    fn and(self, a: __m128i, b: __m128i) -> __m128i {
        // SAFETY: see above.
        unsafe { _mm_and_si128(a, b) }
    }

    #[inline(always)]
    fn or(self, a: __m128i, b: __m128i) -> __m128i {
        // SAFETY: see above.
        unsafe { _mm_or_si128(a, b) }
    }

    #[inline(always)]
    fn upper_halves(self, bytes: __m128i) -> __m128i {
        // SAFETY: see above.
        unsafe { _mm_and_si128(_mm_srli_epi16::<4>(bytes), _mm_set1_epi8(0x0F)) }
    }

    #[inline(always)]
    fn look_up(self, table: __m128i, indices: __m128i) -> __m128i {
        // SAFETY: see above.
        unsafe { _mm_shuffle_epi8(table, indices) }
    }

    #[inline(always)]
    fn equal_bytes(self, a: __m128i, b: __m128i) -> __m128i {
        // SAFETY: see above.
        unsafe { _mm_cmpeq_epi8(a, b) }
    }

    #[inline(always)]
    fn equal_4(self, a: __m128i, b: __m128i) -> __m128i {
        // SAFETY: see above.
        unsafe { _mm_cmpeq_epi32(a, b) }
    }

    #[inline(always)]
    fn equal_8(self, a: __m128i, b: __m128i) -> __m128i {
        // SAFETY: see above.
        unsafe { _mm_cmpeq_epi64(a, b) }
    }

    #[inline(always)]
    fn common_bits(self, a: [__m128i; 4], b: [__m128i; 4]) -> u64 {
        // SAFETY: see above.
        unsafe {
            let zero = _mm_setzero_si128();
            let none = |i: usize| {
                let none = _mm_cmpeq_epi8(_mm_and_si128(a[i], b[i]), zero);
                u64::from(_mm_movemask_epi8(none) as u16) << (16 * i)
            };
            !(none(0) | none(1) | none(2) | none(3))
        }
    }

    #[inline(always)]
    fn bits_of_4(self, i: &[__m128i; 4]) -> u16 {
        // SAFETY: see above.
        unsafe {
            let eights = [_mm_packs_epi32(i[0], i[1]), _mm_packs_epi32(i[2], i[3])];
            _mm_movemask_epi8(_mm_packs_epi16(eights[0], eights[1])) as u16
        }
    }

    #[inline(always)]
    fn bits_of_8(self, i: [__m128i; 4]) -> u8 {
        // SAFETY: see above.
        unsafe {
            let fours = [_mm_packs_epi32(i[0], i[1]), _mm_packs_epi32(i[2], i[3])];
            let eights = _mm_packs_epi32(fours[0], fours[1]);
            _mm_movemask_epi8(_mm_packs_epi16(eights, _mm_setzero_si128())) as u8
        }
    }

    #[inline(always)]
    fn has_upper_bit(self, b: [__m128i; 4]) -> bool {
        // SAFETY: see above.
        unsafe {
            let any = _mm_or_si128(_mm_or_si128(b[0], b[1]), _mm_or_si128(b[2], b[3]));
            _mm_movemask_epi8(any) != 0
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
