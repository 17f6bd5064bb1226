//! Vectors of 16 bytes, and what each processor does with them.

use super::Task;

/// The instructions of a processor with vectors of 16 bytes. A value is only made where the
/// processor has them.
pub trait Instructions: Copy {
    type Vector: Copy;

    /// As [`super::Isa::apart`].
    fn apart<T: Task>(self, task: T) -> T::Output;

    fn load(self, bytes: &[u8; 16]) -> Self::Vector;
    /// Writes the sums of `base` and each byte.
    fn add_to_each(self, bytes: [u8; 8], base: u32, to: &mut [u32; 8]);
    /// Integers in the order of memory.
    fn load_2(self, integers: &[u64; 2]) -> Self::Vector;
    fn load_8(self, integers: &[u16; 8]) -> Self::Vector;
    fn store(self, vector: Self::Vector, bytes: &mut [u8; 16]);
    fn store_4(self, vector: Self::Vector, integers: &mut [i32; 4]);
    fn splat(self, byte: u8) -> Self::Vector;
    fn splat_2_bytes(self, bytes: [u8; 2]) -> Self::Vector;
    fn splat_4_bytes(self, bytes: [u8; 4]) -> Self::Vector;
    fn splat_8_bytes(self, bytes: [u8; 8]) -> Self::Vector;

    fn and(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    fn or(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    fn xor(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// Zero minus each number of 64 bits.
    fn negate(self, numbers: Self::Vector) -> Self::Vector;
    /// As [`super::Isa::shift`] and [`super::Isa::is_zero`].
    fn shift(self, number: Self::Vector) -> Self::Vector;
    fn is_zero(self, numbers: Self::Vector) -> Self::Vector;
    /// The upper four bits of each byte.
    fn upper_halves(self, bytes: Self::Vector) -> Self::Vector;
    /// Byte `indices[i]` of `table` in byte `i`; each index is less than 16, or 128 for zero.
    fn look_up(self, table: Self::Vector, indices: Self::Vector) -> Self::Vector;

    /// The bytes of both in turn.
    fn interleave(self, a: Self::Vector, b: Self::Vector) -> [Self::Vector; 2];

    /// All bits where the bytes are equal.
    fn equal_bytes(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;

    /// One bit for each byte: whether any of its bits is set in both vectors.
    fn common_bits(self, a: [Self::Vector; 4], b: [Self::Vector; 4]) -> u64;
    /// One bit for each integer of two bytes: whether it is the one in all of `b`.
    fn equal_integers(self, a: [Self::Vector; 4], b: Self::Vector) -> u32;

    /// Adds to each integer of four bytes the products of four bytes and four weights.
    fn add_products(
        self,
        sums: Self::Vector,
        bytes: Self::Vector,
        weights: Self::Vector,
    ) -> Self::Vector;
}

/// The places of the bits of each byte, in order, and zeros.
pub static PLACES: [[u8; 8]; 256] = {
    let mut rows = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut bit, mut count) = (0, 0);
        while bit < 8 {
            if byte >> bit & 1 == 1 {
                rows[byte][count] = bit as u8;
                count += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    rows
};

/// An array of four values. Closures that `map` takes are functions of their own at times, in which
/// each instruction is a call.
macro_rules! four {
    (|$i:ident| $value:expr) => {
        [
            four!(0, $i, $value),
            four!(1, $i, $value),
            four!(2, $i, $value),
            four!(3, $i, $value),
        ]
    };
    ($place:literal, $i:ident, $value:expr) => {{
        let $i = $place;
        $value
    }};
}
pub(super) use four;

/// A table of methods that are one expression of intrinsics each. The implementation says why the
/// processor has them, and what loads and stores may touch.
macro_rules! instructions {
    ($($name:ident($($arg:ident: $type:ty),+) $(-> $result:ty)? = $value:expr;)+) => {
        $(
            #[inline(always)]
            #[allow(unused_unsafe)] // some intrinsics are safe
            fn $name(self, $($arg: $type),+) $(-> $result)? {
                // SAFETY: see the implementation.
                unsafe { $value }
            }
        )+
    };
}
pub(super) use instructions;

#[inline(always)]
pub fn load_all<I: Instructions>(isa: I, bytes: &[u8; 64]) -> [I::Vector; 4] {
    let (quarters, _) = bytes.as_chunks::<16>();
    four!(|i| isa.load(&quarters[i]))
}
