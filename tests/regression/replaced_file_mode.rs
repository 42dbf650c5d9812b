//! A file that replaced another lost the other's permissions.

#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use trevni::Writer;

#[test]
fn a_file_that_is_replaced_keeps_its_mode() {
    let folder = std::env::temp_dir().join(format!("trevni-mode-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir(&folder).unwrap();
    let path = folder.join("own.trv");
    let mode = || fs::metadata(&path).unwrap().permissions().mode() & 0o7777;
    Writer::create(&path).unwrap().finish().unwrap();
    for own in [0o600, 0o660, 0o400] {
        fs::set_permissions(&path, fs::Permissions::from_mode(own)).unwrap();
        let mut writer = Writer::create(&path).unwrap();
        writer.write(&1).unwrap();
        writer.finish().unwrap();
        assert_eq!(mode(), own);
    }
    fs::remove_dir_all(folder).unwrap();
}
