//! The structs of a footer and of a page's header, as the Parquet library reads them. What is not here it
//! skips by its type.

use super::thrift::{Fields, Kind};

const EMPTY: Kind = Kind::Struct(&[]);

/// The unit of an instant or a time of day.
const UNIT: Kind = Kind::Struct(&[(1, EMPTY), (2, EMPTY), (3, EMPTY)]);
const TIME: Kind = Kind::Struct(&[(1, Kind::Bool), (2, UNIT)]);

const LOGICAL_TYPE: Kind = Kind::Struct(&[
    (1, EMPTY),
    (2, EMPTY),
    (3, EMPTY),
    (4, EMPTY),
    (5, Kind::Struct(&[(1, Kind::Int), (2, Kind::Int)])),
    (6, EMPTY),
    (7, TIME),
    (8, TIME),
    (10, Kind::Struct(&[(1, Kind::Byte), (2, Kind::Bool)])),
    (11, EMPTY),
    (12, EMPTY),
    (13, EMPTY),
    (14, EMPTY),
    (15, EMPTY),
    (16, Kind::Struct(&[(1, Kind::Byte)])),
    (17, Kind::Struct(&[(1, Kind::Bytes)])),
    (18, Kind::Struct(&[(1, Kind::Bytes), (2, Kind::Int)])),
]);

pub(super) const SCHEMA_ELEMENT: Fields = &[
    (1, Kind::Int),
    (2, Kind::Int),
    (3, Kind::Int),
    (4, Kind::Bytes),
    (5, Kind::Int),
    (6, Kind::Int),
    (7, Kind::Int),
    (8, Kind::Int),
    (9, Kind::Int),
    (10, LOGICAL_TYPE),
];

const KEY_VALUE: Kind = Kind::Struct(&[(1, Kind::Bytes), (2, Kind::Bytes)]);

const STATISTICS: Kind = Kind::Struct(&[
    (1, Kind::Bytes),
    (2, Kind::Bytes),
    (3, Kind::Int),
    (4, Kind::Int),
    (5, Kind::Bytes),
    (6, Kind::Bytes),
    (7, Kind::Bool),
    (8, Kind::Bool),
]);

const SIZE_STATISTICS: Kind =
    Kind::Struct(&[(1, Kind::Int), (2, Kind::List(&Kind::Int)), (3, Kind::List(&Kind::Int))]);

const BOUNDING_BOX: Kind = Kind::Struct(&[
    (1, Kind::Double),
    (2, Kind::Double),
    (3, Kind::Double),
    (4, Kind::Double),
    (5, Kind::Double),
    (6, Kind::Double),
    (7, Kind::Double),
    (8, Kind::Double),
]);

const COLUMN_METADATA: Kind = Kind::Struct(&[
    (1, Kind::Int),
    (2, Kind::List(&Kind::Int)),
    (4, Kind::Int),
    (5, Kind::Int),
    (6, Kind::Int),
    (7, Kind::Int),
    (9, Kind::Int),
    (10, Kind::Int),
    (11, Kind::Int),
    (12, STATISTICS),
    (13, Kind::List(&Kind::Struct(&[(1, Kind::Int), (2, Kind::Int), (3, Kind::Int)]))),
    (14, Kind::Int),
    (15, Kind::Int),
    (16, SIZE_STATISTICS),
    (17, Kind::Struct(&[(1, BOUNDING_BOX), (2, Kind::List(&Kind::Int))])),
]);

pub(super) const COLUMN_CHUNK: Fields = &[
    (1, Kind::Bytes),
    (2, Kind::Int),
    (3, COLUMN_METADATA),
    (4, Kind::Int),
    (5, Kind::Int),
    (6, Kind::Int),
    (7, Kind::Int),
    // How it is encrypted, and its metadata, encrypted.
    (8, Kind::Skipped),
    (9, Kind::Skipped),
];

const SORTING_COLUMN: Kind = Kind::Struct(&[(1, Kind::Int), (2, Kind::Bool), (3, Kind::Bool)]);

pub(super) const ROW_GROUP: Fields = &[
    (1, Kind::List(&Kind::Struct(COLUMN_CHUNK))),
    (2, Kind::Int),
    (3, Kind::Int),
    (4, Kind::List(&SORTING_COLUMN)),
    (5, Kind::Int),
    (7, Kind::Int),
];

const COLUMN_ORDER: Kind = Kind::Struct(&[(1, EMPTY)]);

pub(super) const FILE_METADATA: Fields = &[
    (1, Kind::Int),
    (2, Kind::List(&Kind::Struct(SCHEMA_ELEMENT))),
    (3, Kind::Int),
    (4, Kind::List(&Kind::Struct(ROW_GROUP))),
    (5, Kind::List(&KEY_VALUE)),
    (6, Kind::Bytes),
    (7, Kind::List(&COLUMN_ORDER)),
];

pub(crate) const DATA_PAGE: Fields = &[(1, Kind::Int), (2, Kind::Int), (3, Kind::Int), (4, Kind::Int)];

pub(crate) const DICTIONARY_PAGE: Fields = &[(1, Kind::Int), (2, Kind::Int), (3, Kind::Bool)];

pub(crate) const DATA_PAGE_V2: Fields = &[
    (1, Kind::Int),
    (2, Kind::Int),
    (3, Kind::Int),
    (4, Kind::Int),
    (5, Kind::Int),
    (6, Kind::Int),
    (7, Kind::Bool),
];

pub(crate) const PAGE_HEADER: Fields = &[
    (1, Kind::Int),
    (2, Kind::Int),
    (3, Kind::Int),
    (4, Kind::Int),
    (5, Kind::Struct(DATA_PAGE)),
    (6, EMPTY),
    (7, Kind::Struct(DICTIONARY_PAGE)),
    (8, Kind::Struct(DATA_PAGE_V2)),
];
