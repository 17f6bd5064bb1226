//! Third decision: what is counted. Counts the row of one segment.

mod ignored;
mod lanes;
mod masks;
mod places;
mod prefixes;
mod recall;
pub(crate) mod table;

use lanes::Lanes;
use masks::{Buffers, Matches, Taken, Unclipped};

use crate::plan::{Count, LengthUnit, Measure, RefLen, References};
use crate::simd::Isa;
use crate::stats::width;
use crate::tokenize::Tokens;

/// Longest reference, in tokens, that position masks can hold. With AVX-512 a pair of texts takes 9 ns
/// for a token at 128, 16 at 256 and 32 at 500 with them, and with an n-gram table 200 at any length.
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
    buffers: Buffers,
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
        let refs = match refs {
            [first, ..] if how.references == References::First => std::slice::from_ref(first),
            _ => refs,
        };
        let (matches, totals) = row[2..].split_at_mut(how.orders);
        let (matches, totals) = (&mut matches[..how.counted], &mut totals[..how.counted]);
        if let Some(ignored) = &how.ignored {
            ignored::count(how, ignored, hyp, refs, matches, totals);
            return;
        }
        if let Measure::Recall(keywords) = &how.measure {
            self.recall(isa, how, keywords, hyp, refs, (matches, totals));
            return;
        }
        match refs {
            [only]
                if how.measure == Measure::Precision
                    && how.counted <= MASKED_ORDERS
                    && only.len() <= 192
                    && hyp.len() <= MASKED =>
            {
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
            }
            _ if how.references == References::Best => {
                let mut of_one = vec![0; how.counted];
                matches.fill(0);
                for one in refs.chunks(1) {
                    self.matches(isa, how, hyp, one, &mut of_one);
                    for (best, count) in matches.iter_mut().zip(&of_one) {
                        *best = (*best).max(*count);
                    }
                }
            }
            _ => self.matches(isa, how, hyp, refs, matches),
        }
    }

    /// How often the n-grams that end at each token of `hyp` count with `reference`. With several
    /// references, they count as often as with the one where they count most. `None` if matches are
    /// counted in another way, or can be too many for a byte.
    #[inline(always)]
    pub fn of_tokens<I: Isa>(
        &mut self,
        isa: I,
        how: &Count,
        hyp: &Tokens,
        reference: &Tokens,
    ) -> Option<Vec<[u8; MASKED_ORDERS]>> {
        if how.references != References::All || how.ignored.is_some() || how.counted > MASKED_ORDERS
        {
            return None;
        }
        let refs = std::slice::from_ref(reference);
        match how.measure {
            Measure::Precision if reference.len() <= masked::<I>(hyp) => {
                let taken = isa.apart(Taken(self.masks::<MASKED_ORDERS>(hyp, refs)));
                let of_token = |taken: u8| std::array::from_fn(|n| taken >> n & 1);
                Some(taken.into_iter().map(of_token).collect())
            }
            Measure::SimplePrecision | Measure::ReferenceCounts if reference.len() <= 64 => {
                Some(self.unclipped(isa, how, hyp, refs))
            }
            Measure::Recall(_) => None,
            Measure::ReferenceCounts if reference.len() > usize::from(u8::MAX) => None,
            _ => {
                let mut counts = vec![[0; MASKED_ORDERS]; hyp.len()];
                table::each_match(rule(how), hyp, refs, how.counted, |n, at, times| {
                    counts[at + n][n] = times as u8;
                });
                Some(counts)
            }
        }
    }

    fn unclipped<I: Isa>(
        &mut self,
        isa: I,
        how: &Count,
        hyp: &Tokens,
        refs: &[Tokens],
    ) -> Vec<[u8; MASKED_ORDERS]> {
        isa.apart(Unclipped {
            matches: self.masks(hyp, refs),
            is_simple: how.measure == Measure::SimplePrecision,
        })
    }

    fn masks<'a, const N: usize>(
        &'a mut self,
        hyp: &'a Tokens,
        refs: &'a [Tokens],
    ) -> Matches<'a, N> {
        Matches {
            hyp,
            refs,
            buffers: &mut self.buffers,
        }
    }

    /// Matches, clipped by the largest count in one of all references.
    #[inline(never)]
    fn matches<I: Isa>(
        &mut self,
        isa: I,
        how: &Count,
        hyp: &Tokens,
        refs: &[Tokens],
        matches: &mut [i64],
    ) {
        let clips = matches!(how.measure, Measure::Precision | Measure::Recall(_));
        let longest = refs.iter().map(Tokens::len).max().unwrap_or(0);
        let masked = if clips { masked::<I>(hyp) } else { 64 };
        if how.counted > MASKED_ORDERS || longest > masked {
            table::matches(rule(how), hyp, refs, matches);
        } else if !clips {
            add_up(&self.unclipped(isa, how, hyp, refs), matches);
        } else if how.counted > USUAL_ORDERS {
            write_matches(matches, isa.apart(self.masks::<MASKED_ORDERS>(hyp, refs)));
        } else {
            write_matches(matches, isa.apart(self.masks::<USUAL_ORDERS>(hyp, refs)));
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
        let row = &mut rows[segment * width(how.orders)..];
        write_matches(&mut row[2..2 + how.counted], matches);
    }
    if how.counted <= USUAL_ORDERS {
        lanes.finish::<I, USUAL_ORDERS>(isa, |segment, matches| write(how, rows, segment, matches));
    } else {
        lanes
            .finish::<I, MASKED_ORDERS>(isa, |segment, matches| write(how, rows, segment, matches));
    }
}

/// Writes the matches of each order, from those of each token.
pub fn add_up(of_tokens: &[[u8; MASKED_ORDERS]], matches: &mut [i64]) {
    for (n, sum) in matches.iter_mut().enumerate() {
        *sum = of_tokens.iter().map(|counts| i64::from(counts[n])).sum();
    }
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

/// How often an n-gram counts.
fn rule(how: &Count) -> table::Take {
    match how.measure {
        Measure::SimplePrecision => table::EACH,
        Measure::ReferenceCounts => table::ALL,
        Measure::Precision | Measure::Recall(_) => table::CLIP,
    }
}

/// Longest reference, in tokens, that is counted by position masks.
#[inline(always)]
fn masked<I: Isa>(hyp: &Tokens) -> usize {
    if hyp.tags_are_exact() {
        MASKED
    } else {
        I::COMPARED
    }
}

fn write_matches<const N: usize>(row: &mut [i64], matches: [u32; N]) {
    for (count, number) in row.iter_mut().zip(matches) {
        *count = i64::from(number);
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
        /// Matches by masks or lanes, by masks, by the table, and of the last prefix; then those of
        /// other measures, and by the table.
        type Output = ([Vec<i64>; 4], [[Vec<i64>; 2]; 3]);

        #[inline(always)]
        fn run<I: Isa>(self, isa: I) -> Self::Output {
            let read = |words: &[String]| {
                let mut tokens = Tokens::default();
                let read = tokens.read_words(isa, crate::normalize::Case::Mixed, texts(words));
                read.expect("plain text");
                tokens.make_keys(isa, self.seed);
                tokens
            };
            let hyp = read(self.hyp);
            let refs: Vec<_> = self.refs.iter().map(|words| read(words)).collect();
            let mut by_table = vec![0; self.orders];
            table::matches(table::CLIP, &hyp, &refs, &mut by_table);
            let masks = Matches::<MASKED_ORDERS> {
                hyp: &hyp,
                refs: &refs,
                buffers: &mut Buffers::default(),
            };
            let by_masks = isa.apart(masks).map(i64::from).to_vec();
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
            let mut rows = vec![0; 20 * width(self.orders)];
            let mut counter = Counter::default();
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
            let others = [
                Measure::SimplePrecision,
                Measure::ReferenceCounts,
                Measure::Recall(["0".into()].into_iter().collect()),
            ];
            let others = others.map(|measure| {
                let how = Count {
                    measure,
                    ..how.clone()
                };
                let mut row = vec![0; width(self.orders)];
                counter.count(isa, &how, &hyp, &refs[..1], &mut row, 0);
                let mut by_table = vec![0; self.orders];
                table::each_match(rule(&how), &hyp, &refs[..1], self.orders, |n, at, count| {
                    let is_keyword = n == 0 && hyp.token(at) == b"0";
                    let is_recall = matches!(how.measure, Measure::Recall(_));
                    let weight = if is_keyword && is_recall { 5 } else { 1 };
                    by_table[n] += weight * i64::from(count);
                });
                [row[2..2 + self.orders].to_vec(), by_table]
            });
            ([by_lanes, by_masks, by_table, of_last], others)
        }
    }

    fn texts(words: &[String]) -> impl Iterator<Item = Text<'_>> {
        words.iter().map(|word| Text::Utf8(word.as_bytes()))
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
            for matches in dispatch(level, task).0 {
                assert_eq!(matches[0], 0, "{}", level.name());
            }
        }
    }

    /// A seed, and nine words in three groups: in each, all have one tag.
    static EQUAL_TAGS: LazyLock<(Seed, Vec<String>)> = LazyLock::new(|| {
        let seed = Seed::default();
        let words: Vec<_> = (0..1 << 17).map(|i| format!("word{i}")).collect();
        let mut tokens = Tokens::default();
        let read = tokens.read_words(Scalar, crate::normalize::Case::Mixed, texts(&words));
        read.expect("plain text");
        tokens.make_keys(Scalar, &seed);
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
                let [by_lanes, by_masks, by_table, of_last] = dispatch(level, task).0;
                prop_assert_eq!(&by_masks[..4], &by_table[..], "{}", level.name());
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
                        let ([by_lanes, by_masks, by_table, of_last], others) =
                            dispatch(level, AllWays { hyp: &hyp, refs, seed: &seed, orders });
                        let both = orders.min(MASKED_ORDERS);
                        prop_assert_eq!(&by_masks[..both], &by_table[..both], "{}", level.name());
                        prop_assert_eq!(&by_lanes, &by_table, "{}", level.name());
                        prop_assert_eq!(&of_last, &by_table, "{}", level.name());
                        for [fast, by_table] in others {
                            prop_assert_eq!(fast, by_table, "{}", level.name());
                        }
                    }
                }
            }
        }
    }
}
