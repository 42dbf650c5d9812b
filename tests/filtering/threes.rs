//! Predicates beside what they mean for a row, in three values.

use super::rows::{Hop, Kind, Row};
use proptest::prelude::*;
use std::fmt;
use std::sync::Arc;
use trevni::{Predicate, col, item};

/// Whether a predicate holds for a row; none where it compares what is missing.
type Meaning = Arc<dyn Fn(&Row) -> Option<bool> + Send + Sync>;

/// A predicate, and what it means.
#[derive(Clone)]
pub(crate) struct Both {
    pub(crate) predicate: Predicate,
    pub(crate) meaning: Meaning,
}

impl fmt::Debug for Both {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.predicate, f)
    }
}

fn both(predicate: Predicate, meaning: impl Fn(&Row) -> Option<bool> + Send + Sync + 'static) -> Both {
    Both { predicate, meaning: Arc::new(meaning) }
}

/// True if one is, else none if one is, else false.
fn any_of(items: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    let mut all = Some(false);
    for item in items {
        all = or(all, item);
    }
    all
}

fn or(one: Option<bool>, two: Option<bool>) -> Option<bool> {
    match (one, two) {
        (Some(true), _) | (_, Some(true)) => Some(true),
        (Some(false), Some(false)) => Some(false),
        _ => None,
    }
}

fn kind_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Mail => "Mail",
        Kind::News => "News",
        Kind::Alarm => "Alarm",
    }
}

fn leaf() -> impl Strategy<Value = Both> {
    let carriers = || prop::sample::select(vec!["A", "AA", "B6", "DL", "EW", "UA", "ZZ"]);
    prop_oneof![
        (900u64..4200).prop_map(|n| both(col("id").ge(n), move |row| Some(row.id >= n))),
        (900u64..4200, 0u64..300).prop_map(|(n, m)| both(col("id").between(n, n + m), move |row| Some(
            (n..=n + m).contains(&row.id)
        ))),
        (900u64..4200).prop_map(|n| both(col("id").eq(n), move |row| Some(row.id == n))),
        (-520i32..520).prop_map(|n| both(col("size").lt(n), move |row| Some(row.size < n))),
        prop::collection::vec(-520i32..520, 0..5).prop_map(|set| {
            both(col("size").is_in(set.clone()), move |row| Some(set.contains(&row.size)))
        }),
        (-520i32..520).prop_map(|n| {
            let limit = f64::from(n) + 0.5;
            both(col("size").gt(limit), move |row| Some(f64::from(row.size) > limit))
        }),
        (0i32..110).prop_map(|n| {
            let limit = n as f32 / 10.0;
            both(col("delay").le(limit), move |row| row.delay.map(|delay| delay <= limit))
        }),
        Just(both(col("delay").is_null(), |row| Some(row.delay.is_none()))),
        Just(both(col("first").is_not_null(), |row| Some(row.first.is_some()))),
        Just(both(col("first.score").is_null(), |row| {
            Some(row.first.as_ref().is_none_or(|hop| hop.score.is_none()))
        })),
        carriers().prop_map(|name| both(col("carrier").eq(name), move |row| Some(row.carrier == name))),
        carriers().prop_map(|name| both(col("carrier").ne(name), move |row| Some(row.carrier != name))),
        carriers()
            .prop_map(|name| both(col("carrier").lt(name), move |row| Some(row.carrier.as_str() < name))),
        carriers().prop_map(|name| {
            both(col("carrier").starts_with(name), move |row| Some(row.carrier.starts_with(name)))
        }),
        prop::sample::select(vec!["Mail", "News", "Alarm", "Other"])
            .prop_map(|name| { both(col("kind").eq(name), move |row| Some(kind_name(row.kind) == name)) }),
        prop::sample::select(vec!["M", "Mb", "News"])
            .prop_map(|name| { both(col("kind").ge(name), move |row| Some(kind_name(row.kind) >= name)) }),
        prop::bool::ANY.prop_map(|value| both(col("good").eq(value), move |row| Some(row.good == value))),
        (0u64..14).prop_map(|n| {
            let tag = format!("tag{n}");
            both(col("tags").any(item().eq(tag.clone())), move |row| Some(row.tags.contains(&tag)))
        }),
        (0i64..32_000, 0u64..9).prop_map(|(date, n)| {
            let host = format!("host{n}.example");
            let inside = col("date").gt(date) & col("host").eq(host.clone());
            let holds = move |hop: &Hop| Some(hop.date > date && hop.host == host);
            both(col("hops").any(inside), move |row| any_of(row.hops.iter().map(&holds)))
        }),
        (0i32..60).prop_map(|n| {
            let limit = f64::from(n) / 4.0;
            both(col("hops").any(col("score").ge(limit)), move |row| {
                any_of(row.hops.iter().map(|hop| hop.score.map(|score| score >= limit)))
            })
        }),
        (0i64..32_000).prop_map(|date| {
            both(col("first.date").lt(date), move |row| row.first.as_ref().map(|hop| hop.date < date))
        }),
        (0i32..50).prop_map(|n| {
            let value = f64::from(n) / 4.0;
            both(col("first.score").ne(value), move |row| {
                row.first.as_ref().and_then(|hop| hop.score).map(|score| score != value)
            })
        }),
        prop_oneof![0u64..3000, u64::MAX - 3000..u64::MAX]
            .prop_map(|n| both(col("big").lt(n), move |row| Some(row.big < n))),
        (0i32..310).prop_map(|n| {
            let inside = col("key").eq("key1") & col("value").lt(n);
            both(col("counts").any(inside), move |row| {
                Some(row.counts.iter().any(|(key, value)| key == "key1" && *value < n))
            })
        }),
    ]
}

/// Predicates of several comparisons.
pub(crate) fn predicates() -> impl Strategy<Value = Both> {
    leaf().prop_recursive(3, 12, 2, |inner| {
        prop_oneof![
            (inner.clone(), inner.clone()).prop_map(|(one, two)| {
                let (a, b) = (one.meaning, two.meaning);
                let not = |value: Option<bool>| value.map(|value| !value);
                both(one.predicate & two.predicate, move |row| not(or(not(a(row)), not(b(row)))))
            }),
            (inner.clone(), inner.clone()).prop_map(|(one, two)| {
                let (a, b) = (one.meaning, two.meaning);
                both(one.predicate | two.predicate, move |row| or(a(row), b(row)))
            }),
            inner.prop_map(|one| {
                let a = one.meaning;
                both(!one.predicate, move |row| a(row).map(|value| !value))
            }),
        ]
    })
}
