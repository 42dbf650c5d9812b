//! An executor of a cluster.

use crate::tls;
use crate::{TrevniLogicalCodec, TrevniPhysicalCodec};
use ballista_core::config::TaskSchedulingPolicy;
use ballista_executor::executor_process::{ExecutorProcessConfig, start_executor_process};
use ballista_executor::health::ExecutorHealth;
use datafusion::error::{DataFusionError, Result};
use datafusion::prelude::SessionConfig;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener};
use std::path::PathBuf;
use std::sync::Arc;

/// Where connections come from outside, and the server inside that they are for.
type Proxy = (TcpListener, SocketAddr);

/// How many pairs of free ports are tried.
const PORTS_TRIED: u32 = 10;

/// An executor that is about to join a cluster.
pub struct Executor {
    config: ExecutorProcessConfig,
    /// Where connections that use TLS come, if they have to, for each port.
    proxies: Vec<Proxy>,
}

/// How an executor runs.
#[derive(Clone, Debug)]
pub struct Options {
    /// The scheduler.
    pub scheduler: (String, u16),
    /// The address to listen on.
    pub bind: IpAddr,
    /// The name or address by which others reach the executor, if they do by another than it listens on.
    pub advertised: Option<String>,
    /// The port for data, and the port for work. Of 0, free ones are taken.
    pub ports: (u16, u16),
    /// How many tasks run at a time.
    pub tasks: usize,
    /// Bytes of memory for all tasks; without it, seven tenths of the machine's.
    pub memory: Option<u64>,
    /// The folder for intermediate data; without it, one in the folder for temporary files.
    pub work_folder: Option<PathBuf>,
    /// Seconds between two signs of life.
    pub heartbeat: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            scheduler: ("127.0.0.1".to_owned(), 50050),
            bind: IpAddr::V4(Ipv4Addr::LOCALHOST),
            advertised: None,
            ports: (50051, 50052),
            tasks: std::thread::available_parallelism().map_or(1, usize::from),
            memory: None,
            work_folder: None,
            heartbeat: 2,
        }
    }
}

impl Executor {
    /// Looks whether the executor can start.
    ///
    /// # Errors
    ///
    /// Ports that are taken, an address that is not of this machine, a scheduler that does not answer, a folder that cannot be made.
    pub async fn prepare(options: Options) -> Result<Self> {
        let Options { scheduler, bind, advertised, ports, tasks, memory, work_folder, heartbeat } = options;
        crate::client::reach(&format!("{}:{}", scheduler.0, scheduler.1)).await?;
        let (ports, proxies) = match tls::is_on() {
            true => proxies(bind, ports)?,
            false => (free_ports(bind, ports)?, Vec::new()),
        };
        let listens = if tls::is_on() { tls::inside(bind) } else { bind };
        let temporary = work_folder.clone().unwrap_or_else(std::env::temp_dir);
        let runtime = move |_: &SessionConfig| {
            crate::cluster::runtime().with_temp_file_path(temporary.clone()).build_arc()
        };
        if let Some(folder) = &work_folder {
            std::fs::create_dir_all(folder)?;
        }
        let config = ExecutorProcessConfig {
            bind_host: listens.to_string(),
            external_host: Some(advertised.unwrap_or_else(|| match bind.is_unspecified() {
                true => "localhost".to_owned(),
                false => bind.to_string(),
            })),
            port: ports.0,
            grpc_port: ports.1,
            scheduler_host: scheduler.0,
            scheduler_port: scheduler.1,
            vcores: tasks.max(1),
            task_scheduling_policy: TaskSchedulingPolicy::PushStaged,
            work_dir: work_folder.map(|folder| folder.to_string_lossy().into_owned()),
            job_data_ttl_seconds: 24 * 60 * 60,
            job_data_clean_up_interval_seconds: 60 * 60,
            executor_heartbeat_interval_seconds: heartbeat.max(1),
            memory_pool_size: memory,
            override_config_producer: Some(Arc::new(crate::cluster::config)),
            override_runtime_producer: Some(Arc::new(runtime)),
            override_create_grpc_client_endpoint: Some(Arc::new(crate::cluster::endpoint)),
            override_logical_codec: Some(Arc::new(TrevniLogicalCodec::default())),
            override_physical_codec: Some(Arc::new(TrevniPhysicalCodec::default())),
            ..ExecutorProcessConfig::default()
        };
        Ok(Self { config, proxies })
    }

    /// The port for data.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.config.port
    }

    /// Whether the scheduler knows the executor: true after the first sign of life.
    #[must_use]
    pub fn health(&self) -> ExecutorHealth {
        self.config.health.clone()
    }

    /// Works until the process is told to end (SIGTERM, Ctrl-C), and what it has begun is done.
    ///
    /// # Errors
    ///
    /// A scheduler that refuses the executor; services that fail.
    pub async fn run(self) -> Result<()> {
        for (proxy, server) in self.proxies {
            proxy.set_nonblocking(true)?;
            tokio::spawn(tls::proxy(tokio::net::TcpListener::from_std(proxy)?, server));
        }
        let done = start_executor_process(Arc::new(self.config)).await;
        done.map_err(|error| DataFusionError::External(error.into()))
    }
}

/// Two ports that nobody listens on inside, and the proxies before them.
fn proxies(bind: IpAddr, wanted: (u16, u16)) -> Result<((u16, u16), Vec<Proxy>)> {
    if bind.is_unspecified() {
        let why = "with TLS, an executor listens on one address: name it with --bind";
        return Err(DataFusionError::Configuration(why.to_owned()));
    }
    let inside = tls::inside(bind);
    let mut tries = 0;
    loop {
        let ports = free_ports(inside, wanted)?;
        let proxies = [ports.0, ports.1].map(|port| {
            let proxy = TcpListener::bind((bind, port)).map_err(|error| listens_not(bind, port, &error))?;
            Ok((proxy, SocketAddr::new(inside, port)))
        });
        tries += 1;
        match proxies.into_iter().collect::<Result<Vec<_>>>() {
            Ok(proxies) => return Ok((ports, proxies)),
            // Another process has the port outside: others are free.
            Err(_) if tries < PORTS_TRIED && wanted == (0, 0) => {}
            Err(error) => return Err(error),
        }
    }
}

fn listens_not(bind: IpAddr, port: u16, error: &std::io::Error) -> DataFusionError {
    let address = SocketAddr::new(bind, port);
    DataFusionError::Execution(format!("the executor cannot listen on {address}: {error}"))
}

/// Two ports that nobody listens on.
fn free_ports(bind: IpAddr, (data, work): (u16, u16)) -> Result<(u16, u16)> {
    let listen = |port: u16| TcpListener::bind((bind, port)).map_err(|error| listens_not(bind, port, &error));
    let (data, work) = (listen(data)?, listen(work)?);
    Ok((data.local_addr()?.port(), work.local_addr()?.port()))
}
