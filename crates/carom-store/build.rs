//! Tells the build scripts of dependent packages where the sources of this one are (`DEP_…_SOURCES`). The reference pages of the
//! command `carom` are generated from the documentation of the types, both in the repository and in published packages.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if let Ok(here) = std::env::var("CARGO_MANIFEST_DIR") {
        println!("cargo::metadata=sources={here}/src");
    }
}
