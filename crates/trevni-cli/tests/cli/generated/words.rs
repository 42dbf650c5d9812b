#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Words {
    #[serde(rename = "as")]
    pub as_: As,
    #[serde(rename = "async")]
    pub async_: Async,
    #[serde(rename = "await")]
    pub await_: Await,
    #[serde(rename = "break")]
    pub break_: Break,
    #[serde(rename = "const")]
    pub const_: Const,
    #[serde(rename = "continue")]
    pub continue_: Continue,
    #[serde(rename = "crate")]
    pub crate_: Crate,
    #[serde(rename = "dyn")]
    pub dyn_: Dyn,
    #[serde(rename = "else")]
    pub else_: Else,
    #[serde(rename = "enum")]
    pub enum_: Enum,
    #[serde(rename = "extern")]
    pub extern_: Extern,
    #[serde(rename = "false")]
    pub false_: False,
    #[serde(rename = "fn")]
    pub fn_: Fn,
    #[serde(rename = "for")]
    pub for_: For,
    #[serde(rename = "if")]
    pub if_: If,
    #[serde(rename = "impl")]
    pub impl_: Impl,
    #[serde(rename = "in")]
    pub in_: In,
    #[serde(rename = "let")]
    pub let_: Let,
    #[serde(rename = "loop")]
    pub loop_: Loop,
    #[serde(rename = "match")]
    pub match_: Match,
    #[serde(rename = "mod")]
    pub mod_: Mod,
    #[serde(rename = "move")]
    pub move_: Move,
    #[serde(rename = "mut")]
    pub mut_: Mut,
    #[serde(rename = "pub")]
    pub pub_: Pub,
    #[serde(rename = "ref")]
    pub ref_: Ref,
    #[serde(rename = "return")]
    pub return_: Return,
    #[serde(rename = "self")]
    pub self_: TSelf,
    #[serde(rename = "Self")]
    pub self_2: TSelf2,
    #[serde(rename = "static")]
    pub static_: Static,
    #[serde(rename = "struct")]
    pub struct_: Struct,
    #[serde(rename = "super")]
    pub super_: Super,
    #[serde(rename = "trait")]
    pub trait_: Trait,
    #[serde(rename = "true")]
    pub true_: True,
    #[serde(rename = "type")]
    pub type_: Type,
    #[serde(rename = "unsafe")]
    pub unsafe_: Unsafe,
    #[serde(rename = "use")]
    pub use_: Use,
    #[serde(rename = "where")]
    pub where_: Where,
    #[serde(rename = "while")]
    pub while_: While,
    #[serde(rename = "abstract")]
    pub abstract_: Abstract,
    #[serde(rename = "become")]
    pub become_: Become,
    #[serde(rename = "box")]
    pub box_: Box,
    #[serde(rename = "do")]
    pub do_: Do,
    #[serde(rename = "final")]
    pub final_: Final,
    #[serde(rename = "gen")]
    pub gen_: Gen,
    #[serde(rename = "macro")]
    pub macro_: Macro,
    #[serde(rename = "override")]
    pub override_: Override,
    #[serde(rename = "priv")]
    pub priv_: Priv,
    #[serde(rename = "try")]
    pub try_: Try,
    #[serde(rename = "typeof")]
    pub typeof_: Typeof,
    #[serde(rename = "unsized")]
    pub unsized_: Unsized,
    #[serde(rename = "virtual")]
    pub virtual_: Virtual,
    #[serde(rename = "yield")]
    pub yield_: Yield,
    pub auto: Auto,
    pub default: Default,
    pub macro_rules: MacroRules,
    pub raw: Raw,
    pub safe: Safe,
    pub union: Union,
    #[serde(rename = "static_")]
    pub static_2: Static2,
    #[serde(rename = "'static")]
    pub static_3: Static3,
    #[serde(rename = "_")]
    pub field: T,
    #[serde(rename = "__")]
    pub field_2: T2,
    #[serde(rename = "")]
    pub field_3: T22,
    pub option: Option_,
    #[serde(rename = "String")]
    pub string: String_,
    pub vec: Vec_,
    pub some: Some,
    #[serde(rename = "Box")]
    pub box_2: Box2,
}

#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct As {
    #[serde(rename = "as")]
    pub as_: i64,
}

#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Async {
    #[serde(rename = "async")]
    pub async_: i64,
}

#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Await {
    #[serde(rename = "await")]
    pub await_: i64,
}

#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Break {
    #[serde(rename = "break")]
    pub break_: i64,
}

#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Const {
    #[serde(rename = "const")]
    pub const_: i64,
}

#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Continue {
    #[serde(rename = "continue")]
    pub continue_: i64,
}

#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Crate {
    #[serde(rename = "crate")]
    pub crate_: i64,
}

#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Dyn {
    #[serde(rename = "dyn")]
    pub dyn_: i64,
}

#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Else {
    #[serde(rename = "else")]
    pub else_: i64,
}

#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Enum {
    #[serde(rename = "enum")]
    pub enum_: i64,
}

#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Extern {
    #[serde(rename = "extern")]
    pub extern_: i64,
}

#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct False {
    #[serde(rename = "false")]
    pub false_: i64,
}

#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Fn {
    #[serde(rename = "fn")]
    pub fn_: i64,
}

#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct For {
    #[serde(rename = "for")]
    pub for_: i64,
}

#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct If {
    #[serde(rename = "if")]
    pub if_: i64,
}

#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Impl {
    #[serde(rename = "impl")]
    pub impl_: i64,
}

#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct In {
    #[serde(rename = "in")]
    pub in_: i64,
}

#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Let {
    #[serde(rename = "let")]
    pub let_: i64,
}

#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Loop {
    #[serde(rename = "loop")]
    pub loop_: i64,
}

#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Match {
    #[serde(rename = "match")]
    pub match_: i64,
}

#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Mod {
    #[serde(rename = "mod")]
    pub mod_: i64,
}

#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Move {
    #[serde(rename = "move")]
    pub move_: i64,
}

#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Mut {
    #[serde(rename = "mut")]
    pub mut_: i64,
}

#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Pub {
    #[serde(rename = "pub")]
    pub pub_: i64,
}

#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Ref {
    #[serde(rename = "ref")]
    pub ref_: i64,
}

#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Return {
    #[serde(rename = "return")]
    pub return_: i64,
}

#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct TSelf {
    #[serde(rename = "self")]
    pub self_: i64,
}

#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct TSelf2 {
    #[serde(rename = "Self")]
    pub self_: i64,
}

#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Static {
    #[serde(rename = "static")]
    pub static_: i64,
}

#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Struct {
    #[serde(rename = "struct")]
    pub struct_: i64,
}

#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Super {
    #[serde(rename = "super")]
    pub super_: i64,
}

#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Trait {
    #[serde(rename = "trait")]
    pub trait_: i64,
}

#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct True {
    #[serde(rename = "true")]
    pub true_: i64,
}

#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Type {
    #[serde(rename = "type")]
    pub type_: i64,
}

#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Unsafe {
    #[serde(rename = "unsafe")]
    pub unsafe_: i64,
}

#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Use {
    #[serde(rename = "use")]
    pub use_: i64,
}

#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Where {
    #[serde(rename = "where")]
    pub where_: i64,
}

#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct While {
    #[serde(rename = "while")]
    pub while_: i64,
}

#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Abstract {
    #[serde(rename = "abstract")]
    pub abstract_: i64,
}

#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Become {
    #[serde(rename = "become")]
    pub become_: i64,
}

#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Box {
    #[serde(rename = "box")]
    pub box_: i64,
}

#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Do {
    #[serde(rename = "do")]
    pub do_: i64,
}

#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Final {
    #[serde(rename = "final")]
    pub final_: i64,
}

#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Gen {
    #[serde(rename = "gen")]
    pub gen_: i64,
}

#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Macro {
    #[serde(rename = "macro")]
    pub macro_: i64,
}

#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Override {
    #[serde(rename = "override")]
    pub override_: i64,
}

#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Priv {
    #[serde(rename = "priv")]
    pub priv_: i64,
}

#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Try {
    #[serde(rename = "try")]
    pub try_: i64,
}

#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Typeof {
    #[serde(rename = "typeof")]
    pub typeof_: i64,
}

#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Unsized {
    #[serde(rename = "unsized")]
    pub unsized_: i64,
}

#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Virtual {
    #[serde(rename = "virtual")]
    pub virtual_: i64,
}

#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Yield {
    #[serde(rename = "yield")]
    pub yield_: i64,
}

#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Auto {
    pub auto: i64,
}

#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Default {
    pub default: i64,
}

#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct MacroRules {
    pub macro_rules: i64,
}

#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Raw {
    pub raw: i64,
}

#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Safe {
    pub safe: i64,
}

#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Union {
    pub union: i64,
}

#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Static2 {
    pub static_: i64,
}

#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Static3 {
    #[serde(rename = "'static")]
    pub static_: i64,
}

#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct T {
    #[serde(rename = "_")]
    pub field: i64,
}

#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct T2 {
    #[serde(rename = "__")]
    pub field: i64,
}

#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct T22 {
    #[serde(rename = "")]
    pub field: i64,
}

#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Option_ {
    pub option: i64,
}

#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct String_ {
    #[serde(rename = "String")]
    pub string: i64,
}

#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Vec_ {
    pub vec: i64,
}

#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Some {
    pub some: i64,
}

#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Box2 {
    #[serde(rename = "Box")]
    pub box_: i64,
}
