//! Types of the standard library that serde knows come back equal.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, LinkedList, VecDeque};
use std::ffi::CString;
use std::marker::PhantomData;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};
use std::num::{NonZeroI8, NonZeroU64, Wrapping};
use std::ops::{Bound, Range, RangeInclusive};
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use derive_tests::{assert_reads, assert_round_trip};

#[test]
fn every_integer_at_its_limits() {
    assert_round_trip(&[
        (i8::MIN, i16::MIN, i32::MIN, i64::MIN),
        (i8::MAX, i16::MAX, i32::MAX, i64::MAX),
        (0, 0, 0, 0),
    ]);
    assert_round_trip(&[(u8::MAX, u16::MAX, u32::MAX, u64::MAX), (0, 0, 0, 0)]);
    assert_round_trip(&[(isize::MIN, usize::MAX), (isize::MAX, 0)]);
}

#[test]
fn sets_and_queues() {
    assert_round_trip(&[BTreeSet::from([3, 1, 2]), BTreeSet::new()]);
    assert_round_trip(&[HashSet::from(["a".to_string(), "b".to_string()]), HashSet::new()]);
    assert_round_trip(&[VecDeque::from([1, 2]), VecDeque::new()]);
    assert_round_trip(&[LinkedList::from([1, 2]), LinkedList::new()]);
}

#[test]
fn a_heap_reads_as_its_items() {
    assert_reads(&[BinaryHeap::from([1, 3, 2])], &[BTreeSet::from([1, 2, 3])]);
}

#[test]
fn boxes_and_cells() {
    assert_round_trip(&[(Box::new(1), Cell::new(2), RefCell::new(vec![3]))]);
    assert_round_trip(&[
        (vec![1_u16, 2].into_boxed_slice(), "a".to_string().into_boxed_str()),
        (Box::default(), Box::default()),
    ]);
}

#[test]
fn cow_reads_owned() {
    assert_round_trip::<Cow<'static, str>>(&[Cow::Borrowed("a"), Cow::Owned("b".into())]);
}

#[test]
fn numbers_in_wrappers() {
    assert_round_trip(&[(Wrapping(u8::MAX), NonZeroU64::MAX, NonZeroI8::MIN, Reverse(1))]);
    assert_round_trip(&[NonZeroU64::new(1), None]);
}

#[test]
fn a_zero_for_a_non_zero_is_an_error() {
    assert!(trevni::from_slice::<Vec<NonZeroU64>>(&derive_tests::write(&[1, 0])).is_err());
}

#[test]
fn ranges_and_bounds() {
    assert_round_trip::<(Range<i32>, RangeInclusive<u8>)>(&[(0..5, 1..=2), (-1..-1, 0..=255)]);
    assert_round_trip(&[Bound::Included(1), Bound::Unbounded, Bound::Excluded(2)]);
}

#[test]
fn times() {
    assert_round_trip(&[
        SystemTime::UNIX_EPOCH,
        SystemTime::UNIX_EPOCH + Duration::new(1_700_000_000, 123_456_789),
    ]);
}

#[test]
fn addresses() {
    assert_round_trip::<(Ipv4Addr, Ipv6Addr, SocketAddr)>(&[(
        Ipv4Addr::BROADCAST,
        Ipv6Addr::UNSPECIFIED,
        "[::1]:8080".parse().unwrap(),
    )]);
}

#[test]
fn paths() {
    assert_round_trip(&[PathBuf::from("/tmp/a"), PathBuf::new()]);
}

#[test]
fn c_strings() {
    let rows = [c"bytes".to_owned(), CString::default()];
    assert_reads(&rows, &rows);
}

#[test]
fn phantom_data() {
    assert_round_trip(&[(1, PhantomData::<String>), (2, PhantomData)]);
}

#[test]
fn a_tuple_of_more_than_ten() {
    assert_round_trip(&[
        (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, "ten".to_string(), 'b'),
        (9, 8, 7, 6, 5, 4, 3, 2, 1, 0, String::new(), 'c'),
    ]);
}

#[test]
fn maps_with_keys_that_json_cannot_write() {
    assert_round_trip(&[BTreeMap::from([((1, 'a'), "x".to_string())]), BTreeMap::new()]);
    assert_round_trip(&[HashMap::from([(vec![1, 2], 1)])]);
    assert_round_trip(&[BTreeMap::from([(Some(1), 1), (None, 2)])]);
    assert_round_trip(&[BTreeMap::from([((), 1)])]);
}

#[test]
fn maps_with_bool_char_and_wide_keys() {
    assert_round_trip(&[BTreeMap::from([(true, 1), (false, 2)])]);
    assert_round_trip(&[BTreeMap::from([('x', 1), ('é', 2)])]);
    assert_round_trip(&[BTreeMap::from([(i128::MIN, 1), (u64::MAX.into(), 2)])]);
}
