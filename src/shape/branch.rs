//! The names that the variants of a union have.

use super::Shape;
use std::borrow::Cow;

/// Namespace of the types that this crate adds to a schema.
pub(crate) const RESERVED: &str = "serde";
/// Record without fields that stands for `Some(())`.
pub(crate) const UNIT: &str = "Unit";

/// What the names of a union's branches are to an enum that is read from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Branches {
    /// Variants, where the enum has one of that name: `enum U { int(i32), string(String) }` reads Avro's
    /// `["int","string"]`.
    Variants,
    /// Kinds of values: the schema was derived from rows, and has marks where there were variants.
    Kinds,
}

/// The name of a type within a union: Avro's full name, or the name of the type.
pub(crate) fn branch_name(shape: &Shape) -> BranchName<'_> {
    let (namespace, name) = match shape {
        Shape::Record(record) => (&*record.namespace, &*record.name),
        Shape::Enum(shape) => (&*shape.namespace, &*shape.name),
        Shape::Fixed(fixed) => (&*fixed.namespace, &*fixed.name),
        Shape::Logical(logical) => return branch_name(&logical.storage),
        other => unnamed(other),
    };
    BranchName { namespace, name }
}

/// The namespace and the name, within a union, of a type that has no name of its own.
pub(crate) fn unnamed(shape: &Shape) -> (&'static str, &'static str) {
    match shape {
        Shape::U64 => ("", "long"),
        Shape::I128 => (RESERVED, "i128"),
        Shape::U128 => (RESERVED, "u128"),
        Shape::Map(map) if map.key != Shape::String => ("", "array"),
        Shape::List(_) => ("", "array"),
        Shape::Null | Shape::Unknown => (RESERVED, UNIT),
        other => ("", other.kind()),
    }
}

/// Whether a variant of a union stands in a record of its own: a map whose keys are not text is an
/// array to Avro, and a union has only one of these.
pub(crate) fn is_wrapped(variant: &Shape) -> bool {
    matches!(variant, Shape::Map(map) if map.key != Shape::String)
}

impl Shape {
    /// The name that this shape has as a branch of a union, as in Avro's JSON encoding: the full name of a
    /// named type, otherwise the name of the type, such as `long` or `array`.
    #[must_use]
    pub fn branch_name(&self) -> Cow<'_, str> {
        branch_name(self).full()
    }
}

/// A name with its namespace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BranchName<'a> {
    namespace: &'a str,
    pub(crate) name: &'a str,
}

impl<'a> BranchName<'a> {
    /// A name without a namespace.
    pub(crate) fn new(name: &'a str) -> Self {
        Self { namespace: "", name }
    }

    pub(crate) fn full(self) -> Cow<'a, str> {
        if self.namespace.is_empty() {
            Cow::Borrowed(self.name)
        } else {
            Cow::Owned(format!("{}.{}", self.namespace, self.name))
        }
    }

    /// Whether this is the name, with or without the namespace.
    pub(crate) fn matches(self, name: &str) -> bool {
        name == self.name
            || (!self.namespace.is_empty()
                && name
                    .strip_prefix(self.namespace)
                    .and_then(|rest| rest.strip_prefix('.'))
                    .is_some_and(|rest| rest == self.name))
    }
}

/// Whether values are read in another way where the schema was derived from rows: a shape that has branches that enums
/// are read from, and that could be taken for variants of their names, or logical types.
pub(crate) fn depends_on_origin(shape: &Shape) -> bool {
    let holds_enums =
        |branch: &Shape| matches!(branch, Shape::String | Shape::Enum(_) | Shape::Record(_) | Shape::Map(_));
    let own = match shape {
        Shape::Optional(optional) => !optional.item.is_variant() && holds_enums(&optional.item),
        Shape::Union(variants) => !variants.iter().any(Shape::is_variant) && variants.iter().any(holds_enums),
        Shape::Logical(_) => true,
        _ => false,
    };
    own || shape.children().any(|child| depends_on_origin(child.shape))
}
