//! Moves of blocks, TER's fourth edit.

/// A block of the hypothesis that is moved before the word `target`.
#[derive(Clone, Copy, Debug)]
pub struct Move {
    pub start: usize,
    pub length: usize,
    pub target: usize,
}

impl Move {
    /// The number of words at the start that stay, and the three parts after them.
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
            // A target within the block moves the block by that many words.
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
