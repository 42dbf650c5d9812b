//! Rows that take few bytes: the more of them there are, the fewer bytes stand for each.

use std::sync::Arc;
use trevni::vector::{Offsets, RecordVector};
use trevni::{Batch, Shape, Strings, Vector, Writer, WriterBuilder};

/// Kinds of rows.
pub(crate) const KINDS: [Kind; 8] = [
    Kind { name: "units", shape: || Shape::Null, vector: |len| Vector::Null(len) },
    Kind {
        name: "all null",
        shape: || Shape::optional(Shape::Int),
        vector: |len| Vector::try_optional(vec![false; len], Vector::Int(Vec::new())).unwrap(),
    },
    Kind {
        name: "empty lists",
        shape: || Shape::list(Shape::String),
        vector: |len| Vector::list(lengths(len, 0), Strings::default()),
    },
    Kind {
        name: "constant",
        shape: || Shape::tuple([Shape::Int, Shape::String, Shape::Boolean]),
        vector: |len| {
            let texts = Strings::try_from_iter((0..len).map(|_| "EUR")).unwrap();
            record(len, vec![vec![7; len].into(), texts.into(), vec![true; len].into()])
        },
    },
    Kind {
        name: "constant lists",
        shape: || Shape::list(Shape::optional(Shape::Double)),
        vector: |len| {
            let items = Vector::try_optional(vec![false; 3 * len], Vector::Double(Vec::new())).unwrap();
            Vector::list(lengths(len, 3), items)
        },
    },
    Kind {
        name: "lists of units",
        shape: || Shape::list(Shape::Null),
        vector: |len| Vector::list(lengths(len, 5), Vector::Null(5 * len)),
    },
    Kind { name: "sparse", shape: || sparse_shape(10), vector: |len| sparse(10, len) },
    Kind { name: "wide", shape: || sparse_shape(300), vector: |len| sparse(300, len) },
];

/// A kind of rows.
#[derive(Clone, Copy)]
pub(crate) struct Kind {
    pub(crate) name: &'static str,
    shape: fn() -> Shape,
    vector: fn(usize) -> Vector,
}

impl Kind {
    /// The rows: a record whose field `v` is of the kind, since not all formats have other rows.
    pub(crate) fn shape(&self) -> Shape {
        Shape::record("Row", [("v", (self.shape)())])
    }

    /// How many times as much work a row is.
    pub(crate) fn work(&self) -> usize {
        self.shape().node_count()
    }

    /// A file of so many rows.
    pub(crate) fn file(&self, builder: WriterBuilder, rows: usize) -> trevni::Result<Vec<u8>> {
        let shape = Arc::new(self.shape());
        let mut writer = builder.build(Vec::new())?;
        let mut left = rows;
        while left > 0 {
            let len = left.min(1 << 16);
            let vector = record(len, vec![(self.vector)(len)]);
            writer.write_batch(&Batch::try_new(Arc::clone(&shape), vector)?)?;
            left -= len;
        }
        writer.finish()
    }

    pub(crate) fn default_file(&self, rows: usize) -> Vec<u8> {
        self.file(Writer::builder(), rows).unwrap()
    }
}

fn record(len: usize, fields: Vec<Vector>) -> Vector {
    RecordVector::new(len, fields).into()
}

fn lengths(len: usize, each: u32) -> Offsets {
    Offsets::from_lengths(std::iter::repeat_n(each, len)).unwrap()
}

/// Optional numbers, few of which are there.
fn sparse_shape(columns: usize) -> Shape {
    Shape::record("Sparse", (0..columns).map(|number| (format!("c{number}"), Shape::optional(Shape::Double))))
}

fn sparse(columns: usize, len: usize) -> Vector {
    let field = |number: usize| {
        let validity: Vec<bool> = (0..len).map(|row| row % 1009 == number).collect();
        let count = validity.iter().filter(|valid| **valid).count();
        Vector::try_optional(validity, vec![0.5; count]).unwrap()
    };
    record(len, (0..columns).map(field).collect())
}
