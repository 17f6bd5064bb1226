//! Every instruction set of this machine does what plain Rust does.

use proptest::prelude::*;

use super::*;

fn levels() -> Vec<Level> {
    Level::available()
}

/// Defines a [`Task`] of one step.
macro_rules! task {
    ($name:ident<$life:lifetime>($($field:ty),+) -> $output:ty, |$task:ident, $isa:ident| $work:expr) => {
        struct $name<$life>($($field),+);
        impl<$life> Task for $name<$life> {
            type Output = $output;
            #[inline(always)]
            fn run<I: Isa>(self, $isa: I) -> Self::Output {
                let $task = self;
                $work
            }
        }
    };
}

task!(Classify<'a>(&'a [u8; 64], &'a ClassTable) -> Block, |task, isa| isa.classify(task.0, task.1));
task!(Positions<'a>(&'a u64, u32) -> Vec<u32>, |task, isa| {
    let mut out = [0; 64];
    let count = isa.bit_positions(*task.0, task.1, &mut out);
    out[..count].to_vec()
});
task!(Equal<'a>(&'a [KeyBlock], &'a KeyBlock) -> Vec<[[u8; 8]; 2]>, |task, isa| {
    let mut rows = vec![[[9; 8]; 2]; 8 * task.0.len()];
    isa.equal_keys(task.0, task.1, &mut rows, 1, 2);
    rows
});
task!(EqualIds<'a>(&'a [i32], &'a [i32; 64]) -> Vec<[[u8; 8]; 2]>, |task, isa| {
    let mut rows = vec![[[9; 8]; 2]; task.0.len()];
    isa.equal_ids(task.0, task.1, &mut rows, 1);
    rows
});
task!(Lanes<'a>(&'a [u64]) -> [u8; 64], |task, isa| {
    let mut counts = [9; 64];
    isa.count_lanes(task.0, &mut counts);
    counts
});
task!(Latin1<'a>(&'a [u8]) -> Vec<u8>, |task, isa| {
    let mut out = b"before ".to_vec();
    isa.append_latin1(task.0, &mut out);
    out
});
task!(Ucs2<'a>(&'a [u16]) -> Result<Vec<u8>, u16>, |task, isa| {
    let mut out = b"before ".to_vec();
    isa.append_ucs2(task.0, &mut out).map(|()| out)
});
task!(Weigh<'a>(&'a [CacheLine], &'a [&'a [[u8; 4]]; SHARES]) -> [[i32; 16]; SHARES], |task, isa| {
    isa.weigh(task.0, task.1)
});

/// Two-byte units of all sizes, in runs as texts have them.
fn units() -> impl Strategy<Value = Vec<u16>> {
    let runs = prop_oneof![
        prop::collection::vec(0_u16..0x80, 0..40),
        prop::collection::vec(0x80_u16..0x800, 0..20),
        prop::collection::vec(0x800_u16..0xD800, 0..20),
        prop::collection::vec(0xE000_u16..=0xFFFF, 0..3),
    ];
    prop::collection::vec(runs, 0..6).prop_map(|runs| runs.concat())
}

proptest! {
    #[test]
    fn classes(bytes: [u8; 32], more: [u8; 32], seed: u8) {
        let text: [u8; 64] = std::array::from_fn(|i| if i < 32 { bytes[i] } else { more[i - 32] });
        let of_bytes = std::array::from_fn(|i| {
            let bits = (i as u8).wrapping_mul(37).wrapping_add(seed);
            if i < 0x80 { bits & (class::WIDE - 1) } else { bits & class::WIDE }
        });
        let table = ClassTable::new(of_bytes);
        for level in levels() {
            let result = dispatch(level, Classify(&text, &table));
            for (i, &byte) in text.iter().enumerate() {
                let has = |mask: u64| mask >> i & 1 == 1;
                let class = of_bytes[usize::from(byte)];
                prop_assert_eq!(has(result.space), class & class::SPACE != 0, "{}", level.name());
                prop_assert_eq!(has(result.alone), class & class::ALONE != 0);
                prop_assert_eq!(has(result.joiner), class & class::JOINER != 0);
                prop_assert_eq!(has(result.digit), class & class::DIGIT != 0);
                prop_assert_eq!(has(result.dash), class & class::DASH != 0);
                prop_assert_eq!(has(result.rewrite), class & class::REWRITE != 0);
                prop_assert_eq!(has(result.wide), class & class::WIDE != 0);
            }
        }
    }

    #[test]
    fn positions(mask: u64, other: u64, base in 0..u32::MAX - 64) {
        for mask in [mask, mask & other, mask | other, 0, u64::MAX] {
            let expected: Vec<_> = (0..64).filter(|i| mask >> i & 1 == 1).map(|i| base + i).collect();
            for level in levels() {
                prop_assert_eq!(&dispatch(level, Positions(&mask, base)), &expected);
            }
        }
    }

    #[test]
    fn keys(
        hyp in prop::collection::vec((0_u64..3, 0_u64..3), 24),
        reference in prop::collection::vec((0_u64..3, 0_u64..3), 8),
    ) {
        let block = |keys: &[Key]| KeyBlock {
            lows: std::array::from_fn(|i| keys[i].0),
            highs: std::array::from_fn(|i| keys[i].1),
        };
        let blocks: Vec<_> = hyp.chunks(8).map(block).collect();
        let same = |key: Key| {
            let equal = |j: usize| u8::from(reference[j] == key && key.1 != 0) << j;
            (0..8).map(equal).sum()
        };
        let row = |&key| [[9; 8], [9, 9, same(key), 9, 9, 9, 9, 9]];
        let expected: Vec<_> = hyp.iter().map(row).collect();
        for level in levels() {
            let rows = dispatch(level, Equal(&blocks, &block(&reference)));
            prop_assert_eq!(&rows, &expected, "{}", level.name());
        }
    }

    #[test]
    fn equal_ids(
        hyp in prop::collection::vec(prop::sample::select(vec![0, 1, 2, 1 << 16, i32::MAX]), 0..70),
        mut reference in prop::collection::vec(
            prop::sample::select(vec![-1, 0, 1, 2, 3, 1 << 16, i32::MAX]), 64),
        id in 0..i32::MAX,
    ) {
        reference[id as usize % 64] = id;
        let reference: [i32; 64] = reference.try_into().expect("64 ids");
        let hyp = [hyp, vec![id]].concat();
        let places = |id: &i32| {
            let bits = (0..64).map(|k| u64::from(reference[k] == *id) << k);
            [[9; 8], bits.sum::<u64>().to_le_bytes()]
        };
        let expected: Vec<_> = hyp.iter().map(places).collect();
        for level in levels() {
            let rows = dispatch(level, EqualIds(&hyp, &reference));
            prop_assert_eq!(&rows, &expected, "{}", level.name());
        }
    }

    #[test]
    fn lanes(digits in prop::collection::vec(any::<u64>(), 0..=8)) {
        let lane = |i: usize| digits.iter().rev().fold(0, |sum, digit| 2 * sum + (digit >> i & 1) as u8);
        let expected: [u8; 64] = std::array::from_fn(lane);
        for level in levels() {
            prop_assert_eq!(dispatch(level, Lanes(&digits)), expected, "{}", level.name());
        }
    }

    #[test]
    fn latin1(units: Vec<u8>) {
        let text: String = units.iter().map(|&unit| char::from(unit)).collect();
        for level in levels() {
            prop_assert_eq!(dispatch(level, Latin1(&units)), format!("before {text}").into_bytes());
        }
    }

    #[test]
    fn weigh(
        lines in prop::collection::vec(any::<[u64; 8]>(), 0..70),
        full in any::<bool>(),
        weights in prop::collection::vec(0..=WEIGHT, 4 * 70 * SHARES),
    ) {
        let lines: Vec<_> = lines.into_iter().map(|line| CacheLine(if full { [u64::MAX; 8] } else { line })).collect();
        let weights: Vec<u8> = weights.iter().map(|&weight| if full { WEIGHT } else { weight }).collect();
        let shares: [&[[u8; 4]]; SHARES] = std::array::from_fn(|share| {
            &weights.as_chunks::<4>().0[70 * share..][..lines.len()]
        });
        let mut expected = [[0; 16]; SHARES];
        for (sums, share) in expected.iter_mut().zip(shares) {
            for (line, weights) in lines.iter().zip(share) {
                for (at, byte) in line.0.iter().flat_map(|number| number.to_le_bytes()).enumerate() {
                    sums[at / 4] += i32::from(byte) * i32::from(weights[at % 4]);
                }
            }
        }
        for level in levels() {
            prop_assert_eq!(dispatch(level, Weigh(&lines, &shares)), expected, "{}", level.name());
        }
    }

    #[test]
    fn count_up(picks in prop::collection::vec(0..40_u32, 0..700), one in any::<bool>()) {
        let picks: Vec<u32> = picks.iter().map(|&pick| if one { 7 } else { pick }).collect();
        let mut expected = [0_usize; 40];
        for &pick in &picks {
            expected[pick as usize] += 1;
        }
        for level in levels() {
            let mut counts = [0; 40];
            let seen = dispatch(level, CountUp { picks: &picks, counts: &mut counts });
            prop_assert_eq!(counts.map(usize::from), expected.map(|count| count % 256));
            prop_assert!(expected.iter().all(|&count| usize::from(seen) >= count.min(128)));
        }
    }

    #[test]
    fn ucs2(units in units(), at: prop::sample::Index, surrogate in 0xD800_u16..0xE000) {
        let text = String::from_utf16(&units).expect("no surrogates");
        let mut broken = units.clone();
        broken.insert(at.index(units.len() + 1), surrogate);
        for level in levels() {
            prop_assert_eq!(dispatch(level, Ucs2(&units)), Ok(format!("before {text}").into_bytes()));
            prop_assert_eq!(dispatch(level, Ucs2(&broken)), Err(surrogate));
        }
    }
}
