//! Types as data: a graph of structs and enums with serde's attributes.

/// Number of a definition in its graph.
pub type Id = usize;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scalar {
    Bool,
    I8,
    I16,
    I32,
    I64,
    I128,
    U8,
    U16,
    U32,
    U64,
    U128,
    F32,
    F64,
    Char,
    Text,
    Bytes,
    Unit,
}

impl Scalar {
    pub const ALL: [Self; 17] = [
        Self::Bool,
        Self::I8,
        Self::I16,
        Self::I32,
        Self::I64,
        Self::I128,
        Self::U8,
        Self::U16,
        Self::U32,
        Self::U64,
        Self::U128,
        Self::F32,
        Self::F64,
        Self::Char,
        Self::Text,
        Self::Bytes,
        Self::Unit,
    ];
}

#[derive(Clone, Debug, PartialEq)]
pub enum Type {
    Scalar(Scalar),
    Option(Box<Type>),
    List(Box<Type>),
    Tuple(Vec<Type>),
    Array(Box<Type>, usize),
    Map(Box<Type>, Box<Type>),
    /// A `Box` around a definition that contains this place.
    Boxed(Id),
    Def(Id),
}

#[derive(Clone, Debug)]
pub struct Def {
    pub name: &'static str,
    pub body: Body,
    /// The names of the variants, as the derived code has them in a constant.
    pub variants: &'static [&'static str],
    /// Tag and content of an adjacently tagged enum, likewise.
    pub tags: &'static [&'static str],
}

#[derive(Clone, Debug)]
pub enum Body {
    Struct(Fields),
    Enum(Tagging, Vec<Variant>),
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Tagging {
    External,
    Internal(&'static str),
    Adjacent(&'static str, &'static str),
    Untagged,
}

#[derive(Clone, Debug)]
pub struct Variant {
    pub name: &'static str,
    pub fields: Fields,
}

#[derive(Clone, Debug)]
pub enum Fields {
    Unit,
    Newtype(Type),
    Tuple(Vec<Type>),
    Named(Named),
}

#[derive(Clone, Debug)]
pub struct Named {
    pub fields: Vec<Field>,
    /// The names of the fields that are not flattened, as the derived code has them in a constant.
    pub names: &'static [&'static str],
}

#[derive(Clone, Debug)]
pub struct Field {
    pub name: &'static str,
    pub ty: Type,
    /// `skip_serializing_if`: what is `None` or empty.
    pub skip: bool,
    /// `default`
    pub default: bool,
    pub flatten: bool,
}

#[derive(Clone, Debug)]
pub struct Graph {
    pub defs: Vec<Def>,
    pub row: Type,
}

impl Type {
    pub fn option(item: Type) -> Self {
        Self::Option(Box::new(item))
    }

    /// The types directly inside.
    pub fn parts(&self) -> Vec<&Type> {
        match self {
            Self::Scalar(_) | Self::Boxed(_) | Self::Def(_) => vec![],
            Self::Option(item) | Self::List(item) | Self::Array(item, _) => vec![item],
            Self::Tuple(items) => items.iter().collect(),
            Self::Map(key, value) => vec![key, value],
        }
    }

    pub fn parts_mut(&mut self) -> Vec<&mut Type> {
        match self {
            Self::Scalar(_) | Self::Boxed(_) | Self::Def(_) => vec![],
            Self::Option(item) | Self::List(item) | Self::Array(item, _) => vec![item],
            Self::Tuple(items) => items.iter_mut().collect(),
            Self::Map(key, value) => vec![key, value],
        }
    }

    /// Whether it has values that `skip_serializing_if` leaves out.
    pub fn can_be_empty(&self) -> bool {
        matches!(
            self,
            Self::Option(_) | Self::List(_) | Self::Map(..) | Self::Scalar(Scalar::Text | Scalar::Bytes)
        )
    }

    /// Whether it has a `Default` without deriving one.
    pub fn has_default(&self) -> bool {
        match self {
            Self::Scalar(_) | Self::Option(_) | Self::List(_) | Self::Map(..) => true,
            Self::Tuple(items) => items.iter().all(Self::has_default),
            Self::Array(item, _) => item.has_default(),
            Self::Boxed(_) | Self::Def(_) => false,
        }
    }
}

impl Fields {
    pub fn types(&self) -> Vec<&Type> {
        match self {
            Self::Unit => vec![],
            Self::Newtype(ty) => vec![ty],
            Self::Tuple(types) => types.iter().collect(),
            Self::Named(named) => named.fields.iter().map(|field| &field.ty).collect(),
        }
    }

    pub fn types_mut(&mut self) -> Vec<&mut Type> {
        match self {
            Self::Unit => vec![],
            Self::Newtype(ty) => vec![ty],
            Self::Tuple(types) => types.iter_mut().collect(),
            Self::Named(named) => named.fields.iter_mut().map(|field| &mut field.ty).collect(),
        }
    }
}

impl Named {
    pub fn new(fields: Vec<Field>) -> Self {
        Self { fields, names: &[] }
    }

    pub fn is_flat(&self) -> bool {
        self.fields.iter().any(|field| field.flatten)
    }
}

impl Def {
    pub fn new(name: &'static str, body: Body) -> Self {
        Self { name, body, variants: &[], tags: &[] }
    }

    pub fn all_fields(&self) -> Vec<&Fields> {
        match &self.body {
            Body::Struct(fields) => vec![fields],
            Body::Enum(_, variants) => variants.iter().map(|variant| &variant.fields).collect(),
        }
    }

    pub fn all_fields_mut(&mut self) -> Vec<&mut Fields> {
        match &mut self.body {
            Body::Struct(fields) => vec![fields],
            Body::Enum(_, variants) => variants.iter_mut().map(|variant| &mut variant.fields).collect(),
        }
    }
}

impl Graph {
    /// Gives the constants of names an address for good, as derived code has them.
    pub fn leak(mut self) -> &'static Self {
        for def in &mut self.defs {
            for fields in def.all_fields_mut() {
                if let Fields::Named(named) = fields {
                    let plain = named.fields.iter().filter(|field| !field.flatten);
                    named.names = leak(plain.map(|field| field.name).collect());
                }
            }
            if let Body::Enum(tagging, variants) = &def.body {
                def.variants = leak(variants.iter().map(|variant| variant.name).collect());
                if let Tagging::Adjacent(tag, content) = tagging {
                    def.tags = leak(vec![tag, content]);
                }
            }
        }
        Box::leak(Box::new(self))
    }
}

fn leak(names: Vec<&'static str>) -> &'static [&'static str] {
    Box::leak(names.into_boxed_slice())
}
