//! Sets the linker options that an extension module for the Python interpreter needs on some systems (macOS).

fn main() {
    pyo3_build_config::add_extension_module_link_args();
}
