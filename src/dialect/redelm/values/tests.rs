//! Plain values, written and read.

use super::{decode, encode, skip};
use crate::bytes::buffer::Buffer;
use crate::bytes::reader::{Bytes, Malformed};
use crate::schema::message::Primitive;
use crate::vector::Vector;

fn encoded(values: &Vector) -> Vec<u8> {
    let mut out = Buffer::default();
    encode(values, 0..values.len(), &mut out).unwrap();
    out.as_slice().to_vec()
}

fn samples() -> Vec<(Primitive, Vector)> {
    let texts: Vec<String> = (0..300usize).map(|n| "é".repeat(n % 7) + &"x".repeat(n * n % 400)).collect();
    vec![
        (Primitive::Boolean, vec![true, false, true].into()),
        (Primitive::Int32, vec![0, 1, -1, i32::MIN, i32::MAX].into()),
        (Primitive::Int64, vec![0, 1, -1, i64::MIN, i64::MAX].into()),
        (Primitive::Float, vec![0.5f32, -0.0, f32::INFINITY].into()),
        (Primitive::Double, vec![0.5, -0.0, f64::MIN].into()),
        (Primitive::String, Vector::try_from_iter(texts.iter().map(String::as_str)).unwrap()),
        (Primitive::Binary, Vector::try_from_iter(texts.iter().map(|text| text.as_bytes())).unwrap()),
    ]
}

#[test]
fn values_come_back() {
    for (primitive, values) in samples() {
        let bytes = encoded(&values);
        let mut back = values.clone();
        back.clear();
        let mut rest = Bytes::new(&bytes);
        decode(&mut rest, primitive, 2, &mut back).unwrap();
        decode(&mut rest, primitive, values.len() - 2, &mut back).unwrap();
        assert_eq!((&back, rest.remaining()), (&values, 0));
        let mut rest = Bytes::new(&bytes);
        skip(&mut rest, primitive, values.len()).unwrap();
        assert_eq!(rest.remaining(), 0);
        for end in 0..bytes.len().min(500) {
            back.clear();
            assert!(decode(&mut Bytes::new(&bytes[..end]), primitive, values.len(), &mut back).is_err());
            assert!(skip(&mut Bytes::new(&bytes[..end]), primitive, values.len()).is_err());
        }
    }
}

#[test]
fn bytes_are_those_of_the_format() {
    assert_eq!(encoded(&vec![true, false].into()), [1, 0]);
    assert_eq!(encoded(&vec![258].into()), [0, 0, 1, 2]);
    assert_eq!(encoded(&vec![258i64].into()), [0, 0, 0, 0, 0, 0, 1, 2]);
    assert_eq!(encoded(&vec![-f32::NAN].into()), [0x7f, 0xc0, 0, 0]);
    assert_eq!(encoded(&vec![-f64::NAN].into()), [0x7f, 0xf8, 0, 0, 0, 0, 0, 0]);
    assert_eq!(encoded(&Vector::try_from_iter(["en", ""]).unwrap()), b"\x02en\x00");
    assert_eq!(encoded(&Vector::try_from_iter([&b"en"[..]]).unwrap()), b"\0\0\0\x02en");
    let long = Vector::try_from_iter(["x".repeat(300)]).unwrap();
    assert_eq!(encoded(&long)[..3], [0xac, 0x02, b'x']);
    let mut read = Vector::Boolean(Vec::new());
    decode(&mut Bytes::new(&[2, 0]), Primitive::Boolean, 2, &mut read).unwrap();
    assert_eq!(read, vec![true, false].into());
}

#[test]
fn bytes_that_cannot_be_are_refused() {
    let read = |primitive, bytes: &[u8], mut out: Vector| {
        decode(&mut Bytes::new(bytes), primitive, 1, &mut out).unwrap_err()
    };
    let (texts, blobs) =
        (Vector::try_from_iter([""; 0]).unwrap(), Vector::try_from_iter([&[0u8][..0]; 0]).unwrap());
    assert_eq!(read(Primitive::String, b"\x01\xff", texts.clone()), Malformed::Utf8);
    assert_eq!(read(Primitive::String, &[0xff; 6], texts.clone()), Malformed::Varint);
    let huge = Malformed::End { needed: (1 << 28) - 1, available: 0 };
    assert_eq!(read(Primitive::String, &[0xff, 0xff, 0xff, 0x7f], texts), huge);
    assert_eq!(read(Primitive::Binary, &[0xff; 4], blobs), Malformed::Negative(-1));
}
