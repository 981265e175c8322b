//! Publishes the path of the sources as metadata (`DEP_…_SOURCES`) for the build scripts of packages that depend on
//! this one: the reference of the command `carom` is generated from the documentation of types, both in the
//! repository and from packages.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if let Ok(here) = std::env::var("CARGO_MANIFEST_DIR") {
        println!("cargo::metadata=sources={here}/src");
    }
}
