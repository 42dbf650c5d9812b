//! Containers of marked numbers: the same shapes as without marks, with the logical types within.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::fmt::Debug;
use std::hash::{BuildHasherDefault, DefaultHasher};
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, SystemTime};
use trevni::{Reader, Shape};

use super::Row;

type Hasher = BuildHasherDefault<DefaultHasher>;

/// Tests of a type: a value, the same without marks where serde has no such type, and what is shown where no type is asked for.
macro_rules! containers {
    ($($test:ident: $type:ty = $value:expr $(=> $plain:expr)?, $shown:expr;)*) => {
        $(#[test]
        fn $test() {
            #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
            struct Marks {
                #[serde(with = "trevni::with::timestamp_millis")]
                v: $type,
            }
            let value: $type = $value;
            #[allow(unused_variables)]
            let plain = value.clone();
            $(let plain = $plain;)?
            check([Marks { v: value }], &Row { v: plain }, &$shown);
        })*
    };
}

fn check<T: Clone + Debug + PartialEq + Serialize + DeserializeOwned>(
    row: [T; 1],
    plain: &impl Serialize,
    shown: &Value,
) {
    let file = trevni::to_vec(&row).unwrap();
    assert_eq!(trevni::from_slice::<Vec<T>>(&file).unwrap(), row);
    let values: Vec<Value> = trevni::from_slice(&file).unwrap();
    assert_eq!(values[0]["v"], *shown);
    let again = trevni::to_vec(&values).unwrap();
    assert_eq!(trevni::from_slice::<Vec<T>>(&again).unwrap(), row);

    let without = trevni::to_vec([plain]).unwrap();
    assert_eq!(trevni::from_slice::<Vec<T>>(&without).unwrap(), row);
    let shape = |file: &[u8]| Reader::from_slice(file).unwrap().shape().to_string();
    assert!(shape(&file).contains("timestamp-millis"), "{}", shape(&file));
    assert_eq!(
        shape(&file).replace("timestamp-millis (long)", "long").replace("Marks", "Row"),
        shape(&without)
    );
    assert_eq!(Shape::from_rows(&row).unwrap().to_string(), shape(&file));

    let plain = serde_json::to_value(plain).unwrap();
    assert_eq!(serde_json::to_value(&row[0]).unwrap(), plain);
    assert_eq!(serde_json::from_value::<T>(plain).unwrap(), row[0]);
}

const A: &str = "1970-01-01T00:00:00.007Z";
const B: &str = "1969-12-31T23:59:59.999Z";

containers! {
    arrays: [i64; 2] = [7, -1], json!([A, B]);
    long_arrays: [i64; 40] = [7; 40] => [7_i64; 40].to_vec(), json!(vec![A; 40]);
    arrays_of_options: [Option<i64>; 3] = [Some(7), None, Some(-1)], json!([A, null, B]);
    arrays_of_arrays: [[i64; 1]; 2] = [[7], [-1]], json!([[A], [B]]);
    one_item: (i64,) = (7,), json!([A]);
    pairs: (i64, Option<i64>) = (7, Some(-1)), json!([A, B]);
    pairs_within: (i64, (i64, [i64; 1])) = (7, (-1, [7])), json!([A, [B, [A]]]);
    dozens: (i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64) =
        (7, -1, 7, -1, 7, -1, 7, -1, 7, -1, 7, -1), json!([A, B, A, B, A, B, A, B, A, B, A, B]);
    maps: BTreeMap<String, i64> =
        BTreeMap::from([("a".to_owned(), 7), ("b".to_owned(), -1)]), json!({"a": A, "b": B});
    maps_of_numbers: BTreeMap<u8, Vec<i64>> = BTreeMap::from([(1, vec![7, -1])]), json!({"1": [A, B]});
    hash_maps: HashMap<String, Option<i64>> = HashMap::from([("a".to_owned(), Some(7))]), json!({"a": A});
    other_hashers: HashMap<String, i64, Hasher> = [("a".to_owned(), 7)].into_iter().collect(), json!({"a": A});
    shared: Rc<i64> = Rc::new(7) => 7_i64, json!(A);
    shared_by_threads: Arc<Vec<i64>> = Arc::new(vec![7]) => [7_i64].to_vec(), json!([A]);
    shared_slices: (Rc<[i64]>, Arc<[i64]>) = (Rc::new([7]), Arc::new([-1])) => ([7_i64].to_vec(), [-1_i64].to_vec()), json!([[A], [B]]);
    cows: Cow<'static, i64> = Cow::Borrowed(&7), json!(A);
    cows_of_slices: Cow<'static, [i64]> = Cow::Borrowed(&[7, -1]), json!([A, B]);
    boxed_slices: Box<[i64]> = Box::new([7, -1]), json!([A, B]);
    queues: VecDeque<i64> = VecDeque::from([7, -1]), json!([A, B]);
    sets: BTreeSet<i64> = BTreeSet::from([-1, 7]), json!([B, A]);
    hash_sets: HashSet<i64> = HashSet::from([7]), json!([A]);
}

#[test]
fn no_items_come_back() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Nothing {
        #[serde(with = "trevni::with::date")]
        array: [i32; 0],
        #[serde(with = "trevni::with::date")]
        map: BTreeMap<String, i32>,
        #[serde(with = "trevni::with::time_micros")]
        list: Box<[Duration]>,
    }
    let rows = [Nothing { array: [], map: BTreeMap::new(), list: Box::new([]) }];
    let file = trevni::to_vec(&rows).unwrap();
    assert_eq!(trevni::from_slice::<Vec<Nothing>>(&file).unwrap(), rows);
}

#[test]
fn the_shape_of_a_type_has_the_logical_types() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Visits {
        #[serde(with = "trevni::with::timestamp_micros")]
        span: (SystemTime, SystemTime),
        #[serde(with = "trevni::with::date")]
        days: [Option<i32>; 2],
        #[serde(with = "trevni::with::time_millis")]
        open: HashMap<String, Duration>,
    }
    let time = |seconds| SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
    let open = HashMap::from([("noon".to_owned(), Duration::from_secs(12 * 3600))]);
    let rows = [Visits { span: (time(5), time(6)), days: [None, Some(1)], open }];
    let file = trevni::to_vec(&rows).unwrap();
    let shape = Shape::from_type::<Visits>().unwrap();
    for part in ["timestamp-micros", "date", "time-millis"] {
        assert!(shape.to_string().contains(part), "{shape}");
    }
    let mut writer = trevni::Writer::builder().shape(&shape).derived().build(Vec::new()).unwrap();
    writer.write_all(&rows).unwrap();
    let given = writer.finish().unwrap();
    for file in [&file, &given] {
        assert_eq!(trevni::from_slice::<Vec<Visits>>(file).unwrap(), rows);
        let values: Vec<Value> = trevni::from_slice(file).unwrap();
        assert_eq!(values[0]["open"], json!({"noon": "12:00:00"}));
        assert_eq!(values[0]["span"], json!(["1970-01-01T00:00:05Z", "1970-01-01T00:00:06Z"]));
        assert_eq!(values[0]["days"], json!([null, "1970-01-02"]));
    }
}

#[test]
fn an_array_of_another_length_is_an_error() {
    #[derive(Debug, Serialize, Deserialize)]
    struct Array<const N: usize> {
        #[serde(with = "trevni::with::timestamp_millis")]
        v: [i64; N],
    }
    let file = trevni::to_vec([Array { v: [1, 2] }]).unwrap();
    let error = trevni::from_slice::<Vec<Array<3>>>(&file).unwrap_err().to_string();
    assert!(error.contains("an array of length 3"), "{error}");
    // As arrays without marks.
    assert_eq!(trevni::from_slice::<Vec<Row<[i64; 1]>>>(&file).unwrap()[0].v, [1]);
    assert_eq!(trevni::from_slice::<Vec<Array<1>>>(&file).unwrap()[0].v, [1]);
    let error = serde_json::from_str::<Array<3>>(r#"{"v": [1, 2]}"#).unwrap_err().to_string();
    assert!(error.contains("invalid length 2, expected an array of length 3"), "{error}");
}

#[test]
fn texts_are_read_within_containers() {
    #[derive(Debug, PartialEq, Deserialize)]
    struct Marks {
        #[serde(with = "trevni::with::timestamp_millis")]
        v: (i64, [Option<i64>; 2]),
    }
    let file = trevni::to_vec([json!({"v": [A, [null, "1970-01-01T01:00:00.005+01:00"]]})]).unwrap();
    assert_eq!(trevni::from_slice::<Vec<Marks>>(&file).unwrap(), [Marks { v: (7, [None, Some(5)]) }]);
}
