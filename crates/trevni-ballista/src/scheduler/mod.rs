//! The scheduler of a cluster.

mod executors;
mod jobs;
mod stuck;

pub(crate) use jobs::{CLUSTER, Told};

use crate::{TrevniLogicalCodec, TrevniPhysicalCodec};
use crate::{cluster, tls};
use ballista_core::utils::default_session_builder;
use ballista_scheduler::cluster::BallistaCluster;
use ballista_scheduler::cluster::memory::InMemoryJobState;
use ballista_scheduler::config::SchedulerConfig;
use ballista_scheduler::scheduler_process::{create_scheduler, start_grpc_service_with_listener};
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::{SessionState, SessionStateBuilder};
use datafusion::prelude::{SessionConfig, SessionContext};
use datafusion_proto::protobuf::{LogicalPlanNode, PhysicalPlanNode};
use executors::Executors;
use futures::FutureExt;
use jobs::Jobs;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;

/// A scheduler that has its port, and does not serve yet.
pub struct Scheduler {
    listener: TcpListener,
    /// Where connections that use TLS come, if they have to.
    proxy: Option<TcpListener>,
    address: SocketAddr,
    config: SchedulerConfig,
}

/// How a scheduler runs.
#[derive(Clone, Debug)]
pub struct Options {
    /// The address to listen on. Port 0 takes a free one.
    pub address: SocketAddr,
    /// The name or address by which executors reach the scheduler, if they do by another than it listens on.
    pub advertised: Option<String>,
    /// How long an executor may be silent before it is taken for dead, and its work is given to others; in whole seconds.
    pub executor_timeout: Duration,
}

impl Default for Options {
    fn default() -> Self {
        let address = SocketAddr::from(([127, 0, 0, 1], 50050));
        Self { address, advertised: None, executor_timeout: Duration::from_secs(6) }
    }
}

impl Scheduler {
    /// Takes the port.
    ///
    /// # Errors
    ///
    /// An address that is taken or not of this machine.
    pub async fn bind(options: &Options) -> Result<Self> {
        let wanted = options.address;
        let mut listener = TcpListener::bind(wanted).await.map_err(|error| {
            DataFusionError::Execution(format!("the scheduler cannot listen on {wanted}: {error}"))
        })?;
        let address = listener.local_addr()?;
        let proxy = match tls::is_on() {
            true => {
                Some(std::mem::replace(&mut listener, TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?))
            }
            false => None,
        };
        let timeout = options.executor_timeout.as_secs().max(1);
        let config = SchedulerConfig {
            bind_host: address.ip().to_string(),
            bind_port: address.port(),
            external_host: options.advertised.clone().unwrap_or_else(|| host(address)),
            executor_timeout_seconds: timeout,
            expire_dead_executor_interval_seconds: 1,
            no_executors_grace_period_seconds: timeout,
            executor_termination_grace_period: 1,
            // What was lost cannot be made again alone.
            stage_max_failures: 1,
            // Pages of other sites that a browser has open may look, and cancel nothing.
            cors_allowed_methods: "GET".to_owned(),
            override_config_producer: Some(Arc::new(cluster::config)),
            override_create_grpc_client_endpoint: Some(Arc::new(cluster::endpoint)),
            override_session_builder: Some(Arc::new(session_state)),
            override_logical_codec: Some(Arc::new(TrevniLogicalCodec::default())),
            override_physical_codec: Some(Arc::new(TrevniPhysicalCodec::default())),
            ..SchedulerConfig::default()
        };
        Ok(Self { listener, proxy, address, config })
    }

    /// The address that it listens on.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Serves until the future is dropped.
    ///
    /// # Errors
    ///
    /// A listener that fails.
    pub async fn serve(self) -> Result<()> {
        let failed = |error: ballista_core::error::BallistaError| DataFusionError::External(error.into());
        let executors = Executors::new();
        let patience = Duration::from_secs(self.config.executor_timeout_seconds);
        let jobs = InMemoryJobState::new(
            self.config.scheduler_id.clone(),
            Arc::new(session_state),
            Arc::new(cluster::config),
        );
        let jobs = Jobs::new(jobs, Arc::clone(&executors), patience);
        let known = BallistaCluster::new(Arc::clone(&executors) as Arc<_>, Arc::new(jobs));
        let scheduler =
            create_scheduler::<LogicalPlanNode, PhysicalPlanNode>(known, Arc::new(self.config)).await;
        let scheduler = scheduler.map_err(failed)?;
        executors.serve(scheduler.clone());
        let proxy = match self.proxy {
            Some(proxy) => tls::proxy(proxy, self.listener.local_addr()?).boxed(),
            None => std::future::pending().boxed(),
        };
        tokio::select! {
            served = start_grpc_service_with_listener(self.listener, scheduler.clone()) => served.map_err(failed),
            stopped = stuck::watch(scheduler, executors) => stopped,
            () = proxy => Ok(()),
        }
    }
}

/// The host of an address, as others connect to it.
fn host(address: SocketAddr) -> String {
    match address.ip().is_unspecified() {
        true => "localhost".to_owned(),
        false => address.ip().to_string(),
    }
}

/// A session of a query, on the scheduler.
fn session_state(config: SessionConfig) -> Result<SessionState> {
    let state = SessionStateBuilder::new_from_existing(default_session_builder(config)?);
    let state = state.with_runtime_env(cluster::runtime().build_arc()?).build();
    let session = SessionContext::new_with_state(state);
    trevni_datafusion::register(&session)?;
    Ok(session.state())
}
