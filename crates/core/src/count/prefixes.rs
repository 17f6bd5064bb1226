//! The rows of all prefixes of a hypothesis, in the time of one row.
//!
//! Whether an n-gram matches depends only on the tokens before it, so each match is noted at its last
//! token, and the counts of a prefix are sums.

use super::masks::{Matches, Taken};
use super::{Counter, MASKED_ORDERS, masked, recall, ref_len, table, total};
use crate::normalize::characters;
use crate::plan::{Count, LengthUnit};
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
        let counted = match refs {
            [first, ..] if how.first_reference_only => std::slice::from_ref(first),
            _ => refs,
        };
        let mut of_refs = vec![0; orders];
        if let Some(keywords) = &how.recall {
            recall::count(hyp, counted, keywords, &mut vec![0; orders], &mut of_refs);
            recall::each_match(hyp, counted, keywords, orders, |n, at, weight| {
                rows[(at + n) * width + 2 + n] += weight;
            });
        } else if orders > MASKED_ORDERS
            || counted.iter().any(|tokens| tokens.len() > masked::<I>(hyp))
        {
            table::each_match(hyp, counted, orders, |n, at| {
                rows[(at + n) * width + 2 + n] = 1;
            });
        } else {
            let taken = isa.apart(Taken(Matches {
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
                    letters += characters(hyp.token(len - 1));
                    letters + len - 1 // with a blank between two
                }
            };
            row[0] = hyp_len as i64;
            row[1] = ref_len(how.ref_len, hyp_len, refs.iter().map(Tokens::len)) as i64;
            for (n, sum) in matches.iter_mut().enumerate() {
                *sum += row[2 + n];
                row[2 + n] = *sum;
                row[2 + orders + n] = match how.recall {
                    Some(_) => of_refs[n],
                    None => total(how, len, n + 1),
                };
            }
        }
    }
}
