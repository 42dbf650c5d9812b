//! A type some versions later: fields and variants come, go and move, types become wider.

use crate::model::{Body, Field, Fields, Graph, Named, Scalar, Type, Variant};
use crate::random::Random;
use crate::render::used;

/// One to three changes to a type.
pub fn evolve(random: &mut Random, graph: &Graph, pool: &[&'static str]) -> Graph {
    let mut later = graph.clone();
    for _ in 0..random.between(1, 3) {
        change(random, &mut later, pool);
    }
    later
}

fn change(random: &mut Random, graph: &mut Graph, pool: &[&'static str]) {
    let ids = used(graph);
    if ids.is_empty() || random.one_in(4) {
        return change_type(random, graph);
    }
    let def = &mut graph.defs[*random.pick(&ids)];
    if random.one_in(6) {
        def.name = *random.pick(pool);
        return;
    }
    match &mut def.body {
        Body::Struct(Fields::Named(named)) => change_fields(random, named, pool),
        Body::Struct(_) => change_type(random, graph),
        Body::Enum(_, variants) => match random.below(3) {
            0 => random.shuffle(variants),
            1 => {
                let name = *random.pick(pool);
                if variants.iter().all(|variant| variant.name != name) {
                    let new = Fields::Newtype(Type::Scalar(*random.pick(&Scalar::ALL)));
                    let fields = if random.one_in(2) { Fields::Unit } else { new };
                    variants.push(Variant { name, fields });
                }
            }
            _ => {
                let number = random.below(variants.len().max(1));
                match variants.get_mut(number).map(|variant| &mut variant.fields) {
                    Some(Fields::Named(named)) => change_fields(random, named, pool),
                    _ => change_type(random, graph),
                }
            }
        },
    }
}

fn change_fields(random: &mut Random, named: &mut Named, pool: &[&'static str]) {
    match random.below(3) {
        0 if !named.fields.is_empty() => {
            named.fields.remove(random.below(named.fields.len()));
        }
        1 => random.shuffle(&mut named.fields),
        _ => {
            let name = *random.pick(pool);
            if named.fields.iter().any(|field| field.name == name && !field.flatten) {
                return;
            }
            let scalar = Type::Scalar(*random.pick(&Scalar::ALL));
            let default = random.one_in(2);
            let ty = if default { scalar } else { Type::option(scalar) };
            let field = Field { name, ty, skip: false, default, flatten: false };
            named.fields.insert(random.between(0, named.fields.len()), field);
        }
    }
}

/// Makes one type wider, or optional.
fn change_type(random: &mut Random, graph: &mut Graph) {
    let ids = used(graph);
    let mut places = vec![&mut graph.row];
    for (id, def) in graph.defs.iter_mut().enumerate() {
        if ids.contains(&id) {
            places.extend(def.all_fields_mut().into_iter().flat_map(Fields::types_mut));
        }
    }
    let at = random.below(places.len());
    let mut ty = places.swap_remove(at);
    while random.one_in(2) && !ty.parts().is_empty() {
        let mut parts = ty.parts_mut();
        let at = random.below(parts.len());
        ty = parts.swap_remove(at);
    }
    let wider = match ty {
        Type::Scalar(scalar) => wider(*scalar),
        _ => None,
    };
    match wider {
        Some(wider) if random.one_in(2) => *ty = Type::Scalar(wider),
        _ => *ty = Type::option(ty.clone()),
    }
}

fn wider(scalar: Scalar) -> Option<Scalar> {
    Some(match scalar {
        Scalar::I8 => Scalar::I16,
        Scalar::I16 => Scalar::I32,
        Scalar::I32 | Scalar::U32 => Scalar::I64,
        Scalar::U8 => Scalar::I32,
        Scalar::U16 => Scalar::U32,
        Scalar::F32 => Scalar::F64,
        Scalar::Char => Scalar::Text,
        _ => return None,
    })
}
