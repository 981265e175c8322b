//! Compiles the examples in C and C++ with all warnings as errors, links them with the static and with the shared library, and
//! runs them. Those linked with the static library run with the address and undefined-behaviour sanitizers, the others without.

use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Returns the library with this name among the files that cargo built for this test; the newest if there are several.
fn built(prefix: &str, ending: &str) -> PathBuf {
    let here = std::env::current_exe().expect("the test has a path");
    let folder = here.parent().expect("it lies in a folder");
    let mut found: Vec<_> = [folder, folder.parent().unwrap_or(folder)]
        .iter()
        .flat_map(|folder| std::fs::read_dir(folder).expect("the folder can be read"))
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            name.starts_with(prefix) && name.ends_with(ending)
        })
        .collect();
    found.sort_by_key(|path| path.metadata().and_then(|about| about.modified()).ok());
    found.pop().unwrap_or_else(|| panic!("no {prefix}…{ending} in {}", folder.display()))
}

fn run(command: &mut Command) -> String {
    let done = command.output().unwrap_or_else(|why| panic!("{command:?}: {why}"));
    let text = String::from_utf8_lossy(&done.stdout).to_string();
    assert!(
        done.status.success(),
        "{command:?}: {}\n{text}{}",
        done.status,
        String::from_utf8_lossy(&done.stderr)
    );
    text
}

/// Compiles an example and runs it; returns what it printed.
fn compiled(source: &str, language: &[&str], library: &Path, sanitized: bool) -> String {
    let folder =
        std::env::temp_dir().join(format!("carom-c-{}-{source}-{sanitized}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let program = folder.join("program");
    let mut compile = Command::new(std::env::var("CC").unwrap_or("cc".into()));
    compile.args(language).args(["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-O1", "-I"]);
    compile
        .arg(root().join("include"))
        .arg(root().join("examples").join(source))
        .arg("-o")
        .arg(&program);
    if sanitized {
        compile.args(["-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]);
    }
    // Without this option the compiler would take the library for a source, because of the flags of the language.
    compile.args(["-x", "none"]).arg(library);
    compile.args(["-lstdc++", "-lm", "-lpthread", "-ldl"]);
    run(&mut compile);
    let mut command = Command::new(&program);
    command.env("LD_LIBRARY_PATH", library.parent().unwrap_or(Path::new(".")));
    let text = run(&mut command);
    std::fs::remove_dir_all(&folder).expect("it can be removed");
    text
}

#[test]
fn the_example_in_c_runs_with_sanitizers() {
    let text = compiled("impact.c", &["-std=c99", "-x", "c"], &built("libcarom_c", ".a"), true);
    assert!(text.contains("restitution 0.7000, integrated 0.70"), "{text}");
    assert!(text.contains("refused: ") && text.contains("did you mean `hunt-crossley`"), "{text}");
}

#[test]
fn the_example_in_cpp_runs_with_sanitizers() {
    let text =
        compiled("columns.cpp", &["-std=c++11", "-x", "c++"], &built("libcarom_c", ".a"), true);
    assert!(text.contains("a contact remembers 3 numbers"), "{text}");
    assert_eq!(text.matches("restitution within").count(), 4, "{text}");
}

/// Tests that the shared library is found by the name stored in it.
#[cfg(target_os = "linux")]
#[test]
fn the_shared_library_serves_as_well() {
    let library = built("libcarom_c", ".so");
    let folder = std::env::temp_dir().join(format!("carom-c-{}-shared", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let mut version = env!("CARGO_PKG_VERSION").split('.');
    let (major, minor) = (version.next().unwrap_or("0"), version.next().unwrap_or("0"));
    let named = folder.join(format!("libcarom.so.{major}.{minor}"));
    std::fs::copy(&library, &named).expect("copied");
    let text = compiled("impact.c", &["-std=c99", "-x", "c"], &named, false);
    assert!(text.contains("restitution 0.7000"), "{text}");
    std::fs::remove_dir_all(&folder).expect("it can be removed");
}
