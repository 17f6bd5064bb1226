//! The steps over vectors of 16 bytes, written once for NEON, SSE4.1 and WebAssembly.

use super::utf8;
use super::vectors::{Instructions, PLACES, four, load_all};
use super::{Block, CacheLine, ClassTable, FOR_PAGES, Isa, SHARES, Scalar, TAGS, Tag, Task, class};

/// The path of processors with these instructions.
#[derive(Clone, Copy)]
pub struct Wide128<I>(pub(super) I);

impl<I: Instructions> Isa for Wide128<I> {
    const COMPARED: usize = 512;
    const INDEXES: bool = !FOR_PAGES;

    #[inline(always)]
    fn apart<T: Task>(self, task: T) -> T::Output {
        self.0.apart(task)
    }

    /// The lower half of a byte finds the set of upper halves with which it has the class.
    #[inline(always)]
    fn classify(self, bytes: &[u8; 64], table: &ClassTable) -> Block {
        let Self(isa) = self;
        let text = load_all(isa, bytes);
        let lower = four!(|i| isa.and(text[i], isa.splat(0x0F)));
        let upper = four!(|i| isa.upper_halves(text[i]));
        let ascii = isa.load(&[1, 2, 4, 8, 16, 32, 64, 128, 0, 0, 0, 0, 0, 0, 0, 0]);
        let rows = four!(|i| isa.look_up(ascii, upper[i]));
        let others = isa.load(&[0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128]);
        let beyond = four!(|i| isa.look_up(others, upper[i]));
        let first = have(isa, table.columns(class::WIDE), lower, beyond);
        let last = have(isa, table.columns(class::LAST), lower, beyond);
        Block {
            space: have(isa, table.columns(class::SPACE), lower, rows),
            alone: have(isa, table.columns(class::ALONE), lower, rows),
            joiner: have(isa, table.columns(class::JOINER), lower, rows),
            digit: have(isa, table.columns(class::DIGIT), lower, rows),
            dash: have(isa, table.columns(class::DASH), lower, rows),
            rewrite: have(isa, table.columns(class::REWRITE), lower, rows),
            ..Block::default()
        }
        .with_wide(table, first, last)
    }

    #[inline(always)]
    fn bit_positions(self, mask: u64, base: u32, out: &mut [u32; 64]) -> usize {
        let mut count = 0;
        for (base, byte) in (base..).step_by(8).zip(mask.to_le_bytes()) {
            // SAFETY: the bytes before have eight bits each at most, so that eight places are left.
            let positions = unsafe { &mut *out.as_mut_ptr().add(count).cast() };
            self.0
                .add_to_each(PLACES[usize::from(byte)], base, positions);
            count += byte.count_ones() as usize;
        }
        count
    }

    type Tags = [[I::Vector; 4]; 2];

    #[inline(always)]
    fn load_tags(self, tags: &[Tag; TAGS]) -> Self::Tags {
        let (eights, _) = tags.as_chunks::<8>();
        [
            four!(|i| self.0.load_8(&eights[i])),
            four!(|i| self.0.load_8(&eights[4 + i])),
        ]
    }

    #[inline(always)]
    fn equal_tags<const HALVES: usize>(self, tags: Self::Tags, tag: Tag) -> u64 {
        let Self(isa) = self;
        let tag = isa.splat_2_bytes(tag.to_ne_bytes());
        let first = u64::from(isa.equal_integers(tags[0], tag));
        if HALVES == 1 {
            return first;
        }
        first | u64::from(isa.equal_integers(tags[1], tag)) << 32
    }

    type Numbers = I::Vector;
    const NUMBERS: usize = 2;

    #[inline(always)]
    fn load_numbers(self, numbers: &[[u8; 8]]) -> I::Vector {
        self.0.load(&numbers.as_flattened().as_chunks().0[0])
    }

    #[inline(always)]
    fn store_numbers(self, numbers: I::Vector, to: &mut [u64]) {
        let mut bytes = [0; 16];
        self.0.store(numbers, &mut bytes);
        for (number, bytes) in to.iter_mut().zip(bytes.as_chunks().0) {
            *number = u64::from_le_bytes(*bytes);
        }
    }

    #[inline(always)]
    fn shift(self, number: I::Vector) -> I::Vector {
        self.0.shift(number)
    }

    #[inline(always)]
    fn lowest_shared(self, a: I::Vector, b: I::Vector) -> I::Vector {
        let shared = self.0.and(a, b);
        self.0.and(shared, self.0.negate(shared))
    }

    #[inline(always)]
    fn both(self, a: I::Vector, b: I::Vector) -> I::Vector {
        self.0.and(a, b)
    }

    #[inline(always)]
    fn either_one(self, a: I::Vector, b: I::Vector) -> I::Vector {
        self.0.xor(a, b)
    }

    #[inline(always)]
    fn is_zero(self, numbers: I::Vector) -> I::Vector {
        self.0.is_zero(numbers)
    }

    #[inline(always)]
    fn count_lanes(self, digits: &[u64], counts: &mut [u8; 64]) {
        let Self(isa) = self;
        let sources = isa.load(&[0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1]);
        let bits = isa.splat_8_bytes([1, 2, 4, 8, 16, 32, 64, 128]);
        for (quarter, counts) in counts.as_chunks_mut::<16>().0.iter_mut().enumerate() {
            let mut sums = isa.splat(0);
            for (i, &digit) in digits.iter().enumerate() {
                // Byte `i` of a quarter gets the byte that has bit `i`, and keeps that bit alone.
                let copies = isa.splat_2_bytes(((digit >> (16 * quarter)) as u16).to_le_bytes());
                let kept = isa.and(isa.look_up(copies, sources), bits);
                let set = isa.equal_bytes(kept, bits);
                sums = isa.or(sums, isa.and(set, isa.splat(1 << i)));
            }
            isa.store(sums, counts);
        }
    }

    #[inline(always)]
    fn append_latin1(self, units: &[u8], out: &mut Vec<u8>) {
        if FOR_PAGES {
            Scalar.append_latin1(units, out);
        } else {
            utf8::append_latin1(self.0, units, out);
        }
    }

    #[inline(always)]
    fn append_ucs2(self, units: &[u16], out: &mut Vec<u8>) -> Result<(), u16> {
        if FOR_PAGES {
            Scalar.append_ucs2(units, out)
        } else {
            utf8::append_ucs2(self.0, units, out)
        }
    }

    #[inline(always)]
    fn weigh(self, lines: &[CacheLine], shares: &[&[[u8; 4]]; SHARES]) -> [[i32; 16]; SHARES] {
        let Self(isa) = self;
        let mut sums = [[0; 16]; SHARES];
        // Two at a time have their sums in registers.
        for (sums, shares) in sums
            .as_chunks_mut::<2>()
            .0
            .iter_mut()
            .zip(shares.as_chunks::<2>().0)
        {
            let mut open = [[isa.splat(0); 4]; 2];
            for ((line, &first), &second) in lines.iter().zip(shares[0]).zip(shares[1]) {
                let bytes = line.0.as_chunks::<2>().0;
                let bytes = four!(|i| isa.load_2(&bytes[i]));
                for (open, weights) in open.iter_mut().zip([first, second]) {
                    let weights = isa.splat_4_bytes(weights);
                    for (open, bytes) in open.iter_mut().zip(bytes) {
                        *open = isa.add_products(*open, bytes, weights);
                    }
                }
            }
            for (sums, open) in sums.iter_mut().zip(open) {
                for (sums, open) in sums.as_chunks_mut::<4>().0.iter_mut().zip(open) {
                    isa.store_4(open, sums);
                }
            }
        }
        sums
    }
}

/// One bit for each byte: whether the set of `columns` at its lower half has the bit in `rows`.
#[inline(always)]
fn have<I: Instructions>(
    isa: I,
    columns: &[u8; 16],
    lower: [I::Vector; 4],
    rows: [I::Vector; 4],
) -> u64 {
    let columns = isa.load(columns);
    isa.common_bits(four!(|i| isa.look_up(columns, lower[i])), rows)
}
