#!/usr/bin/env bash
# Kills a rank of a run at many moments; the others must end within seconds, and the run must go on to the bytes of one that was left alone.
# Then asks runs to stop, by every signal, the launcher or a rank: they must save. As root a small disk is filled, too: all must end with one message.
#
#     crates/multigrain-lab/rank_faults.sh PROGRAM MPIRUN [TIMES]
#
# PROGRAM is multigrain built with the feature mpi, MPIRUN that of its MPI.
set -euo pipefail
program=$(realpath "$1")
mpirun=$2
scene=$(realpath "$(dirname "$0")/ranks.toml")
. "$(dirname "$0")/../multigrain-cli/tests/ranks_of.sh"
times=${3:-20}
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
"$program" simulate "$scene" -o alone 2>/dev/null

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

sed 's/^checkpoint_every.*/checkpoint_every = 3600.0/' "$scene" >asked.toml
"$program" simulate asked.toml --duration 2 -o alone-asked 2>messages
requests=0
for signal in INT TERM USR1; do
    for whom in launcher rank first-twice; do
        rm -rf asked
        "$mpirun" -n 3 "$program" simulate asked.toml --duration 2 -o asked >/dev/null 2>messages &
        ask_to_stop $! 3 $signal $whom
        "$program" simulate asked.toml --duration 2 --resume -o asked 2>messages || { cat messages >&2; exit 1; }
        cmp asked/checkpoint.bin alone-asked/checkpoint.bin
        requests=$((requests + 1))
    done
done
echo "$requests requests to stop: every run saved, and went on to the bytes of one that was left alone"

if [ "$(id -u)" = 0 ] && mkdir small && mount -t tmpfs -o size=400k tmpfs small 2>/dev/null; then
    trap 'umount "$folder/small"; rm -rf "$folder"' EXIT
    status=0
    "$mpirun" -n 3 "$program" simulate "$scene" -o small/run >/dev/null 2>messages || status=$?
    [ "$status" -ne 0 ] || { echo "a disk of 400 kB was large enough" >&2; exit 1; }
    [ "$(grep -c '^error: ' messages)" = 1 ] || { cat messages >&2; exit 1; }
    cp -r small/run full
    "$mpirun" -n 2 "$program" simulate "$scene" -o full --resume 2>messages || { cat messages >&2; exit 1; }
    cmp full/checkpoint.bin alone/checkpoint.bin
    echo "a full disk ended all ranks with one message, and the run went on from its last state"
fi
