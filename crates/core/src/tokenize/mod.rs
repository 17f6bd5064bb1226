//! Second decision: what is a token.
//!
//! Tokenizers differ only in the class of each character. A table holds the classes ([`classes`]), and
//! one set of rules turns them into tokens ([`split`]).

mod classes;
mod dotnet;
mod ids;
mod places;
mod split;
mod tokens;
#[cfg(not(target_family = "wasm"))] // 6 kB, which web pages are without
mod treebank;

use crate::settings::choices;

pub use classes::Whitespace;
pub use places::Places;
pub use split::Tokenizer;
pub(crate) use tokens::{HASHED, PADDING};
pub use tokens::{Name, Seed, Tokens};

/// Unicode version of the categories that [`Rules::International`] reads.
pub const CATEGORIES_VERSION: (u64, u64, u64) = unicode_properties::UNICODE_VERSION;

choices! {
    /// The kind of text.
    pub enum Markup {
        /// Text that may contain entities.
        Text = "text",
        /// The text of an SGML file, in which `&`, `<` and `>` were escaped.
        Sgml = "sgml",
    }
}

choices! {
    /// The tokenizers that need no library. Patterns of rows of the table are among them.
    pub enum Rules {
        /// White space alone.
        Whitespace = "none",
        /// mteval-v13a's, for Western languages.
        V13a = "13a",
        /// Bleualign's: the rules of 13a as one pattern, in which a joiner stays in a word between two
        /// digits only. Spaces alone separate words.
        V13aPattern = r"re:[!-&(-+/:-@\[-`{-~]|(?<![0-9])[.,]|[.,](?![0-9])|(?<=[0-9])-|(?:(?![ -&(-+/:-@\[-`{-~]|(?<![0-9])[.,]|[.,](?![0-9])|(?<=[0-9])-)(?s:.))+",
        /// Marian's: 13a, then each Han, kana or Thai character alone.
        V13aCjk = "13a-cjk",
        /// mteval-v14's international rules: punctuation and symbols by Unicode category.
        International = "intl",
        /// The same after all characters beyond ASCII were split off (mteval's option `-e`).
        InternationalSplit = "intl-split",
        /// Each Chinese character alone, the rest as 13a, with the ranges that sacreBLEU 2.6.0 has:
        /// U+2001..U+2A6D count as Chinese (its issue 298), extension B does not.
        Zh = "zh",
        /// The same with the ranges its authors meant.
        ZhFixed = "zh-fixed",
        /// Each character alone, without white space.
        Characters = "char",
        /// tensor2tensor's version of the international rules: digits are decimal, and the
        /// backslash is not punctuation.
        Tensor2Tensor = "t2t",
        /// Runs of letters, digits and underscores: the `\w+` of tutorials.
        Words = "words",
        /// Runs of letters and digits, and each other character that is not white space.
        WordMarks = r"re:[^\W_]+|\S",
        /// Each character, white space too.
        CodePoints = "re:(?s:.)",
        /// TensorFlow NMT's `split(" ")`: there is an empty token between two spaces.
        EachSpace = "space",
        /// White space alone, between `<s>` and `</s>`.
        Markers = "markers",
        /// .NET's: words in capitals, and numbers with the punctuation after them.
        Dotnet = "dotnet",
        /// NLTK's `word_tokenize` of one line.
        Treebank = "nltk-line",
    }
}

impl Rules {
    /// Whether no token is empty or contains white space.
    pub fn tokens_are_words(self) -> bool {
        !matches!(
            self,
            Self::EachSpace | Self::CodePoints | Self::V13aPattern | Self::Dotnet
        )
    }
}
