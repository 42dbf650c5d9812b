use super::*;

/// Rows in order, by keys of a small pool, and the keys that rows had to be below at the end.
fn sorted(keys: &[Vec<u8>], memory: usize, most: usize) -> (Vec<u32>, bool) {
    let mut sorter = Sorter::new(memory, most);
    for (number, key) in keys.iter().enumerate() {
        sorter.push(key, &(number as u32).to_le_bytes()).unwrap();
    }
    let spilled = !sorter.levels.is_empty();
    let mut rows = Vec::new();
    let take = |row: &[u8]| {
        rows.push(u32::from_le_bytes(row.try_into().unwrap()));
        Ok(true)
    };
    sorter.finish(take).unwrap();
    (rows, spilled)
}

fn expected(keys: &[Vec<u8>], most: usize) -> Vec<u32> {
    let mut rows: Vec<u32> = (0..keys.len() as u32).collect();
    rows.sort_by(|one, two| keys[*one as usize].cmp(&keys[*two as usize]));
    rows.truncate(most);
    rows
}

#[test]
fn rows_come_in_the_order_of_keys_whatever_the_memory() {
    let mut random = fastrand::Rng::with_seed(7);
    for (count, pool, len) in [(0, 1, 0), (1, 1, 0), (500, 3, 2), (40_000, 50, 12), (40_000, 40_000, 20)] {
        let pool: Vec<Vec<u8>> = (0..pool)
            .map(|_| (0..random.usize(..=len)).map(|_| [0, 1, 255][random.usize(..3)]).collect())
            .collect();
        let keys: Vec<Vec<u8>> = (0..count).map(|_| pool[random.usize(..pool.len())].clone()).collect();
        for memory in [0, 2000, 100_000, usize::MAX] {
            if memory == 0 && count > 1000 {
                continue;
            }
            for most in [0, 1, 7, 3000, usize::MAX] {
                let (rows, spilled) = sorted(&keys, memory, most);
                assert!(rows == expected(&keys, most), "{count} {memory} {most}");
                assert!(!spilled || memory < usize::MAX);
                assert!(spilled || memory >= count * 10, "{count} {memory} {most}");
            }
        }
    }
}

#[test]
fn rows_that_cannot_be_asked_for_are_known() {
    let mut sorter = Sorter::new(usize::MAX, 10);
    for number in (0..100_000_u32).rev() {
        sorter.push(&number.to_be_bytes(), b"row").unwrap();
    }
    assert!(sorter.chunk.len() <= 2 * (10 + MORE) + 2);
    assert!(sorter.limit().is_some_and(|limit| limit < &40_000_u32.to_be_bytes()[..]));
}

#[test]
fn rows_may_be_large_and_taking_may_end() {
    let mut sorter = Sorter::new(1 << 16, usize::MAX);
    for number in 0..40_u8 {
        sorter.push(&[number % 5], &vec![number; 10_000]).unwrap();
    }
    let mut taken = Vec::new();
    let take = |row: &[u8]| {
        assert!(row.len() == 10_000 && row.iter().all(|byte| *byte == row[0]));
        taken.push(row[0]);
        Ok(taken.len() < 9)
    };
    sorter.finish(take).unwrap();
    assert_eq!(taken, [0, 5, 10, 15, 20, 25, 30, 35, 1]);
    let mut sorter = Sorter::new(0, usize::MAX);
    sorter.push(b"a", b"").unwrap();
    sorter.push(b"", b"a").unwrap();
    assert!(sorter.finish(|_| Err(Failure::new("stop"))).is_err());
}
