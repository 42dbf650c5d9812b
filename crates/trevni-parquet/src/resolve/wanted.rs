//! The schema that rows are to be read as: what its shape says, and the aliases and defaults that a shape lacks.

use crate::error::{Error, Result};
use serde_json::Value;
use trevni::Shape;
use trevni::avro::{AvroKind, AvroSchema, NodeParts, ShapedNode};

/// A type of the schema.
pub(super) struct Wanted {
    pub(super) shape: Shape,
    pub(super) kind: Kind,
}

/// What is in a type.
pub(super) enum Kind {
    /// Nothing.
    Leaf,
    /// Other names of a fixed.
    Fixed {
        aliases: Vec<String>,
    },
    /// Other names of an enum, and the symbol for unknown ones.
    Enum {
        aliases: Vec<String>,
        default: Option<i32>,
    },
    /// Other names of a record, and its fields.
    Record {
        aliases: Vec<String>,
        fields: Vec<WantedField>,
    },
    List(Box<Wanted>),
    /// Keys and values.
    Map(Box<(Wanted, Wanted)>),
    Optional(Box<Wanted>),
    Union(Vec<Wanted>),
}

/// A field of a record.
pub(super) struct WantedField {
    pub(super) name: String,
    pub(super) aliases: Vec<String>,
    pub(super) default: Option<Value>,
    pub(super) wanted: Wanted,
}

impl Wanted {
    /// Reads the text of an Avro schema.
    pub(super) fn parse(text: &str) -> Result<Self> {
        let schema = AvroSchema::parse(text).map_err(|error| Error::Schema(error.to_string()))?;
        Ok(Self::of(schema.shaped()))
    }

    fn of(place: ShapedNode<'_>) -> Self {
        let (node, shape) = (place.node, place.shape);
        let aliases = || last_parts(&node.aliases);
        let kind = match (place.parts(), shape, &node.kind) {
            (NodeParts::Record(parts), Shape::Record(record), _) => {
                let fields = parts.into_iter().zip(&record.fields).map(|((own, part), field)| WantedField {
                    name: field.name.to_string(),
                    aliases: last_parts(&own.aliases),
                    default: own.default.clone(),
                    wanted: Self::of(part),
                });
                Kind::Record { aliases: aliases(), fields: fields.collect() }
            }
            (NodeParts::Items(item), Shape::List(_), _) => Kind::List(Box::new(Self::of(item))),
            (NodeParts::Items(value), ..) => {
                let key = Self { shape: Shape::String, kind: Kind::Leaf };
                Kind::Map(Box::new((key, Self::of(value))))
            }
            (NodeParts::Entries(parts), ..) => Kind::Map(Box::new(parts.map(Self::of).into())),
            (NodeParts::Union(parts), shape, _) => return Self::union(parts, shape),
            (_, Shape::Enum(_), AvroKind::Enum { symbols, default }) => {
                let place = default.as_ref().and_then(|own| symbols.iter().position(|symbol| symbol == own));
                let default = place.and_then(|place| i32::try_from(place).ok());
                Kind::Enum { aliases: aliases(), default }
            }
            (_, _, AvroKind::Fixed(_)) if matches!(shape.storage(), Shape::Fixed(_)) => {
                Kind::Fixed { aliases: aliases() }
            }
            _ => Kind::Leaf,
        };
        Self { shape: shape.clone(), kind }
    }

    fn union(parts: Vec<Option<ShapedNode<'_>>>, shape: &Shape) -> Self {
        let mut variants: Vec<Self> = parts.into_iter().flatten().map(Self::of).collect();
        let of = |shape: &Shape, kind| Self { shape: shape.clone(), kind };
        match shape {
            Shape::Optional(optional) => {
                let item = match (&optional.item, variants.len()) {
                    (_, 1) => variants.remove(0),
                    (Shape::Union(_), _) => of(&optional.item, Kind::Union(variants)),
                    (item, _) => of(item, Kind::Leaf),
                };
                of(shape, Kind::Optional(Box::new(item)))
            }
            shape => of(shape, Kind::Union(variants)),
        }
    }
}

/// Other names of a type or field, without namespaces.
fn last_parts(names: &[String]) -> Vec<String> {
    names.iter().map(|name| name.rsplit_once('.').map_or(&**name, |(_, name)| name).to_owned()).collect()
}
