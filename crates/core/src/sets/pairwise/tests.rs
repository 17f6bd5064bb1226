//! Matrices have the scores of batches: on every instruction set, with colliding hashes, and at
//! lengths where sums, blocks and tables end.

use proptest::prelude::*;

use super::*;
use crate::columns::views::{Corpus, Segments, Text};
use crate::run::batch;
use crate::run::parallel::locked;
use crate::sets::self_bleu::Collection;
use crate::simd::Level;
use crate::tokenize::Seed;

fn plans(settings: &str) -> Vec<Plan> {
    let settings = || settings.split(' ').filter_map(|one| one.split_once('='));
    let seeds = [Seed::default, || Seed::that_collides(*b"01234567")];
    let levels = Level::available().into_iter();
    levels
        .flat_map(|level| seeds.iter().map(move |seed| (level, seed())))
        .map(|(level, seed)| Plan {
            level,
            seed,
            ..Plan::compile(settings()).expect("settings")
        })
        .collect()
}

fn column(texts: &[String]) -> Segments<'_> {
    let views = texts.iter().map(|text| Text::Utf8(text.as_bytes()));
    Segments::Texts(views.collect())
}

fn batch(plan: &Plan, hyps: &[String], refs: &[String], bounds: Option<Vec<usize>>) -> Vec<f64> {
    let corpus = Corpus {
        hyps: column(hyps),
        refs: column(refs),
        bounds,
        group: 1,
    };
    batch::scores(plan, &corpus, 1).expect("plain text")
}

/// The scores of a batch of all pairs.
fn one_by_one(plan: &Plan, candidates: &[String], references: &[String]) -> Vec<f64> {
    let hyps = candidates
        .iter()
        .flat_map(|hyp| vec![hyp.clone(); references.len()]);
    let refs = vec![references; candidates.len()].concat();
    batch(plan, &hyps.collect::<Vec<_>>(), &refs, None)
}

/// The scores of a batch in which each text has all the others as its references.
fn each_against_others(plan: &Plan, texts: &[String]) -> Vec<f64> {
    let mut refs = Vec::new();
    let mut bounds = vec![0];
    for i in 0..texts.len() {
        refs.extend_from_slice(&texts[..i]);
        refs.extend_from_slice(&texts[i + 1..]);
        bounds.push(refs.len());
    }
    batch(plan, texts, &refs, Some(bounds))
}

fn bits(scores: &[f64]) -> Vec<u64> {
    scores.iter().map(|score| score.to_bits()).collect()
}

fn filled(plan: &Plan, hyps: &[String], refs: Option<&[String]>, exact: bool) -> Vec<f64> {
    let mut scores = vec![-1.0; hyps.len() * refs.unwrap_or(hyps).len()];
    let refs = refs.map(column);
    let sides = Sides {
        candidates: &column(hyps),
        references: refs.as_ref(),
    };
    fill(plan, sides, exact, 2, &mut scores).expect("plain text");
    scores
}

/// Texts over few words, some of which have one hash if the seed is made for it.
fn texts(
    lengths: std::ops::Range<usize>,
    count: std::ops::Range<usize>,
) -> impl Strategy<Value = Vec<String>> {
    let words = "a b c 0123456789abcde0 0123456789abcde1 0123456789abcde2 é";
    let word = prop::sample::select(words.split(' ').collect::<Vec<_>>());
    let text = prop::collection::vec(word, lengths).prop_map(|words| words.join(" "));
    prop::collection::vec(text, count)
}

const SETTINGS: [&str; 6] = [
    "smooth_method=exp effective_order=yes guard=no-match",
    "smooth_method=floor smooth_value=0.1",
    "smooth_method=average arithmetic=weighted floor_totals=yes",
    "smooth_method=add-k smooth_value=1 max_ngram_order=2",
    "smooth_method=exp length_unit=characters ref_len=closest-first",
    "measure=recall keywords=a ref_len=pair",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn matrices_are_pair_by_pair(hyps in texts(0..12, 0..80), refs in texts(0..40, 0..9)) {
        for settings in SETTINGS {
            for plan in plans(settings) {
                let expected = one_by_one(&plan, &hyps, &refs);
                prop_assert_eq!(bits(&filled(&plan, &hyps, Some(&refs), true)), bits(&expected));
                for (score, expected) in filled(&plan, &hyps, Some(&refs), false).iter().zip(expected) {
                    prop_assert!((score - expected).abs() <= 1e-13 * expected.abs() || score.to_bits() == expected.to_bits());
                }
                let expected = one_by_one(&plan, &hyps, &hyps);
                prop_assert_eq!(bits(&filled(&plan, &hyps, None, true)), bits(&expected));
            }
        }
    }

    #[test]
    fn each_text_meets_all_others(
        listed in texts(0..30, 2..20), shift in 0_usize..20, few in 0_usize..20, cut in 0_usize..20,
    ) {
        let count = listed.len();
        let scored: Vec<_> = (0..few.min(count)).map(|i| (i + shift) % count).collect();
        let parts = listed.split_at(cut.min(count));
        for settings in SETTINGS {
            for rule in ["closest", "closest-first", "shortest", "longest", "first", "average"] {
                let settings = format!("{settings} ref_len={rule}"); // the last one counts
                for plan in plans(&settings) {
                    let all = each_against_others(&plan, &listed);
                    let some: Vec<_> = scored.iter().map(|&place| all[place]).collect();
                    for (scored, expected) in [(None, &all), (Some(&scored[..]), &some)] {
                        let mut collection = Collection::new(&plan, 1);
                        collection.extend(&column(parts.0)).expect("plain text");
                        collection.extend(&column(parts.1)).expect("plain text");
                        let result = collection.scores(scored).expect("short texts");
                        prop_assert_eq!(bits(&result), bits(expected), "{:?}", settings);
                    }
                }
            }
        }
    }
}

#[test]
fn lengths_where_something_ends() {
    let lengths = (0..=12).chain([
        63, 64, 65, 247, 248, 249, 255, 256, 257, 511, 512, 513, 2050,
    ]);
    let text = |length: usize| {
        let words = (0..length).map(|i| format!("w{}", i * i % 7 + usize::from(i % 11 == 3) * 9));
        words.collect::<Vec<_>>().join(" ")
    };
    let texts: Vec<_> = lengths.map(text).collect();
    for plan in plans(SETTINGS[0]) {
        let expected = one_by_one(&plan, &texts, &texts);
        assert_eq!(filled(&plan, &texts, None, true), expected);
        assert_eq!(filled(&plan, &texts, Some(&texts), true), expected);
    }
}

#[test]
fn numbers_of_references_where_blocks_end() {
    let text = |i: usize| format!("a b{} c{} d a b{} e", i % 5, i % 3, i % 7);
    let plan = &plans(SETTINGS[0])[0];
    let candidates: Vec<_> = (0..3).map(text).collect();
    for count in [
        1, 63, 64, 65, 127, 128, 129, 255, 256, 257, 511, 512, 513, 1025,
    ] {
        let references: Vec<_> = (0..count).map(|i| text(i + 1)).collect();
        let fast = filled(plan, &candidates, Some(&references), true);
        assert_eq!(fast, one_by_one(plan, &candidates, &references), "{count}");
    }
    let square: Vec<_> = (0..600).map(text).collect();
    assert_eq!(
        filled(plan, &square, None, true),
        one_by_one(plan, &square, &square)
    );
}

#[test]
fn threads_that_find_features_change_nothing() {
    let text = |i: usize| format!("a b{} c{} d a b{} e{i}", i % 50, i % 30, i % 7);
    let texts: Vec<_> = (0..700).map(text).collect();
    for plan in plans(SETTINGS[0]) {
        let mut numbering = Numbering::new(&plan, texts.len());
        numbering.extend(&column(&texts)).expect("plain text");
        let documents = numbering.finish().expect("a short text");
        let search = |workers: usize| {
            let (orders, seed) = (plan.count.orders, &plan.seed);
            let finding = Finding::new(plan.level, seed, orders, &documents, texts.len(), workers);
            let lists_of_threads = std::sync::Mutex::new(Vec::new());
            parallel::run(workers, |_| {
                let features = finding.features(finding.take_part());
                let lists = features.iter().map(|features| -> Vec<_> {
                    let lists = (0..texts.len()).map(|i| features.of(i).to_vec());
                    lists.collect()
                });
                locked(&lists_of_threads).push(lists.collect::<Vec<_>>());
            });
            lists_of_threads.into_inner().expect("no panic")
        };
        let expected = search(1);
        for workers in 2..5 {
            assert_eq!(search(workers), vec![expected[0].clone(); workers]);
        }
    }
}
