//! TER on any text: edits between what they cannot be below and above, the fewest of the
//! references, the same in a matrix.

#![no_main]

use libfuzzer_sys::arbitrary::{self, Arbitrary};
use libfuzzer_sys::fuzz_target;
use truebleu_core::columns::views::{Corpus, Segments, Sides};
use truebleu_core::metric::Metric;
use truebleu_core::run::batch;
use truebleu_core::ter::{Ter, UNITS};
use truebleu_fuzz::inputs::Stored;
use truebleu_fuzz::{bits, naive};

#[derive(Arbitrary, Debug)]
struct Input {
    options: [bool; 4],
    hyp: Stored,
    refs: Vec<Stored>,
}

/// Edits without moves.
fn distance(hyp: &[Vec<u8>], reference: &[Vec<u8>]) -> usize {
    let mut above: Vec<usize> = (0..=reference.len()).collect();
    for (i, word) in hyp.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, its) in reference.iter().enumerate() {
            let replaced = above[j] + usize::from(word != its);
            row.push(replaced.min(above[j + 1] + 1).min(row[j] + 1));
        }
        above = row;
    }
    above[reference.len()]
}

/// Words that no move can bring together.
fn unshared(hyp: &[Vec<u8>], reference: &[Vec<u8>]) -> usize {
    let [own, its] = [naive::grams(hyp, 1), naive::grams(reference, 1)];
    let shared = own.iter().map(|(word, &n)| n.min(its.get(word).copied().unwrap_or(0)));
    hyp.len().max(reference.len()) - shared.sum::<i64>() as usize
}

fuzz_target!(|input: Input| {
    let yes_no = |yes| if yes { "yes" } else { "no" };
    let [normalized, no_punct, asian, cased] = input.options.map(yes_no);
    let ter = Ter::compile([
        ("normalized", normalized),
        ("no_punct", no_punct),
        ("asian_support", asian),
        ("case_sensitive", cased),
    ])
    .expect("settings");
    let metric: &dyn Metric = &ter;
    let (hyp, _) = input.hyp.read();
    let refs: Vec<_> = input.refs.iter().map(|stored| stored.read().0).collect();
    let hyp = Segments::Texts(vec![hyp.view()]);
    let refs = Segments::Texts(refs.iter().map(|units| units.view()).collect());
    let count = refs.len();
    let mut scores = vec![-1.0; count];
    let sides = Sides { candidates: &hyp, references: Some(&refs) };
    let (Ok(own), Ok(its), Ok(())) =
        (metric.tokens(&hyp), metric.tokens(&refs), metric.pairs(sides, true, 1, &mut scores))
    else {
        return;
    };
    let mut fewest = None;
    let mut length = 0;
    for i in 0..count {
        let corpus =
            Corpus { hyps: hyp.slice(0..1), refs: refs.slice(i..i + 1), bounds: None, group: 1 };
        let row = batch::rows(metric, &corpus, 1).expect("read before");
        assert_eq!(bits(&batch::values(metric, &row)), bits(&scores[i..=i]));
        let edits = row[0] as usize;
        length += row[1] / UNITS;
        fewest = Some(fewest.map_or(row[0], |fewest: i64| fewest.min(row[0])));
        // References are tokenized twice where signs are changed, `words` once.
        if normalized == "no" && no_punct == "no" {
            let (own, its) = (&own[0], &its[i]);
            assert_eq!(row[1], its.len() as i64 * UNITS);
            // Tercom looks 25 words to either side, and so overlooks ways between long texts.
            if own.len().max(its.len()) <= 20 {
                assert!(edits <= distance(own, its), "{edits} {own:?} {its:?}");
            }
            assert!(edits <= own.len() + its.len(), "{edits} {own:?} {its:?}");
            assert!(edits >= unshared(own, its), "{edits} {own:?} {its:?}");
            assert_eq!(edits == 0, own == its);
        }
    }
    let several = Corpus { hyps: hyp, refs, bounds: Some(vec![0, count]), group: 1 };
    match batch::rows(metric, &several, 1) {
        Ok(row) => {
            assert_eq!(Some(row[0]), fewest);
            assert_eq!(row[1], length * (UNITS / count as i64));
        }
        Err(_) => assert!(count == 0 || UNITS % count as i64 != 0),
    }
});
