//! What a row has pushed and recorded, serialized from there: as the row was, as far as the slow path looks.

use super::node::{List, Map, Node, Record};
use super::recorded::{Kind, Part, Recorded};
use super::union::UnionEntry;
use crate::shape::{Form, Name, Null};
use serde::ser::{
    Error, Serialize, SerializeMap, SerializeStruct, SerializeStructVariant, SerializeTuple,
    SerializeTupleStruct, SerializeTupleVariant, Serializer,
};

/// An entry of a node that was taken out of its tree.
#[derive(Clone, Copy)]
pub(in crate::ser) struct Entry<'n> {
    node: &'n Node,
    index: usize,
}

/// The fields of an entry that came, with their names, where these are static.
type FieldEntries<'n> = Vec<(Option<&'static str>, Entry<'n>)>;

type Done<S> = Result<<S as Serializer>::Ok, <S as Serializer>::Error>;

#[cold]
fn missing<E: Error>() -> E {
    E::custom("a row that was recorded is not whole")
}

fn at<T: Copy, E: Error>(values: &[T], index: usize) -> Result<T, E> {
    values.get(index).copied().ok_or_else(missing)
}

fn wide<E: Error>(bytes: Option<&[u8]>) -> Result<[u8; 16], E> {
    bytes.and_then(|bytes| bytes.try_into().ok()).ok_or_else(missing)
}

impl<'n> Entry<'n> {
    /// The only entry.
    pub(in crate::ser) fn only(node: &'n Node) -> Self {
        Self { node, index: 0 }
    }

    /// Whether it is a field that did not come.
    fn is_absent(self) -> bool {
        match self.node {
            Node::Optional(list) if list.null == Null::Absent => {
                list.offsets.range(self.index).is_some_and(|range| range.is_empty())
            }
            Node::Recorded(recorded) => match recorded.entry(self.index) {
                Some(RecordedEntry::Own(entry)) => entry.is_absent(),
                Some(RecordedEntry::Part(part, _)) => part.kind == Kind::Absent,
                None => false,
            },
            _ => false,
        }
    }
}

/// An entry of a node that records.
enum RecordedEntry<'n> {
    /// One of the node within.
    Own(Entry<'n>),
    /// One of a part, at this position.
    Part(&'n Part, usize),
}

impl Recorded {
    fn entry(&self, index: usize) -> Option<RecordedEntry<'_>> {
        let Some(index) = index.checked_sub(self.before) else {
            return Some(RecordedEntry::Own(Entry { node: &self.node, index }));
        };
        let part = self.parts.partition_point(|part| part.start <= index).checked_sub(1)?;
        self.parts.get(part).map(|part| RecordedEntry::Part(part, index - part.start))
    }
}

impl Record {
    fn entries(&self, index: usize) -> FieldEntries<'_> {
        let Some((spare, fields)) = self.fields.split_last() else { return Vec::new() };
        let mut entries = Vec::with_capacity(fields.len());
        for field in fields.iter().filter(|field| !field.is_unnamed()) {
            let name = match &field.name {
                Name::Borrowed(name) => Some(*name),
                // All empty names may have one address, so it is known without a search.
                Name::Owned(name) => name.is_empty().then_some(""),
            };
            entries.push((name, Entry { node: &field.node, index }));
        }
        entries.retain(|(_, entry)| !entry.is_absent());
        if let Node::Recorded(recorded) = &spare.node {
            let keys = recorded.keys.iter().enumerate().filter(|(_, (of, _))| *of == index);
            entries.extend(keys.map(|(at, (_, key))| (Some(*key), Entry { node: &spare.node, index: at })));
        }
        entries
    }
}

impl List {
    fn entries(&self, index: usize) -> Option<impl ExactSizeIterator<Item = Entry<'_>>> {
        Some(self.offsets.range(index)?.map(|index| Entry { node: &self.item, index }))
    }
}

impl Map {
    fn serialize<S: Serializer>(&self, index: usize, serializer: S) -> Done<S> {
        let range = self.offsets.range(index).ok_or_else(missing)?;
        let mut map = serializer.serialize_map(if self.is_open { None } else { Some(range.len()) })?;
        for index in range {
            map.serialize_key(&Entry { node: &self.key, index })?;
            map.serialize_value(&Entry { node: &self.value, index })?;
        }
        map.end()
    }
}

impl Part {
    fn serialize<S: Serializer>(&self, index: usize, serializer: S) -> Done<S> {
        let entry = Entry { node: &self.node, index };
        match (self.kind, &self.node) {
            (Kind::Plain, _) => entry.serialize(serializer),
            (Kind::Unit, _) => serializer.serialize_unit(),
            (Kind::Newtype(name), _) => serializer.serialize_newtype_struct(name, &entry),
            (Kind::Tuple(name, len), Node::List(list)) => {
                let mut tuple = serializer.serialize_tuple_struct(name, len)?;
                for item in list.entries(index).ok_or_else(missing)? {
                    tuple.serialize_field(&item)?;
                }
                tuple.end()
            }
            (Kind::Struct(name), Node::Record(record)) => fields(name, record.entries(index), serializer),
            (Kind::Variant(variant, form, len), node) => {
                let (name, number, variant) = (variant.name, variant.index, variant.variant);
                match (form, node) {
                    (Form::NewtypeVariant, _) => {
                        serializer.serialize_newtype_variant(name, number, variant, &entry)
                    }
                    (Form::TupleVariant, Node::List(list)) => {
                        let mut tuple = serializer.serialize_tuple_variant(name, number, variant, len)?;
                        for item in list.entries(index).ok_or_else(missing)? {
                            tuple.serialize_field(&item)?;
                        }
                        tuple.end()
                    }
                    (Form::StructVariant, Node::Record(record)) => {
                        variant_fields(name, number, variant, record.entries(index), serializer)
                    }
                    _ => serializer.serialize_unit_variant(name, number, variant),
                }
            }
            (Kind::Absent | Kind::Tuple(..) | Kind::Struct(_), _) => Err(missing()),
        }
    }
}

fn fields<S: Serializer>(name: &'static str, entries: FieldEntries<'_>, serializer: S) -> Done<S> {
    let mut fields = serializer.serialize_struct(name, entries.len())?;
    for (name, entry) in entries {
        fields.serialize_field(name.ok_or_else(missing)?, &entry)?;
    }
    fields.end()
}

fn variant_fields<S: Serializer>(
    name: &'static str,
    number: u32,
    variant: &'static str,
    entries: FieldEntries<'_>,
    serializer: S,
) -> Done<S> {
    let mut fields = serializer.serialize_struct_variant(name, number, variant, entries.len())?;
    for (name, entry) in entries {
        fields.serialize_field(name.ok_or_else(missing)?, &entry)?;
    }
    fields.end()
}

/// A variant that the tree has.
fn variant<S: Serializer>(entry: UnionEntry<'_>, serializer: S) -> Done<S> {
    match entry {
        UnionEntry::Symbol(name, variant) => serializer.serialize_unit_variant(name, 0, variant),
        UnionEntry::Variant(variant, Form::NewtypeVariant, record, index) => {
            let field = record.fields.first().ok_or_else(missing)?;
            serializer.serialize_newtype_variant("", 0, variant, &Entry { node: &field.node, index })
        }
        UnionEntry::Variant(variant, Form::TupleVariant, record, index) => {
            let mut tuple = serializer.serialize_tuple_variant("", 0, variant, record.fields.len() - 1)?;
            for (_, entry) in record.entries(index) {
                tuple.serialize_field(&entry)?;
            }
            tuple.end()
        }
        UnionEntry::Variant(variant, _, record, index) => {
            variant_fields("", 0, variant, record.entries(index), serializer)
        }
    }
}

impl Serialize for Entry<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Done<S> {
        let index = self.index;
        match self.node {
            Node::Null(_) => serializer.serialize_unit(),
            Node::Marked(marked) => {
                serializer.serialize_newtype_struct(marked.mark, &Entry { node: &marked.numbers, index })
            }
            Node::Boolean(values) => serializer.serialize_bool(at(values, index)?),
            Node::Int { values, .. } => serializer.serialize_i32(at(values, index)?),
            Node::Long { values, unsigned: false, .. } => serializer.serialize_i64(at(values, index)?),
            Node::Long { values, .. } => {
                serializer.serialize_u64(at::<i64, _>(values, index)?.cast_unsigned())
            }
            Node::Float(values) => serializer.serialize_f32(at(values, index)?),
            Node::Double(values) => serializer.serialize_f64(at(values, index)?),
            Node::I128(values) => serializer.serialize_i128(i128::from_be_bytes(wide(values.get(index))?)),
            Node::U128(values) => serializer.serialize_u128(u128::from_be_bytes(wide(values.get(index))?)),
            Node::String(values) => serializer.serialize_str(values.get(index).ok_or_else(missing)?),
            Node::StringStruct(string) => Entry { node: string.node(), index }.serialize(serializer),
            Node::Bytes(values) => serializer.serialize_bytes(values.get(index).ok_or_else(missing)?),
            Node::Enum(symbols) => {
                serializer.serialize_unit_variant("", 0, symbols.variant(index).ok_or_else(missing)?)
            }
            Node::Record(record) => fields("", record.entries(index), serializer),
            Node::Tuple(record) => {
                let mut tuple = serializer.serialize_tuple(record.fields.len() - 1)?;
                for (_, entry) in record.entries(index) {
                    tuple.serialize_element(&entry)?;
                }
                tuple.end()
            }
            Node::List(list) => serializer.collect_seq(list.entries(index).ok_or_else(missing)?),
            Node::Map(map) => map.serialize(index, serializer),
            Node::Optional(list) => match list.offsets.range(index) {
                Some(range) if range.is_empty() => serializer.serialize_none(),
                Some(range) => serializer.serialize_some(&Entry { node: &list.item, index: range.start }),
                None => Err(missing()),
            },
            Node::Union(union) => variant(union.entry(index).ok_or_else(missing)?, serializer),
            Node::Recorded(recorded) => match recorded.entry(index) {
                Some(RecordedEntry::Own(entry)) => entry.serialize(serializer),
                Some(RecordedEntry::Part(part, index)) => part.serialize(index, serializer),
                None => Err(missing()),
            },
            Node::Logical(_) | Node::Other(_) => Err(missing()),
        }
    }
}
