//! What stops a call: bytes that are not there yet, or an error.

use js_sys::{Object, Reflect};
use trevni::Category;
use trevni_query::ErrorKind;
use wasm_bindgen::JsValue;

pub(crate) type Result<T, E = Fault> = std::result::Result<T, E>;

/// What stops a call.
#[derive(Debug)]
pub(crate) enum Fault {
    /// Bytes have to be fetched first.
    Lacking,
    Error(Told),
}

/// An error, as JavaScript gets it.
#[derive(Debug)]
pub(crate) struct Told {
    message: String,
    category: &'static str,
    hint: Option<String>,
    /// The character of a filter that is wrong.
    position: Option<usize>,
}

impl Fault {
    #[cold]
    pub(crate) fn misuse(message: impl Into<String>) -> Self {
        Self::Error(Told { message: message.into(), category: "misuse", hint: None, position: None })
    }

    /// A window of fewer rows is wanted.
    #[cold]
    pub(crate) fn window() -> Self {
        let message = "these rows are in too many bytes to be fetched at once".to_owned();
        Self::Error(Told { message, category: "window", hint: None, position: None })
    }

    /// The error that is told.
    pub(crate) fn told(self) -> Told {
        match self {
            Self::Error(told) => told,
            Self::Lacking => Self::internal("bytes are lacking, and none is missing").told(),
        }
    }

    #[cold]
    pub(crate) fn internal(message: &str) -> Self {
        Self::Error(Told { message: message.to_owned(), category: "internal", hint: None, position: None })
    }
}

impl From<trevni::Error> for Fault {
    #[cold]
    fn from(error: trevni::Error) -> Self {
        let category = category(error.category());
        Self::Error(Told { message: error.to_string(), category, hint: None, position: None })
    }
}

impl From<trevni_query::Error> for Fault {
    #[cold]
    fn from(error: trevni_query::Error) -> Self {
        let category = match error.kind() {
            ErrorKind::Read(read) => category(read.category()),
            _ => "misuse",
        };
        let position =
            error.excerpt().map(|(text, at)| text.get(..at).unwrap_or(text).encode_utf16().count());
        let hint = error.hint().map(str::to_owned);
        Self::Error(Told { message: error.to_string(), category, hint, position })
    }
}

impl From<std::io::Error> for Fault {
    #[cold]
    fn from(error: std::io::Error) -> Self {
        Self::Error(Told { message: error.to_string(), category: "io", hint: None, position: None })
    }
}

fn category(category: Category) -> &'static str {
    match category {
        Category::Io => "io",
        Category::Corrupt => "corrupt",
        Category::Unsupported => "unsupported",
        Category::Limit => "limit",
        Category::Shape => "shape",
        Category::Misuse => "misuse",
        _ => "internal",
    }
}

impl From<Told> for JsValue {
    #[cold]
    fn from(told: Told) -> Self {
        let object = Object::new();
        let set = |name: &str, value: JsValue| {
            // A new object takes everything.
            let _ = Reflect::set(&object, &name.into(), &value);
        };
        set("message", told.message.into());
        set("category", told.category.into());
        set("hint", told.hint.into());
        set("position", told.position.map(|position| position as f64).into());
        object.into()
    }
}
