//! The queries of TPC-H on a small data set: the same answers as on tables in memory and on Parquet.

use crate::support::{Folder, run, session, table};
use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::error::ArrowError;
use datafusion::datasource::MemTable;
use datafusion::prelude::SessionContext;
use std::sync::Arc;
use tpchgen::generators::{
    CustomerGenerator, LineItemGenerator, NationGenerator, OrderGenerator, PartGenerator, PartSuppGenerator,
    RegionGenerator, SupplierGenerator,
};
use tpchgen_arrow::{
    CustomerArrow, LineItemArrow, NationArrow, OrderArrow, PartArrow, PartSuppArrow, RegionArrow,
    SupplierArrow,
};

const SCALE: f64 = 0.01;

fn tables() -> Vec<(&'static str, Vec<RecordBatch>)> {
    fn all(rows: impl Iterator<Item = Result<RecordBatch, ArrowError>>) -> Vec<RecordBatch> {
        rows.map(Result::unwrap).collect()
    }
    vec![
        ("customer", all(CustomerArrow::new(CustomerGenerator::new(SCALE, 1, 1)))),
        ("lineitem", all(LineItemArrow::new(LineItemGenerator::new(SCALE, 1, 1)))),
        ("nation", all(NationArrow::new(NationGenerator::new(SCALE, 1, 1)))),
        ("orders", all(OrderArrow::new(OrderGenerator::new(SCALE, 1, 1)))),
        ("part", all(PartArrow::new(PartGenerator::new(SCALE, 1, 1)))),
        ("partsupp", all(PartSuppArrow::new(PartSuppGenerator::new(SCALE, 1, 1)))),
        ("region", all(RegionArrow::new(RegionGenerator::new(SCALE, 1, 1)))),
        ("supplier", all(SupplierArrow::new(SupplierGenerator::new(SCALE, 1, 1)))),
    ]
}

/// Three sessions with the same tables: in memory, in Trevni, in Parquet.
async fn sessions(folder: &Folder) -> [SessionContext; 3] {
    let (memory, trevni, parquet) = (session(), session(), session());
    for (name, batches) in tables() {
        let schema = batches[0].schema();
        memory.register_table(name, Arc::new(MemTable::try_new(schema, vec![batches]).unwrap())).unwrap();
        for (format, session) in [("trevni", &trevni), ("parquet", &parquet)] {
            let at = folder.join(&format!("{format}/{name}/"));
            run(&memory, &format!("COPY {name} TO '{at}' STORED AS {format}")).await.unwrap();
            run(session, &format!("CREATE EXTERNAL TABLE {name} STORED AS {format} LOCATION '{at}'"))
                .await
                .unwrap();
        }
    }
    [memory, trevni, parquet]
}

#[tokio::test(flavor = "multi_thread")]
async fn tpch() {
    let folder = Folder::new();
    let [memory, trevni, parquet] = sessions(&folder).await;
    let mut rows = 0;
    let queries: Vec<&str> =
        include_str!("tpch.sql").split(';').filter(|sql| !sql.trim().is_empty()).collect();
    assert_eq!(queries.len(), 22);
    for (number, sql) in (1..).zip(queries) {
        let expected = table(&memory, sql).await;
        assert_eq!(table(&trevni, sql).await, expected, "query {number}");
        assert_eq!(table(&parquet, sql).await, expected, "query {number} of Parquet");
        rows += expected.lines().count();
    }
    assert!(rows > 200, "{rows}");
}
