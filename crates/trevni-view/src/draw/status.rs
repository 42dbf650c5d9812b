//! The last line: where the cursor is, how far work is, or what is typed. What is wrong is on the line above it.

use super::{Paint, put};
use crate::drawing::{bar, drawing};
use crate::human::thousands;
use crate::model::{Model, Over};
use crate::prompt::Prompt;
use crate::shown::shown;
use ratatui::buffer::Buffer;
use ratatui::layout::Position;
use ratatui::style::Style;
use unicode_width::UnicodeWidthStr;

/// The width of a progress bar.
const BAR: usize = 20;

/// Draws the line; where the cursor of the terminal is, if something is typed.
pub(super) fn draw(buffer: &mut Buffer, model: &Model, paint: &Paint) -> Option<Position> {
    let (width, y) = (buffer.area.width, buffer.area.height.saturating_sub(1));
    clear(buffer, y);
    if let Some(prompt) = &model.prompt {
        return Some(typed(buffer, prompt, y, paint));
    }
    if let Some(job) = &model.job {
        let (what, done, total) = job.progress();
        let share = done as f64 / total.max(1) as f64;
        let percent = (share * 100.0).min(100.0);
        put(buffer, 0, y, width, &format!("{what} {percent:.0}%  Esc cancels"), Style::new());
        let at = what.len() + 20;
        let room = usize::from(width).saturating_sub(at).min(BAR);
        put(buffer, at as u16, y, room as u16, &bar(share, room), paint.bar);
        return None;
    }
    if let Some(note) = &model.note {
        let style = if note.is_error { paint.error } else { Style::new() };
        put(buffer, 0, y, width, &note.text, style);
        return None;
    }
    let (left, hints) = match &model.over {
        Over::Nothing => (place(model), table_hints(model)),
        Over::Help { .. } => (String::new(), vec!["Esc back", "arrows scroll"]),
        Over::Statistics { .. } | Over::Frequent { .. } => (String::new(), vec!["Esc back"]),
        Over::Tree(tree) if tree.row.is_some() => {
            (String::new(), vec!["Esc back", "left/right other rows", "Enter folds"])
        }
        Over::Tree(_) => (String::new(), vec!["Esc back", "Enter folds"]),
    };
    put(buffer, 0, y, width, &left, Style::new());
    hint(buffer, y, left.width() as u16, &hints, paint);
    None
}

fn clear(buffer: &mut Buffer, y: u16) {
    let blank = " ".repeat(buffer.area.width.into());
    put(buffer, 0, y, buffer.area.width, &blank, Style::reset());
}

/// As many of the hints as there is room for, at the right.
fn hint(buffer: &mut Buffer, y: u16, used: u16, hints: &[&str], paint: &Paint) {
    let room = usize::from(buffer.area.width.saturating_sub(used + 2));
    let mut text = String::new();
    for hint in hints {
        let more = if text.is_empty() { 0 } else { 2 };
        if text.width() + more + hint.width() > room {
            break;
        }
        text.extend([&"  "[..more], hint]);
    }
    let x = buffer.area.width.saturating_sub(text.width() as u16);
    put(buffer, x, y, buffer.area.width - x, &text, paint.aside);
}

fn table_hints(model: &Model) -> Vec<&'static str> {
    match model.filter {
        None => vec!["? help", "q quit", "/ search", "f filter", "s sort", "Enter row"],
        Some(_) => vec!["? help", "q quit", "f changes the filter", "/ search", "s sort", "Enter row"],
    }
}

/// `flights.trv  row 7 of 1,000  carrier string`, with what is filtered and sorted.
fn place(model: &Model) -> String {
    let rows = model.order.rows();
    let narrow = model.size.0 < 40;
    let number = model.number(model.cursor.row).map_or(0, |number| number + 1);
    let all = thousands(model.table.rows());
    let mut parts = Vec::new();
    if narrow {
        return format!("{}/{all}", thousands(number));
    }
    parts.push(shown(&model.name).into_owned());
    match model.filter {
        None => parts.push(format!("row {} of {all}", thousands(number))),
        Some(_) => {
            let matching = crate::human::count(rows, "row");
            parts.push(format!("row {}, {matching} of {all}", thousands(number)));
        }
    }
    let hidden = model.table.headings().len() - model.columns.len();
    if hidden > 0 {
        parts.push(format!("{hidden} hidden"));
    }
    parts.join("  ")
}

/// The line that is typed: its end is on the screen, and what is wrong above it.
fn typed(buffer: &mut Buffer, prompt: &Prompt, y: u16, paint: &Paint) -> Position {
    let width = buffer.area.width;
    let label = prompt.asked.label();
    let label = if usize::from(width) > label.len() + 12 { label } else { "" };
    put(buffer, 0, y, width, label, paint.header);
    let x = label.len() as u16;
    let room = usize::from(width - x).max(1);
    let before = shown(prompt.text.get(..prompt.at).unwrap_or_default()).into_owned();
    // As much is skipped as keeps the cursor on the screen.
    let skipped = (before.width() + 1).saturating_sub(room);
    let visible = skip(&shown(&prompt.text), skipped);
    put(buffer, x, y, width - x, &visible, Style::new());
    let cursor = x + (before.width() - skipped.min(before.width())) as u16;
    if y > 0 {
        if let Some((wrong, at)) = &prompt.wrong {
            clear(buffer, y - 1);
            put(buffer, 0, y - 1, width, wrong, paint.error);
            if at.is_some() && y > 1 && wrong.width() + 4 < usize::from(cursor) {
                put(buffer, cursor, y - 1, 1, "v", paint.error);
            }
        } else if !prompt.choices.is_empty() {
            clear(buffer, y - 1);
            let choices = prompt.choices.join("  ");
            put(buffer, 0, y - 1, width, &choices, paint.aside);
        }
    }
    Position::new(cursor.min(width.saturating_sub(1)), y)
}

/// A text without its first columns.
fn skip(text: &str, columns: usize) -> String {
    use unicode_width::UnicodeWidthChar;
    if columns == 0 {
        return text.to_owned();
    }
    let mut left = columns + drawing().ellipsis.width();
    let rest = text.chars().skip_while(|c| {
        let skips = left > 0;
        left = left.saturating_sub(c.width().unwrap_or(0));
        skips
    });
    drawing().ellipsis.chars().chain(rest).collect()
}
