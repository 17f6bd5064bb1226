//! AVX2 with BMI (Haswell, Zen and later).

use super::utf8::{self, Utf8};
use super::{Block, CacheLine, ClassTable, Isa, KeyBlock, SHARES, Scalar, Task, class};
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

    #[inline(always)]
    fn apart<T: Task>(self, task: T) -> T::Output {
        // SAFETY: an `Avx2` exists only inside `enter`.
        unsafe { enter(task) }
    }

    #[inline(always)]
    fn classify(self, bytes: &[u8; 64], table: &ClassTable) -> Block {
        let mut block = Block::default();
        for (half, bytes) in bytes.as_chunks::<32>().0.iter().enumerate() {
            // SAFETY: an `Avx2` exists only inside `enter`; the loads read 32 and 16 bytes.
            unsafe {
                let text = _mm256_loadu_si256(bytes.as_ptr().cast());
                let half_mask = _mm256_set1_epi8(0x0F);
                let lower = _mm256_and_si256(text, half_mask);
                let upper = _mm256_and_si256(_mm256_srli_epi16::<4>(text), half_mask);
                let has = |class: u8, rows: __m256i| {
                    let columns = _mm_loadu_si128(table.columns(class).as_ptr().cast());
                    let columns = _mm256_broadcastsi128_si256(columns);
                    let set = _mm256_and_si256(_mm256_shuffle_epi8(columns, lower), rows);
                    let none = _mm256_cmpeq_epi8(set, _mm256_setzero_si256());
                    u64::from(!_mm256_movemask_epi8(none) as u32) << (32 * half)
                };
                // The bit of each upper half: those of ASCII, and those beyond.
                let bits = 0x8040_2010_0804_0201_u64 as i64;
                let ascii = _mm256_setr_epi64x(bits, 0, bits, 0);
                let rows = _mm256_shuffle_epi8(ascii, upper);
                block.space |= has(class::SPACE, rows);
                block.alone |= has(class::ALONE, rows);
                block.joiner |= has(class::JOINER, rows);
                block.digit |= has(class::DIGIT, rows);
                block.dash |= has(class::DASH, rows);
                block.rewrite |= has(class::REWRITE, rows);
                if _mm256_movemask_epi8(text) != 0 {
                    let others = _mm256_setr_epi64x(0, bits, 0, bits);
                    block.wide |= has(class::WIDE, _mm256_shuffle_epi8(others, upper));
                }
            }
        }
        block
    }

    #[inline(always)]
    fn bit_positions(self, mask: u64, base: u32, out: &mut [u32; 64]) -> usize {
        Scalar.bit_positions(mask, base, out)
    }

    #[inline(always)]
    fn equal_keys<const W: usize>(
        self,
        hyp: &[KeyBlock],
        reference: &KeyBlock,
        rows: &mut [[[u8; 8]; W]],
        word: usize,
        byte: usize,
    ) {
        assert!(word < W && byte < 8); // checked here, and not for each row
        // SAFETY: an `Avx2` exists only inside `enter`.
        unsafe {
            let (first, last) = (half_block(reference, 0), half_block(reference, 4));
            // Keys 0, 1, 4, 5 and 2, 3, 6, 7: the step that packs both puts them in order.
            let outer_lows = _mm256_permute2x128_si256::<0x20>(first.0, last.0);
            let outer_highs = _mm256_permute2x128_si256::<0x20>(first.1, last.1);
            let inner_lows = _mm256_permute2x128_si256::<0x31>(first.0, last.0);
            let inner_highs = _mm256_permute2x128_si256::<0x31>(first.1, last.1);
            for (block, rows) in hyp.iter().zip(rows.as_chunks_mut::<8>().0) {
                for ((row, &low), &high) in rows.iter_mut().zip(&block.lows).zip(&block.highs) {
                    let low = _mm256_set1_epi64x(low as i64);
                    let high = _mm256_set1_epi64x(high as i64);
                    let outer = _mm256_and_si256(
                        _mm256_cmpeq_epi64(outer_lows, low),
                        _mm256_cmpeq_epi64(outer_highs, high),
                    );
                    let inner = _mm256_and_si256(
                        _mm256_cmpeq_epi64(inner_lows, low),
                        _mm256_cmpeq_epi64(inner_highs, high),
                    );
                    let same = _mm256_castsi256_ps(_mm256_packs_epi32(outer, inner));
                    row[word][byte] = _mm256_movemask_ps(same) as u8;
                }
            }
        }
    }

    #[inline(always)]
    fn equal_ids<const W: usize>(
        self,
        hyp: &[i32],
        reference: &[i32; 64],
        rows: &mut [[[u8; 8]; W]],
        word: usize,
    ) {
        assert!(word < W);
        // SAFETY: an `Avx2` exists only inside `enter`; each load reads 4 of the 64 integers.
        unsafe {
            // Four integers from each half of 32: the steps that pack them put them in order.
            let mut halves = [[_mm256_setzero_si256(); 4]; 2];
            for (half, ids) in halves.iter_mut().zip(reference.as_chunks::<32>().0) {
                let (low, high) = ids.split_at(16);
                let fours = low.as_chunks::<4>().0.iter().zip(high.as_chunks::<4>().0);
                for (eight, (low, high)) in half.iter_mut().zip(fours) {
                    *eight = _mm256_set_m128i(
                        _mm_loadu_si128(high.as_ptr().cast()),
                        _mm_loadu_si128(low.as_ptr().cast()),
                    );
                }
            }
            for (row, &id) in rows.iter_mut().zip(hyp) {
                let id = _mm256_set1_epi32(id);
                for (part, ids) in row[word].as_chunks_mut::<4>().0.iter_mut().zip(&halves) {
                    let first = _mm256_packs_epi32(
                        _mm256_cmpeq_epi32(ids[0], id),
                        _mm256_cmpeq_epi32(ids[1], id),
                    );
                    let last = _mm256_packs_epi32(
                        _mm256_cmpeq_epi32(ids[2], id),
                        _mm256_cmpeq_epi32(ids[3], id),
                    );
                    let same = _mm256_movemask_epi8(_mm256_packs_epi16(first, last));
                    *part = same.to_le_bytes();
                }
            }
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
        utf8::append_latin1(self, units, out);
    }

    #[inline(always)]
    fn append_ucs2(self, units: &[u16], out: &mut Vec<u8>) -> Result<(), u16> {
        utf8::append_ucs2(self, units, out)
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

impl Utf8 for Avx2 {
    #[inline(always)]
    fn look_up(self, bytes: &[u8; 16], indices: &[u8; 16]) -> [u8; 16] {
        let mut found = [0; 16];
        // SAFETY: an `Avx2` exists only inside `enter`; loads and the store are of 16 bytes.
        unsafe {
            let bytes = _mm_loadu_si128(bytes.as_ptr().cast());
            let indices = _mm_loadu_si128(indices.as_ptr().cast());
            _mm_storeu_si128(found.as_mut_ptr().cast(), _mm_shuffle_epi8(bytes, indices));
        }
        found
    }

    #[inline(always)]
    fn beyond_ascii(self, bytes: &[u8; 64]) -> u64 {
        let [low, high] = [0, 1].map(|half| {
            let bytes: &[u8; 32] = &bytes.as_chunks().0[half];
            // SAFETY: an `Avx2` exists only inside `enter`; the load reads 32 bytes.
            let bits = unsafe { _mm256_movemask_epi8(_mm256_loadu_si256(bytes.as_ptr().cast())) };
            u64::from(bits as u32)
        });
        low | high << 32
    }
}

/// Low and high halves of the four keys of `block` from `start` on. A place without a key has a low
/// half unlike the zeros after the last key of a hypothesis.
#[inline(always)]
unsafe fn half_block(block: &KeyBlock, start: usize) -> (__m256i, __m256i) {
    // SAFETY: the caller has an `Avx2`; each load reads 4 integers of a block, which is aligned to
    // 64 bytes.
    unsafe {
        let lows = _mm256_load_si256(block.lows[start..start + 4].as_ptr().cast());
        let highs = _mm256_load_si256(block.highs[start..start + 4].as_ptr().cast());
        let no_keys = _mm256_cmpeq_epi64(highs, _mm256_setzero_si256());
        (_mm256_or_si256(lows, no_keys), highs)
    }
}
