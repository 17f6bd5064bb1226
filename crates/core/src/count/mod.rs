//! Third decision: what is counted. Counts the row of one segment.
//!
//! Words of this folder:
//! - *key*: 16 bytes that stand for a token: its own, or a hash of them and their number;
//! - *tag*: two bytes, a hash of the key, of which many are compared at once;
//! - *hint*: what may be equal, as tags and hashes are, so that keys or bytes are compared, too;
//! - *place*: where a token is in its text; a set of places is a mask, one bit for each;
//! - *row*: the integers of a segment; in [`places`] and [`lanes`], the places in a reference of one
//!   token of a hypothesis;
//! - *lane*: a segment's part of wide registers, which count several segments at once.

mod lanes;
mod masks;
mod places;
mod prefixes;
pub(crate) mod table;
pub(crate) mod trie;
pub(crate) mod vocabulary;

pub use trie::Trie;
pub use vocabulary::NONE;

use lanes::Lanes;
use masks::Taken;

use std::slice::Chunks;

use crate::plan::{Count, LengthUnit, Measure, RefLen, References};
use crate::simd::Isa;
use crate::stats::width;
use crate::tokenize::Tokens;

/// Longest reference, in tokens, that position masks can hold. With AVX-512 a pair of texts takes 9 ns
/// for a token at 128, 16 at 256 and 32 at 500 with them, and with an n-gram table 100 at any length.
/// Plain Rust uses the table earlier ([`Isa::COMPARED`]).
const MASKED: usize = 512;
/// The usual highest n-gram order.
const USUAL_ORDERS: usize = 4;
/// Highest n-gram order that position masks and lanes follow: a fifth one is read by NLTK's smoothing,
/// and holds the scores of segments whose mean is the score.
const MASKED_ORDERS: usize = 6;

/// Rows that are completed together: among fewer segments, those of a kind do not fill all lanes.
pub const ROWS: usize = 128;

/// Hypotheses that are counted together differ by less than this number of tokens, but for the longest
/// ones: lanes wait for the longest. German takes 7 % less time than with all lengths together.
const ALIKE: usize = 12;

/// Counts segments, several at a time, in reused buffers.
#[derive(Debug, Default)]
pub struct Counter {
    /// By the length of the hypothesis.
    short: [Lanes<1>; 4],
    long: Lanes<2>,
    longest: Lanes<3>,
    buffers: masks::MaskBuffers,
    table: table::TableBuffers,
}

impl Counter {
    /// Writes row `segment` of `rows`: `hyp` against `refs`. Its matches may be missing until
    /// [`Counter::finish`] with the same rows, or with more after them.
    #[inline(always)]
    pub fn count<I: Isa>(
        &mut self,
        isa: I,
        how: &Count,
        hyp: &Tokens,
        refs: &[Tokens],
        rows: &mut [i64],
        segment: usize,
    ) {
        const { assert!(I::COMPARED <= MASKED) };
        let width = width(how.orders);
        let row = &mut rows[segment * width..][..width];
        lengths(how, hyp, refs.iter().map(Tokens::len), row);
        let refs = counted(how, refs);
        if let ([only], Way::Lanes) = (refs, way::<I>(how, hyp, refs)) {
            let finder = &mut self.buffers.finder;
            match only.len() {
                0..=64 => {
                    let lanes = &mut self.short[(hyp.len() / ALIKE).min(3)];
                    if lanes.set(isa, hyp, only, segment, finder) {
                        finish(isa, lanes, how, rows);
                    }
                }
                65..=128 => {
                    if self.long.set(isa, hyp, only, segment, finder) {
                        finish(isa, &mut self.long, how, rows);
                    }
                }
                _ => {
                    if self.longest.set(isa, hyp, only, segment, finder) {
                        finish(isa, &mut self.longest, how, rows);
                    }
                }
            }
            return;
        }
        let (matches, totals) = row[2..].split_at_mut(how.orders);
        let (matches, totals) = (&mut matches[..how.counted], &mut totals[..how.counted]);
        matches.fill(0);
        let is_plain = how.measure == Measure::Precision && how.ignored.is_none();
        for group in groups(how, refs) {
            if is_plain && way::<I>(how, hyp, group) != Way::Table {
                let taken = self.taken(isa, how.counted, hyp, group);
                for (n, count) in matches.iter_mut().enumerate() {
                    let ends = taken.iter().map(|taken| i64::from(taken >> n & 1));
                    join(how, count, ends.sum());
                }
                continue;
            }
            let of_tokens = self.of_tokens(isa, how, hyp, group);
            for (count, sum) in matches.iter_mut().zip(sums(&of_tokens, hyp)) {
                join(how, count, sum);
            }
        }
        if matches!(how.measure, Measure::Recall(_)) {
            recalled(how, refs, totals);
        } else if let Some(ignored) = &how.ignored {
            for (total, lacks) in totals.iter_mut().zip(ignored.lacks(hyp, how.counted)) {
                let count = lacks.into_iter().filter(|&lacks| lacks).count() as i64;
                *total = count.max(i64::from(how.floor_totals));
            }
        }
    }

    /// How often the n-grams count that end at each token of `hyp`, one order after the other. An
    /// n-gram counts as often as with the one of `refs` where it counts most.
    #[inline(never)]
    pub fn of_tokens<I: Isa>(
        &mut self,
        isa: I,
        how: &Count,
        hyp: &Tokens,
        refs: &[Tokens],
    ) -> Vec<u32> {
        let (orders, len) = (how.counted, hyp.len());
        let mut of_tokens = vec![0; orders * len];
        if way::<I>(how, hyp, refs) == Way::Table {
            let write = |n, at, count| of_tokens[n * len + at + n] = count;
            self.table
                .each_match(&how.measure, hyp, refs, orders, write);
        } else {
            let taken = self.taken(isa, orders, hyp, refs);
            for (n, counts) in of_tokens.chunks_mut(len.max(1)).enumerate() {
                for (count, taken) in counts.iter_mut().zip(&taken) {
                    *count = u32::from(taken >> n & 1);
                }
            }
        }
        if matches!(how.measure, Measure::Recall(_)) {
            for (i, count) in of_tokens[..len].iter_mut().enumerate() {
                *count *= weight(&how.measure, hyp.token(i));
            }
        } else if let Some(ignored) = &how.ignored {
            let lacks = ignored.lacks(hyp, orders);
            let of_orders = of_tokens.chunks_mut(len.max(1)).zip(lacks).enumerate();
            for (n, (counts, lacks)) in of_orders {
                for (count, lacks) in counts.iter_mut().skip(n).zip(lacks) {
                    *count *= u32::from(lacks);
                }
            }
        }
        of_tokens
    }

    /// Bit `n - 1` of each token of `hyp` says whether the n-gram that ends there matches.
    fn taken<I: Isa>(&mut self, isa: I, orders: usize, hyp: &Tokens, refs: &[Tokens]) -> Vec<u8> {
        let buffers = &mut self.buffers;
        if orders > USUAL_ORDERS {
            isa.apart(Taken::<MASKED_ORDERS> { hyp, refs, buffers })
        } else {
            isa.apart(Taken::<USUAL_ORDERS> { hyp, refs, buffers })
        }
    }

    /// Completes all rows.
    #[inline(always)]
    pub fn finish<I: Isa>(&mut self, isa: I, how: &Count, rows: &mut [i64]) {
        for short in &mut self.short {
            finish(isa, short, how, rows);
        }
        finish(isa, &mut self.long, how, rows);
        finish(isa, &mut self.longest, how, rows);
    }
}

/// Completes the rows of the segments in `lanes`.
#[inline(always)]
fn finish<I: Isa, const W: usize>(isa: I, lanes: &mut Lanes<W>, how: &Count, rows: &mut [i64]) {
    fn write<const N: usize>(how: &Count, rows: &mut [i64], segment: usize, matches: [u32; N]) {
        let row = &mut rows[segment * width(how.orders)..][2..2 + how.counted];
        for (count, number) in row.iter_mut().zip(matches) {
            *count = i64::from(number);
        }
    }
    if how.counted <= USUAL_ORDERS {
        lanes.finish::<I, USUAL_ORDERS>(isa, |segment, matches| write(how, rows, segment, matches));
    } else {
        lanes
            .finish::<I, MASKED_ORDERS>(isa, |segment, matches| write(how, rows, segment, matches));
    }
}

/// The matches of each order; see [`Counter::of_tokens`].
pub fn sums(of_tokens: &[u32], hyp: &Tokens) -> impl Iterator<Item = i64> {
    let of_orders = of_tokens.chunks(hyp.len().max(1));
    of_orders.map(|counts| counts.iter().map(|&count| i64::from(count)).sum())
}

/// Writes the part of a row that does not depend on which n-grams match.
#[inline(always)]
pub fn lengths(
    how: &Count,
    hyp: &Tokens,
    ref_lens: impl ExactSizeIterator<Item = usize>,
    row: &mut [i64],
) {
    let hyp_len = hyp_len(how, hyp);
    row[0] = hyp_len as i64;
    row[1] = ref_len(how.ref_len, hyp_len, ref_lens) as i64;
    for (n, total) in row[2 + how.orders..].iter_mut().enumerate() {
        *total = self::total(how, hyp.len(), n + 1);
    }
}

/// The references whose n-grams count.
fn counted<'a>(how: &Count, refs: &'a [Tokens]) -> &'a [Tokens] {
    match refs {
        [first, ..] if how.references == References::First => std::slice::from_ref(first),
        _ => refs,
    }
}

/// The references that count together; see [`join`].
fn groups<'a>(how: &Count, refs: &'a [Tokens]) -> Chunks<'a, Tokens> {
    if how.references == References::Best || matches!(how.measure, Measure::Recall(_)) {
        refs.chunks(1)
    } else {
        refs.chunks(refs.len().max(1))
    }
}

/// Adds the matches in a group of references. Recall sums over references; else the most count.
fn join(how: &Count, count: &mut i64, of_group: i64) {
    *count = match how.measure {
        Measure::Recall(_) => *count + of_group,
        _ => of_group.max(*count),
    };
}

/// Weight of a keyword; other words have 1. `CodeBLEU` has 1 and 0.2.
const KEYWORD: u32 = 5;

/// The weight of a word.
pub(crate) fn weight(measure: &Measure, word: &[u8]) -> u32 {
    match measure {
        Measure::Recall(keywords) if keywords.contains(word) => KEYWORD,
        _ => 1,
    }
}

/// The n-grams of references, of which each has one at least; single words in fifths.
fn recalled(how: &Count, refs: &[Tokens], totals: &mut [i64]) {
    totals.fill(0);
    for reference in refs {
        let weight = |i| i64::from(weight(&how.measure, reference.token(i)));
        let weights = (0..reference.len()).map(weight);
        totals[0] += weights.sum::<i64>().max(KEYWORD.into());
        for (n, total) in totals.iter_mut().enumerate().skip(1) {
            *total += (reference.len() as i64 - n as i64).max(1);
        }
    }
}

/// A way to count a segment.
#[derive(PartialEq)]
enum Way {
    /// Position masks of several segments at once.
    Lanes,
    /// Position masks.
    Masks,
    Table,
}

/// The fastest way to count a segment.
#[inline(always)]
fn way<I: Isa>(how: &Count, hyp: &Tokens, refs: &[Tokens]) -> Way {
    let longest = refs.iter().map(Tokens::masked_len).max().unwrap_or(0);
    let masked = if hyp.tags_are_exact() {
        MASKED
    } else {
        I::COMPARED
    };
    let clips = matches!(how.measure, Measure::Precision | Measure::Recall(_));
    let is_plain = matches!(how.measure, Measure::Precision) && how.ignored.is_none();
    if !clips || how.counted > MASKED_ORDERS {
        Way::Table
    } else if is_plain && refs.len() == 1 && longest <= 192 && hyp.len() <= MASKED {
        Way::Lanes
    } else if longest <= masked {
        Way::Masks
    } else {
        Way::Table
    }
}

/// The length of a hypothesis for the brevity penalty.
#[inline(always)]
pub(crate) fn hyp_len(how: &Count, hyp: &Tokens) -> usize {
    match how.length_unit {
        LengthUnit::Tokens => hyp.len(),
        LengthUnit::Characters => hyp.characters,
    }
}

/// N-grams of an order in a hypothesis of this many tokens.
#[inline(always)]
pub(crate) fn total(how: &Count, tokens: usize, order: usize) -> i64 {
    let total = tokens as i64 + 1 - order as i64;
    if how.negative_totals && !how.floor_totals {
        return total;
    }
    total.max(i64::from(how.floor_totals))
}

/// The reference length for the brevity penalty; `lengths` in tokens.
#[inline(always)]
pub(crate) fn ref_len(
    rule: RefLen,
    hyp_len: usize,
    mut lengths: impl ExactSizeIterator<Item = usize>,
) -> usize {
    let count = lengths.len();
    let chosen = match rule {
        // `min_by_key` keeps the first of equals.
        RefLen::Closest => lengths.min_by_key(|&len| (len.abs_diff(hyp_len), len)),
        RefLen::ClosestFirst => lengths.min_by_key(|&len| len.abs_diff(hyp_len)),
        RefLen::Shortest => lengths.min(),
        RefLen::Longest => lengths.max(),
        RefLen::Pair => return 2,
        RefLen::First => lengths.next(),
        RefLen::Average => lengths.sum::<usize>().checked_div(count),
    };
    chosen.unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;
    use std::ops::Range;
    use std::sync::LazyLock;

    use proptest::prelude::*;

    use super::*;
    use crate::columns::views::Text;
    use crate::simd::{Level, Scalar, Task, dispatch};
    use crate::tokenize::Seed;

    struct AllWays<'a> {
        hyp: &'a [String],
        refs: &'a [Vec<String>],
        seed: &'a Seed,
        orders: usize,
    }

    impl Task for AllWays<'_> {
        /// Matches by masks or lanes, by masks, by the table, and of the last prefix.
        type Output = [Vec<i64>; 4];

        #[inline(always)]
        fn run<I: Isa>(self, isa: I) -> Self::Output {
            let hyp = read(isa, self.hyp, self.seed);
            let refs = self.refs.iter().map(|words| read(isa, words, self.seed));
            let refs: Vec<_> = refs.collect();
            let how = Count {
                orders: self.orders,
                counted: self.orders,
                references: References::All,
                ref_len: RefLen::Closest,
                length_unit: LengthUnit::Tokens,
                floor_totals: false,
                negative_totals: false,
                measure: Measure::Precision,
                ignored: None,
            };
            let mut counter = Counter::default();
            let mut by_table = vec![0; self.orders];
            let count = |n: usize, _, count| by_table[n] += i64::from(count);
            let mut table = table::TableBuffers::default();
            table.each_match(&how.measure, &hyp, &refs, self.orders, count);
            let taken = counter.taken(isa, self.orders, &hyp, &refs);
            let of_order = |n| taken.iter().map(|taken| i64::from(taken >> n & 1)).sum();
            let by_masks = (0..self.orders).map(of_order).collect();
            let mut rows = vec![0; 20 * width(self.orders)];
            for segment in 0..20 {
                // The other lanes hold the references against each other.
                let other = &refs[segment % refs.len()];
                let hyp = if segment == 5 { &hyp } else { other };
                counter.count(isa, &how, hyp, &refs, &mut rows, segment);
            }
            counter.finish(isa, &how, &mut rows);
            let row = &rows[5 * width(self.orders)..];
            let by_lanes = row[2..2 + self.orders].to_vec();
            counter.prefixes(isa, &how, &hyp, &refs, &mut rows);
            let last = rows.rchunks(width(self.orders)).next();
            let of_last = last.map_or(vec![0; self.orders], |row| row[2..2 + self.orders].to_vec());
            [by_lanes, by_masks, by_table, of_last]
        }
    }

    #[inline(always)]
    fn read<I: Isa>(isa: I, words: &[String], seed: &Seed) -> Tokens {
        let mut tokens = Tokens::default();
        let texts = words.iter().map(|word| Text::Utf8(word.as_bytes()));
        let read = tokens.read_words(isa, crate::normalize::Case::Mixed, texts);
        read.expect("plain text");
        tokens.make_keys(isa, seed);
        tokens
    }

    /// Words over a small vocabulary, some of them longer than a key.
    fn words(most: usize) -> impl Strategy<Value = Vec<String>> {
        let tail = "0123456789abcdefghijklmnopqrstuvwxyz";
        let lengths = prop::sample::select(vec![0, 6, 7, 8, 14, 15, 16, 31, 32, 33]);
        let word = (0..4_usize, lengths);
        let word = word.prop_map(move |(word, length)| format!("{}{word}", &tail[..length]));
        prop::collection::vec(word, 0..most)
    }

    /// Two words with one hash: one is the hypothesis, and the reference has the other at the same
    /// place of two words of its masks.
    #[test]
    fn words_that_collide_are_told_apart() {
        let seed = Seed::that_collides(*b"01234567");
        let hyp = ["0123456789abcdef".to_string()];
        let mut reference = vec!["a".to_string(); 100];
        for at in [3, 67] {
            reference[at] = "01234567fedcba98".to_string();
        }
        for level in Level::available() {
            let task = AllWays {
                hyp: &hyp,
                refs: std::slice::from_ref(&reference),
                seed: &seed,
                orders: 1,
            };
            for matches in dispatch(level, task) {
                assert_eq!(matches[0], 0, "{}", level.name());
            }
        }
    }

    /// A seed, and nine words in three groups: in each, all have one tag.
    static EQUAL_TAGS: LazyLock<(Seed, Vec<String>)> = LazyLock::new(|| {
        let seed = Seed::default();
        let words: Vec<_> = (0..1 << 17).map(|i| format!("word{i}")).collect();
        let tokens = read(Scalar, &words, &seed);
        let mut of_tag: HashMap<_, Vec<_>> = HashMap::new();
        for (word, tag) in words.into_iter().zip(tokens.tags()) {
            of_tag.entry(tag).or_default().push(word);
        }
        let groups = of_tag
            .into_values()
            .filter_map(|words| words.first_chunk().cloned());
        (seed, groups.take(3).collect::<Vec<[_; 3]>>().concat())
    });

    proptest! {
        #[test]
        fn words_of_equal_tags_are_told_apart(
            hyp in prop::collection::vec(0..9_usize, 0..90),
            reference in prop::collection::vec(0..9_usize, 1..150),
            (most, least) in (1..=9_usize, 0..9_usize),
        ) {
            // Often with words of one of both alone.
            let (seed, words) = &*EQUAL_TAGS;
            let spell = |numbers: &[usize], range: Range<usize>| -> Vec<_> {
                let number = |i| range.start + i % range.len();
                numbers.iter().map(|&i| words[number(i)].clone()).collect()
            };
            let (hyp, refs) = (spell(&hyp, 0..most), [spell(&reference, least..9)]);
            for level in Level::available() {
                let task = AllWays { hyp: &hyp, refs: &refs, seed, orders: 4 };
                let [by_lanes, by_masks, by_table, of_last] = dispatch(level, task);
                prop_assert_eq!(&by_masks, &by_table, "{}", level.name());
                prop_assert_eq!(&by_lanes, &by_table, "{}", level.name());
                prop_assert_eq!(&of_last, &by_table, "{}", level.name());
            }
        }

        #[test]
        fn lanes_and_masks_count_as_the_table(
            hyp in words(150),
            refs in prop::collection::vec(words(MASKED + 1), 1..4),
            short in words(60),
            long in words(193),
            orders in 1..=MASKED_ORDERS + 1,
        ) {
            let cases = [refs, vec![short], vec![long]];
            for seed in [Seed::default(), Seed::that_collides(*b"01234567")] {
                for refs in &cases {
                    for level in Level::available() {
                        let [by_lanes, by_masks, by_table, of_last] =
                            dispatch(level, AllWays { hyp: &hyp, refs, seed: &seed, orders });
                        let both = orders.min(MASKED_ORDERS);
                        prop_assert_eq!(&by_masks[..both], &by_table[..both], "{}", level.name());
                        prop_assert_eq!(&by_lanes, &by_table, "{}", level.name());
                        prop_assert_eq!(&of_last, &by_table, "{}", level.name());
                    }
                }
            }
        }
    }
}
