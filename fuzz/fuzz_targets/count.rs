//! Rows of BLEU: what counting in hash maps gives, by every way of the kernel.

#![no_main]

use libfuzzer_sys::arbitrary::{self, Arbitrary};
use libfuzzer_sys::fuzz_target;
use truebleu_core::run::{batch, bleu};
use truebleu_core::stats;
use truebleu_fuzz::inputs::{self, Words};
use truebleu_fuzz::naive::Counting;
use truebleu_fuzz::{bits, choose, plans};

#[derive(Arbitrary, Debug)]
struct Input {
    orders: u8,
    ref_len: u8,
    first_only: bool,
    floor_totals: bool,
    characters: bool,
    as_text: bool,
    group: u8,
    entries: Vec<(Vec<Words>, Vec<Words>)>,
}

fuzz_target!(|input: Input| {
    let how = Counting {
        orders: 1 + usize::from(input.orders % 9),
        ref_len: choose(
            &["closest", "closest-first", "shortest", "longest", "first", "average", "pair"],
            input.ref_len,
        ),
        first_only: input.first_only,
        floor_totals: input.floor_totals,
    };
    let orders = how.orders.to_string();
    let yes_no = |yes| if yes { "yes" } else { "no" };
    let plans = plans(&[
        ("max_ngram_order", &orders),
        ("ref_len", how.ref_len),
        ("references", if how.first_only { "first" } else { "all" }),
        ("floor_totals", yes_no(how.floor_totals)),
        ("length_unit", if input.characters { "characters" } else { "tokens" }),
        ("smooth_method", "exp"),
    ]);
    let group = 1 + usize::from(input.group % 3);
    let (mut hyps, mut refs, mut counts) = (Vec::new(), Vec::new(), Vec::new());
    for (own, its) in &input.entries {
        if own.len() < group || its.is_empty() {
            return;
        }
        hyps.extend(own[..group].iter().map(Words::list));
        refs.extend(its.iter().map(Words::list));
        counts.push(its.len());
    }
    if hyps.is_empty() {
        return;
    }
    let mut expected = Vec::new();
    let mut first = 0;
    for (entry, &count) in counts.iter().enumerate() {
        let its = &refs[first..first + count];
        first += count;
        for hyp in &hyps[entry * group..(entry + 1) * group] {
            let characters = hyp.join(" ").chars().count();
            let length = if input.characters { characters } else { hyp.len() };
            expected.extend(how.row(hyp, its, length));
        }
    }
    let joined =
        |lists: &[Vec<String>]| lists.iter().map(|list| list.join(" ")).collect::<Vec<_>>();
    let texts = [joined(&hyps), joined(&refs)];
    let corpus = if input.as_text {
        inputs::corpus(
            inputs::texts(&texts[0]),
            inputs::texts(&texts[1]),
            counts.into_iter(),
            group,
        )
    } else {
        inputs::corpus(inputs::words(&hyps), inputs::words(&refs), counts.into_iter(), group)
    };
    for plan in &plans {
        let rows = batch::rows(plan, &corpus, 2).expect("plain text");
        assert_eq!(rows, expected, "{}", plan.level.name());
        let mut sum = vec![0; plan.width()];
        rows.chunks(plan.width()).for_each(|row| stats::add(&mut sum, row));
        assert_eq!(batch::total(plan, &corpus, 2).expect("plain text"), sum);
        let scores = batch::scores(plan, &corpus, 2).expect("plain text");
        assert_eq!(bits(&scores), bits(&batch::values(plan, &rows)));
        if input.characters {
            continue;
        }
        // Each prefix is a hypothesis, with the references of the whole.
        let (prefixes, lengths) = bleu::prefixes(plan, &corpus, 2).expect("plain text");
        let mut prefixes = prefixes.iter();
        for (hyp, (row, length)) in hyps.iter().zip(rows.chunks(plan.width()).zip(lengths)) {
            assert_eq!(length, hyp.len());
            let last = prefixes.by_ref().take(length).last();
            if let Some(last) = last {
                assert_eq!(bits(&[*last]), bits(&batch::values(plan, row)));
            }
        }
        assert_eq!(prefixes.next(), None);
    }
});
