//! A shape that is told by a type takes the rows of the type.

mod asked;
mod refused;
mod same;
mod types;

use crate::shape::join::{Rules, join};
use crate::{Reader, Shape, Writer};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt::Debug;

/// Checks the shape of a type against what a writer learns from rows, and writes the rows under it.
#[track_caller]
fn check<T: Serialize + DeserializeOwned + PartialEq + Debug>(rows: &[T]) -> Shape {
    let shape = Shape::from_type::<T>().unwrap();
    let learned = crate::to_vec(rows).unwrap();
    let learned = Reader::from_slice(&learned).unwrap().shape().clone();
    assert!(is_alike(&shape, &learned), "{shape}\n{learned}");
    let mut writer = Writer::builder().shape(&shape).build(Vec::new()).unwrap();
    for row in rows {
        writer.write(row).unwrap_or_else(|error| panic!("{error}: {row:?}\n{shape}"));
    }
    let file = writer.finish().unwrap();
    assert_eq!(crate::from_slice::<Vec<T>>(&file).unwrap(), rows);
    let columns = Reader::from_slice(&file).unwrap().columns().len();

    let empty = Writer::builder().shape(&shape).build(Vec::new()).unwrap().finish().unwrap();
    let reader = Reader::from_slice(&empty).unwrap();
    assert_eq!((reader.row_count(), reader.columns().len()), (0, columns));
    assert_eq!(crate::from_slice::<Vec<T>>(&empty).unwrap(), []);
    assert!(is_alike(reader.shape(), &learned));
    shape
}

/// Whether rows of both shapes need no union that neither has.
fn is_alike(one: &Shape, two: &Shape) -> bool {
    fn unions(shape: &Shape) -> usize {
        usize::from(matches!(shape, Shape::Union(_)))
            + shape.children().map(|child| unions(child.shape)).sum::<usize>()
    }
    unions(&join(one, two, Rules::ROWS)) <= unions(one).max(unions(two))
}
