//! Numbers for characters and words, which are compared faster. Each number stands for exactly one
//! character or word: hashes are not trusted.

use std::hash::BuildHasher;

use foldhash::fast::RandomState;

/// Numbers for code points, from 0, in the order in which they first appear.
#[derive(Debug)]
pub(crate) struct Alphabet {
    /// The place of a code point in `seen`, if `seen` has it there. Untouched zeros take no memory.
    places: Vec<u32>,
    seen: Vec<u32>,
}

impl Default for Alphabet {
    fn default() -> Self {
        Self {
            places: vec![0; 0x0020_0000],
            seen: Vec::new(),
        }
    }
}

impl Alphabet {
    pub fn clear(&mut self) {
        self.seen.clear();
    }

    pub(crate) fn len(&self) -> usize {
        self.seen.len()
    }

    #[inline(always)]
    pub fn number(&mut self, character: u32) -> u32 {
        // Four bytes of UTF-8 hold at most 21 bits, valid or not.
        let place = &mut self.places[(character & 0x001F_FFFF) as usize];
        if self.seen.get(*place as usize) != Some(&character) {
            *place = self.seen.len() as u32;
            self.seen.push(character);
        }
        *place
    }
}

/// Numbers for words, from 0, in the order in which they first appear.
#[derive(Debug, Default)]
pub struct Words {
    state: RandomState,
    /// Numbers of words by their hashes, with free places between them.
    slots: Vec<u32>,
    /// All words in a row, the start of each, and the end.
    text: Vec<u32>,
    starts: Vec<u32>,
}

const FREE: u32 = u32::MAX;

impl Words {
    pub fn clear(&mut self) {
        self.slots.fill(FREE);
        self.text.clear();
        self.starts.clear();
        self.starts.push(0);
    }

    pub(crate) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// The number of a word; [`Words::clear`] was called before.
    #[inline]
    pub fn number(&mut self, word: &[u32]) -> u32 {
        if 2 * self.len() >= self.slots.len() {
            self.grow();
        }
        let slot = self.slot_of(word);
        if self.slots[slot] == FREE {
            self.slots[slot] = self.len() as u32;
            self.text.extend_from_slice(word);
            self.starts.push(self.text.len() as u32);
        }
        self.slots[slot]
    }

    fn word(&self, number: u32) -> &[u32] {
        let i = number as usize;
        &self.text[self.starts[i] as usize..self.starts[i + 1] as usize]
    }

    /// The slot of the word, or a free one for it.
    fn slot_of(&self, word: &[u32]) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = self.state.hash_one(word) as usize & mask;
        while self.slots[slot] != FREE && self.word(self.slots[slot]) != word {
            slot = (slot + 1) & mask;
        }
        slot
    }

    #[cold]
    fn grow(&mut self) {
        let larger = (2 * self.slots.len()).max(128);
        self.slots.clear();
        self.slots.resize(larger, FREE);
        for number in 0..self.len() as u32 {
            let slot = self.slot_of(self.word(number));
            self.slots[slot] = number;
        }
    }
}
