enum Color {
  Red = 0
  // "dark green"
  dark_green = 1
  RED = 2
}

struct Place {
  1: required double lat
  2: required double long
}

// "Contact"
enum Contact_2 {
  Nobody = 0
}

union Contact {
  1: string Mail
  2: Place Home
  3: list<i64> Calls
  4: Contact_2 Contact
}

struct RowGapsOption {
  1: optional i32 value
}

struct RowTwiceOption {
  1: optional bool value
}

// no value
struct Null {
}

struct RowPair {
  1: required i32 _0
  2: required string _1
}

struct Row {
  1: required bool flag
  2: required i32 count
  // 64 bits without sign
  3: required i64 big
  // 128 bits with sign, big-endian
  4: required binary huge
  // 32 bits
  5: required double ratio
  6: optional string name
  // "raw-bytes"
  7: required binary raw_bytes
  // 4 bytes
  8: required binary id
  9: required Color color
  10: required Place place
  11: optional Place earlier
  12: required Contact contact
  13: required list<Contact> others
  14: required list<string> tags
  15: optional list<string> maybe_tags
  16: required list<list<i32>> grid
  17: required list<RowGapsOption> gaps
  18: required map<string, i64> counts
  19: required map<i32, list<Place>> tracks
  20: required map<double, Color> by_ratio
  21: optional RowTwiceOption twice
  22: optional Null nothing
  23: required RowPair pair
}
