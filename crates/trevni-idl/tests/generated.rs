//! Rows of the structs that a generator makes of Thrift definitions: they come back as they were.

#[path = "generated/surveys.rs"]
mod surveys;

use pilota::{AHashMap, AHashSet, Bytes, FastStr};
use std::error::Error;
use surveys::surveys::surveys::{Finding, Millis, Point, Survey, Weather};
use trevni::{Reader, Shape};

fn full() -> Survey {
    let points = vec![Point { x: 0.5, y: -0.0 }, Point { x: f64::MAX, y: f64::MIN_POSITIVE }];
    Survey {
        done: true,
        tiny: i8::MIN,
        short_number: i16::MIN,
        number: i32::MIN,
        time: Millis(i64::MAX),
        share: 0.1,
        title: FastStr::new("Größe"),
        raw: Bytes::from_static(b"\x00\xff\x7f"),
        weather: Weather::SNOW,
        tags: vec![FastStr::new("a"), FastStr::new(""), FastStr::new("long ".repeat(40))],
        codes: [3, -1, 2].into_iter().collect(),
        counts: [("one", 1), ("two", i64::MIN)]
            .map(|(key, value)| (FastStr::new(key), value))
            .into_iter()
            .collect(),
        names: [(-7, "minus"), (7, "plus")]
            .map(|(key, value)| (key, FastStr::new(value)))
            .into_iter()
            .collect(),
        tracks: [(Weather::RAIN, points.clone()), (Weather::CLEAR, Vec::new())].into_iter().collect(),
        grid: vec![vec![1, 2], Vec::new(), vec![i16::MAX]],
        findings: vec![
            Finding::Place(points[0].clone()),
            Finding::Note(FastStr::new("wet")),
            Finding::Count(-5),
            Finding::Path(points.clone()),
            Finding::Picture(Bytes::from_static(&[137, 80])),
            Finding::Note(FastStr::new("dry")),
        ],
        best: Some(Finding::Path(Vec::new())),
        remark: Some(FastStr::new("")),
        signature: Some(Bytes::new()),
        level: Some(0),
        later: Some(Weather::from(99)),
        origin: Some(points[1].clone()),
        owners: Some(["Ada", "Bea"].map(FastStr::new).into_iter().collect()),
        weights: Some([(FastStr::new("w"), 1e-300)].into_iter().collect()),
        plain: Some(0),
        retries: Some(3),
        greeting: Some(FastStr::new("hi")),
        limit: Some(i64::MIN),
    }
}

/// As a reader of Thrift leaves it, where only required fields were sent.
fn sparse() -> Survey {
    Survey {
        done: false,
        codes: AHashSet::default(),
        counts: AHashMap::default(),
        findings: Vec::new(),
        best: None,
        remark: None,
        signature: None,
        level: None,
        plain: None,
        ..Survey::default()
    }
}

#[test]
fn rows_come_back() -> Result<(), Box<dyn Error>> {
    let rows: Vec<Survey> = (0..50).flat_map(|_| [full(), sparse(), Survey::default()]).collect();
    let file = trevni::to_vec(&rows)?;
    assert_eq!(trevni::from_slice::<Vec<Survey>>(&file)?, rows);
    // Sparse rows alone show no types; what comes later does.
    let rows = vec![sparse(), sparse(), full()];
    assert_eq!(trevni::from_slice::<Vec<Survey>>(&trevni::to_vec(&rows)?)?, rows);
    Ok(())
}

#[test]
fn columns_have_the_types_of_the_definitions() -> Result<(), Box<dyn Error>> {
    let file = trevni::to_vec([full()])?;
    let reader = Reader::from_slice(&file)?;
    let Shape::Record(row) = reader.shape() else { panic!("{}", reader.shape()) };
    let shape = |name: &str| row.fields.iter().find(|field| field.name == name).map(|field| &field.shape);
    assert_eq!(shape("tiny"), Some(&Shape::Int));
    assert_eq!(shape("time"), Some(&Shape::Long));
    assert_eq!(shape("raw"), Some(&Shape::Bytes));
    assert_eq!(shape("weather"), Some(&Shape::Int));
    assert_eq!(shape("codes"), Some(&Shape::list(Shape::Int)));
    assert_eq!(shape("names"), Some(&Shape::map(Shape::Int, Shape::String)));
    let Some(Shape::List(findings)) = shape("findings") else { panic!("{:?}", shape("findings")) };
    let Shape::Union(variants) = &**findings else { panic!("{findings}") };
    let names: Vec<_> = variants.iter().map(|variant| variant.branch_name().into_owned()).collect();
    assert_eq!(names, ["Finding.place", "Finding.note", "Finding.count", "Finding.path", "Finding.picture"]);
    Ok(())
}

/// The definitions that are printed for such rows have the fields of those that the structs were made of.
#[test]
fn printed_definitions_have_the_same_fields() -> Result<(), Box<dyn Error>> {
    let file = trevni::to_vec([full()])?;
    let text = trevni_idl::thrift("survey", Reader::from_slice(&file)?.shape());
    let fields = [
        "  2: required i32 tiny\n",
        "  8: required binary raw\n",
        "  11: required list<i32> codes\n",
        "  13: required map<i32, string> names\n",
        "  15: required list<list<i32>> grid\n",
        "union Finding {\n  1: Point place\n  2: string note\n  3: i64 count\n  4: list<Point> path\n  5: binary picture\n}\n",
    ];
    for field in fields {
        assert!(text.contains(field), "{field} is not in\n{text}");
    }
    Ok(())
}
