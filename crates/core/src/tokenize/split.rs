//! From classes to tokens, 64 bytes at a time.
//!
//! The rules, in the order mteval-v13a and v14 apply their substitutions:
//! 1. a character of class `ALONE` is a token;
//! 2. a `JOINER` (13a: `.` and `,`; international: any punctuation) is a token unless a digit
//!    precedes it; the pattern takes two characters and does not look back, so in a run of joiners
//!    it takes every second one;
//! 3. a `JOINER` is a token unless a digit follows it (a blank that rule 2 has put there is not a
//!    digit). With rule 2: only the *last* joiner of a run can stay in a word, and only before a
//!    digit;
//! 4. a `DASH` after a digit is a token.

use super::classes::{self, Whitespace, WideTable};
use super::dotnet;
use super::tokens::window;
#[cfg(not(target_family = "wasm"))]
use super::treebank;
use super::{Markup, Rules, Tokens};
use crate::characters::{decode_four, trim_end, trim_start};
use crate::normalize::Line;
use crate::simd::{Block, ClassTable, Isa, class};

/// Markup and what replaces it, one after the other.
type Rewrites = &'static [(&'static [u8], &'static [u8])];

/// A tokenizer with its table of classes.
#[derive(Debug, PartialEq, Eq)]
pub struct Tokenizer {
    rules: Rules,
    table: ClassTable,
    wide: &'static WideTable,
    rewrites: Rewrites,
}

impl Tokenizer {
    pub fn new(rules: Rules, whitespace: Whitespace, markup: Markup) -> Self {
        let (rewritten, rewrites) = rewrites(rules, markup);
        let wide = classes::wide_table(rules, whitespace);
        Self {
            rules,
            table: classes::of_bytes(wide, rewritten),
            wide,
            rewrites,
        }
    }

    /// Finds the tokens of the line in `tokens`.
    #[inline(always)]
    pub fn split<I: Isa>(&self, isa: I, tokens: &mut Tokens) {
        let Tokens { line, blocks, .. } = tokens;
        match self.rules {
            Rules::Zh | Rules::ZhFixed => strip(line),
            Rules::Markers => line.enclose(b"<s> ", b" </s>"),
            Rules::Dotnet | Rules::Treebank => {
                let text = String::from_utf8_lossy(line.text());
                let tokens = match self.rules {
                    #[cfg(not(target_family = "wasm"))]
                    Rules::Treebank => treebank::separate(&text),
                    _ => dotnet::separate(&text),
                };
                line.set(tokens.as_bytes());
            }
            _ => {}
        }
        let mut seen = self.classify(isa, line, blocks);
        if seen.rewrite != 0 && self.rewrite(line, blocks) {
            seen = self.classify(isa, line, blocks);
        }
        if seen.wide | seen.inner != 0 {
            self.resolve_wide(line, blocks);
        }
        if self.ends_are_open() {
            // What follows the last character is nothing, so rule 3 does not match there: the
            // same as if a digit followed. So it is with rule 2 at the start of a next text.
            let end = [line.text().len() as u32];
            let ends = if line.ends().is_empty() {
                &end
            } else {
                line.ends()
            };
            for &end in ends {
                blocks[end as usize / 64].digit |= 1 << (end % 64);
            }
        }
        if seen.joiner | seen.wide != 0 && self.rules != Rules::V13aPattern {
            release_run_ends(blocks, self.ends_are_open());
        }
        match self.rules {
            Rules::EachSpace => return emit_between_spaces(isa, tokens),
            // The blanks after the line are not in it.
            Rules::CodePoints => {
                let last = line.text().len();
                blocks[last / 64].alone &= (1 << (last % 64)) - 1;
                blocks[last / 64].space = !blocks[last / 64].alone;
            }
            _ => {}
        }
        emit(isa, tokens, self.ends_are_open());
    }

    /// Whether a line may be several texts, with a blank after each: not if a rule looks for the ends of
    /// a text, or if those of Chinese strip it first.
    pub fn takes_several(&self) -> bool {
        !matches!(
            self.rules,
            Rules::CodePoints
                | Rules::EachSpace
                | Rules::Markers
                | Rules::Dotnet
                | Rules::Treebank
                | Rules::Zh
                | Rules::ZhFixed
        )
    }

    /// Whether nothing, rather than a blank, surrounds the line while the rules are applied:
    /// only 13a pads it.
    fn ends_are_open(&self) -> bool {
        matches!(
            self.rules,
            Rules::International
                | Rules::InternationalSplit
                | Rules::Tensor2Tensor
                | Rules::Zh
                | Rules::ZhFixed
        )
    }

    /// Fills `blocks`; returns the union of their `rewrite`, `wide` and `inner` bits, and as `joiner`
    /// where one joiner follows another.
    #[inline(always)]
    fn classify<I: Isa>(&self, isa: I, line: &Line, blocks: &mut Vec<Block>) -> Block {
        let mut seen = Block::default();
        let mut before = 0;
        let count = line.blocks().len();
        blocks.resize(count, seen);
        for (block, bytes) in blocks.iter_mut().zip(line.blocks()) {
            *block = isa.classify(bytes, &self.table);
            seen.rewrite |= block.rewrite;
            seen.wide |= block.wide;
            seen.inner |= block.inner;
            seen.joiner |= block.joiner & (block.joiner << 1 | before);
            before = block.joiner >> 63;
        }
        seen
    }

    /// Replaces markup; says whether any was there.
    #[cold]
    fn rewrite(&self, line: &mut Line, blocks: &[Block]) -> bool {
        // The class marks the first byte of a pattern, or the second.
        let text = line.padded();
        let begins = |at: usize| {
            let mut patterns = self.rewrites.iter().map(|(pattern, _)| pattern);
            patterns.any(|pattern| text[at..].starts_with(pattern))
        };
        let some = blocks.iter().enumerate();
        let some = some.filter(|(_, block)| block.rewrite != 0);
        let marked = some.flat_map(|(i, block)| {
            let bits = (0..64).filter(|bit| block.rewrite >> bit & 1 == 1);
            bits.map(move |bit| 64 * i + bit)
        });
        if !{ marked }.any(|at| begins(at) || (at > 0 && begins(at - 1))) {
            return false;
        }
        for (pattern, with) in self.rewrites {
            line.replace(pattern, with);
        }
        true
    }

    /// Adds the classes of the characters beyond ASCII.
    #[expect(
        clippy::expect_used,
        reason = "64 blanks follow each line, and none is wide"
    )]
    #[inline(always)]
    fn resolve_wide(&self, line: &Line, blocks: &mut [Block]) {
        let text = line.padded();
        // What the last character of a block leaves to the next, where it ends.
        let mut over = Block::default();
        for (i, block) in blocks.iter_mut().enumerate() {
            let mut extra = over;
            over = Block::default();
            let mut rest = block.wide;
            while rest != 0 {
                let shift = rest.trailing_zeros();
                rest &= rest - 1;
                let bytes = text[64 * i + shift as usize..].first_chunk();
                let (character, width) = decode_four(*bytes.expect("a line is padded"));
                let class = classes::of_wide(self.wide, character);
                let bits = (1_u64 << width) - 1;
                add(&mut extra, class, bits << shift, (bits & !1) << shift);
                if shift + width as u32 > 64 {
                    add(&mut over, class, bits >> (64 - shift), bits >> (64 - shift));
                }
            }
            let three = block.inner;
            let inner = three << 1 | three << 2;
            block.space |= extra.space;
            block.alone |= extra.alone | three | inner;
            block.joiner |= extra.joiner;
            block.digit |= extra.digit;
            block.inner = extra.inner | inner;
        }
    }
}

/// Adds a character to the masks of its class. No branch, and no mask in memory: text in which
/// every character is wide waits for nothing then.
#[inline(always)]
fn add(masks: &mut Block, class: u8, bits: u64, inner: u64) {
    let of = |wanted: u8| u64::from(class & wanted != 0).wrapping_neg();
    masks.space |= bits & of(class::SPACE);
    masks.alone |= bits & of(class::ALONE);
    masks.joiner |= bits & of(class::JOINER);
    masks.digit |= bits & of(class::DIGIT);
    masks.inner |= inner;
}

/// Takes out of `joiner` the last character of each run of joiners that stays in a word, but for
/// single bytes between digits, which [`emit`] sees itself.
#[inline(always)]
fn release_run_ends(blocks: &mut [Block], open: bool) {
    let mut joiner_before = 0;
    for i in 0..blocks.len() {
        let Block { joiner, digit, .. } = blocks[i];
        let digit_next = digit >> 1 | blocks.get(i + 1).map_or(0, |next| next.digit << 63);
        let mut ends = joiner & digit_next & (joiner << 1 | joiner_before);
        joiner_before = joiner >> 63;
        while ends != 0 {
            let last = 64 * i + ends.trailing_zeros() as usize;
            ends &= ends - 1;
            release_run_end(blocks, last, open);
        }
    }
}

/// `last` is the last byte of a run of joiners of two bytes or more, with a digit after it.
#[cold]
fn release_run_end(blocks: &mut [Block], last: usize, open: bool) {
    let has = |mask: fn(&Block) -> u64, at: usize| mask(&blocks[at / 64]) >> (at % 64) & 1 == 1;
    let is_inner = |at: usize| has(|block| block.inner, at);
    let mut first_of_last = last;
    while is_inner(first_of_last) {
        first_of_last -= 1;
    }
    let mut start = first_of_last;
    let mut before = 0; // joiners of the run before its last one
    while start > 0 && has(|block| block.joiner, start - 1) {
        start -= 1;
        before += usize::from(!is_inner(start));
    }
    let after_digit = if start == 0 {
        open
    } else {
        has(|block| block.digit, start - 1)
    };
    // Rule 2 takes the joiners at even places of the run, or at odd ones after a digit.
    let taken = (before % 2 == 0) != after_digit;
    if !taken {
        for at in first_of_last..=last {
            blocks[at / 64].joiner &= !(1 << (at % 64));
        }
    }
}

/// Writes where tokens start and end.
#[inline(always)]
fn emit<I: Isa>(isa: I, tokens: &mut Tokens, open: bool) {
    let (mut starts, mut ends) = (0, 0);
    tokens.reserve_spans();
    tokens.begun.clear();
    let (mut digit_before, mut word_before, mut alone_before) = (0, 0, 0);
    let mut joins_before = u64::from(open);
    for i in 0..tokens.blocks.len() {
        let block = tokens.blocks[i];
        let after_digit = block.digit << 1 | digit_before;
        let digit_next =
            block.digit >> 1 | tokens.blocks.get(i + 1).map_or(0, |next| next.digit << 63);
        let attached = block.joiner & (after_digit | joins_before) & digit_next;
        let alone = block.alone | (block.joiner & !attached) | (block.dash & after_digit);
        let word = !(alone | block.space);
        let after_word = word << 1 | word_before;
        let after_alone = alone << 1 | alone_before;
        let start = (alone & !block.inner) | (word & !after_word);
        let end = (after_alone & !block.inner) | (after_word & !word);
        let base = 64 * i as u32;
        tokens.begun.add(start, starts);
        starts += isa.bit_positions(start, base, window(&mut tokens.starts, starts));
        ends += isa.bit_positions(end, base, window(&mut tokens.ends, ends));
        digit_before = block.digit >> 63;
        word_before = word >> 63;
        alone_before = alone >> 63;
        joins_before = 0;
    }
    debug_assert_eq!(starts, ends);
    tokens.end_spans(starts);
}

/// A token ends at each space and at the end of the line; the next one starts after it.
#[inline(always)]
fn emit_between_spaces<I: Isa>(isa: I, tokens: &mut Tokens) {
    let end_of_line = tokens.line.text().len();
    let (mut starts, mut ends) = (0, 0);
    tokens.reserve_spans();
    let mut starts_here = 1;
    for i in 0..tokens.blocks.len() {
        let mut end = tokens.blocks[i].space;
        let mut start = end << 1 | starts_here;
        starts_here = end >> 63;
        if i == end_of_line / 64 {
            let last = 1 << (end_of_line % 64);
            end = end & (last - 1) | last;
            start &= last | (last - 1);
        }
        let base = 64 * i as u32;
        starts += isa.bit_positions(start, base, window(&mut tokens.starts, starts));
        ends += isa.bit_positions(end, base, window(&mut tokens.ends, ends));
    }
    debug_assert_eq!(starts, ends);
    tokens.end_spans(ends);
}

/// The markup that the tokenizers of mteval replace first, and the bytes with which it begins.
///
/// The order matters: `&amp;lt;` ends as `<`, and `&amp;quot;` as `&quot;`. In the text of an SGML
/// file, where `&` had been escaped, only the entries after `&amp;` in the list have an effect.
fn rewrites(rules: Rules, markup: Markup) -> (&'static [u8], Rewrites) {
    match (rules, markup) {
        (Rules::V13a | Rules::V13aCjk, Markup::Text) => (
            b"&<\n",
            &[
                (b"<skipped>", b""),
                (b"-\n", b""),
                (b"&quot;", b"\""),
                (b"&amp;", b"&"),
                (b"&lt;", b"<"),
                (b"&gt;", b">"),
            ],
        ),
        (Rules::V13a | Rules::V13aCjk, Markup::Sgml) => {
            (b"&\n", &[(b"-\n", b""), (b"&lt;", b"<"), (b"&gt;", b">")])
        }
        (Rules::International | Rules::InternationalSplit, Markup::Sgml) => {
            (b"&", &[(b"&lt;", b"<"), (b"&gt;", b">"), (b"&apos;", b"'")])
        }
        _ => (b"", &[]),
    }
}

/// Python's `str.strip`, which sacreBLEU's Chinese tokenizer begins with.
fn strip(line: &mut Line) {
    let text = line.text();
    let kept = trim_start(trim_end(text));
    if kept.len() != text.len() {
        let start = trim_end(text).len() - kept.len();
        let len = kept.len();
        line.keep(start, len);
    }
}
