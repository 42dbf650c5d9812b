//! Files of one tool are one table, whatever was in their rows.

use crate::Folder;

#[test]
fn months_with_other_types_are_merged() {
    let folder = Folder::new();
    let months = [
        ("jan", "d,v,note\n2024-01-01,1,\n2024-01-02,2,\n"),
        ("feb", "d,v,note,extra\n2024-02-01,1.5,a,true\n"),
        ("mar", "note,d,v\n,2024-03-01,\n"),
    ];
    for (month, rows) in months {
        std::fs::write(folder.path(&format!("{month}.csv")), rows).unwrap();
        folder.prints(&["-q", "convert", &format!("{month}.csv"), "-o", &format!("{month}.trv")]);
    }
    let orders = [["jan.trv", "feb.trv", "mar.trv"], ["mar.trv", "jan.trv", "feb.trv"]];
    for order in orders {
        let args = [&["-q", "merge"], &order[..], &["-o", "all.trv", "--force"]].concat();
        folder.prints(&args);
        folder.prints(&["verify", "all.trv"]);
        assert_eq!(folder.prints(&["count", "all.trv"]).trim(), "4");
        let sum = folder.prints(&[
            "query",
            "all.trv",
            "-a",
            "sum(v)",
            "-a",
            "count(v)",
            "-a",
            "count(extra)",
            "-f",
            "csv",
        ]);
        assert!(sum.ends_with("4.5,3,1\n"), "{sum}");
        let days = folder.prints(&[
            "query",
            "all.trv",
            "-c",
            "d",
            "-w",
            "d >= '2024-02-01'",
            "-s",
            "d",
            "-f",
            "csv",
        ]);
        assert_eq!(days, "d\n2024-02-01\n2024-03-01\n");
    }
}
