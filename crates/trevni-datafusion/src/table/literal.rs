//! Paths that are written are what they say: `report [final].trv` is the name of a file, not a pattern.

use datafusion::common::plan_datafusion_err;
use datafusion::datasource::listing::ListingTableUrl;
use datafusion::error::Result;
use url::Url;

/// The place that `COPY … TO` writes to.
///
/// # Errors
///
/// A text that is no path.
pub fn place_of_copy(text: &str) -> Result<ListingTableUrl> {
    written(&ListingTableUrl::parse(text)?)
}

/// A place as one that is written: without a pattern.
pub(crate) fn written(place: &ListingTableUrl) -> Result<ListingTableUrl> {
    let Some(pattern) = place.get_glob() else { return Ok(place.clone()) };
    let failed = || plan_datafusion_err!("{place}: this is no place to write to");
    let mut url = Url::parse(place.as_str()).map_err(|_| failed())?;
    url.path_segments_mut().map_err(|()| failed())?.pop_if_empty().extend(pattern.as_str().split('/'));
    ListingTableUrl::try_new(url, None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_names_where_files_are_written() {
        for (text, path, is_folder) in [
            ("/data/report [final].trv", "data/report [final].trv", false),
            ("/data/what?/all*/", "data/what?/all*", true),
            ("/data/plain.trv", "data/plain.trv", false),
            ("s3://bucket/a [1]/b.trv", "a [1]/b.trv", false),
        ] {
            let place = place_of_copy(text).unwrap();
            assert_eq!((place.prefix().as_ref(), place.is_collection()), (path, is_folder), "{text}");
        }
    }
}
