#!/usr/bin/env bash
# Under MPI the program writes the bytes that it writes alone: mpi.sh PROGRAM MPIRUN RANKS...
set -euo pipefail
shopt -s nullglob
program=$(realpath "$1")
mpirun=$2
shift 2
scenes=$(realpath "$(dirname "$0")/../../../scenes")
# As root, and with more ranks than cores, as in containers.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

# Says nothing but what went wrong.
quietly() {
    "$@" 2>messages || { cat messages >&2; echo "failed: $*" >&2; exit 1; }
}

# The times in the last column of the table differ from run to run.
without_times() {
    sed 's/,[^,]*$//' "$1/energies.csv"
}

same_run() {
    without_times "$1" | cmp - <(without_times "$2")
    for file in "$1"/checkpoint.bin "$1"/snapshot*; do
        cmp "$file" "$2/$(basename "$file")"
    done
}

quietly "$program" pack --law power --exponent -3 --ratio 50 --count 20000 --packing-fraction 0.6 --placement random \
    --periodic x,y,z --seed 3 -o grains.xyz
quietly "$program" convert grains.xyz -o grains.npy
for list in list.csv list.npy list.csv.gz; do
    quietly "$program" detect grains.xyz --periodic x,y -o "alone-$list"
done
quietly "$program" detect grains.npy > alone-open.csv
# Scenes and how long they run: some hundred steps each.
runs=(free-cooling:0.5 segregation:0.004 drum:0.003 hopper:0.004 polygon-heap:0.01 clump-hopper:0.006 simple-shear:0.6 oedometer:0.003)
for run in "${runs[@]}"; do
    quietly "$program" simulate "$scenes/${run%:*}.toml" --duration "${run#*:}" -o "alone-${run%:*}"
done

for ranks in "$@"; do
    for list in list.csv list.npy list.csv.gz; do
        quietly "$mpirun" -n "$ranks" "$program" detect grains.xyz --periodic x,y -o "$list"
        cmp "$list" "alone-$list"
    done
    quietly "$mpirun" -n "$ranks" "$program" detect grains.npy --threads 2 > open.csv
    cmp open.csv alone-open.csv
    for run in "${runs[@]}"; do
        name=${run%:*}
        quietly "$mpirun" -n "$ranks" "$program" simulate "$scenes/$name.toml" --duration "${run#*:}" --overwrite -o "$name"
        same_run "alone-$name" "$name"
    done
    # Stopped half-way, it goes on with one more.
    quietly "$mpirun" -n "$ranks" "$program" simulate "$scenes/simple-shear.toml" --duration 0.3 --overwrite -o half
    quietly "$mpirun" -n "$((ranks + 1))" "$program" simulate "$scenes/simple-shear.toml" --duration 0.6 --resume -o half
    cmp half/checkpoint.bin alone-simple-shear/checkpoint.bin
    echo "$mpirun, $ranks ranks: the same bytes"
done
