//! A schema as a text, as Parquet's library for Hadoop prints it: `required binary left (UTF8);`.

use parquet::basic::{ConvertedType, LogicalType, TimeUnit, Type as Physical};
use parquet::schema::types::Type;

pub(super) fn text(schema: &Type) -> String {
    // Some writers leave it out, and then nobody could parse the text.
    let name = if schema.name().is_empty() { "schema" } else { schema.name() };
    let mut out = format!("message {name} {{\n");
    members(schema, 1, &mut out);
    out.push_str("}\n");
    out
}

fn members(group: &Type, depth: usize, out: &mut String) {
    for member in group.get_fields() {
        let info = member.get_basic_info();
        let indent = "  ".repeat(depth);
        // Fields of a message have a repetition.
        let repetition =
            if info.has_repetition() { info.repetition().to_string() } else { "required".to_owned() };
        let kind = match member.as_ref() {
            Type::GroupType { .. } => "group".to_owned(),
            Type::PrimitiveType { physical_type, type_length, .. } => physical(*physical_type, *type_length),
        };
        out.push_str(&format!("{indent}{} {kind} {}", repetition.to_lowercase(), info.name()));
        if let Some(annotation) = annotation(member) {
            out.push_str(&format!(" ({annotation})"));
        }
        if info.has_id() {
            out.push_str(&format!(" = {}", info.id()));
        }
        match member.is_group() {
            true => {
                out.push_str(" {\n");
                members(member, depth + 1, out);
                out.push_str(&format!("{indent}}}\n"));
            }
            false => out.push_str(";\n"),
        }
    }
}

fn physical(physical: Physical, length: i32) -> String {
    match physical {
        Physical::BYTE_ARRAY => "binary".to_owned(),
        Physical::FIXED_LEN_BYTE_ARRAY => format!("fixed_len_byte_array({length})"),
        other => other.to_string().to_lowercase(),
    }
}

/// What the values mean: the name that all versions of the format know, or else that of newer ones.
fn annotation(field: &Type) -> Option<String> {
    let info = field.get_basic_info();
    Some(match (info.converted_type(), field) {
        (ConvertedType::NONE, _) => return logical(info.logical_type_ref()?),
        (ConvertedType::DECIMAL, Type::PrimitiveType { precision, scale, .. }) => {
            format!("DECIMAL({precision},{scale})")
        }
        (converted, _) => converted.to_string(),
    })
}

fn logical(logical: &LogicalType) -> Option<String> {
    let unit = |unit: &TimeUnit| match unit {
        TimeUnit::MILLIS => "MILLIS",
        TimeUnit::MICROS => "MICROS",
        TimeUnit::NANOS => "NANOS",
    };
    Some(match logical {
        LogicalType::Integer(of) => format!("INTEGER({},{})", of.bit_width, of.is_signed),
        LogicalType::Decimal(of) => format!("DECIMAL({},{})", of.precision, of.scale),
        LogicalType::Timestamp(of) => format!("TIMESTAMP({},{})", unit(&of.unit), of.is_adjusted_to_u_t_c),
        LogicalType::Time(of) => format!("TIME({},{})", unit(&of.unit), of.is_adjusted_to_u_t_c),
        LogicalType::Date => "DATE".to_owned(),
        LogicalType::Bson => "BSON".to_owned(),
        LogicalType::Json => "JSON".to_owned(),
        LogicalType::String => "STRING".to_owned(),
        LogicalType::Uuid => "UUID".to_owned(),
        LogicalType::Enum => "ENUM".to_owned(),
        LogicalType::List => "LIST".to_owned(),
        LogicalType::Map => "MAP".to_owned(),
        LogicalType::Float16 => "FLOAT16".to_owned(),
        LogicalType::Variant(_) => "VARIANT".to_owned(),
        LogicalType::Geometry(_) => "GEOMETRY".to_owned(),
        LogicalType::Geography(_) => "GEOGRAPHY".to_owned(),
        LogicalType::Unknown => "UNKNOWN".to_owned(),
        LogicalType::_Unknown { .. } => return None,
    })
}
