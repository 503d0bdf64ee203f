#!/usr/bin/env bash
# Two ranks on two hosts that speak over TCP: network namespaces of one machine, each with a name of its own. As root.
#
#     crates/multigrain-lab/two_hosts.sh PROGRAM
#
# PROGRAM is multigrain built with the feature mpi and OpenMPI. Lists and checkpoints must have the bytes of one host.
set -euo pipefail
program=$(realpath "$1")
scene=$(realpath "$(dirname "$0")/ranks.toml")
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
folder=$(mktemp -d)
bridge=mgbridge
clean() {
    for host in 1 2; do
        ip netns del "mghost$host" 2>/dev/null || true
    done
    ip link del "$bridge" 2>/dev/null || true
    rm -rf "$folder"
}
trap clean EXIT
cd "$folder"

ip link add "$bridge" type bridge
ip addr add 10.77.0.254/24 dev "$bridge"
ip link set "$bridge" up
for host in 1 2; do
    ip netns add "mghost$host"
    ip link add "mgv$host" type veth peer name eth0 netns "mghost$host"
    ip link set "mgv$host" master "$bridge" up
    ip netns exec "mghost$host" ip addr add "10.77.0.$host/24" dev eth0
    ip netns exec "mghost$host" ip link set eth0 up
    ip netns exec "mghost$host" ip link set lo up
done

# In place of ssh: a command on the host with this address.
cat > on_host <<'SH'
#!/bin/sh
host=${1##*.}
shift
exec ip netns exec "mghost$host" unshare -u sh -c "hostname mghost$host; $*"
SH
chmod +x on_host

together() {
    mpirun.openmpi --mca plm_rsh_agent "$folder/on_host" --mca plm rsh --mca btl tcp,self \
        --mca oob_tcp_if_include 10.77.0.0/24 --mca btl_tcp_if_include 10.77.0.0/24 \
        --host 10.77.0.1:1,10.77.0.2:1 -n 2 --wdir "$folder" "$@"
}

hosts=$(together sh -c 'hostname' | sort | tr '\n' ' ')
[ "$hosts" = "mghost1 mghost2 " ] || { echo "ranks run on: $hosts" >&2; exit 1; }
"$program" pack --law power --exponent -3 --ratio 50 --count 20000 --packing-fraction 0.6 --placement random --periodic x,y,z -o grains.xyz 2>messages
"$program" detect grains.xyz -o alone.npy 2>>messages
"$program" simulate "$scene" --duration 0.05 -o alone 2>>messages
sent() { ip -s link show mgv1 | awk '/RX:/ { getline; print $1 }'; }
before=$(sent)
together "$program" detect grains.xyz -o pairs.npy 2>>messages || { cat messages >&2; exit 1; }
cmp pairs.npy alone.npy
together "$program" simulate "$scene" --duration 0.05 -o run 2>>messages || { cat messages >&2; exit 1; }
cmp run/checkpoint.bin alone/checkpoint.bin
bytes=$(($(sent) - before))
[ "$bytes" -gt 100000 ] || { echo "only $bytes bytes went over the network" >&2; exit 1; }
echo "two hosts over TCP: the bytes of one; the first sent $bytes bytes"
