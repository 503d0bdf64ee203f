#!/usr/bin/env bash
# A program built with the feature hdf5 writes files that h5py reads, and reads them back: hdf5.sh PROGRAM PYTHON
set -euo pipefail
program=$(realpath "$1")
# Not resolved: the python of an environment is a link to that of the system.
python=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

"$program" new settling 2>/dev/null
sed -i 's/^snapshot_every = .*/snapshot_every = 0.002/' settling.toml
"$program" simulate settling.toml --duration 0.006 -o run 2>/dev/null
"$program" convert run -o run.h5 2>/dev/null
"$program" convert run -o run.dump 2>/dev/null

# Every number is that of the text, which reads back to the same value.
"$python" - <<'END'
import h5py, numpy

frames, lines = [], iter(open("run.dump").read().splitlines())
for line in lines:
    if line == "ITEM: TIMESTEP":
        step = int(next(lines))
    if line == "ITEM: NUMBER OF ATOMS":
        count = int(next(lines))
    if line.startswith("ITEM: ATOMS "):
        rows = [next(lines).split() for _ in range(count)]
        frames.append((step, line.split()[2:], numpy.array(rows, dtype=float)))
assert len(frames) >= 4, len(frames)
with h5py.File("run.h5") as file:
    assert file.attrs["format"] == "multigrain frames 1", file.attrs["format"]
    assert list(file["frames"]) == [f"{k:06}" for k in range(len(frames))]
    for group, (step, names, rows) in zip(file["frames"].values(), frames):
        assert group.attrs["step"] == step and group.attrs["time"] >= 0
        assert len(group.attrs["box"]) == 6 and len(group.attrs["periodic"]) == 3
        assert group["position"].shape == (len(rows), 3)
        for name, column in zip(names, rows.T):
            stored = group["position"][:, "xyz".index(name)] if name in "xyz" else group[name][:]
            assert (stored == column).all(), (step, name)
        assert {"vx", "omegaz", "mass", "contacts", "wall_contacts"} <= set(group)
END

# Detection and restarts from it are those from the text.
for file in run.h5 run.dump; do
    "$program" detect "$file" --frame last --margin 1e-4 -o "$file.csv" 2>/dev/null
    sed '/^\[\[particles\]\]/,$d' settling.toml >again.toml
    printf '[[particles]]\nfile = "%s"\nframe = "last"\n' "$file" >>again.toml
    "$program" simulate again.toml --duration 0.001 -o "again-$file" --json 2>/dev/null |
        "$python" -c 'import json, sys; print(json.load(sys.stdin)["fingerprint"])' >"$file.print"
done
[ "$(wc -l <run.h5.csv)" -gt 10 ]
cmp run.h5.csv run.dump.csv
cmp run.h5.print run.dump.print

# Files of others are refused in one line.
"$python" -c 'import h5py; h5py.File("other.h5", "w")["x"] = 1'
if "$program" detect other.h5 2>messages; then
    echo "failed: a file without frames was read" >&2
    exit 1
fi
grep -q 'there is no group `frames`' messages
echo "HDF5: $(wc -c <run.h5) bytes for $(wc -c <run.dump) of text, the same numbers"
