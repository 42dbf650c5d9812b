//! What is done with the values of a part of the rows.

use std::collections::HashMap;
use trevni::{Batch, Shape};

/// How values as they are written become values as they are wanted.
pub(super) enum Step {
    /// They stay as they are.
    Keep,
    /// Numbers become numbers.
    Number(Number),
    /// Bytes become text, if they are UTF-8.
    Text,
    /// Text becomes bytes.
    Bytes,
    /// Bytes of a decimal become as many bytes as this.
    Extend(usize),
    /// Ordinals become others; null without such a symbol.
    Ordinals {
        symbols: Vec<String>,
        ordinals: Vec<Option<i32>>,
    },
    /// Strings become ordinals.
    Symbols {
        ordinals: HashMap<String, i32>,
        default: Option<i32>,
    },
    Record(Vec<Part>),
    List(Box<Step>),
    Map(Box<(Step, Step)>),
    /// Those that are there become others.
    Optional(Box<Step>),
    /// All are there.
    Some(Box<Step>),
    /// All have to be there.
    Present(Box<Step>),
    /// None of them is there; of as many nulls, no values of this shape.
    Nothing(Shape),
    /// None of them may be there.
    Null,
    /// All are of one type of a union.
    Variant {
        tag: u16,
        step: Box<Step>,
        variants: Vec<Shape>,
    },
    /// Each is of one of these types, as members of a record have it, and becomes a value of the shape.
    Members {
        members: Vec<Result<Step, String>>,
        shape: Shape,
    },
}

/// A number that becomes another.
#[derive(Clone, Copy, Debug)]
pub(super) enum Number {
    /// An integer of up to 64 bits.
    Long,
    /// The bits of a long, which must not be negative where this one has a sign and that one has not.
    Unsigned,
    Float,
    Double,
    /// From an integer without sign.
    FloatOfUnsigned,
    /// From an integer without sign.
    DoubleOfUnsigned,
}

/// Where the values of a field come from.
pub(super) enum Part {
    /// A field that is written, by its number among those that are read.
    Field { name: String, at: usize, step: Step },
    /// A row with the default.
    Default(Batch),
}
