//! JSON with order of keys and the text of numbers kept.

use std::iter::Peekable;
use std::str::Chars;

/// A JSON value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Json {
    Null,
    Boolean(bool),
    /// A number, as it is written.
    Number(String),
    Text(String),
    Array(Vec<Json>),
    Object(Vec<(String, Json)>),
}

impl Json {
    /// Parses a text that is right; panics where it is not.
    pub(crate) fn parse(text: &str) -> Self {
        let mut parser = Parser(text.chars().peekable());
        let value = parser.value();
        parser.space();
        assert_eq!(parser.0.next(), None, "more than one value: {text}");
        value
    }

    /// The value of a key.
    pub(crate) fn get(&self, key: &str) -> Option<&Self> {
        self.entries().iter().find(|(other, _)| other == key).map(|(_, value)| value)
    }

    pub(crate) fn entries(&self) -> &[(String, Self)] {
        match self {
            Self::Object(entries) => entries,
            _ => &[],
        }
    }

    pub(crate) fn items(&self) -> &[Self] {
        match self {
            Self::Array(items) => items,
            other => panic!("{other:?} is no array"),
        }
    }

    pub(crate) fn text(&self) -> &str {
        match self {
            Self::Text(text) => text,
            other => panic!("{other:?} is no text"),
        }
    }

    pub(crate) fn integer<T: std::str::FromStr>(&self) -> T {
        match self {
            Self::Number(text) => text.parse().unwrap_or_else(|_| panic!("{text} is out of range")),
            other => panic!("{other:?} is no number"),
        }
    }

    /// A `double`; Avro has words for those that are no numbers of JSON.
    pub(crate) fn double(&self) -> f64 {
        self.floating().parse().unwrap()
    }

    /// A `float`.
    pub(crate) fn float(&self) -> f32 {
        self.floating().parse().unwrap()
    }

    fn floating(&self) -> &str {
        match self {
            Self::Number(text) => text,
            Self::Text(text) if ["NaN", "Infinity", "-Infinity"].contains(&text.as_str()) => text,
            other => panic!("{other:?} is no number"),
        }
    }

    /// Bytes, one for each character.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        self.text().chars().map(|character| u8::try_from(u32::from(character)).unwrap()).collect()
    }
}

struct Parser<'a>(Peekable<Chars<'a>>);

impl Parser<'_> {
    fn space(&mut self) {
        while self.0.next_if(|character| " \n\r\t".contains(*character)).is_some() {}
    }

    fn expect(&mut self, expected: char) {
        self.space();
        assert_eq!(self.0.next(), Some(expected));
    }

    /// Whether a list ends here; otherwise passes the comma before all but the first item.
    fn ends(&mut self, first: bool, end: char) -> bool {
        self.space();
        if self.0.next_if_eq(&end).is_some() {
            return true;
        }
        if !first {
            self.expect(',');
        }
        false
    }

    fn value(&mut self) -> Json {
        self.space();
        match self.0.peek() {
            Some('{') => {
                self.0.next();
                let mut entries = Vec::new();
                while !self.ends(entries.is_empty(), '}') {
                    self.space();
                    let key = self.text();
                    self.expect(':');
                    entries.push((key, self.value()));
                }
                Json::Object(entries)
            }
            Some('[') => {
                self.0.next();
                let mut items = Vec::new();
                while !self.ends(items.is_empty(), ']') {
                    items.push(self.value());
                }
                Json::Array(items)
            }
            Some('"') => Json::Text(self.text()),
            _ => {
                let mut word = String::new();
                while let Some(character) =
                    self.0.next_if(|c| c.is_ascii_alphanumeric() || "+-.".contains(*c))
                {
                    word.push(character);
                }
                match word.as_str() {
                    "null" => Json::Null,
                    "true" => Json::Boolean(true),
                    "false" => Json::Boolean(false),
                    number => {
                        assert!(number.parse::<f64>().is_ok(), "{number:?} is no JSON");
                        Json::Number(word)
                    }
                }
            }
        }
    }

    fn text(&mut self) -> String {
        self.expect('"');
        let mut units = Vec::new();
        loop {
            match self.0.next().expect("a text without end") {
                '"' => return String::from_utf16(&units).unwrap(),
                '\\' => units.push(self.escaped()),
                character => units.extend_from_slice(character.encode_utf16(&mut [0; 2])),
            }
        }
    }

    fn escaped(&mut self) -> u16 {
        let character = match self.0.next().expect("a text without end") {
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'b' => '\u{8}',
            'f' => '\u{c}',
            'u' => {
                let digits: String = self.0.by_ref().take(4).collect();
                return u16::from_str_radix(&digits, 16).unwrap();
            }
            other => other,
        };
        character as u16
    }
}

#[test]
fn order_and_numbers_are_kept() {
    let json = Json::parse(r#" {"b":[1.0E-3,-0.0,null] , "a" : "\uD83D\uDE00\n\u00ff", "c":{}} "#);
    let keys: Vec<&str> = json.entries().iter().map(|(key, _)| key.as_str()).collect();
    assert_eq!(keys, ["b", "a", "c"]);
    assert_eq!(json.get("a").unwrap().text(), "😀\nÿ");
    let numbers = json.get("b").unwrap().items();
    assert_eq!((numbers[0].double(), numbers[1].double().to_bits()), (0.001, (-0.0f64).to_bits()));
}
