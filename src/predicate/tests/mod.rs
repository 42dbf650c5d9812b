//! Predicates on rows that went through a file.

mod binding;
mod pruning;
mod selecting;
mod soundness;
mod zones;

use super::{Filter, Known, Predicate, Truth};
use crate::batch::Batch;
use crate::convert::Conversion;
use crate::dialect::{DecodedColumns, Decoder, File, ReadOptions, Schema, Window, trevni};
use crate::limits::Limits;
use crate::reader::Reader;
use crate::shape::Shown;
use crate::shape::join::{Rules, join};
use crate::tree::{Constants, Matches, Projection, View};
use crate::vector::Vector;
use serde::Serialize;
use std::sync::Arc;

/// Rows of a file, in one batch.
struct Rows {
    batch: Batch,
    schema: Arc<Schema>,
    bytes: Vec<u8>,
}

impl Rows {
    fn from_rows<T: Serialize>(rows: &[T]) -> Self {
        assert!(rows.len() <= 64, "the first batch has no more");
        let bytes = crate::to_vec(rows).unwrap();
        let reader = Reader::from_slice(&bytes).unwrap();
        let batch = reader.batches().unwrap().next().unwrap().unwrap();
        let schema = Arc::new(open(&bytes).schema().unwrap());
        drop(reader);
        Self { batch, schema, bytes }
    }

    fn bind(&self, predicate: &Predicate) -> crate::Result<Filter> {
        predicate.bind(self.batch.shape(), &self.schema.whole.tree)
    }

    /// Binds a predicate on these rows and others to these.
    fn bind_among(&self, others: &Self, predicate: &Predicate) -> crate::Result<Filter> {
        let known = |rows: &Self| rows.schema.known(&rows.schema.whole).into_owned();
        let rules = Rules { promote: false, shown: Shown::Texts, derived: true };
        let whole = Projection::whole(join(&known(self), &known(others), rules).settled());
        predicate.bind(&whole.shape, &whole.tree)?;
        let (shape, tree) = (self.batch.shape(), &self.schema.whole.tree);
        let conversion = Conversion::between(&known(self), &whole.shape).unwrap();
        let view = View::new(shape, &whole.shape, &Matches::new(&conversion, tree, &whole.tree));
        predicate.bind_with(shape, tree, Known { view: &view, constants: &Constants::default() })
    }

    /// The result for each row; the same whether all nodes are decoded, or only those that are asked for.
    fn truths(&self, predicate: Predicate) -> String {
        let filter = self.bind(&predicate).unwrap();
        let all = filter.evaluate(self.batch.vector()).unwrap();
        let few = filter.evaluate(&self.decoded(filter.nodes())).unwrap();
        assert_eq!(all, few, "{predicate}");
        all.into_iter().map(letter).collect()
    }

    /// A batch of which only these nodes are decoded.
    fn decoded(&self, nodes: &[u32]) -> Vector {
        let file = open(&self.bytes);
        let mut decoder = Decoder::new(&file, &self.schema, &self.schema.whole).unwrap();
        let mut vector = Vector::Null(0);
        let (rows, none) = (0..self.batch.len(), DecodedColumns::default());
        let picks = std::slice::from_ref(&rows);
        decoder.want(nodes);
        decoder.batch(&file, &Window { row: 0, rows: rows.end, picks }, &none, &mut vector).unwrap();
        vector
    }

    fn error(&self, predicate: &Predicate) -> String {
        self.bind(predicate).unwrap_err().to_string()
    }
}

fn open(bytes: &[u8]) -> File<'_> {
    File::open(&[trevni::decode::recognize], Box::new(bytes), Limits::default(), 1, ReadOptions::default())
        .unwrap()
}

fn letter(truth: Truth) -> char {
    match truth {
        Truth::False => 'F',
        Truth::Unknown => '?',
        Truth::True => 'T',
    }
}
