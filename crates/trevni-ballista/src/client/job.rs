//! A job of a query on a cluster: it is begun, waited for, and its rows are fetched.

use crate::cluster::{CONNECT, endpoint};
use crate::scheduler::{CLUSTER, Told};
use ballista_core::client::BallistaClient;
use ballista_core::error::BallistaError;
use ballista_core::extension::{BallistaGrpcMetadataInterceptor, SessionConfigExt};
use ballista_core::serde::protobuf::execute_query_result::Result as Answer;
use ballista_core::serde::protobuf::job_status::Status;
use ballista_core::serde::protobuf::scheduler_grpc_client::SchedulerGrpcClient;
use ballista_core::serde::protobuf::{
    CancelJobParams, ExecuteQueryParams, GetJobStatusParams, JobStatus, PartitionLocation,
};
use ballista_core::utils::create_grpc_client_endpoint;
use ballista_core::version::{insert_version_header, version_from_metadata};
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::SendableRecordBatchStream;
use datafusion::prelude::SessionConfig;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fmt::Display;
use std::time::Duration;
use tokio::net::TcpStream;
use tokio::time::{Instant, sleep, timeout};
use tonic::service::interceptor::InterceptedService;
use tonic::transport::Channel;

/// How long the scheduler may take to answer a question.
const ANSWER: Duration = Duration::from_secs(10);
/// How long it may take to begin a job.
const BEGIN: Duration = Duration::from_secs(60);
/// The first and the longest pause between two questions how a job is.
const PAUSES: (Duration, Duration) = (Duration::from_millis(5), Duration::from_millis(50));
/// How often to ask how the executors are.
const CLUSTER_PAUSE: Duration = Duration::from_secs(1);
/// How long the scheduler may take to notice that an executor has died, of which a job has died.
const NOTICE: Duration = Duration::from_secs(3);
/// What errors say that come of an executor that is gone.
const SIGNS: [&str; 9] = [
    "fetch",
    "grpc",
    "h2 ",
    "transport",
    "connect",
    "broken pipe",
    "ipc error",
    "rejected by executor",
    "cancelled",
];

/// Why a job gave no rows.
#[derive(Debug)]
pub(super) enum Failed {
    /// An executor, or what it held, is gone; the query can be asked again.
    Lost(String),
    /// The scheduler is gone.
    Scheduler(String),
    /// The cluster has no executor.
    Empty,
    /// The query itself fails.
    Query(DataFusionError),
}

type Client = SchedulerGrpcClient<InterceptedService<Channel, BallistaGrpcMetadataInterceptor>>;

/// A job that has been begun.
pub(super) struct Job {
    client: Client,
    id: String,
    told: Option<Told>,
    begun: Instant,
}

/// Where the rows of a job are, in their order.
pub(super) type Places = Vec<PartitionLocation>;

impl Job {
    /// Begins a job.
    pub(super) async fn begin(
        scheduler: &str,
        query: ExecuteQueryParams,
        config: &SessionConfig,
    ) -> Result<Self, Failed> {
        let gone = |error: &dyn Display| Failed::Scheduler(error.to_string());
        let mut client = connect(scheduler, config).await?;
        let told = told(&mut client).await?;
        let mut request = tonic::Request::new(query);
        insert_version_header(request.metadata_mut());
        let answer = timeout(BEGIN, client.execute_query(request)).await.map_err(|error| gone(&error))?;
        let answer = answer.map_err(|status| match status.code() {
            tonic::Code::Unavailable | tonic::Code::Unknown => gone(&status.message()),
            _ => refused(status.message()),
        })?;
        if version_from_metadata(answer.metadata()) != Some(ballista_core::BALLISTA_VERSION) {
            return Err(refused("the scheduler is of another version"));
        }
        match answer.into_inner().result {
            Some(Answer::Success(job)) => Ok(Self { client, id: job.job_id, told, begun: Instant::now() }),
            Some(Answer::Failure(failure)) => Err(refused(&format!("{failure:?}"))),
            None => Err(refused("the scheduler has no answer")),
        }
    }

    /// The name that the scheduler has given to the job.
    pub(super) fn id(&self) -> &str {
        &self.id
    }

    /// Waits for the job to end; gives where its rows are.
    pub(super) async fn end(&mut self) -> Result<Places, Failed> {
        let mut pause = PAUSES.0;
        let (mut looked, mut is_known) = (Instant::now(), false);
        loop {
            match status(&mut self.client, &self.id).await?.and_then(|job| job.status) {
                Some(Status::Successful(done)) => return Ok(newest(done.partition_location)),
                Some(Status::Failed(failed)) => return Err(self.failed(failed.error).await?),
                Some(Status::Queued(_) | Status::Running(_)) => is_known = true,
                // It has not come to it yet.
                None if !is_known && self.begun.elapsed() < ANSWER => {}
                // It was started meanwhile.
                None => return Err(Failed::Lost("the scheduler does not know the query".to_owned())),
            }
            if looked.elapsed() >= CLUSTER_PAUSE {
                looked = Instant::now();
                if told(&mut self.client).await?.is_some_and(|told| told.is_empty) {
                    self.cancel().await;
                    return Err(Failed::Empty);
                }
            }
            sleep(pause).await;
            pause = (pause * 2).min(PAUSES.1);
        }
    }

    /// Why the job failed: of the query, or of an executor that died meanwhile.
    async fn failed(&mut self, error: String) -> Result<Failed, Failed> {
        let text = error.to_lowercase();
        let has_sign = SIGNS.iter().any(|sign| text.contains(sign));
        let failed = Instant::now();
        loop {
            let told = told(&mut self.client).await?;
            if told.is_some_and(|told| told.is_empty) {
                return Ok(Failed::Empty);
            }
            let is_lost = told.map(|told| told.lost) != self.told.map(|told| told.lost);
            if is_lost || has_sign && failed.elapsed() >= NOTICE {
                return Ok(Failed::Lost(error));
            }
            if !has_sign {
                return Ok(refused(&format!("Job {} failed: {error}", self.id)));
            }
            sleep(PAUSES.1).await;
        }
    }

    /// Ends the job, if the scheduler can be told so.
    pub(super) async fn cancel(&mut self) {
        let job = CancelJobParams { job_id: self.id.clone() };
        let _ = timeout(ANSWER, self.client.cancel_job(job)).await;
    }
}

/// Cancels a job by its name.
pub(super) async fn cancel(scheduler: &str, id: &str) -> Result<()> {
    let failed = |error: &dyn Display| DataFusionError::Execution(error.to_string());
    let channel = channel(scheduler).await.map_err(|error| failed(&innermost(&*error)))?;
    let mut client = SchedulerGrpcClient::new(channel);
    let job = CancelJobParams { job_id: id.to_owned() };
    client.cancel_job(job).await.map_err(|error| failed(&error))?;
    Ok(())
}

fn refused(why: &str) -> Failed {
    Failed::Query(DataFusionError::Execution(why.to_owned()))
}

async fn connect(scheduler: &str, config: &SessionConfig) -> Result<Client, Failed> {
    let gone = |error: &dyn Display| Failed::Scheduler(error.to_string());
    let channel = channel(scheduler).await.map_err(|error| gone(&innermost(&*error)))?;
    let bytes = config.ballista_config().grpc_client_max_message_size();
    let client =
        SchedulerGrpcClient::with_interceptor(channel, config.ballista_grpc_interceptor().as_ref().clone());
    Ok(client.max_encoding_message_size(bytes).max_decoding_message_size(bytes))
}

async fn channel(scheduler: &str) -> Result<Channel, Box<dyn std::error::Error + Send + Sync>> {
    let channel = create_grpc_client_endpoint(format!("http://{scheduler}"), None)?;
    Ok(endpoint(channel)?.connect().await?)
}

/// The cause of an error whose own words say little.
fn innermost(error: &dyn std::error::Error) -> String {
    let mut cause = error;
    while let Some(next) = cause.source() {
        cause = next;
    }
    cause.to_string()
}

/// What the scheduler says of a job.
async fn status(client: &mut Client, id: &str) -> Result<Option<JobStatus>, Failed> {
    let job = GetJobStatusParams { job_id: id.to_owned() };
    match timeout(ANSWER, client.get_job_status(job)).await {
        Ok(Ok(answer)) => Ok(answer.into_inner().status),
        Ok(Err(status)) => Err(Failed::Scheduler(status.message().to_owned())),
        Err(_) => Err(Failed::Scheduler(format!("it has not answered for {} seconds", ANSWER.as_secs()))),
    }
}

/// How the scheduler says the executors are.
async fn told(client: &mut Client) -> Result<Option<Told>, Failed> {
    Ok(status(client, CLUSTER).await?.as_ref().and_then(Told::of))
}

/// The places of the rows, of each partition the one that was written last: a task that is done again because its executor was taken for
/// dead leaves both.
fn newest(places: Places) -> Places {
    let mut of_partitions: BTreeMap<(u32, u32), PartitionLocation> = BTreeMap::new();
    for place in places {
        let partition = place.partition_id.as_ref().map_or((0, 0), |id| (id.stage_id, id.partition_id));
        match of_partitions.entry(partition) {
            Entry::Occupied(mut found) if found.get().map_partition_id < place.map_partition_id => {
                found.insert(place);
            }
            Entry::Occupied(_) => {}
            Entry::Vacant(free) => {
                free.insert(place);
            }
        }
    }
    of_partitions.into_values().collect()
}

/// Fetches the rows of a partition from the executor that has them.
pub(super) async fn fetch(
    place: PartitionLocation,
    config: SessionConfig,
) -> Result<SendableRecordBatchStream> {
    let damaged = || DataFusionError::Execution("a place that the scheduler named is damaged".to_owned());
    let layout = place.layout();
    let executor = place.executor_meta.ok_or_else(damaged)?;
    let partition = place.partition_id.ok_or_else(damaged)?;
    let port = u16::try_from(executor.port).map_err(|_| damaged())?;
    let bytes = config.ballista_config().grpc_client_max_message_size();
    let (endpoint, tls) =
        (config.ballista_override_create_grpc_client_endpoint(), config.ballista_config().use_tls());
    let client = BallistaClient::try_new(&executor.host, port, bytes, tls, endpoint, 1, 0, 0, 0).await;
    let mut client = client.map_err(BallistaError::into_datafusion)?;
    let rows = client.fetch_partition(&executor.id, &partition.into(), place.file_id, layout, true).await;
    rows.map_err(BallistaError::into_datafusion)
}

/// Whether an executor that has rows of a job is gone.
pub(super) async fn is_gone(places: &Places) -> bool {
    for executor in places.iter().filter_map(|place| place.executor_meta.as_ref()) {
        let Ok(port) = u16::try_from(executor.port) else { return true };
        let connected = timeout(CONNECT, TcpStream::connect((executor.host.as_str(), port))).await;
        if !matches!(connected, Ok(Ok(_))) {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use ballista_core::serde::protobuf::PartitionId;

    #[test]
    fn of_tasks_that_were_done_twice_the_last_one_counts() {
        let place = |partition_id, task| PartitionLocation {
            map_partition_id: task,
            partition_id: Some(PartitionId { job_id: "job".to_owned(), stage_id: 2, partition_id }),
            ..PartitionLocation::default()
        };
        let places = newest(vec![place(1, 0), place(0, 3), place(1, 5), place(0, 2)]);
        let found: Vec<u32> = places.iter().map(|place| place.map_partition_id).collect();
        assert_eq!(found, [3, 5]);
    }
}
