//! The public items are those of `public_api.txt`, so that a review shows what changes for users.
//!
//! `UPDATE_PUBLIC_API=1 cargo test --test public_api` writes the list again. Items that macros make are not listed.

use quote::ToTokens;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use syn::{Attribute, Fields, ImplItem, Item, ItemImpl, Meta, Signature, TraitItem, UseTree, Visibility};

/// What the list has for each public name: its definition, and the lines below.
#[derive(Default)]
struct Entry {
    definitions: Vec<String>,
    lines: BTreeSet<String>,
}

#[test]
fn the_public_items_are_those_of_the_list() {
    let root = &Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let path = root.join("tests/public_api.txt");
    let found = list(&root.join("src"));
    if std::env::var_os("UPDATE_PUBLIC_API").is_some() {
        fs::write(&path, &found).unwrap();
    }
    let listed = fs::read_to_string(&path).unwrap();
    let (found, listed): (Vec<&str>, Vec<&str>) = (found.lines().collect(), listed.lines().collect());
    let missing = |of: &[&str], from: &[&str], mark: char| {
        let lines = of.iter().filter(|line| !from.contains(line));
        lines.map(|line| format!("{mark} {line}\n")).collect::<String>()
    };
    let difference = missing(&listed, &found, '-') + &missing(&found, &listed, '+');
    assert!(
        found == listed,
        "the public items have changed; UPDATE_PUBLIC_API=1 writes the list again\n{difference}"
    );
}

#[test]
fn signatures_are_listed_on_one_line() {
    let text = "impl<'s, W: Write> Writer<W> { pub fn new(&self, rows: &'s [(u8, u64)]) -> Result<Vec<u8>> where W: 's {} \
                fn private() {} #[doc(hidden)] pub fn internal() {} pub(crate) fn own() {} \
                /// Opens hidden files.\n pub fn open(mut self) {} }";
    let mut entries = BTreeMap::from([("Writer".to_owned(), Entry::default())]);
    add(&syn::parse_str(text).unwrap(), &BTreeSet::new(), &mut entries);
    let lines: Vec<_> = entries["Writer"].lines.iter().map(String::as_str).collect();
    assert_eq!(
        lines,
        [
            "impl<'s, W: Write> Writer<W>: fn new(&self, rows: &'s [(u8, u64)]) -> Result<Vec<u8>> where W: 's",
            "impl<'s, W: Write> Writer<W>: fn open(self)"
        ]
    );
}

/// The most names at the root of the crate; modules have the others.
const ROOT_NAMES: usize = 35;

#[test]
fn the_root_has_few_names() {
    let front = Path::new(env!("CARGO_MANIFEST_DIR")).join("../src/lib.rs");
    let mut entries = BTreeMap::new();
    named(&syn::parse_file(&fs::read_to_string(front).unwrap()).unwrap().items, &mut entries);
    assert!(entries.len() <= ROOT_NAMES, "{} names: {:?}", entries.len(), entries.keys());
}

/// Adds the names that a public module has.
fn named(items: &[Item], entries: &mut BTreeMap<String, Entry>) {
    for item in items {
        let name = match item {
            Item::Use(uses) if is_public(&uses.vis) => {
                exported(&uses.tree, entries);
                continue;
            }
            Item::Fn(item) if is_public(&item.vis) => &item.sig.ident,
            Item::Struct(item) if is_public(&item.vis) => &item.ident,
            Item::Enum(item) if is_public(&item.vis) => &item.ident,
            Item::Trait(item) if is_public(&item.vis) => &item.ident,
            Item::Type(item) if is_public(&item.vis) => &item.ident,
            Item::Const(item) if is_public(&item.vis) => &item.ident,
            _ => continue,
        };
        entries.insert(name.to_string(), Entry::default());
    }
}

/// The list of the public items of a crate.
fn list(source: &Path) -> String {
    let mut items = Vec::new();
    parse(source, &mut items);
    let front = syn::parse_file(&fs::read_to_string(source.join("lib.rs")).unwrap()).unwrap().items;
    let mut entries: BTreeMap<String, Entry> = BTreeMap::new();
    named(&front, &mut entries);
    for item in &front {
        if let Item::Mod(module) = item
            && is_public(&module.vis)
            && module.ident != "guide"
        {
            let name = module.ident.to_string();
            let folder = source.join(&name).join("mod.rs");
            let file = if folder.exists() { folder } else { source.join(&name).with_extension("rs") };
            let mut within = BTreeMap::new();
            named(&syn::parse_file(&fs::read_to_string(file).unwrap()).unwrap().items, &mut within);
            for (item, mut entry) in within {
                entry.lines.insert(format!("in {name}"));
                let twice = entries.insert(item.clone(), entry);
                assert!(twice.is_none(), "{item} is in {name} and elsewhere");
            }
        }
    }
    // Traits of this crate alone are no part of its face.
    let own = items.iter().filter_map(|item| match item {
        Item::Trait(own) => Some(own.ident.to_string()),
        _ => None,
    });
    let own: BTreeSet<String> = own.filter(|name| !entries.contains_key(name)).collect();
    items.iter().for_each(|item| add(item, &own, &mut entries));

    let mut text = String::new();
    for (name, entry) in &entries {
        assert_eq!(entry.definitions.len(), 1, "{name} should be defined once: {:?}", entry.definitions);
        text.push_str(&entry.definitions[0]);
        text.push('\n');
        entry.lines.iter().for_each(|line| text.push_str(&format!("    {line}\n")));
    }
    text
}

/// The items of all files below a folder, without tests.
fn parse(folder: &Path, items: &mut Vec<Item>) {
    let mut paths: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    for path in paths.iter().filter(|path| path.file_stem().is_some_and(|name| name != "tests")) {
        if path.is_dir() {
            parse(path, items);
        } else {
            let text = fs::read_to_string(path).unwrap();
            let file = syn::parse_file(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            let is_inside = |item: &Item| !matches!(item, Item::Mod(module) if !is_public(&module.vis) || module.content.is_none());
            items.extend(file.items.into_iter().filter(is_inside));
        }
    }
}

/// The names that a `pub use` of the front page gives.
fn exported(tree: &UseTree, entries: &mut BTreeMap<String, Entry>) {
    match tree {
        UseTree::Path(path) => exported(&path.tree, entries),
        UseTree::Group(group) => group.items.iter().for_each(|tree| exported(tree, entries)),
        UseTree::Name(name) => {
            entries.insert(name.ident.to_string(), Entry::default());
        }
        UseTree::Rename(_) | UseTree::Glob(_) => panic!("the front page has plain names: {}", text(tree)),
    }
}

/// Adds an item, if it is public or belongs to a public one.
fn add(item: &Item, own_traits: &BTreeSet<String>, entries: &mut BTreeMap<String, Entry>) {
    match item {
        Item::Impl(block) => add_impl(block, own_traits, entries),
        Item::Struct(item) => {
            if let Some(entry) = public(&item.vis, &item.ident, entries) {
                let (generics, limits) = (text(&item.generics), text(&item.generics.where_clause));
                entry.define(&item.attrs, &format!("struct {}{generics} {limits}", item.ident));
                entry
                    .lines
                    .extend(fields(&item.fields, true).into_iter().map(|field| format!("pub {field}")));
            }
        }
        Item::Enum(item) => {
            if let Some(entry) = public(&item.vis, &item.ident, entries) {
                entry.define(&item.attrs, &format!("enum {}{}", item.ident, text(&item.generics)));
                for variant in &item.variants {
                    let fields = match &variant.fields {
                        Fields::Unit => String::new(),
                        Fields::Named(_) => format!(" {{ {} }}", fields(&variant.fields, false).join(", ")),
                        Fields::Unnamed(_) => format!("({})", fields(&variant.fields, false).join(", ")),
                    };
                    entry.lines.insert(format!("{}{fields}", variant.ident));
                }
            }
        }
        Item::Trait(item) => {
            if let Some(entry) = public(&item.vis, &item.ident, entries) {
                let head =
                    format!("trait {}{}: {}", item.ident, text(&item.generics), text(&item.supertraits));
                entry.define(&item.attrs, head.trim_end_matches([':', ' ']));
                entry.lines.extend(item.items.iter().filter_map(trait_item));
            }
        }
        Item::Fn(item) => {
            if let Some(entry) = public(&item.vis, &item.sig.ident, entries) {
                entry.define(&item.attrs, &signature(&item.sig));
            }
        }
        // A module for `#[serde(with = "…")]`.
        Item::Mod(item) => {
            if let Some(entry) = public(&item.vis, &item.ident, entries) {
                entry.define(&item.attrs, &format!("mod {}", item.ident));
                let functions =
                    item.content.iter().flat_map(|(_, items)| items).filter_map(|item| match item {
                        Item::Fn(item) if is_public(&item.vis) => Some(signature(&item.sig)),
                        _ => None,
                    });
                entry.lines.extend(functions);
            }
        }
        Item::Const(item) => {
            if let Some(entry) = public(&item.vis, &item.ident, entries) {
                entry.define(&item.attrs, &format!("const {}: {}", item.ident, text(&item.ty)));
            }
        }
        Item::Type(item) => {
            if let Some(entry) = public(&item.vis, &item.ident, entries) {
                let (generics, of) = (text(&item.generics), text(&item.ty));
                entry.define(&item.attrs, &format!("type {}{generics} = {of}", item.ident));
            }
        }
        _ => {}
    }
}

fn add_impl(block: &ItemImpl, own_traits: &BTreeSet<String>, entries: &mut BTreeMap<String, Entry>) {
    let of = match &*block.self_ty {
        syn::Type::Path(path) => path.path.segments.last(),
        _ => None,
    };
    let Some(entry) = of.and_then(|of| entries.get_mut(&of.ident.to_string())) else {
        return;
    };
    let (generics, of, limits) =
        (text(&block.generics), text(&block.self_ty), text(&block.generics.where_clause));
    if let Some((_, path, _)) = &block.trait_ {
        let name = path.segments.last().map(|name| name.ident.to_string()).unwrap_or_default();
        if !own_traits.contains(&name) {
            entry.lines.insert(tidy(&format!("impl{generics} {} for {of} {limits}", text(path))));
        }
        return;
    }
    for item in &block.items {
        let line = match item {
            ImplItem::Fn(item) if is_public(&item.vis) && !is_hidden(&item.attrs) => signature(&item.sig),
            ImplItem::Const(item) if is_public(&item.vis) => {
                format!("const {}: {}", item.ident, text(&item.ty))
            }
            _ => continue,
        };
        entry.lines.insert(tidy(&format!("impl{generics} {of} {limits}: {line}")).replace(" : ", ": "));
    }
}

/// The entry of an item, if it is public.
fn public<'e>(
    visibility: &Visibility,
    name: &syn::Ident,
    entries: &'e mut BTreeMap<String, Entry>,
) -> Option<&'e mut Entry> {
    if is_public(visibility) { entries.get_mut(&name.to_string()) } else { None }
}

impl Entry {
    /// Sets the definition, with what its attributes say to users.
    fn define(&mut self, attributes: &[Attribute], definition: &str) {
        let open = attributes.iter().any(|attribute| attribute.path().is_ident("non_exhaustive"));
        let open = if open { "#[non_exhaustive] " } else { "" };
        self.definitions.push(format!("{open}pub {}", tidy(definition)));
        for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("derive")) {
            let _ = attribute.parse_nested_meta(|derived| {
                self.lines.insert(format!("derive {}", text(&derived.path)));
                Ok(())
            });
        }
    }
}

/// The fields, all or the public ones.
fn fields(fields: &Fields, public_only: bool) -> Vec<String> {
    let listed = fields.iter().filter(|field| !public_only || is_public(&field.vis));
    let line = |field: &syn::Field| match &field.ident {
        Some(name) => format!("{name}: {}", text(&field.ty)),
        None => text(&field.ty),
    };
    listed.map(line).collect()
}

fn trait_item(item: &TraitItem) -> Option<String> {
    match item {
        TraitItem::Fn(item) if !is_hidden(&item.attrs) => {
            let provided = if item.default.is_some() { " (provided)" } else { "" };
            Some(format!("{}{provided}", signature(&item.sig)))
        }
        TraitItem::Type(item) => Some(format!("type {}: {}", item.ident, text(&item.bounds))),
        TraitItem::Const(item) => Some(format!("const {}: {}", item.ident, text(&item.ty))),
        _ => None,
    }
}

fn signature(signature: &Signature) -> String {
    text(signature)
}

fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

/// Whether an item has `#[doc(hidden)]` or `#[cfg(test)]`.
fn is_hidden(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| match &attribute.meta {
        Meta::List(list) if list.path.is_ident("doc") => list.tokens.to_string() == "hidden",
        Meta::List(list) if list.path.is_ident("cfg") => list.tokens.to_string() == "test",
        _ => false,
    })
}

/// Tokens on one line, spaced as rustfmt does.
fn text(tokens: &impl ToTokens) -> String {
    tidy(&tokens.to_token_stream().to_string())
}

fn tidy(text: &str) -> String {
    const TIGHT: [(&str, &str); 15] = [
        (" ::", "::"),
        (":: ", "::"),
        (" <", "<"),
        ("< ", "<"),
        (" >", ">"),
        (" ,", ","),
        (",)", ")"),
        (" :", ":"),
        (" (", "("),
        ("( ", "("),
        (" )", ")"),
        ("& ", "&"),
        ("[ ", "["),
        (" ]", "]"),
        (" ;", ";"),
    ];
    let mut tidy = text.split_whitespace().collect::<Vec<_>>().join(" ");
    for (loose, tight) in TIGHT {
        tidy = tidy.replace(loose, tight);
    }
    for (before, after) in [("->(", "-> ("), ("=(", "= ("), (",>", ">"), ("? ", "?"), ("(mut self", "(self")]
    {
        tidy = tidy.replace(before, after);
    }
    tidy.trim_end_matches([',', ' ']).to_owned()
}
