//! What is said of Parquet by a program that was built without it.

use super::Folder;

#[test]
fn the_feature_is_named() {
    let folder = Folder::with_flights();
    std::fs::write(folder.path("a.parquet"), "PAR1 and more PAR1").unwrap();
    for args in [
        &["convert", "a.parquet", "-o", "a.trv"][..],
        &["convert", "flights.trv", "-o", "b.parquet"],
        &["convert", "flights.trv", "--to", "parquet", "-o", "-"],
        &["recode", "flights.trv", "-o", "b.parquet"],
        &["cat", "a.parquet"],
        &["info", "a.parquet"],
        &["verify", "a.parquet"],
    ] {
        let output = folder.trevni(args).output().unwrap();
        let told = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
        assert!(matches!(output.status.code(), Some(2 | 3)), "{args:?}: {told}");
        let names = told.contains("--features parquet") || told.contains("it looks like Parquet");
        assert!(names, "{args:?}: {told}");
    }
    assert!(!folder.path("a.trv").exists() && !folder.path("b.parquet").exists());
}
