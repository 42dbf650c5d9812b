//! Names that are like a wrong one.

/// The names that a wrong one may have meant.
pub(crate) fn near(path: &str, names: &[String]) -> String {
    let last = path.rsplit('.').next().unwrap_or(path);
    let likeness = |name: &&String| (strsim::normalized_damerau_levenshtein(last, name) * 100.0) as u32;
    match names.iter().max_by_key(likeness).filter(|name| likeness(name) >= 60) {
        Some(name) => format!("; did you mean {name:?}?"),
        None if names.is_empty() => String::new(),
        None => {
            let shown = names.iter().take(12).map(String::as_str).collect::<Vec<_>>().join(", ");
            format!("; there are {shown}{}", if names.len() > 12 { ", …" } else { "" })
        }
    }
}
