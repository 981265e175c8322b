//! Sets the name by which programs find the shared library at run time. It contains the part of the version whose change may break
//! the interface; before 1.0 this is the minor version.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_OS").as_deref() == Ok("linux") {
        let part = |name: &str| std::env::var(format!("CARGO_PKG_VERSION_{name}"));
        if let (Ok(major), Ok(minor)) = (part("MAJOR"), part("MINOR")) {
            println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libcarom.so.{major}.{minor}");
        }
    }
}
