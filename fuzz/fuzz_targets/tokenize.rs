//! Every tokenizer on any text in any encoding: the tokens that plain substitutions give.

#![no_main]

use libfuzzer_sys::arbitrary::{self, Arbitrary};
use libfuzzer_sys::fuzz_target;
use truebleu_core::columns::views::Segments;
use truebleu_core::metric::Metric;
use truebleu_fuzz::inputs::Stored;
use truebleu_fuzz::naive::Reading;
use truebleu_fuzz::{choose, plans};

#[derive(Arbitrary, Debug)]
struct Input {
    how: [u8; 7],
    texts: Vec<Stored>,
}

fuzz_target!(|input: Input| {
    let [tokenize, whitespace, markup, lowercase, rule, when, strip] = input.how;
    let reading = Reading {
        tokenize: choose(
            &["none", "13a", "intl", "intl-split", "zh", "zh-fixed", "char"],
            tokenize,
        ),
        whitespace: choose(&["python", "perl", "ascii"], whitespace),
        markup: choose(&["text", "sgml"], markup),
        lowercase: choose(&["no", "yes"], lowercase),
        lowercase_rule: choose(&["unicode", "ascii"], rule),
        lowercase_when: choose(&["before", "after"], when),
        strip: choose(&["none", "right"], strip),
    };
    let plans = plans(&reading.settings());
    for stored in &input.texts {
        let (units, text) = stored.read();
        let found: Vec<_> =
            plans.iter().map(|plan| plan.tokens(&Segments::Texts(vec![units.view()]))).collect();
        assert!(found.windows(2).all(|pair| pair[0] == pair[1]), "{found:?}");
        match (text, &found[0]) {
            (Some(text), Ok(lists)) => {
                let expected = reading.tokens(&text);
                let expected: Vec<_> = expected.iter().map(String::as_bytes).collect();
                assert_eq!(lists[0], expected, "{reading:?} {text:?}");
            }
            (Some(text), Err(fault)) => panic!("{text:?} is refused: {fault:?}"),
            // Surrogates, and what is not UTF-8.
            (None, found) => assert!(found.is_err(), "{stored:?}"),
        }
    }
});
