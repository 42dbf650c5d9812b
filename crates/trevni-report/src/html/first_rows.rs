//! The first rows as a table with a search.

use super::escape::{Escaped, name};
use crate::ends::Ends;
use crate::failure::Failure;
use crate::human::count;
use crate::input::Input;
use crate::rows::{Field, Shown, fields, json_text, names};
use crate::shown::cut;
use std::io::{self, Write};
use std::path::Path;
use trevni_query::paths::FieldPath;

/// Cells of a row that are shown, from the front and from the back.
const FRONT: usize = 40;
const BACK: usize = 10;
/// Characters of a cell.
const CELL: usize = 110;

/// The first rows as strings.
pub(super) struct FirstRows {
    /// Rows of the file.
    all: u64,
    ends: Ends,
    /// The cells that are shown.
    cells: Vec<Cell>,
    /// `None` where a cell is null.
    rows: Vec<Vec<Option<String>>>,
}

struct Cell {
    name: String,
    is_number: bool,
}

impl FirstRows {
    /// Reads the first rows; of cells that are not shown, nothing.
    pub(super) fn of(input: &Input, most: u64) -> Result<Self, Failure> {
        let failed = |error: trevni::Error| Failure::of(Path::new(&input.name), &error);
        let reader = &input.reader;
        let all = fields(reader.shape());
        let ends = Ends::of(all.len(), FRONT, BACK);
        let paths: Vec<FieldPath> = all.iter().map(|field| field.path.clone()).collect();
        let names = names(&paths);
        let shown: Vec<usize> = ends.places().flatten().collect();
        let cells = shown.iter().filter_map(|at| {
            Some(Cell { name: names.get(*at)?.clone(), is_number: all.get(*at)?.is_number })
        });
        let paths: Vec<&FieldPath> = shown.iter().filter_map(|at| paths.get(*at)).collect();
        let mut first = Self { all: reader.row_count(), cells: cells.collect(), ends, rows: Vec::new() };
        let part = reader.select(0..reader.row_count().min(most)).map_err(failed)?;
        let part = match first.ends.hidden() {
            0 => part,
            _ => part.project_paths(paths).map_err(failed)?,
        };
        let fields = fields(part.shape());
        for batch in part.batches().map_err(failed)? {
            let shown =
                Shown::owned(batch.map_err(failed)?).map_err(|error| Failure::io(&input.name, &error))?;
            for row in (0..shown.len()).map_while(|at| shown.row(at)) {
                let text = |field: &Field| {
                    let text = field.of(row).map(|value| json_text(&value)).transpose()?;
                    Ok(text.map(|text| cut(&text, CELL)))
                };
                let cells = fields.iter().map(text).collect::<serde_json::Result<_>>();
                first.rows.push(cells.map_err(|error| Failure::new(error.to_string()))?);
            }
        }
        Ok(first)
    }

    /// Aligns numbers to the right.
    pub(super) fn style(&self) -> String {
        let numbers = self.columns().enumerate().filter(|(_, cell)| cell.is_some_and(|cell| cell.is_number));
        let numbers: Vec<String> =
            numbers.map(|(at, _)| format!("#cells td:nth-child({})", at + 1)).collect();
        match numbers.is_empty() {
            true => String::new(),
            false => format!("{} {{ text-align: right; white-space: nowrap; }}\n", numbers.join(", ")),
        }
    }

    /// The columns of the table; none in the place of cells that are not shown.
    fn columns(&self) -> impl Iterator<Item = Option<&Cell>> {
        let mut cells = self.cells.iter();
        self.ends.places().map(move |place| place.and_then(|_| cells.next()))
    }

    pub(super) fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let title = match self.rows.len() as u64 == self.all {
            true => "Rows".to_owned(),
            false => format!("First {}", count(self.rows.len() as u64, "row")),
        };
        write!(
            out,
            "<section aria-labelledby=\"rows\">\n<h2 id=\"rows\">{title}</h2>\n\
             <p class=\"search\" hidden><label>Search <input type=\"search\" data-in=\"cells\"></label> <output></output></p>\n"
        )?;
        if let Some(more) = self.ends.more("columns") {
            writeln!(out, "<p class=\"note\">{more} are not shown; to see them: trevni report -c</p>")?;
        }
        writeln!(out, "<p class=\"paper note\">On paper: the first 10 columns of the first 20 rows.</p>")?;
        writeln!(
            out,
            "<div class=\"wide\" role=\"region\" aria-label=\"{title}\" tabindex=\"0\">\n<table class=\"rows\">\n<thead><tr>"
        )?;
        for cell in self.columns() {
            match cell {
                Some(cell) if cell.is_number => {
                    write!(out, "<th scope=\"col\" class=\"number\">{}</th>", name(&cell.name))?
                }
                Some(cell) => write!(out, "<th scope=\"col\">{}</th>", name(&cell.name))?,
                None => write!(out, "<th scope=\"col\">…</th>")?,
            }
        }
        writeln!(out, "</tr></thead>\n<tbody id=\"cells\">")?;
        for row in &self.rows {
            let mut cells = row.iter();
            write!(out, "<tr>")?;
            for place in self.ends.places() {
                match place.map(|_| cells.next()) {
                    Some(Some(Some(text))) => write!(out, "<td>{}</td>", Escaped(text))?,
                    Some(_) => write!(out, "<td class=\"null\">null</td>")?,
                    None => write!(out, "<td>…</td>")?,
                }
            }
            writeln!(out, "</tr>")?;
        }
        writeln!(out, "</tbody>\n</table>\n</div>\n</section>")
    }
}
