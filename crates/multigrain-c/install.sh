#!/bin/sh
# Installs library, header and pkg-config file below a folder, /usr/local by default.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
prefix=${1:-/usr/local}
target=${CARGO_TARGET_DIR:-$here/../../target}/release
version=$(sed -n 's/^version = "\(.*\)"$/\1/p' "$here/../../Cargo.toml" | head -n 1)
cargo rustc --release --manifest-path "$here/Cargo.toml" --crate-type cdylib,staticlib
mkdir -p "$prefix/lib/pkgconfig" "$prefix/include"
cp "$here/include/multigrain.h" "$prefix/include/"
for library in libmultigrain_c.so libmultigrain_c.dylib libmultigrain_c.a; do
    if [ -e "$target/$library" ]; then cp "$target/$library" "$prefix/lib/"; fi
done
sed "s|@prefix@|$prefix|; s|@version@|$version|" "$here/multigrain.pc.in" > "$prefix/lib/pkgconfig/multigrain.pc"
echo "installed multigrain $version below $prefix"
