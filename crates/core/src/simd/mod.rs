//! The steps that gain from wide registers, for each instruction set, which is chosen at run time.
//!
//! This folder holds all `unsafe` code of the crate. A value that implements [`Isa`] proves that
//! the processor has the instructions: it is only made by [`dispatch`], from a [`Level`] that was
//! detected. [`Task::run`] must be inlined into the entry function of an instruction set, so that
//! the compiler may use the wide registers in all of it.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "aarch64")]
mod neon;
mod scalar;
#[cfg(target_arch = "wasm32")]
mod simd128;
#[cfg(target_arch = "x86_64")]
mod sse41;
#[cfg(any(
    target_arch = "x86_64",
    target_arch = "aarch64",
    target_arch = "wasm32"
))]
mod utf8;
#[cfg(any(
    target_arch = "x86_64",
    target_arch = "aarch64",
    target_arch = "wasm32"
))]
mod wide128;

pub use scalar::Scalar;

/// The classes of a byte for a tokenizer, as bits; [`ClassTable`] maps each byte to a set of them.
pub mod class {
    pub const SPACE: u8 = 1;
    /// Always a token of its own.
    pub const ALONE: u8 = 2;
    /// A token of its own, unless digits surround it.
    pub const JOINER: u8 = 4;
    pub const DIGIT: u8 = 8;
    /// A token of its own after a digit.
    pub const DASH: u8 = 16;
    /// May begin or end something the tokenizer replaces first (an entity, `<skipped>`).
    pub const REWRITE: u8 = 32;
    /// First byte of a character whose class needs the whole character.
    pub const WIDE: u8 = 64;
}

/// The classes of all 256 bytes.
#[derive(Debug, PartialEq, Eq)]
pub struct ClassTable {
    of_bytes: [u8; 256],
    /// For each class and each lower half of a byte, the upper halves with which it has the class:
    /// a set of 8 bits, those of ASCII, and for [`class::WIDE`] those beyond.
    columns: [[u8; 16]; 7],
}

impl ClassTable {
    /// ASCII has no class [`class::WIDE`], and other bytes have no other.
    ///
    /// # Panics
    /// A byte has a class that it must not have.
    pub fn new(of_bytes: [u8; 256]) -> Self {
        let (ascii, others) = of_bytes.split_at(0x80);
        assert!(ascii.iter().all(|&classes| classes & class::WIDE == 0));
        assert!(others.iter().all(|&classes| classes & !class::WIDE == 0));
        let mut columns = [[0; 16]; 7];
        for (byte, classes) in of_bytes.into_iter().enumerate() {
            for (class, columns) in columns.iter_mut().enumerate() {
                columns[byte % 16] |= (classes >> class & 1) << (byte / 16 % 8);
            }
        }
        Self { of_bytes, columns }
    }

    #[inline(always)]
    fn columns(&self, class: u8) -> &[u8; 16] {
        &self.columns[class.trailing_zeros() as usize]
    }
}

/// Classes of 64 bytes of text, one bit for each byte.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Block {
    pub space: u64,
    pub alone: u64,
    pub joiner: u64,
    pub digit: u64,
    pub dash: u64,
    pub rewrite: u64,
    pub wide: u64,
    /// Bytes after the first of a wide character that has a class; filled by the tokenizer.
    pub inner: u64,
}

/// The key of a token: its low and its high half.
pub type Key = (u64, u64);

/// Keys of eight tokens.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
pub struct KeyBlock {
    pub lows: [u64; 8],
    pub highs: [u64; 8],
}

/// A line of the cache, as eight numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(align(64))]
pub struct CacheLine(pub [u64; 8]);

/// Resamples that [`Isa::weigh`] sums at a time: as many sums as fit the registers.
pub const SHARES: usize = 8;

/// The largest weight of [`Isa::weigh`]: 63 * 255 twice is still a signed number of 16 bits.
pub const WEIGHT: u8 = 63;

/// One instruction set.
pub trait Isa: Copy {
    /// Longest reference, in tokens, whose keys are worth comparing with all of the hypothesis.
    const COMPARED: usize;

    /// Runs `task` with the same instructions as a separate function, so that rarely needed code takes
    /// no registers from the rest.
    fn apart<T: Task>(self, task: T) -> T::Output;

    /// Classes of 64 bytes.
    fn classify(self, bytes: &[u8; 64], table: &ClassTable) -> Block;

    /// Writes `base + i` for each set bit `i` of `mask`, ascending; returns how many.
    fn bit_positions(self, mask: u64, base: u32, out: &mut [u32; 64]) -> usize;

    /// In row `i`, byte `byte` of word `word` becomes the set of keys in `reference` that equal key
    /// `i` of `hyp`. Keys with a high half of zero equal none. There are eight rows for each block
    /// of `hyp`.
    fn equal_keys<const W: usize>(
        self,
        hyp: &[KeyBlock],
        reference: &KeyBlock,
        rows: &mut [[[u8; 8]; W]],
        word: usize,
        byte: usize,
    );

    /// In row `i`, word `word` becomes the set of places at which `reference` has id `i` of `hyp`.
    fn equal_ids<const W: usize>(
        self,
        hyp: &[i32],
        reference: &[i32; 64],
        rows: &mut [[[u8; 8]; W]],
        word: usize,
    );

    /// `counts[i]` becomes the number whose binary digits are bit `i` of each of `digits`, the lowest
    /// digit first; there are eight digits at most.
    fn count_lanes(self, digits: &[u64], counts: &mut [u8; 64]);

    /// Appends Latin-1 text to `out` as UTF-8.
    fn append_latin1(self, units: &[u8], out: &mut Vec<u8>);

    /// Appends two-byte code points to `out` as UTF-8; surrogates are errors, returned.
    fn append_ucs2(self, units: &[u16], out: &mut Vec<u8>) -> Result<(), u16>;

    /// In sum `i`, column `j` becomes the sum of the products of bytes `4j` to `4j + 3` of each line
    /// and the four weights that share `i` has for it. Each share is as long as `lines`, no weight
    /// is over [`WEIGHT`], and the sums fit 32 bits.
    fn weigh(self, lines: &[CacheLine], shares: &[&[[u8; 4]]; SHARES]) -> [[i32; 16]; SHARES];
}

/// Work that runs under one instruction set. Implementations mark `run` as `#[inline(always)]`.
pub trait Task {
    type Output;
    fn run<I: Isa>(self, isa: I) -> Self::Output;
}

/// An instruction set that this processor has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level(InstructionSet);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum InstructionSet {
    #[cfg(not(target_arch = "wasm32"))]
    Scalar,
    #[cfg(target_arch = "aarch64")]
    Neon,
    #[cfg(target_arch = "wasm32")]
    Simd128,
    #[cfg(target_arch = "x86_64")]
    Sse41,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Level {
    /// Every level this processor can run, the fastest first.
    pub fn available() -> Vec<Level> {
        let mut levels = Vec::new();
        #[cfg(target_arch = "x86_64")]
        {
            if avx512::detected() {
                levels.push(Level(InstructionSet::Avx512));
            }
            if avx2::detected() {
                levels.push(Level(InstructionSet::Avx2));
            }
            if sse41::detected() {
                levels.push(Level(InstructionSet::Sse41));
            }
        }
        #[cfg(target_arch = "aarch64")]
        levels.push(Level(InstructionSet::Neon));
        #[cfg(target_arch = "wasm32")]
        levels.push(Level(InstructionSet::Simd128));
        #[cfg(not(target_arch = "wasm32"))]
        levels.push(Level(InstructionSet::Scalar));
        levels
    }

    pub const fn name(self) -> &'static str {
        match self.0 {
            #[cfg(not(target_arch = "wasm32"))]
            InstructionSet::Scalar => "scalar",
            #[cfg(target_arch = "aarch64")]
            InstructionSet::Neon => "neon",
            #[cfg(target_arch = "wasm32")]
            InstructionSet::Simd128 => "simd128",
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Sse41 => "sse4.1",
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx2 => "avx2",
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx512 => "avx512",
        }
    }
}

/// Runs `task` with the instructions of `level`.
pub fn dispatch<T: Task>(level: Level, task: T) -> T::Output {
    match level.0 {
        #[cfg(not(target_arch = "wasm32"))]
        InstructionSet::Scalar => task.run(Scalar),
        #[cfg(target_arch = "aarch64")]
        InstructionSet::Neon => neon::enter(task),
        #[cfg(target_arch = "wasm32")]
        InstructionSet::Simd128 => simd128::enter(task),
        // SAFETY: a `Level` of this kind is only made by `available`, after detection.
        #[cfg(target_arch = "x86_64")]
        InstructionSet::Sse41 => unsafe { sse41::enter(task) },
        // SAFETY: as above.
        #[cfg(target_arch = "x86_64")]
        InstructionSet::Avx2 => unsafe { avx2::enter(task) },
        // SAFETY: as above.
        #[cfg(target_arch = "x86_64")]
        InstructionSet::Avx512 => unsafe { avx512::enter(task) },
    }
}

/// Adds 1 to the count of each pick; returns the union of all counts on the way, so that an overflow
/// is noticed.
///
/// # Panics
/// A pick has no count.
pub struct CountUp<'a> {
    pub picks: &'a [u32],
    pub counts: &'a mut [u8],
}

impl Task for CountUp<'_> {
    type Output = u8;

    #[inline(always)]
    fn run<I: Isa>(self, _: I) -> u8 {
        let most = self.picks.iter().copied().max().unwrap_or(0);
        assert!((most as usize) < self.counts.len());
        let mut seen = 0;
        for &pick in self.picks {
            // SAFETY: no pick is above the largest, whose count is there. To look at each takes a
            // third of the time.
            let count = unsafe { self.counts.get_unchecked_mut(pick as usize) };
            *count = count.wrapping_add(1);
            seen |= *count;
        }
        seen
    }
}

/// Prefetches 128 bytes from `address` on: most of a sentence, or a string's header and its first
/// letters.
#[inline(always)]
pub fn prefetch(address: *const u8) {
    prefetch_line(address);
    prefetch_line(address.wrapping_add(64));
}

/// Prefetches the line of 64 bytes at `address`.
#[inline(always)]
pub fn prefetch_line(address: *const u8) {
    #[cfg(target_arch = "x86_64")]
    {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch reads nothing, so that any address will do; every x86-64 has it.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(address.cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = address;
}

#[cfg(test)]
mod tests;
