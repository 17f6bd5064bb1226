//! Second decision: what is a token.
//!
//! The tokenizers of the field differ in one thing only: the class of each character. A table
//! gives the classes ([`classes`]), and one set of rules turns them into tokens ([`split`]).

mod classes;
mod ids;
mod split;
mod tokens;

pub use classes::Whitespace;
pub use split::Tokenizer;
pub(crate) use tokens::HASHED;
pub use tokens::{Name, Seed, Tokens};

/// Unicode version of the categories that [`Rules::International`] reads.
pub const CATEGORIES_VERSION: (u64, u64, u64) = unicode_properties::UNICODE_VERSION;

/// The tokenizers that need no library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rules {
    /// White space alone.
    Whitespace,
    /// mteval-v13a's, for Western languages.
    V13a,
    /// mteval-v14's international rules: punctuation and symbols by Unicode category.
    International,
    /// The same after all characters beyond ASCII were set apart (mteval's option `-e`).
    InternationalSplit,
    /// Each Chinese character alone, the rest as 13a, with the ranges that sacreBLEU 2.6.0 has:
    /// U+2001..U+2A6D count as Chinese (its issue 298), extension B does not.
    Zh,
    /// The same with the ranges its authors meant.
    ZhFixed,
    /// Each character alone.
    Characters,
}
