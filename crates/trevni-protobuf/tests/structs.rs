//! Rows of the structs that `prost-build` makes of a `.proto`, with serde derived: they come back as they were, and are
//! the rows of such messages.

mod common;
mod generated;

use common::{lines, read, written};
use generated::google::protobuf::{Duration, Timestamp};
use generated::test::people::Person;
use generated::test::people::person::{Contact, Phone, PhoneType};
use prost::Message as _;
use protox::prost_reflect::DescriptorPool;
use std::error::Error;
use std::path::Path;
use trevni::Reader;
use trevni_protobuf::{Enums, MessageDescriptor, Options, Writer, message};

/// The descriptors of `people.proto`. No `protoc` is needed.
fn compiled() -> DescriptorPool {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/generated");
    let set = protox::compile(["people.proto"], [folder]).unwrap();
    DescriptorPool::from_file_descriptor_set(set).unwrap()
}

fn person() -> MessageDescriptor {
    message(&compiled().encode_to_vec(), "Person").unwrap()
}

fn people() -> Vec<Person> {
    let phone = |number: &str, kind: PhoneType| Phone { number: number.to_owned(), kind: kind.into() };
    let full = Person {
        id: u64::MAX,
        name: "Ada".to_owned(),
        email: Some(String::new()),
        phones: vec![phone("1", PhoneType::Mobile), phone("", PhoneType::Unspecified)],
        scores: vec![0, -1, i32::MIN],
        weights: [("a".to_owned(), 0.5), ("b".to_owned(), -0.0)].into(),
        by_year: [(-44, phone("2", PhoneType::Home)), (1815, Phone::default())].into(),
        photo: vec![0, 255],
        preferred: PhoneType::Home.into(),
        work: Some(Phone::default()),
        contact: Some(Contact::Call(phone("3", PhoneType::Mobile))),
        born: Some(Timestamp { seconds: -4_890_000_000, nanos: 1 }),
        stay: Some(Duration { seconds: 0, nanos: -5 }),
        nickname: Some("Countess".to_owned()),
        points: Some(0),
        is_member: true,
        height: 1.625,
        color: u32::MAX,
    };
    let contacts = [
        Contact::Letter(String::new()),
        Contact::AccountNumber(i64::MIN),
        Contact::AnyOf(PhoneType::Home.into()),
        Contact::Call(Phone::default()),
    ];
    let others = contacts.map(|contact| Person { contact: Some(contact), ..Person::default() });
    [full, Person::default()].into_iter().chain(others).collect()
}

#[test]
fn rows_come_back() -> Result<(), Box<dyn Error>> {
    let people: Vec<Person> = (0..40).flat_map(|_| people()).collect();
    assert_eq!(trevni::from_slice::<Vec<Person>>(&trevni::to_vec(&people)?)?, people);
    // Rows that show few types, before one that shows all.
    let few: Vec<Person> = people[1..7].to_vec();
    assert_eq!(trevni::from_slice::<Vec<Person>>(&trevni::to_vec(&few)?)?, few);
    Ok(())
}

/// Messages that `prost` writes are read as rows that its structs are, and those are written as messages that `prost` reads.
#[test]
fn messages_and_structs_are_the_same_rows() -> Result<(), Box<dyn Error>> {
    let people = people();
    let sent: Vec<u8> = people.iter().flat_map(|person| person.encode_length_delimited_to_vec()).collect();
    let batches = read(&sent, &person(), &Options::new().enums(Enums::Numbers))?;
    let rows: Vec<Person> = batches[0].rows().collect::<trevni::Result<_>>()?;
    assert_eq!(rows, people);

    let file = trevni::to_vec(&people)?;
    let batches: Vec<_> = Reader::from_slice(&file)?.batches()?.collect::<trevni::Result<_>>()?;
    let decoded = |bytes: &[u8]| {
        let mut rest = bytes;
        let mut found = Vec::new();
        while !rest.is_empty() {
            found.push(Person::decode_length_delimited(&mut rest).unwrap());
        }
        found
    };
    assert_eq!(decoded(&written(&batches, &person())?), people);
    Ok(())
}

/// The definitions that are printed for the structs' rows are those of the message, but for enums, which are numbers in
/// the structs, and for what rows cannot tell: the width of integers.
#[test]
fn printed_definitions_have_the_same_fields() -> Result<(), Box<dyn Error>> {
    let file = trevni::to_vec(people())?;
    let reader = Reader::from_slice(&file)?;
    let text = trevni_idl::proto("person", reader.shape()).to_string();
    let fields = [
        "  uint64 id = 1;\n",
        "  optional string email = 3;\n",
        "  repeated Phone phones = 4;\n",
        "  map<string, double> weights = 6;\n",
        "  map<int32, Phone> by_year = 7;\n",
        "  oneof contact {\n    Phone call = 18;\n    string letter = 19;\n    int64 account_number = 20;\n    int32 any_of = 21;\n  }\n",
        "  Timestamp born = 11;\n",
    ];
    for field in fields {
        assert!(text.contains(field), "{field} is not in\n{text}");
    }
    let mut writer = Writer::own("person", reader.shape(), Vec::new())?;
    for batch in reader.batches()? {
        writer.write_batch(&batch?)?;
    }
    let own = writer.message().clone();
    let names = read(&writer.finish()?, &own, &Options::new())?;
    assert_eq!(lines(&names).len(), people().len());
    Ok(())
}
