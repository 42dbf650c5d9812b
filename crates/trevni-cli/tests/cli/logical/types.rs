//! Types that are given.

use super::{Folder, OPTIONS, PRINTED, lines, with_types};
use serde_json::json;

#[test]
fn texts_become_values_and_are_printed_as_canonical_texts() {
    let folder = with_types();
    assert_eq!(folder.prints(&["cat", "types.trv"]), PRINTED);
    let flat = folder.prints(&["schema", "-f", "flat", "types.trv"]);
    for line in [
        "when        timestamp-millis?",
        "day         date?",
        "at          time-micros",
        "local       local-timestamp-micros",
        "price       decimal(9, 2)",
        "key         uuid",
        "lasts       duration",
        "days        list<date>",
    ] {
        assert!(flat.contains(line), "{line}: {flat}");
    }
    // Whoever reads the file without a type gets the texts too.
    let reader = trevni::Reader::open(folder.path("types.trv")).unwrap();
    let rows: Vec<serde_json::Value> = reader.rows().unwrap().map(Result::unwrap).collect();
    assert_eq!(rows, lines(PRINTED));
}

#[test]
fn all_formats_hold_them() {
    let folder = with_types();
    for format in ["levels", "redelm"] {
        let args = [
            &["-q", "convert", "types.jsonl", "-o", "x", "--force", "--check", "--dialect", format],
            &OPTIONS[..],
        ];
        folder.prints(&args.concat());
        assert_eq!(folder.prints(&["cat", "x"]), PRINTED, "{format}");
    }
    // Printed rows are rows again.
    folder.put("again.jsonl", PRINTED);
    folder.prints(&[&["-q", "convert", "again.jsonl", "--check"], &OPTIONS[..]].concat());
    assert_eq!(folder.prints(&["cat", "again.trv"]), PRINTED);
}

#[test]
fn cells_are_read_and_empty_ones_are_null() {
    let folder = Folder::new();
    folder.put(
        "in.csv",
        "when,cost,n\n2013-06-01T07:00:00+02:00,1.5,1\n,-3,2\n\"2013-06-01 05:00:00z\", 007 ,3\n",
    );
    let types = ["-t", "when=timestamp", "-t", "cost=decimal(4,2)"];
    folder.prints(&[&["-q", "convert", "in.csv", "--check"], &types[..]].concat());
    let printed = folder.prints(&["cat", "-f", "csv", "in.trv"]);
    assert_eq!(printed, "when,cost,n\n2013-06-01T05:00:00Z,1.50,1\n,-3.00,2\n2013-06-01T05:00:00Z,7.00,3\n");
    folder.put("in.tsv", &printed.replace(',', "\t"));
    folder.prints(&[&["-q", "convert", "in.tsv", "-o", "t.trv", "--check"], &types[..]].concat());
    assert_eq!(folder.prints(&["cat", "-f", "csv", "t.trv"]), printed);
    folder.put("na.csv", "when\nNA\n2013-06-01T05:00:00Z\n\"\"\n");
    let error = folder.fails(&["convert", "na.csv", "-t", "when=timestamp", "--null", "NA"]);
    assert!(error.contains("na.csv line 4: when: string \"\" does not fit timestamp-micros?"), "{error}");
}

#[test]
fn what_is_no_value_is_an_error_with_its_place() {
    let folder = Folder::new();
    folder.put("in.csv", "a,b\n2013-06-01,1\n2013-06-31,2\n");
    folder.put("in.jsonl", "{\"a\":{\"b\":[\"05:00\"]}}\n{\"a\":{\"b\":[\"05:00\",25]}}\n");
    for (args, message) in [
        (&["in.csv", "-t", "a=date"][..], "in.csv line 3: a: string \"2013-06-31\" does not fit date"),
        (
            &["in.csv", "-t", "a=timestamp"],
            "in.csv line 2: a: string \"2013-06-01\" does not fit timestamp-micros",
        ),
        (&["in.csv", "-t", "b=date"], "in.csv line 2: b: string \"1\" does not fit date"),
        (&["in.csv", "-t", "b=timestamp"], "in.csv line 2: b: string \"1\" does not fit timestamp-micros"),
        (
            &["in.csv", "-t", "a=decimal(9,2)"],
            "in.csv line 2: a: string \"2013-06-01\" does not fit decimal(9, 2)",
        ),
        (&["in.jsonl", "-t", "a.b[]=time"], "in.jsonl line 2: a.b[]: 25 does not fit time-micros"),
        (&["in.jsonl", "-t", "a=date"], "in.jsonl line 1: a: an object does not fit date"),
        (&["in.jsonl", "-t", "a.b[]=uuid"], "in.jsonl line 1: a.b[]: string \"05:00\" does not fit uuid"),
    ] {
        let error = folder.fails(&[&["convert", "-o", "x.trv"], args].concat());
        assert!(error.contains(message), "{args:?}: {error}");
        assert!(
            error.contains("The type is given by -t, so all values must fit it")
                && !folder.path("x.trv").exists()
        );
    }
    for (args, message) in [
        (&["in.csv", "-t", "c=date"][..], "no row has a field \"c\"\n  Its fields: a, b"),
        (&["in.jsonl", "-t", "a.c=date"], "no row has a field \"a.c\"\n  Its fields: b"),
        (&["in.csv", "-t", "a=date", "-t", "a=uuid"], "a is given two types"),
        (&["in.csv", "-t", "a=auto", "-t", "a=auto"], "a is given two types"),
        (&["in.csv", "-t", "a=decimal(2,3)"], "decimal takes its number of digits, from 1 to 2465"),
        (&["in.csv", "-t", "a=timestamp-hours"], "there is no type \"timestamp-hours\"; there are string,"),
        (&["in.csv", "-t", "*=date"], "no row has a field \"`*`\""),
    ] {
        let error = folder.fails(&[&["convert", "-o", "x.trv"], args].concat());
        assert!(error.contains(message), "{args:?}: {error}");
    }
}

#[test]
fn numbers_are_what_a_named_unit_counts() {
    let folder = Folder::new();
    folder.put("in.csv", "a\n1370062800250\n-1\n");
    folder.put("in.jsonl", "{\"a\":1370062800250}\n{\"a\":-1}\n");
    for file in ["in.csv", "in.jsonl"] {
        folder.prints(&[
            "-q",
            "convert",
            file,
            "-o",
            "x.trv",
            "--force",
            "--check",
            "-t",
            "a=timestamp-millis",
        ]);
        let printed = lines(&folder.prints(&["cat", "x.trv"]));
        assert_eq!(
            printed,
            [json!({"a": "2013-06-01T05:00:00.250Z"}), json!({"a": "1969-12-31T23:59:59.999Z"})]
        );
        let error = folder.fails(&["convert", file, "-o", "y.trv", "-t", "a=timestamp"]);
        assert!(error.contains("does not fit timestamp-micros"), "{error}");
        folder.prints(&["-q", "convert", file, "-o", "x.trv", "--force", "--check", "-t", "a=decimal(50,1)"]);
        assert_eq!(lines(&folder.prints(&["cat", "x.trv"]))[0], json!({"a": "1370062800250.0"}));
    }
    // More digits than a float has.
    folder.put("long.jsonl", "{\"a\":12345678901234567890123456789012345678.90}\n{\"a\":1e3}\n");
    folder.prints(&["-q", "convert", "long.jsonl", "--check", "-t", "a=decimal(40,2)"]);
    let printed = lines(&folder.prints(&["cat", "long.trv"]));
    assert_eq!(printed, [json!({"a": "12345678901234567890123456789012345678.90"}), json!({"a": "1000.00"})]);
    // A time beyond the day has no text.
    folder.put("late.jsonl", "{\"a\":86400000}\n{\"a\":\"23:59\"}\n");
    folder.prints(&["-q", "convert", "late.jsonl", "--check", "-t", "a=time-millis"]);
    assert_eq!(folder.prints(&["cat", "late.trv"]), "{\"a\":86400000}\n{\"a\":\"23:59:00\"}\n");
}

#[test]
fn schemas_that_are_given_take_texts_and_numbers() {
    let folder = Folder::new();
    let schema = json!({"type": "record", "name": "R", "fields": [
        {"name": "when", "type": ["null", {"type": "long", "logicalType": "timestamp-millis"}]},
        {"name": "cost", "type": {"type": "fixed", "name": "Cost", "size": 4, "logicalType": "decimal", "precision": 9, "scale": 2}},
        {"name": "any", "type": ["string", {"type": "int", "logicalType": "date"}]},
        {"name": "key", "type": {"type": "string", "logicalType": "uuid"}},
        {"name": "odd", "type": {"type": "int", "logicalType": "colour"}},
    ]});
    folder.put("r.avsc", &schema.to_string());
    folder.put("in.jsonl", "{\"when\":\"2013-06-01T05:00:00Z\",\"cost\":\"1.5\",\"any\":\"x\",\"key\":\"k\",\"odd\":7}\n{\"when\":0,\"cost\":2,\"any\":-1,\"key\":\"\",\"odd\":8}\n");
    folder.put("in.csv", "when,cost,key,odd\n2013-06-01T05:00:00Z,1.5,k,7\n0,2,,8\n");
    folder.prints(&["-q", "convert", "in.jsonl", "-s", "r.avsc", "--check"]);
    let expected = "{\"when\":\"2013-06-01T05:00:00Z\",\"cost\":\"1.50\",\"any\":\"x\",\"key\":\"k\",\"odd\":7}\n\
                    {\"when\":\"1970-01-01T00:00:00Z\",\"cost\":\"2.00\",\"any\":\"1969-12-31\",\"key\":\"\",\"odd\":8}\n";
    assert_eq!(folder.prints(&["cat", "in.trv"]), expected);
    // Through Avro and back, in Avro's own words, and to other formats.
    folder.prints(&["-q", "convert", "in.trv", "-o", "in.avro"]);
    folder.prints(&["-q", "convert", "in.avro", "-o", "back.trv", "--check"]);
    assert_eq!(folder.prints(&["cat", "back.trv"]), expected);
    assert_eq!(folder.prints(&["info", "--key", "avro.schema", "back.trv"]), format!("{schema}\n"));
    let avro = folder.prints(&["cat", "-f", "avro-json", "-n", "1", "back.trv"]);
    assert!(avro.contains("\"when\":{\"long\":1370062800000}"), "{avro}");
    folder.prints(&["-q", "convert", "back.trv", "-o", "back.jsonl"]);
    assert_eq!(std::fs::read_to_string(folder.path("back.jsonl")).unwrap(), expected);
    let stored = lines(&folder.prints(&["cat", "--stored", "-n", "1", "back.trv"]));
    assert_eq!(
        stored[0],
        json!({"when": 1_370_062_800_000_i64, "cost": "00000096", "any": "x", "key": "k", "odd": 7})
    );
}
