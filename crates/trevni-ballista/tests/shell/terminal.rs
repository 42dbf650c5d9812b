//! The shell in a terminal: keys go in, and what the terminal shows is looked at.

use crate::{Folder, program};
use nix::fcntl::{FcntlArg, FdFlag, fcntl};
use nix::pty::{Winsize, openpty};
use std::fs::File;
use std::io::{Read, Write};
use std::num::NonZero;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Condvar, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How long a screen is waited for, before the test fails: no limit that a slow machine would reach.
const PATIENCE: Duration = Duration::from_secs(120);

/// A query that does not end by itself.
const LONG: &str = "SELECT count(*) FROM generate_series(1, 1000000000000) x WHERE value % 7 = 8;";

/// The program in a terminal, whose screen another thread keeps.
struct Terminal {
    keys: File,
    child: Child,
    shown: Arc<(Mutex<Shown>, Condvar)>,
    reading: Option<JoinHandle<()>>,
}

struct Shown {
    parser: vt100::Parser,
    /// All that was written.
    bytes: Vec<u8>,
    ended: bool,
}

fn sized(size: u16) -> NonZero<u16> {
    NonZero::new(size).unwrap()
}

impl Terminal {
    /// The program in a terminal of its own, which Ctrl-C comes from.
    fn start(folder: &Folder, columns: u16, args: &[&str]) -> Self {
        let lines = 40;
        let size = Winsize { ws_row: lines, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
        let ends = openpty(Some(&size), None).unwrap();
        // No other program that is started has them open.
        for end in [&ends.master, &ends.slave] {
            fcntl(end, FcntlArg::F_SETFD(FdFlag::FD_CLOEXEC)).unwrap();
        }
        let (sql, before) = program();
        let mut command = Command::new("setsid");
        command.args(["--ctty", "--wait"]).arg(sql).args(before).args(args).current_dir(folder.path(""));
        command
            .env("TERM", "xterm-256color")
            .env("LC_ALL", "C.UTF-8")
            .env("XDG_STATE_HOME", folder.path("state"));
        for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLUMNS", "CI"] {
            command.env_remove(name);
        }
        let own = || Stdio::from(ends.slave.try_clone().unwrap());
        let child = command.stdin(own()).stdout(own()).stderr(own()).spawn().unwrap();
        drop(command);
        drop(ends.slave);
        let keys = File::from(ends.master);
        let mut out = keys.try_clone().unwrap();
        let parser = vt100::Parser::new(sized(lines), sized(columns), 1000);
        let shown = Arc::new((Mutex::new(Shown { parser, bytes: Vec::new(), ended: false }), Condvar::new()));
        let to = Arc::clone(&shown);
        let reading = std::thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(count @ 1..) = out.read(&mut buffer) {
                let mut shown = to.0.lock().unwrap();
                shown.parser.process(&buffer[..count]);
                shown.bytes.extend_from_slice(&buffer[..count]);
                to.1.notify_all();
            }
            to.0.lock().unwrap().ended = true;
            to.1.notify_all();
        });
        Self { keys, child, shown, reading: Some(reading) }
    }

    fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).unwrap();
    }

    /// Waits until the screen is as is wanted, and returns its lines.
    #[track_caller]
    fn waits(&self, wanted: impl Fn(&[String]) -> bool) -> Vec<String> {
        let end = Instant::now() + PATIENCE;
        let mut shown = self.shown.0.lock().unwrap();
        loop {
            let lines: Vec<String> =
                shown.parser.screen().contents().lines().map(|line| line.trim_end().to_owned()).collect();
            if wanted(&lines) {
                return lines;
            }
            let left = end.saturating_duration_since(Instant::now());
            assert!(!left.is_zero() && !shown.ended, "it never shows: {lines:#?}");
            shown = self.shown.1.wait_timeout(shown, left).unwrap().0;
        }
    }

    /// Waits for a prompt with nothing typed, and so many before.
    #[track_caller]
    fn prompts(&self, count: usize) -> Vec<String> {
        self.waits(|lines| {
            lines.iter().filter(|line| line.starts_with("trevni>")).count() == count
                && lines.last().is_some_and(|line| line == "trevni>")
        })
    }

    /// Waits for the end of the program: all that it wrote, and its exit code.
    #[track_caller]
    fn ends(mut self) -> (String, Option<i32>) {
        let code = self.child.wait().unwrap().code();
        self.reading.take().unwrap().join().unwrap();
        let shown = self.shown.0.lock().unwrap();
        (String::from_utf8_lossy(&shown.bytes).into_owned(), code)
    }
}

#[test]
fn statements_are_typed_and_their_rows_shown() {
    let folder = Folder::with_flights();
    let mut terminal = Terminal::start(&folder, 80, &[]);
    terminal.prompts(1);
    // A statement ends with its semicolon, not with its line.
    terminal.press("SELECT carrier, count(*) AS n\rFROM 'flights.trv' GROUP BY 1 ORDER BY 1;\r");
    let lines = terminal.prompts(2);
    let at = lines.iter().position(|line| line.trim_start().starts_with("carrier")).unwrap();
    let row = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(row(&lines[at]), ["carrier", "n"]);
    assert!(lines[at + 1].contains("int64"), "{lines:#?}");
    assert_eq!(row(&lines[at + 2]), ["AA", "334"]);
    assert_eq!(row(&lines[at + 4]), ["DL", "333"]);
    assert!(lines[at + 5].starts_with("3 rows in "), "{lines:#?}");
    terminal.press("SELECT nothing;\r");
    let lines = terminal.prompts(3);
    assert!(lines.iter().any(|line| line.starts_with("error: ") && line.contains("nothing")), "{lines:#?}");
    assert!(lines.iter().any(|line| line == "         ^"), "{lines:#?}");
    terminal.press("\\?\r");
    assert!(terminal.prompts(4).iter().any(|line| line.contains("\\d NAME")));
    terminal.press("\x04");
    assert_eq!(terminal.ends().1, Some(0));
}

#[test]
fn tables_fit_the_terminal() {
    let folder = Folder::new();
    let row = |n: u64| {
        let fields = (0..30).map(|field| (format!("column_{field}"), serde_json::json!(n * field)));
        let text = ("text".to_owned(), serde_json::json!("long ".repeat(30)));
        [text].into_iter().chain(fields).collect::<serde_json::Map<_, _>>()
    };
    folder.write("wide.trv", (0..5).map(row));
    for columns in [60, 100] {
        let args = ["--color", "never", "-c", "SELECT * FROM 'wide.trv'"];
        let (text, code) = Terminal::start(&folder, columns, &args).ends();
        assert_eq!(code, Some(0), "{text}");
        let text = text.replace("\r\n", "\n");
        let lines: Vec<&str> = text.lines().collect();
        let wide = |line: &&str| line.chars().count() > columns.into();
        assert!(!lines.iter().any(wide), "{text}");
        assert!(
            text.contains('…') && text.contains(" more columns: name some, or --format json\n"),
            "{text}"
        );
        assert!(lines.last().unwrap().starts_with("5 rows in "), "{text}");
    }
}

#[test]
fn ctrl_c_stops_a_query_and_keeps_the_shell() {
    let folder = Folder::with_flights();
    let mut terminal = Terminal::start(&folder, 100, &["--progress-after", "0"]);
    terminal.prompts(1);
    terminal.press("CREATE VIEW v AS SELECT 42 AS answer;\r");
    terminal.prompts(2);
    terminal.press(&format!("{LONG}\r"));
    // It runs when its progress is shown.
    terminal.waits(|lines| lines.iter().any(|line| line.contains("reading")));
    terminal.press("\x03");
    let lines = terminal.prompts(3);
    assert!(lines.iter().any(|line| line.ends_with("interrupted")), "{lines:#?}");
    // What was there is still there.
    terminal.press("SELECT * FROM v;\r");
    assert!(terminal.prompts(4).iter().any(|line| line.trim() == "42"));
    terminal.press("\x04");
    assert_eq!(terminal.ends().1, Some(0));
}

#[test]
fn ctrl_c_at_the_prompt_clears_the_line_and_ends_at_the_second_time() {
    let folder = Folder::new();
    let mut terminal = Terminal::start(&folder, 80, &[]);
    terminal.prompts(1);
    terminal.press("SELECT 'half");
    terminal.waits(|lines| lines.last().is_some_and(|line| line.ends_with("half")));
    terminal.press("\x03");
    let lines = terminal.prompts(2);
    assert!(lines.iter().any(|line| line.starts_with("Ctrl-C again ends")), "{lines:#?}");
    terminal.press("SELECT 7 AS n;\r");
    assert!(terminal.prompts(3).iter().any(|line| line.trim() == "7"));
    terminal.press("\x03");
    terminal.prompts(4);
    terminal.press("\x03");
    assert_eq!(terminal.ends().1, Some(0));
}

#[test]
fn what_was_typed_is_remembered_unless_it_is_not_to_be() {
    let folder = Folder::new();
    let session = |args: &[&str], keys: &str| {
        let mut terminal = Terminal::start(&folder, 80, args);
        terminal.prompts(1);
        terminal.press(keys);
        let lines = terminal.prompts(2);
        terminal.press("\x04");
        assert_eq!(terminal.ends().1, Some(0));
        lines
    };
    session(&["--no-history"], "SELECT 1 AS secret;\r");
    assert!(!folder.path("state").exists());
    session(&[], "SELECT 'two\r lines' AS t;\r");
    let history = std::fs::read_to_string(folder.path("state/trevni/sql_history")).unwrap();
    assert!(history.contains("two") && !history.contains("secret"), "{history}");
    // Another shell has it with the key up, in one piece.
    let lines = session(&[], "\x1b[A\r");
    assert!(lines.iter().any(|line| line.contains("two\\n lines")), "{lines:#?}");
    let lines = session(&["--no-history"], "\x1b[ASELECT 3 AS n;\r");
    assert!(lines.iter().any(|line| line.trim() == "3"), "{lines:#?}");
}

#[test]
fn tab_completes_keywords_tables_columns_and_paths() {
    let folder = Folder::with_flights();
    let mut terminal = Terminal::start(&folder, 100, &[]);
    terminal.prompts(1);
    terminal.press("CREATE EXTERNAL TABLE journeys STORED AS TREVNI LOC\t 'fli\t';\r");
    let lines = terminal.prompts(2);
    assert!(lines.iter().any(|line| line == "table journeys: 5 columns"), "{lines:#?}");
    terminal.press("SELECT max(dep_d\t) AS most FROM jour\t;\r");
    let lines = terminal.prompts(3);
    assert!(lines.iter().any(|line| line.trim() == "119.75"), "{lines:#?}");
    terminal.press("\\q\r");
    assert_eq!(terminal.ends().1, Some(0));
}

#[test]
fn progress_is_for_terminals() {
    let folder = Folder::with_flights();
    let sql = "SELECT count(stops) AS n FROM 'flights.trv' x, generate_series(1, 300000) y WHERE x.flight % 3 = y.value % 2 + 5";
    let args = ["--progress-after", "0", "-c", sql];
    let (text, code) = Terminal::start(&folder, 80, &args).ends();
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("reading") && text.contains("rows"), "{text:?}");
    for quiet in ["-q", "--no-progress"] {
        let (text, code) = Terminal::start(&folder, 80, &[&args[..], &[quiet]].concat()).ends();
        assert_eq!(code, Some(0));
        assert!(!text.contains("reading"), "{text:?}");
        assert_eq!(text.contains("1 row in "), quiet != "-q", "{text:?}");
    }
    // Elsewhere there is none.
    folder.prints(&args);
}

#[test]
fn no_data_steers_the_terminal() {
    let folder = Folder::new();
    let text = "red \x1b[31m back\r\x08 \u{202e}right\u{9b}2J";
    folder.write("rows.trv", [serde_json::json!({"name": text, text: ["é日本", text]})]);
    for format in ["table", "json", "csv"] {
        let args = ["--color", "never", "-q", "--format", format, "-c", "SELECT * FROM 'rows.trv'"];
        let (shown, code) = Terminal::start(&folder, 500, &args).ends();
        let shown = shown.replace("\r\n", "\n");
        assert_eq!(code, Some(0), "{shown}");
        let steers = |c: char| c.is_control() && c != '\n' && c != '\t' || "\u{202e}".contains(c);
        assert!(!shown.contains(steers), "{format}: {shown:?}");
        assert!(shown.contains("\\u001b[31m") && shown.contains("é日本"), "{format}: {shown:?}");
    }
}

/// Hundredths of a second that the program in a terminal has computed.
#[cfg(target_os = "linux")]
fn computed(terminal: &Terminal) -> u64 {
    let own = terminal.child.id().to_string();
    let children = std::fs::read_to_string(format!("/proc/{own}/task/{own}/children")).unwrap_or_default();
    // It may have become the program.
    let child = children.split_whitespace().next().unwrap_or(&own);
    let text = std::fs::read_to_string(format!("/proc/{child}/stat")).unwrap_or_default();
    let fields = text.rsplit_once(')').map(|(_, rest)| rest.split_whitespace().collect::<Vec<_>>());
    fields.and_then(|fields| fields.get(11)?.parse().ok()).unwrap_or(0)
}

/// Joins that make very many rows of a few, for which no scan is asked, and of which none comes out.
#[cfg(target_os = "linux")]
#[test]
fn ctrl_c_stops_a_join_of_a_few_rows() {
    let folder = Folder::new();
    let mut shell = Terminal::start(&folder, 200, &["--no-progress"]);
    shell.prompts(1);
    for (number, condition) in
        ["a.value + b.value < 0", "a.value % 2 = b.value % 2 AND a.value + b.value < 0"].iter().enumerate()
    {
        let begun = computed(&shell);
        let series = "generate_series(1, 300000)";
        shell.press(&format!("SELECT count(*) FROM {series} a JOIN {series} b ON {condition};\r"));
        let start = Instant::now();
        while computed(&shell) < begun + 100 && start.elapsed() < PATIENCE {
            std::thread::sleep(Duration::from_millis(20));
        }
        shell.press("\x03");
        shell.prompts(2 * number + 2);
        // Nothing goes on behind the prompt.
        let before = computed(&shell);
        std::thread::sleep(Duration::from_millis(500));
        let more = computed(&shell) - before;
        assert!(more < 20, "{condition}: {more}");
        shell.press("SELECT 1 AS one;\r");
        shell.prompts(2 * number + 3);
    }
}
