#!/usr/bin/env bash
# Kills a rank of a run at many moments; the others must end within seconds, and the run must go on to the bytes of one that was left alone.
#
#     crates/multigrain-lab/rank_faults.sh PROGRAM MPIRUN [TIMES]
#
# PROGRAM is multigrain built with the feature mpi, MPIRUN that of its MPI.
set -euo pipefail
program=$(realpath "$1")
mpirun=$2
scene=$(realpath "$(dirname "$0")/ranks.toml")
times=${3:-20}
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
"$program" simulate "$scene" -o alone 2>/dev/null

# The ranks of a launcher: what it started, directly or through a helper of its own.
ranks_of() {
    local child
    for child in $(pgrep -P "$1"); do
        if [ "$(readlink "/proc/$child/exe")" = "$program" ]; then echo "$child"; else ranks_of "$child"; fi
    done
}

slowest=0
for ((time = 1; time <= times; time++)); do
    rm -rf run
    killed=0
    ranks=$((2 + time % 3))
    "$mpirun" -n "$ranks" "$program" simulate "$scene" -o run >/dev/null 2>messages &
    launcher=$!
    # From the very start to somewhere in the run.
    sleep "$(awk -v k="$time" -v n="$times" 'BEGIN { print 0.1 + 4 * k / n }')"
    victims=($(ranks_of "$launcher" || true))
    if [ ${#victims[@]} -gt 0 ]; then
        kill -9 "${victims[$((time % ${#victims[@]}))]}" && killed=1
    fi
    start=$(date +%s.%N)
    status=0
    wait "$launcher" || status=$?
    took=$(awk -v a="$start" -v b="$(date +%s.%N)" 'BEGIN { print b - a }')
    if [ "$killed" = 1 ]; then
        [ "$status" -ne 0 ] || { echo "time $time: a rank was killed, and the run says that all is well" >&2; exit 1; }
        awk -v t="$took" 'BEGIN { exit !(t < 10) }' || { echo "time $time: the others took $took s to end" >&2; exit 1; }
        [ -s messages ] || { echo "time $time: no message" >&2; exit 1; }
        slowest=$(awk -v a="$slowest" -v b="$took" 'BEGIN { print (a > b) ? a : b }')
    fi
    if [ -e run/checkpoint.bin ]; then how=--resume; else how=--overwrite; fi
    "$mpirun" -n $((1 + time % 4)) "$program" simulate "$scene" -o run "$how" 2>messages || { cat messages >&2; exit 1; }
    cmp run/checkpoint.bin alone/checkpoint.bin
    for file in alone/snapshot*; do
        cmp "$file" "run/$(basename "$file")"
    done
    echo "time $time: $ranks ranks, $([ $killed = 1 ] && echo "killed, ended after $took s" || echo "over before")"
done
echo "$times times: every run went on to the bytes of one that was left alone; the others ended within $slowest s"
