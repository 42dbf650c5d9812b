//! What client, scheduler and executors have in common: options of sessions, and how long they wait for each other.

use crate::{TrevniLogicalCodec, TrevniPhysicalCodec};
use ballista_core::config::{
    BALLISTA_CLIENT_GRPC_CONNECT_TIMEOUT_SECONDS, BALLISTA_CLIENT_IO_RETRY_WAIT_TIME_MS,
};
use ballista_core::extension::SessionConfigExt;
use datafusion::execution::runtime_env::RuntimeEnvBuilder;
use datafusion::prelude::SessionConfig;
use std::error::Error;
use std::sync::Arc;
use std::time::Duration;
use tonic::transport::Endpoint;
use trevni_datafusion::NamedStores;

/// How long a connection may take. Those that are refused fail at once; this is for machines that are gone.
pub(crate) const CONNECT: Duration = Duration::from_secs(5);
/// How often the other side of a connection is asked for a sign of life, and how long it may take.
const PING: Duration = Duration::from_secs(5);
const PONG: Duration = Duration::from_secs(10);
/// How long to wait before something is fetched again from an executor that does not answer. The scheduler knows of a dead one sooner.
const PAUSE: Duration = Duration::from_secs(1);

/// A connection between processes, which ends where the other side has gone.
pub(crate) fn endpoint(endpoint: Endpoint) -> Result<Endpoint, Box<dyn Error + Send + Sync>> {
    let endpoint = crate::tls::secured(endpoint)?.connect_timeout(CONNECT).tcp_nodelay(true);
    Ok(endpoint.http2_keep_alive_interval(PING).keep_alive_timeout(PONG).keep_alive_while_idle(true))
}

/// The runtime of sessions, with a store for each URL.
pub(crate) fn runtime() -> RuntimeEnvBuilder {
    RuntimeEnvBuilder::new().with_object_store_registry(Arc::new(NamedStores::from_env()))
}

/// The default options of a session on the cluster.
pub(crate) fn config() -> SessionConfig {
    configured(SessionConfig::new_with_ballista())
}

/// With the codecs of Trevni, and with writes that are committed: work is done twice when an executor dies.
pub(crate) fn configured(config: SessionConfig) -> SessionConfig {
    trevni_datafusion::with_plain_strings(trevni_datafusion::with_commits(config))
        .with_ballista_logical_extension_codec(Arc::new(TrevniLogicalCodec::default()))
        .with_ballista_physical_extension_codec(Arc::new(TrevniPhysicalCodec::default()))
        .with_ballista_override_create_grpc_client_endpoint(Arc::new(endpoint))
        .set_u64(BALLISTA_CLIENT_GRPC_CONNECT_TIMEOUT_SECONDS, CONNECT.as_secs())
        .set_u64(BALLISTA_CLIENT_IO_RETRY_WAIT_TIME_MS, PAUSE.as_secs() * 1000)
}
