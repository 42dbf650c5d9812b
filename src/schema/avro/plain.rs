//! JSON as programs write it, read in one pass: a third fewer instructions than serde_json takes, which counts
//! where small files are opened. What is not plain (escapes, fractions, errors) is left to serde_json.

use super::json::Token;
use super::key::Key;
use std::borrow::Cow;

/// The tokens of a text whose brackets nest up to a limit; none where it is not plain.
pub(super) fn read<'t>(text: &'t str, limit: usize, tokens: Vec<Token<'t>>) -> Option<Vec<Token<'t>>> {
    let mut plain = Plain { text, at: 0, tokens };
    plain.value(limit)?;
    plain.peek().is_none().then_some(plain.tokens)
}

struct Plain<'t> {
    text: &'t str,
    at: usize,
    tokens: Vec<Token<'t>>,
}

impl<'t> Plain<'t> {
    fn value(&mut self, room: usize) -> Option<()> {
        let token = match self.next()? {
            b'"' => Token::Text(Cow::Borrowed(self.text()?)),
            b'{' => return self.nested(Token::Object, b'}', room, Self::entry),
            b'[' => return self.nested(Token::List, b']', room, Self::value),
            b'n' => self.word("ull", Token::Null)?,
            b't' => self.word("rue", Token::Boolean(true))?,
            b'f' => self.word("alse", Token::Boolean(false))?,
            first @ b'0'..=b'9' => self.natural(first)?,
            _ => return None,
        };
        self.tokens.push(token);
        Some(())
    }

    fn entry(&mut self, room: usize) -> Option<()> {
        if self.next()? != b'"' {
            return None;
        }
        let key = Token::Key(Key::of(self.text()?));
        self.tokens.push(key);
        if self.next()? != b':' {
            return None;
        }
        self.value(room)
    }

    /// What is within brackets, behind a token that tells where this ends.
    fn nested(
        &mut self,
        token: fn(usize) -> Token<'t>,
        close: u8,
        room: usize,
        read: fn(&mut Self, usize) -> Option<()>,
    ) -> Option<()> {
        let room = room.checked_sub(1)?;
        let at = self.tokens.len();
        self.tokens.push(token(0));
        if self.peek()? == close {
            self.at += 1;
        } else {
            loop {
                read(self, room)?;
                match self.next()? {
                    b',' => {}
                    end if end == close => break,
                    _ => return None,
                }
            }
        }
        let end = self.tokens.len();
        *self.tokens.get_mut(at)? = token(end);
        Some(())
    }

    /// The text up to a quotation mark.
    fn text(&mut self) -> Option<&'t str> {
        let rest = self.text.as_bytes().get(self.at..)?;
        let length = special(rest)?;
        let text = self.text.get(self.at..self.at + length)?;
        self.at += length + 1;
        (rest.get(length) == Some(&b'"')).then_some(text)
    }

    /// The rest of a word.
    fn word(&mut self, rest: &str, token: Token<'t>) -> Option<Token<'t>> {
        let found = self.text.get(self.at..)?.starts_with(rest);
        self.at += rest.len();
        found.then_some(token)
    }

    /// A whole number behind its first digit.
    fn natural(&mut self, first: u8) -> Option<Token<'t>> {
        let mut number = u64::from(first - b'0');
        while let Some(digit @ b'0'..=b'9') = self.text.as_bytes().get(self.at) {
            if number == 0 {
                return None;
            }
            number = number.checked_mul(10)?.checked_add(u64::from(digit - b'0'))?;
            self.at += 1;
        }
        let goes_on = matches!(self.text.as_bytes().get(self.at), Some(b'.' | b'e' | b'E'));
        (!goes_on).then_some(Token::Natural(number))
    }

    /// The next byte that is not white.
    #[inline]
    fn next(&mut self) -> Option<u8> {
        let next = self.peek();
        self.at += 1;
        next
    }

    #[inline]
    fn peek(&mut self) -> Option<u8> {
        loop {
            match self.text.as_bytes().get(self.at)? {
                byte @ b'!'.. => return Some(*byte),
                b' ' | b'\n' | b'\r' | b'\t' => self.at += 1,
                byte => return Some(*byte),
            }
        }
    }
}

/// The position of the first quotation mark, backslash or control character; eight bytes are looked at at once.
fn special(text: &[u8]) -> Option<usize> {
    const ONES: u64 = 0x0101_0101_0101_0101;
    // The high bit of each byte below `limit`, and perhaps of bytes above the first such.
    let below = |word: u64, limit: u8| word.wrapping_sub(ONES * u64::from(limit)) & !word & (ONES << 7);
    let mut at = 0;
    while let Some(chunk) = text.get(at..).and_then(|rest| rest.first_chunk()) {
        let word = u64::from_le_bytes(*chunk);
        let equal = |byte: u8| below(word ^ (ONES * u64::from(byte)), 1);
        let found = equal(b'"') | equal(b'\\') | below(word, b' ');
        if found != 0 {
            return Some(at + (found.trailing_zeros() / 8) as usize);
        }
        at += 8;
    }
    let found = text.get(at..)?.iter().position(|byte| matches!(byte, b'"' | b'\\' | ..b' '))?;
    Some(at + found)
}

#[cfg(test)]
mod tests {
    use super::super::json::Document;
    use super::*;

    /// What serde_json reads, where it reads anything.
    fn whole(text: &str, limit: usize) -> Option<Vec<Token<'_>>> {
        Document::read_any(text, limit).ok().map(Document::into_tokens)
    }

    #[test]
    fn what_is_plain_is_read_as_serde_json_reads_it() {
        let text = r#" {"type" : "record","fields":[{"name":"é","type":["null","int"],"default":null},
            {"a":true,"b":false,"c":0,"d":18446744073709551615,"e":[],"f":{}}],"b":[[1,2],[[]]]} "#;
        let read = read(text, 9, Vec::new());
        assert!(read.is_some());
        assert_eq!(read, whole(text, 9));
    }

    #[test]
    fn nothing_is_read_that_serde_json_does_not_read_so() {
        let texts = [
            r#"{"a":[1,2,{"b":"c"}],"d":null,"e":true,"f":10}"#,
            r#"["long",{"type":"fixed","size":16},[],{},false]"#,
            "\"é\"",
            "12",
        ];
        let others = b"\"\\{}[]:,.-+eE0192 \n\tntfu\x01\x7f";
        let mut plain = 0;
        for text in texts {
            for at in 0..=text.len() {
                for limit in [0, 1, 2, 8] {
                    for byte in others {
                        let mut changed = text.as_bytes().to_vec();
                        let mut longer = changed.clone();
                        longer.insert(at, *byte);
                        changed.truncate(at);
                        let cut = changed.clone();
                        changed.push(*byte);
                        changed.extend_from_slice(text.as_bytes().get(at + 1..).unwrap_or_default());
                        for bytes in [changed, longer, cut] {
                            let Ok(text) = std::str::from_utf8(&bytes) else {
                                continue;
                            };
                            if let Some(tokens) = read(text, limit, Vec::new()) {
                                plain += 1;
                                assert_eq!(Some(tokens), whole(text, limit), "{text:?}");
                            }
                        }
                    }
                }
            }
        }
        assert!(plain > 1000);
    }
}
