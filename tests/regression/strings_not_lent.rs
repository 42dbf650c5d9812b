//! Types that own what they keep and borrow strings while they are made could not be read as rows, though batches lent
//! strings; and no names of fields were lent, which are the keys of rows that are maps.

use serde::{Deserialize, Deserializer};
use std::collections::BTreeMap;
use trevni::{Reader, from_slice, to_vec};

#[derive(Debug, PartialEq)]
struct Upper(String);

impl<'de> Deserialize<'de> for Upper {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self(<&str>::deserialize(deserializer)?.to_uppercase()))
    }
}

#[derive(Deserialize, Debug, PartialEq)]
struct Row {
    name: Upper,
}

#[test]
fn strings_are_lent_to_rows_that_own_what_they_keep() {
    let file = to_vec([BTreeMap::from([("name", "ada")]), BTreeMap::from([("name", "alan")])]).unwrap();
    let rows = ["ADA", "ALAN"].map(|name| Row { name: Upper(name.to_owned()) });
    assert_eq!(from_slice::<Vec<Row>>(&file).unwrap(), rows);
    let reader = Reader::from_slice(&file).unwrap();
    assert_eq!(reader.rows::<Row>().unwrap().collect::<Result<Vec<_>, _>>().unwrap(), rows);
    assert_eq!(reader.row::<Row>(1).unwrap(), rows[1]);
    for batch in reader.batches().unwrap() {
        let batch = batch.unwrap();
        let maps: Vec<BTreeMap<&str, &str>> = batch.rows().map(Result::unwrap).collect();
        assert_eq!(maps, [BTreeMap::from([("name", "ada")]), BTreeMap::from([("name", "alan")])]);
    }
}
