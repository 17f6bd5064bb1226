//! NEON, which every 64-bit ARM processor has.

use super::Task;
use super::vectors::{Instructions, instructions};
use super::wide128::Wide128;
#[allow(clippy::wildcard_imports)] // an intrinsic's own name says where it comes from
use core::arch::aarch64::*;

#[derive(Clone, Copy)]
pub struct Neon(());

/// Each byte has one bit, the lowest first.
const BITS: u64 = 0x8040_2010_0804_0201;

pub fn enter<T: Task>(task: T) -> T::Output {
    task.run(Wide128(Neon(())))
}

// SAFETY of all blocks: the target has NEON; loads and stores are of the 16 bytes of their argument.
impl Instructions for Neon {
    type Vector = uint8x16_t;

    instructions! {
        load(bytes: &[u8; 16]) -> uint8x16_t = vld1q_u8(bytes.as_ptr());
        load_8(integers: &[u16; 8]) -> uint8x16_t =
            vreinterpretq_u8_u16(vld1q_u16(integers.as_ptr()));
        load_2(integers: &[u64; 2]) -> uint8x16_t =
            vreinterpretq_u8_u64(vld1q_u64(integers.as_ptr()));
        store(vector: uint8x16_t, bytes: &mut [u8; 16]) = vst1q_u8(bytes.as_mut_ptr(), vector);
        store_4(vector: uint8x16_t, integers: &mut [i32; 4]) =
            vst1q_s32(integers.as_mut_ptr(), vreinterpretq_s32_u8(vector));
        splat(byte: u8) -> uint8x16_t = vdupq_n_u8(byte);
        splat_2_bytes(bytes: [u8; 2]) -> uint8x16_t =
            vreinterpretq_u8_u16(vdupq_n_u16(u16::from_ne_bytes(bytes)));
        splat_4_bytes(bytes: [u8; 4]) -> uint8x16_t =
            vreinterpretq_u8_u32(vdupq_n_u32(u32::from_ne_bytes(bytes)));
        splat_8_bytes(bytes: [u8; 8]) -> uint8x16_t =
            vreinterpretq_u8_u64(vdupq_n_u64(u64::from_ne_bytes(bytes)));
        and(a: uint8x16_t, b: uint8x16_t) -> uint8x16_t = vandq_u8(a, b);
        or(a: uint8x16_t, b: uint8x16_t) -> uint8x16_t = vorrq_u8(a, b);
        xor(a: uint8x16_t, b: uint8x16_t) -> uint8x16_t = veorq_u8(a, b);
        shift(number: uint8x16_t) -> uint8x16_t =
            vreinterpretq_u8_u64(vshlq_n_u64::<1>(vreinterpretq_u64_u8(number)));
        negate(numbers: uint8x16_t) -> uint8x16_t =
            vreinterpretq_u8_s64(vnegq_s64(vreinterpretq_s64_u8(numbers)));
        is_zero(numbers: uint8x16_t) -> uint8x16_t =
            vreinterpretq_u8_u64(vceqzq_u64(vreinterpretq_u64_u8(numbers)));
        upper_halves(bytes: uint8x16_t) -> uint8x16_t = vshrq_n_u8::<4>(bytes);
        look_up(table: uint8x16_t, indices: uint8x16_t) -> uint8x16_t = vqtbl1q_u8(table, indices);
        interleave(a: uint8x16_t, b: uint8x16_t) -> [uint8x16_t; 2] =
            [vzip1q_u8(a, b), vzip2q_u8(a, b)];
        equal_bytes(a: uint8x16_t, b: uint8x16_t) -> uint8x16_t = vceqq_u8(a, b);
    }

    #[inline(never)]
    fn apart<T: Task>(self, task: T) -> T::Output {
        task.run(Wide128(self))
    }

    #[inline(always)]
    fn add_to_each(self, bytes: [u8; 8], base: u32, to: &mut [u32; 8]) {
        // SAFETY: see above; the load is of 8 bytes.
        unsafe {
            let (words, base) = (vmovl_u8(vld1_u8(bytes.as_ptr())), vdupq_n_u32(base));
            vst1q_u32(to[..4].as_mut_ptr(), vaddw_u16(base, vget_low_u16(words)));
            vst1q_u32(to[4..].as_mut_ptr(), vaddw_high_u16(base, words));
        }
    }

    #[inline(always)]
    fn common_bits(self, a: [uint8x16_t; 4], b: [uint8x16_t; 4]) -> u64 {
        // SAFETY: see above.
        unsafe {
            let weights = vreinterpretq_u8_u64(vdupq_n_u64(BITS));
            let weigh = |i: usize| vandq_u8(vtstq_u8(a[i], b[i]), weights);
            let (first, last) = (vpaddq_u8(weigh(0), weigh(1)), vpaddq_u8(weigh(2), weigh(3)));
            let sums = vpaddq_u8(first, last);
            vgetq_lane_u64::<0>(vreinterpretq_u64_u8(vpaddq_u8(sums, sums)))
        }
    }

    #[inline(always)]
    fn equal_integers(self, a: [uint8x16_t; 4], b: uint8x16_t) -> u32 {
        // SAFETY: see above.
        unsafe {
            let weights = vreinterpretq_u8_u64(vdupq_n_u64(BITS));
            let b = vreinterpretq_u16_u8(b);
            let same = |i: usize| vreinterpretq_u8_u16(vceqq_u16(vreinterpretq_u16_u8(a[i]), b));
            let half = |i: usize| vandq_u8(vuzp1q_u8(same(i), same(i + 1)), weights);
            let sums = vpaddq_u8(half(0), half(2));
            let sums = vpaddq_u8(sums, sums);
            vgetq_lane_u32::<0>(vreinterpretq_u32_u8(vpaddq_u8(sums, sums)))
        }
    }

    #[inline(always)]
    fn add_products(self, sums: uint8x16_t, bytes: uint8x16_t, weights: uint8x16_t) -> uint8x16_t {
        // SAFETY: see above.
        unsafe {
            let low = vmull_u8(vget_low_u8(bytes), vget_low_u8(weights));
            let high = vmull_high_u8(bytes, weights);
            let fours = vpaddq_u32(vpaddlq_u16(low), vpaddlq_u16(high));
            vreinterpretq_u8_u32(vaddq_u32(vreinterpretq_u32_u8(sums), fours))
        }
    }
}
