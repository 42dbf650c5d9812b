//! Any rows, read as the types that they were written as and as others.

use super::asked::{
    Borrowing, BorrowingInner, BorrowingKeys, BorrowingNested, Converted, Flat, IgnoredAnyRow, Lacking,
    Narrow, OnlyUnits, OtherEnums, OtherKeys, ShortList, Shuffled, Strict, TextAsNumbers, Two, Units,
};
use super::written::{External, Inner, enums, external, keyed, nested, plain};
use super::{assert_read, read};
use proptest::collection::vec;
use proptest::prelude::{ProptestConfig, proptest};
use serde_json::Value;
use std::borrow::Cow;
use std::collections::BTreeMap;
use trevni::{Reader, from_slice, to_vec};

fn config() -> ProptestConfig {
    ProptestConfig {
        cases: 12,
        failure_persistence: None,
        max_shrink_iters: 200,
        ..ProptestConfig::default()
    }
}

const ROWS: std::ops::Range<usize> = 40..100;

proptest! {
    #![proptest_config(config())]

    #[test]
    fn plain_rows(rows in vec(plain(), ROWS)) {
        let bytes = assert_read(&rows);
        assert_same!(bytes, Shuffled Converted Narrow Strict Flat Value IgnoredAnyRow BTreeMap<String, Value>);
        let error = from_slice::<Vec<Strict>>(&bytes).unwrap_err().to_string();
        assert_eq!(error, "row 0: unknown field `wide`, expected `id` or `small`");
        for batch in Reader::from_slice(&bytes).unwrap().batches().unwrap() {
            let batch = batch.unwrap();
            let lent: Vec<Borrowing> = batch.rows().map(Result::unwrap).collect();
            assert_eq!(lent.len(), batch.len());
            for (lent, row) in lent.iter().zip(&rows[batch.first_row() as usize..]) {
                assert_eq!((lent.text, lent.bytes, lent.id), (&*row.text, &row.bytes[..], row.id));
                assert!(matches!(&lent.letter, Cow::Borrowed(letter) if *letter == row.letter.to_string()));
            }
        }
    }

    #[test]
    fn nested_rows(rows in vec(nested(), ROWS)) {
        let bytes = assert_read(&rows);
        assert_same!(bytes, Lacking ShortList Value);
        for batch in Reader::from_slice(&bytes).unwrap().batches().unwrap() {
            let batch = batch.unwrap();
            for (lent, row) in batch.rows::<BorrowingNested<'_>>().zip(&rows[batch.first_row() as usize..]) {
                let lent = lent.unwrap();
                let inner = |inner: &BorrowingInner<'_>| Inner { n: inner.n, name: inner.name.to_owned() };
                assert_eq!(inner(&lent.inner), row.inner);
                assert!(lent.others.iter().map(inner).eq(row.others.iter().cloned()));
                assert_eq!((lent.pair.1, lent.skipped), (&*row.pair.1, row.skipped.as_deref()));
            }
        }
    }

    #[test]
    fn rows_with_maps(rows in vec(keyed(), ROWS)) {
        let bytes = assert_read(&rows);
        assert_same!(bytes, OtherKeys TextAsNumbers Value BTreeMap<String, IgnoredAnyRow>);
        for batch in Reader::from_slice(&bytes).unwrap().batches().unwrap() {
            let batch = batch.unwrap();
            for (lent, row) in batch.rows::<BorrowingKeys<'_>>().zip(&rows[batch.first_row() as usize..]) {
                let lent = lent.unwrap().by_text;
                assert!(lent.iter().map(|(key, value)| (*key, value)).eq(row.by_text.iter().map(|(key, value)| (&**key, value))));
            }
        }
    }

    #[test]
    fn rows_with_enums(rows in vec(enums(), ROWS)) {
        let bytes = assert_read(&rows);
        assert_same!(bytes, OtherEnums OnlyUnits Value);
    }

    #[test]
    fn enums_as_rows(rows in vec(external(), ROWS)) {
        let bytes = assert_read(&rows);
        assert_same!(bytes, Two Units Value Option<External> (External,));
    }

    #[test]
    fn json_as_rows(rows in vec(plain(), ROWS)) {
        let rows: Vec<Value> = rows.iter().map(|row| serde_json::json!({
            "id": row.id, "small": row.small, "text": row.text, (row.text.clone()): row.flag,
        })).collect();
        let bytes = to_vec(&rows).unwrap();
        assert_same!(bytes, Value BTreeMap<String, Value> Flat Shuffled);
    }
}
