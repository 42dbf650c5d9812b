//! The classes in a footer, as the Java implementation had them.

use super::flag;

/// A class, by which its objects are written.
pub(super) struct Class {
    pub(super) name: &'static str,
    pub(super) serial: u64,
    pub(super) flags: u8,
    /// Numbers first, then objects, each in the order of the names.
    pub(super) fields: &'static [Field],
    pub(super) parent: Option<&'static Class>,
}

/// A field of a class: its name, and what it holds.
pub(super) struct Field(pub(super) &'static str, pub(super) Holds);

/// What a field holds.
pub(super) enum Holds {
    Int,
    Long,
    /// An object or array of this type.
    Object(&'static str),
}

const LIST: Holds = Holds::Object("Ljava/util/List;");
const TEXT: Holds = Holds::Object("Ljava/lang/String;");

pub(super) const FOOTER: &Class = &Class {
    name: "redelm.hadoop.RedelmMetaData",
    serial: 1,
    flags: flag::FIELDS,
    fields: &[
        Field("blocks", LIST),
        Field("fileMetaData", Holds::Object("Lredelm/hadoop/RedelmMetaData$FileMetaData;")),
    ],
    parent: None,
};

pub(super) const ARRAY_LIST: &Class = &Class {
    name: "java.util.ArrayList",
    serial: 0x7881_d21d_99c7_619d,
    flags: flag::FIELDS | flag::WRITES,
    fields: &[Field("size", Holds::Int)],
    parent: None,
};

pub(super) const ROW_GROUP: &Class = &Class {
    name: "redelm.hadoop.BlockMetaData",
    serial: 1,
    flags: flag::FIELDS,
    fields: &[
        Field("endIndex", Holds::Long),
        Field("recordCount", Holds::Int),
        Field("startIndex", Holds::Long),
        Field("columns", LIST),
    ],
    parent: None,
};

pub(super) const COLUMN: &Class = &Class {
    name: "redelm.hadoop.ColumnMetaData",
    serial: 1,
    flags: flag::FIELDS,
    fields: &[
        Field("dataEnd", Holds::Long),
        Field("dataStart", Holds::Long),
        Field("dataUncompressedLength", Holds::Long),
        Field("definitionStart", Holds::Long),
        Field("definitionUncompressedLength", Holds::Long),
        Field("repetitionStart", Holds::Long),
        Field("repetitionUncompressedLength", Holds::Long),
        Field("valueCount", Holds::Int),
        Field("path", Holds::Object("[Ljava/lang/String;")),
        Field("type", Holds::Object("Lredelm/schema/PrimitiveType$Primitive;")),
    ],
    parent: None,
};

pub(super) const TEXTS: &Class = &Class {
    name: "[Ljava.lang.String;",
    serial: 0xadd2_56e7_e91d_7b47,
    flags: flag::FIELDS,
    fields: &[],
    parent: None,
};

const ENUM: &Class =
    &Class { name: "java.lang.Enum", serial: 0, flags: flag::FIELDS | flag::ENUM, fields: &[], parent: None };

pub(super) const TYPE: &Class = &Class {
    name: "redelm.schema.PrimitiveType$Primitive",
    serial: 0,
    flags: flag::FIELDS | flag::ENUM,
    fields: &[],
    parent: Some(ENUM),
};

pub(super) const FILE: &Class = &Class {
    name: "redelm.hadoop.RedelmMetaData$FileMetaData",
    serial: 1,
    flags: flag::FIELDS,
    fields: &[Field("codecClassName", TEXT), Field("schema", TEXT)],
    parent: None,
};
