//! How deep expressions are: the engine walks them by recursion, and its time grows with the square of their depth.

use datafusion::sql::sqlparser::keywords::Keyword;
use datafusion::sql::sqlparser::tokenizer::Token;

/// The most operators of one expression, and of parts of a query (`UNION`, `JOIN`), that stand in a row.
const MOST: usize = 2000;

/// Counts what stands in a row, for each open parenthesis.
#[derive(Debug, Default)]
pub(super) struct Depth {
    open: Vec<Counts>,
    here: Counts,
}

#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    operators: usize,
    queries: usize,
}

impl Depth {
    /// Counts a token.
    ///
    /// # Errors
    ///
    /// One too many; a message says of what.
    pub(super) fn add(&mut self, token: &Token) -> Result<(), String> {
        match token {
            Token::LParen | Token::LBracket => self.open.push(std::mem::take(&mut self.here)),
            Token::RParen | Token::RBracket => self.here = self.open.pop().unwrap_or_default(),
            Token::SemiColon => *self = Self::default(),
            Token::Comma => self.here.operators = 0,
            Token::Word(word) => match word.keyword {
                Keyword::UNION | Keyword::EXCEPT | Keyword::INTERSECT | Keyword::JOIN => {
                    self.here.operators = 0;
                    self.here.queries += 1;
                }
                Keyword::SELECT | Keyword::FROM | Keyword::WHERE | Keyword::WHEN | Keyword::THEN => {
                    self.here.operators = 0;
                }
                Keyword::AND | Keyword::OR => self.here.operators += 1,
                _ => {}
            },
            Token::Plus | Token::Minus | Token::Mul | Token::Div | Token::Mod | Token::StringConcat => {
                self.here.operators += 1;
            }
            _ => {}
        }
        match (self.here.operators > MOST, self.here.queries > MOST) {
            (true, _) => Err(format!(
                "more than {MOST} operators stand in a row here: IN, and a table of values, take any number"
            )),
            (_, true) => Err(format!("more than {MOST} queries or tables are joined here")),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::shell::statements::statements;

    #[test]
    fn operators_in_a_row_are_counted() {
        let row = |count: usize| format!("SELECT {};", vec!["1"; count].join(" + "));
        assert!(statements(&row(1000).repeat(9)).is_ok());
        assert!(statements(&row(3000)).unwrap_err().message.contains("2000 operators"));
        let values = vec!["(-1, 2 - 3)"; 5000].join(", ");
        assert!(statements(&format!("INSERT INTO t VALUES {values}")).is_ok());
        let numbers = vec!["-1"; 5000].join(", ");
        assert!(statements(&format!("SELECT 1 IN ({numbers}) OR 2 = 3")).is_ok());
        let queries = vec!["SELECT 1 + 1"; 3000].join(" UNION ");
        assert!(statements(&queries).unwrap_err().message.contains("2000 queries"));
    }
}
