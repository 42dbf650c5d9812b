//! The footer from its Java objects.

use super::super::Held;
use super::super::{Chunk, Footer, RowGroup, count, small_count};
use super::classes::{COLUMN, FILE, FOOTER, ROW_GROUP};
use super::stream::{Graph, Value};
use crate::error::{Error, Result};
use crate::schema::message::Primitive;
use std::sync::Arc;

/// Reads a stream of one `RedelmMetaData`.
pub(in super::super) fn read(stream: &[u8], held: &mut Held) -> Result<Footer> {
    let (graph, root) = Graph::read(stream, held)?;
    let file = graph.field(root, FOOTER.name, "fileMetaData")?;
    let codec = match graph.field(file, FILE.name, "codecClassName")? {
        Value::Null => None,
        codec => Some(graph.text(codec, "the codec")?.to_string()),
    };
    let schema = graph.text(graph.field(file, FILE.name, "schema")?, "the schema")?.to_string();
    held.take_message(&schema)?;
    let groups = graph.list(graph.field(root, FOOTER.name, "blocks")?, "row groups")?;
    let groups = groups.iter().map(|group| Object { graph: &graph, value: *group }.row_group(held));
    Ok(Footer { schema, codec, groups: groups.collect::<Result<_>>()? })
}

struct Object<'g> {
    graph: &'g Graph,
    value: Value,
}

impl Object<'_> {
    fn number(&self, class: &'static str, name: &'static str) -> Result<i64> {
        match self.graph.field(self.value, class, name)? {
            Value::Number(number) => Ok(number),
            _ => Err(Error::metadata(format!("{name} in the footer is no number"))),
        }
    }

    fn count(&self, class: &'static str, name: &'static str) -> Result<u64> {
        count(name, self.number(class, name)?)
    }

    /// What is mentioned often is read as often, so it counts each time.
    fn row_group(&self, held: &mut Held) -> Result<RowGroup> {
        held.take::<RowGroup>(0)?;
        let class = ROW_GROUP.name;
        let columns = self.graph.list(self.graph.field(self.value, class, "columns")?, "columns")?;
        let columns = columns.iter().map(|column| Object { graph: self.graph, value: *column }.chunk(held));
        Ok(RowGroup {
            start: self.count(class, "startIndex")?,
            end: self.count(class, "endIndex")?,
            rows: small_count("recordCount", self.number(class, "recordCount")?)?,
            chunks: columns.collect::<Result<_>>()?,
        })
    }

    fn chunk(&self, held: &mut Held) -> Result<Chunk> {
        held.take::<Chunk>(0)?;
        let (graph, class) = (self.graph, COLUMN.name);
        let path = graph.array(graph.field(self.value, class, "path")?, "names")?;
        held.take::<Arc<str>>(size_of_val(path))?;
        let path = path.iter().map(|name| graph.text(*name, "a name").map(Arc::clone));
        let primitive = graph.text(graph.field(self.value, class, "type")?, "a type")?;
        // The lengths before compression were running totals once: they are no more than a hint.
        let length = |name| self.number(class, name).map(|number| u64::try_from(number).unwrap_or_default());
        Ok(Chunk {
            path: path.collect::<Result<_>>()?,
            primitive: Primitive::from_footer(primitive)?,
            entries: small_count("valueCount", self.number(class, "valueCount")?)?,
            borders: [
                self.count(class, "repetitionStart")?,
                self.count(class, "definitionStart")?,
                self.count(class, "dataStart")?,
                self.count(class, "dataEnd")?,
            ],
            uncompressed: [
                length("repetitionUncompressedLength")?,
                length("definitionUncompressedLength")?,
                length("dataUncompressedLength")?,
            ],
        })
    }
}
