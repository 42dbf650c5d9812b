//! A file that keeps the tables of a session: the statements that made them, which the next session runs again.

use super::failure::Failure;
use super::statements::{Statement, statements};
use datafusion::logical_expr::{DdlStatement, LogicalPlan};
use datafusion::prelude::SessionContext;
use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use trevni_print::progress::note;

/// Makes the tables of a file, if it is there. What cannot be made is told, and left out.
pub(super) async fn load(path: &Path, session: &SessionContext) -> Result<(), Failure> {
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(Failure::io(path.display(), &error)),
    };
    for statement in statements(&text).map_err(|error| Failure::of_text(&text, &error))? {
        let Statement::Sql { text, lines } = statement else { continue };
        let made = async { session.sql(text).await?.collect().await };
        if let Err(error) = made.await {
            let why = Failure::from(&error);
            note(format_args!("{}, line {}: {}", path.display(), lines + 1, why.message()));
        }
    }
    Ok(())
}

/// What a statement leaves for the next session; `None` for most.
pub(super) fn kept(plan: &LogicalPlan, text: &str) -> Option<String> {
    let LogicalPlan::Ddl(statement) = plan else { return None };
    match statement {
        DdlStatement::CreateExternalTable(made) if !made.temporary => Some(text.to_owned()),
        DdlStatement::CreateView(made) if !made.temporary => Some(text.to_owned()),
        DdlStatement::CreateCatalogSchema(_) => Some(text.to_owned()),
        DdlStatement::DropTable(dropped) => {
            Some(format!("DROP TABLE IF EXISTS {}", dropped.name.to_quoted_string()))
        }
        DdlStatement::DropView(dropped) => {
            Some(format!("DROP VIEW IF EXISTS {}", dropped.name.to_quoted_string()))
        }
        _ => None,
    }
}

/// Adds a statement to a file.
pub(super) fn keep(path: &PathBuf, text: &str) -> io::Result<()> {
    let mut file = OpenOptions::new().create(true).append(true).open(path)?;
    file.write_all(format!("{text};\n").as_bytes())
}
