#!/usr/bin/env bash
# Every check of the project, from a fresh machine on. Stops at the first that fails.
set -euo pipefail
cd "$(dirname "$0")"

step() {
    printf '\n== %s\n' "$1"
}

# What the checks need beyond Rust itself is installed here, each thing only where it is missing.
step "tools"
if ! command -v cargo >/dev/null; then
    echo "error: cargo is not on the PATH" >&2
    echo "hint: install Rust from https://rustup.rs, open a new shell and run ./test.sh again" >&2
    exit 1
fi
cargo fmt --version 2>/dev/null || rustup component add rustfmt
cargo clippy --version 2>/dev/null || rustup component add clippy

step "formatting"
cargo fmt --all --check

step "clippy"
cargo clippy --workspace --all-targets -- -D warnings

step "documentation"
RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps

step "tests and doc-tests"
cargo test --workspace

printf '\nAll checks passed in %d min %02d s.\n' $((SECONDS / 60)) $((SECONDS % 60))
