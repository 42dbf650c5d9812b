//! The bounds of blocks, as edges of values along the rows.

use super::along::{Edges, PARTS, joined};
use super::column::ColumnStats;
use super::edge::Edge;
use super::recorded::ByPath;
use trevni::shape::Logical;
use trevni::{BlockInfo, Reader, Shape};

/// The edges of the blocks that have zone maps, each with its part of the rows between 0 and 1.
pub(super) fn zones(
    reader: &Reader<'_>,
    by_path: &ByPath<'_>,
    column: &ColumnStats,
) -> trevni::Result<Vec<([f64; 2], Edges)>> {
    let is_list = matches!(column.shape, Shape::List(_) | Shape::Map(_));
    let (Some(number), false) = (by_path.values(column), is_list) else {
        return Ok(Vec::new());
    };
    let blocks = reader.blocks(number)?;
    let rows = reader.row_count().max(1) as f64;
    let together = blocks.len().div_ceil(PARTS as usize).max(1);
    let mut zones = Vec::new();
    for blocks in blocks.chunks(together) {
        let known = blocks.iter().filter(|block| block.zone.as_ref().is_none_or(|zone| zone.values > 0));
        let edges: Option<Vec<Edges>> = known.map(|block| of_zone(column, block)).collect();
        let (Some(first), Some(last), Some(edges)) = (blocks.first(), blocks.last(), edges) else {
            return Ok(Vec::new());
        };
        if let Some(edges) = edges.into_iter().reduce(joined) {
            let end = last.first_row + u64::from(last.rows);
            zones.push(([first.first_row as f64 / rows, (end as f64 / rows).min(1.0)], edges));
        }
    }
    Ok(zones)
}

/// The bounds of a block; `None` where it lacks them, or their order is not that of the values.
fn of_zone(column: &ColumnStats, block: &BlockInfo) -> Option<Edges> {
    let zone = block.zone.as_ref()?;
    let is_ordered = match (&column.shape, &column.logical) {
        (Shape::I128, _) => false,
        (_, Some(logical)) => !matches!(logical.logical, Logical::Decimal { .. } | Logical::Duration),
        _ => true,
    };
    let edge = |bound: &trevni::column::Bound| match bound {
        trevni::column::Bound::Boolean(value) => Some(Edge::Whole((*value).into())),
        trevni::column::Bound::Integer(value) if column.shape == Shape::U64 && *value < 0 => None,
        trevni::column::Bound::Integer(value) => Some(Edge::Whole((*value).into())),
        trevni::column::Bound::Float(value) if value.is_finite() => Some(Edge::Float(*value)),
        trevni::column::Bound::Bytes(value) => Some(Edge::bytes(value)),
        _ => None,
    };
    Some((edge(zone.min.as_ref()?)?, edge(zone.max.as_ref()?)?)).filter(|_| is_ordered)
}
