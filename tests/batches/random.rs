//! Random shapes, and random vectors of them, built with the public constructors alone.

use trevni::shape::{EnumShape, FieldShape, FixedShape, Form, Null, OptionalShape, RecordShape};
use trevni::vector::{MapVector, Offsets, RecordVector, UnionVector};
use trevni::{Binaries, Shape, Strings, Vector};

/// Numbers that look random.
pub(crate) struct Random {
    state: u64,
    names: usize,
}

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self { state: seed, names: 0 }
    }

    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.state ^ self.state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    pub(crate) fn below(&mut self, count: usize) -> usize {
        (self.next() % count as u64) as usize
    }

    fn chance(&mut self, of: usize) -> bool {
        self.below(of) == 0
    }

    /// A name that no other type has, now and then one that Avro does not allow.
    fn name(&mut self, base: &str) -> String {
        self.names += 1;
        let odd = if self.chance(8) { "-é " } else { "" };
        format!("{base}{odd}{}", self.names)
    }

    /// A shape that a file can have.
    pub(crate) fn shape(&mut self, depth: usize) -> Shape {
        if depth == 0 || self.chance(3) {
            return self.simple();
        }
        match self.below(7) {
            0 => Shape::list(self.shape(depth - 1)),
            1 => Shape::optional(self.shape(depth - 1)),
            2 => self.map(depth),
            3 => self.union(depth),
            _ => self.record(depth),
        }
    }

    /// A shape of rows.
    pub(crate) fn row(&mut self) -> Shape {
        if self.chance(5) { self.shape(4) } else { self.record(4) }
    }

    fn simple(&mut self) -> Shape {
        match self.below(14) {
            0 => Shape::Null,
            1 => Shape::Boolean,
            2 | 3 => Shape::Int,
            4 => Shape::Long,
            5 => Shape::U64,
            6 => Shape::I128,
            7 => Shape::U128,
            8 => Shape::Float,
            9 => Shape::Double,
            10 => Shape::Bytes,
            11 => Shape::Fixed(FixedShape::new(self.name("Fixed"), self.below(5))),
            12 => self.symbols(),
            _ => Shape::String,
        }
    }

    fn symbols(&mut self) -> Shape {
        let name = self.name("Enum");
        let symbols: Vec<String> = (0..1 + self.below(4)).map(|number| format!("S{number}")).collect();
        Shape::Enum(EnumShape::new(name, symbols))
    }

    fn map(&mut self, depth: usize) -> Shape {
        let key = match self.below(4) {
            0 => self.shape(depth.min(2) - 1),
            _ => Shape::String,
        };
        Shape::map(key, self.shape(depth - 1))
    }

    fn record(&mut self, depth: usize) -> Shape {
        if self.chance(5) {
            let items: Vec<Shape> = (0..self.below(4)).map(|_| self.shape(depth - 1)).collect();
            return Shape::tuple(items);
        }
        let name = self.name("Record");
        let fields = (0..self.below(5)).map(|_| self.field(depth)).collect();
        Shape::Record(RecordShape::new(name, fields))
    }

    fn field(&mut self, depth: usize) -> FieldShape {
        let (name, mut shape) = (self.name("field"), self.shape(depth - 1));
        if self.chance(6) {
            shape = Shape::Optional(Box::new(OptionalShape::new(Null::Absent, shape)));
        }
        FieldShape::new(name, shape)
    }

    /// Variants of an enum with data, beside each other or beside one of each kind of value.
    fn union(&mut self, depth: usize) -> Shape {
        let namespace = self.name("Sum");
        let mut variants = Vec::new();
        for number in 0..1 + self.below(3) {
            let form = [Form::NewtypeVariant, Form::TupleVariant, Form::StructVariant][self.below(3)];
            let fields = match form {
                Form::NewtypeVariant => vec![FieldShape::new("_0", self.shape(depth - 1))],
                Form::TupleVariant => {
                    vec![FieldShape::new("_0", self.shape(depth - 1)), FieldShape::new("_1", Shape::Int)]
                }
                _ => (0..self.below(3)).map(|_| self.field(depth)).collect(),
            };
            let record = RecordShape::new(format!("V{number}"), fields);
            variants.push(Shape::Record(record.with_form(form).with_namespace(namespace.clone())));
        }
        let others = [Shape::Long, Shape::String, Shape::list(Shape::Int), self.symbols()];
        variants.extend(others.into_iter().filter(|_| self.chance(4)));
        if self.chance(8) {
            variants.push(Shape::map(Shape::Int, Shape::Boolean));
        }
        Shape::Union(variants)
    }

    /// `len` entries of a shape.
    pub(crate) fn vector(&mut self, shape: &Shape, len: usize) -> Vector {
        match shape {
            Shape::Boolean => (0..len).map(|_| self.chance(2)).collect::<Vec<bool>>().into(),
            Shape::Int => (0..len).map(|_| self.next() as i32 >> self.below(32)).collect::<Vec<i32>>().into(),
            Shape::Long | Shape::U64 => {
                (0..len).map(|_| self.next() as i64 >> self.below(64)).collect::<Vec<i64>>().into()
            }
            Shape::Float => (0..len).map(|_| self.below(1000) as f32 / 8.0).collect::<Vec<f32>>().into(),
            Shape::Double => (0..len).map(|_| self.below(1000) as f64 / 3.0).collect::<Vec<f64>>().into(),
            Shape::String => self.texts(len).into(),
            Shape::Bytes => Vector::try_from_iter((0..len).map(|at| vec![at as u8; self.below(3)])).unwrap(),
            Shape::Fixed(fixed) => self.bytes(len, fixed.size).into(),
            Shape::I128 | Shape::U128 => self.bytes(len, 16).into(),
            Shape::Enum(shape) => {
                Vector::Enum((0..len).map(|_| self.below(shape.symbols.len()) as i32).collect())
            }
            Shape::Record(record) => {
                let fields = record.fields.iter().map(|field| self.vector(&field.shape, len));
                RecordVector::new(len, fields.collect()).into()
            }
            Shape::List(item) => {
                let offsets = self.offsets(len);
                let item = self.vector(item, offsets.total());
                Vector::list(offsets, item)
            }
            Shape::Map(map) => {
                let offsets = self.offsets(len);
                let key = self.vector(&map.key, offsets.total());
                let value = self.vector(&map.value, offsets.total());
                MapVector::new(offsets, key, value).into()
            }
            Shape::Optional(optional) => {
                let validity: Vec<bool> = (0..len).map(|_| !self.chance(3)).collect();
                let count = validity.iter().filter(|valid| **valid).count();
                Vector::try_optional(validity, self.vector(&optional.item, count)).unwrap()
            }
            Shape::Union(variants) => {
                let tags: Vec<u16> = (0..len).map(|_| self.below(variants.len()) as u16).collect();
                let count = |number: usize| tags.iter().filter(|tag| usize::from(**tag) == number).count();
                let values = variants.iter().enumerate();
                let values = values.map(|(number, variant)| self.vector(variant, count(number))).collect();
                UnionVector::new(tags, values).into()
            }
            _ => Vector::Null(len),
        }
    }

    fn offsets(&mut self, len: usize) -> Offsets {
        Offsets::from_lengths((0..len).map(|_| self.below(4).saturating_sub(1) as u32)).unwrap()
    }

    fn texts(&mut self, len: usize) -> Strings {
        Strings::try_from_iter((0..len).map(|at| {
            ["", "a", "日本", "long ".repeat(30).as_str()][self.below(4)].to_owned() + &"x".repeat(at % 3)
        }))
        .unwrap()
    }

    fn bytes(&mut self, len: usize, size: usize) -> Binaries {
        Binaries::try_from_iter((0..len).map(|_| self.next().to_le_bytes().repeat(2)[..size].to_vec()))
            .unwrap()
    }
}
