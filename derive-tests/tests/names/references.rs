//! Types that come again: inside a variant of their name, beside it, within themselves.

use serde::{Deserialize, Serialize};

use crate::assert_any_order;

#[test]
fn a_struct_in_variants_of_its_name_and_of_others() {
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    struct Move {
        x: i32,
    }
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    enum Two {
        Move(Move),
        Twice(Move, Move),
        Quit,
    }
    assert_any_order(&[Two::Move(Move { x: 1 }), Two::Twice(Move { x: 2 }, Move { x: 3 }), Two::Quit]);
}

#[test]
fn a_struct_variant_a_newtype_variant_and_a_field_of_one_name() {
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    struct Same {
        y: String,
    }
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    enum S {
        Same { x: i32 },
        B(Same),
        C { s: Same },
    }
    let same = |y: &str| Same { y: y.into() };
    assert_any_order(&[S::Same { x: 1 }, S::B(same("b")), S::C { s: same("c") }]);
}

#[test]
fn a_struct_outside_and_inside_a_variant_of_its_name() {
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    struct Circle {
        radius: f64,
    }
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    enum Shape {
        Circle(Circle),
        Square(f64),
    }
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    struct Row {
        bounds: Circle,
        shape: Shape,
    }
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    struct Reversed {
        shape: Shape,
        bounds: Circle,
    }
    let circle = |radius| Circle { radius };
    let shapes = [Shape::Circle(circle(1.0)), Shape::Square(2.0)];
    assert_any_order(&shapes.clone().map(|shape| Row { bounds: circle(3.0), shape }));
    assert_any_order(&shapes.map(|shape| Reversed { shape, bounds: circle(3.0) }));
}

#[test]
fn an_enum_outside_and_inside_a_variant_of_its_name() {
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    enum Color {
        Red,
        Green,
    }
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    enum Attr {
        Color(Color),
        Bold,
    }
    assert_any_order(&[
        (Color::Red, Attr::Color(Color::Red)),
        (Color::Green, Attr::Bold),
        (Color::Green, Attr::Color(Color::Green)),
    ]);
    assert_any_order(&[(Attr::Color(Color::Red), Color::Red), (Attr::Bold, Color::Green)]);
}

#[test]
fn an_optional_struct_in_a_variant_of_its_name_and_in_another() {
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    struct Move {
        x: i32,
    }
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    enum Opt {
        Move(Option<Move>),
        Other { m: Option<Move> },
    }
    assert_any_order(&[
        Opt::Move(Some(Move { x: 1 })),
        Opt::Move(None),
        Opt::Other { m: Some(Move { x: 2 }) },
        Opt::Other { m: None },
    ]);
}

#[test]
fn an_expression_with_a_variant_of_its_name() {
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    enum Expr {
        Nil,
        Expr(Box<Expr>),
        Num(i32),
    }
    let boxed = |expr| Expr::Expr(Box::new(expr));
    assert_any_order(&[
        Expr::Nil,
        boxed(Expr::Num(1)),
        boxed(boxed(Expr::Nil)),
        Expr::Num(2),
        boxed(boxed(boxed(Expr::Num(3)))),
    ]);
}

#[test]
fn a_struct_named_some_in_nested_options() {
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    struct Some {
        value: i32,
    }
    use std::option::Option::Some as Is;
    assert_any_order(&[Is(Is(Some { value: 1 })), Is(None), None, Is(Is(Some { value: 2 }))]);
    assert_any_order(&[
        (Is(Is(1)), Some { value: 1 }, Is(Is(Some { value: 3 }))),
        (Is(None), Some { value: 2 }, None),
    ]);
}

#[test]
fn two_structs_of_one_name() {
    mod other {
        #[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
        pub struct Point {
            pub y: String,
        }
    }
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    struct Point {
        x: i32,
    }
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    enum Place {
        Point(Point),
        Other(other::Point),
        Both { point: Point, other: other::Point },
    }
    let (point, other) = (Point { x: 1 }, other::Point { y: "y".into() });
    assert_any_order(&[
        Place::Point(point.clone()),
        Place::Other(other.clone()),
        Place::Both { point: point.clone(), other: other.clone() },
    ]);
    assert_any_order(&[(point.clone(), other.clone(), Place::Other(other), Place::Point(point))]);
}
