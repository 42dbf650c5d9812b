//! A file, as JavaScript has it.

use crate::arrow;
use crate::cells;
use crate::column::Column;
use crate::fault::{Fault, Result};
use crate::matching::Matching;
use crate::pieces::Pieces;
use crate::schema;
use crate::to_js::{self, set};
use js_sys::{Array, Object, Uint8Array};
use std::collections::HashMap;
use trevni::{Reader, RowSelection};
use trevni_print::rows::{Shown, has_logical};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

/// About the most stored bytes that are fetched for a window.
const WINDOW_BYTES: u64 = 4 << 20;
/// The most stored bytes of a window: one that has more is made smaller.
const MOST_BYTES: u64 = 32 << 20;
/// Rows of the smallest and of the largest window.
const WINDOW_ROWS: (u64, u64) = (1 << 10, 1 << 16);

/// A file. Its methods return `undefined` where they lack bytes: then those that are [missing](Self::missing) have to be added, and the
/// method called again.
#[wasm_bindgen]
pub struct File {
    pieces: Pieces,
    reader: Option<Reader<'static>>,
    sizes: Vec<u64>,
    filters: HashMap<u32, Matching>,
}

/// What a method returns, or throws.
type Js<T> = std::result::Result<T, JsValue>;

#[wasm_bindgen]
impl File {
    /// A file of a number of bytes, none of which is there.
    #[wasm_bindgen(constructor)]
    #[must_use]
    pub fn new(size: f64) -> Self {
        let pieces = Pieces::new(size as u64);
        Self { pieces, reader: None, sizes: Vec::new(), filters: HashMap::new() }
    }

    /// Adds bytes that start at a position.
    pub fn add(&self, start: f64, bytes: Vec<u8>) {
        self.pieces.add(start as u64, bytes);
    }

    /// Start and end of each part of the file that the last method lacked, after a number of tries.
    #[must_use]
    pub fn missing(&self, tries: u32) -> Vec<f64> {
        self.pieces.missing(tries).iter().flat_map(|range| [range.start as f64, range.end as f64]).collect()
    }

    /// Forgets bytes that have not been read for long.
    pub fn trim(&self) {
        self.pieces.trim();
    }

    /// Opens the file: returns what it says of itself.
    pub fn open(&mut self) -> Js<Option<Object>> {
        self.pieces.begin();
        let opened = (|| {
            let reader = match &self.reader {
                Some(reader) => reader.clone(),
                None => Reader::builder().shared(self.pieces.clone())?,
            };
            let reader = self.reader.insert(reader);
            self.sizes = schema::sizes(reader, self.pieces.size())?;
            Ok(schema::about(reader, &self.sizes))
        })();
        self.told(opened)
    }

    /// How many rows of some fields are a window.
    #[wasm_bindgen(js_name = windowRows)]
    pub fn window_rows(&self, columns: Option<Vec<String>>) -> Js<Option<f64>> {
        self.step(|file| Ok(file.rows_of(&file.fields(columns.as_deref())?) as f64))
    }

    /// Takes a filter, by a number that is its name. No bytes are read.
    pub fn filter(&mut self, number: u32, text: &str) -> Js<()> {
        let matching = self.reader().and_then(|reader| Matching::new(reader, text));
        match matching {
            Ok(matching) => {
                self.filters.insert(number, matching);
                Ok(())
            }
            Err(fault) => Err(fault.told().into()),
        }
    }

    /// Forgets a filter.
    #[wasm_bindgen(js_name = dropFilter)]
    pub fn drop_filter(&mut self, number: u32) {
        self.filters.remove(&number);
    }

    /// Looks for rows in the next window. Returns how many have been found, and the first row that has not been looked at.
    #[wasm_bindgen(js_name = matchMore)]
    pub fn match_more(&mut self, number: u32) -> Js<Option<Vec<f64>>> {
        self.pieces.begin();
        let mut matching = self.filters.remove(&number);
        let found = match &mut matching {
            Some(matching) => matching
                .step(&self.pieces, |reader| self.rows_of(reader))
                .map(|()| vec![matching.count() as f64, matching.looked_at() as f64]),
            None => Err(Fault::misuse("there is no such filter")),
        };
        self.filters.extend(matching.map(|matching| (number, matching)));
        self.told(found)
    }

    /// Rows as objects: those of these numbers, among those that a filter has found if there is one.
    pub fn rows(
        &self,
        from: f64,
        to: f64,
        columns: Option<Vec<String>>,
        filter: Option<u32>,
    ) -> Js<Option<Array>> {
        self.step(|file| {
            let reader = file.selected(from, to, columns.as_deref(), filter)?;
            let has_logical = has_logical(reader.shape());
            let rows = Array::new();
            for batch in reader.batches()? {
                let batch = batch?;
                for row in Shown::of(&batch, has_logical)?.values() {
                    rows.push(&to_js::value(row));
                }
            }
            Ok(rows)
        })
    }

    /// Rows as CSV, in UTF-8.
    pub fn csv(
        &self,
        from: f64,
        to: f64,
        columns: Option<Vec<String>>,
        filter: Option<u32>,
        header: bool,
    ) -> Js<Option<Uint8Array>> {
        self.step(|file| {
            let reader = file.selected(from, to, columns.as_deref(), filter)?;
            Ok(Uint8Array::from(&cells::csv(&reader, header)?[..]))
        })
    }

    /// What the values of a path are: `kind`, `logical` and `nullable`.
    #[wasm_bindgen(js_name = columnKind)]
    pub fn column_kind(&self, path: &str) -> Js<Option<Object>> {
        self.step(|file| {
            let reader = file.reader()?.project([path])?;
            let column = Column::of(&reader, path)?;
            let kind = Object::new();
            set(&kind, "kind", &column.kind().into());
            let logical = column.logical().map(|logical| logical.logical.to_string());
            set(&kind, "logical", &logical.into());
            set(&kind, "nullable", &column.is_nullable.into());
            Ok(kind)
        })
    }

    /// The values of a path, and 1 for each that is null; `undefined` where none is.
    pub fn column(&self, path: &str, from: f64, to: f64, filter: Option<u32>) -> Js<Option<Array>> {
        self.step(|file| {
            let reader = file.selected(from, to, Some(&[path.to_owned()]), filter)?;
            Column::of(&reader, path)?.read(&reader)
        })
    }

    /// The beginning of a stream of Arrow: its schema.
    #[wasm_bindgen(js_name = arrowSchema)]
    pub fn arrow_schema(&self, columns: Option<Vec<String>>) -> Js<Option<Uint8Array>> {
        self.step(|file| {
            let reader = file.fields(columns.as_deref())?;
            Ok(Uint8Array::from(&arrow::begin(&reader)?[..]))
        })
    }

    /// Rows as record batches of the stream.
    #[wasm_bindgen(js_name = arrowRows)]
    pub fn arrow_rows(
        &self,
        from: f64,
        to: f64,
        columns: Option<Vec<String>>,
        filter: Option<u32>,
    ) -> Js<Option<Uint8Array>> {
        self.step(|file| {
            let reader = file.selected(from, to, columns.as_deref(), filter)?;
            Ok(Uint8Array::from(&arrow::rows(&reader)?[..]))
        })
    }
}

impl File {
    fn reader(&self) -> Result<&Reader<'static>> {
        self.reader.as_ref().ok_or_else(|| Fault::internal("the file is not open"))
    }

    /// A reader of some fields, or of all.
    fn fields(&self, columns: Option<&[String]>) -> Result<Reader<'static>> {
        let reader = self.reader()?;
        Ok(match columns {
            Some(columns) => reader.project(columns)?,
            None => reader.clone(),
        })
    }

    /// A reader of some rows, whose bytes are there.
    fn selected(
        &self,
        from: f64,
        to: f64,
        columns: Option<&[String]>,
        filter: Option<u32>,
    ) -> Result<Reader<'static>> {
        let reader = self.fields(columns)?;
        let (from, to) = (from as u64, to as u64);
        let rows = match filter {
            None => RowSelection::from(from..to.min(reader.row_count()).max(from)),
            Some(number) => match self.filters.get(&number) {
                Some(matching) => matching.slice(from, to),
                None => return Err(Fault::misuse("there is no such filter")),
            },
        };
        let reader = reader.select(rows)?;
        let ranges = reader.ranges()?;
        let bytes: u64 = ranges.iter().map(|range| range.end - range.start).sum();
        if bytes > MOST_BYTES && to.saturating_sub(from) > 1 {
            return Err(Fault::window());
        }
        self.pieces.need(ranges)?;
        Ok(reader)
    }

    /// How many rows of the columns of a reader have about the bytes of a window.
    fn rows_of(&self, reader: &Reader<'_>) -> u64 {
        let bytes: u64 = reader.columns_read().iter().filter_map(|column| self.sizes.get(*column)).sum();
        let rows = u128::from(reader.row_count()) * u128::from(WINDOW_BYTES) / u128::from(bytes.max(1));
        u64::try_from(rows).unwrap_or(u64::MAX).clamp(WINDOW_ROWS.0, WINDOW_ROWS.1)
    }

    fn step<T>(&self, call: impl FnOnce(&Self) -> Result<T>) -> Js<Option<T>> {
        self.pieces.begin();
        let done = call(self);
        self.told(done)
    }

    /// What a step has come to; nothing where it lacked bytes.
    fn told<T>(&self, done: Result<T>) -> Js<Option<T>> {
        match done {
            Ok(done) => Ok(Some(done)),
            // Whatever failed, it did so for want of bytes.
            Err(_) if self.pieces.has_missed() => Ok(None),
            Err(fault) => Err(fault.told().into()),
        }
    }
}
