//! The rows of all prefixes of a hypothesis, in the time of one row.
//!
//! Whether an n-gram matches depends only on the tokens before it, so each match is noted at its last
//! token, and the counts of a prefix are sums.

use super::masks::{Matches, Taken};
use super::{Counter, MASKED_ORDERS, masked, recall, ref_len, rule, table, total};
use crate::characters;
use crate::plan::{Count, LengthUnit, Measure, References};
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
        let keywords = match &how.measure {
            Measure::Recall(keywords) => Some(keywords),
            _ => None,
        };
        if how.references == References::Best && refs.len() > 1 && keywords.is_none() {
            self.best_prefixes(isa, how, hyp, refs, rows);
            return;
        }
        let counted = match refs {
            [first, ..] if how.references == References::First => std::slice::from_ref(first),
            _ => refs,
        };
        let mut of_refs = vec![0; orders];
        if let Some(keywords) = keywords {
            recall::totals(counted, keywords, &mut of_refs);
            recall::each_match(hyp, counted, keywords, orders, |n, at, weight| {
                rows[(at + n) * width + 2 + n] += weight;
            });
        } else if how.measure != Measure::Precision
            || how.counted > MASKED_ORDERS
            || counted.iter().any(|tokens| tokens.len() > masked::<I>(hyp))
        {
            table::each_match(rule(how), hyp, counted, orders, |n, at, count| {
                rows[(at + n) * width + 2 + n] = i64::from(count);
            });
        } else {
            let taken = isa.apart(Taken(Matches::<MASKED_ORDERS> {
                hyp,
                refs: counted,
                buffers: &mut self.buffers,
            }));
            for (row, taken) in rows.chunks_exact_mut(width).zip(taken) {
                for (n, place) in row[2..2 + orders].iter_mut().enumerate() {
                    *place = i64::from(taken >> n & 1);
                }
            }
        }
        let mut matches = vec![0; orders];
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
            for (n, sum) in matches.iter_mut().enumerate() {
                *sum += row[2 + n];
                row[2 + n] = *sum;
                row[2 + orders + n] = match keywords {
                    Some(_) => of_refs[n],
                    None => total(how, len, n + 1),
                };
            }
        }
    }

    /// The same with the best reference for each order of each prefix.
    #[cold]
    fn best_prefixes<I: Isa>(
        &mut self,
        isa: I,
        how: &Count,
        hyp: &Tokens,
        refs: &[Tokens],
        rows: &mut [i64],
    ) {
        let mut of_one = Vec::new();
        let width = width(how.orders);
        for one in refs {
            self.prefixes(isa, how, hyp, std::slice::from_ref(one), &mut of_one);
            for (row, one) in rows.chunks_exact_mut(width).zip(of_one.chunks_exact(width)) {
                for (n, place) in row[2..2 + how.orders].iter_mut().enumerate() {
                    *place = (*place).max(one[2 + n]);
                }
                row[0] = one[0];
                row[2 + how.orders..].copy_from_slice(&one[2 + how.orders..]);
                row[1] = ref_len(how.ref_len, one[0] as usize, refs.iter().map(Tokens::len)) as i64;
            }
        }
    }
}
