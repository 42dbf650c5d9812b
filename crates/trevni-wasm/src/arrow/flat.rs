//! Tables of FlatBuffers, written from the last byte to the first: what a table points at is written before it.

/// A buffer of tables, its bytes in reverse.
#[derive(Default)]
pub(super) struct Flat {
    reversed: Vec<u8>,
}

/// Something that has been written: how many bytes there were with it.
#[derive(Clone, Copy)]
pub(super) struct At(usize);

/// The field of a table.
#[derive(Clone, Copy)]
pub(super) enum Field {
    Byte(u8),
    Short(i16),
    Int(i32),
    Long(i64),
    At(At),
    None,
}

impl Flat {
    fn len(&self) -> usize {
        self.reversed.len()
    }

    /// Makes room so that after `more` bytes the position is a multiple of `size`.
    fn align(&mut self, size: usize, more: usize) {
        let len = (self.len() + more).next_multiple_of(size) - more;
        self.reversed.resize(len, 0);
    }

    fn put<const N: usize>(&mut self, bytes: [u8; N]) {
        self.reversed.extend(bytes.iter().rev());
    }

    /// Puts how far something is from here.
    fn refer(&mut self, to: At) {
        self.align(4, 0);
        let distance = self.len() + 4 - to.0;
        self.put((distance as u32).to_le_bytes());
    }

    pub(super) fn string(&mut self, text: &str) -> At {
        self.align(4, text.len() + 1);
        self.reversed.push(0);
        self.reversed.extend(text.bytes().rev());
        self.put((text.len() as u32).to_le_bytes());
        At(self.len())
    }

    /// A vector of tables or strings.
    pub(super) fn list(&mut self, items: &[At]) -> At {
        self.align(4, 0);
        for item in items.iter().rev() {
            self.refer(*item);
        }
        self.put((items.len() as u32).to_le_bytes());
        At(self.len())
    }

    /// A vector of integers.
    pub(super) fn ints(&mut self, items: &[i32]) -> At {
        self.align(4, 0);
        for item in items.iter().rev() {
            self.put(item.to_le_bytes());
        }
        self.put((items.len() as u32).to_le_bytes());
        At(self.len())
    }

    /// A vector of structs of two longs each.
    pub(super) fn pairs(&mut self, items: &[[i64; 2]]) -> At {
        self.align(8, 0);
        for [one, two] in items.iter().rev() {
            self.put(two.to_le_bytes());
            self.put(one.to_le_bytes());
        }
        self.put((items.len() as u32).to_le_bytes());
        At(self.len())
    }

    pub(super) fn table(&mut self, fields: &[Field]) -> At {
        let start = self.len();
        let mut places = vec![0; fields.len()];
        for (field, place) in fields.iter().zip(&mut places) {
            match field {
                Field::Byte(value) => self.put([*value]),
                Field::Short(value) => {
                    self.align(2, 2);
                    self.put(value.to_le_bytes());
                }
                Field::Int(value) => {
                    self.align(4, 4);
                    self.put(value.to_le_bytes());
                }
                Field::Long(value) => {
                    self.align(8, 8);
                    self.put(value.to_le_bytes());
                }
                Field::At(at) => self.refer(*at),
                Field::None => continue,
            }
            *place = self.len();
        }
        self.align(4, 4);
        self.put([0; 4]);
        let table = self.len();
        for place in places.iter().rev() {
            let distance = if *place == 0 { 0 } else { table - place };
            self.put((distance as u16).to_le_bytes());
        }
        self.put(((table - start) as u16).to_le_bytes());
        self.put(((4 + 2 * fields.len()) as u16).to_le_bytes());
        // From the table back to what says where its fields are.
        let distance = ((self.len() - table) as u32).to_be_bytes();
        self.reversed[table - 4..table].copy_from_slice(&distance);
        At(table)
    }

    /// The bytes, which begin with where the outermost table is.
    pub(super) fn finish(mut self, root: At) -> Vec<u8> {
        self.align(8, 4);
        self.refer(root);
        self.reversed.reverse();
        self.reversed
    }
}
