//! A small seeded random number generator whose values never change, so that a seed names a scene for ever.

/// xoshiro256++ (Blackman and Vigna), its state filled from the seed by splitmix64.
///
/// Integers and [`uniform`](Self::uniform) come from integer arithmetic and one exact scaling,
/// [`normal`](Self::normal) from IEEE operations alone: the same on every machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rng {
    state: [u64; 4],
}

impl Rng {
    /// The generator that `seed` names. Every seed is good, 0 included.
    pub fn new(seed: u64) -> Self {
        let mut counter = seed;
        Self { state: std::array::from_fn(|_| splitmix64(&mut counter)) }
    }

    /// 64 random bits.
    #[inline]
    pub fn next_u64(&mut self) -> u64 {
        let [a, b, c, d] = self.state;
        let result = a.wrapping_add(d).rotate_left(23).wrapping_add(a);
        let (c, d) = (c ^ a, d ^ b);
        self.state = [a ^ d, b ^ c, c ^ (b << 17), d.rotate_left(45)];
        result
    }

    /// A multiple of 2^-53 in [0, 1).
    #[inline]
    pub fn uniform(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }

    /// A number in `0..n`, each equally likely; 0 for `n` = 0.
    #[inline]
    pub fn below(&mut self, n: u64) -> u64 {
        // The high word of a product is the number; low words in the incomplete last stretch are drawn again.
        let mut product = u128::from(self.next_u64()) * u128::from(n);
        if (product as u64) < n {
            let incomplete = n.wrapping_neg() % n.max(1);
            while (product as u64) < incomplete {
                product = u128::from(self.next_u64()) * u128::from(n);
            }
        }
        (product >> 64) as u64
    }

    /// A number from the normal law with mean 0 and variance 1, by the polar method.
    pub fn normal(&mut self) -> f64 {
        loop {
            let (x, y) = (2.0 * self.uniform() - 1.0, 2.0 * self.uniform() - 1.0);
            let square = x * x + y * y;
            if square > 0.0 && square < 1.0 {
                return x * (-2.0 * ln(square) / square).sqrt();
            }
        }
    }

    /// Puts the items into random order, every order equally likely.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last as u64 + 1) as usize);
        }
    }
}

fn splitmix64(counter: &mut u64) -> u64 {
    *counter = counter.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *counter;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Natural logarithm of a positive normal number. The library's may differ in the last bit between platforms; this one
/// uses only operations that IEEE 754 rounds exactly.
fn ln(x: f64) -> f64 {
    const MANTISSA: u64 = (1 << 52) - 1;
    let mut exponent = (x.to_bits() >> 52) as i64 - 1023;
    let mut mantissa = f64::from_bits((x.to_bits() & MANTISSA) | 1f64.to_bits());
    if mantissa > std::f64::consts::SQRT_2 {
        mantissa *= 0.5;
        exponent += 1;
    }
    // ln m = 2 artanh(t), t = (m - 1)/(m + 1); |t| is below 0.172, so t^23 is below 3e-18.
    let t = (mantissa - 1.0) / (mantissa + 1.0);
    let mut sum = 0.0;
    for power in (0..11).rev() {
        sum = sum * (t * t) + 1.0 / f64::from(2 * power + 1);
    }
    exponent as f64 * std::f64::consts::LN_2 + 2.0 * t * sum
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The authors' own check of xoshiro256++: state 1, 2, 3, 4.
    #[test]
    fn follows_the_published_generator() {
        let mut rng = Rng { state: [1, 2, 3, 4] };
        let first = [(); 5].map(|()| rng.next_u64());
        assert_eq!(first, [41943041, 58720359, 3588806011781223, 3591011842654386, 9228616714210784205]);
    }

    #[test]
    fn first_values_never_change() {
        let mut rng = Rng::new(1);
        let first = [(); 3].map(|()| rng.next_u64());
        assert_eq!(first, [14971601782005023387, 13781649495232077965, 1847458086238483744]);
        let mut rng = Rng::new(0);
        assert_eq!([(); 3].map(|()| rng.uniform()), [0.3245752680314067, 0.38223929651167343, 0.3596172076473553]);
        assert_eq!([(); 4].map(|()| rng.below(1000)), [11, 495, 20, 857]);
        assert_eq!([(); 3].map(|()| rng.normal()), [0.8041471306391809, -0.49822839434471605, -1.3213442194275267]);
        let mut order = [0, 1, 2, 3, 4, 5, 6, 7];
        rng.shuffle(&mut order);
        assert_eq!(order, [4, 5, 3, 7, 1, 6, 2, 0]);
    }

    #[test]
    fn numbers_below_n_are_equally_likely() {
        let mut rng = Rng::new(7);
        let mut seen = [0u32; 6];
        for _ in 0..60_000 {
            seen[rng.below(6) as usize] += 1;
        }
        assert!(seen.iter().all(|&count| count.abs_diff(10_000) < 400), "{seen:?}");
        assert_eq!((rng.below(1), rng.below(0)), (0, 0));
        // Without redrawing, three quarters of 2^64 would favour every third number twofold.
        let n = 3 << 62;
        let low = (0..30_000).filter(|_| rng.below(n).is_multiple_of(3)).count();
        assert!(low.abs_diff(10_000) < 400, "{low}");
    }

    #[test]
    fn normal_numbers_have_mean_zero_and_variance_one() {
        let mut rng = Rng::new(3);
        let numbers: Vec<f64> = (0..100_000).map(|_| rng.normal()).collect();
        let mean = numbers.iter().sum::<f64>() / 1e5;
        let variance = numbers.iter().map(|x| x * x).sum::<f64>() / 1e5;
        let within_one = numbers.iter().filter(|x| x.abs() < 1.0).count() as f64 / 1e5;
        assert!(mean.abs() < 0.01 && (variance - 1.0).abs() < 0.02, "{mean} {variance}");
        assert!((within_one - 0.6827).abs() < 0.006, "{within_one}");
    }

    #[test]
    fn own_logarithm_agrees_with_the_library() {
        for k in 1..2000 {
            for x in [f64::from(k) / 2000.0, 0.5f64.powi(k % 100) * f64::from(k)] {
                assert!((ln(x) - x.ln()).abs() <= 1e-15 * x.ln().abs().max(0.1), "{x}: {} {}", ln(x), x.ln());
            }
        }
    }
}
