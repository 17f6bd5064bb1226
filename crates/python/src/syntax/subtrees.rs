//! Numbers for the subtrees of syntax trees: equal ones for those with equal S-expressions.
//!
//! Printing each subtree would take time quadratic in the depth of its tree. Here a subtree's number
//! is that of its name with the fields and numbers of its children, so that one walk finds all.

use std::any::Any;
use std::collections::HashMap;
use std::ffi::c_void;
use std::mem::MaybeUninit;
use std::panic::{catch_unwind, resume_unwind};

use tree_sitter::ffi::TSLanguage;
use tree_sitter::{Language, LanguageError, Parser, Tree};
use truebleu_core::columns::interner::Words;
use truebleu_core::run::interrupt;

/// Bytes of texts whose subtrees are kept.
const KEPT: usize = 1 << 20;
/// Bytes that are parsed, or subtrees numbered, between two checks for interrupts.
const UNCHECKED: usize = 1 << 16;
/// The field of a child that has that of its parent, which is not printed.
const INHERITED: u32 = u32::MAX;
/// The bit of numbers that are not those of keys.
const LEAF: u32 = 1 << 31;
/// The token of a node that is a character with which no token begins.
const UNEXPECTED: u8 = 3;

/// A node, as `node.c` describes it.
#[repr(C)]
#[derive(Clone, Copy)]
struct Node {
    subtree: *const c_void,
    children: u32,
    visible_children: u32,
    character: i32,
    symbol: u16,
    alias: u16,
    field: u16,
    is_visible: bool,
    is_printed: bool,
    is_extra: bool,
    token: u8,
}

unsafe extern "C" {
    fn truebleu_size(language: *const TSLanguage) -> usize;
    fn truebleu_copy(language: *const TSLanguage, copy: *mut TSLanguage);
    fn truebleu_root(language: *const TSLanguage, subtree: *const c_void, node: *mut Node);
    fn truebleu_children(language: *const TSLanguage, subtree: *const c_void, nodes: *mut Node);
}

/// The grammar of a language, with a number for each name in it.
pub struct Grammar {
    language: Language,
    names: Vec<u32>,
    /// The memory of the language.
    memory: Vec<u64>,
}

impl Grammar {
    /// # Errors
    /// The grammar is for another version of the runtime.
    pub fn new(language: &Language) -> Result<Self, LanguageError> {
        Parser::new().set_language(language)?;
        let pointer = language.clone().into_raw();
        // SAFETY: the runtime can read the language, and the memory has room for its copy.
        let (language, memory) = unsafe {
            let mut memory = vec![0_u64; truebleu_size(pointer).div_ceil(size_of::<u64>())];
            truebleu_copy(pointer, memory.as_mut_ptr().cast());
            (Language::from_raw(memory.as_ptr().cast()), memory)
        };
        let mut numbers = HashMap::new();
        let names = (0..=u16::MAX)
            .map(|symbol| {
                let next = numbers.len() as u32;
                *numbers
                    .entry(language.node_kind_for_id(symbol))
                    .or_insert(next)
            })
            .collect();
        Ok(Self {
            language,
            names,
            memory,
        })
    }

    fn name(&self, symbol: u16) -> u32 {
        self.names[usize::from(symbol)]
    }

    fn pointer(&self) -> *const TSLanguage {
        self.memory.as_ptr().cast()
    }
}

/// A node whose children are being numbered.
struct Frame {
    node: Node,
    /// The alias that its extras have by themselves: that of the node above them.
    alias: u16,
    /// Where its children begin, and the next of them.
    children: usize,
    next: usize,
    /// Where its key begins.
    key: usize,
}

/// Numbers the subtrees of texts, for one thread.
pub struct Numbers<'a> {
    grammar: &'a Grammar,
    parser: Parser,
    words: Words,
    /// The numbers of each text's subtrees, sorted.
    texts: HashMap<&'a str, Vec<u32>>,
    bytes: usize,
    frames: Vec<Frame>,
    /// The children of all frames.
    children: Vec<Node>,
    /// The keys of all frames: the name if it is printed, then the field and the number of each
    /// child that is.
    keys: Vec<u32>,
}

impl<'a> Numbers<'a> {
    pub fn new(grammar: &'a Grammar) -> Self {
        let mut parser = Parser::new();
        // The grammar was accepted before.
        let _ = parser.set_language(&grammar.language);
        let mut words = Words::default();
        words.clear();
        Self {
            grammar,
            parser,
            words,
            texts: HashMap::new(),
            bytes: 0,
            frames: Vec::new(),
            children: Vec::new(),
            keys: Vec::new(),
        }
    }

    /// How many subtrees of the reference the hypothesis has, too, and how many there are.
    ///
    /// Nothing is clipped: a subtree that occurs once in the hypothesis matches each time it occurs
    /// in the reference.
    pub fn matches(&mut self, hyp: &'a str, reference: &'a str) -> (usize, usize) {
        if self.bytes > KEPT {
            self.bytes = 0;
            self.words.clear();
            self.texts.clear();
        }
        for text in [hyp, reference] {
            if !self.texts.contains_key(text) {
                let numbers = self.subtrees(text);
                self.texts.insert(text, numbers);
                self.bytes += text.len();
            }
        }
        let (have, need) = (&self.texts[hyp], &self.texts[reference]);
        let mut have = have.iter().peekable();
        let is_match = |number: &&u32| {
            while have.next_if(|other| other < number).is_some() {}
            have.peek() == Some(number)
        };
        (need.iter().filter(is_match).count(), need.len())
    }

    /// The numbers of the root and of all nodes that have children, sorted.
    fn subtrees(&mut self, text: &str) -> Vec<u32> {
        let tree = parsed(&mut self.parser, text);
        let mut node = MaybeUninit::uninit();
        // SAFETY: it writes the whole node; the tree lives.
        let node = unsafe {
            let root = tree.root_node().into_raw().id;
            truebleu_root(self.grammar.pointer(), root, node.as_mut_ptr());
            node.assume_init()
        };
        if node.children == 0 {
            return vec![self.leaf(&node)];
        }
        let mut numbers = Vec::new();
        self.frames.clear();
        self.children.clear();
        self.keys.clear();
        self.open(node, 0);
        while let Some(frame) = self.frames.last_mut() {
            let Some(&node) = self.children.get(frame.next) else {
                self.close(&mut numbers);
                continue;
            };
            frame.next += 1;
            if node.children > 0 {
                let alias = frame.alias;
                self.open(node, alias);
            } else if node.is_printed {
                let number = self.leaf(&node);
                self.add(&node, number);
            }
        }
        numbers.sort_unstable();
        numbers
    }

    /// Begins a node that has children; `alias` is that of the node above it.
    fn open(&mut self, node: Node, alias: u16) {
        let is_own = node.is_visible && !node.is_extra;
        let children = self.children.len();
        self.frames.push(Frame {
            node,
            alias: if is_own { node.alias } else { alias },
            children,
            next: children,
            key: self.keys.len(),
        });
        if node.is_printed {
            self.keys.push(self.grammar.name(node.symbol));
        }
        self.children.reserve(node.children as usize);
        // SAFETY: it writes all children to where there is room for them; the tree lives.
        unsafe {
            let end = self.children.as_mut_ptr().add(children);
            truebleu_children(self.grammar.pointer(), node.subtree, end);
            self.children.set_len(children + node.children as usize);
        }
    }

    /// Ends the last node, whose children have numbers.
    fn close(&mut self, numbers: &mut Vec<u32>) {
        let Some(Frame {
            node,
            alias,
            children,
            key,
            ..
        }) = self.frames.pop()
        else {
            return;
        };
        self.children.truncate(children);
        let is_subtree = self.frames.is_empty() || (node.is_visible && node.visible_children > 0);
        let fields = key + usize::from(node.is_printed);
        // By itself a node is always printed, and with the alias that a cursor says it has.
        let is_same = node.is_printed && alias == node.alias;
        if is_subtree && !is_same {
            let symbol = if alias == 0 { node.symbol } else { alias };
            let mut own = vec![self.grammar.name(symbol)];
            own.extend_from_slice(&self.keys[fields..]);
            inherit(&mut own[1..], 0);
            numbers.push(number_of(&mut self.words, &own));
        }
        let field = match node.field {
            _ if node.is_printed || node.is_extra => 0,
            0 => INHERITED,
            field => field.into(),
        };
        inherit(&mut self.keys[fields..], field);
        if node.is_printed {
            let number = number_of(&mut self.words, &self.keys[key..]);
            self.keys.truncate(key);
            self.add(&node, number);
            if is_subtree && is_same {
                numbers.push(number);
            }
        }
        if numbers.len().is_multiple_of(UNCHECKED) {
            interrupt::check();
        }
    }

    /// Adds a node that is printed to the key of the one above it.
    fn add(&mut self, node: &Node, number: u32) {
        let field = match node.field {
            0 if !node.is_extra => INHERITED,
            field => field.into(),
        };
        self.keys.extend([field, number]);
    }

    /// The number of a node without children: its name, or the character that is no token.
    fn leaf(&self, node: &Node) -> u32 {
        let what = match node.token {
            UNEXPECTED => node.character as u32,
            _ => self.grammar.name(node.symbol),
        };
        LEAF | u32::from(node.token) << 29 | (what & ((1 << 29) - 1))
    }
}

/// Puts the children that have the field of their parent into this one.
fn inherit(children: &mut [u32], field: u32) {
    for own in children.iter_mut().step_by(2) {
        if *own == INHERITED {
            *own = field;
        }
    }
}

/// The number of a node that is printed. Without children that are, it is that of a leaf.
fn number_of(words: &mut Words, key: &[u32]) -> u32 {
    match *key {
        [name] => LEAF | name,
        _ => words.number(key),
    }
}

/// The tree of a text.
fn parsed(parser: &mut Parser, text: &str) -> Tree {
    let mut reason: Option<Box<dyn Any + Send>> = None;
    // Nothing may unwind through the runtime: an interrupted parser reads an empty text.
    let mut read = |start: usize, _| {
        if reason.is_none() {
            reason = catch_unwind(interrupt::check).err();
        }
        let text = text.as_bytes().get(start..).unwrap_or_default();
        if reason.is_some() {
            &[]
        } else {
            &text[..text.len().min(UNCHECKED)]
        }
    };
    let tree = parser.parse_with(&mut read, None);
    if let Some(reason) = reason {
        resume_unwind(reason);
    }
    #[expect(
        clippy::expect_used,
        reason = "a parser has a grammar, and neither limit nor flag"
    )]
    tree.expect("a parser with a grammar returns a tree")
}
