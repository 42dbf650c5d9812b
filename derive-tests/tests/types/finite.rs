//! Whether a recursive type has values that end, and whether reading it does.

use crate::model::{Body, Fields, Graph, Tagging, Type};
use crate::render::used;

pub fn is_finite(graph: &Graph) -> bool {
    let defs = || used(graph).into_iter().map(Type::Def);
    values_end(graph, &graph.row, &mut vec![])
        && defs().all(|def| values_end(graph, &def, &mut vec![]) && reading_ends(graph, &def, &mut vec![]))
}

/// Whether there are values where options are None, lists empty and variants the first.
fn values_end(graph: &Graph, ty: &Type, within: &mut Vec<usize>) -> bool {
    match ty {
        Type::Scalar(_) | Type::Option(_) | Type::List(_) | Type::Map(..) => true,
        Type::Tuple(items) => items.iter().all(|item| values_end(graph, item, within)),
        Type::Array(item, _) => values_end(graph, item, within),
        Type::Def(id) | Type::Boxed(id) if within.contains(id) => false,
        Type::Def(id) | Type::Boxed(id) => {
            within.push(*id);
            let first = graph.defs[*id].all_fields().into_iter().next();
            let end =
                first.is_none_or(|fields| fields.types().iter().all(|ty| values_end(graph, ty, within)));
            within.pop();
            end
        }
    }
}

/// Whether no definition is read again from the very value that it is being read from, or written into it,
/// without end. serde's own code for untagged and internally tagged enums and flattened fields does so for some
/// types; some of these do not compile.
fn reading_ends(graph: &Graph, ty: &Type, within: &mut Vec<usize>) -> bool {
    match ty {
        Type::Option(item) => reading_ends(graph, item, within),
        Type::Def(id) | Type::Boxed(id) if within.contains(id) => false,
        Type::Def(id) | Type::Boxed(id) => {
            let from_the_same: Vec<&Type> = match &graph.defs[*id].body {
                Body::Struct(Fields::Newtype(ty)) => vec![ty],
                Body::Struct(Fields::Named(named)) => {
                    named.fields.iter().filter(|field| field.flatten).map(|field| &field.ty).collect()
                }
                Body::Struct(_) => vec![],
                Body::Enum(Tagging::Untagged | Tagging::Internal(_), variants) => {
                    let newtypes = variants.iter().filter(|one| matches!(one.fields, Fields::Newtype(_)));
                    newtypes.flat_map(|variant| variant.fields.types()).collect()
                }
                Body::Enum(..) => vec![],
            };
            within.push(*id);
            let ends = from_the_same.iter().all(|ty| reading_ends(graph, ty, within));
            within.pop();
            ends
        }
        _ => true,
    }
}
