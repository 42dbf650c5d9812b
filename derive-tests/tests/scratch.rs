use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::json;
use std::collections::BTreeMap;
use std::fmt::Debug;

fn check<T: Serialize + DeserializeOwned + PartialEq + Debug>(rows: Vec<T>) {
    for batch in [1, 2, 4096] {
        let mut w = trevni::Writer::builder().batch_rows(batch).block_size(16).build(Vec::new()).unwrap();
        for r in &rows {
            if let Err(e) = w.write(r) {
                println!("WRITE {e} {rows:?}");
                return;
            }
        }
        let bytes = match w.finish() {
            Ok(b) => b,
            Err(e) => {
                println!("FINISH {e} {rows:?}");
                return;
            }
        };
        let reader = trevni::Reader::from_slice(&bytes).unwrap();
        let schema = reader.metadata().get_str("avro.schema").unwrap().to_owned();
        match trevni::from_slice::<Vec<T>>(&bytes) {
            Ok(back) if back == rows => {}
            other => {
                println!("READ {other:?}\n  EXPECTED {rows:?}\n  {schema}");
                return;
            }
        }
        match trevni::from_slice::<Vec<serde_json::Value>>(&bytes) {
            Ok(v) => {
                if batch == 1 {
                    let exp = serde_json::to_value(&rows);
                    if exp.as_ref().ok() != Some(&serde_json::Value::Array(v.clone())) {
                        println!("UNTYPED {}\n  EXP {exp:?}\n  {schema}", serde_json::Value::Array(v))
                    }
                }
            }
            Err(e) => println!("UNTYPED ERR {e}"),
        }
    }
    println!("ok {rows:?}");
}

#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
enum Error {
    NotFound,
    Io(i32),
    Error(String),
}
#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
enum Kind {
    A,
    B,
    Kind(char),
}
#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
enum E1 {
    E1,
    Data(i32),
}
#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
struct Move {
    x: i32,
}
#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
enum Two {
    Move(Move),
    Twice(Move, Move),
    Quit,
}
#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
enum S {
    Same { x: i32 },
    B(Same),
    C { s: Same },
}
#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
struct Same {
    y: i32,
}
#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
#[serde(rename_all = "lowercase")]
enum Type {
    Null,
    String(String),
    Int(i64),
    Bool,
}
#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
struct Sk {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    a: Option<Option<i32>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    u: Option<()>,
}
fn never(o: &Option<Option<i32>>) -> bool {
    *o == Some(Some(9))
}
fn nine() -> Option<Option<i32>> {
    Some(Some(9))
}
#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
struct Sk2 {
    #[serde(default = "nine", skip_serializing_if = "never")]
    a: Option<Option<i32>>,
}
#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
struct Circle {
    r: f64,
}
#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
enum Shape {
    Circle(Circle),
    Square(f64),
}
#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
struct Row {
    bounds: Circle,
    shape: Shape,
}
#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
enum Color {
    Red,
    Green,
}
#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
enum Attr {
    Color(Color),
    Width(i32),
}
#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
enum Opt {
    Move(Option<Move>),
    Other { m: Option<Move> },
}
#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
enum Expr {
    Nil,
    Expr(Box<Expr>),
    Num(i32),
}
mod some {
    use super::*;
    #[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
    pub struct Some {
        pub v: i32,
    }
}
#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
struct Price {
    p: i32,
}
#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
struct MP {
    m: BTreeMap<u32, Price>,
    last: Price,
}
#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
#[serde(rename = "int")]
struct Int {
    a: i32,
}
#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
struct UsesInt {
    a: Option<Int>,
    b: Int,
}
#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
#[serde(untagged)]
enum Mix {
    N(i32),
    S { a: i32 },
    M(BTreeMap<i32, i32>),
}
#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
struct Flat {
    id: i32,
    name: String,
    #[serde(flatten)]
    more: BTreeMap<i32, f64>,
}
#[derive(Serialize, Deserialize, PartialEq, Eq, PartialOrd, Ord, Debug, Clone)]
struct New(i32);

#[test]
fn all() {
    check(vec![Error::NotFound, Error::Io(3)]);
    check(vec![Error::NotFound, Error::Io(3), Error::Error("x".into())]);
    check(vec![Kind::A, Kind::B]);
    check(vec![Kind::A, Kind::Kind('c'), Kind::B]);
    check(vec![E1::E1, E1::Data(1)]);
    check(vec![E1::E1]);
    check(vec![Some(E1::E1), None]);
    check(vec![Two::Move(Move { x: 1 }), Two::Twice(Move { x: 2 }, Move { x: 3 }), Two::Quit]);
    check(vec![S::Same { x: 1 }, S::B(Same { y: 2 }), S::C { s: Same { y: 3 } }]);
    let b = trevni::to_vec([json!("null"), json!({"string":"x"}), json!("bool"), json!({"int":3})]).unwrap();
    println!("{:?}", trevni::from_slice::<Vec<Type>>(&b));
    let b = trevni::to_vec([
        json!({"t":"null"}),
        json!({"t":{"string":"x"}}),
        json!({"t":"bool"}),
        json!({"t":{"int":3}}),
    ])
    .unwrap();
    #[derive(Deserialize, Debug)]
    #[allow(dead_code)]
    struct T {
        t: Type,
    }
    println!("{:?}", trevni::from_slice::<Vec<T>>(&b));
    let o = [None, Some(None), Some(Some(1))];
    let u = [None, Some(())];
    for i in 0..3 {
        for j in 0..3 {
            for k in 0..3 {
                check(vec![
                    Sk { a: o[i], u: u[i % 2] },
                    Sk { a: o[j], u: u[j % 2] },
                    Sk { a: o[k], u: u[k % 2] },
                ]);
                let o = [None, Some(None), Some(Some(9)), Some(Some(1))];
                check(vec![Sk2 { a: o[i] }, Sk2 { a: o[j] }, Sk2 { a: o[k] }, Sk2 { a: o[3] }]);
                check(vec![Sk2 { a: o[3] }, Sk2 { a: o[i] }, Sk2 { a: o[j] }, Sk2 { a: o[k] }]);
                check(vec![
                    BTreeMap::from([("a", u[i % 2]), ("b", u[j % 2])].map(|(k, v)| (k.to_owned(), v))),
                    BTreeMap::new(),
                    BTreeMap::from([("a".to_owned(), u[k % 2])]),
                ]);
            }
        }
    }
    let c = Circle { r: 1.5 };
    check(vec![
        Row { bounds: c.clone(), shape: Shape::Circle(c.clone()) },
        Row { bounds: c.clone(), shape: Shape::Square(2.) },
    ]);
    check(vec![(Color::Red, Attr::Color(Color::Red)), (Color::Green, Attr::Width(1))]);
    check(vec![
        Opt::Move(Some(Move { x: 1 })),
        Opt::Other { m: None },
        Opt::Other { m: Some(Move { x: 2 }) },
        Opt::Move(None),
    ]);
    check(vec![
        Expr::Nil,
        Expr::Expr(Box::new(Expr::Expr(Box::new(Expr::Num(1))))),
        Expr::Expr(Box::new(Expr::Nil)),
    ]);
    check(vec![Some(None), None, Some(Some(some::Some { v: 1 }))]);
    check(vec![(Some(Some(1)), Some(some::Some { v: 1 })), (None, None), (Some(None), None)]);
    check(vec![MP { m: BTreeMap::from([(1, Price { p: 1 })]), last: Price { p: 2 } }]);
    check(vec![(Price { p: 1 }, BTreeMap::from([(1, Price { p: 1 })]), Price { p: 2 })]);
    check(vec![json!([{"string":["s",{}]}])]);
    check(vec![json!([{"a":{"int":{}}},{"int":{}}])]);
    check(vec![json!({"string":{"a":1}})]);
    check(vec![json!({"string":["s",{}]})]);
    check(vec![json!({"a":{"int":{}}}), json!({"int":{}})]);
    check(vec![json!({"array":[[1],{}], "map":[{}, 3], "record":[{"union":{}},[2]]})]);
    check(vec![UsesInt { a: Some(Int { a: 1 }), b: Int { a: 2 } }]);
    check(vec![Mix::N(1), Mix::S { a: 2 }, Mix::M(BTreeMap::from([(1, 2)]))]);
    check(vec![Mix::M(BTreeMap::from([(1, 2)])), Mix::N(1), Mix::S { a: 2 }]);
    check(vec![
        Flat { id: 1, name: "a".into(), more: BTreeMap::from([(1, 1.5)]) },
        Flat { id: 2, name: "b".into(), more: BTreeMap::new() },
    ]);
    check(vec![
        Flat { id: 1, name: "a".into(), more: BTreeMap::new() },
        Flat { id: 2, name: "b".into(), more: BTreeMap::from([(7, 0.5), (8, 2.)]) },
        Flat { id: 1, name: "a".into(), more: BTreeMap::new() },
    ]);
    let b = trevni::to_vec([json!({"1": 1, "2": 2})]).unwrap();
    println!(
        "{:?} {:?}",
        trevni::from_slice::<Vec<BTreeMap<i32, i32>>>(&b),
        trevni::from_slice::<Vec<BTreeMap<New, i32>>>(&b)
    );
    let b = trevni::to_vec([json!({"true": 1})]).unwrap();
    println!("{:?}", trevni::from_slice::<Vec<BTreeMap<bool, i32>>>(&b));
    println!("{:?}", trevni::from_slice::<Vec<BTreeMap<Option<bool>, i32>>>(&b));
}
#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
struct Nul {
    a: Option<String>,
    b: i32,
}
#[test]
fn columns() {
    let b = trevni::to_vec(vec![Nul { a: None, b: 1 }; 3]).unwrap();
    let r = trevni::Reader::from_slice(&b).unwrap();
    println!(
        "{:?} {:?} {:?}",
        r.column::<String>("a"),
        r.column::<Option<String>>("a"),
        r.column::<String>("b")
    );
}
#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
struct DeepVec(Vec<DeepVec>);
#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
struct DeepOpt {
    o: Option<Box<DeepOpt>>,
}
#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
struct DeepOO(Option<Box<DeepOO>>);
#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
enum DeepE {
    Leaf,
    E(Box<DeepE>),
}
#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
enum DeepV {
    Leaf(u8),
    V(Vec<DeepV>),
    O(Option<Box<DeepV>>),
    M(BTreeMap<u8, DeepV>),
}
#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
struct DeepM(BTreeMap<u8, DeepM>);
#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
#[serde(untagged)]
enum DeepU {
    N(i32),
    M(BTreeMap<i32, DeepU>),
}
fn deep<T: Serialize + DeserializeOwned + PartialEq + Debug + Clone>(mut v: T, next: impl Fn(T) -> T) {
    let mut ok = 0;
    for d in 0..300 {
        let mut w = trevni::Writer::new(Vec::new()).unwrap();
        match w.write(&v) {
            Err(e) => {
                println!("{} stops at {d}, ok {ok}: {:?}", std::any::type_name::<T>(), e.kind());
                return;
            }
            Ok(()) => match w.finish() {
                Err(e) => println!("FINISH {} {d} {e}", std::any::type_name::<T>()),
                Ok(b) => match trevni::from_slice::<Vec<T>>(&b) {
                    Ok(x) if x == [v.clone()] => ok = d,
                    o => println!("READ {} {d} {:?}", std::any::type_name::<T>(), o.map(|_| ())),
                },
            },
        }
        v = next(v);
    }
    println!("{} never stops {ok}", std::any::type_name::<T>());
}
#[test]
fn deeps() {
    deep(DeepVec(vec![]), |v| DeepVec(vec![v]));
    deep(DeepOpt { o: None }, |v| DeepOpt { o: Some(Box::new(v)) });
    for d in [1, 2, 3, 10, 40, 60, 90] {
        let mut v = DeepOO(None);
        for _ in 0..d {
            v = DeepOO(Some(Box::new(v)))
        }
        let b = trevni::to_vec([v.clone()]);
        println!("oo {d} {:?}", b.as_ref().map(|b| b.len()));
        if let Ok(b) = b {
            println!("{:?}", trevni::from_slice::<Vec<DeepOO>>(&b).map(|x| x == [v]));
        }
    }
    deep(DeepOO(None), |v| DeepOO(Some(Box::new(v))));
    deep(DeepE::Leaf, |v| DeepE::E(Box::new(v)));
    deep(DeepV::Leaf(1), |v| DeepV::V(vec![v]));
    deep(DeepV::Leaf(1), |v| DeepV::O(Some(Box::new(v))));
    deep(DeepV::Leaf(1), |v| DeepV::M(BTreeMap::from([(1, v)])));
    deep(DeepM(BTreeMap::new()), |v| DeepM(BTreeMap::from([(1, v)])));
    deep(DeepU::N(1), |v| DeepU::M(BTreeMap::from([(1, v)])));
    deep(vec![DeepU::N(1)], |v| {
        let mut v = v;
        let l = v[0].clone();
        v[0] = DeepU::M(BTreeMap::from([(1, l), (2, DeepU::N(2))]));
        v
    });
}
