//! Runs statements and prints what they give.

use super::commands;
use super::explained::Explained;
use super::failure::Failure;
use super::interrupt::Interrupts;
use super::kept;
use super::printer::{Format, Printer, Style};
use super::running::Running;
use super::screen::Screen;
use super::statements::{Statement, statements};
use super::told;
use super::watched::Watched;
use datafusion::arrow::array::RecordBatch;
use datafusion::dataframe::DataFrame;
use datafusion::error::{DataFusionError, Result};
use datafusion::logical_expr::LogicalPlan;
use datafusion::prelude::SessionContext;
use std::borrow::Cow;
use std::io::{self, IsTerminal};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use tokio::time::{MissedTickBehavior, interval};
use trevni_print::human::count;
use trevni_print::progress::note;

/// How often progress is looked at.
const TICK: Duration = Duration::from_millis(100);
/// How a text ended that did not fail.
pub(super) enum Ended {
    Done,
    /// The shell is to end.
    Quit,
    /// A signal came, with this exit code.
    Interrupted(u8),
}

/// Runs statements.
pub(super) struct Runner {
    pub(super) session: SessionContext,
    pub(super) style: Style,
    pub(super) interrupts: Interrupts,
    pub(super) screen: Screen,
    pub(super) running: Running,
    /// Whether the time of each statement is told.
    pub(super) is_timed: bool,
    /// The format of standard output, while rows go to a file.
    pub(super) format_before: Option<Format>,
    /// The file that keeps the tables.
    pub(super) tables: Option<PathBuf>,
}

impl Runner {
    /// Runs the statements of a text, up to the first that fails.
    pub(super) async fn text(&mut self, text: &str) -> Result<Ended, Failure> {
        let found = statements(text).map_err(|error| Failure::of_text(text, &error))?;
        let mut interrupts = self.interrupts.clone();
        interrupts.begin();
        let ended = tokio::select! {
            ended = self.all(found) => ended,
            () = interrupts.wait() => Ok(Ended::Done),
        };
        self.running.stop().await;
        match interrupts.code() {
            Some(code) => Ok(Ended::Interrupted(code)),
            None => ended,
        }
    }

    pub(super) async fn all(&mut self, statements: Vec<Statement<'_>>) -> Result<Ended, Failure> {
        for statement in statements {
            if self.statement(statement).await?.is_break() {
                return Ok(Ended::Quit);
            }
        }
        Ok(Ended::Done)
    }

    async fn statement(&mut self, statement: Statement<'_>) -> Result<ControlFlow<()>, Failure> {
        let text = match statement {
            Statement::Sql { text, .. } if commands::ends(text) => return Ok(ControlFlow::Break(())),
            Statement::Sql { text, .. } => text,
            Statement::Command(text) => return commands::run(text, self).await,
        };
        let start = Instant::now();
        let ran = match summarized(text) {
            Some(what) => self.summary(&what).await,
            None => self.sql(text).await,
        };
        if self.is_timed && ran.is_ok() {
            note(format_args!("{:.3} s", start.elapsed().as_secs_f64()));
        }
        ran.map(ControlFlow::Continue).map_err(|error| match error {
            DataFusionError::IoError(error) => Failure::output(&error),
            error => Failure::of(statement, &error),
        })
    }

    /// Runs a statement and prints its rows, or what it did.
    async fn sql(&mut self, text: &str) -> Result<()> {
        let start = Instant::now();
        let text = &*called(text);
        let plan = self.session.state().create_logical_plan(text).await?;
        let kind = told::Kind::of(&plan);
        let kept = self.tables.as_ref().and_then(|_| kept::kept(&plan, text));
        let frame = self.session.execute_logical_plan(plan).await?;
        let is_explained = matches!(frame.logical_plan(), LogicalPlan::Explain(_) | LogicalPlan::Analyze(_));
        match kind {
            told::Kind::Rows if is_explained && self.style.format == Format::Table => {
                let mut explained = Explained::default();
                self.batches(frame, |batch, _| explained.batch(batch)).await?;
                explained.print(&mut self.screen)
            }
            told::Kind::Rows => self.print(frame, start).await,
            told::Kind::Changed(how) => {
                let mut changed = 0;
                self.batches(frame, |batch, _| {
                    changed += told::rows_changed(batch);
                    Ok(())
                })
                .await?;
                note(format_args!("{} {how}", count(changed, "row")));
                Ok(())
            }
            told::Kind::Done(done) => {
                self.batches(frame, |_, _| Ok(())).await?;
                if let (Some(kept), Some(path)) = (kept, &self.tables) {
                    let failed = |error| DataFusionError::Execution(format!("{}: {error}", path.display()));
                    kept::keep(path, &kept).map_err(failed)?;
                }
                if let Some(done) = done.tell(&self.session).await {
                    note(done);
                }
                Ok(())
            }
        }
    }

    /// Prints counts, least and greatest values of the columns of a query.
    async fn summary(&mut self, query: &str) -> Result<()> {
        let start = Instant::now();
        let frame = self.session.sql(query).await?;
        // Records and lists have neither least nor greatest values.
        let fields = frame.schema().fields().iter().filter(|field| !field.data_type().is_nested());
        let names: Vec<String> = fields.map(|field| field.name().clone()).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let summary = frame.select_columns(&names)?.describe().await?;
        self.print(summary, start).await
    }

    /// Prints the rows of a query, and on a terminal how many there were.
    async fn print(&mut self, frame: DataFrame, start: Instant) -> Result<()> {
        let mut printer = Printer::new(&self.style, frame.schema().as_arrow(), &mut self.screen)?;
        self.batches(frame, |batch, screen| printer.batch(batch, screen)).await?;
        let rows = printer.finish(&mut self.screen)?;
        if io::stderr().is_terminal() && !self.is_timed {
            note(format_args!("{} in {:.2} s", count(rows, "row"), start.elapsed().as_secs_f64()));
        }
        Ok(())
    }

    /// Prints rows that are there already.
    pub(super) fn rows(&mut self, batch: &RecordBatch) -> Result<()> {
        let mut printer = Printer::new(&self.style, batch.schema_ref(), &mut self.screen)?;
        printer.batch(batch, &mut self.screen)?;
        printer.finish(&mut self.screen).map(drop)
    }

    /// Hands the rows of a query over as they come, and shows how far it is.
    async fn batches(
        &mut self,
        frame: DataFrame,
        mut each: impl FnMut(&RecordBatch, &mut Screen) -> Result<()>,
    ) -> Result<()> {
        let (state, logical) = frame.into_parts();
        let plan = state.create_physical_plan(&logical).await?;
        // A bar would be mixed with rows that are printed as they come.
        let streams = self.screen.is_terminal() && self.style.format != Format::Table;
        let mut watched = Some(Watched::new(&plan));
        let mut batches = self.running.start(plan, state.task_ctx());
        let mut ticks = interval(TICK);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                batch = batches.recv() => match batch {
                    Some(batch) => {
                        let batch = batch?;
                        if streams {
                            watched = None;
                        }
                        each(&batch, &mut self.screen)?;
                    }
                    None => return self.running.end().await,
                },
                _ = ticks.tick() => watched.iter().for_each(Watched::update),
            }
        }
    }
}

/// `CALL compact('flights/')` as a query of the function.
fn called(text: &str) -> Cow<'_, str> {
    let function = text.split_once(char::is_whitespace).filter(|(word, _)| word.eq_ignore_ascii_case("call"));
    match function {
        Some((_, function)) => Cow::Owned(format!("SELECT * FROM trevni_{}", function.trim_start())),
        None => Cow::Borrowed(text),
    }
}

/// The query whose columns a statement `SUMMARIZE` is about: a table's, a file's, or one that it has.
fn summarized(text: &str) -> Option<String> {
    let (word, what) = text.split_once(char::is_whitespace)?;
    let is_query = ["select", "with", "values", "("].iter().any(|start| {
        what.trim_start().get(..start.len()).is_some_and(|text| text.eq_ignore_ascii_case(start))
    });
    let query = if is_query { what.to_owned() } else { format!("SELECT * FROM {what}") };
    word.eq_ignore_ascii_case("summarize").then_some(query)
}
