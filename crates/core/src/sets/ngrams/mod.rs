//! The n-grams that segments of a set share.
//!
//! A token is identified by its bytes, and an n-gram by the two shorter ones that it begins and
//! ends with and that cover it, so that nothing is identified by a hash. A *feature* is an n-gram
//! together with how often it has occurred in its segment: "the second `of the`". Two segments share
//! as many n-grams, clipped, as they share features: `min(a, b)` is the number of `k` with `k <= a`
//! and `k <= b`.

mod numbering;
mod shared;

pub use crate::count::NONE;
pub use numbering::Numbering;
pub use shared::{Search, half, is_needed};

/// Segments as numbers.
#[derive(Debug)]
pub struct Documents {
    /// The numbers of all tokens, one segment after the other.
    pub tokens: Vec<u32>,
    /// The bounds of segments: segment `i` is `tokens[bounds[i]..bounds[i + 1]]`.
    pub bounds: Vec<usize>,
    /// The length of each segment as a hypothesis.
    pub hyp_lens: Vec<usize>,
    /// The number of different tokens.
    pub vocabulary: usize,
}

impl Documents {
    pub fn len(&self) -> usize {
        self.hyp_lens.len()
    }

    /// The segments at some places, in that order.
    #[must_use]
    pub fn pick(&self, places: &[usize]) -> Self {
        let mut picked = Self {
            vocabulary: self.vocabulary,
            ..Self::default()
        };
        for &place in places {
            let tokens = &self.tokens[self.bounds[place]..self.bounds[place + 1]];
            picked.tokens.extend_from_slice(tokens);
            picked.bounds.push(picked.tokens.len());
            picked.hyp_lens.push(self.hyp_lens[place]);
        }
        picked
    }

    /// Tokens of a segment.
    #[inline]
    pub fn tokens_of(&self, document: usize) -> usize {
        self.bounds[document + 1] - self.bounds[document]
    }
}

impl Default for Documents {
    fn default() -> Self {
        Self {
            tokens: Vec::new(),
            bounds: vec![0],
            hyp_lens: Vec::new(),
            vocabulary: 0,
        }
    }
}
