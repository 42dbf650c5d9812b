//! Plans go there and back, and damaged ones are errors.

use crate::support::{Folder, local, write_numbers};
use datafusion::arrow::util::pretty::pretty_format_batches;
use datafusion::datasource::source::DataSourceExec;
use datafusion::execution::TaskContext;
use datafusion::physical_plan::{ExecutionPlan, collect, displayable};
use datafusion::prelude::SessionContext;
use datafusion_proto::logical_plan::{AsLogicalPlan, LogicalExtensionCodec};
use datafusion_proto::physical_plan::{
    AsExecutionPlan, DefaultPhysicalProtoConverter, PhysicalExtensionCodec,
};
use datafusion_proto::protobuf::{LogicalPlanNode, PhysicalPlanNode};
use prost::Message;
use std::sync::Arc;
use trevni_ballista::{TrevniLogicalCodec, TrevniPhysicalCodec};

/// A session with tables: `numbers`, `days` by partitions, `sorted`.
async fn session(folder: &Folder) -> SessionContext {
    let session = local();
    let at = folder.join("numbers");
    write_numbers(&at, 3, 500).await;
    for sql in [
        format!("CREATE EXTERNAL TABLE numbers STORED AS TREVNI LOCATION '{at}/'"),
        format!(
            "COPY (SELECT * FROM '{at}/') TO '{}/' STORED AS TREVNI PARTITIONED BY (day)",
            folder.join("days")
        ),
        format!(
            "CREATE EXTERNAL TABLE days (n BIGINT, name VARCHAR, price DOUBLE, day BIGINT) STORED AS TREVNI \
             PARTITIONED BY (day) LOCATION '{}/' OPTIONS ('format.codec' 'zstandard', 'format.level' '3')",
            folder.join("days")
        ),
        format!(
            "CREATE EXTERNAL TABLE sorted STORED AS TREVNI WITH ORDER (n ASC) LOCATION '{at}/numbers-1.trv'"
        ),
    ] {
        session.sql(&sql).await.unwrap().collect().await.unwrap();
    }
    session
}

fn queries(folder: &Folder) -> Vec<String> {
    let at = folder.join("numbers");
    let fixed = [
        "SELECT * FROM numbers ORDER BY n LIMIT 10",
        "SELECT count(*), sum(price) FROM numbers WHERE n > 10 AND name LIKE 'name 1%'",
        "SELECT name, n * 2 + 1 AS m FROM numbers WHERE abs(n) < 100 AND day IN (1, 2) ORDER BY m",
        "SELECT day, count(*) FROM days WHERE day > 2 AND n < 700 GROUP BY day ORDER BY day",
        "SELECT n FROM sorted WHERE price BETWEEN 130 AND 140 ORDER BY n",
        "SELECT a.n, b.name FROM numbers a JOIN days b ON a.n = b.n WHERE b.day = 4 ORDER BY a.n LIMIT 20",
        "SELECT n FROM numbers WHERE name IS NOT NULL AND n NOT IN (SELECT n FROM days) ORDER BY n",
        "SELECT sum(n) OVER (PARTITION BY day ORDER BY n) AS s FROM numbers ORDER BY s LIMIT 5",
    ];
    let paths = [
        format!("SELECT max(n) FROM '{at}/*-[12].trv'"),
        format!("SELECT min(n) FROM '{at}/numbers-2.trv'"),
        format!("SELECT count(*) FROM '{at}/' WHERE n = 3"),
    ];
    fixed.into_iter().map(str::to_owned).chain(paths).collect()
}

fn logical_there_and_back(
    plan: &datafusion::logical_expr::LogicalPlan,
    context: &TaskContext,
) -> datafusion::logical_expr::LogicalPlan {
    let codec = TrevniLogicalCodec::default();
    let bytes = LogicalPlanNode::try_from_logical_plan(plan, &codec).unwrap().encode_to_vec();
    LogicalPlanNode::decode(&bytes[..]).unwrap().try_into_logical_plan(context, &codec).unwrap()
}

fn physical_there_and_back(plan: &Arc<dyn ExecutionPlan>, context: &TaskContext) -> Arc<dyn ExecutionPlan> {
    let codec = TrevniPhysicalCodec::default();
    let bytes = PhysicalPlanNode::try_from_physical_plan(Arc::clone(plan), &codec).unwrap().encode_to_vec();
    PhysicalPlanNode::decode(&bytes[..]).unwrap().try_into_physical_plan(context, &codec).unwrap()
}

#[tokio::test]
async fn plans_come_back() {
    let folder = Folder::new();
    let session = session(&folder).await;
    let context = session.task_ctx();
    for sql in queries(&folder) {
        let logical = session.sql(&sql).await.unwrap().into_optimized_plan().unwrap();
        let back = logical_there_and_back(&logical, &context);
        assert_eq!(back.display_indent_schema().to_string(), logical.display_indent_schema().to_string());
        let plan =
            session.state().query_planner().create_physical_plan(&back, &session.state()).await.unwrap();
        let other = physical_there_and_back(&plan, &context);
        let text = |plan: &Arc<dyn ExecutionPlan>| displayable(plan.as_ref()).indent(false).to_string();
        assert_eq!(text(&other), text(&plan), "{sql}");
        assert!(
            text(&other).contains("file_type=trevni") || text(&other).contains("PlaceholderRow"),
            "{sql}"
        );
        let answer = collect(other, Arc::clone(&context)).await.unwrap();
        let expected = session.sql(&sql).await.unwrap().collect().await.unwrap();
        assert_eq!(
            pretty_format_batches(&answer).unwrap().to_string(),
            pretty_format_batches(&expected).unwrap().to_string(),
            "{sql}"
        );
    }
}

#[tokio::test]
async fn writes_come_back_with_their_options() {
    let folder = Folder::new();
    let local = session(&folder).await;
    let commits = SessionContext::new_with_config(trevni_datafusion::with_commits(local.copied_config()));
    trevni_datafusion::register(&commits).unwrap();
    let at = folder.join("numbers");
    let days = folder.join("written");
    let create = format!(
        "CREATE EXTERNAL TABLE written (n BIGINT, day BIGINT) STORED AS TREVNI PARTITIONED BY (day) LOCATION '{days}/' \
         OPTIONS ('format.codec' 'zstandard')"
    );
    let insert = format!("INSERT INTO written SELECT n, day FROM '{at}/'");
    for (session, rows) in [(&local, 1500), (&commits, 3000)] {
        session.sql(&create).await.unwrap().collect().await.unwrap();
        let context = session.task_ctx();
        let logical = session.sql(&insert).await.unwrap().into_optimized_plan().unwrap();
        let back = logical_there_and_back(&logical, &context);
        let plan =
            session.state().query_planner().create_physical_plan(&back, &session.state()).await.unwrap();
        let other = physical_there_and_back(&plan, &context);
        let text = |plan: &Arc<dyn ExecutionPlan>| displayable(plan.as_ref()).indent(false).to_string();
        assert_eq!(text(&other), text(&plan));
        assert_eq!(text(&plan).contains("CommitExec"), rows == 3000, "{}", text(&plan));
        collect(other, context).await.unwrap();
        let counted = session.sql(&format!("SELECT * FROM '{days}/'")).await.unwrap().count().await.unwrap();
        assert_eq!(counted, rows);
    }
    for name in crate::support::files(&days).iter().filter(|name| name.ends_with(".trv")) {
        assert_eq!(
            trevni::Reader::open(format!("{days}/{name}")).unwrap().columns()[0].codec_name(),
            "zstandard"
        );
    }
}

/// The bytes of a plan's scans.
fn scans(plan: &Arc<dyn ExecutionPlan>, found: &mut Vec<Vec<u8>>) {
    if plan.downcast_ref::<DataSourceExec>().is_some() {
        let mut bytes = Vec::new();
        let converter = DefaultPhysicalProtoConverter {};
        TrevniPhysicalCodec::default().try_encode(Arc::clone(plan), &mut bytes, &converter).unwrap();
        found.push(bytes);
    }
    plan.children().into_iter().for_each(|child| scans(child, found));
}

#[tokio::test]
async fn damaged_plans_are_errors() {
    let folder = Folder::new();
    let session = session(&folder).await;
    let context = session.task_ctx();
    let (physical, logical) = (TrevniPhysicalCodec::default(), TrevniLogicalCodec::default());
    let mut found = Vec::new();
    for sql in queries(&folder) {
        let plan = session.sql(&sql).await.unwrap().create_physical_plan().await.unwrap();
        scans(&plan, &mut found);
    }
    assert!(found.len() > 8);
    let converter = DefaultPhysicalProtoConverter {};
    let decode = |bytes: &[u8]| physical.try_decode(bytes, &[], &context, &converter);
    let (mut damaged, mut wrong) = (0, 0);
    for bytes in &found {
        assert!(decode(bytes).is_ok());
        for end in 0..bytes.len() {
            assert!(end == 0 || decode(&bytes[..end]).is_err() || end > 4, "{end}");
        }
        for place in (4..bytes.len()).step_by(3) {
            for change in [0x01, 0x80, 0xff] {
                let mut bytes = bytes.clone();
                bytes[place] ^= change;
                damaged += 1;
                wrong += usize::from(decode(&bytes).is_err());
            }
        }
    }
    assert!(wrong * 4 > damaged, "{wrong} of {damaged}");
    let table = session.table_provider("days").await.unwrap();
    let (name, mut bytes) = ("days".into(), Vec::new());
    logical.try_encode_table_provider(&name, Arc::clone(&table), &mut bytes).unwrap();
    let decode = |bytes: &[u8]| logical.try_decode_table_provider(bytes, &name, table.schema(), &context);
    assert!(decode(&bytes).is_ok());
    for place in 4..bytes.len() {
        let _ = decode(&bytes[..place]);
        for change in 1..=255 {
            let mut bytes = bytes.clone();
            bytes[place] ^= change;
            let _ = decode(&bytes);
        }
    }
    let other = datafusion::arrow::datatypes::Schema::empty();
    assert!(logical.try_decode_table_provider(&bytes, &name, other.into(), &context).is_err());
    assert!(logical.try_decode_file_format(b"\x04trv\x0a\x03csv", &context).is_err());
}
