//! Shapes built by hand.

use super::{
    EnumShape, FieldShape, FixedShape, Form, MapShape, Name, Null, OptionalShape, RecordShape, Shape,
};

impl Shape {
    /// An optional shape whose null is `None`.
    #[must_use]
    pub fn optional(item: Shape) -> Self {
        Self::Optional(Box::new(OptionalShape::new(Null::None, item)))
    }

    /// A list of items.
    #[must_use]
    pub fn list(item: Shape) -> Self {
        Self::List(Box::new(item))
    }

    /// A map from keys to values.
    #[must_use]
    pub fn map(key: Shape, value: Shape) -> Self {
        Self::Map(Box::new(MapShape::new(key, value)))
    }

    /// A struct of these fields.
    ///
    /// ```
    /// use trevni::Shape;
    ///
    /// let shape = Shape::record("Point", [("x", Shape::Double), ("y", Shape::Double)]);
    /// assert_eq!(shape.to_string(), "record Point\n  x: double\n  y: double");
    /// ```
    #[must_use]
    pub fn record<N: Into<Name>>(
        name: impl Into<Name>,
        fields: impl IntoIterator<Item = (N, Shape)>,
    ) -> Self {
        let fields = fields.into_iter().map(|(name, shape)| FieldShape::new(name, shape));
        Self::Record(RecordShape::new(name, fields.collect()))
    }

    /// A tuple of these items.
    #[must_use]
    pub fn tuple(items: impl IntoIterator<Item = Shape>) -> Self {
        let fields = items.into_iter().enumerate();
        let fields = fields.map(|(index, item)| FieldShape::new(super::tuple_field(index), item));
        Self::Record(RecordShape::new("", fields.collect()).with_form(Form::Tuple))
    }
}

impl FieldShape {
    /// A field of this name.
    #[must_use]
    pub fn new(name: impl Into<Name>, shape: Shape) -> Self {
        Self { name: name.into(), shape }
    }
}

impl RecordShape {
    /// A struct without a namespace.
    #[must_use]
    pub fn new(name: impl Into<Name>, fields: Vec<FieldShape>) -> Self {
        Self { namespace: Name::Borrowed(""), name: name.into(), form: Form::Struct, fields }
    }

    /// The same in another form.
    #[must_use]
    pub fn with_form(self, form: Form) -> Self {
        Self { form, ..self }
    }

    /// The same in a namespace; for a variant, the name of its enum.
    #[must_use]
    pub fn with_namespace(self, namespace: impl Into<Name>) -> Self {
        Self { namespace: namespace.into(), ..self }
    }
}

impl EnumShape {
    /// Symbols of an enum without a namespace.
    #[must_use]
    pub fn new<S: Into<Name>>(name: impl Into<Name>, symbols: impl IntoIterator<Item = S>) -> Self {
        let symbols = symbols.into_iter().map(Into::into).collect();
        Self { namespace: Name::Borrowed(""), name: name.into(), symbols }
    }

    /// The same in a namespace.
    #[must_use]
    pub fn with_namespace(self, namespace: impl Into<Name>) -> Self {
        Self { namespace: namespace.into(), ..self }
    }
}

impl FixedShape {
    /// `size` bytes, without a namespace.
    #[must_use]
    pub fn new(name: impl Into<Name>, size: usize) -> Self {
        Self { namespace: Name::Borrowed(""), name: name.into(), size }
    }

    /// The same in a namespace.
    #[must_use]
    pub fn with_namespace(self, namespace: impl Into<Name>) -> Self {
        Self { namespace: namespace.into(), ..self }
    }
}

impl MapShape {
    /// Keys and values.
    #[must_use]
    pub fn new(key: Shape, value: Shape) -> Self {
        Self { key, value, open: false }
    }

    /// A map of objects with open keys: joined with a record, it takes the fields as entries.
    #[must_use]
    pub fn open(value: Shape) -> Self {
        Self { key: Shape::String, value, open: true }
    }
}

impl OptionalShape {
    /// A value, or a null that stands for this.
    #[must_use]
    pub fn new(null: Null, item: Shape) -> Self {
        Self { null, item }
    }
}
