//! What reading needs of a shape, with room for what is learned from the target type.

use crate::schema::{Branches, unnamed};
use crate::shape::{EnumShape, FixedShape, Form, Name, Null, RecordShape, Shape};
use std::cell::{Cell, OnceCell};
use std::ops::Range;

/// A node of the shape, made ready for reading.
pub(crate) enum Plan {
    /// The vector says all.
    Plain,
    /// A long whose bits are those of a `u64`.
    U64,
    I128,
    U128,
    Enum(Vec<String>),
    Record(Box<RecordPlan>),
    List(Box<Plan>),
    Map(Box<(Plan, Plan)>),
    Optional(Box<OptionalPlan>),
    /// Branches, with their names where an enum may have variants of these.
    Union(Vec<(Option<Name>, Plan)>),
}

pub(crate) struct OptionalPlan {
    pub(crate) null: Null,
    /// The name of the item, as a branch of a union, where an enum may have a variant of it.
    pub(crate) name: Option<Name>,
    pub(crate) item: Plan,
}

pub(crate) struct RecordPlan {
    pub(crate) form: Form,
    /// The variant's name, for variants.
    pub(crate) name: String,
    /// The names of the fields, one behind the other.
    names: String,
    pub(crate) fields: Vec<FieldPlan>,
    /// Whether no field can be absent.
    whole: bool,
    /// How the fields of the struct that was read here first are found.
    pub(crate) mapping: OnceCell<Mapping>,
}

pub(crate) struct FieldPlan {
    /// Its name, within those of all fields.
    name: Range<usize>,
    /// Whether null says that the field is not there.
    pub(crate) absent: bool,
    pub(crate) plan: Plan,
}

/// Where the fields of a Rust struct are in a record.
pub(crate) struct Mapping {
    /// The list of names that serde's derive gave last, known by its address; the compiler may make
    /// several copies of one list.
    fields: Cell<&'static [&'static str]>,
    /// Fields of the record that the struct has, in the order of the record.
    pub(crate) listed: Vec<u32>,
    /// Fields of the record in the order of the struct, if it has them all, always.
    pub(crate) positions: Option<Vec<u32>>,
    /// Whether those are the first fields of the record, in its order.
    first: bool,
    /// Whether such a struct has taken all its fields by position.
    taken: Cell<bool>,
}

/// How a record can be read straight.
pub(super) enum Straightness {
    /// As a struct with these fields, which are the first of the record, in its order.
    Struct(&'static [&'static str]),
    /// As a struct that has fields of these names, where some of them may be missing: which fields these
    /// are, in the order of the record.
    Named(&'static [&'static str], Vec<u32>),
    Tuple,
}

impl Mapping {
    fn of(record: &RecordPlan, fields: &'static [&'static str]) -> Self {
        let place = |name: &str| record.fields.iter().position(|field| record.name_of(field) == name);
        let listed = |field: &FieldPlan| fields.contains(&record.name_of(field));
        let numbers = record.fields.iter().zip(0u32..);
        let positions = fields
            .iter()
            .map(|name| place(name).filter(|at| record.fields.get(*at).is_some_and(|field| !field.absent)));
        let positions: Option<Vec<u32>> =
            positions.map(|at| at.and_then(|at| u32::try_from(at).ok())).collect();
        Self {
            fields: Cell::new(fields),
            listed: numbers.filter(|(field, _)| listed(field)).map(|(_, number)| number).collect(),
            first: positions
                .as_ref()
                .is_some_and(|positions| positions.iter().copied().eq(0..fields.len() as u32)),
            positions,
            taken: Cell::new(false),
        }
    }

    /// Notes that the struct has taken all its fields by position.
    #[inline(always)]
    pub(super) fn note_taken(&self) {
        self.taken.set(true);
    }

    /// Whether this is for a struct with these fields.
    #[inline(always)]
    fn is_of(&self, fields: &'static [&'static str]) -> bool {
        std::ptr::eq(self.fields.get(), fields) || self.is_of_equal(fields)
    }

    #[cold]
    fn is_of_equal(&self, fields: &'static [&'static str]) -> bool {
        let equal = self.fields.get() == fields;
        if equal {
            self.fields.set(fields);
        }
        equal
    }
}

impl RecordPlan {
    /// The name of one of the fields.
    #[inline]
    pub(crate) fn name_of(&self, field: &FieldPlan) -> &str {
        self.names.get(field.name.clone()).unwrap_or_default()
    }

    /// Whether this is a tuple none of whose fields can be absent.
    #[inline]
    pub(crate) fn is_whole_tuple(&self) -> bool {
        self.form == Form::Tuple && self.whole
    }

    /// Whether the struct with these fields is the one that was read here first, and they are the
    /// first fields of the record, in its order.
    #[inline(always)]
    pub(crate) fn begins_with(&self, fields: &'static [&'static str]) -> bool {
        self.mapping.get().is_some_and(|mapping| mapping.first && mapping.is_of(fields))
    }

    /// How rows like those before can be read straight from this record, if they can.
    pub(super) fn straightness(&self) -> Option<Straightness> {
        if self.is_whole_tuple() {
            return Some(Straightness::Tuple);
        }
        let mapping = self.mapping.get().filter(|_| self.form == Form::Struct)?;
        match &mapping.positions {
            None => Some(Straightness::Named(mapping.fields.get(), mapping.listed.clone())),
            Some(_) if mapping.first && mapping.taken.get() => {
                Some(Straightness::Struct(mapping.fields.get()))
            }
            Some(_) => None,
        }
    }

    /// Puts the fields of the struct that was read here first in front; returns their numbers before,
    /// if that changes anything.
    fn straighten(&mut self) -> Option<Vec<u32>> {
        let mapping = self.mapping.get().filter(|mapping| !mapping.first)?;
        let mut order = mapping.positions.clone()?;
        let (names, taken) = (mapping.fields.get(), mapping.taken.get());
        order.extend((0..self.fields.len() as u32).filter(|number| !mapping.listed.contains(number)));
        let mut fields: Vec<Option<FieldPlan>> =
            std::mem::take(&mut self.fields).into_iter().map(Some).collect();
        self.fields = order.iter().filter_map(|number| fields.get_mut(*number as usize)?.take()).collect();
        self.mapping = OnceCell::from(Mapping { taken: Cell::new(taken), ..Mapping::of(self, names) });
        Some(order)
    }

    /// The mapping for a struct, if it is the one that was read here first; none at that first time.
    #[inline]
    pub(crate) fn mapping_of(&self, fields: &'static [&'static str]) -> Option<&Mapping> {
        match self.mapping.get() {
            Some(mapping) => Some(mapping).filter(|mapping| mapping.is_of(fields)),
            None => {
                let _ = self.mapping.set(Mapping::of(self, fields));
                None
            }
        }
    }
}

/// A record, by the number of its node in depth-first order, whose fields have been put into another
/// order: their numbers before.
pub(crate) type Reordered = (u32, Vec<u32>);

impl Plan {
    /// Puts the fields that structs have taken so far in front of the others, in the order of the
    /// structs, so that reading goes straight on; tells what was moved.
    pub(crate) fn straighten(&mut self) -> Vec<Reordered> {
        let mut moved = Vec::new();
        self.straighten_from(&mut 0, &mut moved);
        moved
    }

    fn straighten_from(&mut self, next: &mut u32, moved: &mut Vec<Reordered>) {
        let id = *next;
        *next += 1;
        match self {
            Self::Plain | Self::U64 | Self::I128 | Self::U128 | Self::Enum(_) => {}
            Self::Record(record) => {
                record.fields.iter_mut().for_each(|field| field.plan.straighten_from(next, moved));
                moved.extend(record.straighten().map(|order| (id, order)));
            }
            Self::List(item) => item.straighten_from(next, moved),
            Self::Map(map) => {
                map.0.straighten_from(next, moved);
                map.1.straighten_from(next, moved);
            }
            Self::Optional(optional) => optional.item.straighten_from(next, moved),
            Self::Union(variants) => {
                variants.iter_mut().for_each(|(_, plan)| plan.straighten_from(next, moved));
            }
        }
    }

    pub(crate) fn of(shape: &Shape, branches: Branches) -> Self {
        let named = |branch: &Shape| branches == Branches::Variants && !branch.is_variant();
        match shape {
            Shape::U64 => Self::U64,
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
                        plan: Self::of(&field.shape, branches),
                    });
                }
                Self::Record(Box::new(RecordPlan {
                    form: record.form,
                    name: if record.form.is_variant() { record.name.to_string() } else { String::new() },
                    names,
                    whole: fields.iter().all(|field| !field.absent),
                    fields,
                    mapping: OnceCell::new(),
                }))
            }
            Shape::List(item) => Self::List(Box::new(Self::of(item, branches))),
            Shape::Map(map) => {
                Self::Map(Box::new((Self::of(&map.key, branches), Self::of(&map.value, branches))))
            }
            Shape::Optional(optional) => Self::Optional(Box::new(OptionalPlan {
                null: optional.null,
                name: named(&optional.item).then(|| branch(&optional.item)),
                item: Self::of(&optional.item, branches),
            })),
            Shape::Union(variants) => {
                // Where there are marks of variants, no other branch is one.
                let named = variants.iter().all(named);
                let name = |variant| named.then(|| branch(variant));
                let plans = variants.iter().map(|variant| (name(variant), Self::of(variant, branches)));
                Self::Union(plans.collect())
            }
            _ => Self::Plain,
        }
    }
}

/// The name that Avro has for a branch of a union.
fn branch(shape: &Shape) -> Name {
    match shape {
        Shape::Record(RecordShape { name, .. })
        | Shape::Enum(EnumShape { name, .. })
        | Shape::Fixed(FixedShape { name, .. }) => name.clone(),
        other => Name::Borrowed(unnamed(other).1),
    }
}
