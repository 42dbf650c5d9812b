//! Writes the text of a message.

use super::{Field, Kind, Message};

/// The text of a message: one line a field, two spaces for each group around it.
pub(crate) fn write(message: &Message) -> String {
    let mut text = format!("message {} {{\n", message.name);
    fields(&message.fields, 1, &mut text);
    text.push_str("}\n");
    text
}

fn fields(fields: &[Field], depth: usize, text: &mut String) {
    for field in fields {
        indent(depth, text);
        text.push_str(field.repetition.name());
        match &field.kind {
            Kind::Leaf(leaf) => text.extend([" ", leaf.name(), " ", &field.name, ";\n"]),
            Kind::Group(below) => {
                text.extend([" group ", &field.name, " {\n"]);
                self::fields(below, depth + 1, text);
                indent(depth, text);
                text.push_str("}\n");
            }
        }
    }
}

fn indent(depth: usize, text: &mut String) {
    (0..depth).for_each(|_| text.push_str("  "));
}
