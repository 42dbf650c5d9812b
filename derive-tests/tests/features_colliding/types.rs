//! The types that most tests use.

use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename = "record")]
pub struct Row<T> {
    #[serde(rename = "long")]
    pub id: u32,
    #[serde(rename = "record")]
    pub value: T,
}

pub fn rows<T>(values: impl IntoIterator<Item = T>) -> Vec<Row<T>> {
    (1..).zip(values).map(|(id, value)| Row { id, value }).collect()
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename = "record")]
pub enum Shape {
    #[serde(rename = "null")]
    Dot,
    #[serde(rename = "record")]
    Circle(f64),
    #[serde(rename = "int")]
    Line(i32, i32),
    #[serde(rename = "array")]
    Rect {
        #[serde(rename = "null")]
        w: u8,
        #[serde(rename = "int")]
        h: u8,
    },
}

pub fn shapes() -> Vec<Shape> {
    vec![
        Shape::Circle(1.5),
        Shape::Dot,
        Shape::Rect { w: 3, h: 4 },
        Shape::Line(-1, 1),
        Shape::Dot,
        Shape::Circle(0.0),
    ]
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename = "array")]
pub enum Colour {
    #[serde(rename = "array")]
    Red,
    #[serde(rename = "null")]
    Green,
    #[serde(rename = "string")]
    Blue,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename = "record")]
pub struct Point {
    #[serde(rename = "int")]
    pub x: i32,
    #[serde(rename = "record")]
    pub y: Option<String>,
}

pub fn point(x: i32, y: Option<&str>) -> Point {
    Point { x, y: y.map(Into::into) }
}
