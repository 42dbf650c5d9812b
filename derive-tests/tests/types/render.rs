//! A graph as Rust source with serde's attributes, to be pasted into a test.

use crate::model::{Body, Def, Fields, Graph, Id, Named, Scalar, Tagging, Type};
use std::fmt::Write;

pub fn graph(graph: &Graph) -> String {
    let mut text = String::new();
    for id in used(graph) {
        def(&mut text, graph, id);
    }
    let _ = writeln!(text, "type TheRow = {};", ty(graph, &graph.row));
    text
}

/// The definitions that the row uses.
pub fn used(graph: &Graph) -> Vec<Id> {
    let mut seen = vec![false; graph.defs.len()];
    let mut open = vec![&graph.row];
    while let Some(ty) = open.pop() {
        if let Type::Def(id) | Type::Boxed(id) = ty
            && !std::mem::replace(&mut seen[*id], true)
        {
            open.extend(graph.defs[*id].all_fields().into_iter().flat_map(Fields::types));
        }
        open.extend(ty.parts());
    }
    (0..graph.defs.len()).filter(|id| seen[*id]).collect()
}

fn ident(def: &Def, id: Id) -> String {
    let kept: String = def.name.chars().filter(char::is_ascii_alphanumeric).collect();
    format!("T{id}{kept}")
}

fn def(text: &mut String, graph: &Graph, id: Id) {
    let def = &graph.defs[id];
    let name = ident(def, id);
    let _ = writeln!(text, "#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]");
    let _ = writeln!(text, "#[serde(rename = {:?})]", def.name);
    match &def.body {
        Body::Struct(fields) => {
            let end = if matches!(fields, Fields::Named(_)) { "" } else { ";" };
            let _ = writeln!(text, "struct {name}{}{end}", body(graph, fields, ""));
        }
        Body::Enum(tagging, variants) => {
            match tagging {
                Tagging::External => {}
                Tagging::Internal(tag) => {
                    let _ = writeln!(text, "#[serde(tag = {tag:?})]");
                }
                Tagging::Adjacent(tag, content) => {
                    let _ = writeln!(text, "#[serde(tag = {tag:?}, content = {content:?})]");
                }
                Tagging::Untagged => text.push_str("#[serde(untagged)]\n"),
            }
            let _ = writeln!(text, "enum {name} {{");
            for (number, variant) in variants.iter().enumerate() {
                let fields = body(graph, &variant.fields, "    ");
                let _ = writeln!(text, "    #[serde(rename = {:?})]\n    V{number}{fields},", variant.name);
            }
            text.push_str("}\n");
        }
    }
}

fn body(graph: &Graph, fields: &Fields, indent: &str) -> String {
    match fields {
        Fields::Unit => String::new(),
        Fields::Newtype(only) => format!("({})", ty(graph, only)),
        Fields::Tuple(types) => {
            let types: Vec<String> = types.iter().map(|item| ty(graph, item)).collect();
            format!("({})", types.join(", "))
        }
        Fields::Named(named) => format!(" {{\n{}{indent}}}", named_fields(graph, named, indent)),
    }
}

fn named_fields(graph: &Graph, named: &Named, indent: &str) -> String {
    let mut text = String::new();
    for (number, field) in named.fields.iter().enumerate() {
        let mut attributes = vec![];
        if field.flatten {
            attributes.push("flatten".to_owned());
        } else {
            attributes.push(format!("rename = {:?}", field.name));
        }
        if field.default {
            attributes.push("default".to_owned());
        }
        if field.skip {
            let test = match &field.ty {
                Type::Option(_) => "Option::is_none",
                Type::List(_) => "Vec::is_empty",
                Type::Map(..) => "BTreeMap::is_empty",
                Type::Scalar(Scalar::Bytes) => "bytes_are_empty",
                _ => "String::is_empty",
            };
            attributes.push(format!("skip_serializing_if = {test:?}"));
        }
        let (attributes, ty) = (attributes.join(", "), ty(graph, &field.ty));
        let _ = writeln!(text, "{indent}    #[serde({attributes})]\n{indent}    f{number}: {ty},");
    }
    text
}

fn ty(graph: &Graph, of: &Type) -> String {
    match of {
        Type::Scalar(scalar) => match scalar {
            Scalar::Text => "String".to_owned(),
            Scalar::Bytes => "ByteBuf".to_owned(),
            Scalar::Unit => "()".to_owned(),
            other => format!("{other:?}").to_lowercase(),
        },
        Type::Option(item) => format!("Option<{}>", ty(graph, item)),
        Type::List(item) => format!("Vec<{}>", ty(graph, item)),
        Type::Tuple(items) => {
            let items: Vec<String> = items.iter().map(|item| ty(graph, item) + ",").collect();
            format!("({})", items.join(" "))
        }
        Type::Array(item, len) => format!("[{}; {len}]", ty(graph, item)),
        Type::Map(key, item) => format!("BTreeMap<{}, {}>", ty(graph, key), ty(graph, item)),
        Type::Boxed(id) => format!("Box<{}>", ident(&graph.defs[*id], *id)),
        Type::Def(id) => ident(&graph.defs[*id], *id),
    }
}
