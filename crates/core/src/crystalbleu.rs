//! `CrystalBLEU` (Eghbali and Pradel 2022): BLEU without the n-grams that any two texts share. A row is
//! BLEU's.

use crate::columns::views::Text;
use crate::count::Trie;
use crate::normalize::Case;
use crate::plan::Plan;
use crate::settings::{Named, Settings};
use crate::simd::{Isa, Task, dispatch};
use crate::tokenize::Tokens;

/// Compiles settings: `ignore`, and those of a plan; see [`Plan::compile`]. `ignore` has for each
/// n-gram the number of its words and `;`, and for each word its bytes, `:` and itself.
pub fn compile<'a>(settings: impl Named<'a>) -> Result<Plan, String> {
    let mut settings = Settings(settings.into_iter().collect());
    let ignore = settings.0.remove("ignore").unwrap_or_default();
    let mut plan = Plan::compile(settings.0)?;
    let ngrams = ngrams(ignore).ok_or("ignore must be a list of n-grams")?;
    plan.count.ignored = Some(dispatch(plan.level, Enter(&plan, ngrams))?);
    Ok(plan)
}

/// The words of each n-gram in a setting.
fn ngrams(mut text: &str) -> Option<Vec<Vec<&str>>> {
    fn number(text: &mut &str, mark: char) -> Option<usize> {
        let (digits, rest) = text.split_once(mark)?;
        *text = rest;
        digits.parse().ok()
    }
    let mut ngrams = Vec::new();
    while !text.is_empty() {
        let mut ngram = Vec::new();
        for _ in 0..number(&mut text, ';')? {
            let bytes = number(&mut text, ':')?;
            let (word, rest) = text.split_at_checked(bytes)?;
            ngram.push(word);
            text = rest;
        }
        ngrams.push(ngram);
    }
    Some(ngrams)
}

struct Enter<'a>(&'a Plan, Vec<Vec<&'a str>>);

impl Task for Enter<'_> {
    type Output = Result<Trie, String>;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Self::Output {
        let Self(plan, ngrams) = self;
        let (mut trie, mut tokens) = (Trie::default(), Tokens::default());
        for ngram in ngrams {
            let words = ngram.iter().map(|word| Text::Utf8(word.as_bytes()));
            tokens
                .read_words(isa, Case::Mixed, words)
                .map_err(|fault| format!("ignore cannot be read: {fault:?}"))?;
            tokens.make_keys(isa, &plan.seed);
            trie.enter_one(&tokens);
        }
        Ok(trie)
    }
}
