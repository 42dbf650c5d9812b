//! Levels of the Dremel paper.

use trevni::{Batch, Reader, Shape, ValueRef, Vector, levels};

/// The shape of the paper's figure 2.
fn document() -> Shape {
    let language =
        Shape::record("Language", [("Code", Shape::String), ("Country", Shape::optional(Shape::String))]);
    let name =
        Shape::record("Name", [("Language", Shape::list(language)), ("Url", Shape::optional(Shape::String))]);
    let links = Shape::record(
        "Links",
        [("Backward", Shape::list(Shape::Long)), ("Forward", Shape::list(Shape::Long))],
    );
    Shape::record(
        "Document",
        [("DocId", Shape::Long), ("Links", Shape::optional(links)), ("Name", Shape::list(name))],
    )
}

/// The two documents of the paper's figure 2.
fn documents() -> Vec<serde_json::Value> {
    let [one, two, none] = [
        serde_json::json!([{"Code": "en-us", "Country": "us"}, {"Code": "en", "Country": null}]),
        serde_json::json!([{"Code": "en-gb", "Country": "gb"}]),
        serde_json::json!([]),
    ];
    vec![
        serde_json::json!({
            "DocId": 10,
            "Links": {"Backward": [], "Forward": [20, 40, 60]},
            "Name": [
                {"Language": one, "Url": "http://A"},
                {"Language": none, "Url": "http://B"},
                {"Language": two, "Url": null},
            ],
        }),
        serde_json::json!({
            "DocId": 20,
            "Links": {"Backward": [10, 30], "Forward": [80]},
            "Name": [{"Language": none, "Url": "http://C"}],
        }),
    ]
}

/// Entries as the paper's figure 3 has them: value, repetition and definition level.
fn table(column: &levels::LeafColumn<'_>) -> Vec<(Option<String>, u8, u8)> {
    let mut values = 0..column.values.len();
    let entries = column.levels.repetition.iter().zip(&column.levels.definition);
    let entry = |(repetition, definition): (&u8, &u8)| {
        let index = (*definition == column.leaf.max_definition).then(|| values.next().unwrap());
        let value =
            index.map(|index| match ValueRef::new(column.leaf.shape, column.values, index).unwrap() {
                ValueRef::Long(number) => number.to_string(),
                other => other.as_str().unwrap().to_owned(),
            });
        (value, *repetition, *definition)
    };
    entries.map(entry).collect()
}

#[test]
fn the_documents_of_the_paper_have_its_levels() {
    let mut writer = trevni::Writer::builder().shape(&document()).build(Vec::new()).unwrap();
    writer.write_all(documents()).unwrap();
    let file = writer.finish().unwrap();
    let batch = Reader::from_slice(&file).unwrap().batches().unwrap().next().unwrap().unwrap();
    let columns = batch.levels().unwrap();

    let some = |value: &str, repetition, definition| (Some(value.to_owned()), repetition, definition);
    let none = |repetition, definition| (None, repetition, definition);
    let expected = [
        ("DocId", (0, 0), vec![some("10", 0, 0), some("20", 0, 0)]),
        ("Links.Backward", (1, 2), vec![none(0, 1), some("10", 0, 2), some("30", 1, 2)]),
        (
            "Links.Forward",
            (1, 2),
            vec![some("20", 0, 2), some("40", 1, 2), some("60", 1, 2), some("80", 0, 2)],
        ),
        (
            "Name.Language.Code",
            (2, 2),
            vec![some("en-us", 0, 2), some("en", 2, 2), none(1, 1), some("en-gb", 1, 2), none(0, 1)],
        ),
        (
            "Name.Language.Country",
            (2, 3),
            vec![some("us", 0, 3), none(2, 2), none(1, 1), some("gb", 1, 3), none(0, 1)],
        ),
        (
            "Name.Url",
            (1, 2),
            vec![some("http://A", 0, 2), some("http://B", 1, 2), none(1, 1), some("http://C", 0, 2)],
        ),
    ];
    assert_eq!(columns.len(), expected.len());
    for (column, (path, max, entries)) in columns.iter().zip(expected) {
        assert_eq!(column.leaf.path.join("."), path);
        assert_eq!((column.leaf.max_repetition, column.leaf.max_definition), max, "{path}");
        assert_eq!(table(column), entries, "{path}");
    }
    let parts = columns.iter().map(|column| (column.levels.clone(), column.values.clone()));
    assert_eq!(&levels::assemble(batch.shape(), parts).unwrap(), batch.vector());
}

#[test]
fn variants_are_like_optionals() {
    let shape = Shape::list(Shape::Union(vec![Shape::Int, Shape::String]));
    let union = trevni::vector::UnionVector::new(
        vec![0, 1],
        vec![vec![5].into(), Vector::try_from_iter(["a"]).unwrap()],
    );
    let vector = Vector::list(trevni::vector::Offsets::from_lengths([2, 0]).unwrap(), union);
    let batch = Batch::try_new(shape, vector).unwrap();
    let columns = batch.levels().unwrap();
    let found: Vec<_> =
        columns.iter().map(|column| (column.leaf.path.join("."), &*column.levels.definition)).collect();
    assert_eq!(found, [("int".to_owned(), &[2, 1, 0][..]), ("string".to_owned(), &[1, 2, 0])]);
    assert!(columns.iter().all(|column| column.levels.repetition == [0, 1, 0]));
}

fn levels_of(entries: &[(u8, u8)]) -> levels::EntryLevels {
    let (repetition, definition) = entries.iter().copied().unzip();
    levels::EntryLevels { repetition, definition }
}

#[test]
fn levels_that_cannot_be_are_refused_with_the_path() {
    let shape = Shape::record("R", [("a", Shape::list(Shape::optional(Shape::Int)))]);
    let refused = |entries: &[(u8, u8)], values: Vec<i32>| {
        levels::assemble(&shape, [(levels_of(entries), values.into())]).unwrap_err().to_string()
    };
    assert_eq!(refused(&[(0, 3)], vec![]), "a: the definition level of entry 0 is above 2");
    assert_eq!(refused(&[(0, 0), (2, 0)], vec![]), "a: the repetition level of entry 1 is above 1");
    assert_eq!(
        refused(&[(1, 2)], vec![1]),
        "a: the levels contradict themselves: entry 0 goes on with a list that is not there"
    );
    assert_eq!(
        refused(&[(0, 0), (1, 2)], vec![1]),
        "a: the levels contradict themselves: entry 1 goes on with a list that is not there"
    );
    assert_eq!(
        refused(&[(0, 1), (1, 0)], vec![]),
        "a: the levels contradict themselves: entry 1 goes on with a list that is not there"
    );
    assert_eq!(refused(&[(0, 2)], vec![]), "a: 0 values where the levels say 1");
    assert_eq!(levels::assemble(&shape, []).unwrap_err().to_string(), "0 columns for 1 leaves");
    let text = Vector::try_from_iter(["x"]).unwrap();
    let error = levels::assemble(&shape, [(levels_of(&[(0, 2)]), text)]).unwrap_err();
    assert_eq!(error.to_string(), "a: a vector of string for a shape of int");
}

#[test]
fn leaves_must_agree() {
    let pair = Shape::record("P", [("x", Shape::Int), ("y", Shape::Int)]);
    let shape = Shape::record("R", [("a", Shape::list(pair))]);
    let columns = |x: &[(u8, u8)], y: &[(u8, u8)]| {
        let column = |entries: &[(u8, u8)]| {
            let values = entries.iter().filter(|entry| entry.1 == 1).count();
            (levels_of(entries), Vector::from(vec![0; values]))
        };
        levels::assemble(&shape, [column(x), column(y)])
    };
    assert!(columns(&[(0, 1), (1, 1)], &[(0, 1), (1, 1)]).is_ok());
    let error = columns(&[(0, 1), (1, 1)], &[(0, 1)]).unwrap_err();
    assert_eq!(error.to_string(), "a: the levels contradict another column of the same record");
    let error = columns(&[(0, 1)], &[(0, 1), (0, 1)]).unwrap_err();
    assert_eq!(error.to_string(), "a.y: 2 rows where another leaf has 1");

    let union = Shape::Union(vec![Shape::Int, Shape::Long]);
    let columns = |int: u8, long: u8| {
        let int = (levels_of(&[(0, int)]), vec![0i32; int.into()].into());
        levels::assemble(&union, [int, (levels_of(&[(0, long)]), vec![0i64; long.into()].into())])
    };
    assert!(columns(1, 0).is_ok());
    assert_eq!(columns(0, 0).unwrap_err().to_string(), "entry 0 of a union is of no variant");
    assert_eq!(columns(1, 1).unwrap_err().to_string(), "entry 0 of a union is of two variants");
}
