//! Broken files: one line, the right exit code, no output and no panic.

use super::{all, folder};

const COMMANDS: [&[&str]; 14] = [
    &["cat"],
    &["recode", "-o", "out.trv"],
    &["convert", "--from", "trv", "--to", "avro", "-o", "out.avro"],
    &["dump", "-f", "levels"],
    &["dump"],
    &["verify"],
    &["info"],
    &["layout"],
    &["layout", "-c", "*"],
    &["stats"],
    &["size", "--by", "part"],
    &["schema", "-f", "message"],
    &["count"],
    &["query", "-a", "count()"],
];
/// Of these, commands that read all values.
const READING: usize = 4;

#[test]
fn broken_files_are_refused() {
    let folder = folder();
    for golden in all().1 {
        for (number, command) in COMMANDS.iter().enumerate() {
            let args = golden.command(command);
            let output = folder.trevni(&args).output().unwrap();
            let (error, code) = (String::from_utf8(output.stderr).unwrap(), output.status.code());
            assert!(error.lines().count() <= 2 && !error.contains("panicked"), "{args:?}: {error}");
            if number < READING {
                assert_eq!(code, Some(3), "{args:?}: {error}");
                assert!(error.starts_with("error: ") && error.contains(golden.stem()), "{args:?}: {error}");
            } else if *command == ["verify"] {
                let text = String::from_utf8(output.stdout).unwrap();
                assert_eq!(code, Some(3), "{args:?}: {text}");
                let is_one = |line: &str| line.starts_with("damaged  ") || line.starts_with("         ");
                assert!(text.starts_with("damaged  ") && text.lines().all(is_one), "{text}");
            } else {
                assert!(matches!(code, Some(0 | 3)), "{args:?}: {error}");
                assert_eq!(code == Some(3), error.starts_with("error: "), "{args:?}: {error}");
            }
        }
    }
    let left = std::fs::read_dir(folder.0.path()).unwrap().count();
    assert_eq!(left, 1, "nothing but the message is there");
}

#[test]
fn no_damage_makes_a_command_panic() {
    let folder = folder();
    for name in ["rows.redelm", "rows.trv"] {
        folder.write("flights.trv", crate::flights(30));
        folder.prints(&["-q", "recode", "flights.trv", "--dialect", "levels", "-o", "levels.trv", "--force"]);
        folder.prints(&["-q", "recode", "levels.trv", "-o", name, "--force"]);
        let whole = std::fs::read(folder.path(name)).unwrap();
        let step = whole.len() / 60;
        for (number, at) in (4..whole.len()).step_by(step).enumerate() {
            let mut bytes = whole.clone();
            bytes[at] ^= [1, 128, 255][number % 3];
            let end = if number % 4 == 3 { at } else { bytes.len() };
            std::fs::write(folder.path("bad"), &bytes[..end]).unwrap();
            let args = [COMMANDS[number % COMMANDS.len()], &["bad", "--force"]].concat();
            let force = args.contains(&"-o");
            let args = if force { &args[..] } else { &args[..args.len() - 1] };
            let output = folder.trevni(args).output().unwrap();
            let error = String::from_utf8_lossy(&output.stderr);
            assert!(matches!(output.status.code(), Some(0 | 3)), "{args:?}: {error}");
            assert!(error.lines().count() <= 2 && !error.contains("panicked"), "{args:?}: {error}");
        }
    }
}
