//! The scenes that the lab offers are those of the folder `scenes`: this makes the folder a list that is
//! built in, as pairs of name and text.

use std::io::{Error, Result};
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() -> Result<()> {
    let place = |name: &str| {
        env::var_os(name).map(PathBuf::from).ok_or_else(|| Error::other(format!("no {name}")))
    };
    // Named from the crate, so that the list is right wherever the repository lies.
    println!("cargo::rerun-if-changed=../../scenes");
    let mut names = Vec::new();
    walk(&place("CARGO_MANIFEST_DIR")?.join("../../scenes"), "", &mut names)?;
    names.sort();
    let text =
        |name: &String| format!("concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/../../scenes/{name}\")");
    let pairs = names.iter().map(|name| format!("({name:?}, include_str!({})),\n", text(name)));
    let list = format!("&[\n{}]\n", pairs.collect::<String>());
    fs::write(place("OUT_DIR")?.join("scenes.rs"), list)
}

/// Every file below a folder but notes for readers, by its name from there.
fn walk(folder: &Path, before: &str, names: &mut Vec<String>) -> Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let own = entry.file_name().into_string().map_err(|_| Error::other("a name is no text"))?;
        let name = format!("{before}{own}");
        if entry.file_type()?.is_dir() {
            walk(&entry.path(), &format!("{name}/"), names)?;
        } else if !own.ends_with(".md") && !own.starts_with('.') {
            names.push(name);
        }
    }
    Ok(())
}
