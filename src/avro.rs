//! An Avro schema as a tree of types.
//!
//! An [`AvroSchema`] keeps what a [`Shape`](crate::Shape) drops: the position of null in a union, Avro's names of types,
//! fields and symbols, aliases, defaults, documentation and other properties. Use it to read or write Avro data, or to
//! convert rows of one schema to another.
//!
//! ```
//! use trevni::avro::{AvroKind, AvroSchema, NodeParts};
//!
//! let schema = AvroSchema::parse(
//!     r#"{"type": "record", "name": "shop.Sale", "aliases": ["Order"], "fields": [
//!         {"name": "price", "type": {"type": "fixed", "name": "Money", "size": 8}, "doc": "With tax."},
//!         {"name": "tip", "type": ["Money", "null"], "aliases": ["extra"], "default": "\u0000"}]}"#,
//! )?;
//! let sale = &schema.root;
//! assert_eq!((&*sale.name, &*sale.aliases), ("shop.Sale", &["shop.Order".to_owned()][..]));
//! let AvroKind::Record(fields) = &sale.kind else { panic!("no record") };
//! assert_eq!(fields[0].doc.as_deref(), Some("With tax."));
//! assert_eq!((&*fields[1].aliases[0], fields[1].default.as_ref()), ("extra", Some(&"\0".into())));
//! // Names mean types.
//! let AvroKind::Union(branches) = &fields[1].node.kind else { panic!("no union") };
//! assert_eq!(branches[0], fields[0].node);
//! assert_eq!(&*branches[1].name, "null");
//!
//! // The same with the shapes of columns.
//! let NodeParts::Record(fields) = schema.shaped().parts() else { panic!("no record") };
//! let NodeParts::Union(branches) = fields[1].1.parts() else { panic!("no union") };
//! assert_eq!(branches[0].map(|money| money.shape.kind()), Some("fixed"));
//! assert!(branches[1].is_none());
//! # Ok::<(), trevni::Error>(())
//! ```

pub use crate::schema::avro::tree::{AvroField, AvroKind, AvroNode, AvroSchema, NodeParts, ShapedNode};
