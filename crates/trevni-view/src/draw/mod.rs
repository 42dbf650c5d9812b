//! The screen of a model: no state of its own, and nothing is read.

mod grid;
mod lines;
mod paint;
mod status;

pub(super) use paint::Paint;

use super::model::{Model, Over};
use crate::shown::cut;
use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::style::Style;
use unicode_width::UnicodeWidthStr;

/// Draws the model.
pub(super) fn draw(frame: &mut Frame<'_>, model: &Model, paint: &Paint) {
    let buffer = frame.buffer_mut();
    match &model.over {
        Over::Nothing => grid::draw(buffer, model, paint),
        Over::Help { top } => lines::help(buffer, *top, paint),
        Over::Tree(tree) => lines::tree(buffer, tree, paint),
        Over::Frequent { title, counts, top } => lines::frequent(buffer, title, counts, *top, paint),
        Over::Statistics { name, summaries, top } => {
            lines::statistics(buffer, name, summaries, *top, paint);
        }
    }
    if let Some(position) = status::draw(buffer, model, paint) {
        frame.set_cursor_position(position);
    }
}

/// Writes a text, which is cut where it is wider.
fn put(buffer: &mut Buffer, x: u16, y: u16, width: u16, text: &str, style: Style) {
    if x < buffer.area.width && y < buffer.area.height && width > 0 {
        buffer.set_stringn(x, y, cut(text, usize::from(width)), usize::from(width), style);
    }
}

/// The same at the right end of its place.
fn put_right(buffer: &mut Buffer, x: u16, y: u16, width: u16, text: &str, style: Style) {
    let gap = usize::from(width).saturating_sub(text.width());
    put(buffer, x + gap as u16, y, width - gap as u16, text, style);
}
