//! Random types of the keys of maps.

use crate::generate::Maker;
use crate::model::{Body, Field, Fields, Named, Scalar, Tagging, Type, Variant};

pub fn key_type(maker: &mut Maker<'_>) -> Type {
    match maker.random.weighted(&[8, 8, 2, 2, 1, 1, 1]) {
        0 => Type::Scalar(Scalar::Text),
        1 => scalar_key(maker),
        2 => maker.new_key_def(|maker| {
            let names: Vec<&'static str> = maker.pool.iter().copied().take(3).collect();
            let variants = names.into_iter().map(|name| Variant { name, fields: Fields::Unit });
            Body::Enum(Tagging::External, variants.collect())
        }),
        3 => maker.new_key_def(|maker| Body::Struct(Fields::Newtype(scalar_key(maker)))),
        4 => Type::Tuple(vec![scalar_key(maker), scalar_key(maker)]),
        5 => maker.new_key_def(|maker| {
            let (name, ty) = (maker.name(), scalar_key(maker));
            let field = Field { name, ty, skip: false, default: false, flatten: false };
            Body::Struct(Fields::Named(Named::new(vec![field])))
        }),
        _ => Type::option(scalar_key(maker)),
    }
}

fn scalar_key(maker: &mut Maker<'_>) -> Type {
    Type::Scalar(*maker.random.pick(&Scalar::ALL))
}
