//! How cells are separated.

/// How cells are separated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dialect {
    /// What separates cells.
    pub delimiter: u8,
    /// What is around cells that have separators.
    pub quote: u8,
    /// What takes the meaning from a quote after it, beside a second quote.
    pub escape: Option<u8>,
    /// What lines begin with that are no rows.
    pub comment: Option<u8>,
    /// Whether spaces around cells are left out.
    pub trim: bool,
    /// Whether the first row has the names of the columns.
    pub header: bool,
}

impl Default for Dialect {
    fn default() -> Self {
        Self { delimiter: b',', quote: b'"', escape: None, comment: None, trim: false, header: false }
    }
}

impl Dialect {
    pub(super) fn reader<R: std::io::Read>(self, from: R) -> csv::Reader<R> {
        csv::ReaderBuilder::new()
            .delimiter(self.delimiter)
            .quote(self.quote)
            .escape(self.escape)
            .comment(self.comment)
            .trim(if self.trim { csv::Trim::All } else { csv::Trim::None })
            .has_headers(false)
            .flexible(true)
            .from_reader(from)
    }
}
