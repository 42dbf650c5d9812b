//! Strings that say what rows are: Avro schemas, and messages as RedElm has them.

use trevni::Shape;

/// Whether a text begins as a message does: `message Document { … }`.
pub fn is_message(text: &str) -> bool {
    let mut words = text.split_ascii_whitespace();
    words.next().is_some_and(|word| word.eq_ignore_ascii_case("message"))
}

/// The shape that a text describes.
pub fn shape(text: &str) -> trevni::Result<Shape> {
    if is_message(text) { Shape::from_message(text) } else { Shape::from_avro(text) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_and_avro_schemas_are_told_apart() {
        let text = "\n message Row { required int64 a; }";
        let expected = Shape::record("Row", [("a", Shape::Long)]);
        assert!(
            is_message(text) && is_message("MESSAGE a {") && !is_message("\"message\"") && !is_message("")
        );
        assert_eq!(shape(text).unwrap(), expected);
        assert_eq!(shape(&expected.to_avro()).unwrap(), expected);
        assert!(shape("message Row { }").is_err() && shape("messages").is_err());
    }
}
