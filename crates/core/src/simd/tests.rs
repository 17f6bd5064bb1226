//! Every instruction set of this machine does what plain Rust does.

use proptest::prelude::*;

use super::*;

/// Asserts that a task has this result on each level.
macro_rules! assert_each {
    ($task:expr, $expected:expr) => {
        for level in Level::available() {
            prop_assert_eq!(dispatch(level, $task), $expected, "{}", level.name());
        }
    };
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
task!(EqualTags<'a>(&'a [Tag; TAGS], Tag) -> [u64; 2], |task, isa| {
    let tags = isa.load_tags(task.0);
    [isa.equal_tags::<1>(tags, task.1), isa.equal_tags::<2>(tags, task.1)]
});
task!(OfNumbers<'a>(&'a [[u64; 8]; 2]) -> [[u64; 8]; 5], |task, isa| {
    let mut results = [[0; 8]; 5];
    for first in (0..8).step_by(I::NUMBERS) {
        let [a, b] = task.0.map(|numbers| {
            isa.load_numbers(&numbers.map(u64::to_le_bytes)[first..])
        });
        let all = [
            isa.shift(a),
            isa.lowest_shared(a, b),
            isa.both(a, b),
            isa.either_one(a, b),
            isa.is_zero(a),
        ];
        for (result, numbers) in results.iter_mut().zip(all) {
            isa.store_numbers(numbers, &mut result[first..]);
        }
    }
    results
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
    fn classes(bytes: [u8; 32], more: [u8; 32], seed: u8, are_alone: bool) {
        let text: [u8; 64] = std::array::from_fn(|i| if i < 32 { bytes[i] } else { more[i - 32] });
        let of_bytes = std::array::from_fn(|i| {
            let bits = (i as u8).wrapping_mul(37).wrapping_add(seed);
            let of_ascii = class::WIDE - 1;
            if i < 0x80 { bits & of_ascii } else { bits & !of_ascii }
        });
        let table = ClassTable::new(of_bytes, are_alone);
        for level in Level::available() {
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
                let is_last = |i: usize| of_bytes[usize::from(text[i])] & class::LAST != 0;
                let is_first = class & class::WIDE != 0;
                // The third byte may be in the next block.
                let is_wide = is_first && (is_last(i) || i >= 62 || is_last(i + 2));
                prop_assert_eq!(has(result.wide), is_wide);
                prop_assert_eq!(has(result.inner), is_first && !is_wide && are_alone);
            }
        }
    }

    #[test]
    fn positions(mask: u64, other: u64, base in 0..u32::MAX - 64) {
        for mask in [mask, mask & other, mask | other, 0, u64::MAX] {
            let expected: Vec<_> = (0..64).filter(|i| mask >> i & 1 == 1).map(|i| base + i).collect();
            assert_each!(Positions(&mask, base), expected.clone());
        }
    }

    #[test]
    fn equal_tags(
        tags in prop::collection::vec(prop::sample::select(vec![0, 1, 0xFF, 0x100, u16::MAX]), TAGS),
        tag in prop::sample::select(vec![0, 1, 0xFF, 0x100, u16::MAX, 7]),
    ) {
        let tags: [Tag; TAGS] = tags.try_into().expect("64 tags");
        let same = |i: usize| u64::from(tags[i] == tag) << i;
        let expected = [(0..32).map(same).sum(), (0..64).map(same).sum()];
        assert_each!(EqualTags(&tags, tag), expected);
    }

    #[test]
    fn numbers(a: [u64; 8], b: [u64; 8], zero in 0..8_usize) {
        let mut numbers = [a, b];
        numbers[0][zero] = 0;
        let [a, b] = numbers;
        let each = |of: fn(u64, u64) -> u64| std::array::from_fn(|i| of(a[i], b[i]));
        let expected: [[u64; 8]; 5] = [
            each(|a, _| a << 1),
            each(|a, b| (a & b) & (a & b).wrapping_neg()),
            each(|a, b| a & b),
            each(|a, b| a ^ b),
            each(|a, _| if a == 0 { u64::MAX } else { 0 }),
        ];
        assert_each!(OfNumbers(&numbers), expected);
    }

    #[test]
    fn keys_and_tags(
        text in prop::collection::vec(any::<u8>(), 16..200),
        places in prop::collection::vec((0_u32..250, 0_u32..40), 8),
        factor: u64,
    ) {
        let places: [(u32, u32); 8] = places.try_into().expect("eight places");
        let fill = std::array::from_fn(|i| [i as u64, 1 << i]);
        let (mut keys, mut tags) = ([[0; 2]; 8], [0; 8]);
        let eight = Eight {
            text: &text,
            starts: &places.map(|(start, _)| start),
            ends: &places.map(|(start, len)| start + len),
        };
        let lengths = eight.name(&fill, factor, &mut keys, &mut tags);
        prop_assert_eq!(lengths, places.iter().fold(0, |all, (_, len)| all | len));
        for (i, (start, len)) in places.into_iter().enumerate() {
            let start = (start as usize).min(text.len() - 16);
            let half = |at: usize, fill: u64| {
                let bytes = text[at..at + 8].try_into().expect("eight bytes");
                u64::from_le_bytes(bytes) | fill
            };
            let [low, high] = fill[len as usize % 32];
            let key = [half(start, low), half(start + 8, high)];
            prop_assert_eq!(keys[i], key);
            let tag = (key[0] ^ key[1] << 5).wrapping_mul(factor) >> 48;
            prop_assert_eq!(u64::from(tags[i]), tag);
        }
    }

    #[test]
    fn lanes(digits in prop::collection::vec(any::<u64>(), 0..=8)) {
        let lane = |i: usize| digits.iter().rev().fold(0, |sum, digit| 2 * sum + (digit >> i & 1) as u8);
        let expected: [u8; 64] = std::array::from_fn(lane);
        assert_each!(Lanes(&digits), expected);
    }

    #[test]
    fn latin1(units: Vec<u8>) {
        let text: String = units.iter().map(|&unit| char::from(unit)).collect();
        assert_each!(Latin1(&units), format!("before {text}").into_bytes());
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
        assert_each!(Weigh(&lines, &shares), expected);
    }

    #[test]
    fn count_up(picks in prop::collection::vec(0..40_u32, 0..700), one in any::<bool>()) {
        let picks: Vec<u32> = picks.iter().map(|&pick| if one { 7 } else { pick }).collect();
        let mut expected = [0_usize; 40];
        for &pick in &picks {
            expected[pick as usize] += 1;
        }
        for level in Level::available() {
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
        assert_each!(Ucs2(&units), Ok(format!("before {text}").into_bytes()));
        assert_each!(Ucs2(&broken), Err(surrogate));
    }
}
