//! The fewest edits, as Tercom looks for them in sacreBLEU 2.6.0 (`lib_ter`): block after block is
//! moved to where it does most good, and what is left is an edit distance. Limits and the order in
//! which blocks are preferred decide the number, and are sacreBLEU's; its cache changes none.

use super::distance::{Bits, Matrix};
use super::moves::Move;
use crate::columns::views::Fault;
use crate::run::interrupt;

/// The longest block that is moved.
const BLOCK: usize = 10;
/// How far a block may be from where the reference has it.
const FAR: usize = 50;
/// After so many moves were tried, the search ends, and the last round of it counts for nothing.
const TRIED: usize = 1_000;

/// Most words of a hypothesis, times those of its reference: 8,192 and as many. Its matrix takes
/// 335 MB, and filling it up to 1,000 times about 20 s.
const COMPARED: usize = 1 << 26;

/// Counts edits; its buffers are used again and again.
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
                    // Behind each word of the block in the reference, and before the first.
                    for behind in at..=at + length {
                        let target = alignment.target(behind);
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
                        let rank = |found: usize, one: Move| {
                            let Move {
                                start,
                                length,
                                target,
                            } = one;
                            (found, usize::MAX - length, start, target)
                        };
                        if best.is_none_or(|(found, other)| rank(after, one) < rank(found, other)) {
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

/// Where the reference has each word.
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

/// Which word of the hypothesis stands for which of the reference, and which are wrong.
#[derive(Debug, Default)]
struct Alignment {
    /// For each word of the reference how many words of the hypothesis there are up to its own, or
    /// up to where it is missing.
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

    /// Where a block is put that belongs behind the first `behind` words of the reference.
    fn target(&self, behind: usize) -> usize {
        behind.checked_sub(1).map_or(0, |last| self.through[last])
    }
}
