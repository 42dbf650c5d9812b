//! `trevni-sql` on a cluster.

use crate::processes::Cluster;
use crate::queries::until;
use crate::support::{files, write_kinds, write_numbers};
use ballista_core::serde::protobuf::GetJobStatusParams;
use ballista_core::serde::protobuf::job_status::Status;
use ballista_core::serde::protobuf::scheduler_grpc_client::SchedulerGrpcClient;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

fn shell(args: &[&str]) -> Command {
    let mut command = Command::new("env");
    // Tests may have been started with signals ignored.
    command.args(["--default-signal=INT", env!("CARGO_BIN_EXE_trevni-sql"), "--no-history"]).args(args);
    command.stdin(Stdio::null());
    command
}

fn output(args: &[&str]) -> Output {
    let output = shell(args).output().unwrap();
    assert!(output.status.success(), "{args:?}: {output:?}");
    output
}

#[tokio::test(flavor = "multi_thread")]
async fn a_script_gives_the_same_on_a_cluster() {
    let cluster = Cluster::start(2);
    let (numbers, kinds) = (cluster.folder.join("numbers"), cluster.folder.join("kinds"));
    write_numbers(&numbers, 4, 700).await;
    write_kinds(&kinds, 3, 300);
    let script = format!(
        "CREATE EXTERNAL TABLE numbers STORED AS TREVNI LOCATION '{numbers}/';
         SELECT day, count(*), sum(n), avg(price) FROM numbers GROUP BY day ORDER BY day;
         SELECT kind, within, n FROM '{kinds}/*.trv' WHERE n < 7 ORDER BY kind, n, within['kind'];
         SELECT a.name, max(b.n) FROM numbers a JOIN numbers b ON a.n = b.n + 1 GROUP BY a.name ORDER BY 2 DESC, 1 LIMIT 5;
         SELECT n FROM numbers WHERE n < 0;"
    );
    for format in ["table", "json", "csv"] {
        let alone = output(&["--format", format, "-c", &script]);
        let many = output(&["--format", format, "--scheduler", &cluster.address, "-c", &script]);
        let [alone, many] = [alone, many].map(|output| String::from_utf8(output.stdout).unwrap());
        assert!(alone.lines().count() > 20, "{alone}");
        assert_eq!(many, alone, "{format}");
    }
    let to = cluster.folder.join("copied");
    let copy = format!("COPY (SELECT * FROM '{numbers}/*.trv') TO '{to}/' STORED AS TREVNI");
    let copied = output(&["--scheduler", &cluster.address, "-c", &copy]);
    assert!(String::from_utf8_lossy(&copied.stderr).contains("2,800 rows written"), "{copied:?}");
    assert_eq!(trevni::Dataset::open(&to).unwrap().row_count(), 2800);
}

/// What a scheduler says of a job.
async fn status(scheduler: &str, job: &str) -> Option<Status> {
    let mut client = SchedulerGrpcClient::connect(format!("http://{scheduler}")).await.unwrap();
    let asked = GetJobStatusParams { job_id: job.to_owned() };
    client.get_job_status(asked).await.unwrap().into_inner().status?.status
}

#[tokio::test(flavor = "multi_thread")]
async fn ctrl_c_cancels_a_query_on_the_cluster() {
    let cluster = Cluster::start(1);
    let at = cluster.folder.join("numbers");
    write_numbers(&at, 4, 5000).await;
    // It would take days.
    let endless = format!(
        "SELECT count(*) FROM '{at}/*.trv' a, '{at}/*.trv' b, '{at}/*.trv' c WHERE a.price + b.price > sqrt(c.n)"
    );
    let args = ["--scheduler", &cluster.address, "-c", &endless];
    let child = shell(&args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // The scans have given something to the other stages, in a folder that is named by the job.
    let work = cluster.folder.join("work-0");
    let of_job = || files(&work).into_iter().find(|name| name.ends_with(".arrow"));
    until(|| of_job().is_some()).await;
    let file = of_job().unwrap();
    let (job, _) = file.split_once('/').unwrap();
    assert!(matches!(status(&cluster.address, job).await, Some(Status::Running(_))), "{job}");
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let ended = child.wait_with_output().unwrap();
    assert_eq!(ended.status.code(), Some(130), "{ended:?}");
    // The scheduler does what it was told after it has answered.
    let mut found = status(&cluster.address, job).await;
    while matches!(found, Some(Status::Running(_))) {
        tokio::time::sleep(Duration::from_millis(20)).await;
        found = status(&cluster.address, job).await;
    }
    assert!(
        matches!(&found, Some(Status::Failed(failed)) if failed.error.contains("Cancelled")),
        "{found:?}"
    );
}
