//! The session that statements run in.

use super::Prepare;
use super::failure::Failure;
use super::lines;
use super::options::Options;
use crate::client::connect_with;
use ballista::prelude::SessionConfigExt;
use datafusion::error::DataFusionError;
use datafusion::execution::memory_pool::FairSpillPool;
use datafusion::execution::runtime_env::RuntimeEnvBuilder;
use datafusion::prelude::{SessionConfig, SessionContext};
use std::sync::Arc;

/// A session of this process, or of a cluster.
pub(super) async fn session(options: &Options, prepare: Prepare) -> Result<SessionContext, Failure> {
    let session = session_of(options, prepare).await?;
    lines::register(&session).map_err(|error| Failure::from(&error))?;
    Ok(session)
}

async fn session_of(options: &Options, prepare: Prepare) -> Result<SessionContext, Failure> {
    match &options.scheduler {
        Some(scheduler) => {
            crate::tls::use_folder(options.tls.clone()).map_err(|error| Failure::from(&error))?;
            let config = configured(SessionConfig::new_with_ballista(), options);
            connect_with(scheduler, config).await.map_err(|error| Failure::from(&error))
        }
        None => local(options, prepare),
    }
}

fn configured(config: SessionConfig, options: &Options) -> SessionConfig {
    let mut config = config.with_information_schema(true);
    // Errors say where they are.
    config.options_mut().sql_parser.collect_spans = true;
    match options.threads {
        Some(threads) => config.with_target_partitions(threads.into()),
        None => config,
    }
}

fn local(options: &Options, prepare: Prepare) -> Result<SessionContext, Failure> {
    let config = trevni_datafusion::with_commits(configured(SessionConfig::new(), options));
    let stores = Arc::new(trevni_datafusion::NamedStores::from_env());
    let mut runtime = RuntimeEnvBuilder::new().with_object_store_registry(stores);
    if let Some(bytes) = options.memory_limit {
        runtime = runtime.with_memory_pool(Arc::new(FairSpillPool::new(bytes)));
    }
    let failed = |error: DataFusionError| Failure::from(&error);
    let session = SessionContext::new_with_config_rt(config, runtime.build_arc().map_err(failed)?);
    prepare(&session).map_err(failed)?;
    trevni_datafusion::register(&session).map_err(failed)?;
    Ok(session)
}
