//! Zig-zag integers in groups of seven bits, low group first.

mod decode;
mod encode;
mod same;
mod window;

pub(crate) use decode::{Bad, HIGH, UnZigZag, decode, decode_all, decode_ones, skip};
pub(crate) use encode::{ZigZag, encode_long, put, put_all, put_ones, size, size_all};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bytes::buffer::{Buffer, SLACK};

    fn encoded(value: i64) -> Vec<u8> {
        let mut out = Vec::new();
        encode_long(&mut out, value);
        out
    }

    fn many<T: ZigZag>(values: &[T]) -> Vec<u8> {
        let mut buffer = Buffer::default();
        buffer.write(T::BYTES_MAX * values.len() + SLACK, |room| put_all(room, 0, values));
        buffer.as_slice().to_vec()
    }

    fn ones<T: ZigZag>(values: &[T]) -> Vec<u8> {
        let mut buffer = Buffer::default();
        buffer.write((T::BYTES_MAX + 1) * values.len() + SLACK, |room| put_ones(room, 0, values));
        buffer.as_slice().to_vec()
    }

    #[test]
    fn the_examples_of_the_specification() {
        for (value, bytes) in
            [(0, vec![0x00]), (-1, vec![0x01]), (1, vec![0x02]), (-64, vec![0x7f]), (64, vec![0x80, 0x01])]
        {
            assert_eq!(encoded(value), bytes);
        }
    }

    #[test]
    fn edges_of_every_width_come_back() {
        for bits in 0..64 {
            for delta in -2i64..=2 {
                for value in [(1i64 << bits).wrapping_add(delta), (-1i64 << bits).wrapping_add(delta)] {
                    let bytes = encoded(value);
                    assert_eq!(decode::<i64>(&bytes), Ok((value, bytes.len())));
                    if let Ok(small) = i32::try_from(value) {
                        assert_eq!(many(&[small; 100]), bytes.repeat(100));
                        assert_eq!(ones(&[small; 3]), [&[2], bytes.as_slice()].concat().repeat(3));
                        assert_eq!(decode::<i32>(&bytes), Ok((small, bytes.len())));
                    }
                    assert_eq!(many(&[value; 100]), bytes.repeat(100));
                    let pairs = [&[2], bytes.as_slice()].concat().repeat(3);
                    assert_eq!(ones(&[value; 3]), pairs);
                    // Bytes of another length after them.
                    let pairs = [pairs, vec![4; 9]].concat();
                    let mut back: Vec<i64> = Vec::new();
                    assert_eq!(decode_ones(&pairs, 2, &mut back), Ok((2, 2 + 2 * bytes.len())));
                    assert_eq!(decode_ones(&pairs, 100, &mut back), Ok((3, pairs.len() - 9)));
                    assert_eq!(back, [value; 5]);
                    assert_eq!(
                        decode_ones(&pairs[..pairs.len() - 10], 3, &mut Vec::<i64>::new()),
                        Err(Bad::End)
                    );
                    let mut back = Vec::new();
                    assert_eq!(decode_all::<i64>(&bytes.repeat(100), 100, &mut back), Ok(100 * bytes.len()));
                    assert_eq!(back, [value; 100]);
                }
            }
        }
    }

    #[test]
    fn padding_is_accepted_and_high_bits_are_dropped() {
        assert_eq!(decode::<i64>(&[0x82, 0x80, 0x00]), Ok((1, 3)));
        assert_eq!(decode::<i32>(&[0xff, 0xff, 0xff, 0xff, 0x7f]), Ok((i32::MIN, 5)));
    }

    #[test]
    fn short_and_long_integers_mixed_come_back() {
        let values: Vec<i64> =
            (0..2000i64).map(|i| if i % 9 == 0 { i << (i % 50) } else { i % 60 }).collect();
        let pairs = (0..100).map(|i| 64 + i * 80);
        let values: Vec<i64> = values.into_iter().chain(pairs).collect();
        let mut bytes = Vec::new();
        values.iter().for_each(|value| encode_long(&mut bytes, *value));
        assert_eq!(many(&values), bytes);
        for count in 0..=values.len() {
            let used = values[..count].iter().map(|value| encoded(*value).len()).sum();
            assert_eq!(skip(&bytes, count as u64), Ok(used));
        }
        assert_eq!(skip(&bytes, values.len() as u64 + 1), Err(Bad::End));
        assert_eq!(skip(&[0x80; 20], 1), Err(Bad::TooLong));
        let mut back = Vec::new();
        assert_eq!(decode_all::<i64>(&bytes, values.len(), &mut back), Ok(bytes.len()));
        assert_eq!(back, values);
        for end in 0..40 {
            assert_eq!(decode_all::<i64>(&bytes[..end], values.len(), &mut Vec::new()), Err(Bad::End));
        }
    }

    /// One integer after the other.
    fn plain<T: UnZigZag>(data: &[u8], count: usize) -> Result<(Vec<T>, usize), Bad> {
        let (mut values, mut at) = (Vec::new(), 0);
        for _ in 0..count {
            let (value, used) = decode(&data[at..])?;
            values.push(value);
            at += used;
        }
        Ok((values, at))
    }

    fn same<T: UnZigZag + PartialEq + std::fmt::Debug>(data: &[u8], count: usize) {
        let mut values = Vec::<T>::new();
        let used = decode_all(data, count, &mut values);
        assert_eq!(used.map(|used| (values, used)), plain(data, count));
    }

    #[test]
    fn many_at_once_are_what_they_are_one_by_one() {
        let mut seed = 0x9e37_79b9_7f4a_7c15u64;
        let mut random = move || {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            seed
        };
        for (least, most) in (1..11).flat_map(|most| (1..=most).map(move |least| (least, most))) {
            for round in 0..20 {
                // Lengths from a range, some of them padded; in the last rounds a longer one among them.
                let mut bytes = Vec::new();
                let count = 20 + random() as usize % 200;
                for index in 0..count {
                    let longer = usize::from(round > 15 && index == count / 2);
                    let length = least + random() as usize % (most - least + 1) + longer;
                    bytes.extend((1..length).map(|_| random() as u8 | 0x80));
                    bytes.push(random() as u8 & 0x7f);
                }
                for end in [bytes.len(), bytes.len() - 1, random() as usize % bytes.len()] {
                    for count in [count, count + 1, random() as usize % count] {
                        same::<i32>(&bytes[..end], count);
                        same::<i64>(&bytes[..end], count);
                    }
                }
            }
        }
    }

    /// One array of one integer after the other.
    fn plain_ones<T: UnZigZag>(data: &[u8], most: usize) -> Result<(Vec<T>, usize), Bad> {
        let (mut values, mut at) = (Vec::new(), 0);
        while values.len() < most && data.get(at) == Some(&2) {
            let (value, used) = decode(&data[at + 1..])?;
            values.push(value);
            at += 1 + used;
        }
        Ok((values, at))
    }

    fn same_ones<T: UnZigZag + PartialEq + std::fmt::Debug>(data: &[u8], most: usize) {
        let mut values = Vec::<T>::new();
        let found = decode_ones(data, most, &mut values);
        assert_eq!(found.map(|(count, used)| (values.len() == count, values, used)), {
            plain_ones(data, most).map(|(values, used)| (true, values, used))
        });
    }

    #[test]
    fn runs_of_one_length_are_what_they_are_one_by_one() {
        let mut seed = 7u64;
        let mut random = move |bound: usize| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) as usize % bound
        };
        for _ in 0..300 {
            // Runs of one or two bytes, sometimes padded or of three; after each length 1 or, rarely, another.
            let (mut plain, mut ones, mut total) = (Vec::new(), Vec::new(), 0);
            for _ in 0..1 + random(6) {
                let (length, count) = ([1, 2, 2, 3][random(4)], 1 + random(70));
                for _ in 0..count {
                    let mut bytes: Vec<u8> = (1..length).map(|_| random(128) as u8 | 0x80).collect();
                    bytes.push(random(128) as u8);
                    ones.push(if random(300) == 0 { [0, 4, 1, 3][random(4)] } else { 2 });
                    ones.extend_from_slice(&bytes);
                    plain.extend_from_slice(&bytes);
                }
                total += count;
            }
            for most in [total, random(total), total + 1] {
                same::<i32>(&plain, most);
                same::<i64>(&plain, most);
                for end in [ones.len(), random(ones.len() + 1)] {
                    same_ones::<i32>(&ones[..end], most);
                    same_ones::<i64>(&ones[..end], most);
                }
            }
        }
    }

    #[test]
    fn an_int_of_six_bytes_is_refused_among_others() {
        let bytes = [0x80, 0x80, 0x80, 0x80, 0x80, 0x01, 2, 2, 2, 2, 2];
        assert_eq!(decode_all::<i32>(&bytes, 2, &mut Vec::new()), Err(Bad::TooLong));
        let mut back = Vec::new();
        assert_eq!(decode_all::<i32>(&[0xff, 0xff, 0xff, 0xff, 0x7f, 4, 4, 4, 4, 4], 2, &mut back), Ok(6));
        assert_eq!(back, [i32::MIN, 2]);
    }

    #[test]
    fn too_long_and_cut_integers_are_told_apart() {
        assert_eq!(decode::<i32>(&[0x80; 6]), Err(Bad::TooLong));
        assert_eq!(decode::<i32>(&[0x80; 4]), Err(Bad::End));
        assert_eq!(decode::<i64>(&[0x80; 11]), Err(Bad::TooLong));
        assert_eq!(decode::<i64>(&[0x80; 9]), Err(Bad::End));
        assert_eq!(decode::<i64>(&[]), Err(Bad::End));
    }
}
