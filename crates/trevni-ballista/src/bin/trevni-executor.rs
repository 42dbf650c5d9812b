//! An executor of a cluster that answers SQL on Trevni files.

use clap::Parser;
use std::net::IpAddr;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;
use trevni_ballista::executor::{Executor, Options};
use trevni_ballista::program;

/// Runs tasks of queries on Trevni files for a scheduler.
#[derive(Parser)]
#[command(
    name = "trevni-executor",
    version,
    max_term_width = 100,
    after_help = "Examples:
  trevni-executor
  trevni-executor --scheduler scheduler.example.org:50050 --bind 0.0.0.0 --advertise worker1.example.org

It reads and writes the files of tables itself: they are in the same place for it as for the scheduler, in a shared
folder or in an object store. Without --tls, who reaches its ports can run tasks."
)]
struct Args {
    /// Scheduler to work for
    #[arg(long, value_name = "HOST:PORT", default_value = "127.0.0.1:50050", value_parser = place)]
    scheduler: (String, u16),
    /// Address to listen on
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    bind: IpAddr,
    /// Name or address by which others reach it
    #[arg(long, value_name = "HOST")]
    advertise: Option<String>,
    /// Port for data; 0 takes a free one
    #[arg(long, default_value_t = 50051)]
    port: u16,
    /// Port for work; 0 takes a free one
    #[arg(long, default_value_t = 50052)]
    work_port: u16,
    /// Tasks at a time; as many as cores if not given
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u64).range(1..))]
    tasks: Option<u64>,
    /// Bytes of memory for all tasks; seven tenths of the machine's if not given
    #[arg(long, value_name = "BYTES")]
    memory: Option<u64>,
    /// Folder for intermediate data
    #[arg(long, value_name = "FOLDER")]
    work_folder: Option<PathBuf>,
    /// Seconds between two signs of life
    #[arg(long, value_name = "SECONDS", default_value_t = 2, value_parser = clap::value_parser!(u64).range(1..))]
    heartbeat: u64,
    /// Use TLS, with cert.pem, key.pem and ca.pem of this folder (or of the variable TREVNI_TLS); others need a certificate of the same authority
    #[arg(long, value_name = "FOLDER")]
    tls: Option<PathBuf>,
    /// Log to standard error: error, warn, info (a line a query, a task, an executor), debug, trace or off
    #[arg(long, value_name = "LEVEL", default_value = "off", value_parser = program::log_level)]
    log: log::LevelFilter,
}

fn place(text: &str) -> Result<(String, u16), String> {
    let (host, port) = text.rsplit_once(':').ok_or("it is HOST:PORT")?;
    Ok((host.to_owned(), port.parse().map_err(|_| format!("{port:?} is no port"))?))
}

fn main() -> ExitCode {
    let args = Args::parse();
    program::log_from(args.log);
    program::run("trevni-executor", async move {
        trevni_ballista::tls::use_folder(args.tls)?;
        let executor = Executor::prepare(Options {
            scheduler: args.scheduler,
            bind: args.bind,
            advertised: args.advertise,
            ports: (args.port, args.work_port),
            tasks: args.tasks.map_or(Options::default().tasks, |tasks| tasks as usize),
            memory: args.memory,
            work_folder: args.work_folder,
            heartbeat: args.heartbeat,
        })
        .await?;
        let (port, health) = (executor.port(), executor.health());
        let ready = async move {
            while !health.is_ready() {
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
            program::say(&format!("working, data on port {port}"));
        };
        let (done, ()) = tokio::join!(executor.run(), async { drop(tokio::spawn(ready)) });
        done
    })
}
