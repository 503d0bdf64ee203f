# The ranks of a launcher, in the order in which they were started: what it started, directly or through a helper of its own. For scripts
# that set `program`.
ranks_of() {
    local child
    for child in $(pgrep -P "$1"); do
        if [ "$(readlink "/proc/$child/exe")" = "$program" ]; then echo "$child"; else ranks_of "$child"; fi
    done
}

# The same as soon as there are so many, and the run in this folder has begun.
ranks_at_work() {
    local victims=() waited
    for ((waited = 0; waited < 600; waited++)); do
        victims=($(ranks_of "$1" || true))
        if [ ${#victims[@]} -ge "$2" ] && [ -e "$3/checkpoint.bin" ]; then
            echo "${victims[@]}"
            return
        fi
        sleep 0.1
    done
    echo "the ranks of $3 do not begin" >&2
    return 1
}

# Sends what `asked` says (a signal, and where: to the launcher, to a rank, or twice to one) to a run in the folder `asked`, and waits for its
# end. The run must save, whoever was asked, and say so.
ask_to_stop() {
    local launcher=$1 ranks=$2 signal=$3 whom=$4 victims status=0
    victims=($(ranks_at_work "$launcher" "$ranks" asked))
    sleep 0.5
    touch marker
    sleep 0.05
    case $whom in
        launcher) kill "-$signal" "$launcher" ;;
        rank) kill "-$signal" "${victims[$((ranks - 1))]}" ;;
        first-twice) kill "-$signal" "${victims[0]}" && kill "-$signal" "${victims[0]}" ;;
    esac
    wait "$launcher" || status=$?
    [ "$status" -ne 0 ] || { echo "$signal to $whom: the run says that it is over" >&2; return 1; }
    [ asked/checkpoint.bin -nt marker ] || { cat messages >&2; echo "$signal to $whom: nothing was saved" >&2; return 1; }
    # OpenMPI ends what it hands on soon after it was asked to end itself.
    [ "$signal" = INT ] || grep -q '^stopped at step' messages || { cat messages >&2; echo "$signal to $whom: no message" >&2; return 1; }
}
