//! JSON values one after the other, or in an array.

use super::chunk::{Cut, RowSpan};

/// Cuts at the ends of values. What is in them is not looked at: that is the parser's.
#[derive(Debug)]
pub(crate) struct Values {
    state: State,
    line: u64,
    /// The line at which an array of rows begins, if this is one.
    array: Option<u64>,
    /// The line at which the value begins.
    begins: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// Before a value; after a comma there has to be one.
    Before {
        comma: bool,
    },
    /// Behind a value of an array.
    Behind,
    /// In a number or a word.
    Word,
    /// The number of brackets around.
    In {
        depth: u32,
    },
    Text {
        depth: u32,
    },
    Escape {
        depth: u32,
    },
}

/// Where a value ends.
const ENDED: State = State::In { depth: 0 };

impl Values {
    /// For a text that begins at a line.
    pub(crate) fn new(line: u64) -> Self {
        Self { state: State::Before { comma: false }, line, array: None, begins: line }
    }

    /// The state after a byte outside of values, or in the value that it begins.
    fn outside(&mut self, byte: u8) -> Result<State, String> {
        Ok(match (byte, self.state, self.array) {
            (b' ' | b'\t' | b'\r' | b'\n', state, _) => state,
            (b'[', State::Before { .. }, None) => {
                self.array = Some(self.line);
                State::Before { comma: false }
            }
            (b']', State::Before { comma: false } | State::Behind, Some(_)) => {
                self.array = None;
                State::Before { comma: false }
            }
            (b',', State::Behind, Some(_)) => State::Before { comma: true },
            (_, State::Behind, _) => return Err(self.unexpected("a comma or the end of the array", byte)),
            (b',' | b']' | b'}' | b':', ..) => return Err(self.unexpected("a JSON value", byte)),
            (b'{' | b'[', ..) => State::In { depth: 1 },
            (b'"', ..) => State::Text { depth: 0 },
            _ => State::Word,
        })
    }

    #[cold]
    fn unexpected(&self, expected: &str, byte: u8) -> String {
        format!("line {}: {expected} expected, not {:?}", self.line, char::from(byte))
    }

    /// The state after a byte in a value.
    fn inside(&self, byte: u8) -> State {
        match (self.state, byte) {
            (State::Word, b' ' | b'\t' | b'\r' | b'\n' | b',' | b']') => ENDED,
            (State::In { depth }, b'{' | b'[') => State::In { depth: depth.saturating_add(1) },
            (State::In { depth }, b'}' | b']') => State::In { depth: depth.saturating_sub(1) },
            (State::In { depth }, b'"') | (State::Escape { depth }, _) => State::Text { depth },
            (State::Text { depth }, b'"') => State::In { depth },
            (State::Text { depth }, b'\\') => State::Escape { depth },
            (state, _) => state,
        }
    }

    fn end_value(&mut self, start: usize, end: usize, rows: &mut Vec<RowSpan>) {
        rows.push(RowSpan { start, end, line: self.begins });
        self.state = if self.array.is_some() { State::Behind } else { State::Before { comma: false } };
    }

    fn is_outside(&self) -> bool {
        matches!(self.state, State::Before { .. } | State::Behind)
    }
}

impl Cut for Values {
    fn cut(&mut self, text: &[u8], from: usize, rows: &mut Vec<RowSpan>) -> Result<usize, String> {
        // What begins here, or has begun before, is at the start.
        let mut end = 0;
        let mut at = from;
        while let Some(&byte) = text.get(at) {
            if self.is_outside() {
                self.state = self.outside(byte)?;
                if self.is_outside() {
                    end = at + 1;
                } else {
                    self.begins = self.line;
                }
            } else {
                let word = self.state == State::Word;
                self.state = self.inside(byte);
                if self.state == ENDED {
                    // What ends a word is not part of it.
                    at = if word { at } else { at + 1 };
                    self.end_value(end, at, rows);
                    end = at;
                    continue;
                }
            }
            self.line += u64::from(byte == b'\n');
            at += 1;
            if matches!(self.state, State::Text { .. }) {
                let rest = text.get(at..).unwrap_or_default();
                at += memchr::memchr3(b'"', b'\\', b'\n', rest).unwrap_or(rest.len());
            }
        }
        Ok(end)
    }

    fn end(&mut self, text: &[u8], from: usize, rows: &mut Vec<RowSpan>) -> Result<(), String> {
        if self.state == State::Word {
            self.end_value(from, text.len(), rows);
        }
        if !self.is_outside() {
            return Err(format!("line {}: the JSON value that begins here is not closed", self.begins));
        }
        match self.array {
            Some(line) => Err(format!("line {line}: the JSON array that begins here is not closed")),
            None => Ok(()),
        }
    }

    fn line(&self) -> u64 {
        if self.is_outside() { self.line } else { self.begins }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The rows of a text that comes in pieces.
    fn rows(text: &str, piece: usize) -> Result<Vec<(String, u64)>, String> {
        let mut values = Values::new(1);
        let (mut found, mut chunk, mut looked) = (Vec::new(), Vec::new(), 0);
        for part in text.as_bytes().chunks(piece) {
            chunk.extend_from_slice(part);
            let mut places = Vec::new();
            let end = values.cut(&chunk, looked, &mut places)?;
            let row = |place: &RowSpan| String::from_utf8(chunk[place.start..place.end].to_vec()).unwrap();
            found.extend(places.iter().map(|place| (row(place), place.line)));
            chunk.drain(..end);
            looked = chunk.len();
        }
        let mut places = Vec::new();
        values.end(&chunk, 0, &mut places)?;
        found.extend(
            places.iter().map(|place| {
                (String::from_utf8(chunk[place.start..place.end].to_vec()).unwrap(), place.line)
            }),
        );
        Ok(found)
    }

    #[track_caller]
    fn finds(text: &str, expected: &[(&str, u64)]) {
        for piece in [1, 2, 3, 7, 1000] {
            let rows = rows(text, piece).unwrap();
            let rows: Vec<(&str, u64)> = rows.iter().map(|(row, line)| (row.as_str(), *line)).collect();
            assert_eq!(rows, expected, "{piece}");
        }
    }

    #[test]
    fn rows_are_items_of_an_array_or_values() {
        finds(
            "[\n{\"a\": \"]}\\\"\"},\n [1,\n[2]],3 , \"x\"\n]",
            &[("{\"a\": \"]}\\\"\"}", 2), ("[1,\n[2]]", 3), ("3", 4), ("\"x\"", 4)],
        );
        finds(
            "{\"a\":{}}{}\n\n12 null\n\"t\"",
            &[("{\"a\":{}}", 1), ("{}", 1), ("12", 3), ("null", 3), ("\"t\"", 4)],
        );
        finds("[]", &[]);
        finds(" \n", &[]);
        finds("[1][2]", &[("1", 1), ("2", 1)]);
    }

    #[test]
    fn what_is_no_array_of_rows_has_a_line() {
        for (text, message) in [
            ("[1\n2]", "line 2: a comma or the end of the array expected, not '2'"),
            ("[1,\n]", "line 2: a JSON value expected, not ']'"),
            ("{}\n,{}", "line 2: a JSON value expected, not ','"),
            ("\n[1, 2", "line 2: the JSON array that begins here is not closed"),
            ("[1,\n{\"a\": [", "line 2: the JSON value that begins here is not closed"),
            ("\"abc", "line 1: the JSON value that begins here is not closed"),
        ] {
            for piece in [1, 3, 1000] {
                assert_eq!(rows(text, piece).unwrap_err(), message, "{text}");
            }
        }
    }
}
