//! What reading needs of a shape, with room for what is learned from the target type.

use super::scalar::FloatsAsked;
use crate::logical::Texts;
use crate::shape::branch::{Branches, unnamed};
use crate::shape::{EnumShape, FixedShape, Form, Name, Null, RecordShape, Shape, Shown};
use std::fmt;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

/// A node of the shape, made ready for reading.
pub(crate) enum Plan {
    /// The vector says all.
    Plain,
    /// An integer or a float.
    Number(FloatsAsked),
    /// A long whose bits are those of a `u64`.
    U64(FloatsAsked),
    I128,
    U128,
    /// A logical type whose values are strings to types that request strings.
    Logical(Arc<LogicalPlan>),
    Enum(Arc<[String]>),
    Record(Arc<RecordPlan>),
    List(Box<Plan>),
    Map(Box<(Plan, Plan)>),
    Optional(Arc<OptionalPlan>),
    Union(Arc<UnionPlan>),
}

pub(crate) struct LogicalPlan {
    pub(crate) texts: Texts,
    /// Whether its values are strings also to untyped reads.
    pub(crate) is_text: bool,
    pub(super) floats: FloatsAsked,
}

pub(crate) struct OptionalPlan {
    pub(crate) null: Null,
    /// The name of the item, as a branch of a union, where an enum may have a variant of it. The branches of a
    /// union have names of their own.
    pub(crate) name: Option<Name>,
    /// Whether an enum may have a variant `null`.
    pub(crate) is_null_named: bool,
    pub(crate) item: Plan,
}

pub(crate) struct UnionPlan {
    /// With their names where an enum may have variants of these.
    pub(crate) branches: Vec<(Option<Name>, Plan)>,
}

pub(crate) struct RecordPlan {
    pub(crate) form: Form,
    /// The variant's name, for variants.
    pub(crate) name: String,
    /// The names of the fields, one after the other.
    names: String,
    pub(crate) fields: Vec<FieldPlan>,
    /// Whether no field can be absent.
    whole: bool,
    /// How the fields of the struct that was read here first are found.
    mapping: OnceLock<Mapping>,
}

pub(crate) struct FieldPlan {
    /// Its name, within those of all fields.
    name: Range<usize>,
    /// Whether null says that the field is not there.
    pub(crate) absent: bool,
    pub(crate) plan: Plan,
}

/// Where the fields of a Rust struct are in a record.
struct Mapping {
    /// The names of its fields.
    names: &'static [&'static str],
    /// Fields of the record that the struct has, in the order of the record.
    listed: Vec<u32>,
    /// Fields of the record in the order of the struct, if it has them all, always.
    positions: Option<Vec<u32>>,
    /// Whether such a struct has taken all its fields by position.
    is_taken: AtomicBool,
    /// Whether such a struct did not want its fields by position.
    is_by_name: AtomicBool,
}

/// How the fast path reads a record.
pub(super) enum Order<'a> {
    /// As a struct that has these fields, in its order; its names, where it has taken them so before.
    Positions {
        names: &'static [&'static str],
        places: &'a [u32],
    },
    /// As a struct with these names that has these fields, some of which may be missing.
    Names {
        names: &'static [&'static str],
        places: &'a [u32],
    },
    Tuple,
    /// All fields by name.
    All,
}

impl Mapping {
    fn new(record: &RecordPlan, names: &'static [&'static str]) -> Self {
        let place = |name: &&str| {
            let mut fields = record.fields.iter().zip(0u32..);
            fields.find(|(field, _)| record.name_of(field) == *name && !field.absent).map(|(_, place)| place)
        };
        let fields = record.fields.iter().zip(0u32..);
        let listed = fields.filter(|(field, _)| names.contains(&record.name_of(field)));
        Self {
            names,
            listed: listed.map(|(_, place)| place).collect(),
            positions: names.iter().map(place).collect(),
            is_taken: AtomicBool::new(false),
            is_by_name: AtomicBool::new(false),
        }
    }
}

impl RecordPlan {
    /// The name of one of the fields.
    #[inline]
    pub(crate) fn name_of(&self, field: &FieldPlan) -> &str {
        &self.names[field.name.clone()]
    }

    /// How rows like those before are read by the fast path.
    pub(super) fn order(&self) -> Order<'_> {
        let Some(mapping) = self.mapping.get() else {
            return match self.form {
                Form::Struct | Form::StructVariant => Order::All,
                _ if self.whole => Order::Tuple,
                // A tuple that ends where a field is absent.
                _ => Order::Names { names: &[], places: &[] },
            };
        };
        match &mapping.positions {
            Some(places) if !mapping.is_by_name.load(Ordering::Relaxed) => {
                let is_taken = mapping.is_taken.load(Ordering::Relaxed);
                Order::Positions { names: if is_taken { mapping.names } else { &[] }, places }
            }
            _ => Order::Names { names: mapping.names, places: &mapping.listed },
        }
    }

    /// The places of a struct's fields, in its order, if it has them all.
    pub(super) fn places(&self) -> impl Iterator<Item = u32> {
        let places = self.mapping.get().and_then(|mapping| mapping.positions.as_deref());
        places.unwrap_or_default().iter().copied()
    }

    /// Whether this is the struct that was read here first.
    pub(super) fn is_asked_by(&self, names: &[&str]) -> bool {
        self.mapping.get().is_some_and(|mapping| mapping.names == names)
    }

    /// Notes that the struct has taken all its fields by position.
    pub(super) fn note_taken(&self) {
        if let Some(mapping) = self.mapping.get() {
            mapping.is_taken.store(true, Ordering::Relaxed);
        }
    }

    /// Notes that the struct wants its fields by name.
    pub(super) fn read_by_name(&self) {
        if let Some(mapping) = self.mapping.get() {
            mapping.is_by_name.store(true, Ordering::Relaxed);
        }
    }

    /// The fields for a struct, in the order of the record, if it is the one that was read here first.
    pub(super) fn listed(&self, names: &'static [&'static str]) -> Option<&[u32]> {
        let mapping = self.mapping.get()?;
        let is_same = std::ptr::eq(mapping.names, names) || mapping.names == names;
        is_same.then_some(&mapping.listed)
    }

    /// Whether no struct has been read here, so that it is a map to types that request one.
    pub(super) fn is_map(&self) -> bool {
        self.form == Form::Struct && self.mapping.get().is_none()
    }

    /// Notes that a struct with these fields has been read here, if it is the first.
    pub(super) fn learn(&self, names: &'static [&'static str]) {
        self.mapping.get_or_init(|| Mapping::new(self, names));
    }
}

impl Plan {
    pub(crate) fn new(shape: &Shape, branches: Branches, shown: Shown) -> Self {
        let named = |branch: &Shape| branches == Branches::Variants && !branch.is_variant();
        match shape {
            Shape::Logical(logical) => match Texts::from_shape(logical) {
                Some(texts) => Self::Logical(Arc::new(LogicalPlan {
                    texts,
                    is_text: shown == Shown::Texts,
                    floats: FloatsAsked::default(),
                })),
                None => Self::new(&logical.storage, branches, shown),
            },
            Shape::Int | Shape::Long | Shape::Float | Shape::Double => Self::Number(FloatsAsked::default()),
            Shape::U64 => Self::U64(FloatsAsked::default()),
            Shape::I128 => Self::I128,
            Shape::U128 => Self::U128,
            Shape::Enum(shape) => Self::Enum(shape.symbols.iter().map(|symbol| symbol.to_string()).collect()),
            Shape::Record(record) => {
                let mut names =
                    String::with_capacity(record.fields.iter().map(|field| field.name.len()).sum());
                let mut fields = Vec::with_capacity(record.fields.len());
                for field in &record.fields {
                    let start = names.len();
                    names.push_str(&field.name);
                    fields.push(FieldPlan {
                        name: start..names.len(),
                        absent: matches!(&field.shape, Shape::Optional(shape) if shape.null == Null::Absent),
                        plan: Self::new(&field.shape, branches, shown),
                    });
                }
                Self::Record(Arc::new(RecordPlan {
                    form: record.form,
                    name: if record.form.is_variant() { record.name.to_string() } else { String::new() },
                    names,
                    whole: fields.iter().all(|field| !field.absent),
                    fields,
                    mapping: OnceLock::new(),
                }))
            }
            Shape::List(item) => Self::List(Box::new(Self::new(item, branches, shown))),
            Shape::Map(map) => Self::Map(Box::new((
                Self::new(&map.key, branches, shown),
                Self::new(&map.value, branches, shown),
            ))),
            Shape::Optional(optional) => {
                let (is_null_named, is_union) = match &optional.item {
                    Shape::Union(variants) => (variants.iter().all(named), true),
                    item => (named(item), false),
                };
                Self::Optional(Arc::new(OptionalPlan {
                    null: optional.null,
                    name: (is_null_named && !is_union).then(|| branch(&optional.item)),
                    is_null_named,
                    item: Self::new(&optional.item, branches, shown),
                }))
            }
            Shape::Union(variants) => {
                // Where there are marks of variants, no other branch is one.
                let named = variants.iter().all(named);
                let name = |variant| named.then(|| branch(variant));
                let plans =
                    variants.iter().map(|variant| (name(variant), Self::new(variant, branches, shown)));
                Self::Union(Arc::new(UnionPlan { branches: plans.collect() }))
            }
            _ => Self::Plain,
        }
    }
}

/// The plans of a batch, one for each type that its rows are read as. They live as long as the batch, since rows may
/// borrow names of fields.
#[derive(Default)]
pub(crate) struct Plans(OnceLock<Box<TypePlan>>);

struct TypePlan {
    /// Name of the type.
    name: &'static str,
    plan: Plan,
    next: Plans,
}

impl Plans {
    /// The plan of the type of this name. Types that share a name share what is learned of them.
    pub(crate) fn of(&self, name: &'static str, make: impl Fn() -> Plan) -> &Plan {
        let mut plans = self;
        loop {
            let new = || Box::new(TypePlan { name, plan: make(), next: Self::default() });
            let plan = plans.0.get_or_init(new);
            if plan.name == name {
                return &plan.plan;
            }
            plans = &plan.next;
        }
    }
}

impl fmt::Debug for Plans {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Plans")
    }
}

/// The name that Avro has for a branch of a union.
fn branch(shape: &Shape) -> Name {
    match shape {
        Shape::Record(RecordShape { name, .. })
        | Shape::Enum(EnumShape { name, .. })
        | Shape::Fixed(FixedShape { name, .. }) => name.clone(),
        Shape::Logical(logical) => branch(&logical.storage),
        other => Name::Borrowed(unnamed(other).1),
    }
}
