//! Keys while something is over the table: help, a row, statistics.

use crate::model::{Model, Over};
use ratatui::crossterm::event::{KeyCode, KeyEvent};

impl Model {
    pub(super) fn over_key(&mut self, key: KeyEvent) {
        let page = i64::from(self.size.1.saturating_sub(2).max(1));
        match key.code {
            KeyCode::Esc | KeyCode::Char('q') => self.over = Over::Nothing,
            KeyCode::Char('?') => self.over = Over::Help { top: 0 },
            KeyCode::Down | KeyCode::Char('j') => self.scroll_over(1),
            KeyCode::Up | KeyCode::Char('k') => self.scroll_over(-1),
            KeyCode::PageDown => self.scroll_over(page),
            KeyCode::PageUp | KeyCode::Char('b') => self.scroll_over(-page),
            KeyCode::Home | KeyCode::Char('g') => self.scroll_over(i64::MIN),
            KeyCode::End | KeyCode::Char('G') => self.scroll_over(i64::MAX),
            KeyCode::Left | KeyCode::Char('h') => self.other_row(-1),
            KeyCode::Right | KeyCode::Char('l') => self.other_row(1),
            KeyCode::Enter | KeyCode::Char(' ') => {
                if let Over::Tree(tree) = &mut self.over {
                    tree.fold();
                }
            }
            _ => {}
        }
    }

    pub(super) fn scroll_over(&mut self, by: i64) {
        let height = usize::from(self.size.1.saturating_sub(2).max(1));
        match &mut self.over {
            Over::Tree(tree) => tree.go(by, height),
            // What is drawn knows how long it is.
            Over::Help { top } | Over::Statistics { top, .. } | Over::Frequent { top, .. } => {
                let by_size = usize::try_from(by.unsigned_abs()).unwrap_or(usize::MAX);
                *top = if by < 0 { top.saturating_sub(by_size) } else { top.saturating_add(by_size) };
            }
            Over::Nothing => {}
        }
    }

    /// Shows the row before, or the next one.
    fn other_row(&mut self, by: i64) {
        let Over::Tree(tree) = &self.over else { return };
        let (Some(row), line, top) = (tree.row, tree.line, tree.top) else { return };
        self.cursor.row = row;
        self.go(by);
        self.prepare();
        self.open_row();
        if let Over::Tree(tree) = &mut self.over {
            tree.top = top;
            tree.line = line;
            tree.go(0, usize::from(self.size.1.saturating_sub(2).max(1)));
        }
    }
}
