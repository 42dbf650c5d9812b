//! Random graphs of types.

use crate::keys::key_type;
use crate::model::{Body, Def, Field, Fields, Graph, Id, Named, Scalar, Tagging, Type, Variant};
use crate::names::{self, elsewhere};
use crate::random::Random;

/// A graph that is being made.
pub struct Maker<'r> {
    pub random: &'r mut Random,
    pub pool: Vec<&'static str>,
    /// None while it is being made.
    pub defs: Vec<Option<Def>>,
    limit: usize,
    /// Whether equal names have different addresses.
    elsewhere: bool,
}

/// Where a type stands.
#[derive(Clone, Copy)]
pub struct Place {
    depth: usize,
    /// Definitions before this one may come again within themselves: values may end between them and here.
    ends: Id,
}

impl Place {
    pub fn below(self) -> Self {
        Self { depth: self.depth + 1, ..self }
    }

    fn ending(self, maker: &Maker<'_>) -> Self {
        Self { depth: self.depth + 1, ends: maker.defs.len() }
    }
}

pub fn graph(random: &mut Random) -> (Graph, Vec<&'static str>) {
    let pool = names::pool(random);
    let (limit, elsewhere) = (random.between(1, 7), random.one_in(4));
    let mut maker = Maker { random, pool, defs: vec![], limit, elsewhere };
    let place = Place { depth: 0, ends: 0 };
    let row = match maker.random.weighted(&[7, 3, 2]) {
        0 => maker.new_struct(place),
        1 => maker.new_enum(place),
        _ => maker.any(place),
    };
    let Maker { pool, defs, .. } = maker;
    (Graph { defs: defs.into_iter().map(|def| def.expect("made")).collect(), row }, pool)
}

impl Maker<'_> {
    pub fn name(&mut self) -> &'static str {
        let name = *self.random.pick(&self.pool);
        if self.elsewhere { elsewhere(name) } else { name }
    }

    /// Different names, none of those that are `taken`: as many as asked for, if there are so many.
    fn names(&mut self, count: usize, taken: &[&'static str]) -> Vec<&'static str> {
        let mut names: Vec<&'static str> =
            self.pool.iter().copied().filter(|name| !taken.contains(name)).collect();
        self.random.shuffle(&mut names);
        names.truncate(count);
        if self.elsewhere { names.into_iter().map(elsewhere).collect() } else { names }
    }

    fn full(&self, place: Place) -> bool {
        self.defs.len() >= self.limit || place.depth > 4
    }

    pub fn scalar(&mut self) -> Type {
        Type::Scalar(*self.random.pick(&Scalar::ALL))
    }

    pub fn any(&mut self, place: Place) -> Type {
        if place.depth > 5 {
            return self.scalar();
        }
        match self.random.weighted(&[7, 3, 2, 1, 1, 2, 4, 4, 4]) {
            0 => self.scalar(),
            1 => Type::option(self.any(place.ending(self))),
            2 => Type::List(Box::new(self.any(place.ending(self)))),
            3 => {
                let count = if self.random.one_in(12) { 17 } else { self.random.between(1, 3) };
                let place = Place { depth: place.depth + 1 + count / 4, ..place };
                Type::Tuple((0..count).map(|_| self.any(place)).collect())
            }
            4 => {
                let count = if self.random.one_in(12) { 17 } else { self.random.below(4) };
                Type::Array(Box::new(self.any(place.below())), count)
            }
            5 => Type::Map(Box::new(key_type(self)), Box::new(self.any(place.ending(self)))),
            6 => self.known(place).unwrap_or_else(|| self.scalar()),
            7 if !self.full(place) => self.new_struct(place),
            8 if !self.full(place) => self.new_enum(place),
            _ => self.known(place).unwrap_or_else(|| self.scalar()),
        }
    }

    /// A definition that is there already, or is being made where a value may end.
    fn known(&mut self, place: Place) -> Option<Type> {
        if self.defs.is_empty() {
            return None;
        }
        let id = self.random.below(self.defs.len());
        match &self.defs[id] {
            Some(_) => Some(Type::Def(id)),
            None => (id < place.ends).then_some(Type::Boxed(id)),
        }
    }

    fn make(&mut self, body: impl FnOnce(&mut Self) -> Body) -> Id {
        let id = self.defs.len();
        self.defs.push(None);
        let name = self.name();
        let body = body(self);
        self.defs[id] = Some(Def::new(name, body));
        id
    }

    pub fn new_struct(&mut self, place: Place) -> Type {
        Type::Def(self.make(|maker| {
            Body::Struct(match maker.random.weighted(&[1, 2, 2, 8]) {
                0 => Fields::Unit,
                1 => Fields::Newtype(maker.any(place.below())),
                2 => {
                    let count = maker.random.pick(&[0, 2, 2, 2, 3, 3]);
                    Fields::Tuple((0..*count).map(|_| maker.any(place.below())).collect())
                }
                _ => Fields::Named(maker.named(place, &[], true)),
            })
        }))
    }

    /// A struct with named fields that are none of those `taken`.
    pub fn new_named(&mut self, place: Place, taken: &[&'static str]) -> Type {
        Type::Def(self.make(|maker| Body::Struct(Fields::Named(maker.named(place, taken, false)))))
    }

    pub fn new_key_def(&mut self, body: impl FnOnce(&mut Self) -> Body) -> Type {
        Type::Def(self.make(body))
    }

    fn named(&mut self, place: Place, taken: &[&'static str], may_flatten: bool) -> Named {
        let count = *self.random.pick(&[0, 1, 1, 2, 2, 2, 3, 3, 4, 5]);
        let names = self.names(count, taken);
        let mut fields: Vec<Field> = names.iter().map(|name| self.field(name, place)).collect();
        if may_flatten && !fields.is_empty() && self.random.one_in(7) {
            let name = self.name();
            let ty = self.flat(place, &names);
            let field = Field { name, ty, skip: false, default: false, flatten: true };
            fields.insert(self.random.between(0, fields.len()), field);
        }
        Named::new(fields)
    }

    fn field(&mut self, name: &'static str, place: Place) -> Field {
        let ty = self.any(place.below());
        let skip = ty.can_be_empty() && self.random.one_in(3);
        let needs_default = skip && !matches!(ty, Type::Option(_));
        let default = needs_default || ty.has_default() && self.random.one_in(if skip { 2 } else { 8 });
        Field { name, ty, skip, default, flatten: false }
    }

    /// A type that can be flattened, beside fields of these names.
    fn flat(&mut self, place: Place, taken: &[&'static str]) -> Type {
        let place = place.below();
        match self.random.below(6) {
            0 | 1 => self.new_named(place, taken),
            2 => Type::option(self.new_named(place, taken)),
            3 => {
                let tagging = self.random.below(2);
                self.new_enum_of(place, tagging)
            }
            _ => {
                let key = match self.random.one_in(5) {
                    true => key_type(self),
                    false => Type::Scalar(Scalar::Text),
                };
                Type::Map(Box::new(key), Box::new(self.any(place)))
            }
        }
    }

    pub fn new_enum(&mut self, place: Place) -> Type {
        let tagging = self.random.weighted(&[6, 2, 2, 2]);
        self.new_enum_of(place, tagging)
    }

    fn new_enum_of(&mut self, place: Place, tagging: usize) -> Type {
        Type::Def(self.make(|maker| {
            let count = *maker.random.pick(&[1, 2, 2, 3, 3, 3, 4, 5]);
            let names = maker.names(count, &[]);
            let tags = maker.names(2, &[]);
            let tagging = match (tagging, &tags[..]) {
                (1, [tag, ..]) => Tagging::Internal(tag),
                (2, [tag, content]) => Tagging::Adjacent(tag, content),
                (3, _) => Tagging::Untagged,
                _ => Tagging::External,
            };
            let variants = names.into_iter().enumerate().map(|(number, name)| {
                let place = if number == 0 { place } else { place.ending(maker) };
                Variant { name, fields: maker.variant(tagging, place) }
            });
            Body::Enum(tagging, variants.collect())
        }))
    }

    fn variant(&mut self, tagging: Tagging, place: Place) -> Fields {
        let place = place.below();
        match (self.random.weighted(&[3, 4, 2, 2]), tagging) {
            (0, _) => Fields::Unit,
            (1, Tagging::Internal(tag)) => Fields::Newtype(match self.random.below(6) {
                0 => Type::Map(Box::new(Type::Scalar(Scalar::Text)), Box::new(self.any(place))),
                1 => self.known(place).unwrap_or(Type::Scalar(Scalar::Unit)),
                2 => Type::Scalar(Scalar::Unit),
                _ => self.new_named(place, &[tag]),
            }),
            (2, Tagging::Internal(_)) => Fields::Unit,
            (1, _) => Fields::Newtype(self.any(place)),
            (2, _) => {
                let count = *self.random.pick(&[0, 2, 2, 2, 3]);
                Fields::Tuple((0..count).map(|_| self.any(place)).collect())
            }
            (_, Tagging::Internal(tag)) => Fields::Named(self.named(place, &[tag], false)),
            _ => Fields::Named(self.named(place, &[], false)),
        }
    }
}
