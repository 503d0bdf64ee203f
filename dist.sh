#!/usr/bin/env bash
# All that is released, in the folder dist: the command with completions and manual pages, the Python wheel, the crates, and
# checksums of all. The version is that of Cargo.toml.
set -euo pipefail
cd "$(dirname "$0")"

version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -1)
if grep '^multigrain.*path' Cargo.toml | grep -v "version = \"$version\""; then
    echo "error: these crates are used in another version than $version: see Cargo.toml" >&2
    exit 1
fi
if ! grep -q "^version: $version$" CITATION.cff; then
    echo "error: CITATION.cff has another version than $version" >&2
    exit 1
fi
target=$(rustc -vV | sed -n 's/^host: //p')
name="multigrain-$version-$target"
built="${CARGO_TARGET_DIR:-target}"
rm -rf dist
mkdir -p "dist/$name"

echo "== the command"
cargo build --release -p multigrain-cli
cp "$built/release/multigrain" "dist/$name/multigrain"
strip "dist/$name/multigrain"
mkdir "dist/$name/completions"
for shell in bash zsh fish; do
    "dist/$name/multigrain" completions "$shell" >"dist/$name/completions/multigrain.$shell"
done
"dist/$name/multigrain" man-pages "dist/$name/man"
cp README.md CHANGELOG.md LICENSE-MIT LICENSE-APACHE "dist/$name"
tar -C dist -czf "dist/$name.tar.gz" "$name"
rm -r "dist/${name:?}"

echo "== the wheel, for Python 3.10 and newer"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check "maturin>=1.9,<2"
"$folder/venv/bin/maturin" build --release --interpreter "$folder/venv/bin/python" --out dist
# maturin looks which C library the wheel needs, and names the oldest that will do; a wheel for this machine alone is no release.
if [ "$(uname -s)" = Linux ] && ! ls dist/*-abi3-*linux_[0-9]*.whl >/dev/null 2>&1; then
    echo "error: the wheel is neither manylinux nor musllinux: $(ls dist/*.whl)" >&2
    exit 1
fi

echo "== the crates"
# Verified as a whole: each is built from what is packed of the others.
cargo package --workspace --exclude multigrain-fuzz --exclude multigrain-lab --exclude multigrain-peers --exclude multigrain-python "$@"
for crate in "$built"/package/*-"$version".crate; do
    cp "$crate" dist
done

(cd dist && sha256sum ./*.tar.gz ./*.whl ./*.crate >SHA256SUMS)
echo "== dist"
ls -l dist
