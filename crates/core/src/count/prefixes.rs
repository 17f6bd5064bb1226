//! The rows of all prefixes of a hypothesis, in the time of one row.
//!
//! Whether an n-gram matches depends only on the tokens before it, so each match is noted at its last
//! token, and the counts of a prefix are sums.

use super::{Counter, counted, groups, join, recalled, ref_len, total};
use crate::characters;
use crate::plan::{Count, LengthUnit, Measure};
use crate::simd::Isa;
use crate::stats::width;
use crate::tokenize::Tokens;

impl Counter {
    /// Writes the rows of the first token of `hyp`, of the first two tokens, and so on.
    #[inline(always)]
    pub fn prefixes<I: Isa>(
        &mut self,
        isa: I,
        how: &Count,
        hyp: &Tokens,
        refs: &[Tokens],
        rows: &mut Vec<i64>,
    ) {
        let (orders, width) = (how.orders, width(how.orders));
        rows.clear();
        rows.resize(hyp.len() * width, 0);
        let counted = counted(how, refs);
        for group in groups(how, counted) {
            let of_tokens = self.of_tokens(isa, how, hyp, group);
            for (n, counts) in of_tokens.chunks(hyp.len().max(1)).enumerate() {
                let mut sum = 0;
                for (row, &count) in rows.chunks_mut(width).zip(counts) {
                    sum += i64::from(count);
                    join(how, &mut row[2 + n], sum);
                }
            }
        }
        let mut totals = vec![0; orders];
        if matches!(how.measure, Measure::Recall(_)) {
            recalled(how, counted, &mut totals);
        }
        let mut letters = 0;
        for (len, row) in (1..).zip(rows.chunks_exact_mut(width)) {
            let hyp_len = match how.length_unit {
                LengthUnit::Tokens => len,
                LengthUnit::Characters if len == hyp.len() => hyp.characters,
                LengthUnit::Characters => {
                    letters += characters::count(hyp.token(len - 1));
                    letters + len - 1 // with a blank between two
                }
            };
            row[0] = hyp_len as i64;
            row[1] = ref_len(how.ref_len, hyp_len, refs.iter().map(Tokens::len)) as i64;
            for (n, place) in row[2 + orders..].iter_mut().enumerate() {
                *place = match how.measure {
                    Measure::Recall(_) => totals[n],
                    _ => total(how, len, n + 1),
                };
            }
        }
    }
}
