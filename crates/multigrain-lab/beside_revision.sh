#!/usr/bin/env bash
# Two revisions of the program by turns: user time of scenes that use neither clumps, meshes, bonds nor boxes that deform, median of each.
#
#   crates/multigrain-lab/beside_revision.sh OLD_PROGRAM NEW_PROGRAM [ROUNDS]
#
# Both programs run each scene for a share of its duration, on one thread, the old one first in one round and the new one first in the next.
# The last column is the new time over the old one. Build both alike, `cargo build --release` at either revision, and copy the first away.
set -euo pipefail
[ $# -ge 2 ] || {
    sed -n '2,7s/^# \{0,1\}//p' "$0" >&2
    exit 2
}
old=$(realpath "$1") new=$(realpath "$2") rounds=${3:-5}
scenes=$(cd "$(dirname "$0")/../../scenes" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
TIMEFORMAT=%U

# User seconds of a program with a scene for a while.
seconds() {
    { time "$1" simulate "$scenes/$2.toml" --duration "$3" --threads 1 --overwrite -o "$folder/run" </dev/null >"$folder/said" 2>&1; } 2>"$folder/time" || {
        cat "$folder/said" >&2
        exit 1
    }
    cat "$folder/time"
}

# The median of the numbers in a file, one in each line.
median() {
    sort -g "$1" | awk '{ number[NR] = $1 } END { print NR % 2 ? number[(NR + 1) / 2] : (number[NR / 2] + number[NR / 2 + 1]) / 2 }'
}

printf '%-14s %10s %10s %8s\n' scene old new new/old
while read -r scene duration; do
    rm -f "$folder"/old "$folder"/new
    for ((round = 0; round < rounds; round++)); do
        order="old new"
        ((round % 2 == 0)) || order="new old"
        for which in $order; do
            seconds "${!which}" "$scene" "$duration" >>"$folder/$which"
        done
    done
    awk -v scene="$scene" -v old="$(median "$folder/old")" -v new="$(median "$folder/new")" \
        'BEGIN { printf "%-14s %9.2f s %8.2f s %8.3f\n", scene, old, new, new / old }'
done <<'SCENES'
drum 0.3
segregation 0.5
settling 0.05
hopper 0.3
free-cooling 5
SCENES
