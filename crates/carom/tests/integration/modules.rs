//! References between the modules of a crate, read from the sources, and the cycles among them.
//!
//! # Rule Sibling modules (those declared by one file, `lib.rs` included) must not refer to each other in a cycle. A module
//! stands for all files below it. A file and the modules that it declares are one unit: they may refer to each other freely. A
//! name that is reached through a re-export counts as a reference to the module that defines it, so that `crate::Error` is
//! `crate::error`. Code compiled for tests only does not count.
//!
//! Paths in `use` and in code are found. Methods that a file adds to a type of another file are not.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// A module, given by its names from the root of the crate: `["gap", "poly"]`.
type Module = Vec<String>;

/// The contents of a file as far as references are concerned.
#[derive(Default)]
struct File {
    /// Names imported by the file, with the path they stand for: `use a::b as c` is (c, [a, b]).
    names: Vec<(String, Vec<String>)>,
    /// Modules from which everything is imported: `use a::*`.
    globs: Vec<Vec<String>>,
    /// Items defined by the file.
    defines: BTreeSet<String>,
    /// Paths in the code, including names that may come from a glob import.
    paths: BTreeSet<Vec<String>>,
}

/// Splits a text into words and signs, without comments and literals; `::` is one sign.
fn tokens(text: &str) -> Vec<String> {
    let chars: Vec<char> = text.chars().collect();
    let at = |i: usize| chars.get(i).copied().unwrap_or('\0');
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut tokens: Vec<String> = Vec::new();
    let mut i = 0;
    while i < chars.len() {
        let c = at(i);
        if c == '/' && at(i + 1) == '/' {
            while i < chars.len() && at(i) != '\n' {
                i += 1;
            }
        } else if c == '/' && at(i + 1) == '*' {
            while i < chars.len() && !(at(i) == '*' && at(i + 1) == '/') {
                i += 1;
            }
            i += 2;
        } else if c == '"' {
            // With a prefix `r` or `br`, possibly followed by `#` signs, the literal is raw and has no escapes.
            let hashes = tokens.iter().rev().take_while(|token| *token == "#").count();
            let prefix = tokens.len().checked_sub(hashes + 1).map(|p| tokens[p].as_str());
            let raw = matches!(prefix, Some("r" | "br"));
            let end: String = std::iter::once('"')
                .chain(std::iter::repeat_n('#', if raw { hashes } else { 0 }))
                .collect();
            i += 1;
            while i < chars.len() && !end.chars().enumerate().all(|(k, e)| at(i + k) == e) {
                i += if at(i) == '\\' && !raw { 2 } else { 1 };
            }
            i += end.chars().count();
        } else if c == '\'' && (at(i + 1) == '\\' || at(i + 2) == '\'') {
            i += if at(i + 1) == '\\' { 3 } else { 2 };
            while i < chars.len() && at(i) != '\'' {
                i += 1;
            }
            i += 1;
        } else if is_word(c) {
            let start = i;
            while is_word(at(i)) {
                i += 1;
            }
            tokens.push(chars[start..i].iter().collect());
        } else if c == ':' && at(i + 1) == ':' {
            tokens.push("::".to_string());
            i += 2;
        } else {
            if !c.is_whitespace() {
                tokens.push(c.to_string());
            }
            i += 1;
        }
    }
    tokens
}

/// Removes the items that are compiled for tests only.
fn without_tests(tokens: &[String]) -> Vec<String> {
    let mut kept = Vec::new();
    let mut i = 0;
    while i < tokens.len() {
        let test = ["#", "[", "cfg", "(", "test", ")", "]"];
        if tokens[i..].len() < test.len() || tokens[i..].iter().zip(test).any(|(a, b)| a != b) {
            kept.push(tokens[i].clone());
            i += 1;
            continue;
        }
        // An item ends at a semicolon or at the brace that closes the first one.
        let mut depth = 0;
        while i < tokens.len() {
            match tokens[i].as_str() {
                "{" => depth += 1,
                "}" => depth -= 1,
                _ => {}
            }
            let end = (tokens[i] == "}" || tokens[i] == ";") && depth == 0;
            i += 1;
            if end {
                break;
            }
        }
    }
    kept
}

/// Reads the tree of a `use` from a token on and returns the index of its end.
fn read_use(tokens: &[String], mut i: usize, prefix: &[String], file: &mut File) -> usize {
    let mut path = prefix.to_vec();
    let mut name = None;
    while i < tokens.len() {
        match tokens[i].as_str() {
            "::" => {}
            "{" => {
                i += 1;
                while i < tokens.len() && tokens[i] != "}" {
                    i = read_use(tokens, i, &path, file);
                    i += usize::from(tokens.get(i).is_some_and(|token| token == ","));
                }
                return i + 1;
            }
            "*" => {
                file.globs.push(path);
                return i + 1;
            }
            "as" => {
                name = tokens.get(i + 1).cloned();
                i += 1;
            }
            "," | "}" | ";" => break,
            "self" if !path.is_empty() => {}
            word => path.push(word.to_string()),
        }
        i += 1;
    }
    if let Some(name) = name.or_else(|| path.last().cloned()) {
        file.names.push((name, path));
    }
    i
}

fn read_file(text: &str) -> File {
    let tokens = without_tests(&tokens(text));
    let mut file = File::default();
    let mut i = 0;
    let is_word = |token: &str| token.starts_with(|c: char| c.is_alphabetic() || c == '_');
    while i < tokens.len() {
        let token = tokens[i].as_str();
        let before = if i > 0 { tokens[i - 1].as_str() } else { "" };
        let after = tokens.get(i + 1).map_or("", String::as_str);
        match token {
            // Excludes the list of captured lifetimes of an `impl Trait`, `use<'a>`.
            "use" if before != "." && after != "<" => i = read_use(&tokens, i + 1, &[], &mut file),
            "fn" | "struct" | "enum" | "trait" | "const" | "static" | "type" | "union"
                if is_word(after) =>
            {
                let name = if after == "fn" { i + 2 } else { i + 1 };
                file.defines.extend(tokens.get(name).cloned());
                i = name + 1;
            }
            "macro_rules" => {
                file.defines.extend(tokens.get(i + 2).cloned());
                i += 3;
            }
            "mod" if after != "{" => i += 2,
            _ if is_word(token) && before != "." && before != "::" => {
                let mut path = vec![token.to_string()];
                while tokens.get(i + 1).is_some_and(|t| t == "::")
                    && tokens.get(i + 2).is_some_and(|t| is_word(t))
                {
                    path.push(tokens[i + 2].clone());
                    i += 2;
                }
                let called = tokens.get(i + 1).is_some_and(|t| t == "(" || t == "!");
                if path.len() > 1 || called || token.starts_with(char::is_uppercase) {
                    file.paths.insert(path);
                }
                i += 1;
            }
            _ => i += 1,
        }
    }
    file
}

/// The files of a crate by module; the root has the empty path.
struct Crate(BTreeMap<Module, File>);

impl Crate {
    fn read(source: &Path) -> Self {
        let mut texts = Vec::new();
        let mut open = vec![source.to_path_buf()];
        while let Some(folder) = open.pop() {
            for path in fs::read_dir(&folder).expect("a folder").map(|e| e.expect("one").path()) {
                if path.is_dir() {
                    open.push(path);
                } else if path.extension().is_some_and(|ending| ending == "rs") {
                    let name = path.strip_prefix(source).expect("below").with_extension("");
                    let name = name.to_string_lossy().into_owned();
                    texts.push((name, fs::read_to_string(&path).expect("text")));
                }
            }
        }
        Self::of(&texts)
    }

    /// Builds a crate from the names of its files, without their ending, and their texts.
    fn of(texts: &[(impl AsRef<str>, impl AsRef<str>)]) -> Self {
        let (mut files, mut tests) = (BTreeMap::new(), BTreeSet::new());
        for (name, text) in texts {
            let root = matches!(name.as_ref(), "lib" | "main");
            let parts = name.as_ref().split('/').filter(|_| !root);
            let module: Module = parts.map(str::to_string).collect();
            // `#[cfg(test)] mod name;` declares a file that is for tests only.
            for rest in text.as_ref().split("#[cfg(test)]").skip(1) {
                let words = rest.trim_start().trim_start_matches("pub(crate) ");
                let name = words.strip_prefix("mod ").and_then(|words| words.split(';').next());
                tests.extend(name.map(|name| [&module[..], &[name.to_string()]].concat()));
            }
            files.insert(module, read_file(text.as_ref()));
        }
        files.retain(|module, _| !(1..=module.len()).any(|n| tests.contains(&module[..n])));
        Self(files)
    }

    /// Returns the module that defines the item of a path within a module, or `None` if it does not belong to this crate.
    fn resolve(&self, module: &[String], path: &[String], depth: usize) -> Option<Module> {
        let (head, rest) = path.split_first()?;
        match head.as_str() {
            "crate" => self.descend(Vec::new(), rest, depth),
            "self" => self.descend(module.to_vec(), rest, depth),
            "super" => {
                let parent = module.get(..module.len().checked_sub(1)?)?;
                match rest.first().map(String::as_str) {
                    Some("super") => self.resolve(parent, rest, depth),
                    _ => self.descend(parent.to_vec(), rest, depth),
                }
            }
            _ if self.knows(module, head, depth) => self.descend(module.to_vec(), path, depth),
            _ => None,
        }
    }

    /// Returns true if a name is defined in a module: as a module below it, an item, or an import.
    fn knows(&self, module: &[String], name: &str, depth: usize) -> bool {
        let Some(file) = self.0.get(module) else { return false };
        self.0.contains_key(&[module, &[name.to_string()]].concat())
            || file.defines.contains(name)
            || file.names.iter().any(|(known, _)| known == name)
            || self.glob_of(module, name, depth).is_some()
    }

    /// Returns the module from which a glob import takes a name.
    fn glob_of(&self, module: &[String], name: &str, depth: usize) -> Option<Module> {
        let globs = &self.0.get(module).filter(|_| depth < 8)?.globs;
        let found = globs.iter().filter_map(|glob| self.resolve(module, glob, depth + 1));
        found.filter(|other| other != module).find(|other| self.knows(other, name, depth + 1))
    }

    fn descend(&self, module: Module, path: &[String], depth: usize) -> Option<Module> {
        let Some((head, rest)) = path.split_first() else { return Some(module) };
        let below = [&module[..], std::slice::from_ref(head)].concat();
        if self.0.contains_key(&below) {
            return self.descend(below, rest, depth);
        }
        let file = self.0.get(&module)?;
        if depth < 8 && !file.defines.contains(head) {
            // An imported name is looked up where it comes from.
            if let Some((_, from)) = file.names.iter().find(|(name, _)| name == head) {
                // `use name;` of another crate would lead back to this place.
                if from != path {
                    let whole = [&from[..], rest].concat();
                    return self.resolve(&module, &whole, depth + 1);
                }
            }
            if let Some(other) = self.glob_of(&module, head, depth) {
                return self.descend(other, path, depth + 1);
            }
        }
        Some(module)
    }

    /// Returns the references between modules, each with one path in the code that makes it.
    fn references(&self) -> BTreeMap<(Module, Module), String> {
        let mut found = BTreeMap::new();
        for (module, file) in &self.0 {
            let used = file.names.iter().map(|(_, path)| path);
            for path in used.chain(&file.globs).chain(&file.paths) {
                if let Some(other) = self.resolve(module, path, 0) {
                    found.entry((module.clone(), other)).or_insert_with(|| path.join("::"));
                }
            }
        }
        found
    }
}

/// References among the modules declared by one module: from, to, and one path that makes the reference.
type Siblings = BTreeMap<String, BTreeMap<String, String>>;

/// Returns, for every module that declares others, the references among these.
fn siblings(references: &BTreeMap<(Module, Module), String>) -> BTreeMap<Module, Siblings> {
    let mut found: BTreeMap<Module, Siblings> = BTreeMap::new();
    for ((from, to), path) in references {
        let common = from.iter().zip(to).take_while(|(a, b)| a == b).count();
        if let (Some(a), Some(b)) = (from.get(common), to.get(common)) {
            let level = found.entry(from[..common].to_vec()).or_default();
            let says = format!("{}: {path}", from.join("/"));
            level.entry(a.clone()).or_default().entry(b.clone()).or_insert(says);
        }
    }
    found
}

/// Returns all modules that can be reached from a module.
fn reached(graph: &Siblings, from: &str) -> BTreeSet<String> {
    let mut seen = BTreeSet::new();
    let mut open = vec![from.to_string()];
    while let Some(next) = open.pop() {
        for to in graph.get(&next).into_iter().flat_map(BTreeMap::keys) {
            if seen.insert(to.clone()) {
                open.push(to.clone());
            }
        }
    }
    seen
}

/// Returns the sets of modules that reach each other (strongly connected components).
fn cycles(graph: &Siblings) -> Vec<BTreeSet<String>> {
    let mut found: Vec<BTreeSet<String>> = Vec::new();
    for name in graph.keys() {
        let mine = reached(graph, name);
        if mine.contains(name) && !found.iter().any(|cycle| cycle.contains(name)) {
            found.push(mine.into_iter().filter(|to| reached(graph, to).contains(name)).collect());
        }
    }
    found
}

fn crates() -> Vec<(String, PathBuf)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut found: Vec<_> = fs::read_dir(folder)
        .expect("the crates")
        .flatten()
        .map(|entry| (entry.file_name().to_string_lossy().into_owned(), entry.path().join("src")))
        .filter(|(_, source)| source.is_dir())
        .collect();
    found.sort();
    found
}

#[test]
fn modules_refer_to_each_other_in_no_cycle() {
    let mut wrong = Vec::new();
    for (name, source) in crates() {
        for (parent, graph) in siblings(&Crate::read(&source).references()) {
            let parent = parent.join("::");
            for cycle in cycles(&graph) {
                let mut text = format!("{name} {parent}: {cycle:?}");
                for (from, to) in &graph {
                    for (to, path) in to.iter().filter(|(to, _)| cycle.contains(*to)) {
                        if cycle.contains(from) {
                            text.push_str(&format!("\n    {from} -> {to} ({path})"));
                        }
                    }
                }
                wrong.push(text);
            }
        }
    }
    assert!(wrong.is_empty(), "modules refer to each other in a cycle:\n{}", wrong.join("\n"));
}

#[test]
fn cycles_are_found_through_re_exports_and_not_in_tests() {
    let found = |error: &str| {
        let texts = [
            ("lib", "mod error; mod law; mod ode; pub use law::Law; #[cfg(test)] mod tests;"),
            ("error", error),
            ("law", "mod power; use crate::{error::Error, ode::*}; fn f() -> Error { step() }"),
            // A file and the files below it are one unit.
            ("law/power", "use super::Law;"),
            ("ode", "pub fn step() {} /* crate::law */ // crate::law"),
            ("tests", "use crate::law::Law;"),
        ];
        let graphs = siblings(&Crate::of(&texts).references());
        graphs.values().flat_map(cycles).map(Vec::from_iter).collect::<Vec<_>>()
    };
    assert!(found("pub enum Error {}").is_empty());
    assert_eq!(found("pub enum Error { Law(crate::Law) }"), [["error", "law"]]);
    assert!(
        found("#[cfg(test)] mod tests { use crate::Law; } const A: &str = \"crate::Law\";")
            .is_empty()
    );
}
