//! The two documents of the Dremel paper (section 4.1) give its levels.

use serde::{Deserialize, Serialize};
use trevni::{Dialect, Reader, Writer};

#[derive(Serialize, Deserialize, PartialEq, Debug)]
#[serde(rename_all = "PascalCase")]
struct Document {
    doc_id: i64,
    links: Option<Links>,
    name: Vec<Name>,
}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
#[serde(rename_all = "PascalCase")]
struct Links {
    backward: Vec<i64>,
    forward: Vec<i64>,
}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
#[serde(rename_all = "PascalCase")]
struct Name {
    language: Vec<Language>,
    url: Option<String>,
}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
#[serde(rename_all = "PascalCase")]
struct Language {
    code: String,
    country: Option<String>,
}

fn language(code: &str, country: Option<&str>) -> Language {
    Language { code: code.to_owned(), country: country.map(str::to_owned) }
}

fn documents() -> [Document; 2] {
    let url = |url: &str| Some(url.to_owned());
    let first = Document {
        doc_id: 10,
        links: Some(Links { backward: vec![], forward: vec![20, 40, 60] }),
        name: vec![
            Name {
                language: vec![language("en-us", Some("us")), language("en", None)],
                url: url("http://A"),
            },
            Name { language: vec![], url: url("http://B") },
            Name { language: vec![language("en-gb", Some("gb"))], url: None },
        ],
    };
    let second = Document {
        doc_id: 20,
        links: Some(Links { backward: vec![10, 30], forward: vec![80] }),
        name: vec![Name { language: vec![], url: url("http://C") }],
    };
    [first, second]
}

#[test]
fn the_documents_have_the_levels_of_the_paper() {
    let mut writer = Writer::builder().dialect(Dialect::Levels).build(Vec::new()).unwrap();
    writer.write_all(documents()).unwrap();
    let file = writer.finish().unwrap();
    let reader = Reader::from_slice(&file).unwrap();
    let expected: [(&str, &[(u8, u8)]); 6] = [
        ("DocId", &[(0, 0), (0, 0)]),
        ("Links.Backward", &[(0, 1), (0, 2), (1, 2)]),
        ("Links.Forward", &[(0, 2), (1, 2), (1, 2), (0, 2)]),
        ("Name.Language.Code", &[(0, 2), (2, 2), (1, 1), (1, 2), (0, 1)]),
        ("Name.Language.Country", &[(0, 3), (2, 2), (1, 1), (1, 3), (0, 1)]),
        ("Name.Url", &[(0, 2), (1, 2), (1, 1), (0, 2)]),
    ];
    for (name, expected) in expected {
        let number = reader.columns().iter().position(|column| column.name() == name).expect(name);
        let batch = reader.raw_column(number).unwrap();
        let levels = &batch.levels().unwrap()[0].levels;
        let found: Vec<(u8, u8)> =
            levels.repetition.iter().copied().zip(levels.definition.iter().copied()).collect();
        assert_eq!(found, expected, "{name}");
    }
    assert_eq!(reader.rows::<Document>().unwrap().collect::<Result<Vec<_>, _>>().unwrap(), documents());
}
