//! The n-grams that hypotheses share with their references, n-gram by n-gram, over a whole corpus.
//!
//! Tokens are numbers, and n-grams are equal if their numbers are: hashes only find candidates.

use std::ops::Range;

use hashbrown::HashTable;

use crate::columns::views::{Corpus, Fault, Outcome};
use crate::count::weight;
use crate::plan::{Measure, Plan, References};
use crate::run::parallel;
use crate::run::{interrupt, memory};
use crate::sets::ngrams::{Documents, Numbering};
use crate::simd::{Isa, Task, dispatch};
use crate::tokenize::Seed;

/// Fewest segments worth a thread.
const SEGMENTS_PER_THREAD: usize = 1_000;
/// Segments of a part of the work.
const SEGMENTS: usize = 1 << 11;
/// Segments, and tokens of a segment, between two checks for interrupts.
const UNCHECKED: usize = 64;
const UNCHECKED_TOKENS: usize = 1 << 16;
/// Parts of all n-grams, by hash: the table of each should fit the cache.
const PARTS: usize = 1 << 7;
/// Bytes of memory for an n-gram of a segment: its entry, and twice what is made of it.
const PER_GRAM: usize = 96;

/// Groups of n-grams of a contrast: the three classes of words, and order.
pub const GROUPS: usize = 4;
const ORDER: usize = GROUPS - 1;
/// Numbers of a row of a tally: first position, order, group and three counts.
pub const TALLY: usize = 6;

/// Systems' hypotheses and their references: for each segment the hypotheses, then the references.
#[derive(Debug)]
pub struct Overlap {
    documents: Documents,
    /// The first text of each segment, and the end.
    segments: Vec<usize>,
    systems: usize,
    orders: usize,
    words: Vec<Vec<u8>>,
    /// If recall is measured, the weight of each token.
    weights: Option<Vec<i64>>,
    /// Whether only the best reference counts, for each order and system.
    best_only: bool,
    /// How often an n-gram matches, from its counts in a hypothesis and a reference.
    shared: fn(u32, u32) -> u32,
    seed: Seed,
}

/// What a contrast of two systems finds.
#[derive(Debug, Default)]
pub struct Contrast {
    /// For each segment and group a row of the metric: the matches and totals are those of the first
    /// system minus those of the second, the lengths are each system's tokens.
    pub rows: Vec<i64>,
    /// For each token of the references, a bit for each system that matches it.
    pub hits: Vec<u8>,
    /// For each group and n-gram, how often only one of the systems matches it.
    pub tally: Vec<i64>,
}

impl Overlap {
    /// Reads corpora that share their references.
    ///
    /// # Errors
    /// A segment cannot be read.
    pub fn new(plan: &Plan, corpora: &[Corpus]) -> Outcome<Self> {
        let count = corpora.first().map_or(0, Corpus::len);
        let mut numbering = Numbering::new(plan, count);
        let mut segments = Vec::with_capacity(count + 1);
        segments.push(0);
        let reading = Read {
            corpora,
            first_only: plan.count.references == References::First,
            numbering: &mut numbering,
            segments: &mut segments,
        };
        dispatch(plan.level, reading)?;
        let words = numbering.words();
        let measure = &plan.count.measure;
        let weights = matches!(measure, Measure::Recall(_)).then(|| {
            let weight = |word: &Vec<u8>| i64::from(weight(measure, word));
            words.iter().map(weight).collect()
        });
        let documents = numbering.finish().map_err(|text| {
            let segment = segments.partition_point(|&first| first <= text) - 1;
            Fault::TooLong.at(false, segment)
        })?;
        Ok(Self {
            documents,
            segments,
            systems: corpora.len(),
            orders: plan.count.orders,
            words,
            weights,
            best_only: plan.count.references == References::Best
                && !matches!(plan.count.measure, Measure::Recall(_)),
            shared: plan.count.measure.shared(),
            seed: Seed::default(),
        })
    }

    /// The bytes of each token.
    pub fn words(&self) -> &[Vec<u8>] {
        &self.words
    }

    /// The tokens of all texts, and the bounds of the texts.
    pub fn texts(&self) -> (&[u32], &[usize]) {
        (&self.documents.tokens, &self.documents.bounds)
    }

    /// The first text of each segment, and the end.
    pub fn segments(&self) -> &[usize] {
        &self.segments
    }

    /// For each n-gram of an order, its occurrences in the hypotheses of the first system, those that
    /// match, and those of references that the hypotheses lack.
    pub fn tally(&self, order: usize, threads: usize) -> Vec<i64> {
        let parts = self.in_parts(threads, |segment, grams, part| {
            for n in 1..=order {
                grams.hash(self, segment, n);
            }
            grams.number(self, segment, order);
            for gram in 0..grams.starts.len() {
                let counts = grams.counts_of(gram);
                let [in_hyp, refs @ ..] = counts else {
                    continue;
                };
                let counted = &refs[grams.counted[0].clone()];
                let shared = counted.iter().map(|&count| (self.shared)(*in_hyp, count));
                let (matched, possible) = match &self.weights {
                    Some(_) => (shared.sum(), refs.iter().sum::<u32>()),
                    None => (
                        shared.max().unwrap_or(0),
                        counted.iter().copied().max().unwrap_or(0),
                    ),
                };
                let missed = possible.saturating_sub(matched);
                part.enter(grams.entry(gram, 0, [*in_hyp, matched, missed]));
            }
        });
        self.merged(parts, threads).tally
    }

    /// Contrasts two systems. An n-gram that only one of them matches belongs to the class of its
    /// first word that only this system matches too; if there is none, to order.
    ///
    /// `classes` are those of the tokens, below 3.
    pub fn contrast(&self, classes: &[u8], threads: usize) -> Contrast {
        let width = 2 + 2 * self.orders;
        let parts = self.in_parts(threads, |segment, grams, part| {
            let texts = self.segments[segment]..self.segments[segment + 1];
            let bounds = &self.documents.bounds;
            let begin = bounds[texts.start];
            let from = part.rows.len();
            part.rows.resize(from + GROUPS * width, 0);
            for (system, text) in texts.clone().take(2).enumerate() {
                for &token in &self.documents.tokens[bounds[text]..bounds[text + 1]] {
                    let row = from + usize::from(classes[token as usize]) * width;
                    part.rows[row + system] += 1;
                    if self.weights.is_none() {
                        for total in &mut part.rows[row + 2 + self.orders..row + width] {
                            *total += 1 - 2 * system as i64;
                        }
                    }
                }
            }
            for n in 1..=self.orders {
                grams.hash(self, segment, n);
                grams.number(self, segment, n);
                if n == 1 {
                    grams.hit(self, &texts, &mut part.hits);
                    grams.only.clear();
                }
                for gram in 0..grams.starts.len() {
                    let only = grams.matched(self, gram, 0) - grams.matched(self, gram, 1);
                    if n == 1 {
                        grams.only.push(only);
                    }
                    if only == 0 {
                        continue;
                    }
                    let start = grams.starts[gram] as usize;
                    let blamed = (start..start + n).find(|at| {
                        grams.only[grams.words[at - begin] as usize].signum() == only.signum()
                    });
                    let group = blamed.map_or(ORDER, |at| {
                        usize::from(classes[self.documents.tokens[at] as usize])
                    });
                    part.rows[from + group * width + 1 + n] += only;
                    let counts = [only.max(0) as u32, (-only).max(0) as u32, 0];
                    part.enter(grams.entry(gram, group, counts));
                }
                if grams.starts.is_empty() {
                    break;
                }
            }
        });
        self.merged(parts, threads)
    }

    /// Works on all segments, in parts; `work` takes a segment.
    fn in_parts(
        &self,
        threads: usize,
        work: impl Fn(usize, &mut SegmentGrams, &mut Part) + Sync,
    ) -> Vec<Part> {
        let count = self.segments.len() - 1;
        memory::require(PER_GRAM * self.documents.tokens.len());
        let mut parts: Vec<Part> = Vec::new();
        parts.resize_with(count.div_ceil(SEGMENTS), Part::default);
        let shares = parallel::Queue::new(parts.iter_mut().enumerate());
        parallel::run(self.workers(threads), |_| {
            let mut grams = SegmentGrams::default();
            while let Some((i, part)) = shares.next() {
                for segment in i * SEGMENTS..count.min((i + 1) * SEGMENTS) {
                    if segment.is_multiple_of(UNCHECKED) {
                        interrupt::check();
                    }
                    work(segment, &mut grams, part);
                }
            }
        });
        parts
    }

    fn workers(&self, threads: usize) -> usize {
        (self.segments.len() / SEGMENTS_PER_THREAD).clamp(1, threads.max(1))
    }

    /// All parts as one; the entries of an n-gram in a group are added.
    fn merged(&self, parts: Vec<Part>, threads: usize) -> Contrast {
        let mut tallies = vec![Vec::new(); PARTS];
        let shares = parallel::Queue::new(tallies.iter_mut().enumerate());
        parallel::run(self.workers(threads), |_| {
            while let Some((place, tally)) = shares.next() {
                interrupt::check();
                self.add_up(&parts, place, tally);
            }
        });
        let mut made = Contrast {
            tally: tallies.concat(),
            ..Contrast::default()
        };
        for part in parts {
            made.rows.extend(part.rows);
            made.hits.extend(part.hits);
        }
        made
    }

    /// Adds the entries of one part of the n-grams.
    fn add_up(&self, parts: &[Part], place: usize, tally: &mut Vec<i64>) {
        let entries = || {
            parts
                .iter()
                .filter_map(|part| part.entries.get(place))
                .flatten()
        };
        let mut numbers = HashTable::<usize>::with_capacity(entries().count());
        let mut sums: Vec<Entry> = Vec::new();
        for entry in entries() {
            let is_same = |&number: &usize| self.same(&sums[number], entry);
            let hash_of = |&number: &usize| sums[number].hash;
            let number = numbers.entry(entry.hash, is_same, hash_of);
            let number = *number.or_insert(sums.len()).get();
            if let Some(sum) = sums.get_mut(number) {
                for (sum, count) in sum.counts.iter_mut().zip(entry.counts) {
                    *sum += count;
                }
            } else {
                sums.push(*entry);
            }
        }
        tally.reserve(TALLY * sums.len());
        for Entry {
            start,
            order,
            group,
            counts,
            ..
        } in sums
        {
            tally.extend([start, order, u32::from(group)].map(i64::from));
            tally.extend(counts.map(i64::from));
        }
    }

    fn same(&self, a: &Entry, b: &Entry) -> bool {
        let gram = |entry: &Entry| {
            let start = entry.start as usize;
            &self.documents.tokens[start..start + entry.order as usize]
        };
        let alike = (a.hash, a.order, a.group) == (b.hash, b.order, b.group);
        alike && gram(a) == gram(b)
    }
}

/// Of references the first one with the most matches.
pub(super) fn best_reference(refs: usize, matches: impl Fn(usize) -> u32) -> Range<usize> {
    let best = (0..refs).rev().max_by_key(|&reference| matches(reference));
    best.map_or(0..0, |reference| reference..reference + 1)
}

/// Results of some segments.
#[derive(Debug, Default)]
struct Part {
    rows: Vec<i64>,
    hits: Vec<u8>,
    /// Entries by hash.
    entries: Vec<Vec<Entry>>,
}

/// An n-gram of a segment.
#[derive(Clone, Copy, Debug)]
struct Entry {
    hash: u64,
    start: u32,
    order: u32,
    counts: [u32; 3],
    group: u8,
}

impl Part {
    fn enter(&mut self, entry: Entry) {
        if self.entries.is_empty() {
            self.entries.resize_with(PARTS, Vec::new);
        }
        // The lowest bits choose the slot of a table.
        self.entries[(entry.hash >> 32) as usize % PARTS].push(entry);
    }
}

/// The different n-grams of a segment, of one order after the other.
#[derive(Debug, Default)]
struct SegmentGrams {
    /// By position in the segment, the hash of the n-gram that begins there.
    hashes: Vec<u64>,
    /// By position in the segment, the number of the word there.
    words: Vec<u32>,
    /// By number of a word, its matches in the first system minus those in the second.
    only: Vec<i64>,
    /// Where each n-gram occurs first, and its hash.
    starts: Vec<u32>,
    hash_of: Vec<u64>,
    /// The occurrences of each n-gram in each text.
    counts: Vec<u32>,
    texts: usize,
    order: usize,
    /// The number of each n-gram.
    numbers: HashTable<usize>,
    /// For each system the references that count: all, or the best one.
    counted: Vec<Range<usize>>,
}

impl SegmentGrams {
    /// Extends the hashes of n-grams of order `n - 1` by a word.
    fn hash(&mut self, overlap: &Overlap, segment: usize, n: usize) {
        let Documents { tokens, bounds, .. } = &overlap.documents;
        let (first, end) = (overlap.segments[segment], overlap.segments[segment + 1]);
        let begin = bounds[first];
        if n == 1 {
            self.hashes.clear();
            self.hashes.resize(bounds[end] - begin, 0);
        }
        for text in first..end {
            let (from, to) = (bounds[text], bounds[text + 1]);
            let added = tokens[from..to].get(n - 1..).unwrap_or_default();
            for (hash, &token) in self.hashes[from - begin..].iter_mut().zip(added) {
                *hash = overlap
                    .seed
                    .of_pair(hash.rotate_left(32) ^ u64::from(token));
            }
        }
    }

    /// Numbers and counts the n-grams of order `n`.
    fn number(&mut self, overlap: &Overlap, segment: usize, n: usize) {
        let Documents { tokens, bounds, .. } = &overlap.documents;
        let texts = overlap.segments[segment]..overlap.segments[segment + 1];
        let begin = bounds[texts.start];
        (self.texts, self.order) = (texts.len(), n);
        self.starts.clear();
        self.hash_of.clear();
        self.counts.clear();
        self.numbers.clear();
        if n == 1 {
            self.words.clear();
        }
        for (i, text) in texts.enumerate() {
            for start in bounds[text]..(bounds[text + 1] + 1).saturating_sub(n) {
                if start.is_multiple_of(UNCHECKED_TOKENS) {
                    interrupt::check();
                }
                let hash = self.hashes[start - begin];
                let is_same = |&gram: &usize| {
                    let other = self.starts[gram] as usize;
                    self.hash_of[gram] == hash
                        && tokens[other..other + n] == tokens[start..start + n]
                };
                let gram = self
                    .numbers
                    .entry(hash, is_same, |&gram| self.hash_of[gram]);
                let gram = *gram.or_insert(self.starts.len()).get();
                if gram == self.starts.len() {
                    self.starts.push(start as u32);
                    self.hash_of.push(hash);
                    self.counts.resize(self.counts.len() + self.texts, 0);
                }
                self.counts[gram * self.texts + i] += 1;
                if n == 1 {
                    self.words.push(gram as u32);
                }
            }
        }
        self.count_references(overlap);
    }

    /// Finds the references that count: with `best_only`, the first one with the most matches.
    fn count_references(&mut self, overlap: &Overlap) {
        let refs = self.texts - overlap.systems;
        let matches = |system: usize, reference: usize| -> u32 {
            let rows = self.counts.chunks_exact(self.texts);
            rows.map(|counts| (overlap.shared)(counts[system], counts[overlap.systems + reference]))
                .sum()
        };
        self.counted = (0..overlap.systems)
            .map(|system| {
                if overlap.best_only {
                    best_reference(refs, |reference| matches(system, reference))
                } else {
                    0..refs
                }
            })
            .collect();
    }

    fn counts_of(&self, gram: usize) -> &[u32] {
        &self.counts[gram * self.texts..(gram + 1) * self.texts]
    }

    /// The matches of an n-gram in a system, weighted if recall is measured.
    fn matched(&self, overlap: &Overlap, gram: usize, system: usize) -> i64 {
        let (hyps, refs) = self.counts_of(gram).split_at(overlap.systems);
        let counted = refs[self.counted[system].clone()].iter();
        let shared = counted.map(|&count| i64::from((overlap.shared)(hyps[system], count)));
        match &overlap.weights {
            None => shared.max().unwrap_or(0),
            Some(weights) if self.order == 1 => {
                let token = overlap.documents.tokens[self.starts[gram] as usize];
                shared.sum::<i64>() * weights[token as usize]
            }
            Some(_) => shared.sum(),
        }
    }

    fn entry(&self, gram: usize, group: usize, counts: [u32; 3]) -> Entry {
        Entry {
            hash: self.hash_of[gram],
            start: self.starts[gram],
            order: self.order as u32,
            counts,
            group: group as u8,
        }
    }

    /// For each word of the references, which systems match it: the first ones, if it is clipped.
    fn hit(&self, overlap: &Overlap, texts: &Range<usize>, hits: &mut Vec<u8>) {
        let bounds = &overlap.documents.bounds;
        let begin = bounds[texts.start];
        let mut occurred = vec![0_u32; self.starts.len()];
        for text in texts.start + overlap.systems..texts.end {
            occurred.fill(0);
            for &word in &self.words[bounds[text] - begin..bounds[text + 1] - begin] {
                let occurred = &mut occurred[word as usize];
                *occurred += 1;
                let hyps = &self.counts_of(word as usize)[..overlap.systems];
                let bit = |(system, count)| u8::from(*occurred <= count) << system;
                hits.push(hyps.iter().copied().enumerate().map(bit).sum());
            }
        }
    }
}

/// Numbers the texts of all segments.
struct Read<'a, 'b, 'c> {
    corpora: &'a [Corpus<'b>],
    first_only: bool,
    numbering: &'a mut Numbering<'c>,
    segments: &'a mut Vec<usize>,
}

impl Task for Read<'_, '_, '_> {
    type Output = Outcome;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Self::Output {
        let Some(first) = self.corpora.first() else {
            return Ok(());
        };
        for segment in 0..first.len() {
            for corpus in self.corpora {
                let read = self.numbering.read(isa, &corpus.hyps, segment);
                read.map_err(|fault| fault.at(false, segment))?;
            }
            let refs = first.references(segment);
            let counted = if self.first_only { 1 } else { refs.len() };
            for position in refs.take(counted) {
                let read = self.numbering.read(isa, &first.refs, position);
                read.map_err(|fault| fault.at(true, position))?;
            }
            self.segments.push(self.numbering.len());
        }
        Ok(())
    }
}
