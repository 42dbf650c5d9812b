//! The generated structs are what `prost-build` makes of their `.proto` today.

use protox::prost_reflect::DescriptorPool;
use std::error::Error;
use std::path::Path;

/// The descriptors of `people.proto`. No `protoc` is needed.
fn compiled() -> DescriptorPool {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/generated");
    let set = protox::compile(["people.proto"], [folder]).unwrap();
    DescriptorPool::from_file_descriptor_set(set).unwrap()
}

/// The generated code is what the generator makes today; with `UPDATE_GENERATED=1` it is written.
#[test]
fn the_generated_code_is_current() -> Result<(), Box<dyn Error>> {
    let mut config = prost_build::Config::new();
    config.compile_well_known_types();
    config.extern_path(".google.protobuf.StringValue", "::prost::alloc::string::String");
    config.extern_path(".google.protobuf.Int64Value", "i64");
    config.type_attribute(".", "#[derive(serde::Serialize, serde::Deserialize)]");
    config.enum_attribute(".test.people.Person.contact", "#[serde(rename_all = \"snake_case\")]");
    config.field_attribute(".test.people.Person.photo", "#[serde(with = \"serde_bytes\")]");
    config.disable_comments(["."]);
    let files = compiled().file_descriptor_protos().cloned().collect::<Vec<_>>();
    let wanted = |file: &str| file != "google/protobuf/wrappers.proto";
    let requests = files
        .into_iter()
        .filter(|file| wanted(file.name()))
        .map(|file| (prost_build::Module::from_protobuf_package_name(file.package()), file));
    let code = config.generate(requests.collect())?;
    assert_eq!(code.len(), 2);
    for (module, code) in code {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/generated");
        let path = folder.join(format!("{}.rs", module.parts().collect::<Vec<_>>().join(".")));
        if std::env::var_os("UPDATE_GENERATED").is_some() {
            std::fs::write(&path, &code)?;
        }
        assert!(std::fs::read_to_string(&path)? == code, "{} is old: set UPDATE_GENERATED=1", path.display());
    }
    Ok(())
}
