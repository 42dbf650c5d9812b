//! Random rows: with and without fixed width they read the same.

use crate::check::check;
use crate::row::{Row, row};
use crate::{fixed, plain, write};
use proptest::prelude::*;
use serde_json::Value;
use trevni::formats::{Trevni, Version};
use trevni::{Reader, Result, WriterBuilder};

/// Numbers of all lengths, each end among them.
fn number() -> impl Strategy<Value = u64> {
    prop_oneof![
        4 => (any::<u64>(), 0u32..64).prop_map(|(bits, shift)| bits >> shift),
        4 => (any::<i64>(), 0u32..64).prop_map(|(bits, shift)| (bits >> shift) as u64),
        4 => any::<u64>(),
        1 => prop::sample::select(vec![0, 1, u64::MAX, i64::MAX as u64, i64::MIN as u64]),
        1 => prop::sample::select(vec![i32::MAX as u64, i32::MIN as u64, 1 << 31, 1 << 32]),
    ]
}

/// Rows whose numbers are all long, or of all lengths.
fn rows() -> impl Strategy<Value = Vec<Row>> {
    let numbers =
        prop_oneof![prop::collection::vec(number(), 1..200), prop::collection::vec(any::<u64>(), 1..200)];
    (0u32..80, numbers).prop_map(|(count, numbers)| {
        let mut numbers = numbers.into_iter().cycle();
        let mut next = || numbers.next().unwrap_or_default();
        (0..count).map(|number| row(number, &mut next)).collect()
    })
}

fn options() -> impl Strategy<Value = [WriterBuilder; 2]> {
    let sizes = (1usize..90, prop_oneof![1usize..300, Just(65_536)], any::<bool>());
    sizes.prop_map(|(batch, block, old)| {
        let version = if old { Version::V1 } else { Version::V2 };
        [plain(), fixed()]
            .map(|builder| builder.batch_rows(batch).block_size(block).format(Trevni::new().version(version)))
    })
}

proptest! {
    #[test]
    fn nobody_can_tell(rows in rows(), [plain, fixed] in options(), from in 0usize..80) {
        let [varints, bytes] = [plain, fixed].map(|builder| write(builder, &rows));
        prop_assert_eq!(&trevni::from_slice::<Vec<Row>>(&bytes).unwrap(), &rows);
        let json: Vec<Value> = trevni::from_slice(&varints).unwrap();
        prop_assert_eq!(&trevni::from_slice::<Vec<Value>>(&bytes).unwrap(), &json);
        let reader = Reader::from_slice(&bytes).unwrap();
        let other = Reader::from_slice(&varints).unwrap();
        prop_assert_eq!(reader.shape(), other.shape());
        check(&bytes);
        if !rows.is_empty() {
            // An error where numbers above `i64::MAX` come late, as these are of a union then.
            let columns = |reader: &Reader<'_>| {
                let hashes = reader.column::<u64>("hash").map_err(|error| error.to_string());
                (reader.column::<i32>("rank").unwrap(), reader.column::<i64>("time").unwrap(), hashes)
            };
            prop_assert_eq!(columns(&reader), columns(&other));
        }
        let from = from.min(rows.len());
        let some = reader.select(from as u64..rows.len() as u64).unwrap();
        prop_assert_eq!(some.rows::<Row>().unwrap().collect::<Result<Vec<_>>>().unwrap(), &rows[from..]);
    }
}
