//! Token ids with padding and ends: rows as of the ids that plain code leaves, and as of the same
//! ids as words.

#![no_main]

use libfuzzer_sys::arbitrary::{self, Arbitrary};
use libfuzzer_sys::fuzz_target;
use truebleu_core::columns::views::{Corpus, Fault, Ids, Marks, Segments};
use truebleu_core::run::batch;
use truebleu_fuzz::naive::Counting;
use truebleu_fuzz::{choose, plans};

#[derive(Arbitrary, Debug)]
struct Input {
    orders: u8,
    pads: Vec<u8>,
    ends: Vec<u8>,
    narrow: [bool; 2],
    entries: Vec<(Vec<u8>, Vec<Vec<u8>>)>,
}

/// Small ids mostly; those at the ends of 32 and 64 bits; few that are negative.
fn id(byte: u8) -> i64 {
    match byte {
        0..200 => i64::from(byte % 12),
        200..230 => i64::from(i32::MAX) - i64::from(byte - 200),
        230..245 => i64::from(byte) + (1 << 31) - 232,
        245..252 => i64::MAX - i64::from(byte - 245),
        252..254 => -100,
        254 => i64::from(i32::MIN),
        255 => i64::MIN,
    }
}

/// Padding before the first token is passed over, then an end ends, then padding is no token.
fn tokens(row: &[i64], marks: &Marks) -> Vec<i64> {
    let is_pad = |id: &i64| marks.pads.contains(id);
    let begun = row.iter().copied().skip_while(is_pad);
    begun.take_while(|id| !marks.ends.contains(id)).filter(|id| !is_pad(id)).collect()
}

/// Rows in 64 bits, or in 32 if all fit.
enum Rows {
    Wide(Vec<Vec<i64>>),
    Narrow(Vec<Vec<i32>>),
}

impl Rows {
    fn new(rows: &[Vec<i64>], narrow: bool) -> Self {
        let fit = |row: &Vec<i64>| row.iter().map(|&id| i32::try_from(id).ok()).collect();
        match rows.iter().map(fit).collect::<Option<Vec<Vec<i32>>>>() {
            Some(rows) if narrow => Self::Narrow(rows),
            _ => Self::Wide(rows.to_vec()),
        }
    }

    fn segments(&self, marks: &Marks) -> Segments<'_> {
        let rows = match self {
            Self::Wide(rows) => rows.iter().map(|row| Ids::Int64(row)).collect(),
            Self::Narrow(rows) => rows.iter().map(|row| Ids::Int32(row)).collect(),
        };
        let marks = marks.clone();
        Segments::Ids { rows, marks }
    }
}

fuzz_target!(|input: Input| {
    let marks = Marks {
        pads: input.pads.into_iter().map(id).collect(),
        ends: input.ends.into_iter().map(id).collect(),
    };
    let (mut hyps, mut refs, mut bounds) = (Vec::new(), Vec::new(), vec![0]);
    for (hyp, its) in &input.entries {
        if its.is_empty() {
            return;
        }
        let row = |bytes: &Vec<u8>| bytes.iter().map(|&byte| id(byte)).collect::<Vec<_>>();
        hyps.push(row(hyp));
        refs.extend(its.iter().map(row));
        bounds.push(refs.len());
    }
    let kept = |rows: &[Vec<i64>]| rows.iter().map(|row| tokens(row, &marks)).collect::<Vec<_>>();
    let (own, its) = (kept(&hyps), kept(&refs));
    let negative = own.iter().chain(&its).flatten().any(|&id| id < 0);
    let how = Counting {
        orders: choose(&[4, 1, 2, 3, 5, 6, 7], input.orders),
        ref_len: "closest",
        first_only: false,
        floor_totals: false,
    };
    let row =
        |(i, hyp): (usize, &Vec<i64>)| how.row(hyp, &its[bounds[i]..bounds[i + 1]], hyp.len());
    let expected: Vec<_> = own.iter().enumerate().flat_map(row).collect();
    let columns = [Rows::new(&hyps, input.narrow[0]), Rows::new(&refs, input.narrow[1])];
    let corpus = Corpus {
        hyps: columns[0].segments(&marks),
        refs: columns[1].segments(&marks),
        bounds: Some(bounds.clone()),
        group: 1,
    };
    for plan in plans(&[("max_ngram_order", &how.orders.to_string())]) {
        match batch::rows(&plan, &corpus, 1) {
            Ok(rows) => {
                assert!(!negative);
                assert_eq!(rows, expected, "{}", plan.level.name());
            }
            Err(bad) => assert!(negative && matches!(bad.fault, Fault::NegativeId(..0)), "{bad:?}"),
        }
    }
});
