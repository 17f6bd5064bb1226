//! The class of each character, for each tokenizer.

use std::sync::OnceLock;

use unicode_properties::{GeneralCategory, GeneralCategoryGroup, UnicodeGeneralCategory};

use super::Rules;
use crate::characters::is_space;
use crate::settings::choices;
use crate::simd::{ClassTable, class};

choices! {
    /// Which characters separate tokens.
    pub enum Whitespace {
        /// Those of Python's `str.split`.
        Python = "python",
        /// Those of Perl's `\s` on text: Python's without the four information separators.
        Perl = "perl",
        /// Space, tab, newline, return, form feed and vertical tab: `\s` on Perl's bytes.
        Ascii = "ascii",
    }
}

/// Classes of ASCII bytes, with [`class::WIDE`] at the first bytes of the characters that may have
/// one, and [`class::LAST`] where [`of_wide`] has to see which; [`class::REWRITE`] at those `rewritten`.
pub fn of_bytes(wide: &WideTable, rewritten: &[u8]) -> ClassTable {
    let (rules, whitespace) = (wide.rules, wide.whitespace);
    let mut table = [0; 256];
    for byte in 0..0x80 {
        table[usize::from(byte)] = of_ascii(rules, whitespace, byte);
    }
    for &byte in rewritten {
        table[usize::from(byte)] |= class::REWRITE;
    }
    let are_alone = match (rules, whitespace) {
        (Rules::EachSpace | Rules::V13aPattern | Rules::Dotnet | Rules::Treebank, _)
        | (Rules::Whitespace | Rules::Markers | Rules::V13a, Whitespace::Ascii) => false,
        // Only white space matters beyond ASCII: U+0085 and U+00A0, U+1680, U+20xx, U+3000.
        (Rules::Whitespace | Rules::Markers | Rules::V13a, _) => {
            table[0xC2] = class::WIDE | class::LAST;
            for space in ('\u{1680}'..='\u{3000}').filter(|&one| is_space(one.into())) {
                let mut bytes = [0; 3];
                space.encode_utf8(&mut bytes);
                table[usize::from(bytes[0])] = class::WIDE;
                table[usize::from(bytes[2])] = class::LAST;
            }
            false
        }
        _ => {
            table[0x80..].copy_from_slice(&wide.of_leads);
            true
        }
    };
    ClassTable::new(table, are_alone)
}

fn of_ascii(rules: Rules, whitespace: Whitespace, byte: u8) -> u8 {
    if let Some(class) = of_any(rules, byte.into()) {
        return class;
    }
    let separates = match (rules, whitespace) {
        (Rules::V13aPattern, _) => byte == b' ',
        (_, Whitespace::Python) => is_space(byte.into()),
        (_, Whitespace::Perl | Whitespace::Ascii) => matches!(byte, b'\t'..=b'\r' | b' '),
    };
    if separates {
        class::SPACE
    } else {
        match (rules, byte) {
            (Rules::Whitespace | Rules::Markers, _) => 0,
            (Rules::Characters, _) => class::ALONE,
            (Rules::International | Rules::InternationalSplit, _) => category(byte.into()),
            (Rules::Tensor2Tensor, _) => category_in_t2t(byte.into()),
            (_, b'0'..=b'9') => class::DIGIT,
            (_, b'.' | b',') => class::JOINER,
            (_, b'-') => class::DASH,
            // mteval's list: { | } ~ [ \ ] ^ _ ` space ! " # $ % & ( ) * + : ; < = > ? @ /
            (_, b'{'..=b'~' | b'['..=b'`' | b'!'..=b'&' | b'('..=b'+' | b':'..=b'@' | b'/') => {
                class::ALONE
            }
            _ => 0,
        }
    }
}

/// Classes of the characters beyond ASCII.
#[derive(Debug, PartialEq, Eq)]
pub struct WideTable {
    rules: Rules,
    whitespace: Whitespace,
    /// Those below U+10000: looking in a list of ranges would take longer than all the rest.
    below: Box<[u8]>,
    /// For each byte from 0x80 on, what [`of_bytes`] says of the characters that it begins.
    of_leads: [u8; 128],
}

/// The table, built once for each of its kinds (in up to 1.5 ms).
pub fn wide_table(rules: Rules, whitespace: Whitespace) -> &'static WideTable {
    static TABLES: [[OnceLock<WideTable>; 3]; 17] = [const { [const { OnceLock::new() }; 3] }; 17];
    TABLES[rules as usize][whitespace as usize].get_or_init(|| {
        let class = |character| of_wide_character(rules, whitespace, character);
        let below: Box<[u8]> = (0..0x1_0000).map(class).collect();
        let of_lead = |lead: usize| {
            let characters = match lead {
                0xC2..0xE0 => &below[(lead & 0x1F) << 6..][..1 << 6],
                0xE1..0xF0 => &below[(lead & 0x0F) << 12..][..1 << 12],
                0xE0 => &below[0x800..0x1000],
                0xF0..=0xF4 => return class::WIDE | class::LAST,
                _ => return 0,
            };
            let all = |class: u8| characters.iter().all(|&its| its == class);
            match lead {
                _ if all(0) => 0,
                0xE0.. if all(class::ALONE) => class::WIDE,
                _ => class::WIDE | class::LAST,
            }
        };
        WideTable {
            rules,
            whitespace,
            of_leads: std::array::from_fn(|i| of_lead(0x80 + i)),
            below,
        }
    })
}

/// Class of a character beyond ASCII.
#[inline(always)]
pub fn of_wide(table: &WideTable, character: u32) -> u8 {
    match table.below.get(character as usize) {
        Some(&class) => class,
        None => of_wide_character(table.rules, table.whitespace, character),
    }
}

fn of_wide_character(rules: Rules, whitespace: Whitespace, character: u32) -> u8 {
    if let Some(class) = of_any(rules, character) {
        return class;
    }
    if whitespace != Whitespace::Ascii && is_space(character) {
        return class::SPACE;
    }
    match rules {
        Rules::Characters | Rules::InternationalSplit => class::ALONE,
        Rules::Zh if is_chinese_as_coded(character) => class::ALONE,
        Rules::ZhFixed if is_chinese(character) => class::ALONE,
        Rules::V13aCjk if is_unspaced(character) => class::ALONE,
        Rules::International => char::from_u32(character).map_or(0, category),
        Rules::Tensor2Tensor => char::from_u32(character).map_or(0, category_in_t2t),
        _ => 0,
    }
}

/// The class of a character for rules that do not ask what separates tokens.
fn of_any(rules: Rules, character: u32) -> Option<u8> {
    let is_word = || char::from_u32(character).is_some_and(is_alphanumeric);
    let class = match rules {
        Rules::EachSpace | Rules::Dotnet | Rules::Treebank => {
            let is_blank = character == u32::from(b' ');
            if is_blank { class::SPACE } else { 0 }
        }
        Rules::Words | Rules::WordMarks if is_word() => 0,
        Rules::Words if character == u32::from(b'_') => 0,
        Rules::Words => class::SPACE,
        Rules::WordMarks if is_space(character) => class::SPACE,
        Rules::WordMarks | Rules::CodePoints => class::ALONE,
        _ => return None,
    };
    Some(class)
}

/// Python's `str.isalnum`: letters and numbers of all kinds.
pub fn is_alphanumeric(character: char) -> bool {
    matches!(
        character.general_category_group(),
        GeneralCategoryGroup::Letter | GeneralCategoryGroup::Number
    )
}

fn category(character: char) -> u8 {
    match character.general_category_group() {
        GeneralCategoryGroup::Number => class::DIGIT,
        GeneralCategoryGroup::Punctuation => class::JOINER,
        GeneralCategoryGroup::Symbol => class::ALONE,
        _ => 0,
    }
}

fn category_in_t2t(character: char) -> u8 {
    match (character, character.general_category()) {
        ('\\', _) | (_, GeneralCategory::LetterNumber | GeneralCategory::OtherNumber) => 0,
        _ => category(character),
    }
}

/// Han, kana and Thai, as Marian lists them.
const fn is_unspaced(character: u32) -> bool {
    matches!(
        character,
        0x0E00..=0x0E7F // Thai
            | 0x2E80..=0x2E99 | 0x2E9B..=0x2EF3 | 0x2F00..=0x2FD5 // radicals
            | 0x3005 | 0x3007 | 0x3021..=0x3029 | 0x3038..=0x303B // marks and numerals of Han
            | 0x3040..=0x30FF | 0x1_B000..=0x1_B0FF | 0x1_B130..=0x1_B16F // kana
            | 0x3200..=0x32FF // enclosed characters
            | 0x3400..=0x4DB5 | 0x4E00..=0x9FEF | 0x2_0000..=0x2_A6D6 | 0x2_A700..=0x2_B734
            | 0x2_B740..=0x2_B81D | 0x2_B820..=0x2_CEA1 | 0x2_CEB0..=0x2_EBE0 // Han
            | 0xF900..=0xFA6D | 0xFA70..=0xFAD9 | 0x2_F800..=0x2_FA1D // compatibility ideographs
    )
}

/// The blocks that both versions of the list have right.
const fn is_chinese_block(character: u32) -> bool {
    matches!(
        character,
        0x3400..=0x4DB5 // CJK unified ideographs, extension A
            | 0x4E00..=0x9FBB // CJK unified ideographs
            | 0xF900..=0xFA2D | 0xFA30..=0xFA6A | 0xFA70..=0xFAD9 // compatibility ideographs
            | 0xFF00..=0xFFEF // half and full width forms
            | 0x2E80..=0x2EFF | 0x2F00..=0x2FDF | 0x31C0..=0x31EF // radicals, strokes
            | 0x3000..=0x303F | 0xFE10..=0xFE1F | 0xFE30..=0xFE4F // punctuation
            | 0x2FF0..=0x2FFF // description of structure
            | 0x3100..=0x312F | 0x31A0..=0x31BF // bopomofo
            | 0x2600..=0x26FF | 0x2700..=0x27BF // symbols
            | 0x3200..=0x32FF | 0x3300..=0x33FF // enclosed characters, units
    )
}

/// sacreBLEU 2.6.0 writes `'\u20000'`, which Python reads as U+2000 and a zero. Compared with one
/// character, the pair bounds U+2001..U+2A6D instead of extension B.
const fn is_chinese_as_coded(character: u32) -> bool {
    is_chinese_block(character) || matches!(character, 0x2001..=0x2A6D)
}

const fn is_chinese(character: u32) -> bool {
    is_chinese_block(character) || matches!(character, 0x2_0000..=0x2_A6D6 | 0x2_F800..=0x2_FA1D)
}
