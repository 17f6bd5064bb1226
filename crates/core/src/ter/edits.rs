//! Counts edits as Tercom does in sacreBLEU 2.6.0 (`lib_ter`): block after block is moved to where it
//! reduces the edit distance most, which is then added. Limits and the preference among blocks decide
//! the number, and are sacreBLEU's.

use super::distance::{Bits, Matrix};
use super::moves::Move;
use crate::columns::views::Fault;
use crate::run::interrupt;

/// The longest block that is moved.
const BLOCK: usize = 10;
/// Most words between a block and its place in the reference.
const FAR: usize = 50;
/// The search ends after this many trials; the moves of its last round are dropped.
const TRIED: usize = 1_000;

/// Largest matrix: 8,192 words of a hypothesis and of its reference take 335 MB and up to 20 s.
const COMPARED: usize = 1 << 26;

/// Counts edits in reused buffers.
#[derive(Debug, Default)]
pub struct Editor {
    places: Places,
    alignment: Alignment,
    matrix: Matrix,
    bits: Bits,
    words: Vec<u32>,
}

impl Editor {
    /// Edits from `hyp` to `reference`; all words are numbers below `distinct`.
    pub fn count(
        &mut self,
        hyp: &[u32],
        reference: &[u32],
        distinct: usize,
    ) -> Result<usize, Fault> {
        if reference.is_empty() {
            return Ok(hyp.len());
        }
        if hyp.len().saturating_mul(reference.len()) > COMPARED {
            return Err(Fault::TooManyWords(hyp.len(), reference.len()));
        }
        self.places.find(reference, distinct);
        self.bits.prepare(hyp.len(), reference, distinct);
        self.words.clear();
        self.words.extend_from_slice(hyp);
        let (mut moves, mut tried) = (0, 0);
        loop {
            interrupt::check();
            let distance = self.matrix.fill(&self.words, reference);
            if distance == 0 {
                return Ok(moves);
            }
            match self.best_move(reference, &mut tried) {
                Some((fewer, best)) if tried < TRIED && fewer < distance => {
                    let (kept, parts) = best.apply(&self.words);
                    self.words = [&self.words[..kept], parts[0], parts[1], parts[2]].concat();
                    moves += 1;
                }
                _ => return Ok(moves + distance),
            }
        }
    }

    /// The move after which the edit distance is the smallest, and that distance. Of several: the
    /// longest block, then the first one, then the first place.
    fn best_move(&mut self, reference: &[u32], tried: &mut usize) -> Option<(usize, Move)> {
        let Self {
            places,
            alignment,
            matrix,
            bits,
            words,
        } = self;
        alignment.read(matrix, words.len(), reference.len());
        bits.read(words);
        let mut best: Option<(usize, Move)> = None;
        for start in 0..words.len() {
            for &at in places.of(words[start]) {
                let at = at as usize;
                if at.abs_diff(start) > FAR {
                    continue;
                }
                let same = |i: &usize| words.get(start + i) == reference.get(at + i);
                let longest = BLOCK.min(words.len() - start).min(reference.len() - at);
                for length in (0..longest).take_while(same).map(|i| i + 1) {
                    if !alignment.is_wrong(start, at, length) {
                        continue;
                    }
                    let mut last = None;
                    // After each word of the block in the reference, and before the first.
                    for words_before in at..=at + length {
                        let target = alignment.target(words_before);
                        if last == Some(target) {
                            continue;
                        }
                        last = Some(target);
                        let one = Move {
                            start,
                            length,
                            target,
                        };
                        let after = bits
                            .distance(words, one)
                            .unwrap_or_else(|| matrix.distance(words, reference, one));
                        *tried += 1;
                        let rank = |edits: usize, one: Move| {
                            (edits, usize::MAX - one.length, one.start, one.target)
                        };
                        if best.is_none_or(|(edits, other)| rank(after, one) < rank(edits, other)) {
                            best = Some((after, one));
                        }
                    }
                    if *tried >= TRIED {
                        return best;
                    }
                }
            }
        }
        best
    }
}

/// The positions of each word in the reference.
#[derive(Debug, Default)]
struct Places {
    /// The places of word `i` are `places[bounds[i]..bounds[i + 1]]`, ascending.
    bounds: Vec<u32>,
    places: Vec<u32>,
}

impl Places {
    fn find(&mut self, reference: &[u32], distinct: usize) {
        self.bounds.clear();
        self.bounds.resize(distinct + 2, 0);
        for &word in reference {
            self.bounds[word as usize + 2] += 1;
        }
        for i in 2..self.bounds.len() {
            self.bounds[i] += self.bounds[i - 1];
        }
        self.places.clear();
        self.places.resize(reference.len(), 0);
        for (place, &word) in reference.iter().enumerate() {
            let next = &mut self.bounds[word as usize + 1];
            self.places[*next as usize] = place as u32;
            *next += 1;
        }
    }

    fn of(&self, word: u32) -> &[u32] {
        let word = word as usize;
        &self.places[self.bounds[word] as usize..self.bounds[word + 1] as usize]
    }
}

/// Which word of the hypothesis is aligned with which of the reference, and which are errors.
#[derive(Debug, Default)]
struct Alignment {
    /// For each word of the reference, the number of words of the hypothesis up to its
    /// counterpart, or up to where that is missing.
    through: Vec<usize>,
    /// Errors among the first words of each.
    hyp_errors: Vec<u32>,
    ref_errors: Vec<u32>,
}

impl Alignment {
    fn read(&mut self, matrix: &Matrix, hyp_len: usize, ref_len: usize) {
        self.through.clear();
        self.through.resize(ref_len, 0);
        for (errors, len) in [
            (&mut self.hyp_errors, hyp_len),
            (&mut self.ref_errors, ref_len),
        ] {
            errors.clear();
            errors.resize(len + 1, 0);
        }
        matrix.trace(hyp_len, ref_len, |in_hyp, in_ref, wrong, end| {
            if in_ref {
                self.through[end.1 - 1] = end.0;
                self.ref_errors[end.1] = u32::from(wrong);
            }
            if in_hyp {
                self.hyp_errors[end.0] = u32::from(wrong);
            }
        });
        for errors in [&mut self.hyp_errors, &mut self.ref_errors] {
            for i in 1..errors.len() {
                errors[i] += errors[i - 1];
            }
        }
    }

    /// Whether the block at `start` and its place `at` in the reference both have an error, and the
    /// place is not in the block itself.
    fn is_wrong(&self, start: usize, at: usize, length: usize) -> bool {
        let any = |errors: &[u32], from: usize| errors[from + length] > errors[from];
        let aligned = self.through[at]; // one more than the position, which may be before all
        any(&self.hyp_errors, start)
            && any(&self.ref_errors, at)
            && !(start + 1..=start + length).contains(&aligned)
    }

    /// The target of a block that belongs after the first `words_before` words of the reference.
    fn target(&self, words_before: usize) -> usize {
        words_before
            .checked_sub(1)
            .map_or(0, |last| self.through[last])
    }
}
