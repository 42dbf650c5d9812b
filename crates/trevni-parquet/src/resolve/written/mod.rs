//! The rows as the file has them: their shape beside the columns that hold them, and the names that Avro gave.

mod build;

pub(super) use build::File;

use arrow_schema::Fields;
use std::collections::BTreeSet;
use std::ops::Range;
use trevni::Shape;
use trevni::shape::{FieldShape, MapShape, RecordShape};

/// A part of the rows.
#[derive(Clone)]
pub(super) struct Written {
    pub(super) kind: Kind,
    /// The columns of the file that hold it, whether they are left or not.
    pub(super) columns: Range<usize>,
}

/// What a part is.
#[derive(Clone)]
pub(super) enum Kind {
    /// A value; `name` is that of a fixed or an enum of the Avro schema.
    Leaf {
        shape: Shape,
        name: Option<String>,
        is_symbol: bool,
    },
    /// Named fields. Those of an interval are one column.
    Record {
        head: RecordShape,
        name: Option<String>,
        fields: Vec<(String, Written)>,
        is_interval: bool,
    },
    List(Box<Written>),
    Map(Box<(Written, Written)>),
    Optional(Box<Written>),
    /// A union, whose members are optional fields, one of which is there.
    Members(Vec<Written>),
}

impl Written {
    /// The rows of a shape that the columns of an Arrow schema hold; `avro` is the shape that the file says, whether it
    /// fits or not.
    pub(super) fn rows(
        file: &mut File<'_>,
        shape: &Shape,
        fields: &Fields,
        avro: Option<&Shape>,
    ) -> Option<Self> {
        match shape {
            Shape::Record(record) => file.record(record, fields, avro),
            other => match &fields[..] {
                [field] => file.part(other, field.data_type(), avro),
                _ => None,
            },
        }
    }

    /// The columns that are left.
    pub(super) fn left(&self) -> BTreeSet<usize> {
        let own = |parts: &mut dyn Iterator<Item = &Self>| parts.flat_map(Self::left).collect();
        match &self.kind {
            Kind::Record { fields, .. } => own(&mut fields.iter().map(|(_, field)| field)),
            Kind::List(item) | Kind::Optional(item) => item.left(),
            Kind::Map(entry) => own(&mut [&entry.0, &entry.1].into_iter()),
            Kind::Members(members) => own(&mut members.iter()),
            Kind::Leaf { .. } => self.columns.clone().collect(),
        }
    }

    /// The first column that is left: it tells where the part is there.
    pub(super) fn first(&self) -> Option<usize> {
        self.left().first().copied()
    }

    /// Adds what some columns cannot be read without: of a map, the keys, and a column of the values.
    pub(super) fn complete(&self, columns: &mut BTreeSet<usize>) {
        let is_read =
            |part: &Self, columns: &BTreeSet<usize>| columns.range(part.columns.clone()).next().is_some();
        if !is_read(self, columns) {
            return;
        }
        match &self.kind {
            Kind::Record { fields, .. } => fields.iter().for_each(|(_, field)| field.complete(columns)),
            Kind::List(item) | Kind::Optional(item) => item.complete(columns),
            Kind::Map(entry) => {
                let (key, value) = &**entry;
                columns.extend(key.left());
                if !is_read(value, columns) {
                    columns.extend(value.first());
                }
                value.complete(columns);
            }
            Kind::Members(members) => {
                for member in members {
                    if !is_read(member, columns) {
                        columns.extend(member.first());
                    }
                    member.complete(columns);
                }
            }
            Kind::Leaf { .. } => {}
        }
    }

    /// What is left of it with some columns; `None` where that is nothing.
    pub(super) fn kept(&self, columns: &BTreeSet<usize>) -> Option<Self> {
        columns.range(self.columns.clone()).next()?;
        let kind = match &self.kind {
            Kind::Record { head, name, fields, is_interval: false } => {
                let kept = |(name, field): &(String, Self)| Some((name.clone(), field.kept(columns)?));
                let fields = fields.iter().filter_map(kept).collect();
                Kind::Record { head: head.clone(), name: name.clone(), fields, is_interval: false }
            }
            Kind::List(item) => Kind::List(Box::new(item.kept(columns)?)),
            Kind::Map(entry) => Kind::Map(Box::new((entry.0.kept(columns)?, entry.1.kept(columns)?))),
            Kind::Optional(item) => Kind::Optional(Box::new(item.kept(columns)?)),
            Kind::Members(members) => {
                Kind::Members(members.iter().map(|member| member.kept(columns)).collect::<Option<_>>()?)
            }
            other => other.clone(),
        };
        Some(Self { kind, columns: self.columns.clone() })
    }

    /// The shape of what is there.
    pub(super) fn shape(&self) -> Shape {
        match &self.kind {
            Kind::Leaf { shape, .. } => shape.clone(),
            Kind::Record { head, fields, .. } => {
                let field = |(name, field): &(String, Self)| FieldShape::new(name.clone(), field.shape());
                let mut record = head.clone();
                record.fields = fields.iter().map(field).collect();
                Shape::Record(record)
            }
            Kind::List(item) => Shape::list(item.shape()),
            Kind::Map(entry) => Shape::Map(Box::new(MapShape::new(entry.0.shape(), entry.1.shape()))),
            Kind::Optional(item) => Shape::optional(item.shape()),
            Kind::Members(members) => {
                let member = |(number, member): (usize, &Self)| {
                    FieldShape::new(member_name(number), Shape::optional(member.shape()))
                };
                Shape::Record(RecordShape::new("Members", members.iter().enumerate().map(member).collect()))
            }
        }
    }

    /// What it is, for messages.
    pub(super) fn what(&self) -> String {
        match &self.kind {
            Kind::Leaf { shape, .. } => what(shape),
            Kind::Record { .. } => "record".to_owned(),
            Kind::List(_) => "array".to_owned(),
            Kind::Map(_) => "map".to_owned(),
            Kind::Optional(item) => format!("{} or null", item.what()),
            Kind::Members(_) => "union".to_owned(),
        }
    }
}

/// What a shape is called in messages: its logical type, where it has one.
pub(super) fn what(shape: &Shape) -> String {
    match shape {
        Shape::Logical(logical) => match &logical.logical {
            trevni::shape::Logical::Decimal { precision, scale } => format!("decimal({precision}, {scale})"),
            other => other.name().to_owned(),
        },
        Shape::Optional(optional) => format!("{} or null", what(&optional.item)),
        Shape::List(_) => "array".to_owned(),
        other => other.kind().to_owned(),
    }
}

/// The name that Avro's Parquet writer gives to a type of a union.
fn member_name(number: usize) -> String {
    format!("member{number}")
}
