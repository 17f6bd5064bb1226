//! What the page and the kernel share: the input, the results, and what is kept between calls.

use std::cell::RefCell;
use std::ops::Range;
use std::sync::Arc;

use truebleu_core::chrf::Chrf;
use truebleu_core::columns::views::Text;
use truebleu_core::metric::Metric;
use truebleu_core::plan::Plan;
use truebleu_core::resample::Resampler;
use truebleu_core::ter::Ter;

/// The state of the module.
#[derive(Default)]
pub struct State {
    /// What the page wrote; floats, so that it is aligned for them.
    pub input: Vec<f64>,
    /// The part of the input that is in use, in bytes.
    bytes: usize,
    pub numbers: Vec<f64>,
    pub text: Vec<u8>,
    pub plans: Slots<Scorer>,
    pub columns: Slots<Texts>,
    pub rows: Slots<Rows>,
    pub resampler: Option<Resampler<Plan>>,
}

thread_local! {
    static STATE: RefCell<State> = RefCell::default();
}

pub fn with<T>(work: impl FnOnce(&mut State) -> T) -> T {
    STATE.with_borrow_mut(work)
}

/// Memory for this many bytes of input.
#[unsafe(no_mangle)]
extern "C" fn input(bytes: usize) -> *mut f64 {
    with(|state| {
        state.bytes = bytes;
        state.input.clear();
        state.input.shrink_to(1 << 16);
        state.input.resize(bytes.div_ceil(size_of::<f64>()), 0.0);
        state.input.as_mut_ptr()
    })
}

/// The numbers that a call wrote.
#[unsafe(no_mangle)]
extern "C" fn numbers() -> *const f64 {
    with(|state| state.numbers.as_ptr())
}

#[unsafe(no_mangle)]
extern "C" fn numbers_count() -> usize {
    with(|state| state.numbers.len())
}

/// The text that a call wrote, as UTF-8.
#[unsafe(no_mangle)]
extern "C" fn text() -> *const u8 {
    with(|state| state.text.as_ptr())
}

#[unsafe(no_mangle)]
extern "C" fn text_size() -> usize {
    with(|state| state.text.len())
}

impl State {
    pub fn input_bytes(&self) -> &[u8] {
        // SAFETY: floats have no padding, and any of their bytes is a valid `u8`; there are at least
        // `bytes` of them.
        unsafe { std::slice::from_raw_parts(self.input.as_ptr().cast(), self.bytes) }
    }

    pub fn input_integers(&self) -> &[u32] {
        let count = self.bytes / size_of::<u32>();
        // SAFETY: as above; floats are aligned for `u32`.
        unsafe { std::slice::from_raw_parts(self.input.as_ptr().cast(), count) }
    }

    /// A plan of BLEU; another metric is a fault of the page.
    #[allow(clippy::unreachable)]
    pub fn plan(&self, place: usize) -> &Arc<Plan> {
        match self.plans.get(place) {
            Scorer::Bleu(plan) => plan,
            _ => unreachable!("only BLEU counts"),
        }
    }
}

/// BLEU, or the formula of a metric whose rows Python counted.
pub enum Scorer {
    Bleu(Arc<Plan>),
    Chrf(Chrf),
    Ter(Ter),
}

impl Scorer {
    pub fn width(&self) -> usize {
        match self {
            Self::Bleu(plan) => plan.width(),
            Self::Chrf(chrf) => chrf.width(),
            Self::Ter(ter) => ter.width(),
        }
    }
}

/// Values by number; a number is used again once its value is removed.
pub struct Slots<T>(Vec<Option<T>>);

impl<T> Default for Slots<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

#[allow(clippy::expect_used)] // a wrong number is a fault of the page
impl<T> Slots<T> {
    pub fn keep(&mut self, value: T) -> i32 {
        let free = self.0.iter().position(Option::is_none);
        let place = free.unwrap_or_else(|| {
            self.0.push(None);
            self.0.len() - 1
        });
        self.0[place] = Some(value);
        place as i32
    }

    pub fn get(&self, place: usize) -> &T {
        self.0[place].as_ref().expect("a value that was kept")
    }

    pub fn get_mut(&mut self, place: usize) -> &mut T {
        self.0[place].as_mut().expect("a value that was kept")
    }

    pub fn remove(&mut self, place: usize) {
        self.0[place] = None;
    }
}

/// Texts, some of which may be absent.
pub struct Texts {
    whole: Box<str>,
    places: Vec<Option<Range<usize>>>,
}

impl Texts {
    /// The column in the bytes of the input, if it is UTF-8.
    pub fn read(input: &[u8], count: usize, size: usize) -> Option<Self> {
        let (lengths, texts) = input.split_at_checked(count * size_of::<u32>())?;
        let whole = str::from_utf8(texts.get(..size)?).ok()?;
        let mut end = 0;
        let mut places = Vec::with_capacity(count);
        for &length in lengths.as_chunks::<4>().0 {
            let length = u32::from_le_bytes(length);
            if length == u32::MAX {
                places.push(None);
            } else {
                let start = end;
                end += length as usize;
                whole.get(start..end)?;
                places.push(Some(start..end));
            }
        }
        let whole = whole.into();
        Some(Self { whole, places })
    }

    pub fn text(&self, segment: usize) -> Option<Text<'_>> {
        let place = self.places[segment].clone()?;
        Some(Text::Utf8(&self.whole.as_bytes()[place]))
    }
}

/// A row of integers for each segment.
pub struct Rows {
    pub width: usize,
    pub cells: Vec<i64>,
}

impl Rows {
    pub fn row(&self, segment: u32) -> &[i64] {
        &self.cells[segment as usize * self.width..][..self.width]
    }
}
