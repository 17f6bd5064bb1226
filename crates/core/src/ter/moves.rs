//! Moves of blocks, TER's fourth edit.

/// A block of the hypothesis and where it is put: before the word `target`.
#[derive(Clone, Copy, Debug)]
pub struct Move {
    pub start: usize,
    pub length: usize,
    pub target: usize,
}

impl Move {
    /// How many words stay where they are at the start, and what comes behind them, in three parts.
    pub fn apply(self, words: &[u32]) -> (usize, [&[u32]; 3]) {
        let Self {
            start,
            length,
            target,
        } = self;
        let end = start + length;
        if target < start {
            (
                target,
                [&words[start..end], &words[target..start], &words[end..]],
            )
        } else {
            // To a place within itself, a block is moved on by as many words.
            let until = if target > end {
                target
            } else {
                length + target
            };
            let until = until.min(words.len());
            (
                start,
                [&words[end..until], &words[start..end], &words[until..]],
            )
        }
    }
}
