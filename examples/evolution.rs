//! Version 2 of a type reads the files of version 1, and version 1 those of version 2.
//!
//! ```text
//! cargo run -p examples --bin evolution
//! ```
//!
//! **Parquet** matches columns by name too, but to widen, rename and fill in is the program's work or that of a table format
//! above it. **SQLite** has `ALTER TABLE`, which changes the file for all programs at once. In **CSV**, columns have an order
//! and no types, so each program has to know which version wrote a file.

use serde::{Deserialize, Serialize};
use trevni::{Dataset, Reader};

mod v1 {
    #[derive(super::Serialize, super::Deserialize, Debug)]
    pub(crate) struct User {
        pub(crate) id: u32,
        pub(crate) name: String,
        pub(crate) plan: Plan,
        pub(crate) note: Option<String>,
    }

    #[derive(super::Serialize, super::Deserialize, Debug)]
    pub(crate) enum Plan {
        Paid,
        #[serde(other)]
        Free, // and all plans that this version does not know
    }
}

mod v2 {
    #[derive(super::Serialize, super::Deserialize, Debug)]
    pub(crate) struct User {
        pub(crate) id: u64, // widened
        #[serde(rename = "name")]
        pub(crate) full_name: String, // renamed in the program; the files keep the name
        pub(crate) plan: Plan,
        #[serde(default)]
        pub(crate) tags: Vec<String>, // added; `note` is removed
    }

    #[derive(super::Serialize, super::Deserialize, Debug)]
    pub(crate) enum Plan {
        Free,
        Paid,
        Team, // grown
    }
}

fn main() -> trevni::Result<()> {
    let note = Some("since 2024".to_owned());
    let old = trevni::to_vec([v1::User { id: 1, name: "Ada".into(), plan: v1::Plan::Paid, note }])?;
    let (full_name, tags) = ("Brian".to_owned(), vec!["beta".to_owned()]);
    let new = trevni::to_vec([v2::User { id: 2, full_name, plan: v2::Plan::Team, tags }])?;
    println!("version 2 reads both files:");
    let both = Dataset::from_readers(vec![Reader::from_slice(&old)?, Reader::from_slice(&new)?])?;
    both.rows::<v2::User>()?.try_for_each(|user| user.map(|user| println!("  {user:?}")))?;
    println!("version 1 reads both files:");
    both.rows::<v1::User>()?.try_for_each(|user| user.map(|user| println!("  {user:?}")))
}
