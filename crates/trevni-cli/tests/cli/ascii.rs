//! Where the locale is not UTF-8, all that is drawn is ASCII.

use crate::Folder;

#[test]
fn pictures_are_ascii_where_the_locale_has_no_more() {
    let folder = Folder::with_flights();
    let text = |args: &[&str], locale: &str| {
        let output = folder.trevni(args).env("LC_ALL", locale).output().unwrap();
        assert!(output.status.success(), "{args:?}");
        String::from_utf8([output.stdout, output.stderr].concat()).unwrap()
    };
    for args in [
        &["size", "flights.trv"][..],
        &["layout", "flights.trv"],
        &["layout", "flights.trv", "-c", "flight"],
        &["stats", "flights.trv"],
        &["schema", "flights.trv"],
        &["recode", "flights.trv", "-o", "out.trv", "--force"],
    ] {
        let drawn = text(args, "C.UTF-8");
        assert!(!drawn.is_ascii(), "{args:?}: {drawn}");
        for locale in ["C", "POSIX", "de_DE.ISO-8859-1"] {
            let plain = text(args, locale);
            assert!(plain.is_ascii() && plain.lines().count() == drawn.lines().count(), "{args:?}: {plain}");
        }
    }
    // Data is what it is.
    folder.write("texts.trv", ["\u{e9}\u{65e5}"]);
    assert!(text(&["cat", "texts.trv"], "C").contains("\u{e9}\u{65e5}"));
}
