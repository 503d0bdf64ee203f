#!/usr/bin/env bash
# Every check of the project, from a fresh machine on. Stops at the first that fails.
set -euo pipefail
cd "$(dirname "$0")"

step() {
    printf '\n== %s\n' "$1"
}

# What the checks need beyond Rust itself is installed here, each thing only where it is missing: packages of the system, Python, Node
# and mdBook all at once, while the first builds run.
step "tools"
if ! command -v cargo >/dev/null; then
    echo "error: cargo is not on the PATH" >&2
    echo "hint: install Rust from https://rustup.rs, open a new shell and run ./test.sh again" >&2
    exit 1
fi
cargo fmt --version 2>/dev/null || rustup component add rustfmt
cargo clippy --version 2>/dev/null || rustup component add clippy

folder=$(mktemp -d)
# What still installs is not left half done.
trap 'wait; rm -rf "$folder"' EXIT
python=$folder/venv/bin/python

install_packages() {
    local missing=() as_root
    as_root=$([ "$(id -u)" = 0 ] || echo sudo)
    # Debian and its kin keep what venv needs in a package of its own.
    python3 -c 'import ensurepip' 2>/dev/null || missing+=(python3-venv)
    command -v node >/dev/null && command -v npm >/dev/null || missing+=(nodejs npm)
    command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null || missing+=(chromium)
    [ -e /usr/include/hdf5/serial/hdf5.h ] || [ -e /usr/include/hdf5.h ] || [ -n "${HDF5_DIR:-}" ] || missing+=(libhdf5-dev)
    command -v mpicc.openmpi >/dev/null || missing+=(libopenmpi-dev openmpi-bin)
    command -v mpicc.mpich >/dev/null || missing+=(libmpich-dev mpich)
    ls /usr/lib/llvm-*/lib/libclang{.so,-[0-9]}* >/dev/null 2>&1 || missing+=(libclang-dev)
    if [ ${#missing[@]} -gt 0 ]; then
        $as_root apt-get -o DPkg::Lock::Timeout=400 update -q
        $as_root apt-get -o DPkg::Lock::Timeout=400 install -q -y --no-install-recommends "${missing[@]}"
    fi
    python3 -m venv "$folder/venv"
    "$python" -c 'from pip._vendor import tomli
project = tomli.load(open("pyproject.toml", "rb"))["project"]
print(*project["dependencies"], *project["optional-dependencies"]["test"], "h5py", sep="\n")' >"$folder/requirements"
    "$python" -m pip install -q --disable-pip-version-check -r "$folder/requirements"
    # Compiled against the MPI that is there.
    "$python" -m pip install -q --disable-pip-version-check mpi4py
    (cd viewer && npm ci --silent --no-audit --no-fund --ignore-scripts)
    # A build without optimization, once: what is there is used again.
    command -v mdbook >/dev/null || CARGO_TARGET_DIR=$folder/mdbook CARGO_PROFILE_DEV_DEBUG=false \
        cargo install -q --locked --debug --no-default-features --version '^0.5' --root "$tools" mdbook
}
tools="${CARGO_TARGET_DIR:-$PWD/target}/tools"
PATH="$PATH:$tools/bin"
install_packages >"$folder/installing" 2>&1 &
installing=$!

# Ends with what the installation said, if it failed.
wait_for_packages() {
    wait "$installing" || {
        cat "$folder/installing" >&2
        echo "error: what the checks need could not be installed" >&2
        exit 1
    }
}

# Runs a check in the background, beside what follows: it takes one core.
declare -A running
beside() {
    (
        set -e
        "$1"
    ) >"$folder/$1" 2>&1 &
    running[$1]=$!
}

# Waits for a check in the background and shows what it said.
finish() {
    local status=0
    wait "${running[$1]}" || status=$?
    cat "$folder/$1"
    [ "$status" = 0 ] || {
        echo "error: $1 failed" >&2
        exit 1
    }
}

step "formatting"
cargo fmt --all --check

# Where everything is built once, what makes the next build quicker only takes time and room, and nobody looks for lines of a panic's frames.
if [ -n "${CI:-}" ]; then
    export CARGO_INCREMENTAL=0 CARGO_PROFILE_DEV_DEBUG=false CARGO_PROFILE_DEV_LTO=off
fi

# The library of the Python package is one, and not a program with Python in it.
export PYO3_BUILD_EXTENSION_MODULE=1

step "clippy"
cargo clippy --workspace --all-targets -- -D warnings

step "documentation"
RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps

step "tests and doc-tests"
# All in one build, with one set of features: the Python package too. Examples and benches are checked by clippy alone.
cargo build --workspace --lib --bins --tests
# Programs of tests two at a time, as cargo runs them: each often waits, or is at work on one core.
run_tests() {
    local said
    said=$(cd "$1" && "$2" -q 2>&1) || {
        printf '%s\nerror: failed: %s in %s\n' "$said" "$2" "$1" >&2
        return 255
    }
    printf '%-26s %s\n' "$(basename "${2%-*}")" "$(grep -a '^test result' <<<"$said")"
}
export -f run_tests
cargo test -q --workspace --tests --no-run --message-format=json | python3 -c 'import json, os, sys
for message in map(json.loads, sys.stdin):
    if message.get("executable") and message["profile"]["test"]:
        print(os.path.dirname(message["manifest_path"]), message["executable"], sep="\n")' >"$folder/tests"
[ "$(wc -l <"$folder/tests")" -gt 60 ] || { echo "error: there are fewer programs of tests than there were" >&2; exit 1; }
xargs -d '\n' -n 2 -P 2 bash -c 'run_tests "$@"' run_tests <"$folder/tests"
cargo test -q --workspace --doc

step "book"
wait_for_packages
mdbook build

step "Python package"
# As a wheel would put it there: wheels themselves are made by dist.sh.
packages=$("$python" -c 'import sysconfig; print(sysconfig.get_path("platlib"))')
cp -r crates/multigrain-python/python/multigrain "$packages/"
for library in "${CARGO_TARGET_DIR:-target}"/debug/libmultigrain_python.{so,dylib}; do
    [ ! -e "$library" ] || cp "$library" "$packages/multigrain/_core.abi3.so"
done
test_python() {
    PYTHONDONTWRITEBYTECODE=1 "$python" -m pytest -q -p no:cacheprovider
}
beside test_python

step "Viewer: types, the page is that of its source, and it works in a browser"
test_viewer() {
    cd viewer
    npm run --silent check
    node build.mjs --check
    # The program that the tests above have built: the next builds put another in its place.
    MULTIGRAIN="$folder/multigrain" npm run --silent test
}
cp "${CARGO_TARGET_DIR:-target}/debug/multigrain" "$folder/"
beside test_viewer

step "Ranks under MPI: the bytes of one"
program="${CARGO_TARGET_DIR:-target}/debug/multigrain"
build_with() {
    # The build does not notice another MPI by itself.
    cargo clean -q -p mpi-sys
    # The whole workspace, so that all but the ranks is what the tests have built.
    MPICC="mpicc.$1" cargo build -q --workspace --bin multigrain --features multigrain-cli/mpi,multigrain-cli/hdf5
}
build_with openmpi
# Ranks wait for each other at work: nothing else is to run beside them.
finish test_python
finish test_viewer
crates/multigrain-cli/tests/mpi.sh "$program" mpirun.openmpi 1 2 3 4 8
build_with mpich
crates/multigrain-cli/tests/mpi.sh "$program" mpirun.mpich 2 4

step "Ranks from Python, through the communicator of mpi4py; trajectories in HDF5"
for ranks in 1 2 3; do
    OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 PYTHONDONTWRITEBYTECODE=1 \
        mpirun.openmpi -n "$ranks" "$python" crates/multigrain-python/tests/on_ranks.py
done
crates/multigrain-cli/tests/hdf5.sh "$program" "$python"

printf '\nAll checks passed in %d min %02d s.\n' $((SECONDS / 60)) $((SECONDS % 60))
