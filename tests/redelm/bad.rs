//! Broken files.

use crate::render::{files, folder};
use trevni::{Category, Reader};

#[test]
fn every_broken_file_is_refused() {
    let files = files("bad");
    let said = std::fs::read_to_string(folder("bad").join("README.txt")).unwrap();
    assert_eq!(files.len(), said.lines().filter(|line| line.contains(".redelm\t")).count());
    for path in files {
        let error = match Reader::open(&path) {
            Err(error) => error,
            Ok(reader) => {
                match reader.batches().and_then(|batches| batches.collect::<trevni::Result<Vec<_>>>()) {
                    Err(error) => error,
                    Ok(_) => panic!("{} is read", path.display()),
                }
            }
        };
        let category = error.category();
        assert!(matches!(category, Category::Corrupt | Category::Unsupported), "{error}: {}", path.display());
        println!("{}: {error}", path.file_name().unwrap().display());
    }
}
