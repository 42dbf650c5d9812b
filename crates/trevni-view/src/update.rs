//! What keys, the mouse and the terminal do to the model.

mod over;
mod prompted;

use super::job::{Find, Frequent, Hit, Job, Sort, Statistics};
use super::model::{Model, Over};
use super::prompt::{Asked, Prompt};
use super::table::whole;
use super::tree::Tree;
use ratatui::crossterm::event::{
    Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use std::rc::Rc;

/// Rows that the wheel moves by.
const WHEEL: i64 = 3;
/// The exit code of a program that Ctrl-C ended.
const INTERRUPTED: u8 = 130;

impl Model {
    /// Does what an event asks for.
    pub(super) fn handle(&mut self, event: Event) {
        match event {
            Event::Key(key) if key.kind != KeyEventKind::Release => self.key(key),
            Event::Mouse(mouse) => self.mouse(mouse),
            Event::Resize(columns, lines) => self.size = (columns, lines),
            Event::Paste(text) => {
                if let Some(prompt) = &mut self.prompt {
                    prompt.paste(&text);
                }
            }
            _ => {}
        }
    }

    fn key(&mut self, key: KeyEvent) {
        if key.modifiers.contains(KeyModifiers::CONTROL) && key.code == KeyCode::Char('c') {
            self.ended = Some(INTERRUPTED);
            return;
        }
        if self.job.is_some() {
            if key.code == KeyCode::Esc {
                self.job = None;
                self.say("cancelled");
            }
            return;
        }
        if self.prompt.is_some() {
            return self.prompt_key(key);
        }
        self.note = None;
        match self.over {
            Over::Nothing => self.table_key(key),
            _ => self.over_key(key),
        }
    }

    fn table_key(&mut self, key: KeyEvent) {
        let page = i64::from(self.height());
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Char('d') if control => self.go(page / 2),
            KeyCode::Char('u') if control => self.go(-page / 2),
            KeyCode::Char('f') if control => self.go(page),
            KeyCode::Char('b') if control => self.go(-page),
            _ if control && !matches!(key.code, KeyCode::Home | KeyCode::End) => {}
            KeyCode::Down | KeyCode::Char('j') => self.go(1),
            KeyCode::Up | KeyCode::Char('k') => self.go(-1),
            KeyCode::PageDown | KeyCode::Char(' ') => self.go(page),
            KeyCode::PageUp | KeyCode::Char('b') => self.go(-page),
            KeyCode::Char('g') => self.go(i64::MIN),
            KeyCode::Char('G') => self.go(i64::MAX),
            KeyCode::Home if control => self.go(i64::MIN),
            KeyCode::End if control => self.go(i64::MAX),
            KeyCode::Left | KeyCode::Char('h') | KeyCode::BackTab => {
                self.cursor.column = self.cursor.column.saturating_sub(1);
            }
            KeyCode::Right | KeyCode::Char('l') | KeyCode::Tab => self.cursor.column += 1,
            KeyCode::Home | KeyCode::Char('^') => self.cursor.column = 0,
            KeyCode::End | KeyCode::Char('$') => self.cursor.column = self.columns.len().saturating_sub(1),
            KeyCode::Char(':') => self.ask(Asked::Row, ""),
            KeyCode::Char(digit @ '0'..='9') => self.ask(Asked::Row, &digit.to_string()),
            KeyCode::Char('/') => self.ask(Asked::Text, ""),
            KeyCode::Char('f' | '&') => {
                let filter = self.filter.clone().unwrap_or_default();
                self.ask(Asked::Condition, &filter);
            }
            KeyCode::Char('n') => self.find(false),
            KeyCode::Char('N') => self.find(true),
            KeyCode::Char('s') => self.sort_by(self.cursor.column),
            KeyCode::Char('-') => self.hide(),
            KeyCode::Char('+' | '=') => self.show_all(),
            KeyCode::Char('i') => self.statistics(),
            KeyCode::Char('c') => self.frequent(),
            KeyCode::Char('z') => self.freeze(),
            KeyCode::Char('y') => self.copy(),
            KeyCode::Char('w') => self.ask(Asked::File, ""),
            KeyCode::Enter => self.open_row(),
            KeyCode::Char('v') => self.open_cell(),
            KeyCode::Char('?') | KeyCode::F(1) => self.over = Over::Help { top: 0 },
            KeyCode::Char('q') => self.ended = Some(0),
            _ => {}
        }
    }

    fn ask(&mut self, asked: Asked, text: &str) {
        self.prompt = Some(Prompt::new(asked, text));
    }

    /// Moves the cursor by rows.
    fn go(&mut self, by: i64) {
        let last = self.order.rows().saturating_sub(1);
        self.cursor.row = self.cursor.row.saturating_add_signed(by).min(last);
    }

    /// Looks for the next cell with the text, or the one before.
    fn find(&mut self, backwards: bool) {
        match self.needle.clone() {
            Some(needle) => {
                let find = Find::new(&self.table, &self.order, &self.columns, needle, self.cursor, backwards);
                self.job = Some(Job::Find(Box::new(find)));
            }
            None => self.say("nothing to search for; / starts a search"),
        }
    }

    /// Sorts by a column: upwards, then downwards, then not.
    fn sort_by(&mut self, place: usize) {
        let Some(column) = self.columns.get(place).copied() else { return };
        let descends = match self.sort {
            Some((own, true)) if own == column => {
                self.sort = None;
                return self.turn(self.order.unsorted());
            }
            Some((own, false)) => own == column,
            _ => false,
        };
        let sort = Sort::new(&self.table, self.order.unsorted(), column, descends);
        self.job = Some(Job::Sort(Box::new(sort)));
    }

    fn hide(&mut self) {
        if self.columns.len() > 1 {
            self.columns.remove(self.cursor.column);
            self.say("hidden; + shows all columns");
        } else {
            self.say("the last column stays");
        }
    }

    fn show_all(&mut self) {
        let column = self.column();
        self.columns = (0..self.table.headings().len()).collect();
        let place = column.and_then(|column| self.columns.iter().position(|own| *own == column));
        self.cursor.column = place.unwrap_or(0);
    }

    fn statistics(&mut self) {
        if let Some(column) = self.column() {
            let work = Statistics::new(&self.table, column, self.order.selection());
            self.job = Some(Job::Statistics(Box::new(work)));
        }
    }

    /// Counts the values of the column.
    fn frequent(&mut self) {
        if let Some(column) = self.column() {
            let work = Frequent::new(&self.table, column, self.order.selection());
            self.job = Some(Job::Frequent(Box::new(work)));
        }
    }

    /// The columns up to the cursor stay where they are; once more, they do not.
    fn freeze(&mut self) {
        let wanted = self.cursor.column + 1;
        match self.frozen == wanted || wanted >= self.columns.len() {
            true => {
                self.frozen = 0;
                self.say("no column is frozen");
            }
            false => {
                self.frozen = wanted;
                self.say(format!("{} frozen; z again: none", crate::human::count(wanted as u64, "column")));
            }
        }
    }

    /// Copies the cell that the cursor is on.
    fn copy(&mut self) {
        let (Some(number), Some(column)) = (self.number(self.cursor.row), self.column()) else { return };
        match self.table.with_row(number, Some(column), |value| whole(&value)) {
            Ok(Some(text)) => {
                self.copied = Some(text);
                self.say("copied, where the terminal allows it");
            }
            Ok(None) => self.say("null"),
            Err(failure) => self.fail(&failure),
        }
    }

    /// Shows all of the row that the cursor is on.
    fn open_row(&mut self) {
        let place = self.cursor.row;
        let Some(number) = self.number(place) else { return };
        let title = format!("row {}", crate::human::thousands(number + 1));
        match self.table.with_row(number, None, |value| Tree::of(title.clone(), value)) {
            Ok(Some(mut tree)) => {
                tree.row = Some(place);
                self.over = Over::Tree(tree);
            }
            Ok(None) => {}
            Err(failure) => self.fail(&failure),
        }
    }

    /// Shows all of the cell that the cursor is on.
    fn open_cell(&mut self) {
        let (Some(number), Some(column)) = (self.number(self.cursor.row), self.column()) else { return };
        let name = self.table.headings().get(column).map_or("", |heading| &heading.name);
        let title = format!("row {}, {name}", crate::human::thousands(number + 1));
        match self.table.with_row(number, Some(column), |value| Tree::of(title.clone(), value)) {
            Ok(Some(tree)) => self.over = Over::Tree(tree),
            Ok(None) => self.say("null"),
            Err(failure) => self.fail(&failure),
        }
    }

    fn mouse(&mut self, mouse: MouseEvent) {
        let by = match mouse.kind {
            MouseEventKind::ScrollDown => WHEEL,
            MouseEventKind::ScrollUp => -WHEEL,
            MouseEventKind::Down(MouseButton::Left) => return self.click(mouse.column, mouse.row),
            _ => return,
        };
        match self.over {
            Over::Nothing => self.go(by),
            _ => self.scroll_over(by),
        }
    }

    /// A click on a name sorts; on a cell it moves the cursor there, and once more it opens the row.
    fn click(&mut self, x: u16, y: u16) {
        if self.job.is_some() || self.prompt.is_some() || !matches!(self.over, Over::Nothing) {
            return;
        }
        let at = self.placed.iter().rev().find(|placed| placed.x <= x);
        let Some(place) = at.map(|placed| placed.place) else { return };
        self.note = None;
        match y.checked_sub(self.header()) {
            None => self.sort_by(place),
            Some(line) => {
                let row = self.top + u64::from(line);
                if row >= self.places().end {
                    return;
                }
                let hit = Hit { row, column: place };
                if hit == self.cursor {
                    self.open_row();
                }
                self.cursor = hit;
            }
        }
    }

    /// Shows the rows in the order of the files, all of them.
    fn show_all_rows(&mut self) {
        let row = self.number(self.cursor.row).unwrap_or(0);
        let rows = self.table.rows();
        self.turn(Rc::new(super::order::Order::All(rows)));
        self.cursor.row = row;
        (self.filter, self.sort) = (None, None);
    }
}
