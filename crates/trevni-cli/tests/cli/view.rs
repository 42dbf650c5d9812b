//! `trevni view` in a terminal: keys go in, and what the terminal shows is looked at.

use crate::terminal::start;
use crate::{Folder, flights};
use pty_process::Size;
use pty_process::blocking::Pty;
use std::io::{Read, Write};
use std::num::NonZero;
use std::process::Child;
use std::sync::{Arc, Condvar, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How long a screen is waited for, before the test fails: no limit that a slow machine would reach.
const PATIENCE: Duration = Duration::from_secs(60);

/// The program in a terminal, whose screen another thread keeps.
struct Terminal {
    pty: Arc<Pty>,
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
    fn start(
        folder: &Folder,
        (columns, lines): (u16, u16),
        args: &[&str],
        environment: &[(&str, &str)],
    ) -> Self {
        let args = [&["view"], args].concat();
        let (pty, child) = start(folder, (columns, lines), &args, environment);
        let pty = Arc::new(pty);
        let parser = vt100::Parser::new(sized(lines), sized(columns), 0);
        let shown = Arc::new((Mutex::new(Shown { parser, bytes: Vec::new(), ended: false }), Condvar::new()));
        let (from, to) = (Arc::clone(&pty), Arc::clone(&shown));
        let reading = std::thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(count @ 1..) = (&*from).read(&mut buffer) {
                let mut shown = to.0.lock().unwrap();
                shown.parser.process(&buffer[..count]);
                shown.bytes.extend_from_slice(&buffer[..count]);
                to.1.notify_all();
            }
            to.0.lock().unwrap().ended = true;
            to.1.notify_all();
        });
        Self { pty, child, shown, reading: Some(reading) }
    }

    fn press(&self, keys: &str) {
        (&*self.pty).write_all(keys.as_bytes()).unwrap();
    }

    /// Waits until the screen is as is wanted, and returns its lines.
    #[track_caller]
    fn waits(&self, wanted: impl Fn(&[String]) -> bool) -> Vec<String> {
        let end = Instant::now() + PATIENCE;
        let mut shown = self.shown.0.lock().unwrap();
        loop {
            let screen = shown.parser.screen();
            let lines: Vec<String> =
                screen.contents().lines().map(|line| line.trim_end().to_owned()).collect();
            if wanted(&lines) {
                return lines;
            }
            let left = end.saturating_duration_since(Instant::now());
            assert!(!left.is_zero() && !shown.ended, "\n{}", lines.join("\n"));
            shown = self.shown.1.wait_timeout(shown, left).unwrap().0;
        }
    }

    /// Waits until a text is on the screen.
    #[track_caller]
    fn shows(&self, text: &str) -> Vec<String> {
        self.waits(|lines| lines.iter().any(|line| line.contains(text)))
    }

    fn signal(&self, name: &str) {
        let kill =
            std::process::Command::new("kill").args(["-s", name, &self.child.id().to_string()]).status();
        assert!(kill.unwrap().success());
    }

    /// Waits for the end: the exit code, and all that was written. The terminal is as it was.
    #[track_caller]
    fn ends(mut self) -> (Option<i32>, String) {
        let code = self.child.wait().unwrap().code();
        self.reading.take().unwrap().join().unwrap();
        let shown = self.shown.0.lock().unwrap();
        let screen = shown.parser.screen();
        assert!(!screen.alternate_screen() && !screen.hide_cursor() && !screen.bracketed_paste());
        assert_eq!(screen.mouse_protocol_mode(), vt100::MouseProtocolMode::None);
        (code, String::from_utf8_lossy(&shown.bytes).into_owned())
    }
}

const SIZE: (u16, u16) = (80, 10);

#[test]
fn rows_are_scrolled_searched_filtered_and_sorted() {
    let folder = Folder::with_flights();
    let terminal = Terminal::start(&folder, SIZE, &["flights.trv"], &[]);
    let screen = terminal.shows("row 1 of 1,000");
    assert_eq!(screen[0], "      flight  carrier  dep_delay  from.airport  from.gate  stops");
    assert_eq!(screen[3], "   2       1  B6          -4.875  JFK                   1  [\"S0\"]");
    terminal.press("\x1b[6~\x1b[B");
    terminal.shows("row 9 of 1,000");
    terminal.press("500\r");
    assert!(terminal.shows("row 500 of 1,000")[2].starts_with(" 500     499  B6"));
    terminal.press("/119.7\r");
    terminal.shows("row 999 of 1,000");
    // Completed: dep_delay.
    terminal.press("fdep\t > 119.5\r");
    terminal.shows("row 999, 2 rows of 1,000");
    terminal.press("s");
    terminal.shows("dep_delay↑");
    terminal.press("s");
    assert!(terminal.shows("dep_delay↓")[2].starts_with(" 999     998"));
    terminal.press("f)\r");
    terminal.shows("expression, character");
    terminal.press("\x1b");
    terminal.shows("2 rows of");
    terminal.press("\r");
    assert_eq!(terminal.shows("Esc back")[0], "row 999");
    terminal.press("q");
    terminal.shows("2 rows of");
    terminal.press("i");
    terminal.shows("statistics of the rows shown");
    terminal.press("q");
    terminal.shows("2 rows of");
    terminal.press("?");
    terminal.shows("go to a row by number");
    terminal.press("qq");
    assert_eq!(terminal.ends().0, Some(0));
}

#[test]
fn rows_are_written_in_the_format_of_a_name() {
    let folder = Folder::with_flights();
    let terminal = Terminal::start(&folder, SIZE, &["flights.trv", "-w", "flight < 3"], &[]);
    terminal.shows("3 rows of 1,000");
    for name in ["out.jsonl", "out.trv"] {
        terminal.press(&format!("w{name}\r"));
        terminal.shows(&format!("{name}: 3 rows"));
    }
    terminal.press("q");
    assert_eq!(terminal.ends().0, Some(0));
    let text = std::fs::read_to_string(folder.path("out.jsonl")).unwrap();
    assert_eq!(folder.prints(&["cat", "out.trv"]), text);
    assert_eq!(text.lines().count(), 3, "{text}");
}

#[test]
fn terminals_are_resized_and_may_be_tiny() {
    let folder = Folder::with_flights();
    let terminal = Terminal::start(&folder, (100, 20), &["flights.trv", "-c", "carrier,flight"], &[]);
    assert_eq!(terminal.shows("row 1 of")[0], "      carrier  flight");
    terminal.shown.0.lock().unwrap().parser = vt100::Parser::new(sized(5), sized(18), 0);
    terminal.pty.resize(Size::new(5, 18)).unwrap();
    let screen = terminal.waits(|lines| lines.len() == 5 && lines[4].starts_with("1/1,000"));
    assert_eq!(screen[..2], ["carrier  flight", "AA            0"]);
    terminal.press("q");
    // The parser is new, so that it does not know of the other screen.
    let mut terminal = terminal;
    assert_eq!(terminal.child.wait().unwrap().code(), Some(0));
}

#[test]
fn the_terminal_is_as_it_was_whatever_ends_the_viewer() {
    let folder = Folder::with_flights();
    for (signal, code) in [("TERM", 143), ("HUP", 129), ("INT", 130)] {
        let terminal = Terminal::start(&folder, SIZE, &["flights.trv"], &[]);
        terminal.shows("row 1 of");
        terminal.signal(signal);
        let (ended, text) = terminal.ends();
        assert_eq!(ended, Some(code), "{signal}");
        assert!(!text.contains("error"), "{text:?}");
    }
    let terminal = Terminal::start(&folder, SIZE, &["flights.trv"], &[]);
    terminal.shows("row 1 of");
    terminal.press("\x03");
    assert_eq!(terminal.ends().0, Some(130));
}

#[test]
fn no_cell_steers_the_terminal() {
    let folder = Folder::new();
    let hostile = "\x1b]0;title\x07\x1b[2J\x1b[31mred\u{9b}5n\r\n\u{202e}x";
    let row = serde_json::json!({"safe": 1, hostile: hostile, "list": [hostile, {hostile: hostile}]});
    folder.write("rows.trv", [&row]);
    let terminal = Terminal::start(&folder, (60, 12), &["rows.trv"], &[("NO_COLOR", "1")]);
    terminal.shows("row 1 of 1");
    for (keys, text) in [
        ("\x1b[F", "row 1 of 1"),
        ("v", "Enter folds"),
        ("q", "row 1 of 1"),
        ("\r", "other rows"),
        ("q", "row 1 of 1"),
        ("\x1b[Di", "distinct"),
        ("q", "row 1 of 1"),
        ("f\x1b[200~\u{9b}2J\u{202e}\x1b[201~\r", "expression"),
    ] {
        terminal.press(keys);
        terminal.shows(text);
    }
    terminal.press("\x1b");
    terminal.shows("row 1 of 1");
    terminal.press("q");
    let (code, text) = terminal.ends();
    assert_eq!(code, Some(0));
    for bad in ["\x1b]", "\x1b[2Jb", "\x1b[31m", "\u{9b}", "\u{202e}", "\x07"] {
        assert!(!text.contains(bad), "{bad:?} in {text:?}");
    }
}

#[test]
fn only_ascii_is_drawn_where_the_locale_has_no_more() {
    let folder = Folder::with_flights();
    let terminal = Terminal::start(&folder, (40, 12), &["flights.trv"], &[("LC_ALL", "C")]);
    terminal.shows("row 1");
    for (keys, text) in
        [("s", "flight^"), ("i", "#####"), ("q", "flight^"), ("\r", "- from"), ("q", "flight^")]
    {
        terminal.press(keys);
        terminal.shows(text);
    }
    terminal.press("q");
    let (code, text) = terminal.ends();
    assert!(code == Some(0) && text.is_ascii(), "{text:?}");
}

#[test]
fn elsewhere_than_on_a_terminal_it_says_so() {
    let folder = Folder::new();
    folder.write("flights.trv", flights(3));
    let output = folder.trevni(&["view", "flights.trv"]).output().unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert!(error.starts_with("error: view needs a terminal\n") && error.contains("trevni head"), "{error}");
}

#[test]
fn what_cannot_be_opened_or_asked_for_is_said_before_the_screen() {
    let folder = Folder::with_flights();
    std::fs::write(folder.path("rows.txt"), "no columns\n").unwrap();
    for (args, code, said) in [
        (&["rows.txt"][..], 3, "rows.txt is not a Trevni file"),
        (&["flights.trv", "-w", "nothing > 1"], 2, "no field"),
        (&["flights.trv", "-c", "nothing"], 2, "no field"),
    ] {
        let (ended, text) = Terminal::start(&folder, SIZE, args, &[]).ends();
        assert_eq!(ended, Some(code), "{text}");
        assert!(text.contains(said) && !text.contains("\x1b[?1049h"), "{text:?}");
    }
}
