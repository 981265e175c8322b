//! Tells the build scripts of packages that use this one where its sources are (`DEP_…_SOURCES`): the reference of the command
//! `carom` is made from the documentation of types, in the repository and from packages alike.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if let Ok(here) = std::env::var("CARGO_MANIFEST_DIR") {
        println!("cargo::metadata=sources={here}/src");
    }
}
