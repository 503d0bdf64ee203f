#!/usr/bin/env bash
# Writes corpora and dictionaries of all targets to this folder, for cargo-fuzz:
#     fuzz/seeds.sh && cargo fuzz run csv -s none -- -dict=fuzz/dictionaries/csv.dict
set -euo pipefail
cd "$(dirname "$0")/.."
cargo run -q -p multigrain-fuzz -- --seeds fuzz
