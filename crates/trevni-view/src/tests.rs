//! The viewer without a terminal: keys go to the model, and screens are texts.

use super::draw::{Paint, draw};
use super::model::Model;
use super::table::Table;
use crate::failure::Failure;
use crate::input::DataFile;
use crate::rows::{Printer, RowFormat, Style, fields_of_all};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{
    Event, KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use tempfile::TempDir;
use trevni::Reader;

/// Writes rows as CSV; the program has all formats.
fn write(rows: &[(Reader<'static>, String)], output: &Path) -> Result<u64, Failure> {
    let style =
        Style { header: true, null: String::new(), stored: false, paint: crate::rows::Paint::default() };
    let fields = fields_of_all(rows.iter().map(|(reader, _)| reader.shape()), None);
    let (mut printer, mut count) = (Printer::new(RowFormat::Csv, fields, &style), 0);
    let mut out = crate::output::Output::new(Some(output), false)?;
    for (reader, _) in rows {
        printer.turn_to(reader, None);
        for batch in reader.batches().unwrap() {
            let batch = batch.unwrap();
            printer.batch(&batch, usize::MAX, &mut out).unwrap();
            count += batch.len() as u64;
        }
    }
    printer.finish(&mut out).unwrap();
    out.finish().map(|()| count)
}

/// A viewer of files in a folder of its own.
struct Viewer {
    model: Model,
    _folder: TempDir,
}

impl Viewer {
    fn of(files: &[Vec<Value>], size: (u16, u16)) -> Self {
        let folder = TempDir::new().unwrap();
        let paths: Vec<PathBuf> = files
            .iter()
            .enumerate()
            .map(|(number, rows)| {
                let path = folder.path().join(format!("{number}.trv"));
                let mut writer = trevni::Writer::builder().block_size(500).create(&path).unwrap();
                writer.write_all(rows).unwrap();
                writer.finish().unwrap();
                path
            })
            .collect();
        let files: Vec<DataFile> = paths.iter().map(|path| DataFile::from(path.as_path())).collect();
        let table = Table::open(&files).unwrap();
        let mut model = super::model(table, super::name(&files), &[], None, write).unwrap();
        model.size = size;
        Self { model, _folder: folder }
    }

    /// Presses keys: characters, or names in `<>`. Work is done to its end.
    fn press(&mut self, keys: &str) -> &mut Self {
        let mut rest = keys;
        while let Some(c) = rest.chars().next() {
            let name = rest.strip_prefix('<').and_then(|name| name.split_once('>'));
            let (code, after) = match name.and_then(|(name, after)| Some((named(name)?, after))) {
                Some(named) => named,
                None => (KeyCode::Char(c), &rest[c.len_utf8()..]),
            };
            self.event(Event::Key(KeyEvent::new(code, KeyModifiers::NONE)));
            rest = after;
        }
        self
    }

    fn event(&mut self, event: Event) {
        self.model.prepare();
        self.model.handle(event);
        while self.model.job.is_some() {
            self.model.step();
        }
    }

    fn click(&mut self, x: u16, y: u16) -> &mut Self {
        let kind = MouseEventKind::Down(MouseButton::Left);
        self.event(Event::Mouse(MouseEvent { kind, column: x, row: y, modifiers: KeyModifiers::NONE }));
        self
    }

    fn buffer(&mut self) -> Buffer {
        self.model.prepare();
        let (columns, lines) = self.model.size;
        let mut terminal = Terminal::new(TestBackend::new(columns, lines)).unwrap();
        terminal.draw(|frame| draw(frame, &self.model, &Paint::new(true))).unwrap();
        terminal.backend().buffer().clone()
    }

    /// The lines of the screen, without spaces at their ends.
    fn screen(&mut self) -> Vec<String> {
        let buffer = self.buffer();
        let line = |y: u16| {
            let mut text = String::new();
            let mut x = 0;
            while x < buffer.area.width {
                let symbol = buffer[(x, y)].symbol();
                text.push_str(symbol);
                x += unicode_width::UnicodeWidthStr::width(symbol).max(1) as u16;
            }
            text.trim_end().to_owned()
        };
        (0..buffer.area.height).map(line).collect()
    }

    #[track_caller]
    fn shows(&mut self, expected: &[&str]) -> &mut Self {
        let screen = self.screen();
        assert_eq!(screen, expected, "\n{}", screen.join("\n"));
        self
    }

    fn last(&mut self) -> String {
        self.screen().pop().unwrap()
    }
}

fn named(name: &str) -> Option<KeyCode> {
    Some(match name {
        "enter" => KeyCode::Enter,
        "esc" => KeyCode::Esc,
        "tab" => KeyCode::Tab,
        "up" => KeyCode::Up,
        "down" => KeyCode::Down,
        "left" => KeyCode::Left,
        "right" => KeyCode::Right,
        "home" => KeyCode::Home,
        "end" => KeyCode::End,
        "pgdn" => KeyCode::PageDown,
        "back" => KeyCode::Backspace,
        _ => return None,
    })
}

fn flights(count: u64) -> Vec<Value> {
    let carriers = ["AA", "B6", "DL"];
    let flight = |n: u64| {
        json!({
            "flight": n,
            "carrier": carriers[n as usize % 3],
            "dep_delay": if n % 10 == 9 { Value::Null } else { json!(n as f64 / 8.0 - 5.0) },
            "from": {"airport": "JFK", "gate": n % 40},
            "stops": (0..n % 3).map(|stop| format!("S{stop}")).collect::<Vec<_>>(),
        })
    };
    (0..count).map(flight).collect()
}

fn viewer() -> Viewer {
    Viewer::of(&[flights(1000)], (80, 9))
}

#[test]
fn a_table_has_a_header_numbers_and_hints() {
    viewer().shows(&[
        "      flight  carrier  dep_delay  from.airport  from.gate  stops",
        "       int64  string    float64?  string            int64  list<string>",
        "   1       0  AA            -5.0  JFK                   0  []",
        "   2       1  B6          -4.875  JFK                   1  [\"S0\"]",
        "   3       2  DL           -4.75  JFK                   2  [\"S0\",\"S1\"]",
        "   4       3  AA          -4.625  JFK                   3  []",
        "   5       4  B6            -4.5  JFK                   4  [\"S0\"]",
        "   6       5  DL          -4.375  JFK                   5  [\"S0\",\"S1\"]",
        "0.trv  row 1 of 1,000      ? help  q quit  / search  f filter  s sort  Enter row",
    ]);
}

#[test]
fn any_row_is_there_by_its_number() {
    let mut viewer = viewer();
    viewer.press("500<enter>");
    assert!(viewer.screen()[2].starts_with(" 500     499  B6"), "{:?}", viewer.screen());
    assert!(viewer.last().starts_with("0.trv  row 500 of 1,000"));
    viewer.press("G");
    assert!(viewer.screen()[7].starts_with("1000     999  AA"), "{:?}", viewer.screen());
    viewer.press(":1001<enter>");
    assert_eq!(viewer.screen()[7], "rows are numbered from 1 to 1,000");
    viewer.press("<back><back><back><back>7<enter><down><down>");
    assert!(viewer.last().starts_with("0.trv  row 9 of"));
    viewer.press("g<up>");
    assert!(viewer.last().starts_with("0.trv  row 1 of"));
}

#[test]
fn searches_go_on_and_round() {
    let mut viewer = viewer();
    viewer.press("/124.8<enter>");
    assert_eq!((viewer.model.cursor.row, viewer.model.cursor.column), (0, 0));
    assert_eq!(viewer.last(), "not found");
    viewer.press("/12.75<enter>");
    // -12.75 is none of them.
    assert_eq!((viewer.model.cursor.row, viewer.model.cursor.column), (142, 2));
    viewer.press("n");
    assert_eq!(viewer.model.cursor.row, 942);
    viewer.press("n");
    assert_eq!(viewer.model.cursor.row, 142);
    viewer.press("N");
    assert_eq!(viewer.model.cursor.row, 942);
    viewer.press("g<home>/s1<enter>");
    assert_eq!((viewer.model.cursor.row, viewer.model.cursor.column), (2, 5));
    viewer.press("NN");
    assert_eq!((viewer.model.cursor.row, viewer.model.cursor.column), (995, 5));
    viewer.press("/S1X<enter>");
    assert_eq!(viewer.last(), "not found");
    // In one row: to the right, then round.
    let mut one = Viewer::of(&[vec![json!({"a": "x", "b": "y", "c": "x"})]], (40, 8));
    one.press("/x<enter>");
    assert_eq!(one.model.cursor.column, 2);
    one.press("n");
    assert_eq!(one.model.cursor.column, 0);
    one.press("NN");
    assert_eq!(one.model.cursor.column, 0);
}

#[test]
fn filters_are_completed_and_errors_shown_in_place() {
    let mut viewer = viewer();
    viewer.press("fdep<tab> > 60 and fl<tab> > 990<enter>");
    viewer.shows(&[
        "      flight  carrier  dep_delay  from.airport  from.gate  stops",
        "       int64  string    float64?  string            int64  list<string>",
        " 992     991  B6         118.875  JFK                  31  [\"S0\"]",
        " 993     992  DL           119.0  JFK                  32  [\"S0\",\"S1\"]",
        " 994     993  AA         119.125  JFK                  33  []",
        " 995     994  B6          119.25  JFK                  34  [\"S0\"]",
        " 996     995  DL         119.375  JFK                  35  [\"S0\",\"S1\"]",
        " 997     996  AA           119.5  JFK                  36  []",
        "0.trv  row 992, 8 rows of 1,000   ? help  q quit  f changes the filter  / search",
    ]);
    viewer.press("f<back><back><back>no<enter>");
    let screen = viewer.screen();
    assert!(screen[7].contains("no field \"no\""), "{screen:?}");
    assert_eq!(screen[8], "filter: dep_delay > 60 and flight > no");
    viewer.press("<esc>f");
    for _ in 0..40 {
        viewer.press("<back>");
    }
    assert!(viewer.last().starts_with("0.trv  row 992, 8 rows"), "an empty line is left");
    let mut none = self::viewer();
    none.press("fflight < 0<enter>");
    assert_eq!(none.screen()[2], "no rows match");
    none.press("<enter>vi<esc>s/x<enter>n<pgdn>G");
    assert_eq!(none.screen()[2], "no rows match");
}

#[test]
fn choices_are_above_the_line() {
    let mut viewer = viewer();
    viewer.press("ffrom.<tab>");
    let screen = viewer.screen();
    assert_eq!(screen[7..], ["from.airport  from.gate", "filter: from."]);
    viewer.press("<tab><tab>");
    assert_eq!(viewer.last(), "filter: from.gate");
}

#[test]
fn a_column_sorts_up_down_and_not() {
    let mut viewer = viewer();
    viewer.press("<right><right>s");
    assert!(viewer.screen()[0].contains("dep_delay↑"), "{:?}", viewer.screen());
    assert!(viewer.screen()[2].starts_with("   1       0  AA             -5.0"), "{:?}", viewer.screen());
    viewer.press("s");
    assert!(viewer.screen()[2].starts_with(" 999     998  DL           119.75"), "{:?}", viewer.screen());
    // Nulls are last either way.
    viewer.press("G");
    assert!(viewer.screen()[7].starts_with("1000     999  AA             null"), "{:?}", viewer.screen());
    viewer.press("g/b6<enter>");
    assert_eq!(viewer.number(), 997);
    viewer.press("<end><left><left>s");
    assert!(viewer.screen()[0].contains("from.airport") && viewer.model.sort.is_some());
    viewer.press("ss");
    assert!(viewer.model.sort.is_none());
    assert!(viewer.screen()[2].starts_with("   1       0"), "{:?}", viewer.screen());
    viewer.press("<end>s");
    assert_eq!(viewer.last(), "stops is a list, which has no order");
}

impl Viewer {
    /// The number of the row of the cursor.
    fn number(&mut self) -> u64 {
        self.model.prepare();
        self.model.number(self.model.cursor.row).unwrap()
    }
}

#[test]
fn rows_and_cells_are_trees() {
    let mut viewer = viewer();
    viewer.press("3<enter><enter>").shows(&[
        "row 3",
        "  flight     2",
        "  carrier    DL",
        "  dep_delay  -4.75",
        "▾ from       2 fields",
        "    airport  JFK",
        "    gate     2",
        "▾ stops      2 items",
        "                                    Esc back  left/right other rows  Enter folds",
    ]);
    viewer.press("<down><down><down><enter>");
    assert_eq!(viewer.screen()[4..6], ["▸ from       2 fields", "▾ stops      2 items"]);
    viewer.press("<right>");
    assert_eq!(viewer.screen()[..2], ["row 4", "  flight     3"]);
    viewer.press("<left><left><esc><end>v");
    assert_eq!(viewer.screen()[..2], ["row 2, stops", "  [0]   S0"]);
}

#[test]
fn statistics_have_a_histogram() {
    let mut viewer = viewer();
    viewer.model.size = (60, 24);
    viewer.press("<right><right>i");
    let screen = viewer.screen();
    let expected =
        ["dep_delay: statistics of the rows shown", "type             float64?", "values           1,000"];
    assert_eq!(screen[..3], expected, "\n{}", screen.join("\n"));
    assert!(screen[3].ends_with("100 (10.00%)"), "\n{}", screen.join("\n"));
    let bars: Vec<&String> = screen.iter().filter(|line| line.contains('█')).collect();
    assert!(bars.len() > 10, "\n{}", screen.join("\n"));
    viewer.press("<esc><left>i");
    let screen = viewer.screen();
    assert!(
        screen.iter().any(|line| line.starts_with("AA ") && line.contains("334")),
        "\n{}",
        screen.join("\n")
    );
}

#[test]
fn columns_are_hidden_and_scrolled() {
    let mut viewer = viewer();
    viewer.model.size = (30, 8);
    viewer.shows(&[
        "      flight  carrier  dep_de…",
        "       int64  string   float6…",
        "   1       0  AA          -5.0",
        "   2       1  B6        -4.875",
        "   3       2  DL         -4.75",
        "   4       3  AA        -4.625",
        "   5       4  B6          -4.5",
        "1/1,000         ? help  q quit",
    ]);
    viewer.press("-<end>");
    assert!(viewer.screen()[0].ends_with("stops"), "{:?}", viewer.screen());
    viewer.press("<home>");
    assert_eq!(viewer.screen()[0], "      carrier  dep_delay");
    viewer.press("+");
    assert_eq!(viewer.model.columns.len(), 6);
    for _ in 0..9 {
        viewer.press("-");
    }
    assert_eq!((viewer.model.columns.len(), viewer.last().as_str()), (1, "the last column stays"));
}

#[test]
fn small_screens_work() {
    let mut viewer = viewer();
    viewer.model.size = (18, 5);
    viewer.shows(&["flight  carrier", "     0  AA", "     1  B6", "     2  DL", "1/1,000     ? help"]);
    // No screen is too small, whatever is pressed.
    let keys = [
        "", "?", "<esc>", "<enter>", "<down>", "<esc>", "i", "G", "<esc>", "/x", "<enter>", "fno = 1",
        "<enter>", "<tab>", "<esc>", "s", "v", "<esc>", "<end>", "-", ":99999", "<enter>", "<esc>",
    ];
    for columns in 1..26 {
        for lines in 1..7 {
            viewer.model.size = (columns, lines);
            for key in keys {
                viewer.press(key);
                assert_eq!(viewer.screen().len(), usize::from(lines));
            }
        }
    }
}

#[test]
fn wide_characters_are_aligned_and_hostile_cells_are_shown() {
    let rows = vec![
        json!({"名前": "日本語", "n": 1, "x\u{1b}]0;t\u{7}": "a\u{1b}[2Jb\r\n\u{202e}c"}),
        json!({"名前": "é", "n": 22, "x\u{1b}]0;t\u{7}": "\u{9b}31m"}),
    ];
    let mut viewer = Viewer::of(&[rows], (70, 7));
    viewer.shows(&[
        "   名前        n  x\\u001b]0;t\\u0007",
        "   string  int64  string",
        "1  日本語      1  a\\u001b[2Jb\\r\\n\\u202ec",
        "2  é          22  \\u009b31m",
        "",
        "",
        "0.trv  row 1 of 2           ? help  q quit  / search  f filter  s sort",
    ]);
    let steers = |c: char| c.is_control() || c == '\u{202e}';
    for keys in ["", "<enter>", "<esc><end>v", "<esc>i", "<esc>f\u{202e}", "<tab>", "<enter>"] {
        viewer.press(keys);
        let screen = viewer.screen();
        assert!(!screen.concat().contains(steers), "{keys}: {screen:?}");
    }
}

#[test]
fn several_files_are_one_table() {
    let files = [flights(10), vec![json!({"flight": 10, "late": true})], flights(3)];
    let mut viewer = Viewer::of(&files, (90, 9));
    viewer.press(":10<enter>");
    let screen = viewer.screen();
    assert!(screen[8].starts_with("3 files  row 10 of 14"), "{screen:?}");
    assert!(screen[4].starts_with("11      10  null"), "{screen:?}");
    viewer.press("<home>s");
    assert!(viewer.screen()[2].starts_with(" 1        0"), "{:?}", viewer.screen());
    assert!(viewer.screen()[3].starts_with("12        0"), "{:?}", viewer.screen());
    viewer.press("fflight >= 9 or late<enter>");
    assert_eq!((viewer.model.order.rows(), viewer.number()), (2, 9));
}

#[test]
fn empty_files_and_rows_without_fields_are_shown() {
    let mut viewer = Viewer::of(&[flights(0)], (60, 7));
    viewer.press("G<enter>vi<esc>s/x<enter>");
    assert!(viewer.screen().concat().contains("no rows"), "{:?}", viewer.screen());
    let mut viewer = Viewer::of(&[vec![json!("a"), json!("b")]], (60, 7));
    assert_eq!(viewer.screen()[..4], ["   value", "   string", "1  a", "2  b"]);
    viewer.press("sss<enter>");
    assert_eq!(viewer.screen()[..2], ["row 1", "  value  a"]);
}

#[test]
fn clicks_sort_and_open_and_the_wheel_scrolls() {
    let mut viewer = viewer();
    viewer.click(14, 0).click(14, 0);
    assert_eq!(viewer.model.sort, Some((1, true)));
    viewer.click(14, 0).click(14, 4);
    assert_eq!((viewer.model.sort, viewer.number()), (None, 2));
    viewer.click(14, 4);
    assert_eq!(viewer.screen()[0], "row 3");
    viewer.press("<esc>");
    let wheel =
        MouseEvent { kind: MouseEventKind::ScrollDown, column: 0, row: 0, modifiers: KeyModifiers::NONE };
    viewer.event(Event::Mouse(wheel));
    assert_eq!(viewer.number(), 5);
    viewer.click(79, 8).click(200, 200);
}

#[test]
fn work_is_cancelled_by_esc() {
    let mut viewer = viewer();
    viewer.model.prepare();
    for key in "fflight > 10".chars().map(KeyCode::Char).chain([KeyCode::Enter]) {
        viewer.model.handle(Event::Key(KeyEvent::new(key, KeyModifiers::NONE)));
    }
    assert!(viewer.model.job.is_some() && viewer.last().starts_with("filtering 0%  Esc cancels"));
    viewer.model.handle(Event::Key(KeyEvent::new(KeyCode::Esc, KeyModifiers::NONE)));
    assert!(viewer.model.job.is_none() && viewer.last() == "cancelled");
    assert_eq!(viewer.model.order.rows(), 1000);
}

/// Bytes in memory, of which it is counted what is read.
#[derive(Clone)]
struct Counting(std::sync::Arc<(Vec<u8>, std::sync::atomic::AtomicU64)>);

impl Counting {
    fn read(&self) -> u64 {
        self.0.1.load(std::sync::atomic::Ordering::Relaxed)
    }
}

impl trevni::Source for Counting {
    fn size(&self) -> std::io::Result<u64> {
        Ok(self.0.0.len() as u64)
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> std::io::Result<()> {
        self.0.1.fetch_add(buffer.len() as u64, std::sync::atomic::Ordering::Relaxed);
        trevni::Source::read_at(&self.0.0, offset, buffer)
    }
}

#[test]
fn only_what_is_on_the_screen_is_read() {
    let mut writer = trevni::Writer::builder().block_size(16 << 10).build(Vec::new()).unwrap();
    let column = |n: u64, column: u64| n.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(column as u32);
    writer
        .write_all((0..100_000u64).map(|n| [0, 7, 13, 21, 30, 41, 50, 60].map(|at| column(n, at))))
        .unwrap();
    let bytes = writer.finish().unwrap();
    let all = bytes.len() as u64;
    let source = Counting(std::sync::Arc::new((bytes, Default::default())));
    let reader = trevni::Reader::builder().shared(source.clone()).unwrap();
    let input = crate::input::Input { name: "rows.trv".into(), reader, bytes: all };
    let table = Table::of(crate::input::Several::of(vec![input]));
    let mut viewer = Viewer {
        model: super::model(table, "rows.trv".into(), &[], None, write).unwrap(),
        _folder: TempDir::new().unwrap(),
    };
    viewer.screen();
    let opened = source.read();
    assert!(all > 5_000_000 && opened < all / 20, "{opened} of {all} bytes");
    // Within what is read around the screen, nothing more is read.
    viewer.press("<down><down><pgdn>");
    assert!(viewer.last().contains("row 24 of 100,000"), "{}", viewer.last());
    assert_eq!(source.read(), opened);
    viewer.press("G");
    viewer.screen();
    assert!(source.read() < all / 10, "{} of {all} bytes", source.read());
}

#[test]
fn values_are_counted() {
    let mut viewer = viewer();
    viewer.press("<right>c");
    let screen = viewer.screen();
    assert_eq!(screen[0], "carrier: 3 different values in the rows shown", "{screen:?}");
    assert!(screen[1].starts_with("AA  334  ██") && screen[3].starts_with("DL  333  ██"), "{screen:?}");
    viewer.press("<esc>fflight < 5<enter>c");
    assert!(viewer.screen()[1].starts_with("AA  2  ██"));
}

#[test]
fn columns_stay_where_they_are_frozen() {
    let mut viewer = viewer();
    viewer.model.size = (40, 8);
    viewer.press("z");
    assert_eq!(viewer.last(), "1 column frozen; z again: none");
    viewer.press("<end>");
    let screen = viewer.screen();
    assert!(
        screen[0].contains("flight") && screen[0].contains("stops") && !screen[0].contains("carrier"),
        "{screen:?}"
    );
    viewer.press("<home>z");
    assert_eq!(viewer.last(), "no column is frozen");
    viewer.press("<end>");
    assert!(!viewer.screen()[0].contains("flight"));
}

#[test]
fn cells_are_copied_and_rows_are_written() {
    let mut viewer = viewer();
    viewer.press("<down><right>y");
    assert_eq!(viewer.model.copied.take().as_deref(), Some("B6"));
    let folder = tempfile::TempDir::new().unwrap();
    let path = folder.path().join("out.csv");
    viewer.press("fflight > 2 and flight < 5<enter><home><right><right>-");
    viewer.press(&format!("w{}<enter>", path.display()));
    assert!(viewer.last().ends_with("out.csv: 2 rows"), "{:?}", viewer.screen());
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.starts_with("flight,carrier,from.airport,from.gate,stops\n3,AA,JFK,3,"), "{text}");
    // Nothing is replaced, and what is wrong is said.
    viewer.press(&format!("w{}<enter>", path.display()));
    assert!(viewer.screen().concat().contains("already exists"), "{:?}", viewer.screen());
    viewer.press("<esc>wout.xyz<enter>");
    assert!(viewer.screen().concat().contains("no format has this ending"), "{:?}", viewer.screen());
}
