//! `include/carom.h` is written from the sources of this crate: their public constants, structures and functions, with their
//! comments. This test generates the header and compares it; `CAROM_WRITE_HEADER=1 cargo test -p carom-c --test header` writes it.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// The files with public items, in the order of the header.
const SOURCES: [&str; 4] = ["boundary", "law", "contact", "impact"];

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn source(name: &str) -> String {
    let text = std::fs::read_to_string(root().join("src").join(format!("{name}.rs")));
    let text = text.unwrap_or_else(|why| panic!("src/{name}.rs: {why}"));
    text.split("#[cfg(test)]").next().unwrap_or_default().to_string()
}

/// Returns lines of comment as a comment in C.
fn comment(lines: &[String], indent: &str) -> String {
    match lines {
        [] => String::new(),
        [one] => format!("{indent}/* {one} */\n"),
        [first, rest @ ..] => {
            let mut text = format!("{indent}/* {first}\n");
            for line in rest {
                let _ = writeln!(text, "{}", format!("{indent} * {line}").trim_end());
            }
            text.trim_end().to_string() + " */\n"
        }
    }
}

/// Returns a parameter or a field, given by a Rust type and a name, as a declaration in C.
fn declaration(name: &str, rust: &str) -> String {
    let mut rest = rust.trim();
    let mut levels = Vec::new();
    loop {
        if let Some(inner) = rest.strip_prefix("*const ") {
            (rest, _) = (inner, levels.push(true));
        } else if let Some(inner) = rest.strip_prefix("*mut ") {
            (rest, _) = (inner, levels.push(false));
        } else {
            break;
        }
    }
    let base = match rest {
        "f64" => "double",
        "usize" => "size_t",
        "c_int" => "int",
        "c_char" => "char",
        own if own.starts_with("carom_") => own,
        other => panic!("no C type for {other}"),
    };
    // The innermost pointer determines whether the value itself is constant.
    let constant = if levels.last() == Some(&true) { "const " } else { "" };
    let stars = "*".repeat(levels.len());
    format!("{constant}{base} {stars}{name}").trim_end().to_string()
}

/// Returns the parameters `name: type`, which are separated by commas at the top level.
fn parameters(text: &str) -> Vec<String> {
    let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty());
    parts
        .map(|part| {
            let (name, rust) = part.split_once(':').unwrap_or_else(|| panic!("{part}"));
            declaration(name.trim(), rust)
        })
        .collect()
}

/// Returns the prototype of a function, with one line per parameter if it is long.
fn prototype(signature: &str) -> String {
    let (name, rest) = signature.split_once('(').unwrap_or_else(|| panic!("{signature}"));
    let (inside, after) = rest.rsplit_once(')').unwrap_or_else(|| panic!("{signature}"));
    let returned = match after.trim().strip_prefix("->") {
        Some(rust) => declaration("", rust),
        None => "void".to_string(),
    };
    let parameters = parameters(inside);
    let space = if returned.ends_with('*') { "" } else { " " };
    let head = format!("{returned}{space}{name}(");
    match parameters.len() {
        0 => format!("{head}void);\n"),
        _ => {
            let line = format!("{head}{});\n", parameters.join(", "));
            if line.len() <= 120 {
                return line;
            }
            format!("{head}\n    {});\n", parameters.join(",\n    "))
        }
    }
}

/// Returns the public items of a file as C: constants, structures, functions.
fn items(text: &str) -> String {
    let mut out = String::new();
    let mut documentation: Vec<String> = Vec::new();
    let mut plain = false;
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if let Some(comment) = line.strip_prefix("///") {
            documentation.push(comment.strip_prefix(' ').unwrap_or(comment).to_string());
            continue;
        }
        if line.starts_with("#[") {
            plain |= line == "#[repr(C)]";
            continue;
        }
        let described = comment(&documentation, "");
        if let Some(rest) = line.strip_prefix("pub const ") {
            let (name, rest) = rest.split_once(':').expect("a constant has a type");
            let value = rest.split('=').nth(1).expect("a constant has a value");
            let _ =
                write!(out, "\n{described}#define {name} {}\n", value.trim().trim_end_matches(';'));
        } else if let Some(name) = line.strip_prefix("pub struct ") {
            let name = name.trim_end_matches(" {");
            if plain {
                let _ = write!(out, "\n{described}typedef struct {name} {{\n");
                let mut fields = Vec::new();
                for field in lines.by_ref().take_while(|line| *line != "}") {
                    let field = field.trim();
                    if let Some(comment) = field.strip_prefix("/// ") {
                        fields.push(comment.to_string());
                    } else if let Some(field) = field.strip_prefix("pub ") {
                        let (name, rust) =
                            field.trim_end_matches(',').split_once(':').expect("a type");
                        let declared = declaration(name, rust);
                        let _ = writeln!(out, "{}    {declared};", comment(&fields, "    "));
                        fields.clear();
                    }
                }
                let _ = writeln!(out, "}} {name};");
            } else {
                let _ = write!(out, "\n{described}typedef struct {name} {name};\n");
            }
        } else if let Some((_, start)) =
            line.split_once("extern \"C\" fn ").filter(|_| line.starts_with("pub "))
        {
            let mut signature = start.to_string();
            while !signature.ends_with('{') {
                signature += lines.next().expect("a function has a body").trim();
            }
            let _ =
                write!(out, "\n{described}{}", prototype(signature.trim_end_matches('{').trim()));
        }
        documentation.clear();
        plain = false;
    }
    out
}

fn header() -> String {
    let top = source("lib");
    let lines = top.lines().map_while(|line| line.strip_prefix("//!"));
    let top: Vec<String> =
        lines.map(|line| line.strip_prefix(' ').unwrap_or(line).to_string()).collect();
    let version = env!("CARGO_PKG_VERSION");
    let mut text = format!("/* carom {version}\n *\n * ");
    text += comment(&top, "").trim_start_matches("/* ");
    text += " * Written from the sources of crates/carom-c by its tests: do not edit. */\n";
    // One more line is appended to this comment.
    text = text.replacen(" */\n * Written", "\n *\n * Written", 1);
    text += "#ifndef CAROM_H\n#define CAROM_H\n\n#include <stddef.h>\n\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n";
    for name in SOURCES {
        text += &items(&source(name));
    }
    text + "\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n"
}

#[test]
fn the_header_is_up_to_date() {
    let path = root().join("include/carom.h");
    let fresh = header();
    if std::env::var_os("CAROM_WRITE_HEADER").is_some() {
        std::fs::create_dir_all(path.parent().unwrap_or(Path::new("."))).expect("a folder");
        std::fs::write(&path, &fresh).expect("written");
    }
    assert!(fresh.is_ascii(), "compilers of C may read ASCII only");
    let stored = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        stored == fresh,
        "include/carom.h is out of date: run CAROM_WRITE_HEADER=1 cargo test -p carom-c --test header, and read the diff"
    );
}

/// Tests that the header contains exactly the functions that the libraries export.
#[test]
fn the_header_has_every_exported_function() {
    let exported: usize =
        SOURCES.iter().map(|name| source(name).matches("unsafe(no_mangle)").count()).sum();
    let header = header();
    let declared = header.lines().filter(|line| {
        let word = line.split('(').next().unwrap_or_default();
        line.contains('(') && !line.starts_with([' ', '/', '#']) && word.contains("carom_")
    });
    assert_eq!(declared.count(), exported);
    assert!(exported > 15);
}

#[test]
fn types_become_those_of_c() {
    assert_eq!(declaration("json", "*const c_char"), "const char *json");
    assert_eq!(declaration("error", "*mut *mut c_char"), "char **error");
    assert_eq!(declaration("law", "*mut *mut carom_law"), "carom_law **law");
    assert_eq!(prototype("f() -> *const c_char"), "const char *f(void);\n");
}
