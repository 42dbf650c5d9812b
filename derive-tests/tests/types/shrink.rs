//! Makes a failing case small: fewer fields, variants and rows, simpler types, plainer names.

use crate::cases::rows_of;
use crate::checks::{self, Case};
use crate::finite;
use crate::model::{Body, Fields, Graph, Scalar, Tagging, Type};
use crate::names::intern;
use crate::random::Random;
use crate::render::used;
use crate::report::category;

/// Cases that may be tried for one failure, if `TREVNI_TRIES` does not say otherwise.
const TRIES: u64 = 600;

/// Rows that are tried of one type.
const ATTEMPTS: u64 = 4;

struct Wanted<'a> {
    check: &'static str,
    category: &'a str,
}

pub fn shrink(case: &Case, check: &'static str, category: &str) -> Case {
    let wanted = &Wanted { check, category };
    let mut small = case.clone();
    let mut tries = crate::number("TREVNI_TRIES", TRIES);
    while let Some(smaller) = simpler(&small.graph.clone()).find_map(|graph| {
        tries = tries.checked_sub(ATTEMPTS)?;
        with_rows(&small, graph.leak(), wanted)
    }) {
        small = smaller;
    }
    while let Some(smaller) = (0..small.rows.len()).rev().find_map(|row| {
        let mut rows = small.rows.clone();
        rows.remove(row);
        Some(Case { rows, ..small.clone() }).filter(|case| fails(case, wanted))
    }) {
        small = smaller;
    }
    small
}

/// Whether it fails so first of all, and not in a check before.
fn fails(case: &Case, wanted: &Wanted<'_>) -> bool {
    let failures = checks::run(case, Some(wanted.check));
    failures.first().is_some_and(|failure| category(failure) == wanted.category)
}

/// The case with another type, and rows of it with which it still fails.
fn with_rows(case: &Case, graph: &'static Graph, wanted: &Wanted<'_>) -> Option<Case> {
    (0..ATTEMPTS).find_map(|attempt| {
        let mut random = Random::new(case.seed.wrapping_add(attempt));
        let rows = rows_of(&mut random, graph, &case.pool, if attempt < 2 { 4 } else { 8 });
        Some(Case { graph, rows, ..case.clone() }).filter(|case| fails(case, wanted))
    })
}

/// Graphs that are a little simpler, one after the other.
fn simpler(graph: &Graph) -> impl Iterator<Item = Graph> {
    let mut edits: Vec<Edit> = Vec::new();
    for part in flat_parts(&graph.row) {
        edits.push(Box::new(move |graph| graph.row = part.clone()));
    }
    for id in used(graph) {
        for part in graph.defs[id].all_fields().into_iter().flat_map(Fields::types) {
            let part = part.clone();
            if matches!(graph.row, Type::Def(row) if row == id) && !matches!(part, Type::Boxed(_)) {
                edits.push(Box::new(move |graph| graph.row = part.clone()));
            }
        }
        if let Body::Enum(tagging, variants) = &graph.defs[id].body {
            for number in (0..variants.len()).filter(|_| variants.len() > 1) {
                edits.push(Box::new(move |graph| {
                    if let Body::Enum(_, variants) = &mut graph.defs[id].body {
                        variants.remove(number);
                    }
                }));
            }
            if *tagging != Tagging::External {
                edits.push(Box::new(move |graph| {
                    if let Body::Enum(tagging, _) = &mut graph.defs[id].body {
                        *tagging = Tagging::External;
                    }
                }));
            }
        }
        for (number, fields) in graph.defs[id].all_fields().into_iter().enumerate() {
            edits.extend(simpler_fields(id, number, fields));
        }
        edits.extend(plainer_names(graph, id));
    }
    let graph = graph.clone();
    edits.into_iter().filter_map(move |edit| {
        let mut simpler = graph.clone();
        edit(&mut simpler);
        drop_attributes(&mut simpler);
        finite::is_finite(&simpler).then_some(simpler)
    })
}

/// Takes attributes off fields whose types no longer have what they need.
fn drop_attributes(graph: &mut Graph) {
    for fields in graph.defs.iter_mut().flat_map(|def| def.all_fields_mut()) {
        if let Fields::Named(named) = fields {
            for field in &mut named.fields {
                field.skip &= field.ty.can_be_empty();
                field.default &= field.ty.has_default();
            }
        }
    }
}

type Edit = Box<dyn Fn(&mut Graph)>;

fn edit(id: usize, number: usize, edit: impl Fn(&mut Fields) + 'static) -> Edit {
    Box::new(move |graph| edit(graph.defs[id].all_fields_mut().swap_remove(number)))
}

fn simpler_fields(id: usize, number: usize, fields: &Fields) -> Vec<Edit> {
    let mut edits = Vec::new();
    if !matches!(fields, Fields::Unit) {
        edits.push(edit(id, number, |fields| *fields = Fields::Unit));
    }
    for (at, ty) in fields.types().into_iter().enumerate() {
        edits.push(edit(id, number, move |fields| match fields {
            Fields::Tuple(types) => drop(types.remove(at)),
            Fields::Named(named) => drop(named.fields.remove(at)),
            _ => {}
        }));
        for part in flat_parts(ty) {
            edits.push(edit(id, number, move |fields| *fields.types_mut()[at] = part.clone()));
        }
        if let Fields::Named(named) = fields {
            let field = &named.fields[at];
            if field.skip || field.default || field.flatten {
                edits.push(edit(id, number, move |fields| {
                    if let Fields::Named(named) = fields {
                        let field = &mut named.fields[at];
                        (field.skip, field.default, field.flatten) = (false, false, false);
                    }
                }));
            }
        }
    }
    edits
}

/// What a type may be replaced by.
fn flat_parts(ty: &Type) -> Vec<Type> {
    let mut parts: Vec<Type> = ty.parts().into_iter().cloned().collect();
    match ty {
        Type::Scalar(Scalar::Unit) => {}
        Type::Scalar(Scalar::I32) => parts.push(Type::Scalar(Scalar::Unit)),
        _ => parts.extend([Scalar::Unit, Scalar::I32].map(Type::Scalar)),
    }
    match ty {
        Type::Tuple(items) if items.len() > 1 => {
            for at in 0..items.len() {
                let mut items = items.clone();
                items.remove(at);
                parts.push(Type::Tuple(items));
            }
        }
        Type::Array(item, len) if *len > 1 => parts.push(Type::Array(item.clone(), 1)),
        Type::Map(key, item) if !matches!(**key, Type::Scalar(_)) => {
            for key in [Scalar::Text, Scalar::U32].map(Type::Scalar) {
                parts.push(Type::Map(Box::new(key), item.clone()));
            }
        }
        Type::Option(item) | Type::List(item) => {
            for part in flat_parts(item) {
                parts.push(match ty {
                    Type::Option(_) => Type::option(part),
                    _ => Type::List(Box::new(part)),
                });
            }
        }
        _ => {}
    }
    // A definition within itself needs what its values end with.
    parts.retain(|part| !matches!(part, Type::Boxed(_)));
    parts
}

/// Names that collide with nothing and mean nothing.
fn plainer_names(graph: &Graph, id: usize) -> Vec<Edit> {
    let mut edits: Vec<Edit> = Vec::new();
    let plain = intern(&format!("Plain{id}"));
    if graph.defs[id].name != plain {
        edits.push(Box::new(move |graph| graph.defs[id].name = plain));
    }
    if let Body::Enum(_, variants) = &graph.defs[id].body {
        for (number, variant) in variants.iter().enumerate() {
            let plain = intern(&format!("V{id}{number}"));
            if variant.name != plain {
                edits.push(Box::new(move |graph| {
                    if let Body::Enum(_, variants) = &mut graph.defs[id].body {
                        variants[number].name = plain;
                    }
                }));
            }
        }
    }
    for (number, fields) in graph.defs[id].all_fields().into_iter().enumerate() {
        let Fields::Named(named) = fields else { continue };
        for (at, field) in named.fields.iter().enumerate() {
            let plain = intern(&format!("f{id}{number}{at}"));
            if field.name != plain && !field.flatten {
                edits.push(edit(id, number, move |fields| {
                    if let Fields::Named(named) = fields {
                        named.fields[at].name = plain;
                    }
                }));
            }
        }
    }
    edits
}
