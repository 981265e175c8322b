//! Makes what is built in from other files: the scenes that the lab offers, and tables of the reference.

mod answers;

use std::io::{Error, Result};
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() -> Result<()> {
    let place = |name: &str| {
        env::var_os(name).map(PathBuf::from).ok_or_else(|| Error::other(format!("no {name}")))
    };
    let (here, out) = (place("CARGO_MANIFEST_DIR")?, place("OUT_DIR")?);
    // Named from the crate, so that the list is right wherever it lies. The folder is a link to that of the repository, which
    // some systems check out as a file.
    let scenes = if here.join("scenes").is_dir() { "scenes" } else { "../../scenes" };
    println!("cargo::rerun-if-changed={scenes}");
    let mut names = Vec::new();
    walk(&here.join(scenes), "", &mut names)?;
    names.sort();
    let text =
        |name: &String| format!("concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/{scenes}/{name}\")");
    let pairs = names.iter().map(|name| format!("({name:?}, include_str!({})),\n", text(name)));
    let list = format!("&[\n{}]\n", pairs.collect::<String>());
    fs::write(out.join("scenes.rs"), list)?;
    let mut files = Vec::new();
    // Sources of the packages that this one uses are where their build scripts say.
    for (name, folder) in [
        ("carom", place("DEP_CAROM_SOURCES")?),
        ("carom-store", place("DEP_CAROM_STORE_SOURCES")?),
        ("carom-world", place("DEP_CAROM_WORLD_SOURCES")?),
        ("carom-cli", here.join("src")),
    ] {
        println!("cargo::rerun-if-changed={}", folder.display());
        let mut names = Vec::new();
        walk(&folder, "", &mut names)?;
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
        fs::write(out.join(format!("{page}.md")), declarations.keys(file, name)?)?;
    }
    fs::write(out.join("fields.md"), declarations.markdown()?)
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
