//! The first or the last tokens of texts, and beginnings or endings that texts share.

use std::collections::HashMap;

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use truebleu_core::characters::is_space;
use truebleu_core::columns::interner::Words;

/// Kinds of characters besides letters, which are 1, and others, which are 0.
const DECIMAL: u32 = 2;
const SPACE: u32 = 3;

/// All numbers are one token, and so are all blanks.
const NUMBER: u32 = 0;
const BLANKS: u32 = 1;

/// The fewest characters of a longer word, and those that are compared.
const LONG: usize = 4;
const STEM: usize = 5;

/// Tokens that some rows begin or end with, these rows, and the place of the next such tokens that
/// do not begin with these.
type Shared = (Vec<String>, Vec<usize>, usize);

/// The first tokens of each text, or the last ones, backwards: those of so many characters.
///
/// `character` returns for a character the one to read instead, its kind (1 for letters, 2 for
/// decimal digits, 3 for blanks, 0 for others), and whether a token that it begins is a number.
#[pyfunction]
pub fn end_tokens(
    texts: Vec<Bound<'_, PyString>>,
    letters: usize,
    at_end: bool,
    character: &Bound<'_, PyAny>,
) -> PyResult<Vec<Vec<String>>> {
    let mut reader = Reader::new(letters, at_end, character);
    let rows = reader.read(&texts)?;
    let name = |&token: &u32| reader.names[token as usize].clone();
    Ok(rows
        .iter()
        .map(|row| row.iter().map(name).collect())
        .collect())
}

/// The numbers of the longer words among the tokens of [`end_tokens`], as numbers of four bytes: as
/// many for each text, zeros after those of its words. Words that begin alike have one number.
#[pyfunction]
pub fn end_words<'py>(
    py: Python<'py>,
    texts: Vec<Bound<'py, PyString>>,
    letters: usize,
    at_end: bool,
    character: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyBytes>> {
    let mut reader = Reader::new(letters, at_end, character);
    let rows = reader.read(&texts)?;
    let mut known = HashMap::new();
    let mut numbers = Vec::with_capacity(reader.names.len());
    for name in &reader.names {
        let stem: String = name.chars().take(STEM).collect();
        let next = known.len() as u32 + 1;
        let is_long = name.chars().count() >= LONG;
        numbers.push(if is_long {
            *known.entry(stem).or_insert(next)
        } else {
            0
        });
    }
    let mut words = vec![0; rows.len() * letters.div_ceil(LONG)];
    let parts = words.chunks_exact_mut(letters.div_ceil(LONG).max(1));
    for (row, part) in rows.iter().zip(parts) {
        let mut count = 0;
        for &token in row {
            let word = numbers[token as usize];
            if word != 0 && !part[..count].contains(&word) {
                part[count] = word;
                count += 1;
            }
        }
    }
    let bytes: Vec<u8> = words.into_iter().flat_map(u32::to_ne_bytes).collect();
    Ok(PyBytes::new(py, &bytes))
}

/// The beginnings or endings that at least `fewest` texts of the first column share, and that the
/// texts of the same rows in other columns do not have, with the rows in which only the first has
/// them. At most one in `times` as many rows are the other way round.
///
/// They come in the order of a walk down the tree of all tokens.
#[pyfunction]
pub fn shared_ends(
    columns: Vec<Vec<Bound<'_, PyString>>>,
    letters: usize,
    at_end: bool,
    character: &Bound<'_, PyAny>,
    limits: (usize, usize),
) -> PyResult<Vec<Shared>> {
    let (fewest, times) = limits;
    let mut reader = Reader::new(letters, at_end, character);
    let read: PyResult<Vec<_>> = columns.iter().map(|texts| reader.read(texts)).collect();
    let columns = read?;
    let mut search = Search {
        columns: &columns,
        names: &reader.names,
        fewest,
        times,
        places: vec![NONE; reader.names.len()],
        is_own: vec![false; columns.iter().map(Vec::len).max().unwrap_or(0)],
        path: Vec::new(),
        found: Vec::new(),
    };
    let rows = columns.iter().map(|column| (0..column.len()).collect());
    search.visit(&rows.collect::<Vec<_>>());
    Ok(search.found)
}

/// Reads the tokens at one end of texts.
struct Reader<'a, 'py> {
    letters: usize,
    at_end: bool,
    character: &'a Bound<'py, PyAny>,
    /// What is known of each code point; zero of others. Untouched zeros take no memory.
    known: Vec<Character>,
    words: Words,
    /// The tokens by their numbers.
    names: Vec<String>,
}

/// A character: the code point to read, and above it its kind, whether it begins a number, and a bit
/// that is always set.
type Character = u32;

const CODE: u32 = 0x001F_FFFF;
const KIND: u32 = 21;
const BEGINS_NUMBER: u32 = 1 << 23;
const KNOWN: u32 = 1 << 24;

impl<'a, 'py> Reader<'a, 'py> {
    fn new(letters: usize, at_end: bool, character: &'a Bound<'py, PyAny>) -> Self {
        let mut reader = Self {
            letters,
            at_end,
            character,
            known: vec![0; char::MAX as usize + 1],
            words: Words::default(),
            names: Vec::new(),
        };
        reader.words.clear();
        assert_eq!(
            [NUMBER, BLANKS],
            ['0', ' '].map(|name| reader.number(&[name.into()]))
        );
        reader
    }

    fn number(&mut self, token: &[u32]) -> u32 {
        let number = self.words.number(token);
        if number as usize == self.names.len() {
            self.names
                .push(token.iter().copied().filter_map(char::from_u32).collect());
        }
        number
    }

    fn read(&mut self, texts: &[Bound<'py, PyString>]) -> PyResult<Vec<Vec<u32>>> {
        let (mut part, mut token) = (Vec::new(), Vec::new());
        let mut rows = Vec::with_capacity(texts.len());
        for text in texts {
            let text = text.to_str()?.trim_matches(|one| is_space(u32::from(one)));
            part.clear();
            let mut rest = text.chars();
            while part.len() < self.letters
                && let Some(next) = if self.at_end {
                    rest.next_back()
                } else {
                    rest.next()
                }
            {
                part.push(self.character(next)?);
            }
            if self.at_end {
                part.reverse();
            }
            let mut row = Vec::with_capacity(part.len() / 2);
            let mut left = &part[..];
            while let [first, ..] = *left {
                let (whole, after) = left.split_at(length(left));
                left = after;
                row.push(if first & BEGINS_NUMBER != 0 {
                    NUMBER
                } else if kind(first) == SPACE {
                    BLANKS
                } else {
                    token.clear();
                    token.extend(whole.iter().map(|one| one & CODE));
                    self.number(&token)
                });
            }
            if self.at_end {
                row.reverse();
            }
            if !rest.as_str().is_empty() {
                row.pop(); // half a word
            }
            rows.push(row);
        }
        Ok(rows)
    }

    fn character(&mut self, character: char) -> PyResult<Character> {
        let known = self.known[character as usize];
        if known != 0 {
            return Ok(known);
        }
        let (read, kind, is_digit): (char, u32, bool) =
            self.character.call1((character,))?.extract()?;
        let digit = if is_digit { BEGINS_NUMBER } else { 0 };
        let known = KNOWN | digit | kind << KIND | u32::from(read);
        self.known[character as usize] = known;
        Ok(known)
    }
}

fn kind(character: Character) -> u32 {
    character >> KIND & 3
}

/// The length of the first token: an escaped line break, a word, a number, blanks, or one other
/// character.
fn length(part: &[Character]) -> usize {
    let run = |start: usize, of: u32| {
        part[start..]
            .iter()
            .take_while(|&&one| kind(one) == of)
            .count()
    };
    let is_any = |at: usize, signs: &[char]| {
        part.get(at)
            .is_some_and(|one| signs.iter().any(|&sign| one & CODE == u32::from(sign)))
    };
    match kind(part[0]) {
        DECIMAL => {
            let mut end = run(0, DECIMAL);
            while is_any(end, &['.', ',']) && run(end + 1, DECIMAL) > 0 {
                end += 1 + run(end + 1, DECIMAL);
            }
            end
        }
        0 if is_any(0, &['\\']) && is_any(1, &['n', 'r', 't']) => 2,
        0 => 1,
        kind => run(0, kind),
    }
}

const NONE: usize = usize::MAX;

/// A walk down the tree of the first tokens of all columns.
struct Search<'a> {
    columns: &'a [Vec<Vec<u32>>],
    names: &'a [String],
    fewest: usize,
    times: usize,
    /// The place of a token among the children of a node; `NONE` between the uses.
    places: Vec<usize>,
    /// Which rows the first column has; none between the uses.
    is_own: Vec<bool>,
    path: Vec<u32>,
    found: Vec<Shared>,
}

impl Search<'_> {
    /// Visits the node of the path; each column has some rows there.
    fn visit(&mut self, rows: &[Vec<usize>]) {
        let depth = self.path.len();
        let at = self.found.len();
        let only_here = if depth == 0 {
            Vec::new()
        } else {
            self.only_here(rows)
        };
        let is_found = !only_here.is_empty();
        if is_found {
            let name = |&token: &u32| self.names[token as usize].clone();
            self.found
                .push((self.path.iter().map(name).collect(), only_here, 0));
        }
        for (token, rows) in self.children(rows, depth).into_iter().rev() {
            self.path.push(token);
            self.visit(&rows);
            self.path.pop();
        }
        if is_found {
            self.found[at].2 = self.found.len();
        }
    }

    /// The tokens that enough rows of the first column go on with, as they come, and their rows.
    fn children(&mut self, rows: &[Vec<usize>], depth: usize) -> Vec<(u32, Vec<Vec<usize>>)> {
        let mut counts: Vec<(u32, usize)> = Vec::new();
        let next = |column: usize, row: usize| self.columns[column][row].get(depth).copied();
        for token in rows[0].iter().filter_map(|&row| next(0, row)) {
            let place = &mut self.places[token as usize];
            if *place == NONE {
                *place = counts.len();
                counts.push((token, 0));
            }
            counts[*place].1 += 1;
        }
        let mut children = Vec::new();
        for &(token, count) in &counts {
            self.places[token as usize] = if count < self.fewest {
                NONE
            } else {
                children.push((token, vec![Vec::new(); rows.len()]));
                children.len() - 1
            };
        }
        for (column, rows) in rows.iter().enumerate() {
            for &row in rows {
                if let Some(token) = next(column, row)
                    && let Some((_, parts)) = children.get_mut(self.places[token as usize])
                {
                    parts[column].push(row);
                }
            }
        }
        for &(token, _) in &children {
            self.places[token as usize] = NONE;
        }
        children
    }

    /// The rows of the first column that no other has, if the opposite is rare; else none.
    fn only_here(&mut self, rows: &[Vec<usize>]) -> Vec<usize> {
        let (own, others) = (&rows[0], rows[1..].concat());
        for &row in own {
            self.is_own[row] = true;
        }
        let mut only_there = 0;
        // Those of both are taken off; a row that several others have is counted once.
        let mut both = others;
        both.sort_unstable();
        both.dedup();
        both.retain(|&row| {
            only_there += usize::from(!self.is_own[row]);
            self.is_own[row]
        });
        for row in both {
            self.is_own[row] = false;
        }
        let mut new = own.clone();
        new.retain(|&row| std::mem::take(&mut self.is_own[row]));
        if new.len() < self.fewest.max(self.times * only_there) {
            new.clear();
        }
        new
    }
}
