//! Numbers only: triangles of a mesh, twelve random `f32` each.

use super::{DataSet, Source};
use crate::random::Random;
use apache_avro::AvroSchema;
use serde::{Deserialize, Serialize};

/// A point or a direction.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, AvroSchema)]
pub struct Vector3 {
    pub x: f32,
    pub y: f32,
    pub z: f32,
}

/// A triangle.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, AvroSchema)]
pub struct Triangle {
    pub v0: Vector3,
    pub v1: Vector3,
    pub v2: Vector3,
    pub normal: Vector3,
}

/// One number of a triangle.
#[derive(Debug, PartialEq, Deserialize, AvroSchema)]
#[serde(rename = "Triangle")]
pub struct FirstX {
    pub v0: X,
}

/// The first number of a vector.
#[derive(Debug, PartialEq, Deserialize, AvroSchema)]
#[serde(rename = "Vector3")]
pub struct X {
    pub x: f32,
}

/// Three numbers of a triangle.
#[derive(Debug, PartialEq, Deserialize, AvroSchema)]
#[serde(rename = "Triangle")]
pub struct Normal {
    pub normal: Vector3,
}

/// The data set.
pub struct Mesh;

impl DataSet for Mesh {
    const NAME: &'static str = "mesh";
    type Row = Triangle;
    type One = FirstX;
    const ONE: &'static [&'static str] = &["v0.x"];
    type Three = Normal;
    const THREE: &'static [&'static str] = &["normal"];
    type Value = f32;
    type Arrow = arrow_array::types::Float32Type;
    const COLUMN: &'static str = "v0.x";

    fn rows(source: &Source) -> Vec<Triangle> {
        let mut random = Random::new(0x6d65_7368);
        let mut vector = || Vector3 { x: random.single(), y: random.single(), z: random.single() };
        let triangle = |_| Triangle { v0: vector(), v1: vector(), v2: vector(), normal: vector() };
        (0..source.count(125_000)).map(triangle).collect()
    }

    fn one(row: &Triangle) -> FirstX {
        FirstX { v0: X { x: row.v0.x } }
    }

    fn three(row: &Triangle) -> Normal {
        Normal { normal: row.normal }
    }

    fn value(row: &Triangle) -> f32 {
        row.v0.x
    }
}
