//! Files that take the place of others.

use super::Folder;
use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::process::{Command, Stdio};
use std::time::Duration;

#[track_caller]
fn mode(folder: &Folder, name: &str) -> u32 {
    fs::metadata(folder.path(name)).unwrap().permissions().mode() & 0o7777
}

#[test]
fn a_file_that_is_replaced_keeps_its_mode() {
    let folder = Folder::with_flights();
    fs::copy(folder.path("flights.trv"), folder.path("own.trv")).unwrap();
    fs::write(folder.path("in.jsonl"), "{\"a\":1}\n").unwrap();
    let commands: [&[&str]; 8] = [
        &["recode", "own.trv", "-o", "own.trv"],
        &["convert", "in.jsonl", "-o", "own.trv"],
        &["merge", "flights.trv", "flights.trv", "-o", "own.trv"],
        &["cat", "flights.trv", "-f", "jsonl", "-o", "own.trv"],
        &["convert", "flights.trv", "--to", "csv", "-o", "own.trv"],
        &["convert", "flights.trv", "--to", "avro", "-o", "own.trv"],
        &["query", "flights.trv", "-f", "table", "-o", "own.trv"],
        &["dump", "flights.trv", "-o", "own.trv"],
    ];
    for own in [0o600, 0o664, 0o640] {
        for command in commands {
            fs::set_permissions(folder.path("own.trv"), Permissions::from_mode(own)).unwrap();
            folder.prints(&[&["-q"], command, &["--force"]].concat());
            assert_eq!(mode(&folder, "own.trv"), own, "{command:?}");
            fs::copy(folder.path("flights.trv"), folder.path("own.trv")).unwrap();
        }
    }
    // A file that is new has the mode of any new file.
    fs::write(folder.path("plain"), "").unwrap();
    folder.prints(&["-q", "recode", "flights.trv", "-o", "new.trv"]);
    folder.prints(&["cat", "flights.trv", "-o", "new.jsonl"]);
    let usual = mode(&folder, "plain");
    assert_eq!((mode(&folder, "new.trv"), mode(&folder, "new.jsonl")), (usual, usual));
}

#[test]
fn a_new_file_has_the_mode_that_the_mask_leaves() {
    let folder = with_input();
    let program = assert_cmd::cargo::cargo_bin("trevni");
    for (mask, file, part_folder) in [("077", 0o600, 0o700), ("022", 0o644, 0o755), ("002", 0o664, 0o775)] {
        let masked = |args: &[&str]| {
            let script = format!("umask {mask}; exec '{}' -q {}", program.display(), args.join(" "));
            let status =
                Command::new("sh").args(["-c", &script]).current_dir(folder.path("")).status().unwrap();
            assert!(status.success(), "{args:?}");
        };
        for command in COMMANDS {
            masked(&[command, &["made"]].concat());
            assert_eq!(mode(&folder, "made"), file, "{mask} {command:?}");
            fs::remove_file(folder.path("made")).unwrap();
        }
        masked(&["split", "--parts", "2", "flights.trv", "-o", "parts"]);
        assert_eq!(mode(&folder, "parts"), part_folder, "{mask}");
        for part in fs::read_dir(folder.path("parts")).unwrap() {
            assert_eq!(part.unwrap().metadata().unwrap().permissions().mode() & 0o7777, file, "{mask}");
        }
        fs::remove_dir_all(folder.path("parts")).unwrap();
    }
}

/// Commands that write text, Avro, messages or columns to a file; the output follows.
const COMMANDS: [&[&str]; 9] = [
    &["recode", "flights.trv", "-o"],
    &["merge", "flights.trv", "-o"],
    &["convert", "in.jsonl", "-o"],
    &["cat", "flights.trv", "-o"],
    &["query", "flights.trv", "-o"],
    &["dump", "flights.trv", "-o"],
    &["convert", "flights.trv", "--to", "csv", "-o"],
    &["convert", "flights.trv", "--to", "avro", "-o"],
    &["convert", "flights.trv", "--to", "protobuf", "-o"],
];

fn with_input() -> Folder {
    let folder = Folder::with_flights();
    fs::write(folder.path("in.jsonl"), "{\"a\":1}\n").unwrap();
    folder
}

#[test]
fn links_are_followed_also_where_they_lead_to_nothing() {
    let folder = with_input();
    fs::create_dir(folder.path("there")).unwrap();
    symlink("there/out", folder.path("link")).unwrap();
    for command in COMMANDS {
        for force in [&[][..], &["--force"], &["--force"]] {
            folder.prints(&[&["-q"], command, &["link"], force].concat());
            assert!(fs::symlink_metadata(folder.path("link")).unwrap().is_symlink(), "{command:?}");
            assert!(fs::metadata(folder.path("there/out")).unwrap().len() > 0, "{command:?}");
            assert_eq!(fs::read_dir(folder.path("there")).unwrap().count(), 1, "{command:?}");
        }
        let output = folder.trevni(&[&["-q"], command, &["link"]].concat()).output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success() && error.contains("link already exists"), "{command:?}: {error}");
        fs::remove_file(folder.path("there/out")).unwrap();
    }
}

#[test]
fn names_are_as_long_as_the_system_allows() {
    let folder = with_input();
    for command in COMMANDS {
        let name = "x".repeat(255);
        folder.prints(&[&["-q"], command, &[&name]].concat());
        assert!(fs::metadata(folder.path(&name)).unwrap().len() > 0, "{command:?}");
        fs::remove_file(folder.path(&name)).unwrap();
    }
}

#[test]
fn what_is_being_written_is_for_its_owner_alone() {
    let folder = with_input();
    fs::write(folder.path("plain"), "").unwrap();
    let usual = mode(&folder, "plain");
    for own in [None, Some(0o664)] {
        for command in ["cat", "query"] {
            if let Some(own) = own {
                fs::write(folder.path("out"), "old").unwrap();
                fs::set_permissions(folder.path("out"), Permissions::from_mode(own)).unwrap();
            }
            // It waits for standard input when it has begun to write.
            let mut child = Command::new(assert_cmd::cargo::cargo_bin("trevni"))
                .args([command, "-", "-o", "out", "--force"])
                .current_dir(folder.path(""))
                .stdin(Stdio::piped())
                .spawn()
                .unwrap();
            let temporary = || {
                let names = fs::read_dir(folder.path("")).unwrap().map(|entry| entry.unwrap().path());
                names.into_iter().find(|path| path.extension().is_some_and(|end| end == "tmp"))
            };
            while temporary().is_none() {
                std::thread::sleep(Duration::from_millis(5));
            }
            // Between its making and its first byte, a new file gets its mode.
            std::thread::sleep(Duration::from_millis(200));
            let made = fs::metadata(temporary().unwrap()).unwrap();
            assert_eq!(made.mode() & 0o7777, 0o600, "{command}");
            let bytes = fs::read(folder.path("flights.trv")).unwrap();
            std::io::Write::write_all(&mut child.stdin.take().unwrap(), &bytes).unwrap();
            assert!(child.wait().unwrap().success());
            assert_eq!(mode(&folder, "out"), own.unwrap_or(usual), "{command}");
            fs::remove_file(folder.path("out")).unwrap();
        }
    }
}

#[test]
fn owners_are_kept_where_the_system_allows_it() {
    let folder = with_input();
    fs::write(folder.path("out"), "old").unwrap();
    // Only the system's administrator can give files away.
    let given = std::os::unix::fs::chown(folder.path("out"), Some(12_345), Some(54_321)).is_ok();
    let before = fs::metadata(folder.path("out")).unwrap();
    assert_eq!(given, before.uid() == 12_345);
    for command in COMMANDS {
        folder.prints(&[&["-q"], command, &["out", "--force"]].concat());
        let after = fs::metadata(folder.path("out")).unwrap();
        assert_eq!((after.uid(), after.gid()), (before.uid(), before.gid()), "{command:?}");
    }
}

#[test]
fn of_two_programs_at_once_one_gets_the_name() {
    let folder = with_input();
    let parts: &[&[&str]] = &[&["split", "--parts", "5", "flights.trv", "-o"]];
    for command in COMMANDS.iter().chain(parts) {
        for _ in 0..4 {
            let start = || {
                Command::new(assert_cmd::cargo::cargo_bin("trevni"))
                    .args([&["-q"], *command, &["out"]].concat())
                    .current_dir(folder.path(""))
                    .stderr(Stdio::piped())
                    .spawn()
                    .unwrap()
            };
            let outputs = [start(), start()].map(|child| child.wait_with_output().unwrap());
            let good = outputs.iter().filter(|output| output.status.success()).count();
            assert_eq!(good, 1, "{command:?}: {outputs:?}");
            let failed = outputs.iter().find(|output| !output.status.success()).unwrap();
            let error = String::from_utf8_lossy(&failed.stderr);
            assert!(error.contains("already") && error.contains("--force"), "{command:?}: {error}");
            match command[0] {
                "split" => {
                    assert_eq!(fs::read_dir(folder.path("out")).unwrap().count(), 5);
                    let count = folder.prints(&["count", "out"]);
                    assert!(count.contains("1,000"), "{count}");
                    fs::remove_dir_all(folder.path("out")).unwrap();
                }
                _ => fs::remove_file(folder.path("out")).unwrap(),
            }
            let hidden = fs::read_dir(folder.path(""))
                .unwrap()
                .filter(|entry| entry.as_ref().unwrap().file_name().to_string_lossy().starts_with('.'));
            assert_eq!(hidden.count(), 0, "{command:?}");
        }
    }
}
