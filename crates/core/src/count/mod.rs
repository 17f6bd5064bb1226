//! Third decision: what is counted, for one segment: a row of statistics.

mod masks;
mod table;

use crate::plan::{Count, RefLen};
use crate::simd::Isa;
use crate::tokenize::Tokens;

/// Longest reference, in tokens, that position masks pay for; beyond it an n-gram table is faster
/// (measured: the two meet between 400 and 700 tokens).
const MASKED: usize = 512;
/// Highest n-gram order that the position masks follow.
const MASKED_ORDERS: usize = 4;

/// Writes the row of `hyp` against `refs`.
#[inline(always)]
pub fn count_row<I: Isa>(isa: I, how: &Count, hyp: &Tokens, refs: &[Tokens], row: &mut [i64]) {
    let orders = how.max_ngram_order;
    row[0] = hyp.len() as i64;
    row[1] = ref_len(how.ref_len, hyp.len(), refs) as i64;
    let (matches, totals) = row[2..].split_at_mut(orders);
    for (n, total) in totals.iter_mut().enumerate() {
        *total = hyp.len().saturating_sub(n) as i64;
    }
    if orders <= MASKED_ORDERS && refs.iter().all(|reference| reference.len() <= MASKED) {
        let found = masks::matches(isa, hyp, refs);
        for (count, found) in matches.iter_mut().zip(found) {
            *count = i64::from(found);
        }
    } else {
        table::matches(hyp, refs, matches);
    }
}

/// The reference length that the brevity penalty compares with.
#[inline(always)]
fn ref_len(rule: RefLen, hyp_len: usize, refs: &[Tokens]) -> usize {
    let lengths = refs.iter().map(Tokens::len);
    let chosen = match rule {
        // `min_by_key` keeps the first of equals.
        RefLen::Closest => lengths.min_by_key(|&len| (len.abs_diff(hyp_len), len)),
        RefLen::ClosestFirst => lengths.min_by_key(|&len| len.abs_diff(hyp_len)),
        RefLen::Shortest => lengths.min(),
        RefLen::Longest => lengths.max(),
        RefLen::First => refs.first().map(Tokens::len),
    };
    chosen.unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::simd::{Level, Task, dispatch};
    use crate::tokenize::Seed;
    use crate::views::Text;

    struct Both<'a> {
        hyp: &'a [String],
        refs: &'a [Vec<String>],
        seed: &'a Seed,
    }

    impl Task for Both<'_> {
        /// Matches by masks, and by the table.
        type Output = (Vec<i64>, Vec<i64>);

        #[inline(always)]
        fn run<I: Isa>(self, isa: I) -> Self::Output {
            let read = |words: &[String]| {
                let mut tokens = Tokens::default();
                tokens
                    .read_words(isa, crate::plan::Case::Mixed, texts(words))
                    .expect("plain text");
                tokens.make_keys(self.seed);
                tokens
            };
            let hyp = read(self.hyp);
            let refs: Vec<_> = self.refs.iter().map(|words| read(words)).collect();
            let mut by_table = vec![0; MASKED_ORDERS];
            table::matches(&hyp, &refs, &mut by_table);
            (
                masks::matches(isa, &hyp, &refs).map(i64::from).to_vec(),
                by_table,
            )
        }
    }

    fn texts(words: &[String]) -> impl Iterator<Item = Text<'_>> {
        words.iter().map(|word| Text::Utf8(word.as_bytes()))
    }

    /// Words over a small vocabulary, some of them longer than a key.
    fn words(most: usize) -> impl Strategy<Value = Vec<String>> {
        let tail = "0123456789abcdefghijklmnopqrstuvwxyz";
        let word = (
            0..4_usize,
            prop::sample::select(vec![0, 14, 15, 16, 31, 32, 33]),
        )
            .prop_map(move |(word, length)| format!("{}{word}", &tail[..length]));
        prop::collection::vec(word, 0..most)
    }

    proptest! {
        #[test]
        fn masks_count_as_the_table(
            hyp in words(150),
            refs in prop::collection::vec(words(300), 1..4),
            short in words(60),
        ) {
            let cases = [refs, vec![short]];
            for seed in [Seed::default(), Seed::that_collides()] {
                for refs in &cases {
                    for level in Level::available() {
                        let (by_masks, by_table) =
                            dispatch(level, Both { hyp: &hyp, refs, seed: &seed });
                        prop_assert_eq!(by_masks, by_table, "{}", level.name());
                    }
                }
            }
        }
    }
}
