//! Generates what the program embeds: the scenes and the page of the lab, and tables of the reference.

mod answers;

use std::io::{Error, Result};
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() -> Result<()> {
    let place = |name: &str| {
        env::var_os(name).map(PathBuf::from).ok_or_else(|| Error::other(format!("no {name}")))
    };
    let (here, out) = (place("CARGO_MANIFEST_DIR")?, place("OUT_DIR")?);
    // `scenes` is a link to the folder of the repository, which some systems check out as a file.
    let scenes = if here.join("scenes").is_dir() { "scenes" } else { "../../scenes" };
    for (list, folder) in [("scenes.rs", scenes), ("page.rs", "src/lab/page")] {
        println!("cargo::rerun-if-changed={folder}");
        fs::write(out.join(list), embed_folder(&here, folder)?)?;
    }
    let mut files = Vec::new();
    // The build scripts of the dependencies tell where their sources are.
    for (name, folder) in [
        ("carom", place("DEP_CAROM_SOURCES")?),
        ("carom-store", place("DEP_CAROM_STORE_SOURCES")?),
        ("carom-world", place("DEP_CAROM_WORLD_SOURCES")?),
        ("carom-cli", here.join("src")),
    ] {
        println!("cargo::rerun-if-changed={}", folder.display());
        let mut names = Vec::new();
        file_names(&folder, "", &mut names)?;
        for file in names.into_iter().filter(|file| file.ends_with(".rs")) {
            let text = fs::read_to_string(folder.join(&file))?;
            files.push((format!("{name}/{file}"), text));
        }
    }
    let declarations = answers::Declarations::new(&files);
    for (page, file, name) in [
        ("study", "carom/sweep/text.rs", "Text"),
        ("impact", "carom/spec.rs", "Spec"),
        ("sampling", "carom/sweep/text.rs", "SamplingText"),
        ("axis", "carom/sweep/text/axis.rs", "AxisText"),
    ] {
        fs::write(out.join(format!("{page}.md")), declarations.key_rows(file, name)?)?;
    }
    fs::write(out.join("fields.md"), declarations.markdown()?)
}

/// Returns a list of the files in a folder of the crate, with names and contents, as Rust code. Paths are relative to the crate,
/// wherever it is.
fn embed_folder(root: &Path, folder: &str) -> Result<String> {
    let mut names = Vec::new();
    file_names(&root.join(folder), "", &mut names)?;
    names.sort();
    let path = |name: &str| format!("concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/{folder}/{name}\")");
    let pairs = names.iter().map(|name| format!("({name:?}, include_str!({})),\n", path(name)));
    Ok(format!("&[\n{}]\n", pairs.collect::<String>()))
}

/// Collects the names of all files below a folder except Markdown and hidden files, relative to the folder.
fn file_names(folder: &Path, before: &str, names: &mut Vec<String>) -> Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let own = entry.file_name().into_string().map_err(|_| Error::other("a name is no text"))?;
        let name = format!("{before}{own}");
        if entry.file_type()?.is_dir() {
            file_names(&entry.path(), &format!("{name}/"), names)?;
        } else if !own.ends_with(".md") && !own.starts_with('.') {
            names.push(name);
        }
    }
    Ok(())
}
