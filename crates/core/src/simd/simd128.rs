//! The vectors of WebAssembly, for modules that are compiled with them.

use super::Task;
use super::vectors::{Instructions, instructions};
use super::wide128::Wide128;
#[allow(clippy::wildcard_imports)] // an intrinsic's own name says where it comes from
use core::arch::wasm32::*;

#[derive(Clone, Copy)]
pub struct Simd128;

pub fn enter<T: Task>(task: T) -> T::Output {
    task.run(Wide128(Simd128))
}

// SAFETY of all blocks: loads and stores may be unaligned, and are of the 16 bytes of their argument.
impl Instructions for Simd128 {
    type Vector = v128;

    instructions! {
        load(bytes: &[u8; 16]) -> v128 = v128_load(bytes.as_ptr().cast());
        load_8(integers: &[u16; 8]) -> v128 = v128_load(integers.as_ptr().cast());
        load_2(integers: &[u64; 2]) -> v128 = v128_load(integers.as_ptr().cast());
        store(vector: v128, bytes: &mut [u8; 16]) = v128_store(bytes.as_mut_ptr().cast(), vector);
        store_4(vector: v128, integers: &mut [i32; 4]) =
            v128_store(integers.as_mut_ptr().cast(), vector);
        splat(byte: u8) -> v128 = u8x16_splat(byte);
        splat_2_bytes(bytes: [u8; 2]) -> v128 = u16x8_splat(u16::from_ne_bytes(bytes));
        splat_4_bytes(bytes: [u8; 4]) -> v128 = u32x4_splat(u32::from_ne_bytes(bytes));
        splat_8_bytes(bytes: [u8; 8]) -> v128 = u64x2_splat(u64::from_ne_bytes(bytes));
        and(a: v128, b: v128) -> v128 = v128_and(a, b);
        or(a: v128, b: v128) -> v128 = v128_or(a, b);
        xor(a: v128, b: v128) -> v128 = v128_xor(a, b);
        shift(number: v128) -> v128 = i64x2_shl(number, 1);
        negate(numbers: v128) -> v128 = i64x2_neg(numbers);
        is_zero(numbers: v128) -> v128 = i64x2_eq(numbers, i64x2_splat(0));
        upper_halves(bytes: v128) -> v128 = u8x16_shr(bytes, 4);
        look_up(table: v128, indices: v128) -> v128 = u8x16_swizzle(table, indices);
        equal_bytes(a: v128, b: v128) -> v128 = u8x16_eq(a, b);
    }

    #[inline(never)]
    fn apart<T: Task>(self, task: T) -> T::Output {
        enter(task)
    }

    #[inline(always)]
    fn add_to_each(self, bytes: [u8; 8], base: u32, to: &mut [u32; 8]) {
        // SAFETY: see above; the load is of 8 bytes.
        unsafe {
            let words = u16x8_load_extend_u8x8(bytes.as_ptr());
            let base = u32x4_splat(base);
            let first = u32x4_add(u32x4_extend_low_u16x8(words), base);
            let last = u32x4_add(u32x4_extend_high_u16x8(words), base);
            v128_store(to[..4].as_mut_ptr().cast(), first);
            v128_store(to[4..].as_mut_ptr().cast(), last);
        }
    }

    #[inline(always)]
    fn interleave(self, a: v128, b: v128) -> [v128; 2] {
        [
            i8x16_shuffle::<0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23>(a, b),
            i8x16_shuffle::<8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31>(a, b),
        ]
    }

    #[inline(always)]
    fn common_bits(self, a: [v128; 4], b: [v128; 4]) -> u64 {
        let zero = u8x16_splat(0);
        let bits = |i: usize| u64::from(u8x16_bitmask(u8x16_ne(v128_and(a[i], b[i]), zero)));
        bits(0) | bits(1) << 16 | bits(2) << 32 | bits(3) << 48
    }

    #[inline(always)]
    fn equal_integers(self, a: [v128; 4], b: v128) -> u32 {
        let half = |i: usize| {
            let same = [i16x8_eq(a[i], b), i16x8_eq(a[i + 1], b)];
            u32::from(i8x16_bitmask(i8x16_narrow_i16x8(same[0], same[1])))
        };
        half(0) | half(2) << 16
    }

    #[inline(always)]
    fn add_products(self, sums: v128, bytes: v128, weights: v128) -> v128 {
        let (low, high) = (u16x8_extend_low_u8x16, u16x8_extend_high_u8x16);
        let low = i32x4_dot_i16x8(low(bytes), low(weights));
        let high = i32x4_dot_i16x8(high(bytes), high(weights));
        let even = u32x4_shuffle::<0, 2, 4, 6>(low, high);
        let odd = u32x4_shuffle::<1, 3, 5, 7>(low, high);
        u32x4_add(sums, u32x4_add(even, odd))
    }
}
