//! A line that is typed: a text that is looked for, a condition, or the number of a row.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use std::ops::Range;

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Asked {
    Text,
    Condition,
    Row,
    /// What the rows are written to.
    File,
}

impl Asked {
    /// What is before the line.
    pub(super) fn label(self) -> &'static str {
        match self {
            Self::Text => "search: ",
            Self::Condition => "filter: ",
            Self::Row => "row: ",
            Self::File => "write to: ",
        }
    }
}

/// The line, and what is wrong with it.
#[derive(Debug)]
pub(super) struct Prompt {
    pub(super) asked: Asked,
    pub(super) text: String,
    /// The byte that the cursor is at.
    pub(super) at: usize,
    /// What is wrong, and at which byte.
    pub(super) wrong: Option<(String, Option<usize>)>,
    /// What a word can be completed to.
    pub(super) choices: Vec<String>,
    /// The bytes of the word that is completed, and the choice that it has, if any.
    word: Option<(Range<usize>, Option<usize>)>,
}

impl Prompt {
    pub(super) fn new(asked: Asked, text: &str) -> Self {
        let text = text.to_owned();
        Self { asked, at: text.len(), text, wrong: None, choices: Vec::new(), word: None }
    }

    /// Edits the line by a key.
    pub(super) fn edit(&mut self, key: KeyEvent) {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        (self.wrong, self.word) = (None, None);
        self.choices.clear();
        match key.code {
            KeyCode::Char('u') if control => {
                self.text.drain(..self.at);
                self.at = 0;
            }
            KeyCode::Char('w') if control => self.remove(self.word_start()),
            KeyCode::Char('a') if control => self.at = 0,
            KeyCode::Char('e') if control => self.at = self.text.len(),
            KeyCode::Char(c) if !control && !c.is_control() => {
                self.text.insert(self.at, c);
                self.at += c.len_utf8();
            }
            KeyCode::Backspace => self.remove(self.before()),
            KeyCode::Delete => {
                let from = self.at;
                self.at = self.after();
                self.remove(from);
            }
            KeyCode::Left => self.at = self.before(),
            KeyCode::Right => self.at = self.after(),
            KeyCode::Home => self.at = 0,
            KeyCode::End => self.at = self.text.len(),
            _ => {}
        }
    }

    /// Inserts a text that was pasted, on one line.
    pub(super) fn paste(&mut self, text: &str) {
        let line: String = text.chars().filter(|c| !c.is_control()).collect();
        self.text.insert_str(self.at, &line);
        self.at += line.len();
    }

    /// Completes the word before the cursor to one of the names; again, to the next of them.
    pub(super) fn complete(&mut self, names: &[String]) {
        if let Some((word, chosen)) = self.word.clone() {
            let next = chosen.map_or(0, |chosen| chosen + 1) % self.choices.len().max(1);
            if let Some(choice) = self.choices.get(next).cloned() {
                self.put(word, &choice, Some(next));
            }
            return;
        }
        let start = self.word_start();
        let word = self.text.get(start..self.at).unwrap_or_default().to_lowercase();
        self.wrong = None;
        self.choices = names
            .iter()
            .filter(|name| {
                name.trim_start_matches('`').to_lowercase().starts_with(word.trim_start_matches('`'))
            })
            .cloned()
            .collect();
        match self.choices.as_slice() {
            [] => {}
            [only] => {
                let only = only.clone();
                self.put(start..self.at, &only, None);
                self.word = None;
                self.choices.clear();
            }
            [first, others @ ..] => {
                let common = others.iter().fold(first.as_str(), |common, other| shared(common, other));
                let common = common.to_owned();
                let longer =
                    if common.len() > word.len() { common } else { self.text[start..self.at].to_owned() };
                self.put(start..self.at, &longer, None);
            }
        }
    }

    fn put(&mut self, word: Range<usize>, text: &str, chosen: Option<usize>) {
        self.text.replace_range(word.clone(), text);
        self.at = word.start + text.len();
        self.word = Some((word.start..self.at, chosen));
    }

    fn remove(&mut self, from: usize) {
        self.text.drain(from..self.at);
        self.at = from;
    }

    fn before(&self) -> usize {
        self.text[..self.at].char_indices().next_back().map_or(0, |(at, _)| at)
    }

    fn after(&self) -> usize {
        self.text[self.at..].chars().next().map_or(self.at, |c| self.at + c.len_utf8())
    }

    /// Where the word before the cursor begins.
    fn word_start(&self) -> usize {
        let before = &self.text[..self.at];
        let is_in = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '`');
        let rest = before.trim_end_matches(is_in);
        rest.len()
    }
}

/// The start that two names share.
fn shared<'n>(one: &'n str, other: &str) -> &'n str {
    let same = one.char_indices().zip(other.chars()).find(|((_, a), b)| a != b);
    let end = same.map_or(one.len().min(other.len()), |((at, _), _)| at);
    one.get(..end).unwrap_or(one)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(text: &str) -> Prompt {
        let mut prompt = Prompt::new(Asked::Condition, "");
        text.chars().for_each(|c| prompt.edit(KeyEvent::new(KeyCode::Char(c), KeyModifiers::NONE)));
        prompt
    }

    #[test]
    fn words_are_completed_and_go_round() {
        let names = ["dep_delay", "dep_time", "dest", "from.gate", "`odd name`"].map(str::to_owned);
        let complete = |text: &str, times: usize| {
            let mut prompt = typed(text);
            (0..times).for_each(|_| prompt.complete(&names));
            assert_eq!(prompt.at, prompt.text.len());
            prompt.text
        };
        assert_eq!(complete("year > 1 and fr", 1), "year > 1 and from.gate");
        assert_eq!(complete("dep", 1), "dep_");
        assert_eq!([2, 3, 4].map(|times| complete("dep", times)), ["dep_delay", "dep_time", "dep_delay"]);
        assert_eq!(complete("x", 3), "x");
        assert_eq!(complete("(od", 1), "(`odd name`");
        assert_eq!(complete("", 2), "dep_delay");
        let mut none = typed("");
        none.complete(&[]);
        none.complete(&[]);
        assert_eq!(none.text, "");
    }

    #[test]
    fn lines_are_edited_by_characters() {
        let mut prompt = typed("é日x");
        let mut press = |code, modifiers| {
            prompt.edit(KeyEvent::new(code, modifiers));
            (prompt.text.clone(), prompt.at)
        };
        assert_eq!(press(KeyCode::Left, KeyModifiers::NONE), ("é日x".into(), 5));
        assert_eq!(press(KeyCode::Backspace, KeyModifiers::NONE), ("éx".into(), 2));
        assert_eq!(press(KeyCode::Delete, KeyModifiers::NONE), ("é".into(), 2));
        assert_eq!(press(KeyCode::Delete, KeyModifiers::NONE), ("é".into(), 2));
        assert_eq!(press(KeyCode::Char('w'), KeyModifiers::CONTROL), (String::new(), 0));
        assert_eq!(press(KeyCode::Backspace, KeyModifiers::NONE), (String::new(), 0));
        prompt.paste("a\x1b[31m\nb");
        assert_eq!(prompt.text, "a[31mb");
    }
}
