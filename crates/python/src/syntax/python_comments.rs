//! Python without comments and docstrings, in a fiftieth of the time of Python's module `tokenize`,
//! for programs that all its versions split alike: that is all but two percent.

use super::comments::without_blank_lines;

/// More brackets in each other, or indentations, than this may be too many for `tokenize`.
const DEEP: usize = 90;

/// The text as codebleu changes it: without comments and strings that begin a line, and unchanged
/// where `tokenize` raises an error; `None` if that depends on the version, or is hard to say.
pub fn without(text: &str, is_3_11: bool) -> Option<String> {
    if memchr::memchr2(b'\r', 0, text.as_bytes()).is_some() {
        return None;
    }
    let mut lexer = Lexer {
        text,
        bytes: text.as_bytes(),
        at: 0,
        line: 0,
        end: 0,
        copied: 0,
        result: String::with_capacity(text.len()),
        indents: vec![0],
        level: 0,
        is_odd: false,
        is_3_11,
        is_begin: true,
    };
    match lexer.lines() {
        Ok(()) if lexer.is_odd => None,
        Ok(()) => {
            lexer.delete(text.len(), text.len());
            Some(without_blank_lines(&lexer.result))
        }
        Err(Stop::Error) => Some(text.to_owned()),
        Err(Stop::Unknown) => None,
    }
}

/// Why a text is not read to its end.
enum Stop {
    /// All versions raise an error.
    Error,
    /// Versions may differ.
    Unknown,
}

struct Lexer<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    /// The start of the line.
    line: usize,
    /// The end of the last token.
    end: usize,
    /// What is copied or deleted.
    copied: usize,
    result: String,
    indents: Vec<usize>,
    /// Opening brackets minus closing ones, of any kind.
    level: i32,
    /// Whether versions can differ, but only by an error in some of them.
    is_odd: bool,
    /// Whether Python 3.11 runs, which goes on where later versions raise an error.
    is_3_11: bool,
    /// Whether the last token is an indent or the end of a statement: a string is a docstring.
    is_begin: bool,
}

impl Lexer<'_> {
    fn lines(&mut self) -> Result<(), Stop> {
        while self.at < self.bytes.len() {
            self.indentation()?;
            while self.token()? {}
        }
        (self.level == 0).then_some(()).ok_or(Stop::Error)
    }

    fn peek(&self, ahead: usize) -> Option<u8> {
        self.bytes.get(self.at + ahead).copied()
    }

    /// Skips the characters for which `is_one` holds.
    fn skip(&mut self, is_one: impl Fn(u8) -> bool) {
        while self.peek(0).is_some_and(&is_one) {
            self.at += 1;
        }
    }

    /// Copies the text up to `start`, and skips that up to `end`.
    fn delete(&mut self, start: usize, end: usize) {
        self.result.push_str(&self.text[self.copied..start]);
        self.copied = end;
    }

    /// Reads the start of a line that begins a statement.
    fn indentation(&mut self) -> Result<(), Stop> {
        self.line = self.at;
        self.skip(|byte| byte == b' ');
        let width = self.at - self.line;
        match self.peek(0) {
            Some(b'\n' | b'#') => return Ok(()),
            None | Some(b'\\' | b'\t' | b'\x0C') => return Err(Stop::Unknown),
            _ => (),
        }
        let last = |indents: &[usize]| indents.last().copied().unwrap_or(0);
        if width > last(&self.indents) {
            self.indents.push(width);
            self.is_begin = true;
            if self.indents.len() > DEEP {
                return Err(Stop::Unknown);
            }
        }
        while width < last(&self.indents) {
            self.indents.pop();
            self.is_begin = false;
        }
        (width == last(&self.indents))
            .then_some(())
            .ok_or(Stop::Error)
    }

    /// Reads a token; false at the end of a statement.
    fn token(&mut self) -> Result<bool, Stop> {
        self.skip(|byte| byte == b' ');
        let start = self.at;
        let Some(byte) = self.peek(0) else {
            return Ok(false);
        };
        self.at += 1;
        match byte {
            b'\n' => {
                self.is_begin = self.level < 0 || (self.level == 0 && self.end > self.line);
                self.line = self.at;
                return Ok(self.level != 0);
            }
            b'#' => {
                self.skip(|byte| byte != b'\n');
                self.delete(start, self.at);
                return Ok(true);
            }
            b'\\' => {
                self.continuation()?;
                return Ok(true);
            }
            b'"' | b'\'' => self.string(start)?,
            b'a'..=b'z' | b'A'..=b'Z' | b'_' | 0x80.. => {
                self.skip(|byte| is_name(byte) || !byte.is_ascii());
                let name = &self.text[start..self.at];
                self.is_odd |= !name.is_ascii();
                if matches!(self.peek(0), Some(b'"' | b'\'')) {
                    match name.to_ascii_lowercase().as_str() {
                        "b" | "br" | "r" | "rb" | "u" => {
                            self.at += 1;
                            self.string(start)?;
                        }
                        "f" | "fr" | "rf" => self.formatted(start)?,
                        "t" | "tr" | "rt" => return Err(Stop::Unknown),
                        _ if !name.is_ascii() => return Err(Stop::Unknown),
                        _ => (),
                    }
                }
            }
            b'0'..=b'9' => self.number(start),
            b'.' if self.bytes[start..].starts_with(b"...") => self.at += 2,
            b'.' if self.peek(0).is_some_and(|byte| byte.is_ascii_digit()) => self.number(start),
            b'(' | b'[' | b'{' => {
                self.level += 1;
                if self.level > DEEP as i32 {
                    return Err(Stop::Unknown);
                }
            }
            b')' | b']' | b'}' if self.is_3_11 => self.level -= 1,
            b')' | b']' | b'}' => self.level = (self.level - 1).max(0),
            b'!' if self.peek(0) == Some(b'=') => self.at += 1,
            b'!' | b'$' | b'?' | b'`' => self.is_odd = true,
            b'%' | b'&' | b'*' | b'+' | b',' | b'-' | b'.' | b'/' | b':' | b';' | b'<' | b'='
            | b'>' | b'@' | b'^' | b'|' | b'~' => (),
            _ => return Err(Stop::Unknown),
        }
        self.end = self.at;
        self.is_begin = false;
        Ok(true)
    }

    /// A backslash at the end of a line, which is deleted with the space before it.
    fn continuation(&mut self) -> Result<(), Stop> {
        if self.peek(0) != Some(b'\n') || self.end <= self.line {
            return Err(Stop::Unknown);
        }
        self.at += 1;
        self.delete(self.end, self.at);
        self.line = self.at;
        self.skip(|byte| byte == b' ');
        match self.peek(0) {
            None | Some(b'\n' | b'#' | b'\\') => Err(Stop::Unknown),
            Some(_) => Ok(()),
        }
    }

    /// The rest of a string, whose prefix begins at `start`; deletes a docstring.
    fn string(&mut self, start: usize) -> Result<(), Stop> {
        let quote = self.bytes[self.at - 1];
        let is_docstring = self.is_begin || start == self.line;
        let first = self.line;
        let size = if self.bytes[self.at..].starts_with(&[quote; 2]) {
            3
        } else {
            1
        };
        let mut at = self.at - 1 + size;
        loop {
            match self.bytes.get(at) {
                None if size == 3 => return Err(Stop::Error),
                None | Some(b'\n') if size == 1 => {
                    // Python 3.11 goes on after the quote.
                    return self.is_3_11.then_some(()).ok_or(Stop::Error);
                }
                Some(b'\\') => {
                    let is_line_end = self.bytes.get(at + 1) == Some(&b'\n');
                    if is_line_end && size == 1 {
                        return Err(Stop::Unknown);
                    }
                    at += if is_line_end { 1 } else { 2 };
                }
                Some(b'\n') => {
                    at += 1;
                    self.line = at;
                }
                Some(&byte)
                    if byte == quote && self.bytes[at..].starts_with(&[quote; 3][..size]) =>
                {
                    break;
                }
                _ => at += 1,
            }
        }
        if self.line > start && !self.is_3_11 {
            // Python 3.12 counts bytes as columns in these lines.
            let rest = self.bytes[at..].iter().take_while(|&&byte| byte != b'\n');
            let end = at + rest.count();
            self.is_odd |= !self.bytes[first..end].is_ascii();
        }
        self.at = at + size;
        if is_docstring {
            self.delete(start, self.at);
        }
        Ok(())
    }

    /// A string with fields, which later versions than 3.11 split at them.
    fn formatted(&mut self, start: usize) -> Result<(), Stop> {
        let (quote, rest) = self.text[self.at..].split_at(1);
        let (body, _) = rest.split_once(quote).unwrap_or_default();
        // An empty one may be the start of three quotes.
        if body.is_empty() || self.is_begin || start == self.line || !is_simple(body) {
            return Err(Stop::Unknown);
        }
        self.at += body.len() + 2;
        Ok(())
    }

    /// A number. Later versions than 3.11 allow neither a name after it nor some leading zeros.
    fn number(&mut self, start: usize) {
        self.at = start;
        match self.bytes[start..] {
            [b'0', b'b' | b'B', b'0' | b'1', ..] => {
                self.digits(2, |byte| matches!(byte, b'0' | b'1'));
            }
            [b'0', b'o' | b'O', b'0'..=b'7', ..] => {
                self.digits(2, |byte| matches!(byte, b'0'..=b'7'));
            }
            [b'0', b'x' | b'X', digit, ..] if digit.is_ascii_hexdigit() => {
                self.digits(2, u8::is_ascii_hexdigit);
            }
            _ => {
                self.digits(0, u8::is_ascii_digit);
                self.is_odd |= self.bytes[start] == b'0' && self.at > start + 1;
                if self.peek(0) == Some(b'.') {
                    self.digits(1, u8::is_ascii_digit);
                }
                match self.bytes[self.at..] {
                    [b'e' | b'E', b'0'..=b'9', ..] => self.digits(1, u8::is_ascii_digit),
                    [b'e' | b'E', b'+' | b'-', b'0'..=b'9', ..] => {
                        self.digits(2, u8::is_ascii_digit);
                    }
                    _ => (),
                }
                self.at += usize::from(matches!(self.peek(0), Some(b'j' | b'J')));
            }
        }
        self.is_odd |= self
            .peek(0)
            .is_some_and(|byte| is_name(byte) || !byte.is_ascii());
    }

    /// Skips some characters, and the digits after them with single underscores between them.
    fn digits(&mut self, skipped: usize, is_digit: fn(&u8) -> bool) {
        self.at += skipped;
        let digit = |byte: Option<u8>| byte.is_some_and(|byte| is_digit(&byte));
        while digit(self.peek(0))
            || (self.peek(0) == Some(b'_')
                && is_digit(&self.bytes[self.at - 1])
                && digit(self.peek(1)))
        {
            self.at += 1;
        }
    }
}

/// Whether it can be in a name. Only `tokenize` knows which characters outside of ASCII can.
fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Whether all versions split the fields of a string without an error.
fn is_simple(body: &str) -> bool {
    let is_plain = |byte: u8| matches!(byte, b' '..=b'~') && byte != b'\\';
    let is_text = |text: &str| !text.contains('}') && text.bytes().all(is_plain);
    let mut parts = body.split('{');
    parts.next().is_some_and(is_text)
        && parts.all(|part| {
            let (field, text) = part.split_once('}').unwrap_or_default();
            is_text(text) && is_text(field) && is_simple_field(field)
        })
}

/// Whether it has only names, calls, some indices and the like before its format.
fn is_simple_field(field: &str) -> bool {
    let (value, format) = field.split_at(field.find([':', '!']).unwrap_or(field.len()));
    let mut brackets = Vec::new();
    let is_known = |byte| match byte {
        b'(' | b'[' => {
            brackets.push(byte);
            true
        }
        b')' | b']' => brackets.pop().is_some_and(|open| byte.abs_diff(open) <= 2),
        _ => is_name(byte) || b" +,-.".contains(&byte),
    };
    let are_known = value.bytes().all(is_known) && brackets.is_empty() && !value.is_empty();
    let mut words = value.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    let is_digit = |word: &str| word.len() == 1 && !value.contains('.');
    are_known
        && words.all(|word| !word.starts_with(|c: char| c.is_ascii_digit()) || is_digit(word))
        && (!format.starts_with('!') || matches!(format, "!r" | "!s" | "!a"))
}
