//! Inputs of one kind that become one file: what all of them hold says the types.

use super::{Import, Known, check, look, several, write};
use crate::commands::convert::Convert;
use crate::drawing::drawing;
use crate::failure::Failure;
use crate::format::Format;
use crate::human::count;
use crate::input::is_standard;
use crate::output::{self, Columns, Output};
use crate::progress;
use crate::rows::has_logical;
use crate::schema_text;
use crate::text::TextSource;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use trevni::shape::{FieldShape, RecordShape};
use trevni::{Shape, WriterBuilder};
use trevni_infer::counts::wanted::WantedType;
use trevni_infer::counts::{Rules, report, settle, wish};
use trevni_infer::plan::Plan;
use trevni_query::paths::{Pattern, chosen};

/// Inputs of one kind that become one file.
pub(super) struct Imports<'a> {
    args: &'a Convert,
    all: Vec<Import<'a>>,
    /// The name of the text, or how many there are.
    name: String,
    is_cells: bool,
    /// Whether the output is a temporary file, which needs no summary.
    is_temporary: bool,
}

impl<'a> Imports<'a> {
    pub(super) fn new(
        args: &'a Convert,
        sources: Vec<(TextSource, Format)>,
        is_temporary: bool,
    ) -> Result<Self, Failure> {
        let name = several(sources.iter().map(|(source, _)| &*source.name));
        let one = |(source, format)| Import::new(args, source, format);
        let all = sources.into_iter().map(one).collect::<Result<Vec<_>, _>>()?;
        let is_cells = all.iter().any(Import::is_cells);
        Ok(Self { args, all, name, is_cells, is_temporary })
    }

    pub(super) fn run(&self, output: Option<PathBuf>) -> Result<(), Failure> {
        let args = self.args;
        for import in &self.all {
            let note = |note: &String| progress::note(format_args!("{}: {note}", import.name()));
            import.header.notes.iter().for_each(note);
        }
        let mut known = self.know()?;
        if let Some(paths) = chosen(&known.plan.outline(), &Pattern::all(&args.columns)?)? {
            known.plan.keep(&paths.iter().map(|path| path.names()).collect::<Vec<_>>());
        }
        if self.is_cells && known.plan.record().is_none() {
            return Err(Failure::usage(format!("{}: rows of CSV and TSV can only be structs", self.name)));
        }
        known.plan.ready();
        match output {
            Some(output) => self.write(&known, &output),
            None => self.tell(&known),
        }
    }

    /// Finds out what is to be written.
    fn know(&self) -> Result<Known, Failure> {
        let types = &self.args.types;
        if let Some(path) = &types.schema {
            let text = std::fs::read_to_string(path).map_err(|error| Failure::io(path.display(), &error))?;
            let shape = schema_text::shape(&text).map_err(|error| Failure::of(path, &error))?;
            return Ok(Known { plan: Plan::of(&shape), node: None, rows: None });
        }
        let wish = Arc::new(wish(&types.types, &types.map, &types.structs, self.is_cells)?);
        let mut found = look::Found::new(self.all.first().map(|import| look::empty(import, &wish)), &wish);
        for import in &self.all {
            look::look(import, &wish, &mut found)?;
        }
        let rules =
            Rules { mixed: types.mixed.into(), cells: self.is_cells, strings: self.args.cells.all_strings };
        let plan = settle(&found.node, rules).map_err(|error| Failure::from(error).within(&self.name))?;
        Ok(Known { plan, node: Some(found.node), rows: found.all.then_some(found.rows) })
    }

    /// Says what would become of the text.
    fn tell(&self, known: &Known) -> Result<(), Failure> {
        let mut out = Output::new(None, false)?;
        let fields = report::fields(&known.plan, known.node.as_ref(), self.is_cells);
        let text = match self.args.json {
            true => {
                let schema = known.plan.shape().to_avro();
                format!("{}\n", report::as_json(&self.name, known.rows, &fields, &schema))
            }
            false => report::lines(&fields),
        };
        out.write_all(text.as_bytes()).map_err(|error| out.failed(&error))?;
        out.finish()
    }

    fn write(&self, known: &Known, output: &Path) -> Result<(), Failure> {
        let shape = known.plan.shape();
        let mut target = self.args.target(output)?.with(|builder| builder.shape(&shape));
        // Without a type, values of logical types are read as the strings that they were.
        if known.node.is_none() || has_logical(&shape) {
            target = target.with(WriterBuilder::derived);
        }
        for (key, value) in &self.args.meta {
            target = target.with(|builder| builder.metadata(key, value));
        }
        let mut columns = Columns::new(target, output, self.args.force)?;
        let mut all = Vec::with_capacity(self.all.len());
        for import in &self.all {
            let left = self.args.number.unwrap_or(u64::MAX) - columns.row_count();
            if left == 0 && !all.is_empty() {
                break;
            }
            let done = write::write(import, known, &mut columns, output, left)?;
            if !done.skipped.is_empty() {
                progress::note(format_args!(
                    "{}: {} could not be read and left out; the first: {}",
                    import.name(),
                    count(done.skipped.len() as u64, "row"),
                    done.first_skipped.as_deref().unwrap_or_default()
                ));
            }
            all.push(done);
        }
        columns.finish()?;
        if !self.is_temporary {
            self.notes(known, &all, output);
        }
        match (self.args.check, self.all.as_slice(), all.as_slice()) {
            (true, [import], [done]) => check::check(import, known, done, output),
            _ => Ok(()),
        }
    }

    /// Says what was written, and what may be wanted otherwise.
    fn notes(&self, known: &Known, done: &[write::Done], output: &Path) {
        self.summary(done, output);
        let fields = report::fields(&known.plan, known.node.as_ref(), self.is_cells);
        if self.args.types.types.iter().any(|(_, wanted)| *wanted == WantedType::Auto) {
            progress::note(format_args!("{}: {}", self.name, report::found(&fields)));
        }
        for note in
            [report::advice(&fields), report::wide(&fields), report::rounded(&fields)].into_iter().flatten()
        {
            progress::note(format_args!("{}: {note}", self.name));
        }
    }

    fn summary(&self, done: &[write::Done], output: &Path) {
        let rows = count(done.iter().map(|done| done.rows).sum(), "row");
        if is_standard(output) {
            return progress::note(format_args!("{} {} standard output: {rows}", self.name, drawing().arrow));
        }
        let columns = output::column_count(output);
        let facts = format!("{rows}, {}", count(columns as u64, "column"));
        output::made(&self.name, output, facts, done.iter().map(|done| done.bytes).sum());
    }
}

/// What is known of a field before its values are looked at.
pub(crate) struct KnownField {
    pub(crate) name: String,
    /// The type, where it is known for sure.
    pub(crate) shape: Option<Shape>,
    /// The type, where there is no value that shows it.
    pub(crate) usual: Shape,
}

/// Converts rows of these fields, each of which may be null.
pub(in crate::commands::convert) fn known(
    args: &Convert,
    source: TextSource,
    fields: Vec<KnownField>,
    output: &Path,
) -> Result<(), Failure> {
    let import = Imports::new(args, vec![(source, Format::Jsonl)], true)?;
    let found = import.know()?.plan.shape();
    let found = |name: &str| match &found {
        Shape::Record(record) => {
            let field = record.fields.iter().find(|field| field.name == *name)?;
            Some(field.shape.clone()).filter(|shape| !matches!(shape, Shape::Null | Shape::Unknown))
        }
        _ => None,
    };
    let field = |KnownField { name, shape, usual }: KnownField| {
        let shape = shape.or_else(|| found(&name)).unwrap_or(usual);
        let is_optional = matches!(shape, Shape::Optional(_));
        FieldShape::new(name, if is_optional { shape } else { Shape::optional(shape) })
    };
    let shape = RecordShape::new("Row", fields.into_iter().map(field).collect());
    let mut plan = Plan::of(&Shape::Record(shape));
    plan.ready();
    import.write(&Known { plan, node: None, rows: None }, output)
}
