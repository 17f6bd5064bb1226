//! The steps that gain from wide registers, for each instruction set, which is chosen at run time.
//!
//! This folder holds all `unsafe` code of the crate. A value that implements [`Isa`] proves that
//! the processor has the instructions: it is only made by [`dispatch`], from a [`Level`] that was
//! detected. [`Task::run`] must be inlined into the entry function of an instruction set, so that
//! the compiler may use the wide registers in all of it. So must all that an [`Isa`] does: a closure
//! that is used twice can become a function of its own, in which each instruction is a call.

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
mod vectors;
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
    /// First byte of a character whose class may need the whole character.
    pub const WIDE: u8 = 64;
    /// With [`WIDE`], the class always does. Otherwise it does if this is the third byte.
    pub const LAST: u8 = 128;
}

/// The classes of all 256 bytes.
#[derive(Debug, PartialEq, Eq)]
pub struct ClassTable {
    of_bytes: [u8; 256],
    /// For each class and each lower half of a byte, the upper halves with which it has the class:
    /// a set of 8 bits, those of ASCII, and for [`class::WIDE`] and [`class::LAST`] those beyond.
    columns: [[u8; 16]; 8],
    /// All bits, if characters of three bytes whose class does not need all of them are alone.
    alone: u64,
}

impl ClassTable {
    /// ASCII has neither [`class::WIDE`] nor [`class::LAST`], and other bytes have no other. Wide
    /// characters whose class does not need the whole character have three bytes, and are tokens of
    /// their own if `are_alone`, or have no class.
    ///
    /// # Panics
    /// A byte has a class that it must not have.
    pub fn new(of_bytes: [u8; 256], are_alone: bool) -> Self {
        let (ascii, others) = of_bytes.split_at(0x80);
        let beyond_ascii = class::WIDE | class::LAST;
        assert!(ascii.iter().all(|&classes| classes & beyond_ascii == 0));
        assert!(others.iter().all(|&classes| classes & !beyond_ascii == 0));
        let mut columns = [[0; 16]; 8];
        for (byte, classes) in of_bytes.into_iter().enumerate() {
            for (class, columns) in columns.iter_mut().enumerate() {
                columns[byte % 16] |= (classes >> class & 1) << (byte / 16 % 8);
            }
        }
        Self {
            of_bytes,
            columns,
            alone: u64::from(are_alone).wrapping_neg(),
        }
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
    /// First bytes of characters whose class needs the whole character.
    pub wide: u64,
    /// First bytes of other characters of three bytes that are tokens of their own. The tokenizer puts
    /// here the bytes after the first of all wide characters that have a class: a block fills a line of
    /// the cache, and with one more number a pair of texts takes 3 % more.
    pub inner: u64,
}

impl Block {
    /// The block, with what is known of characters with these first bytes and bytes of [`class::LAST`].
    /// Most punctuation is left out of `wide` where white space alone has a class, and most Chinese
    /// where it is alone. At the end of a block the third byte is not known.
    #[inline(always)]
    fn with_wide(self, table: &ClassTable, first: u64, last: u64) -> Self {
        let wide = first & (last | last >> 2 | 3 << 62);
        Self {
            wide,
            inner: first & !wide & table.alone,
            ..self
        }
    }
}

/// Pages have UTF-8 only, and want a small kernel.
pub const FOR_PAGES: bool = cfg!(target_arch = "wasm32");

/// The key of a token: its low and its high half.
pub type Key = [u64; 2];

/// A short hash of a key.
pub type Tag = u16;

/// Tags that are compared at once.
pub const TAGS: usize = 64;

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

    /// Whether an index of tags is faster than comparing each with more than 64 others.
    const INDEXES: bool;

    /// Runs `task` with the same instructions as a separate function, so that rarely needed code takes
    /// no registers from the rest.
    fn apart<T: Task>(self, task: T) -> T::Output;

    /// Classes of 64 bytes.
    fn classify(self, bytes: &[u8; 64], table: &ClassTable) -> Block;

    /// Writes `base + i` for each set bit `i` of `mask`, ascending; returns how many.
    fn bit_positions(self, mask: u64, base: u32, out: &mut [u32; 64]) -> usize;

    /// Tags of a text, in registers.
    type Tags: Copy;

    fn load_tags(self, tags: &[Tag; TAGS]) -> Self::Tags;

    /// One bit for each place of `tag` among the first 32 of `tags` times `HALVES`, which is 1 or 2.
    fn equal_tags<const HALVES: usize>(self, tags: Self::Tags, tag: Tag) -> u64;

    /// Numbers of 64 bits in a register, and how many.
    type Numbers: Copy;
    const NUMBERS: usize;

    /// The first numbers, each of eight bytes; there are enough.
    fn load_numbers(self, numbers: &[[u8; 8]]) -> Self::Numbers;

    /// Writes the first numbers; there is room for them.
    fn store_numbers(self, numbers: Self::Numbers, to: &mut [u64]);

    /// `number << 1`.
    fn shift(self, number: Self::Numbers) -> Self::Numbers;

    /// The lowest bit that both have, or zero.
    fn lowest_shared(self, a: Self::Numbers, b: Self::Numbers) -> Self::Numbers;

    /// `a & b`.
    fn both(self, a: Self::Numbers, b: Self::Numbers) -> Self::Numbers;

    /// `a ^ b`.
    fn either_one(self, a: Self::Numbers, b: Self::Numbers) -> Self::Numbers;

    /// All ones where a number is zero.
    fn is_zero(self, numbers: Self::Numbers) -> Self::Numbers;

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

/// The tag of a key: the upper bits of a product with `factor`, which is odd. Of two hundred pairs of
/// texts, one has unequal words with equal tags.
///
/// A shift joins the halves, as all vectors have one: with a rotation, a pair takes 20 ns more without
/// AVX-512. What is shifted out is the same in all keys that are hashes, and in all that are not.
#[inline(always)]
pub fn tag([low, high]: Key, factor: u64) -> Tag {
    ((low ^ high << 5).wrapping_mul(factor) >> 48) as Tag
}

/// Eight tokens of a text.
pub struct Eight<'a> {
    pub text: &'a [u8],
    pub starts: &'a [u32; 8],
    pub ends: &'a [u32; 8],
}

impl Eight<'_> {
    /// Makes keys of the 16 bytes from each start on, with the bits of `fill` at the length modulo 32,
    /// and their tags. Returns the union of all lengths. A start less than 16 bytes before the end of
    /// the text stands for the last that is not.
    ///
    /// Keys and tags are made at once: to load keys that were just stored waits for the store.
    ///
    /// # Panics
    /// The text has less than 16 bytes.
    #[inline(always)]
    pub fn name(
        &self,
        fill: &[Key; 32],
        factor: u64,
        keys: &mut [Key; 8],
        tags: &mut [Tag; 8],
    ) -> u32 {
        assert!(self.text.len() >= 16);
        let last = (self.text.len() - 16).min(u32::MAX as usize) as u32;
        let mut lengths = 0;
        for i in 0..8 {
            let (start, end) = (self.starts[i], self.ends[i]);
            // SAFETY: 16 bytes follow the last start. As a checked slice, keys and tags of a pair of
            // texts take 117 ns instead of 75 with AVX-512.
            let [low, high] = unsafe {
                let bytes = self.text.as_ptr().add(start.min(last) as usize);
                bytes.cast::<Key>().read_unaligned()
            };
            let length = end.wrapping_sub(start);
            let fill = fill[length as usize % 32];
            keys[i] = [low.to_le() | fill[0], high.to_le() | fill[1]];
            tags[i] = tag(keys[i], factor);
            lengths |= length;
        }
        lengths
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
