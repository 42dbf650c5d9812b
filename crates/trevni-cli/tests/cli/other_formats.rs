//! Commands that read rows take files without columns, by way of a temporary file.

use super::{Folder, flights};
use std::fs;

const NAMES: [&str; 7] = ["f.csv", "f.tsv", "f.jsonl", "f.json", "f.csv.gz", "f.avro", "plain"];

/// A folder with rows in all formats: numbers and strings, which each has.
fn rows_in_all_formats() -> Folder {
    let folder = Folder::new();
    folder.write("all.trv", flights(50));
    folder.prints(&["-q", "convert", "all.trv", "-c", "flight,carrier", "-o", "f.jsonl"]);
    folder.prints(&["-q", "convert", "f.jsonl", "-o", "f.trv"]);
    for name in ["f.csv", "f.tsv", "f.json", "f.avro"] {
        folder.prints(&["-q", "convert", "f.trv", "-o", name]);
    }
    fs::copy(folder.path("f.csv"), folder.path("plain")).unwrap();
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut packed, &fs::read(folder.path("f.csv")).unwrap()).unwrap();
    fs::write(folder.path("f.csv.gz"), packed.finish().unwrap()).unwrap();
    folder
}

#[test]
fn rows_of_all_formats_are_the_same() {
    let folder = rows_in_all_formats();
    for args in [
        &["cat"][..],
        &["head", "-n", "7"],
        &["tail", "-w", "flight > 10"],
        &["sample", "-n", "5", "--seed", "1"],
        &["count", "-w", "carrier = \"AA\""],
        &["query", "-b", "carrier", "-a", "count(), max(flight)"],
        &["plot", "-c", "flight"],
    ] {
        let expected = folder.prints(&[&["-q"], args, &["f.trv"]].concat());
        for name in NAMES {
            let found = folder.prints(&[&["-q"], args, &[name]].concat());
            assert_eq!(found.replace(name, "f.trv"), expected, "{args:?} {name}");
        }
    }
    for name in NAMES {
        assert_eq!(folder.prints(&["-q", "diff", "f.trv", name]), "50 rows equal\n", "{name}");
        for args in [&["stats"][..], &["schema"]] {
            let [expected, found] =
                ["f.trv", name].map(|name| folder.prints(&[&["-q"], args, &[name]].concat()));
            let fields = |text: &str| {
                text.lines()
                    .skip(1)
                    .map(|line| line.split_whitespace().take(2).collect())
                    .collect::<Vec<String>>()
            };
            assert_eq!(fields(&found), fields(&expected), "{args:?} {name}");
        }
        folder.prints(&["-q", "report", name, "-o", "page.html", "--force"]);
    }
}

#[test]
fn a_conversion_is_told_once_and_leaves_nothing() {
    let folder = rows_in_all_formats();
    let output =
        folder.trevni(&["count", "f.csv", "f.csv", "f.trv"]).env("TMPDIR", folder.0.path()).output().unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(
        told.starts_with("f.csv: CSV, converted in ")
            && told.ends_with("to do so once: trevni convert f.csv\n"),
        "{told}"
    );
    assert_eq!(told.lines().count(), 1, "{told}");
    let names =
        || fs::read_dir(folder.0.path()).unwrap().map(|file| file.unwrap().file_name()).collect::<Vec<_>>();
    assert!(names().iter().all(|name| !name.to_string_lossy().starts_with('.')), "{:?}", names());
    assert_eq!(names().len(), NAMES.len() + 2);
    // What is wrong with it is said as `convert` says it.
    fs::write(folder.path("bad.csv"), "a,b\n1,2\n3\n").unwrap();
    let error = folder.fails(&["head", "bad.csv"]);
    assert!(error.contains("bad.csv line 3: 1 cell for 2 columns"), "{error}");
    assert_eq!(names().len(), NAMES.len() + 3);
}

#[test]
fn what_has_columns_is_no_other_format_whatever_its_name() {
    let folder = rows_in_all_formats();
    fs::copy(folder.path("f.trv"), folder.path("columns.csv")).unwrap();
    assert_eq!(folder.prints(&["count", "columns.csv"]), "50\n");
    let damaged: Vec<u8> = fs::read(folder.path("f.trv")).unwrap().into_iter().skip(1).collect();
    fs::write(folder.path("damaged"), damaged).unwrap();
    assert!(folder.fails(&["count", "damaged"]).contains("damaged is not a Trevni file"));
}

/// How files of each format begin, by the endings of their names.
const BEGINNINGS: &[(&str, &[u8])] = &[
    ("csv", b"flight,carrier\n"),
    ("tsv", b"flight\tcarrier\n"),
    ("jsonl", b"{\"flight\":"),
    ("json", b"["),
    ("avro", b"Obj\x01"),
    ("trv", b"Trv"),
    ("redelm", b"Red Elm\n"),
    #[cfg(feature = "parquet")]
    ("parquet", b"PAR1"),
    #[cfg(feature = "parquet")]
    ("arrow", b"ARROW1\0\0"),
    #[cfg(feature = "parquet")]
    ("feather", b"ARROW1\0\0"),
    #[cfg(feature = "parquet")]
    ("arrows", &[0xff; 4]),
];

#[test]
fn outputs_are_what_their_names_say() {
    let folder = rows_in_all_formats();
    for (args, rows) in [
        (&["convert", "f.trv"][..], 50),
        (&["convert", "f.csv"], 50),
        (&["convert", "f.json", "-n", "20"], 20),
        (&["convert", "f.avro"], 50),
        (&["convert", "f.trv", "-n", "5"], 5),
        (&["recode", "f.trv", "-w", "flight < 7"], 7),
        (&["merge", "f.trv", "f.csv"], 100),
        (&["random", "f.trv", "-n", "30", "--seed", "1"], 30),
        (&["cat", "f.trv", "f.jsonl", "-w", "flight > 4"], 90),
        (&["cat", "f.csv", "-w", "flight < 0"], 0),
        (&["head", "f.avro", "-n", "7", "--skip", "2"], 7),
        (&["tail", "f.trv", "f.csv", "-n", "60"], 60),
        (&["sample", "f.json", "-n", "5", "--seed", "1"], 5),
        (&["query", "f.trv", "-c", "flight,carrier", "-s", "-flight", "-n", "9"], 9),
    ] {
        folder.prints(&[&["-q"], args, &["-o", "rows.jsonl", "--force"]].concat());
        let expected = fs::read_to_string(folder.path("rows.jsonl")).unwrap();
        assert_eq!(expected.lines().count(), rows, "{args:?}");
        for (ending, beginning) in BEGINNINGS {
            let name = format!("out.{ending}");
            if args[..2] == ["convert", "f.trv"] && ["trv", "redelm"].contains(ending)
                || args[1].ends_with(&format!(".{ending}")) && args[0] == "convert"
            {
                continue;
            }
            let output = folder.trevni(&[args, &["-o", &name, "--force"]].concat()).output().unwrap();
            let told = String::from_utf8(output.stderr).unwrap();
            assert!(output.status.success(), "{args:?} {name}: {told}");
            assert!(!told.contains("rows.trv"), "{args:?} {name}: {told}");
            if ["convert", "recode", "merge", "random"].contains(&args[0]) {
                assert!(told.contains(&name) && told.contains(&format!("{rows} rows")), "{args:?}: {told}");
            }
            let bytes = fs::read(folder.path(&name)).unwrap();
            assert!(rows == 0 || bytes.starts_with(beginning), "{args:?} {name}");
            // Text of no rows says nothing of them.
            if rows > 0 || !["csv", "tsv", "jsonl", "json"].contains(ending) {
                let found = folder.prints(&["-q", "cat", &name]);
                assert_eq!(found, expected, "{args:?} {name}");
                assert_eq!(folder.prints(&["-q", "count", &name]), format!("{rows}\n"), "{args:?} {name}");
            }
            let error = folder.fails(&[args, &["-o", &name]].concat());
            assert!(error.contains("already exists"), "{error}");
        }
    }
}

#[test]
fn parts_are_of_the_format_that_is_asked_for() {
    let folder = rows_in_all_formats();
    for (ending, beginning) in
        BEGINNINGS.iter().filter(|(ending, _)| !["redelm", "feather", "arrows"].contains(ending))
    {
        for again in [&[][..], &["--force"]] {
            folder.prints(
                &[&["-q", "split", "f.csv", "--rows", "20", "--to", ending, "-o", "parts"], again].concat(),
            );
            let names = (0..3).map(|part| format!("parts/part-0000{part}.{ending}")).collect::<Vec<_>>();
            assert_eq!(fs::read_dir(folder.path("parts")).unwrap().count(), names.len());
            assert!(fs::read(folder.path(&names[0])).unwrap().starts_with(beginning), "{ending}");
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            let found = folder.prints(&[&["-q", "cat"], &*names].concat());
            assert_eq!(found, folder.prints(&["cat", "f.trv"]), "{ending}");
        }
        let error = folder.fails(&["split", "f.trv", "--rows", "20", "--to", ending, "-o", "parts"]);
        assert!(error.contains("parts has parts already"), "{error}");
        fs::remove_dir_all(folder.path("parts")).unwrap();
    }
}

#[test]
fn results_of_queries_keep_their_types() {
    let folder = Folder::new();
    let rows = "day,at,price,n,name,x\n2024-02-29,2024-02-29T12:00:00Z,1.50,7,a,0.5\n2024-03-01,,2.25,,b,\n";
    fs::write(folder.path("r.csv"), rows).unwrap();
    let types = ["-t", "day=date", "-t", "at=timestamp", "-t", "price=decimal(9,2)", "-t", "x=float32"];
    folder.prints(&[&["-q", "convert", "r.csv"], &types[..]].concat());
    let all = "day,at,price,n,name,x,twice=n*2,month=date_trunc('month', day),is_big=n > 3";
    for sorted in [&[][..], &["-s", "name"]] {
        folder.prints(&[&["query", "r.trv", "-c", all, "-o", "q.trv", "--force"], sorted].concat());
        assert_eq!(
            folder.prints(&["schema", "q.trv", "-f", "flat"]),
            "day     date?\nat      timestamp-micros?\nprice   decimal(9, 2)?\nn       int64?\nname    string?\n\
             x       float32?\ntwice   int64?\nmonth   date?\nis_big  boolean?\n"
        );
        let rows = folder.prints(&["query", "r.trv", "-c", all, "-f", "jsonl"]);
        assert_eq!(folder.prints(&["cat", "q.trv"]), rows);
    }
    // Where there is no row, types are those that rows would have.
    folder.prints(&["query", "r.trv", "-c", "day,twice=n*2,x", "-w", "n > 9", "-o", "none.trv"]);
    let schema = folder.prints(&["schema", "none.trv", "-f", "flat"]);
    assert_eq!(schema, "day    date?\ntwice  int64?\nx      float32?\n");
}

#[test]
fn a_page_is_html() {
    let folder = rows_in_all_formats();
    let error = folder.fails(&["report", "f.trv", "-o", "r.pdf"]);
    assert!(error.contains("the page is HTML") && error.contains(".html"), "{error}");
    assert!(!folder.path("r.pdf").exists());
}

/// The bytes of a file, which is packed as its name ends.
fn unpacked(folder: &Folder, name: &str) -> Vec<u8> {
    let (bytes, mut found) = (fs::read(folder.path(name)).unwrap(), Vec::new());
    match name.rsplit('.').next() {
        Some("gz") => {
            std::io::Read::read_to_end(&mut flate2::read::GzDecoder::new(&*bytes), &mut found).unwrap()
        }
        Some("xz") => {
            std::io::Read::read_to_end(&mut lzma_rust2::XzReader::new(&*bytes, true), &mut found).unwrap()
        }
        Some("bz2") => {
            std::io::Read::read_to_end(&mut bzip2::read::BzDecoder::new(&*bytes), &mut found).unwrap()
        }
        _ => std::io::Read::read_to_end(&mut zstd::stream::read::Decoder::new(&*bytes).unwrap(), &mut found)
            .unwrap(),
    };
    found
}

#[test]
fn outputs_are_packed_as_their_names_end() {
    let folder = rows_in_all_formats();
    for args in [
        &["convert", "f.trv"][..],
        &["convert", "f.avro"],
        &["recode", "f.trv"],
        &["merge", "f.trv", "f.trv"],
        &["random", "f.trv", "-n", "30", "--seed", "1"],
        &["cat", "f.trv"],
        &["head", "f.trv"],
        &["query", "f.trv", "-w", "flight < 9"],
    ] {
        for ending in ["csv", "tsv", "jsonl", "json"] {
            let plain = format!("plain.{ending}");
            folder.prints(&[&["-q"], args, &["-o", &plain, "--force"]].concat());
            for packed in ["gz", "zst", "xz", "bz2"].map(|packing| format!("packed.{ending}.{packing}")) {
                folder.prints(&[&["-q"], args, &["-o", &packed, "--force"]].concat());
                assert_eq!(
                    unpacked(&folder, &packed),
                    fs::read(folder.path(&plain)).unwrap(),
                    "{args:?} {packed}"
                );
                let [one, other] = [&packed, &plain].map(|name| folder.prints(&["-q", "cat", name]));
                assert_eq!(one, other, "{args:?} {packed}");
            }
        }
    }
    for args in
        [&["convert", "f.csv"][..], &["recode", "f.trv"], &["merge", "f.trv", "f.trv"], &["random", "f.trv"]]
    {
        let error = folder.fails(&[args, &["-o", "x.trv.gz"]].concat());
        assert!(
            error.contains("column files are not compressed") && !folder.path("x.trv.gz").exists(),
            "{error}"
        );
    }
}

/// What is before is to be looked for in 4 GiB, as the first block of this file says.
#[test]
fn memory_of_packed_files_is_limited() {
    let folder = rows_in_all_formats();
    folder.prints(&["cat", "f.trv", "-o", "f.csv.xz"]);
    let mut bytes = fs::read(folder.path("f.csv.xz")).unwrap();
    let header = 12..12 + 4 * usize::from(bytes[12]);
    let dictionary = bytes[header.clone()].windows(2).position(|pair| pair == [0x21, 1]).unwrap() + 2;
    bytes[12 + dictionary] = 40;
    let mut sum = flate2::Crc::new();
    sum.update(&bytes[header.clone()]);
    bytes[header.end..header.end + 4].copy_from_slice(&sum.sum().to_le_bytes());
    fs::write(folder.path("large.csv.xz"), &bytes).unwrap();
    let error = folder.fails(&["count", "large.csv.xz"]);
    assert!(error.contains("large.csv.xz") && error.contains("--max-memory"), "{error}");
    // Damage is an error, wherever it is.
    for name in ["f.csv.xz", "f.csv.bz2"] {
        folder.prints(&["cat", "f.trv", "-o", name, "--force"]);
        let bytes = fs::read(folder.path(name)).unwrap();
        for end in (14..bytes.len()).step_by(17) {
            fs::write(folder.path("part.csv"), &bytes[..end]).unwrap();
            folder.fails(&["count", "part.csv"]);
        }
    }
}

#[test]
fn options_of_cells_are_those_of_both_sides() {
    let folder = Folder::new();
    fs::write(folder.path("in.csv"), "a,b\n1,NA\n2,x\n").unwrap();
    folder.prints(&[
        "-q",
        "convert",
        "in.csv",
        "--null",
        "NA",
        "-t",
        "a=float64",
        "-o",
        "out.jsonl",
        "--check",
    ]);
    assert_eq!(
        fs::read_to_string(folder.path("out.jsonl")).unwrap(),
        "{\"a\":1.0,\"b\":null}\n{\"a\":2.0,\"b\":\"x\"}\n"
    );
    let told = folder.prints(&["convert", "in.csv", "--to", "jsonl", "--dry-run"]);
    assert!(told.starts_with("a  int64"), "{told}");
    folder.prints(&["-q", "convert", "in.csv", "--to", "tsv"]);
    assert_eq!(fs::read_to_string(folder.path("in.tsv")).unwrap(), "a\tb\n1\tNA\n2\tx\n");
}

#[test]
fn many_files_become_one() {
    let folder = Folder::new();
    for (name, rows) in [
        ("a.csv", "id,x\n1,1\n2,2\n"),
        ("b.csv", "x;id;y\nabc;3;0.5\n"),
        ("c.csv", "id,x\n4,\n"),
        ("d.jsonl", "{\"id\":1,\"z\":[1]}\n"),
        ("e.json", "[{\"id\":2.5}]"),
    ] {
        fs::write(folder.path(name), rows).unwrap();
    }
    let told = |args: &[&str]| String::from_utf8(folder.trevni(args).output().unwrap().stderr).unwrap();
    let convert = ["convert", "a.csv", "b.csv", "c.csv", "-o"];
    let all = told(&[&convert[..], &["all.trv"]].concat());
    assert!(all.contains("3 files → all.trv: 4 rows, 3 columns"), "{all}");
    // The types are those of all files.
    let rows = "{\"id\":1,\"x\":\"1\"}\n{\"id\":2,\"x\":\"2\"}\n{\"id\":3,\"x\":\"abc\",\"y\":0.5}\n{\"id\":4,\"x\":null}\n";
    assert_eq!(folder.prints(&["cat", "all.trv"]), rows);
    for name in ["all.avro", "all.jsonl", "all.json"] {
        folder.prints(&[&["-q"], &convert[..], &[name]].concat());
        assert_eq!(folder.prints(&["-q", "count", name]), "4\n", "{name}");
    }
    folder.prints(&["-q", "convert", "a.csv", "b.csv", "-n", "3", "-c", "id", "-o", "some.csv"]);
    assert_eq!(fs::read_to_string(folder.path("some.csv")).unwrap(), "id\n1\n2\n3\n");
    folder.prints(&["-q", "convert", "d.jsonl", "e.json", "-o", "json.csv"]);
    assert_eq!(fs::read_to_string(folder.path("json.csv")).unwrap(), "id,z\n1.0,[1]\n2.5,\n");
    // Files of several formats are joined as merge joins them.
    folder.prints(&["-q", "convert", "a.csv", "all.avro", "d.jsonl", "all.trv", "-o", "mixed.trv"]);
    assert_eq!(
        folder.prints(&["query", "mixed.trv", "-b", "id", "-f", "csv", "-s", "id"]),
        "id,count\n1,4\n2,3\n3,2\n4,2\n"
    );
    // A folder stands for its files.
    fs::create_dir_all(folder.path("parts")).unwrap();
    for name in ["a.csv", "c.csv"] {
        fs::copy(folder.path(name), folder.path("parts").join(name)).unwrap();
    }
    folder.prints(&["-q", "convert", "parts", "-o", "parts.jsonl"]);
    let lines = "{\"id\":1,\"x\":1}\n{\"id\":2,\"x\":2}\n{\"id\":4,\"x\":null}\n";
    assert_eq!(fs::read_to_string(folder.path("parts.jsonl")).unwrap(), lines);
    assert_eq!(folder.prints(&["-q", "cat", "parts"]), lines);
    // What is wrong has the name of its file.
    fs::write(folder.path("bad.csv"), "id,x\n1\n").unwrap();
    let error = folder.fails(&["convert", "a.csv", "bad.csv", "-o", "x.trv"]);
    assert!(
        error.contains("bad.csv line 2: 1 cell for 2 columns") && !folder.path("x.trv").exists(),
        "{error}"
    );
    let error = folder.fails(&["convert", "a.csv", "d.jsonl", "-o", "x.trv", "--check"]);
    assert!(error.contains("--check compares one file"), "{error}");
    let types = folder.prints(&["-q", "convert", "a.csv", "b.csv", "-o", "x.trv", "--dry-run"]);
    assert!(types.starts_with("id  int64") && types.contains("x   string"), "{types}");
}

#[test]
fn folders_of_partitions_may_have_any_format() {
    let folder = Folder::new();
    for (day, rows) in [("day=1", "n\n1\n2\n"), ("day=2", "n\n3\n")] {
        fs::create_dir_all(folder.path("days").join(day)).unwrap();
        fs::write(folder.path("days").join(day).join("rows.csv"), rows).unwrap();
    }
    let rows = "day,n\n1,1\n1,2\n2,3\n";
    assert_eq!(folder.prints(&["-q", "query", "days", "-c", "day,n", "-f", "csv"]), rows);
    folder.prints(&["-q", "cat", "days", "-o", "days.trv"]);
    assert_eq!(folder.prints(&["query", "days.trv", "-c", "day,n", "-f", "csv"]), rows);
    assert_eq!(
        folder.prints(&["-q", "count", "days", "-w", "day = \"1\""]).lines().last().unwrap().trim(),
        "2  total"
    );
    let error = folder.fails(&["convert", "days", "-o", "x.trv"]);
    assert!(error.contains("trevni cat FOLDER -o all.trv"), "{error}");
}
