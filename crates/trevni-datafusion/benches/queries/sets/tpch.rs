//! The tables and queries of TPC-H.

use super::{Set, Table};
use datafusion::arrow::error::ArrowError;
use datafusion::arrow::record_batch::RecordBatch;
use datafusion::error::Result;
use tpchgen::generators::{
    CustomerGenerator, LineItemGenerator, NationGenerator, OrderGenerator, PartGenerator, PartSuppGenerator,
    RegionGenerator, SupplierGenerator,
};
use tpchgen_arrow::{
    CustomerArrow, LineItemArrow, NationArrow, OrderArrow, PartArrow, PartSuppArrow, RegionArrow,
    SupplierArrow,
};

/// The scale factor, if none is chosen.
pub(super) const SCALE: f64 = 0.01;

pub(super) fn set(scale: f64) -> Result<Set> {
    fn all(rows: impl Iterator<Item = Result<RecordBatch, ArrowError>>) -> Result<Vec<RecordBatch>> {
        Ok(rows.collect::<Result<_, _>>()?)
    }
    let tables = [
        ("customer", all(CustomerArrow::new(CustomerGenerator::new(scale, 1, 1)))?),
        ("lineitem", all(LineItemArrow::new(LineItemGenerator::new(scale, 1, 1)))?),
        ("nation", all(NationArrow::new(NationGenerator::new(scale, 1, 1)))?),
        ("orders", all(OrderArrow::new(OrderGenerator::new(scale, 1, 1)))?),
        ("part", all(PartArrow::new(PartGenerator::new(scale, 1, 1)))?),
        ("partsupp", all(PartSuppArrow::new(PartSuppGenerator::new(scale, 1, 1)))?),
        ("region", all(RegionArrow::new(RegionGenerator::new(scale, 1, 1)))?),
        ("supplier", all(SupplierArrow::new(SupplierGenerator::new(scale, 1, 1)))?),
    ];
    let tables =
        tables.into_iter().map(|(name, batches)| Table::new(name, batches)).collect::<Result<_>>()?;
    let texts =
        include_str!("../../../tests/engine/tpch.sql").split(';').filter(|sql| !sql.trim().is_empty());
    let queries = (1..).zip(texts).map(|(number, sql)| (format!("TPC-H {number}"), sql.to_owned())).collect();
    Ok(Set { name: "tpch", tables, queries })
}
