//! How bodies move in a time step: position and angle together are three numbers that follow force over inertia.

/// How polygons move in one time step.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum PolygonIntegrator {
    /// Gear's predictor and corrector with five values, for forces that depend on velocity, as in the polygon paper.
    #[default]
    Gear,
    /// Velocity Verlet; forces see velocities carried on to the time of the positions.
    Verlet,
}

/// x, y and angle.
pub(super) type Three = [f64; 3];

/// How far the corrector takes back each scaled derivative, position first.
const GEAR: [f64; 5] = [19.0 / 90.0, 3.0 / 4.0, 1.0, 1.0 / 2.0, 1.0 / 12.0];

/// Place, velocity and what the integrator remembers of one body.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Motion {
    pub(super) place: Three,
    pub(super) velocity: Three,
    /// Force over inertia at the end of the last step.
    pub(super) acceleration: Three,
    /// Third and fourth derivatives of the place, for Gear.
    pub(super) higher: [Three; 2],
}

impl Motion {
    pub(super) fn new(place: Three, velocity: Three, acceleration: Three) -> Self {
        Self { place, velocity, acceleration, higher: [[0.0; 3]; 2] }
    }

    /// Moves to the end of the step as far as is known before forces are.
    pub(super) fn predict(&mut self, integrator: PolygonIntegrator, dt: f64) {
        for k in 0..3 {
            let (v, a) = (self.velocity[k], self.acceleration[k]);
            match integrator {
                PolygonIntegrator::Verlet => {
                    self.place[k] += dt * (v + 0.5 * dt * a);
                    self.velocity[k] = v + dt * a;
                }
                PolygonIntegrator::Gear => {
                    let [b, c] = self.higher.map(|derivative| derivative[k]);
                    self.place[k] += dt * (v + dt / 2.0 * (a + dt / 3.0 * (b + dt / 4.0 * c)));
                    self.velocity[k] = v + dt * (a + dt / 2.0 * (b + dt / 3.0 * c));
                    self.acceleration[k] = a + dt * (b + dt / 2.0 * c);
                    self.higher[0][k] = b + dt * c;
                }
            }
        }
    }

    /// Ends the step with the acceleration that forces really give.
    pub(super) fn correct(&mut self, integrator: PolygonIntegrator, acceleration: Three, dt: f64) {
        for k in 0..3 {
            let missing = acceleration[k] - self.acceleration[k];
            match integrator {
                PolygonIntegrator::Verlet => self.velocity[k] += 0.5 * dt * missing,
                PolygonIntegrator::Gear => {
                    let scaled = 0.5 * dt * dt * missing;
                    self.place[k] += GEAR[0] * scaled;
                    self.velocity[k] += GEAR[1] * scaled / dt;
                    self.higher[0][k] += GEAR[3] * scaled * 6.0 / (dt * dt * dt);
                    self.higher[1][k] += GEAR[4] * scaled * 24.0 / (dt * dt * dt * dt);
                }
            }
        }
        self.acceleration = acceleration;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A spring of frequency 1 over ten periods, with this many steps each: the largest error of place and energy.
    fn error_of(integrator: PolygonIntegrator, steps: u32) -> f64 {
        let dt = std::f64::consts::TAU / f64::from(steps);
        let mut motion = Motion::new([1.0, 0.0, 0.5], [0.0; 3], [-1.0, 0.0, -0.5]);
        let mut worst: f64 = 0.0;
        for step in 1..=10 * steps {
            motion.predict(integrator, dt);
            let acceleration = motion.place.map(|x| -x);
            motion.correct(integrator, acceleration, dt);
            let exact = (f64::from(step) * dt).cos();
            worst = worst.max((motion.place[0] - exact).abs()).max((motion.place[2] - 0.5 * exact).abs());
        }
        worst
    }

    #[test]
    fn verlet_is_of_second_order_and_gear_of_higher() {
        let [coarse, fine] = [100, 200].map(|steps| error_of(PolygonIntegrator::Verlet, steps));
        assert!((coarse / fine - 4.0).abs() < 0.2, "{coarse} {fine}");
        let [coarse, fine] = [100, 200].map(|steps| error_of(PolygonIntegrator::Gear, steps));
        assert!(coarse / fine > 12.0 && coarse < 1e-3, "{coarse} {fine}");
    }

    #[test]
    fn free_flight_is_a_parabola_with_either() {
        for integrator in [PolygonIntegrator::Gear, PolygonIntegrator::Verlet] {
            let pull = [0.0, -10.0, 0.0];
            let mut motion = Motion::new([0.0; 3], [1.0, 2.0, 3.0], pull);
            for _ in 0..100 {
                motion.predict(integrator, 0.01);
                motion.correct(integrator, pull, 0.01);
            }
            for (found, exact) in motion.place.into_iter().zip([1.0, 2.0 - 5.0, 3.0]) {
                assert!((found - exact).abs() < 1e-12, "{found} {exact}");
            }
        }
    }
}
