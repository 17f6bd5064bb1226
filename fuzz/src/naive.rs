//! What the kernel is held against: the plainest code that does the same, from the tools' own
//! descriptions, and none of the kernel's.

use std::collections::HashMap;
use std::hash::Hash;

use unicode_properties::{GeneralCategoryGroup as Group, UnicodeGeneralCategory};

/// How a text becomes tokens, in the words of the kernel's settings.
#[derive(Debug)]
pub struct Reading {
    pub tokenize: &'static str,
    pub whitespace: &'static str,
    pub markup: &'static str,
    pub lowercase: &'static str,
    pub lowercase_rule: &'static str,
    pub lowercase_when: &'static str,
    pub strip: &'static str,
}

impl Reading {
    pub fn settings(&self) -> [(&'static str, &'static str); 7] {
        [
            ("tokenize", self.tokenize),
            ("whitespace", self.whitespace),
            ("markup", self.markup),
            ("lowercase", self.lowercase),
            ("lowercase_rule", self.lowercase_rule),
            ("lowercase_when", self.lowercase_when),
            ("strip", self.strip),
        ]
    }

    fn lower(&self, text: String) -> String {
        match (self.lowercase, self.lowercase_rule) {
            ("no", _) => text,
            (_, "ascii") => text.to_ascii_lowercase(),
            _ => text.to_lowercase(),
        }
    }

    fn split(&self, text: &str) -> Vec<String> {
        text.split(|c| is_space(c, self.whitespace))
            .filter(|word| !word.is_empty())
            .map(str::to_owned)
            .collect()
    }

    /// The tokens of a text.
    pub fn tokens(&self, text: &str) -> Vec<String> {
        let mut line = text.to_owned();
        if self.lowercase_when == "before" {
            line = self.lower(line);
        }
        if self.strip == "right" {
            line = line.trim_end_matches(|c| is_space(c, "python")).to_owned();
        }
        let line = match self.tokenize {
            "13a" => western(&format!(" {} ", self.unmarked(&line, &RULES_13A))),
            "intl" => international(&self.unmarked(&line, &RULES_INTL)),
            "intl-split" => {
                let line = self.unmarked(&line, &RULES_INTL);
                international(&apart(&line, |c| !c.is_ascii()))
            }
            "zh" | "zh-fixed" => {
                let line = line.trim_matches(|c| is_space(c, "python"));
                western(&apart(line, |c| is_chinese(c, self.tokenize == "zh-fixed")))
            }
            "char" => apart(&line, |_| true),
            _ => line,
        };
        let tokens = self.split(&line);
        if self.lowercase_when == "before" {
            return tokens;
        }
        self.split(&self.lower(tokens.join(" ")))
    }

    fn unmarked(&self, line: &str, rules: &[(&str, &str, &str)]) -> String {
        let fits = |kind: &str| kind == self.markup || kind == "both";
        rules
            .iter()
            .filter(|(kind, ..)| fits(kind))
            .fold(line.to_owned(), |line, (_, markup, with)| line.replace(markup, with))
    }
}

const RULES_13A: [(&str, &str, &str); 6] = [
    ("text", "<skipped>", ""),
    ("both", "-\n", ""),
    ("text", "&quot;", "\""),
    ("text", "&amp;", "&"),
    ("both", "&lt;", "<"),
    ("both", "&gt;", ">"),
];

const RULES_INTL: [(&str, &str, &str); 3] =
    [("sgml", "&lt;", "<"), ("sgml", "&gt;", ">"), ("sgml", "&apos;", "'")];

/// White space of Python's `str.split`, of Perl's `\s` on text, and on bytes.
pub fn is_space(c: char, of: &str) -> bool {
    match of {
        "python" => c.is_whitespace() || ('\x1c'..='\x1f').contains(&c),
        "perl" => c.is_whitespace(),
        _ => matches!(c, ' ' | '\t'..='\r'),
    }
}

/// Blanks around each character that `alone` is true of.
fn apart(line: &str, alone: impl Fn(char) -> bool) -> String {
    let mut out = String::new();
    for c in line.chars() {
        if alone(c) {
            out.extend([' ', c, ' ']);
        } else {
            out.push(c);
        }
    }
    out
}

/// A substitution of two characters in a row, from left to right, as a regular expression does it.
fn pairs(
    line: &str,
    fits: impl Fn(char, char) -> bool,
    with: impl Fn(char, char) -> Vec<char>,
) -> String {
    let chars: Vec<char> = line.chars().collect();
    let (mut out, mut i) = (String::new(), 0);
    while i < chars.len() {
        match chars.get(i + 1) {
            Some(&next) if fits(chars[i], next) => {
                out.extend(with(chars[i], next));
                i += 2;
            }
            _ => {
                out.push(chars[i]);
                i += 1;
            }
        }
    }
    out
}

/// The four substitutions of mteval-v13a.
fn western(line: &str) -> String {
    let sign = |c: char| c.is_ascii_punctuation() && !matches!(c, '\'' | ',' | '-' | '.');
    let joiner = |c: char| matches!(c, '.' | ',');
    let digit = |c: char| c.is_ascii_digit();
    let line = apart(line, sign);
    let line = pairs(&line, |a, b| !digit(a) && joiner(b), |a, b| vec![a, ' ', b, ' ']);
    let line = pairs(&line, |a, b| joiner(a) && !digit(b), |a, b| vec![' ', a, ' ', b]);
    pairs(&line, |a, b| digit(a) && b == '-', |a, b| vec![a, ' ', b, ' '])
}

/// The three substitutions of mteval-v14's international tokenization.
fn international(line: &str) -> String {
    let is = |c: char, group| c.general_category_group() == group;
    let joiner = |c: char| is(c, Group::Punctuation);
    let digit = |c: char| is(c, Group::Number);
    let line = pairs(line, |a, b| !digit(a) && joiner(b), |a, b| vec![a, ' ', b, ' ']);
    let line = pairs(&line, |a, b| joiner(a) && !digit(b), |a, b| vec![' ', a, ' ', b]);
    apart(&line, |c| is(c, Group::Symbol))
}

/// The ranges of sacreBLEU's Chinese tokenizer, as it has them or as they were meant.
fn is_chinese(c: char, fixed: bool) -> bool {
    let ranges = [
        (0x3400, 0x4DB5),
        (0x4E00, 0x9FA5),
        (0x9FA6, 0x9FBB),
        (0xF900, 0xFA2D),
        (0xFA30, 0xFA6A),
        (0xFA70, 0xFAD9),
        (0xFF00, 0xFFEF),
        (0x2E80, 0x2EFF),
        (0x3000, 0x303F),
        (0x31C0, 0x31EF),
        (0x2F00, 0x2FDF),
        (0x2FF0, 0x2FFF),
        (0x3100, 0x312F),
        (0x31A0, 0x31BF),
        (0xFE10, 0xFE1F),
        (0xFE30, 0xFE4F),
        (0x2600, 0x26FF),
        (0x2700, 0x27BF),
        (0x3200, 0x32FF),
        (0x3300, 0x33FF),
    ];
    let extended: &[_] =
        if fixed { &[(0x20000, 0x2A6D6), (0x2F800, 0x2FA1D)] } else { &[(0x2001, 0x2A6D)] };
    let code = u32::from(c);
    ranges.iter().chain(extended).any(|&(first, last)| (first..=last).contains(&code))
}

/// How n-grams are counted, in the words of the kernel's settings.
#[derive(Debug)]
pub struct Counting {
    pub orders: usize,
    pub ref_len: &'static str,
    pub first_only: bool,
    pub floor_totals: bool,
}

/// How often each n-gram of an order occurs.
pub fn grams<T: Eq + Hash>(tokens: &[T], order: usize) -> HashMap<&[T], i64> {
    let mut counts = HashMap::new();
    for gram in tokens.windows(order) {
        *counts.entry(gram).or_default() += 1;
    }
    counts
}

impl Counting {
    /// The row of a hypothesis whose length is `hyp_len`.
    pub fn row<T: Eq + Hash>(&self, hyp: &[T], refs: &[Vec<T>], hyp_len: usize) -> Vec<i64> {
        let mut row = vec![hyp_len as i64, self.reference_length(hyp_len, refs) as i64];
        let refs = if self.first_only { &refs[..1] } else { refs };
        let (mut matches, mut totals) = (Vec::new(), Vec::new());
        for order in 1..=self.orders {
            let counts = grams(hyp, order);
            let clips: Vec<_> = refs.iter().map(|tokens| grams(tokens, order)).collect();
            let clip = |gram: &[T]| clips.iter().filter_map(|one| one.get(gram)).max().copied();
            matches
                .push(counts.iter().map(|(&gram, &n)| n.min(clip(gram).unwrap_or(0))).sum::<i64>());
            totals.push(counts.values().sum::<i64>().max(i64::from(self.floor_totals)));
        }
        row.extend(matches);
        row.extend(totals);
        row
    }

    fn reference_length<T>(&self, hyp_len: usize, refs: &[Vec<T>]) -> usize {
        let mut lengths: Vec<_> = refs.iter().map(Vec::len).collect();
        match self.ref_len {
            "first" => lengths[0],
            "average" => lengths.iter().sum::<usize>() / lengths.len(),
            "pair" => 2,
            rule => {
                if rule != "closest-first" {
                    lengths.sort_unstable();
                }
                let far = |&&length: &&usize| length.abs_diff(hyp_len);
                match rule {
                    "shortest" => lengths[0],
                    "longest" => lengths[lengths.len() - 1],
                    _ => *lengths.iter().min_by_key(far).expect("a reference"),
                }
            }
        }
    }
}
