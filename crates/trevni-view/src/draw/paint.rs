//! Styles that can be read on light and on dark backgrounds: the terminal's own colours, and no colours where none are
//! wanted.

use ratatui::style::{Color, Modifier, Style};

/// The styles of what is drawn.
pub(crate) struct Paint {
    pub(super) header: Style,
    /// Types, numbers of rows, hints.
    pub(super) aside: Style,
    pub(super) number: Style,
    pub(super) null: Style,
    pub(super) cursor: Style,
    /// What has the text that is looked for.
    pub(super) found: Style,
    pub(super) error: Style,
    pub(super) bar: Style,
}

impl Paint {
    pub(crate) fn new(has_colours: bool) -> Self {
        let plain = Style::new();
        let colour = |colour: Color| if has_colours { plain.fg(colour) } else { plain };
        let dim = plain.add_modifier(Modifier::DIM);
        Self {
            header: plain.add_modifier(Modifier::BOLD),
            aside: dim,
            number: colour(Color::Cyan),
            null: dim,
            cursor: plain.add_modifier(Modifier::REVERSED),
            found: plain.add_modifier(Modifier::UNDERLINED),
            error: colour(Color::Red).add_modifier(Modifier::BOLD),
            bar: colour(Color::Cyan),
        }
    }
}
