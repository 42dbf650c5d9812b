//! The `.proto` of a shape: its text, and that it compiles.

mod common;

use common::{all_kinds, shape};
use proptest::prelude::{ProptestConfig, proptest};
use protox::file::{ChainFileResolver, File, FileResolver, GoogleFileResolver};
use trevni::Shape;

/// Finds one text, under the name `rows.proto`.
struct Text(String);

impl FileResolver for Text {
    fn open_file(&self, name: &str) -> Result<File, protox::Error> {
        match name {
            "rows.proto" => File::from_source(name, &self.0),
            name => Err(protox::Error::file_not_found(name)),
        }
    }
}

/// What is wrong with a text, if anything.
fn compile(text: &str) -> Result<(), String> {
    let mut resolver = ChainFileResolver::new();
    resolver.add(Text(text.to_owned()));
    resolver.add(GoogleFileResolver::new());
    let mut compiler = protox::Compiler::with_file_resolver(resolver);
    compiler.open_file("rows.proto").map(drop).map_err(|error| format!("{error:?}\n{text}"))
}

#[test]
fn all_kinds_are_printed() {
    let text = trevni_idl::proto("row", &all_kinds()).to_string();
    assert_eq!(text, include_str!("all_kinds.proto"));
    compile(&text).unwrap();
}

#[test]
fn rows_that_are_no_records_have_a_field() {
    let text = trevni_idl::proto("a list", &Shape::list(Shape::list(Shape::Int))).to_string();
    let wanted = "syntax = \"proto3\";\n\nmessage AList {\n  repeated AListValueItems value = 1;\n}\n\n\
                  message AListValueItems {\n  repeated int32 items = 1;\n}\n";
    assert_eq!(text, wanted);
    compile(&text).unwrap();
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_shape_compiles(shape in shape()) {
        let done = compile(&trevni_idl::proto("some-file", &shape).to_string());
        assert_eq!(done, Ok(()));
    }
}
