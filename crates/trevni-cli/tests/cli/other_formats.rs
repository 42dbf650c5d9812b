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
const BEGINNINGS: [(&str, &[u8]); 7] = [
    ("csv", b"flight,carrier\n"),
    ("tsv", b"flight\tcarrier\n"),
    ("jsonl", b"{\"flight\":"),
    ("json", b"["),
    ("avro", b"Obj\x01"),
    ("trv", b"Trv"),
    ("redelm", b"Red Elm\n"),
];

#[test]
fn outputs_are_what_their_names_say() {
    let folder = rows_in_all_formats();
    for (args, rows) in [
        (&["convert", "f.trv"][..], 50),
        (&["convert", "f.csv"], 50),
        (&["convert", "f.json", "-n", "20"], 20),
        (&["convert", "f.avro"], 50),
        (&["recode", "f.trv", "-w", "flight < 7"], 7),
        (&["merge", "f.trv", "f.trv"], 100),
        (&["random", "f.trv", "-n", "30", "--seed", "1"], 30),
    ] {
        for (ending, beginning) in BEGINNINGS {
            let name = format!("out.{ending}");
            if args[..2] == ["convert", "f.trv"] && ["trv", "redelm"].contains(&ending)
                || args[1].ends_with(&format!(".{ending}")) && args[0] == "convert"
            {
                continue;
            }
            let output = folder.trevni(&[args, &["-o", &name, "--force"]].concat()).output().unwrap();
            let told = String::from_utf8(output.stderr).unwrap();
            assert!(output.status.success(), "{args:?} {name}: {told}");
            assert!(told.contains(&name) && !told.contains("rows.trv"), "{args:?} {name}: {told}");
            let bytes = fs::read(folder.path(&name)).unwrap();
            assert!(bytes.starts_with(beginning), "{args:?} {name}: {:?}", &bytes[..20]);
            assert_eq!(folder.prints(&["-q", "count", &name]), format!("{rows}\n"), "{args:?} {name}");
            let error = folder.fails(&[args, &["-o", &name]].concat());
            assert!(error.contains("is there already"), "{error}");
        }
    }
}

/// The bytes of a file, which is packed as its name ends.
fn unpacked(folder: &Folder, name: &str) -> Vec<u8> {
    let (bytes, mut found) = (fs::read(folder.path(name)).unwrap(), Vec::new());
    match name.rsplit('.').next() {
        Some("gz") => {
            std::io::Read::read_to_end(&mut flate2::read::GzDecoder::new(&*bytes), &mut found).unwrap()
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
            for packed in [format!("packed.{ending}.gz"), format!("packed.{ending}.zst")] {
                folder.prints(&[&["-q"], args, &["-o", &packed, "--force"]].concat());
                assert_eq!(
                    unpacked(&folder, &packed),
                    fs::read(folder.path(&plain)).unwrap(),
                    "{args:?} {packed}"
                );
            }
        }
    }
    for args in
        [&["convert", "f.csv"][..], &["recode", "f.trv"], &["merge", "f.trv", "f.trv"], &["random", "f.trv"]]
    {
        let error = folder.fails(&[args, &["-o", "x.trv.gz"]].concat());
        assert!(
            error.contains("files of columns are not packed") && !folder.path("x.trv.gz").exists(),
            "{error}"
        );
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
