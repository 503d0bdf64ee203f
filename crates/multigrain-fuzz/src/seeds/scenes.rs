//! Scenes to begin with, and words that scenes are made of.

pub const SCENE_WORDS: &[&str] = &[
    "[[particles]]\n",
    "[[polygons]]\n",
    "[[wall]]\n",
    "[[insert]]\n",
    "[[remove]]\n",
    "[[material]]\n",
    "[[between]]\n",
    "[domain]\n",
    "[time]\n",
    "[detection]\n",
    "[output]\n",
    "periodic = [\"x\"]\n",
    "walls = true\n",
    "leaving = \"allow\"\n",
    "law = \"power\"\n",
    "law = \"lognormal\"\n",
    "law = \"uniform\"\n",
    "exponent = -3\n",
    "ratio = 10\n",
    "sigma = 0.4\n",
    "placement = \"lattice\"\n",
    "placement = \"rows\"\n",
    "placement = \"random\"\n",
    "spacing = 1.2\n",
    "shape = \"plane\"\n",
    "shape = \"box\"\n",
    "shape = \"cylinder\"\n",
    "shape = \"plate\"\n",
    "shape = \"funnel\"\n",
    "shape = \"polygon\"\n",
    "velocity = [0.1, 0.0]\n",
    "spin = [2.0]\n",
    "moves = true\n",
    "held = true\n",
    "regular = true\n",
    "integrator = \"gear\"\n",
    "integrator = \"verlet\"\n",
    "step = 1e-5\n",
    "fraction = 0.03\n",
    "skin = 0.01\n",
    "skin = \"none\"\n",
    "method = \"linked-cell\"\n",
    "method = \"brute-force\"\n",
    "modulus = 1e5\n",
    "poisson = 0.3\n",
    "stiffness = 1e4\n",
    "damping = 0.3\n",
    "restitution = 0.5\n",
    "friction = 0.5\n",
    "segments = 12\n",
    "thickness = 0.1\n",
    "corners = [3, 9]\n",
    "count = 5\n",
    "radius = 0.01\n",
    "limit = 4\n",
    "rate = 100.0\n",
    "seed = 7\n",
    "allow_overlap = true\n",
    "repulsion = \"energy\"\n",
    "dimension = 3\n",
    "[[clumps]]\n",
    "spheres = [[0.0, 0.0, 0.0, 1.0], [1.2, 0.0, 0.0, 0.8]]\n",
    "upright = true\n",
    "[[meter]]\n",
    "point = [0.0, 0.0]\n",
    "normal = [0.0, 1.0]\n",
    "where = \"beyond\"\n",
    "where = \"outside\"\n",
    "region = { shape = \"box\", lo = [0.0, 0.0], hi = [0.1, 0.1] }\n",
    "region = { shape = \"face\", corners = [[0.0, 0.0], [0.1, 0.0]] }\n",
    "[[field]]\n",
    "acceleration = [0.0, 1.0]\n",
    "gradient = [[1.0, 0.0], [0.0, -1.0]]\n",
    "[[deform]]\n",
    "rates = { xy = 0.5 }\n",
    "stress = { yy = 500.0 }\n",
    "pressure = 500.0\n",
    "max_rate = 1.0\n",
    "until = 0.5\n",
    "flowing = true\n",
    "bonds = \"touching\"\n",
    "bonds = [[0, 1], [1, 2]]\n",
    "bond_modulus = 1e8\n",
    "bond_strength = 1e6\n",
    "bond_gap = 0.01\n",
    "[fluid]\n",
    "drag = \"stokes\"\n",
    "drag = \"schiller-naumann\"\n",
    "viscosity = 1e-3\n",
    "buoyancy = true\n",
    "temperature = 300.0\n",
    "conductivity = 1.0\n",
    "heat_capacity = 900.0\n",
    "[wall.motion]\n",
    "kind = \"oscillation\"\n",
    "kind = \"servo\"\n",
    "kind = \"table\"\n",
    "direction = [0.0, 1.0]\n",
    "amplitude = 0.01\n",
    "frequency = 20.0\n",
    "force = 1.0\n",
    "max_speed = 0.1\n",
    "rows = [[0.0, 0.0, 0.0], [0.1, 0.0, 0.1]]\n",
    "shape = \"mesh\"\n",
    "shape = \"cone\"\n",
    "file = \"parts/chute.obj\"\n",
    "file = \"parts/blades.stl\"\n",
    "scale = 0.001\n",
    "rotate = { degrees = 30 }\n",
    "translate = [0.1, 0.0]\n",
    "closed = true\n",
    "ends = [[0.0, 0.0], [0.1, 0.0]]\n",
    "wear = { coefficient = 1e-3, hardness = 1e9 }\n",
    "tilt = [0.1]\n",
    "cohesion = \"jkr\"\n",
    "cohesion = \"willett\"\n",
    "surface_tension = 0.07\n",
    "liquid_volume = 1e-10\n",
    "adhesion_energy = 0.1\n",
    "rolling_friction = 0.1\n",
    "unloading_stiffness = 2e4\n",
    "mass_rate = 0.5\n",
];

macro_rules! scenes {
    ($($name:literal)*) => {
        [$(($name, include_str!(concat!("../../../../scenes/", $name, ".toml"))),)*]
    };
}

/// The scenes of the house by name, each block with at most this many grains, and none grown: that takes longer than what is
/// looked for.
pub fn small_scenes(most: u32) -> Vec<(&'static str, String)> {
    let all = scenes!["agglomerate" "clump-hopper" "cohesive-collapse" "drum" "free-cooling" "hopper" "oedometer" "polygon-drum"
        "polygon-heap" "polygon-hopper" "polygon-settling" "polygon-shear" "repose-rolling" "screw" "segregation" "settling"
        "simple-shear" "triaxial" "vibrated-bed" "wet-drum"];
    let small = |text: &str| {
        let keep = |line: &&str| !line.starts_with('#') && !line.contains("growth");
        let line = |line: &str| match line.strip_prefix("count = ").and_then(|count| count.parse::<u32>().ok()) {
            Some(count) => format!("count = {}", count.min(most)),
            None => line.to_owned(),
        };
        text.lines().filter(keep).map(line).collect::<Vec<_>>().join("\n")
    };
    let own = [("bonded", BONDED), ("giants", GIANTS)];
    all.into_iter().chain(own).map(|(name, text)| (name, small(text))).collect()
}

/// Where scenes stand that name other files.
pub const SCENE_FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenes/scene.toml");

/// Grains that touch and are bonded, in a fluid, in a field, at different temperatures, between walls of which one is steered.
const BONDED: &str = r#"
dimension = 3
duration = 0.01
gravity = [0.0, 0.0, -9.81]
bonds = "touching"
temperature = 300.0
[domain]
lo = [0.0, 0.0, 0.0]
hi = [0.04, 0.04, 0.04]
periodic = ["x", "y"]
leaving = "allow"
[[material]]
name = "grain"
density = 2500.0
stiffness = 2000.0
restitution = 0.5
friction = 0.4
rolling_friction = 0.1
bond_modulus = 1e7
bond_strength = 1e5
conductivity = 1.0
heat_capacity = 900.0
[[wall]]
shape = "plane"
point = [0.0, 0.0, 0.0]
normal = [0.0, 0.0, 1.0]
temperature = 400.0
[[wall]]
name = "lid"
shape = "plane"
point = [0.0, 0.0, 0.03]
normal = [0.0, 0.0, -1.0]
[wall.motion]
kind = "servo"
direction = [0.0, 0.0, -1.0]
pressure = 100.0
max_speed = 0.5
[[particles]]
count = 6
radius = 0.005
placement = "lattice"
spacing = 1.0
hi = [0.04, 0.02, 0.02]
[fluid]
drag = "stokes"
viscosity = 1e-3
density = 1000.0
buoyancy = true
[[field]]
acceleration = [1.0, 0.0, 0.0]
"#;

/// One grain far larger than the others.
const GIANTS: &str = r#"
dimension = 2
duration = 0.01
gravity = [0.0, -9.81]
[domain]
lo = [0.0, 0.0]
hi = [0.4, 0.4]
walls = true
[[material]]
name = "grain"
density = 10.0
stiffness = 2000.0
damping = 0.1
friction = 0.4
[[particles]]
count = 1
radius = 0.08
lo = [0.1, 0.1]
hi = [0.3, 0.3]
[[particles]]
count = 7
radius = 0.001
lo = [0.0, 0.3]
hi = [0.4, 0.4]
velocity = [0.0, -1.0]
"#;

/// The same as inputs.
pub fn scenes() -> Vec<Vec<u8>> {
    small_scenes(7).into_iter().map(|(_, text)| text.into_bytes()).collect()
}
