//! Generated: see README.md.

pub mod surveys {
    #![allow(warnings, clippy::all)]

    pub mod surveys {

        #[derive(
            PartialOrd,
            Hash,
            Eq,
            Ord,
            Debug,
            Default,
            ::pilota::serde::Serialize,
            ::pilota::serde::Deserialize,
        )]
        #[serde(transparent)]
        #[derive(Clone, PartialEq, Copy)]
        #[repr(transparent)]
        pub struct Weather(i32);

        impl Weather {
            pub const CLEAR: Self = Self(1);
            pub const RAIN: Self = Self(2);
            pub const SNOW: Self = Self(5);

            pub fn inner(&self) -> i32 {
                self.0
            }

            pub fn to_string(&self) -> ::std::string::String {
                match self {
                    Self(1) => ::std::string::String::from("CLEAR"),
                    Self(2) => ::std::string::String::from("RAIN"),
                    Self(5) => ::std::string::String::from("SNOW"),
                    Self(val) => val.to_string(),
                }
            }

            pub fn try_from_i32(value: i32) -> ::std::option::Option<Self> {
                match value {
                    1 => ::std::option::Option::Some(Self::CLEAR),
                    2 => ::std::option::Option::Some(Self::RAIN),
                    5 => ::std::option::Option::Some(Self::SNOW),
                    _ => ::std::option::Option::None,
                }
            }
        }

        impl ::std::convert::From<i32> for Weather {
            fn from(value: i32) -> Self {
                Self(value)
            }
        }

        impl ::std::convert::From<Weather> for i32 {
            fn from(value: Weather) -> i32 {
                value.0
            }
        }

        #[derive(
            PartialOrd,
            Hash,
            Eq,
            Ord,
            Debug,
            Default,
            ::pilota::serde::Serialize,
            ::pilota::serde::Deserialize,
            Clone,
            PartialEq,
        )]
        pub struct Millis(pub i64);

        impl ::std::ops::Deref for Millis {
            type Target = i64;

            fn deref(&self) -> &Self::Target {
                &self.0
            }
        }

        impl From<i64> for Millis {
            fn from(v: i64) -> Self {
                Self(v)
            }
        }

        #[derive(
            PartialOrd,
            Debug,
            Default,
            ::pilota::serde::Serialize,
            ::pilota::serde::Deserialize,
            Clone,
            PartialEq,
        )]
        pub struct Point {
            #[serde(rename = "x")]
            pub x: f64,

            #[serde(rename = "y")]
            pub y: f64,
        }
        impl ::std::default::Default for Survey {
            fn default() -> Self {
                Survey {
                    done: ::std::default::Default::default(),
                    tiny: ::std::default::Default::default(),
                    short_number: ::std::default::Default::default(),
                    number: ::std::default::Default::default(),
                    time: ::std::default::Default::default(),
                    share: ::std::default::Default::default(),
                    title: ::std::default::Default::default(),
                    raw: ::std::default::Default::default(),
                    weather: ::std::default::Default::default(),
                    tags: ::std::default::Default::default(),
                    codes: ::std::default::Default::default(),
                    counts: ::std::default::Default::default(),
                    names: ::std::default::Default::default(),
                    tracks: ::std::default::Default::default(),
                    grid: ::std::default::Default::default(),
                    findings: ::std::default::Default::default(),
                    best: ::std::default::Default::default(),
                    remark: ::std::default::Default::default(),
                    signature: ::std::default::Default::default(),
                    level: ::std::default::Default::default(),
                    later: ::std::default::Default::default(),
                    origin: ::std::default::Default::default(),
                    owners: ::std::default::Default::default(),
                    weights: ::std::default::Default::default(),
                    plain: ::std::default::Default::default(),
                    retries: ::std::option::Option::Some(3i32),
                    greeting: ::std::option::Option::Some(::pilota::FastStr::from_static_str("hello")),
                    limit: ::std::option::Option::Some(10i64),
                }
            }
        }
        #[derive(Debug, ::pilota::serde::Serialize, ::pilota::serde::Deserialize, Clone, PartialEq)]
        pub struct Survey {
            #[serde(rename = "done")]
            pub done: bool,

            #[serde(rename = "tiny")]
            pub tiny: i8,

            #[serde(rename = "short_number")]
            pub short_number: i16,

            #[serde(rename = "number")]
            pub number: i32,

            #[serde(rename = "time")]
            pub time: Millis,

            #[serde(rename = "share")]
            pub share: f64,

            #[serde(rename = "title")]
            pub title: ::pilota::FastStr,

            #[serde(rename = "raw")]
            pub raw: ::pilota::Bytes,

            #[serde(rename = "weather")]
            pub weather: Weather,

            #[serde(rename = "tags")]
            pub tags: ::std::vec::Vec<::pilota::FastStr>,

            #[serde(rename = "codes")]
            pub codes: ::pilota::AHashSet<i32>,

            #[serde(rename = "counts")]
            pub counts: ::pilota::AHashMap<::pilota::FastStr, i64>,

            #[serde(rename = "names")]
            pub names: ::pilota::AHashMap<i32, ::pilota::FastStr>,

            #[serde(rename = "tracks")]
            pub tracks: ::pilota::AHashMap<Weather, ::std::vec::Vec<Point>>,

            #[serde(rename = "grid")]
            pub grid: ::std::vec::Vec<::std::vec::Vec<i16>>,

            #[serde(rename = "findings")]
            pub findings: ::std::vec::Vec<Finding>,

            #[serde(rename = "best")]
            pub best: ::std::option::Option<Finding>,

            #[serde(rename = "remark")]
            pub remark: ::std::option::Option<::pilota::FastStr>,

            #[serde(rename = "signature")]
            pub signature: ::std::option::Option<::pilota::Bytes>,

            #[serde(rename = "level")]
            pub level: ::std::option::Option<i8>,

            #[serde(rename = "later")]
            pub later: ::std::option::Option<Weather>,

            #[serde(rename = "origin")]
            pub origin: ::std::option::Option<Point>,

            #[serde(rename = "owners")]
            pub owners: ::std::option::Option<::pilota::AHashSet<::pilota::FastStr>>,

            #[serde(rename = "weights")]
            pub weights: ::std::option::Option<::pilota::AHashMap<::pilota::FastStr, f64>>,

            #[serde(rename = "plain")]
            pub plain: ::std::option::Option<i32>,

            #[serde(rename = "retries")]
            pub retries: ::std::option::Option<i32>,

            #[serde(rename = "greeting")]
            pub greeting: ::std::option::Option<::pilota::FastStr>,

            #[serde(rename = "limit")]
            pub limit: ::std::option::Option<i64>,
        }
        impl ::std::default::Default for Finding {
            fn default() -> Self {
                Finding::Place(::std::default::Default::default())
            }
        }
        #[derive(
            PartialOrd, Debug, ::pilota::serde::Serialize, ::pilota::serde::Deserialize, Clone, PartialEq,
        )]
        pub enum Finding {
            #[serde(rename = "place")]
            Place(Point),

            #[serde(rename = "note")]
            Note(::pilota::FastStr),

            #[serde(rename = "count")]
            Count(i64),

            #[serde(rename = "path")]
            Path(::std::vec::Vec<Point>),

            #[serde(rename = "picture")]
            Picture(::pilota::Bytes),
        }
    }
}
