//! Tables and formats of logical plans.

use super::messages::{Conditions, Format, Place, Table};
use super::{decode, encode, marked, missing};
use ballista_core::serde::BallistaLogicalExtensionCodec;
use datafusion::arrow::datatypes::{Schema, SchemaRef};
use datafusion::catalog::TableProvider;
use datafusion::common::{GetExt, TableReference, plan_err};
use datafusion::datasource::file_format::FileFormatFactory;
use datafusion::datasource::listing::{ListingOptions, ListingTable, ListingTableConfig, ListingTableUrl};
use datafusion::error::Result;
use datafusion::execution::TaskContext;
use datafusion::logical_expr::{Extension, LogicalPlan};
use datafusion_proto::logical_plan::LogicalExtensionCodec;
use datafusion_proto::logical_plan::from_proto::{parse_exprs, parse_sorts};
use datafusion_proto::logical_plan::to_proto::{serialize_exprs, serialize_sorts};
use datafusion_proto::protobuf::SortExprNodeCollection;
use std::sync::Arc;
use trevni_datafusion::{TrevniFormat, TrevniFormatFactory, TrevniTable};

/// Sends tables of Trevni files, and the format for `COPY`; the rest is Ballista's.
#[derive(Debug, Default)]
pub struct TrevniLogicalCodec {
    others: BallistaLogicalExtensionCodec,
}

impl LogicalExtensionCodec for TrevniLogicalCodec {
    fn try_decode(&self, bytes: &[u8], inputs: &[LogicalPlan], context: &TaskContext) -> Result<Extension> {
        self.others.try_decode(bytes, inputs, context)
    }

    fn try_encode(&self, node: &Extension, bytes: &mut Vec<u8>) -> Result<()> {
        self.others.try_encode(node, bytes)
    }

    fn try_decode_table_provider(
        &self,
        bytes: &[u8],
        name: &TableReference,
        schema: SchemaRef,
        context: &TaskContext,
    ) -> Result<Arc<dyn TableProvider>> {
        match marked(bytes) {
            Some(bytes) => Ok(Arc::new(self.table(&decode(bytes)?, name, &schema, context)?)),
            None => self.others.try_decode_table_provider(bytes, name, schema, context),
        }
    }

    fn try_encode_table_provider(
        &self,
        name: &TableReference,
        table: Arc<dyn TableProvider>,
        bytes: &mut Vec<u8>,
    ) -> Result<()> {
        match table.downcast_ref::<TrevniTable>() {
            Some(table) => encode(&self.message(table)?, bytes),
            None => self.others.try_encode_table_provider(name, table, bytes),
        }
    }

    fn try_decode_file_format(
        &self,
        bytes: &[u8],
        context: &TaskContext,
    ) -> Result<Arc<dyn FileFormatFactory>> {
        let Some(bytes) = marked(bytes) else { return self.others.try_decode_file_format(bytes, context) };
        let format: Format = decode(bytes)?;
        let factory = match format.name.as_str() {
            TrevniFormat::NAME => TrevniFormatFactory::new(),
            TrevniFormat::EXTENSION => TrevniFormatFactory::of_extension(),
            other => return plan_err!("a plan that came is damaged: there is no format {other:?}"),
        };
        TrevniFormat::with_options(&format.options)?;
        Ok(Arc::new(factory.with_options(format.options)))
    }

    fn try_encode_file_format(&self, bytes: &mut Vec<u8>, format: Arc<dyn FileFormatFactory>) -> Result<()> {
        match format.downcast_ref::<TrevniFormatFactory>() {
            Some(factory) => {
                encode(&Format { name: factory.get_ext(), options: factory.options().clone() }, bytes)
            }
            None => self.others.try_encode_file_format(bytes, format),
        }
    }
}

impl TrevniLogicalCodec {
    fn message(&self, table: &TrevniTable) -> Result<Table> {
        let (files, options) = (table.files(), table.files().options());
        let Some(format) = options.format.downcast_ref::<TrevniFormat>() else {
            return plan_err!("a table of Trevni files that are listed with another format cannot be sent");
        };
        let place = |path: &ListingTableUrl| Place {
            url: path.as_str().to_owned(),
            pattern: path.get_glob().as_ref().map(ToString::to_string),
        };
        let order =
            |order: &Vec<_>| Ok(SortExprNodeCollection { sort_expr_nodes: serialize_sorts(order, self)? });
        Ok(Table {
            places: files.table_paths().iter().map(place).collect(),
            ending: options.file_extension.clone(),
            partitions: options.table_partition_cols.iter().map(|(name, _)| name.clone()).collect(),
            orders: options.file_sort_order.iter().map(order).collect::<Result<_>>()?,
            options: format.options(),
            deleted: match table.deleted() {
                Some(conditions) => Some(Conditions { all: serialize_exprs(conditions, self)? }),
                None => None,
            },
        })
    }

    fn table(
        &self,
        table: &Table,
        name: &TableReference,
        schema: &Schema,
        context: &TaskContext,
    ) -> Result<TrevniTable> {
        let place = |place: &Place| {
            let path = ListingTableUrl::parse(&place.url)?.with_table_ref(name.clone());
            match &place.pattern {
                Some(pattern) => path.with_glob(pattern),
                None => Ok(path),
            }
        };
        let paths: Vec<ListingTableUrl> = table.places.iter().map(place).collect::<Result<_>>()?;
        let Some(first) = paths.first() else { return Err(missing("the place of a table")) };
        if paths.iter().any(|path| path.object_store() != first.object_store()) {
            return plan_err!("a plan that came is damaged: a table of several stores");
        }
        let (partitions, of_files): (Vec<_>, Vec<_>) =
            schema.fields().iter().cloned().partition(|field| table.partitions.contains(field.name()));
        if partitions.len() != table.partitions.len()
            || partitions.iter().zip(&table.partitions).any(|(field, name)| field.name() != name)
        {
            return Err(missing("a column of the paths"));
        }
        let order = |order: &SortExprNodeCollection| Ok(parse_sorts(&order.sort_expr_nodes, context, self)?);
        let format = TrevniFormat::with_options(&table.options)?;
        let options = ListingOptions::new(Arc::new(format))
            .with_file_extension(&table.ending)
            .with_table_partition_cols(
                partitions.iter().map(|field| (field.name().clone(), field.data_type().clone())).collect(),
            )
            .with_file_sort_order(table.orders.iter().map(order).collect::<Result<_>>()?);
        let files = ListingTableConfig::new_with_multi_paths(paths)
            .with_listing_options(options)
            .with_schema(Arc::new(Schema::new(of_files)));
        let deleted = table.deleted.as_ref().map(|conditions| parse_exprs(&conditions.all, context, self));
        Ok(TrevniTable::new(ListingTable::try_new(files)?).deleting(deleted.transpose()?))
    }
}
