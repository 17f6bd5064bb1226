//! Compiles what reads syntax trees with the headers of tree-sitter's runtime.

use std::path::Path;

fn main() {
    let include = std::env::var("DEP_TREE_SITTER_INCLUDE").unwrap_or_default();
    let source = "src/syntax/node.c";
    println!("cargo:rerun-if-changed={source}");
    cc::Build::new()
        .flag_if_supported("-std=c11")
        .include(&include)
        .include(Path::new(&include).with_file_name("src"))
        .file(source)
        .compile("truebleu_syntax");
}
