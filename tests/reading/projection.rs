//! Only the columns that are needed are read.

use super::sources::Counting;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::HashSet;
use trevni::path::format;
use trevni::reader::Nested;
use trevni::{Checksum, Codec, Dialect, Reader, Shape, WriterBuilder, col};

#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
struct Mail {
    id: u64,
    subject: String,
    received: Vec<Hop>,
    size: f64,
}

#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
struct Hop {
    date: i64,
    host: String,
    flags: Vec<bool>,
}

const ROWS: u64 = 3000;

fn mails() -> Vec<Mail> {
    let hop =
        |i: u64| Hop { date: i as i64, host: format!("host-{i:030}"), flags: vec![i.is_multiple_of(2); 20] };
    let mail = |id: u64| Mail {
        id,
        subject: format!("{id:0100}"),
        received: (0..id % 4).map(|j| hop(id + j)).collect(),
        size: id as f64,
    };
    (0..ROWS).map(mail).collect()
}

fn file() -> Counting {
    let mut writer =
        WriterBuilder::new().codec(Codec::Null).checksum(Checksum::Null).build(Vec::new()).unwrap();
    writer.write_all(mails()).unwrap();
    Counting::new(writer.finish().unwrap())
}

/// Bytes of some columns, blocks and tables.
fn bytes_of(reader: &Reader<'_>, names: &[&str]) -> u64 {
    let size = |name: &&str| {
        let number = reader.columns().iter().position(|column| column.name() == *name).unwrap();
        let blocks = reader.blocks(number).unwrap();
        4 + blocks.iter().map(|block| 12 + u64::from(block.compressed_size)).sum::<u64>()
    };
    names.iter().map(size).sum()
}

/// Checks that reading asks for the bytes of these columns and no more. A table is read with at most
/// 4 kB of what follows it.
#[track_caller]
fn costs(names: &[&str], read: impl FnOnce(&Reader<'_>)) {
    let source = file();
    let whole = trevni::Source::size(&source).unwrap();
    let needed = bytes_of(&Reader::new(&source).unwrap(), names);
    source.take();
    let reader = Reader::new(&source).unwrap();
    assert!(source.take() <= 16 * 1024, "opening reads more than the header");
    read(&reader);
    let asked = source.take();
    let most = needed + 4096 * names.len() as u64;
    assert!((needed..=most).contains(&asked), "{asked} bytes asked for, {needed} needed of {whole}");
}

#[test]
fn a_struct_with_fewer_fields_reads_their_columns() {
    #[derive(Deserialize)]
    struct Head {
        size: f64,
        id: u64,
    }
    costs(&["id", "size"], |reader| {
        let heads: Vec<Head> = reader.rows().unwrap().map(Result::unwrap).collect();
        assert!(heads.iter().all(|head| head.size == head.id as f64));
        assert_eq!(heads.len() as u64, ROWS);
    });
}

#[test]
fn a_struct_within_reads_its_columns() {
    #[derive(Deserialize)]
    struct Hosts {
        received: Vec<Host>,
    }
    #[derive(Deserialize)]
    struct Host {
        host: String,
    }
    costs(&["received[]", "received[]#host"], |reader| {
        let rows: Vec<Hosts> = reader.rows().unwrap().map(Result::unwrap).collect();
        assert_eq!(rows[7].received[1].host, mails()[7].received[1].host);
    });
}

#[test]
fn no_fields_read_no_columns() {
    #[derive(Deserialize)]
    struct Nothing {}
    costs(&[], |reader| {
        let rows = reader.rows::<Nothing>().unwrap();
        assert_eq!(rows.map(|row| row.map(|Nothing {}| ()).unwrap()).count() as u64, ROWS);
        assert_eq!(reader.rows::<serde::de::IgnoredAny>().unwrap().count() as u64, ROWS);
        assert!(reader.project(["nonsense"]).is_err());
    });
}

#[test]
fn paths_read_their_columns() {
    costs(&["received[]", "received[]#host"], |reader| {
        let reader = reader.project(["received.host"]).unwrap();
        let rows: Vec<Value> = reader.rows().unwrap().map(Result::unwrap).collect();
        let host = |i: usize| json!({"host": mails()[2].received[i].host});
        assert_eq!(rows[2], json!({"received": [host(0), host(1)]}));
    });
    costs(&["id", "received[]", "received[]#date"], |reader| {
        let reader = reader.project(["received.date", "id"]).unwrap();
        let batches = reader.batches().unwrap();
        assert_eq!(batches.map(|batch| batch.unwrap().len()).sum::<usize>() as u64, ROWS);
    });
}

#[test]
fn columns_are_read_alone() {
    costs(&["size"], |reader| {
        let sizes = reader.column::<f64>("size").unwrap();
        assert_eq!(sizes, mails().iter().map(|mail| mail.size).collect::<Vec<_>>());
    });
    costs(&["received[]", "received[]#flags[]"], |reader| {
        let flags = reader.column::<Nested<bool>>("received.flags").unwrap();
        assert_eq!(flags.lengths[0].len() as u64, ROWS);
        assert_eq!(flags.values.len(), flags.lengths[1].iter().sum::<u32>() as usize);
    });
}

/// Rows whose names have dots, beside records of the same names.
fn dotted() -> Vec<u8> {
    let row = json!({
        "a.b": 1,
        "a": {"b": 2, "b.c": 3},
        "list": [{"x.y": 4, "x": {"y": 5}}],
        "": {"": 6},
    });
    trevni::to_vec([row]).unwrap()
}

#[track_caller]
fn first(reader: trevni::Result<Reader<'_>>) -> Value {
    reader.unwrap().rows().unwrap().next().unwrap().unwrap()
}

#[test]
fn dots_separate_names_where_they_can() {
    let bytes = dotted();
    let reader = Reader::from_slice(&bytes).unwrap();
    assert_eq!(first(reader.project(["a.b"])), json!({"a": {"b": 2}}));
    assert_eq!(first(reader.project(["`a.b`"])), json!({"a.b": 1}));
    assert_eq!(first(reader.project([r"a\.b"])), json!({"a.b": 1}));
    assert_eq!(first(reader.project(["a.b.c"])), json!({"a": {"b.c": 3}}));
    assert_eq!(first(reader.project(["list.x.y", "``.``"])), json!({"list": [{"x": {"y": 5}}], "": {"": 6}}));
    assert_eq!(first(reader.project(["."])), json!({"": {"": 6}}));
    let error = reader.project(["a.`b"]).unwrap_err().to_string();
    assert_eq!(error, "no field \"a.`b\"; a back quote has no end");
    // Quoted names are whole: dots beside them separate.
    assert!(reader.project(["`a`.b.c"]).is_ok() && reader.project(["`a.b`.c"]).is_err());
}

#[test]
fn exact_paths_take_dots_as_part_of_names() {
    let bytes = dotted();
    let reader = Reader::from_slice(&bytes).unwrap();
    let of = |path: &[&str]| first(reader.project_paths([path]));
    assert_eq!(of(&["a.b"]), json!({"a.b": 1}));
    assert_eq!(of(&["a", "b"]), json!({"a": {"b": 2}}));
    assert_eq!(of(&["a", "b.c"]), json!({"a": {"b.c": 3}}));
    assert_eq!(of(&["list", "x.y"]), json!({"list": [{"x.y": 4}]}));
    assert_eq!(of(&["list", "x", "y"]), json!({"list": [{"x": {"y": 5}}]}));
    assert_eq!(of(&["", ""]), json!({"": {"": 6}}));
    // No names mean all.
    assert_eq!(of(&[]), first(Ok(reader.clone())));
    let none: [&[&str]; 0] = [];
    assert_eq!(first(reader.project_paths(none)), json!({}));
    let several = [vec!["a.b".to_owned()], vec!["list".to_owned(), "x.y".to_owned()]];
    assert_eq!(first(reader.project_paths(several)), json!({"a.b": 1, "list": [{"x.y": 4}]}));
    for wrong in [&["a.b", "c"][..], &["a", "b", "c"], &["list.x.y"], &["a.b.c"], &["a", ""], &[""; 3]] {
        let error = reader.project_paths([wrong]).unwrap_err().to_string();
        assert!(error.contains(&format!("{:?}", format(wrong))), "{wrong:?}: {error}");
    }
}

#[test]
fn exact_paths_go_into_maps_and_unions() {
    #[derive(Serialize)]
    enum Kind {
        A { x: i32, y: i32 },
        B(i32),
    }
    let map = std::collections::BTreeMap::from([("k", Kind::A { x: 1, y: 2 }), ("l", Kind::B(3))]);
    let bytes = trevni::to_vec([(map,)]).unwrap();
    let reader = Reader::from_slice(&bytes).unwrap();
    let of = |path: &[&str]| first(reader.project_paths([path]));
    assert_eq!(of(&["_0", "value", "A", "x"]), json!([{"k": {"A": {"x": 1}}, "l": null}]));
    assert_eq!(of(&["_0", "value", "Kind.A", "y"]), json!([{"k": {"A": {"y": 2}}, "l": null}]));
    assert!(reader.project_paths([["_0", "value.A"]]).is_err());
    // Each column says where it is, in names that lead there.
    for column in reader.columns() {
        reader.project_paths([column.path_names().unwrap()]).unwrap();
    }
    let names: Vec<&[String]> = reader.columns().iter().filter_map(|column| column.path_names()).collect();
    assert_eq!(*names.last().unwrap(), ["_0", "value", "Kind.B", "_0"]);
}

/// Rows with all that rows may have.
fn mixed(count: u64) -> Vec<Value> {
    let row = |n: u64| {
        json!({
            "id": n,
            "place": if n.is_multiple_of(3) { Value::Null } else { json!({"x": n, "y": format!("{n}"), "z": [n, n + 1]}) },
            "hops": (0..n % 4).map(|m| json!({"host": format!("h{m}"), "at": m, "tags": [m.is_multiple_of(2)]})).collect::<Vec<_>>(),
            "either": if n.is_multiple_of(2) { json!(n) } else { json!({"text": format!("t{n}"), "size": n}) },
            "last": n.is_multiple_of(5),
        })
    };
    (0..count).map(row).collect()
}

#[test]
fn fields_come_in_the_order_of_the_paths() {
    let paths = [
        "id",
        "place",
        "place.x",
        "place.y",
        "place.z",
        "hops",
        "hops.at",
        "hops.host",
        "hops.tags",
        "either",
        "last",
    ];
    for (dialect, codec) in [
        (Dialect::Trevni, Codec::Snappy),
        (Dialect::Trevni, Codec::Typed),
        (Dialect::Levels, Codec::Snappy),
        (Dialect::RedElm, Codec::Snappy),
    ] {
        let mut writer = WriterBuilder::new().dialect(dialect).codec(codec).build(Vec::new()).unwrap();
        writer.write_all(mixed(900)).unwrap();
        let file = writer.finish().unwrap();
        let reader = Reader::from_slice(&file).unwrap();
        for start in 0..40 {
            // As many paths as there are, from some path on, in steps that reach all.
            let picks: Vec<&str> = (0..1 + start % 7)
                .map(|pick| paths[(start * 5 + pick * (1 + start % 10)) % paths.len()])
                .collect();
            let part = reader.project(&picks).unwrap();
            let Shape::Record(record) = part.shape() else { panic!("rows are records") };
            let mut roots: Vec<&str> = picks.iter().map(|path| path.split('.').next().unwrap()).collect();
            let mut seen = HashSet::new();
            roots.retain(|root| seen.insert(*root));
            assert_eq!(
                record.fields.iter().map(|field| &*field.name).collect::<Vec<_>>(),
                roots,
                "{picks:?}"
            );
            // The rows are those of the same paths in the order of the file.
            let mut sorted = picks.clone();
            sorted.sort_by_key(|path| paths.iter().position(|other| other == path));
            let expected = reader.project(&sorted).unwrap();
            let values =
                |reader: &Reader<'_>| -> Vec<Value> { reader.rows().unwrap().map(Result::unwrap).collect() };
            assert_eq!(values(&part), values(&expected), "{dialect:?} {picks:?}");
            let filtered = part.filter(col("id").lt(300) & col("last").eq(true)).unwrap();
            assert_eq!(values(&filtered).len(), 60, "{picks:?}");
            // So are the vectors of batches.
            let batches = part.batches().unwrap().flat_map(|batch| {
                batch.unwrap().values().map(|row| serde_json::to_value(row).unwrap()).collect::<Vec<_>>()
            });
            assert!(batches.eq(values(&expected)), "{dialect:?} {picks:?}");
        }
    }
}

#[test]
fn tuples_come_in_the_order_of_the_paths() {
    let file = trevni::to_vec([(1, "a", 2.5), (2, "b", 3.5)]).unwrap();
    let reader = Reader::from_slice(&file).unwrap().project(["_2", "_1"]).unwrap();
    let rows: Vec<(f64, String)> = reader.rows().unwrap().map(Result::unwrap).collect();
    assert_eq!(rows, [(2.5, "a".to_owned()), (3.5, "b".to_owned())]);
}
