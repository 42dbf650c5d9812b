//! Whether a type gives each place values of one kind only.

use crate::model::{Body, Fields, Graph, Tagging, Type};
use crate::render::used;

/// True without tags, untagged enums and flattened fields, where one field has values of several types, and
/// without tuples that are so long that they become lists.
pub fn is_plain(graph: &Graph) -> bool {
    let defs: Vec<_> = used(graph).into_iter().map(|id| &graph.defs[id]).collect();
    let tagged = |body: &Body| matches!(body, Body::Enum(tagging, _) if *tagging != Tagging::External);
    let flat = |fields: &Fields| matches!(fields, Fields::Named(named) if named.is_flat());
    let all_fields = || defs.iter().flat_map(|def| def.all_fields());
    !defs.iter().any(|def| tagged(&def.body))
        && !all_fields().any(flat)
        && !has_long_tuple(&graph.row)
        && !all_fields().flat_map(Fields::types).any(has_long_tuple)
}

fn has_long_tuple(ty: &Type) -> bool {
    matches!(ty, Type::Tuple(items) if items.len() > 16) || ty.parts().into_iter().any(has_long_tuple)
}
