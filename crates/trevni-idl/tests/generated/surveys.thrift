// Each type of Thrift at least once; surveys.rs is generated from this (README.md).
namespace rs surveys

/** Numbers with gaps. */
enum Weather {
  CLEAR = 1,
  RAIN = 2,
  SNOW = 5,
}

typedef i64 Millis

struct Point {
  1: required double x,
  2: required double y,
}

/** A field at most, of any type. */
union Finding {
  1: Point place,
  2: string note,
  3: i64 count,
  4: list<Point> path,
  5: binary picture,
}

struct Survey {
  1: required bool done,
  2: required i8 tiny,
  3: required i16 short_number,
  4: required i32 number,
  5: required Millis time,
  6: required double share,
  7: required string title,
  8: required binary raw,
  9: required Weather weather,
  10: required list<string> tags,
  11: required set<i32> codes,
  12: required map<string, i64> counts,
  13: required map<i32, string> names,
  14: required map<Weather, list<Point>> tracks,
  15: required list<list<i16>> grid,
  16: required list<Finding> findings,
  17: optional Finding best,
  18: optional string remark,
  19: optional binary signature,
  20: optional i8 level,
  21: optional Weather later,
  22: optional Point origin,
  23: optional set<string> owners,
  24: optional map<string, double> weights,
  25: i32 plain,
  26: i32 retries = 3,
  27: string greeting = "hello",
  28: optional i64 limit = 10,
}
