//! What is on the screen, and why: all that the viewer knows, without a terminal.

use super::job::{Hit, Job, Needle, Outcome};
use super::order::Order;
use super::page::Page;
use super::prompt::Prompt;
use super::table::{Cell, Table};
use super::tree::Tree;
use crate::Write;
use crate::failure::Failure;
use std::ops::Range;
use std::rc::Rc;
use trevni_query::paths::FieldPath;
use trevni_report::stats::Summary;
use unicode_width::UnicodeWidthStr;

/// The greatest width of a column, unless it is the only one.
const WIDEST: usize = 40;
/// The width that a type may give its column.
const KIND: usize = 12;
/// Columns between two of the table.
pub(super) const GAP: usize = 2;
/// Screens of fewer lines show no types.
const LOW: u16 = 7;
/// Screens of fewer columns show no numbers of rows.
const NARROW: u16 = 24;

/// All that the viewer knows.
pub(super) struct Model {
    pub(super) table: Rc<Table>,
    pub(super) name: String,
    pub(super) order: Rc<Order>,
    /// The columns that are shown, by their numbers in the table.
    pub(super) columns: Vec<usize>,
    widths: Vec<usize>,
    /// The cell that the cursor is on.
    pub(super) cursor: Hit,
    /// The place of the first row on the screen, and the first of the columns.
    pub(super) top: u64,
    pub(super) left: usize,
    /// How many of the first columns stay where they are.
    pub(super) frozen: usize,
    /// Columns and lines of the screen.
    pub(super) size: (u16, u16),
    page: Page,
    pub(super) placed: Vec<Placed>,
    pub(super) filter: Option<String>,
    pub(super) sort: Option<(usize, bool)>,
    pub(super) needle: Option<Needle>,
    pub(super) over: Over,
    pub(super) prompt: Option<Prompt>,
    pub(super) job: Option<Job>,
    pub(super) note: Option<Note>,
    /// What the terminal is to copy.
    pub(super) copied: Option<String>,
    /// Writes rows to a file.
    pub(super) write: Write,
    /// The exit code, when it is over.
    pub(super) ended: Option<u8>,
}

/// What is over the table.
pub(super) enum Over {
    Nothing,
    Help {
        top: usize,
    },
    Tree(Tree),
    Statistics {
        name: String,
        summaries: Vec<Summary>,
        top: usize,
    },
    /// How often each value of a column occurs.
    Frequent {
        title: String,
        counts: Vec<(String, u64)>,
        top: usize,
    },
}

/// What is said on the last line.
pub(super) struct Note {
    pub(super) text: String,
    pub(super) is_error: bool,
}

/// A column on the screen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Placed {
    /// Its place among the columns that are shown.
    pub(super) place: usize,
    /// Its number in the table.
    pub(super) column: usize,
    pub(super) x: u16,
    pub(super) width: u16,
}

impl Model {
    pub(super) fn new(table: Table, name: String, write: Write) -> Self {
        let width = |heading: &crate::rows::Heading| {
            let kind = heading.kind.width().min(KIND);
            heading.name.width().max(kind).clamp(3, WIDEST)
        };
        Self {
            name,
            order: Rc::new(Order::All(table.rows())),
            columns: (0..table.headings().len()).collect(),
            widths: table.headings().iter().map(width).collect(),
            table: Rc::new(table),
            cursor: Hit { row: 0, column: 0 },
            top: 0,
            left: 0,
            frozen: 0,
            size: (80, 24),
            page: Page::default(),
            placed: Vec::new(),
            filter: None,
            sort: None,
            needle: None,
            over: Over::Nothing,
            prompt: None,
            job: None,
            note: None,
            copied: None,
            write,
            ended: None,
        }
    }

    /// Lines of the header: names, and types where there is room.
    pub(super) fn header(&self) -> u16 {
        if self.size.1 < LOW { 1 } else { 2 }
    }

    /// Lines of rows.
    pub(super) fn height(&self) -> u16 {
        self.size.1.saturating_sub(self.header() + 1).max(1)
    }

    /// The places that are on the screen.
    pub(super) fn places(&self) -> Range<u64> {
        self.top..(self.top + u64::from(self.height())).min(self.order.rows())
    }

    /// Characters of the numbers of rows; 0 where none are shown.
    pub(super) fn gutter(&self) -> u16 {
        if self.size.0 < NARROW || self.columns.is_empty() {
            return 0;
        }
        // The same on all screens, so that columns stay where they are.
        self.table.rows().to_string().len() as u16
    }

    /// The number of the row at a place on the screen, and its cell in a column.
    pub(super) fn number(&self, place: u64) -> Option<u64> {
        self.page.number(place)
    }

    pub(super) fn cell(&self, place: u64, column: usize) -> Option<&Cell> {
        self.page.cell(place, column)
    }

    /// The column of the table that the cursor is on.
    pub(super) fn column(&self) -> Option<usize> {
        self.columns.get(self.cursor.column).copied()
    }

    /// The paths of the columns, as an expression has them.
    pub(super) fn names(&self) -> Vec<String> {
        let paths = (0..self.table.headings().len()).filter_map(|column| self.table.path(column));
        paths.filter(|path| !path.is_row()).map(FieldPath::escaped).collect()
    }

    pub(super) fn say(&mut self, text: impl Into<String>) {
        self.note = Some(Note { text: text.into(), is_error: false });
    }

    pub(super) fn fail(&mut self, failure: &Failure) {
        let text = crate::shown::shown(failure.message()).into_owned();
        self.note = Some(Note { text, is_error: true });
    }

    /// Makes what is to be on the screen ready: the cursor is on it, and its cells are read.
    pub(super) fn prepare(&mut self) {
        let rows = self.order.rows();
        self.cursor.row = self.cursor.row.min(rows.saturating_sub(1));
        self.cursor.column = self.cursor.column.min(self.columns.len().saturating_sub(1));
        let height = u64::from(self.height());
        self.top = self.top.min(self.cursor.row).max((self.cursor.row + 1).saturating_sub(height));
        self.top = self.top.min(rows.saturating_sub(height));
        self.frozen = self.frozen.min(self.columns.len().saturating_sub(1));
        self.left = self.left.min(self.cursor.column).max(self.frozen);
        let places = self.places();
        if let Err(failure) = self.page.turn_to(&self.order, places) {
            self.fail(&failure);
        }
        loop {
            // What is read may make columns wider, so that fewer fit.
            self.placed = self.layout();
            let columns: Vec<usize> = self.placed.iter().map(|placed| placed.column).collect();
            if let Err(failure) = self.page.read(&self.table, &columns) {
                self.fail(&failure);
            }
            self.widen(&columns);
            self.placed = self.layout();
            let is_on = self.placed.iter().any(|placed| placed.place == self.cursor.column);
            if is_on || self.left >= self.cursor.column.max(self.frozen) {
                break;
            }
            self.left += 1;
        }
    }

    /// Columns become as wide as their cells, and stay so.
    fn widen(&mut self, columns: &[usize]) {
        for column in columns {
            let mut wanted = self.page.width(*column, self.top);
            // The mark of the order has a place of its own.
            if let Some((sorted, _)) = self.sort
                && sorted == *column
            {
                let name = self.table.headings().get(sorted).map_or(0, |heading| heading.name.width());
                wanted = wanted.max(name + 1);
            }
            if let Some(width) = self.widths.get_mut(*column) {
                *width = (*width).max(wanted).min(WIDEST);
            }
        }
    }

    /// The columns that fit the screen, from the first one on it. The last may be cut.
    fn layout(&self) -> Vec<Placed> {
        let screen = usize::from(self.size.0);
        let gutter = usize::from(self.gutter());
        let mut x = if gutter == 0 { 0 } else { gutter + GAP };
        let mut placed = Vec::new();
        let all = || self.columns.iter().enumerate();
        let frozen = all().take(self.frozen);
        for (place, column) in frozen.chain(all().skip(self.left.max(self.frozen))) {
            let width = self.widths.get(*column).copied().unwrap_or(1);
            let room = screen.saturating_sub(x);
            let is_first = placed.is_empty();
            if room == 0 || !is_first && room < width.min(6) {
                break;
            }
            // A column that is alone may be wider.
            let width = width.min(room);
            placed.push(Placed { place, column: *column, x: x as u16, width: width as u16 });
            x += width + GAP;
        }
        // The column of the cursor is whole where it can be.
        if let Some(last) = placed.last().copied()
            && placed.len() > 1
            && last.place == self.cursor.column
            && usize::from(last.width) < self.widths.get(last.column).copied().unwrap_or(1)
        {
            placed.pop();
        }
        placed
    }

    /// Does a part of the work that goes on.
    pub(super) fn step(&mut self) {
        let Some(job) = &mut self.job else { return };
        match job.step() {
            Ok(None) => {}
            Ok(Some(outcome)) => {
                self.job = None;
                self.take(outcome);
            }
            Err(failure) => {
                self.job = None;
                self.fail(&failure);
            }
        }
    }

    fn take(&mut self, outcome: Outcome) {
        match outcome {
            Outcome::Filtered { text, order } => {
                let row = self.number(self.cursor.row).unwrap_or(0);
                self.turn(Rc::new(order));
                self.cursor.row = self.order.place(row);
                (self.filter, self.sort) = (Some(text), None);
            }
            Outcome::Sorted { column, descends, order } => {
                self.turn(Rc::new(order));
                self.sort = Some((column, descends));
            }
            Outcome::Found(Some(hit)) => {
                self.cursor = hit;
                self.note = None;
            }
            Outcome::Found(None) => self.say("not found"),
            Outcome::Frequent { counts, distinct } => {
                let distinct = crate::human::count(distinct as u64, "different value");
                let title = format!("{}: {distinct} in the rows shown", self.column_name());
                self.over = Over::Frequent { title, counts, top: 0 };
            }
            Outcome::Statistics(summaries) => {
                let name = self.column_name();
                self.over = Over::Statistics { name, summaries, top: 0 };
            }
        }
    }

    /// The name of the column that the cursor is on.
    fn column_name(&self) -> String {
        let heading = self.column().and_then(|column| self.table.headings().get(column));
        heading.map_or(String::new(), |heading| heading.name.clone())
    }

    /// Shows rows in another order, from the first.
    pub(super) fn turn(&mut self, order: Rc<Order>) {
        self.order = order;
        self.page = Page::default();
        (self.top, self.cursor.row, self.note) = (0, 0, None);
    }
}
