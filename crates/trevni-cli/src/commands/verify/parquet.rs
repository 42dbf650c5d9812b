//! Reads all of a Parquet file, and says what is damaged.

use crate::failure::{DAMAGED, Failure};
use crate::human::{count, thousands};
use crate::input::{ParquetInput, Part};
use crate::output::Output;
use crate::shown::shown;
use serde_json::{Value, json};
use std::io::{self, Write};
use std::path::Path;
use trevni::verify::Tier;
use trevni_parquet::Error;

/// What was found.
pub(super) struct ParquetReport {
    columns: usize,
    row_groups: usize,
    rows: u64,
    damage: Vec<Damage>,
}

/// A part that cannot be read.
struct Damage {
    message: String,
    /// The column, and the number of the row group.
    place: Option<(String, usize)>,
}

impl ParquetReport {
    /// Reads each column of each row group, and if these are whole, all rows. Without `decodes`, the footer has to do.
    pub(super) fn of(file: &ParquetInput, decodes: bool) -> Result<Self, Failure> {
        let (columns, row_groups) = (file.file.columns(), file.file.row_group_count());
        let rows = file.file.row_count();
        let mut report = Self { columns: columns.len(), row_groups, rows, damage: Vec::new() };
        if !decodes {
            return Ok(report);
        }
        for (number, group) in file.file.row_groups().enumerate() {
            for (column, path) in columns.iter().enumerate() {
                let said = group.chunks.get(column).map_or(0, |chunk| chunk.values);
                let mut found = 0;
                let read = file.file.entries(number, column, |_| {
                    found += 1;
                    Ok::<(), Error>(())
                });
                let message = match read {
                    Ok(()) if found == said => continue,
                    Ok(()) => format!("{} in place of {}", count(found, "value"), thousands(said)),
                    Err(error) if error.is_damage() => error.to_string(),
                    Err(error) => return Err(Failure::of_parquet(&file.name, error)),
                };
                report.damage.push(Damage { message, place: Some((path.join("."), number)) });
            }
        }
        if report.damage.is_empty() {
            report.damage.extend(rows_of(file, rows)?.map(|message| Damage { message, place: None }));
        }
        Ok(report)
    }

    pub(super) fn is_ok(&self) -> bool {
        self.damage.is_empty()
    }

    pub(super) fn code(&self) -> u8 {
        if self.is_ok() { 0 } else { DAMAGED }
    }

    pub(super) fn write(&self, name: &str, gap: &str, out: &mut Output) -> io::Result<()> {
        let safe = shown(name);
        if self.is_ok() {
            let (groups, rows) = (count(self.row_groups as u64, "row group"), count(self.rows, "row"));
            return writeln!(out, "ok       {safe}{gap}  {groups}, {rows}");
        }
        for Damage { message, place } in &self.damage {
            let place = match place {
                Some((column, group)) => format!("column {column}, row group {group}: "),
                None => String::new(),
            };
            writeln!(out, "damaged  {safe}{gap}  {}", shown(&format!("{place}{message}")))?;
        }
        Ok(())
    }

    /// As that of column files; `row_group` is the place of damage.
    pub(super) fn as_json(&self, name: &str) -> Value {
        let one = |damage: &Damage| {
            let mut one = json!({"tier": Tier::Decoding.name(), "message": damage.message});
            if let Some((column, group)) = &damage.place {
                one["column"] = json!(column);
                one["row_group"] = json!(group);
            }
            one
        };
        json!({
            "file": Path::new(name),
            "ok": self.is_ok(),
            "format": "parquet",
            "columns": self.columns,
            "row_groups": self.row_groups,
            "rows": self.rows,
            "damage": self.damage.iter().map(one).collect::<Vec<_>>(),
            "omitted": 0,
        })
    }
}

/// What is wrong with the rows as a whole.
fn rows_of(file: &ParquetInput, said: u64) -> Result<Option<String>, Failure> {
    let mut found = 0;
    let batches = match file.rows(Part::default()) {
        Ok(batches) => batches,
        Err(failure) if failure.code() == DAMAGED => return Ok(Some(failure.message().to_owned())),
        Err(failure) => return Err(failure),
    };
    for batch in batches {
        match batch {
            Ok(batch) => found += batch.len() as u64,
            Err(error) if error.is_damage() => return Ok(Some(error.to_string())),
            // An instant may not fit its unit, which is no damage.
            Err(Error::Instant { .. }) => return Ok(None),
            Err(error) => return Err(Failure::of_parquet(&file.name, error)),
        }
    }
    let differs = format!("{} in place of {}", count(found, "row"), thousands(said));
    Ok((found != said).then_some(differs))
}
