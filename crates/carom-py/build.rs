//! What a module for an interpreter needs from the linker on some systems (macOS).

fn main() {
    pyo3_build_config::add_extension_module_link_args();
}
