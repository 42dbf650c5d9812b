//! Picks entries of several vectors of one form, in any order.

use super::{Binaries, ListVector, MapVector, Offsets, RecordVector, Strings, UnionVector, Vector};

/// An entry: which of the vectors, and where in it.
pub(crate) type Pick = (usize, usize);

/// The entries of `vectors` that `picks` name, in the order of `picks`; `None` where a vector has another
/// form than `form`, an entry is not there, or the values pass 4 GiB in one vector.
pub(crate) fn gather(form: &Vector, vectors: &[&Vector], picks: &[Pick]) -> Option<Vector> {
    /// What all vectors hold, which must be of one kind.
    macro_rules! all {
        ($kind:path) => {
            vectors.iter().map(|vector| if let $kind(held) = vector { Some(held) } else { None })
        };
    }
    macro_rules! numbers {
        ($kind:path) => {{
            let sources: Vec<&Vec<_>> = all!($kind).collect::<Option<_>>()?;
            let value = |(vector, at): &Pick| sources.get(*vector)?.get(*at).copied();
            $kind(picks.iter().map(value).collect::<Option<_>>()?)
        }};
    }
    macro_rules! blobs {
        ($kind:path, $blobs:ty) => {{
            let sources: Vec<&$blobs> = all!($kind).collect::<Option<_>>()?;
            let mut out = <$blobs>::default();
            for (vector, at) in picks {
                out.push(sources.get(*vector)?.get(*at)?).then_some(())?;
            }
            $kind(out)
        }};
    }
    Some(match form {
        Vector::Null(_) => {
            let there = |(vector, at): &Pick| vectors.get(*vector).is_some_and(|nulls| *at < nulls.len());
            Vector::Null(picks.iter().all(there).then_some(picks.len())?)
        }
        Vector::Boolean(_) => numbers!(Vector::Boolean),
        Vector::Int(_) => numbers!(Vector::Int),
        Vector::Enum(_) => numbers!(Vector::Enum),
        Vector::Long(_) => numbers!(Vector::Long),
        Vector::Float(_) => numbers!(Vector::Float),
        Vector::Double(_) => numbers!(Vector::Double),
        Vector::String(_) => blobs!(Vector::String, Strings),
        Vector::Bytes(_) => blobs!(Vector::Bytes, Binaries),
        Vector::Record(form) => {
            let sources: Vec<&RecordVector> = all!(Vector::Record).collect::<Option<_>>()?;
            let field = |(number, form): (usize, &Vector)| {
                let fields = sources.iter().map(|record| record.fields.get(number));
                gather(form, &fields.collect::<Option<Vec<_>>>()?, picks)
            };
            let fields = form.fields.iter().enumerate().map(field).collect::<Option<_>>()?;
            Vector::Record(RecordVector { len: picks.len(), earlier: false, fields })
        }
        Vector::List(form) => {
            let sources = all!(Vector::List).map(|list| list.map(|list| &**list));
            Vector::List(Box::new(lists(form, &sources.collect::<Option<Vec<_>>>()?, picks)?))
        }
        Vector::Optional(form) => {
            let sources = all!(Vector::Optional).map(|list| list.map(|list| &**list));
            Vector::Optional(Box::new(lists(form, &sources.collect::<Option<Vec<_>>>()?, picks)?))
        }
        Vector::Map(form) => {
            let sources = all!(Vector::Map).map(|map| map.map(|map| &**map));
            let sources: Vec<&MapVector> = sources.collect::<Option<_>>()?;
            let (offsets, below) = items(picks, |vector| Some(&sources.get(vector)?.offsets))?;
            let keys: Vec<&Vector> = sources.iter().map(|map| &map.key).collect();
            let values: Vec<&Vector> = sources.iter().map(|map| &map.value).collect();
            let (key, value) = (gather(&form.key, &keys, &below)?, gather(&form.value, &values, &below)?);
            Vector::Map(Box::new(MapVector { offsets, key, value }))
        }
        Vector::Union(form) => {
            let sources: Vec<&UnionVector> = all!(Vector::Union).collect::<Option<_>>()?;
            union(form, &sources, picks)?
        }
        Vector::Dictionary(_) | Vector::Unread(_) => return None,
    })
}

fn lists(form: &ListVector, sources: &[&ListVector], picks: &[Pick]) -> Option<ListVector> {
    let (offsets, below) = items(picks, |vector| Some(&sources.get(vector)?.offsets))?;
    let vectors: Vec<&Vector> = sources.iter().map(|list| &list.item).collect();
    Some(ListVector::new(offsets, gather(&form.item, &vectors, &below)?))
}

/// Where the lists that are picked begin, and their items.
fn items<'v>(
    picks: &[Pick],
    offsets_of: impl Fn(usize) -> Option<&'v Offsets>,
) -> Option<(Offsets, Vec<Pick>)> {
    let (mut offsets, mut below) = (Offsets::default(), Vec::with_capacity(picks.len()));
    for (vector, at) in picks {
        let range = offsets_of(*vector)?.range(*at)?;
        below.extend(range.map(|item| (*vector, item)));
        offsets.push_end(below.len()).then_some(())?;
    }
    Some((offsets, below))
}

fn union(form: &UnionVector, sources: &[&UnionVector], picks: &[Pick]) -> Option<Vector> {
    let mut out = UnionVector::default();
    let mut below: Vec<Vec<Pick>> = vec![Vec::new(); form.variants.len()];
    for (vector, at) in picks {
        let source = sources.get(*vector)?;
        let (tag, position) = (*source.tags.get(*at)?, *source.positions.get(*at)?);
        let below = below.get_mut(usize::from(tag))?;
        out.tags.push(tag);
        out.positions.push(u32::try_from(below.len()).ok()?);
        below.push((*vector, position as usize));
    }
    for (number, (form, picks)) in form.variants.iter().zip(&below).enumerate() {
        let variants = sources.iter().map(|source| source.variants.get(number));
        out.variants.push(gather(form, &variants.collect::<Option<Vec<_>>>()?, picks)?);
    }
    Some(Vector::Union(out))
}
