//! What to say of values that neither language has a type for.

use trevni::Shape;

/// A comment for the field of such values.
pub(crate) fn remark(shape: &Shape) -> Option<String> {
    let own = match shape.storage() {
        Shape::I128 => Some("128 bits with sign, big-endian".to_owned()),
        Shape::U128 => Some("128 bits without sign, big-endian".to_owned()),
        Shape::Fixed(fixed) => Some(format!("{} bytes", fixed.size)),
        _ => None,
    };
    match (shape, own) {
        (Shape::Logical(logical), own) => {
            let logical = logical.logical.to_string().escape_debug().to_string();
            Some(own.into_iter().fold(logical, |logical, own| format!("{logical}, {own}")))
        }
        (_, own) => own,
    }
}
