//! Columns of Python objects, Arrow arrays and lines as views: no text is copied.
//!
//! Every kind of column is read to its leaves (strings, or rows of token ids) and the bounds of the
//! lists around them; [`corpus`] then interprets the lists.

mod arrow;
mod ids;
mod lines;
mod objects;
mod source;
mod unpaired;

use std::ops::Range;

use arrow_array::{Array, ArrayRef};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use truebleu_core::columns::views::{Corpus, Ids, Marks, Segments, Text};

use crate::{input_error, panics};
use objects::{Held, Objects, is_list};
use source::slice;

pub use ids::Ids as IdColumn;
pub use lines::{invalid_utf8, lines_end};
pub use objects::{hold_words, text};
pub use source::{Source, Tokenized, spaced_periods};
pub use unpaired::{alone, crossed, id_bounds, texts};

/// A column, which keeps its text alive and unchanged while it is read.
pub enum Column<'py> {
    Objects(Objects<'py>),
    Arrays(Vec<ArrayRef>),
    Ids(ids::IdRows),
    /// UTF-8 files with one segment a line; several are the references of the same segments.
    Lines(Vec<(Bound<'py, PyBytes>, Range<usize>)>),
}

/// UTF-8 files with one segment a line, and the range of bytes in each; several files are the
/// references of the same segments.
#[pyclass(frozen, module = "truebleu._core")]
pub struct Lines(Vec<(Py<PyBytes>, Range<usize>)>);

#[pymethods]
impl Lines {
    #[new]
    fn new(py: Python<'_>, files: Vec<(Py<PyBytes>, usize, usize)>) -> PyResult<Self> {
        let checked = |(data, start, end): (Py<PyBytes>, usize, usize)| {
            let length = data.as_bytes(py).len();
            if start <= end && end <= length {
                return Ok((data, start..end));
            }
            let message = format!("{start} to {end} is not a part of {length} bytes");
            Err(PyValueError::new_err(message))
        };
        files
            .into_iter()
            .map(checked)
            .collect::<PyResult<_>>()
            .map(Self)
    }
}

/// A column as read: its innermost items, which may be `None`, and the bounds of each level of lists,
/// outermost first.
struct Flat<L> {
    leaves: Vec<Option<L>>,
    levels: Vec<Vec<usize>>,
}

/// The error for ids where a plan reads letters.
const LETTERS: &str =
    "this dialect looks at the letters of words, which token ids do not have; give words";

/// The innermost items of a column.
enum Content<'a> {
    Texts(Flat<Text<'a>>),
    /// The innermost lists of ids are the items.
    Ids(Flat<Ids<'a>>),
}

/// How columns are to be read: the ids of padding, the ids that end a segment, and how many
/// hypotheses share an entry of the references.
pub type HowArgs = (Vec<i64>, Vec<i64>, usize);

/// The same, checked.
pub struct How {
    pub marks: Marks,
    /// Hypotheses to an entry of the references.
    pub group: usize,
    /// Whether the plan reads the letters of words.
    pub reads_letters: bool,
}

impl How {
    pub fn new((pads, ends, group): HowArgs) -> PyResult<Self> {
        if group == 0 {
            return Err(PyValueError::new_err("a group has at least one hypothesis"));
        }
        Ok(Self {
            marks: Marks { pads, ends },
            group,
            reads_letters: false,
        })
    }
}

impl<'py> Column<'py> {
    /// Borrows `object`: a tuple or list of strings or lists, lines, or an object that exports an
    /// Arrow array or stream.
    pub fn new(name: &str, object: &Bound<'py, PyAny>) -> PyResult<Self> {
        if is_list(object) {
            return Self::of_objects(name, slice(object, 0, object.len()?)?);
        }
        if let Ok(rows) = object.cast::<ids::Ids>() {
            return ids::IdRows::view(name, rows).map(Self::Ids);
        }
        if let Ok(lines) = object.cast::<Lines>() {
            let files = lines.get().0.iter();
            let bound = |(data, range): &(Py<PyBytes>, Range<usize>)| {
                (data.bind(object.py()).clone(), range.clone())
            };
            return Ok(Self::Lines(files.map(bound).collect()));
        }
        panics::arrow(object.py(), name, || arrow::import(name, object)).map(Self::Arrays)
    }

    fn of_objects(name: &str, items: Held<'py>) -> PyResult<Self> {
        let objects = Objects::new(name, items, 0, None)?;
        if objects.hold_integers() {
            objects.ids(name, 0).map(Self::Ids)
        } else {
            Ok(Self::Objects(objects))
        }
    }

    /// Number of items, which are segments or their references.
    pub fn len(&self) -> usize {
        match self {
            Self::Objects(objects) => objects.len(),
            Self::Arrays(arrays) => arrays.iter().map(Array::len).sum(),
            Self::Ids(rows) => rows.len(),
            Self::Lines(files) => files.first().map_or(0, |(data, range)| {
                lines::count(&data.as_bytes()[range.clone()])
            }),
        }
    }

    /// Reads the column; `start` is added to positions in errors. Strings in lists are words if
    /// there are `words`, and have no blanks then.
    fn read(
        &self,
        py: Python<'py>,
        name: &str,
        start: usize,
        words: bool,
    ) -> PyResult<Content<'_>> {
        match self {
            Self::Objects(objects) => objects.read(name, start, words).map(Content::Texts),
            Self::Arrays(arrays) => {
                panics::arrow(py, name, || arrow::read(py, name, arrays, words))
            }
            Self::Ids(rows) => Ok(Content::Ids(rows.read())),
            Self::Lines(files) => lines::read(py, files).map(Content::Texts),
        }
    }
}

/// Hypotheses and references as the kernel takes them. Strings are texts, and lists of strings
/// among the hypotheses are words; the references have one more level if there are several. The
/// columns begin at segment `start` of the caller's.
pub fn corpus<'a, 'py>(
    py: Python<'py>,
    hyps: &'a Column<'py>,
    refs: &'a Column<'py>,
    how: &How,
    start: usize,
) -> PyResult<Corpus<'a>> {
    let is_cube = matches!(refs, Column::Ids(rows) if rows.is_cube);
    let hyps = hyps.read(py, "hyps", start, true)?;
    let are_words = matches!(&hyps, Content::Texts(flat) if !flat.levels.is_empty());
    let mut refs = refs.read(py, "refs", start / how.group, are_words)?;
    if let Content::Ids(flat) = &mut refs
        && is_cube
    {
        for leaf in &mut flat.leaves {
            *leaf = leaf.filter(|row| !row.is_padding(&how.marks));
        }
    }
    match alike(hyps, refs) {
        (Content::Texts(hyps), Content::Texts(refs)) => {
            if how.marks != Marks::default() {
                return Err(input_error(
                    py,
                    "pad_id and eos_id mark token ids, but hyps hold text; leave them out",
                ));
            }
            pair(py, hyps, refs, how, start)
        }
        (Content::Ids(_), Content::Ids(_)) if how.reads_letters => Err(input_error(py, LETTERS)),
        (Content::Ids(hyps), Content::Ids(refs)) => pair(py, hyps, refs, how, start),
        (hyps, refs) => {
            let message = format!(
                "refs hold {}, but hyps hold {}; both must be the same",
                refs.kind(),
                hyps.kind()
            );
            Err(input_error(py, &message))
        }
    }
}

/// Lists that are all empty count as ids if the other column holds ids.
fn alike<'a>(hyps: Content<'a>, refs: Content<'a>) -> (Content<'a>, Content<'a>) {
    match (hyps, refs) {
        (Content::Texts(hyps), refs @ Content::Ids(_)) => (hyps.into_ids(), refs),
        (hyps @ Content::Ids(_), Content::Texts(refs)) => (hyps, refs.into_ids()),
        same => same,
    }
}

impl<'a> Flat<Text<'a>> {
    /// Empty lists as ids.
    fn into_ids(mut self) -> Content<'a> {
        match self.levels.pop() {
            Some(bounds) if self.leaves.is_empty() => Content::Ids(Flat {
                leaves: vec![Some(Ids::Int64(&[])); bounds.len() - 1],
                levels: self.levels,
            }),
            bounds => {
                self.levels.extend(bounds);
                Content::Texts(self)
            }
        }
    }
}

impl Content<'_> {
    fn is_empty(&self) -> bool {
        match self {
            Self::Texts(flat) => flat.count(0) == 0,
            Self::Ids(flat) => flat.count(0) == 0,
        }
    }

    fn kind(&self) -> &'static str {
        match self {
            Self::Texts(flat) if flat.levels.is_empty() => "strings",
            Self::Texts(_) => "lists of words",
            Self::Ids(_) => "token ids",
        }
    }
}

/// Items of a column that the kernel takes as segments.
trait Leaf<'a>: Sized {
    /// Description of an item for errors.
    const NAME: &'static str;

    /// Makes segments of the items.
    fn segments(leaves: Vec<Self>, bounds: Option<Vec<usize>>, marks: &Marks) -> Segments<'a>;
}

impl<'a> Leaf<'a> for Text<'a> {
    const NAME: &'static str = "a string or a list of words";

    fn segments(leaves: Vec<Self>, bounds: Option<Vec<usize>>, _: &Marks) -> Segments<'a> {
        match bounds {
            None => Segments::Texts(leaves),
            Some(bounds) => Segments::Words {
                words: leaves,
                bounds,
            },
        }
    }
}

impl<'a> Leaf<'a> for Ids<'a> {
    const NAME: &'static str = "a row of token ids";

    fn segments(rows: Vec<Self>, _: Option<Vec<usize>>, marks: &Marks) -> Segments<'a> {
        Segments::Ids {
            rows,
            marks: marks.clone(),
        }
    }
}

fn pair<'a, L: Leaf<'a>>(
    py: Python<'_>,
    hyps: Flat<L>,
    refs: Flat<L>,
    how: &How,
    start: usize,
) -> PyResult<Corpus<'a>> {
    let words = hyps.levels.len();
    if words > 1 || (words == 1 && L::NAME == <Ids as Leaf>::NAME) {
        let message = format!("hyps are nested too deep; each is {}", L::NAME);
        return Err(input_error(py, &message));
    }
    let several = refs.levels.len() == words + 1;
    if refs.levels.len() != words && !several {
        let message = if refs.levels.len() > words + 1 {
            format!(
                "refs are nested too deep; each is {}, or a list of such",
                L::NAME
            )
        } else {
            "refs hold strings, but hyps hold lists of words; tokenize both or neither".into()
        };
        return Err(input_error(py, &message));
    }
    let hyps = segments(hyps, &how.marks).map_err(|at| {
        let place = if words == 0 {
            format!("hyps[{}]", start + at)
        } else {
            "a word of hyps".into()
        };
        let message = format!("{place} is missing; it must be a string (\"\" for an empty one)");
        input_error(py, &message)
    })?;
    let absent = |i: usize| {
        let place = start / how.group + i;
        let message = format!("refs[{place}] has no reference; each hypothesis needs at least one");
        input_error(py, &message)
    };
    let (refs, bounds) = if several {
        let (present, bounds) = without_absent(refs);
        if let Some(i) = bounds.windows(2).position(|pair| pair[0] == pair[1]) {
            return Err(absent(i));
        }
        let refs = segments(present, &how.marks)
            .map_err(|_| input_error(py, "a word of refs is missing"))?;
        (refs, Some(bounds))
    } else {
        (segments(refs, &how.marks).map_err(absent)?, None)
    };
    Ok(Corpus {
        hyps,
        refs,
        bounds,
        group: how.group,
    })
}

/// The segments, or the position of the first `None`.
fn segments<'a, L: Leaf<'a>>(flat: Flat<L>, marks: &Marks) -> Result<Segments<'a>, usize> {
    if let Some(at) = flat.leaves.iter().position(Option::is_none) {
        return Err(at);
    }
    // `flatten` would not reuse the memory of the column; no item is `None`.
    let leaves = flat.leaves.into_iter().map_while(|leaf| leaf).collect();
    Ok(L::segments(leaves, flat.levels.into_iter().next(), marks))
}

/// Removes the outermost lists, and references that are `None`.
fn without_absent<L>(mut flat: Flat<L>) -> (Flat<L>, Vec<usize>) {
    let mut bounds = flat.levels.remove(0);
    if flat.levels.is_empty() && flat.leaves.iter().any(Option::is_none) {
        keep_present(&mut flat.leaves, &mut bounds, Option::is_some);
    }
    (flat, bounds)
}

/// Removes absent items from lists with these bounds.
fn keep_present<T>(items: &mut Vec<T>, bounds: &mut [usize], is_present: impl Fn(&T) -> bool) {
    let (mut start, mut count) = (0, 0);
    for bound in &mut bounds[1..] {
        let list = &items[start..*bound];
        count += list.iter().filter(|item| is_present(item)).count();
        start = std::mem::replace(bound, count);
    }
    items.retain(is_present);
}
