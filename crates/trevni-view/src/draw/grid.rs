//! The table: a header that stays, and rows.

use super::{Paint, put, put_right};
use crate::drawing::drawing;
use crate::job::Hit;
use crate::model::{Model, Placed};
use crate::rows::Heading;
use ratatui::buffer::Buffer;
use ratatui::style::{Modifier, Style};

pub(super) fn draw(buffer: &mut Buffer, model: &Model, paint: &Paint) {
    header(buffer, model, paint);
    let start = model.top;
    for place in model.places() {
        row(buffer, model, place, model.header() + (place - start) as u16, paint);
    }
    if model.order.rows() == 0 {
        let text = if model.filter.is_some() { "no rows match" } else { "no rows" };
        put(buffer, 0, model.header(), buffer.area.width, text, paint.aside);
    }
}

fn header(buffer: &mut Buffer, model: &Model, paint: &Paint) {
    for placed in &model.placed {
        let Some(heading) = model.table.headings().get(placed.column) else { continue };
        let is_here = placed.place == model.cursor.column;
        let style = if is_here { paint.header.add_modifier(Modifier::UNDERLINED) } else { paint.header };
        match model.sort {
            Some((column, descends)) if column == placed.column => {
                let mark = drawing().sorted[usize::from(descends)];
                let name = Placed { width: placed.width.saturating_sub(1), ..*placed };
                aligned(buffer, &name, 0, &heading.name, heading, style);
                put(buffer, placed.x + name.width, 0, 1, mark, paint.header);
            }
            _ => aligned(buffer, placed, 0, &heading.name, heading, style),
        }
        if model.header() > 1 {
            aligned(buffer, placed, 1, &heading.kind, heading, paint.aside);
        }
    }
}

fn row(buffer: &mut Buffer, model: &Model, place: u64, y: u16, paint: &Paint) {
    let is_row = place == model.cursor.row;
    if let Some(number) = model.number(place).filter(|_| model.gutter() > 0) {
        let style = if is_row { Style::new().add_modifier(Modifier::BOLD) } else { paint.aside };
        put_right(buffer, 0, y, model.gutter(), &(number + 1).to_string(), style);
    }
    for placed in &model.placed {
        let Some(heading) = model.table.headings().get(placed.column) else { continue };
        let (text, mut style) = match model.cell(place, placed.column) {
            Some(Some(text)) if heading.is_number => (text.as_str(), paint.number),
            Some(Some(text)) => (text.as_str(), Style::new()),
            Some(None) => ("null", paint.null),
            None => ("", Style::new()),
        };
        if model.needle.as_ref().is_some_and(|needle| needle.is_in(text)) {
            style = style.patch(paint.found);
        }
        if model.cursor == (Hit { row: place, column: placed.place }) {
            style = style.patch(paint.cursor);
            put(buffer, placed.x, y, placed.width, &" ".repeat(placed.width.into()), style);
        }
        aligned(buffer, placed, y, text, heading, style);
    }
}

/// Numbers are at the right.
fn aligned(buffer: &mut Buffer, placed: &Placed, y: u16, text: &str, heading: &Heading, style: Style) {
    let put = if heading.is_number { put_right } else { put };
    put(buffer, placed.x, y, placed.width, text, style);
}
