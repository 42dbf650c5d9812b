//! Keys while a line is typed, and what the line asks for.

use crate::job::{Filter, Job, Needle};
use crate::model::Model;
use crate::prompt::{Asked, Prompt};
use crate::shown::shown;
use ratatui::crossterm::event::{KeyCode, KeyEvent};

impl Model {
    pub(super) fn prompt_key(&mut self, key: KeyEvent) {
        let Some(mut prompt) = self.prompt.take() else { return };
        match key.code {
            KeyCode::Esc => return,
            KeyCode::Backspace if prompt.text.is_empty() => return,
            KeyCode::Enter => return self.answer(prompt),
            KeyCode::Tab if prompt.asked == Asked::Condition => prompt.complete(&self.names()),
            _ => prompt.edit(key),
        }
        self.prompt = Some(prompt);
    }

    /// Does what was asked for; where it cannot be, the line stays, with what is wrong.
    fn answer(&mut self, mut prompt: Prompt) {
        let text = prompt.text.trim().to_owned();
        let wrong = match prompt.asked {
            Asked::Row => self.go_to(&text),
            Asked::File if text.is_empty() => None,
            Asked::File => self.write(&text),
            Asked::Text => {
                if !text.is_empty() {
                    self.needle = Some(Needle::new(&text));
                }
                self.find(false);
                None
            }
            Asked::Condition if text.is_empty() => {
                self.show_all_rows();
                None
            }
            Asked::Condition => match Filter::new(&self.table, &prompt.text) {
                Ok(filter) => {
                    self.job = Some(Job::Filter(Box::new(filter)));
                    None
                }
                Err(error) => {
                    let at = error.excerpt().map(|(_, at)| at);
                    Some((shown(&error.to_string()).into_owned(), at))
                }
            },
        };
        if let Some((_, at)) = &wrong {
            prompt.at = at.unwrap_or(prompt.at).min(prompt.text.len());
            prompt.choices.clear();
            prompt.wrong = wrong;
            self.prompt = Some(prompt);
        }
    }

    /// Writes the rows and columns that are shown to a file; what is wrong, if something is.
    fn write(&mut self, name: &str) -> Option<(String, Option<usize>)> {
        let selection = self.order.selection();
        match self.table.write(&selection, &self.columns, std::path::Path::new(name), self.write) {
            Ok(rows) => {
                let order = if self.sort.is_some() { ", in the order of the file" } else { "" };
                self.say(format!("{}: {}{order}", shown(name), crate::human::count(rows, "row")));
                None
            }
            Err(failure) => Some((shown(failure.message()).into_owned(), None)),
        }
    }

    /// Goes to a row by its number; what is wrong with it, if something is.
    fn go_to(&mut self, text: &str) -> Option<(String, Option<usize>)> {
        let digits: String = text.chars().filter(|c| !matches!(c, ',' | '_' | ' ')).collect();
        let rows = self.table.rows();
        match digits.parse::<u64>() {
            Ok(number) if (1..=rows).contains(&number) => {
                let number = number - 1;
                let place = self.order.place(number);
                if place >= self.order.rows() {
                    self.say("the filter leaves no such row; this is the last");
                }
                self.cursor.row = place;
                // The row is the first on the screen, as far as rows go.
                self.top = place;
                None
            }
            _ => {
                let last = crate::human::thousands(rows);
                Some((format!("rows are numbered from 1 to {last}"), None))
            }
        }
    }
}
