//! Scenes that faults happen to.

/// Grains that come and go in a periodic box with snapshots, polygons with walls that move, spheres on a mesh, clumps and bonded grains below
/// a lid that a servo presses, and a box that is sheared under a stress. Each lasts for 0.06.
pub const SCENES: [(&str, &str); 5] = [
    ("spheres", SPHERES),
    ("polygons", POLYGONS),
    ("mesh", MESH),
    ("clumps and bonds", CLUMPS),
    ("a box that deforms", DEFORM),
];

/// The same for another time.
pub fn lasting(scene: &str, duration: &str) -> String {
    scene.replace("duration = 0.06", &format!("duration = {duration}"))
}

pub const SPHERES: &str = r#"
dimension = 3
duration = 0.06
gravity = [0.0, 0.0, -9.81]

[domain]
lo = [0.0, 0.0, 0.0]
hi = [0.1, 0.1, 0.2]
periodic = ["x"]
walls = true

[[material]]
name = "grain"
density = 2500.0
stiffness = 2000.0
restitution = 0.5
friction = 0.4

[[particles]]
count = 300
radius = 0.004
hi = [0.1, 0.1, 0.12]

[[insert]]
lo = [0.0, 0.01, 0.14]
hi = [0.1, 0.09, 0.19]
rate = 400.0
law = "uniform"
ratio = 2.0
radius = 0.003
velocity = [0.0, 0.0, -0.5]

[[remove]]
where = "inside"
lo = [0.0, 0.0, 0.0]
hi = [0.03, 0.03, 0.01]

[output]
snapshot_every = 0.02
checkpoint_every = 0.02
page = false
"#;

pub const POLYGONS: &str = r#"
dimension = 2
duration = 0.06
gravity = [0.0, -9.81]

[domain]
lo = [0.0, 0.0]
hi = [0.3, 0.4]
walls = true

[[material]]
name = "grain"
density = 1000.0
modulus = 2e5
damping = 0.3
friction = 0.5

[[wall]]
shape = "plate"
corners = [[0.0, 0.05], [0.3, 0.02]]
velocity = [0.0, 0.05]

[[polygons]]
count = 60
corners = [4, 9]
radius = 0.01
lo = [0.0, 0.1]

[output]
snapshot_every = 0.01
checkpoint_every = 0.02
formats = ["vtp", "svg"]
page = false
"#;

pub const MESH: &str = r#"
dimension = 3
duration = 0.06
gravity = [0.0, 0.0, -9.81]

[domain]
lo = [0.0, 0.0, 0.0]
hi = [0.1, 0.1, 0.15]
walls = true

[[material]]
name = "grain"
density = 2500.0
stiffness = 2000.0
restitution = 0.5
friction = 0.4

[[wall]]
shape = "mesh"
file = "roof.stl"

[wall.motion]
kind = "oscillation"
direction = [0.0, 0.0, 1.0]
amplitude = 0.002
frequency = 20.0

[[particles]]
count = 100
radius = 0.004
lo = [0.0, 0.0, 0.05]
velocity = [0.0, 0.0, -0.5]

[output]
snapshot_every = 0.02
checkpoint_every = 0.02
page = false
"#;

pub const CLUMPS: &str = r#"
dimension = 3
duration = 0.06
gravity = [0.0, 0.0, -9.81]
bonds = "touching"

[domain]
lo = [0.0, 0.0, 0.0]
hi = [0.1, 0.1, 0.15]
periodic = ["x", "y"]
leaving = "allow"

[[material]]
name = "grain"
density = 2500.0
stiffness = 2000.0
restitution = 0.5
friction = 0.4
bond_modulus = 2e5
bond_strength = 1e4
bond_gap = 0.0001

[[wall]]
shape = "plane"
point = [0.0, 0.0, 0.0]
normal = [0.0, 0.0, 1.0]

[[wall]]
name = "lid"
shape = "plane"
point = [0.0, 0.0, 0.12]
normal = [0.0, 0.0, -1.0]

[wall.motion]
kind = "servo"
direction = [0.0, 0.0, -1.0]
pressure = 50.0
max_speed = 0.5

[[particles]]
count = 40
radius = 0.004
placement = "lattice"
spacing = 1.0
hi = [0.1, 0.1, 0.04]

[[clumps]]
count = 40
spheres = [[0.0, 0.0, 0.0, 1.0], [1.2, 0.0, 0.0, 0.8]]
radius = 0.004
lo = [0.0, 0.0, 0.05]
hi = [0.1, 0.1, 0.11]
velocity = [0.0, 0.0, -0.5]

[output]
snapshot_every = 0.02
checkpoint_every = 0.02
page = false
"#;

pub const DEFORM: &str = r#"
dimension = 2
duration = 0.06

[domain]
lo = [0.0, 0.0]
hi = [0.1, 0.1]
periodic = ["x", "y"]

[[deform]]
pressure = 20.0
max_rate = 2.0
until = 0.03

[[deform]]
rates = { xy = 2.0 }
stress = { yy = 20.0 }
max_rate = 2.0

[[material]]
name = "grain"
density = 1000.0
stiffness = 1e5
restitution = 0.5
friction = 0.4

[[particles]]
count = 120
law = "uniform"
ratio = 1.5
radius = 0.0025
speed = 0.1

[output]
snapshot_every = 0.02
checkpoint_every = 0.02
page = false
"#;

/// Two slopes that meet along a ridge.
pub const ROOF: &str = "solid roof
facet normal 0 0 0 outer loop vertex 0 0 0.01 vertex 0.1 0 0.01 vertex 0.1 0.05 0.04 endloop endfacet
facet normal 0 0 0 outer loop vertex 0 0 0.01 vertex 0.1 0.05 0.04 vertex 0 0.05 0.04 endloop endfacet
facet normal 0 0 0 outer loop vertex 0 0.05 0.04 vertex 0.1 0.05 0.04 vertex 0.1 0.1 0.01 endloop endfacet
facet normal 0 0 0 outer loop vertex 0 0.05 0.04 vertex 0.1 0.1 0.01 vertex 0 0.1 0.01 endloop endfacet
endsolid roof
";
