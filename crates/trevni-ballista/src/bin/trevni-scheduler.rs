//! The scheduler of a cluster that answers SQL on Trevni files.

use clap::Parser;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;
use trevni_ballista::program;
use trevni_ballista::scheduler::{Options, Scheduler};

/// Plans queries on Trevni files, and gives their tasks to executors.
#[derive(Parser)]
#[command(
    name = "trevni-scheduler",
    version,
    max_term_width = 100,
    after_help = "Examples:
  trevni-scheduler
  trevni-scheduler --listen 0.0.0.0:50050 --advertise scheduler.example.org

Without --tls, who reaches the port can run queries. Its state is in memory: queries end with it."
)]
struct Args {
    /// Address and port to listen on; port 0 takes a free one
    #[arg(long, value_name = "HOST:PORT", default_value = "127.0.0.1:50050")]
    listen: SocketAddr,
    /// Name or address by which executors reach it
    #[arg(long, value_name = "HOST")]
    advertise: Option<String>,
    /// Seconds after which a silent executor counts as dead
    #[arg(long, value_name = "SECONDS", default_value_t = 6, value_parser = clap::value_parser!(u64).range(1..))]
    executor_timeout: u64,
    /// Use TLS, with cert.pem, key.pem and ca.pem of this folder (or of the variable TREVNI_TLS); others need a certificate of the same authority
    #[arg(long, value_name = "FOLDER")]
    tls: Option<PathBuf>,
    /// Log to standard error: error, warn, info (a line a query, a task, an executor), debug, trace or off
    #[arg(long, value_name = "LEVEL", default_value = "off", value_parser = program::log_level)]
    log: log::LevelFilter,
}

fn main() -> ExitCode {
    let args = Args::parse();
    program::log_from(args.log);
    program::run("trevni-scheduler", async move {
        trevni_ballista::tls::use_folder(args.tls)?;
        let scheduler = Scheduler::bind(&Options {
            address: args.listen,
            advertised: args.advertise,
            executor_timeout: Duration::from_secs(args.executor_timeout),
        })
        .await?;
        program::say(&format!("listening on {}", scheduler.address()));
        tokio::select! {
            done = scheduler.serve() => done,
            () = program::told_to_end() => Ok(()),
        }
    })
}
