pub type Symbols = Vec<Symbol>;

#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub enum Symbol {
    #[serde(rename = "as")]
    As,
    #[serde(rename = "async")]
    Async,
    #[serde(rename = "await")]
    Await,
    #[serde(rename = "break")]
    Break,
    #[serde(rename = "const")]
    Const,
    #[serde(rename = "continue")]
    Continue,
    #[serde(rename = "crate")]
    Crate,
    #[serde(rename = "dyn")]
    Dyn,
    #[serde(rename = "else")]
    Else,
    #[serde(rename = "enum")]
    Enum,
    #[serde(rename = "extern")]
    Extern,
    #[serde(rename = "false")]
    False,
    #[serde(rename = "fn")]
    Fn,
    #[serde(rename = "for")]
    For,
    #[serde(rename = "if")]
    If,
    #[serde(rename = "impl")]
    Impl,
    #[serde(rename = "in")]
    In,
    #[serde(rename = "let")]
    Let,
    #[serde(rename = "loop")]
    Loop,
    #[serde(rename = "match")]
    Match,
    #[serde(rename = "mod")]
    Mod,
    #[serde(rename = "move")]
    Move,
    #[serde(rename = "mut")]
    Mut,
    #[serde(rename = "pub")]
    Pub,
    #[serde(rename = "ref")]
    Ref,
    #[serde(rename = "return")]
    Return,
    #[serde(rename = "self")]
    TSelf,
    #[serde(rename = "Self")]
    TSelf2,
    #[serde(rename = "static")]
    Static,
    #[serde(rename = "struct")]
    Struct,
    #[serde(rename = "super")]
    Super,
    #[serde(rename = "trait")]
    Trait,
    #[serde(rename = "true")]
    True,
    #[serde(rename = "type")]
    Type,
    #[serde(rename = "unsafe")]
    Unsafe,
    #[serde(rename = "use")]
    Use,
    #[serde(rename = "where")]
    Where,
    #[serde(rename = "while")]
    While,
    #[serde(rename = "abstract")]
    Abstract,
    #[serde(rename = "become")]
    Become,
    #[serde(rename = "box")]
    Box,
    #[serde(rename = "do")]
    Do,
    #[serde(rename = "final")]
    Final,
    #[serde(rename = "gen")]
    Gen,
    #[serde(rename = "macro")]
    Macro,
    #[serde(rename = "override")]
    Override,
    #[serde(rename = "priv")]
    Priv,
    #[serde(rename = "try")]
    Try,
    #[serde(rename = "typeof")]
    Typeof,
    #[serde(rename = "unsized")]
    Unsized,
    #[serde(rename = "virtual")]
    Virtual,
    #[serde(rename = "yield")]
    Yield,
    #[serde(rename = "auto")]
    Auto,
    #[serde(rename = "default")]
    Default,
    #[serde(rename = "macro_rules")]
    MacroRules,
    #[serde(rename = "raw")]
    Raw,
    #[serde(rename = "safe")]
    Safe,
    #[serde(rename = "union")]
    Union,
    #[serde(rename = "static_")]
    Static2,
    #[serde(rename = "'static")]
    Static3,
    #[serde(rename = "_")]
    T,
    #[serde(rename = "__")]
    T2,
    #[serde(rename = "")]
    T3,
    #[serde(rename = "option")]
    Option,
    String,
    #[serde(rename = "vec")]
    Vec,
    #[serde(rename = "some")]
    Some,
    #[serde(rename = "Box")]
    Box2,
}
