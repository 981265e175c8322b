//! Rigid bodies with joints at the zero pose, and their effective mass in an impact along a line.
//!
//! With the joint velocities q̇, the velocity of a point of a body along a direction n is w·q̇, and an impulse along
//! n changes q̇ by M⁻¹·w. Two bodies that collide along n therefore have the effective mass 1/(wᵀ·M⁻¹·w),
//! w = w₁ − w₂. The mass matrix M is the sum of the inertias of the bodies, projected by their Jacobians. It is block
//! diagonal: kinematic trees that are attached to the world by different bodies are independent of each other.

use super::pose::{IDENTITY, Matrix, Pose, Vector, add, cross, dot, rotate, scale, subtract};
use crate::numeric::linear::Cholesky;

/// One degree of freedom, in world axes at the zero pose.
#[derive(Clone, Copy, Debug)]
pub enum Freedom {
    /// Translation along a direction.
    Slide(Vector),
    /// Rotation about an axis through a point.
    Turn { axis: Vector, anchor: Vector },
}

/// A rigid body.
#[derive(Clone, Debug)]
pub struct Body {
    /// Index of the parent; the world has none.
    pub parent: Option<usize>,
    /// Frame of the body in the world at the zero pose.
    pub pose: Pose,
    /// Mass (kg); `None` if it is not in the file.
    pub mass: Option<f64>,
    /// Centre of mass in the world (m).
    pub centre: Vector,
    /// Inertia about the centre of mass, in world axes (kg m²).
    pub inertia: Matrix,
    /// Degrees of freedom relative to the parent, each with the inertia of its drive (kg or kg m²).
    pub freedoms: Vec<(Freedom, f64)>,
    /// Fraction of gravity that acts on the body.
    pub gravity: f64,
    /// Whether MuJoCo estimates its mobility from its mass alone ([`Mobility::mean`]).
    pub mass_is_estimate: bool,
}

impl Body {
    /// Returns a body without mass that is fixed to its parent.
    pub fn new(parent: Option<usize>, pose: Pose) -> Self {
        let (centre, inertia) = (pose.position, [[0.0; 3]; 3]);
        Self {
            parent,
            pose,
            mass: Some(0.0),
            centre,
            inertia,
            freedoms: Vec::new(),
            gravity: 1.0,
            mass_is_estimate: false,
        }
    }

    /// Adds all six degrees of freedom.
    pub fn set_free(&mut self) {
        let anchor = self.pose.position;
        for axis in IDENTITY {
            self.freedoms.push((Freedom::Slide(axis), 0.0));
        }
        self.turn_freely(anchor);
    }

    /// Adds the three degrees of freedom of a ball joint.
    pub fn turn_freely(&mut self, anchor: Vector) {
        for axis in IDENTITY {
            self.freedoms.push((Freedom::Turn { axis, anchor }, 0.0));
        }
    }

    /// Adds a solid to mass, centre of mass and inertia; a solid without a mass makes the mass of the body unknown.
    pub fn add_solid(&mut self, mass: Option<f64>, centre: Vector, inertia: Matrix) {
        let (Some(before), Some(mass)) = (self.mass, mass) else {
            self.mass = None;
            return;
        };
        let total = before + mass;
        if !(total > 0.0) {
            return;
        }
        let joint = scale(add(scale(self.centre, before), scale(centre, mass)), 1.0 / total);
        let moved = |tensor: &Matrix, mass: f64, centre: Vector| {
            let arm = subtract(centre, joint);
            let square = dot(arm, arm);
            let entry = |i: usize, j: usize| {
                let unit = if i == j { square } else { 0.0 };
                tensor[i][j] + mass * (unit - arm[i] * arm[j])
            };
            std::array::from_fn::<[f64; 3], 3, _>(|i| std::array::from_fn(|j| entry(i, j)))
        };
        let (a, b) = (moved(&self.inertia, before, self.centre), moved(&inertia, mass, centre));
        self.inertia = std::array::from_fn(|i| add(a[i], b[i]));
        self.mass = Some(total);
        self.centre = joint;
    }
}

/// Inverse of an effective mass.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mobility {
    /// Inverse effective mass along the line of impact (1/kg).
    pub along: f64,
    /// Value that MuJoCo uses instead: the mean over three directions at the centres of mass, or the inverse mass of
    /// a body that only slides (1/kg).
    pub mean: f64,
    /// Relative acceleration by gravity along the line, positive if it brings the bodies together (m/s²).
    pub acceleration: f64,
}

/// Bodies with the factorised mass matrix of every kinematic tree.
#[derive(Clone, Debug)]
pub struct Bodies {
    pub list: Vec<Body>,
    /// Index of the root of each body's tree, which is the first body attached to the world.
    root: Vec<usize>,
    /// Degrees of freedom of a tree, as indices of body and freedom.
    columns: Vec<Vec<(usize, usize)>>,
    /// Cholesky factor of the mass matrix of each tree; `None` if a mass is not known.
    factors: Vec<Option<Cholesky>>,
    /// Accelerations of the degrees of freedom under gravity, for each tree.
    accelerations: Vec<Vec<f64>>,
}

/// Largest number of degrees of freedom of a tree for which a mass matrix is computed.
const FREEDOMS_MAX: usize = 600;

impl Bodies {
    /// Creates the collection from bodies, parents before children, under gravity (m/s²).
    pub fn new(list: Vec<Body>, gravity: Vector) -> Self {
        let count = list.len();
        let mut root: Vec<usize> = (0..count).collect();
        for i in 0..count {
            if let Some(parent) = list[i].parent
                && list[parent].parent.is_some()
            {
                root[i] = root[parent];
            }
        }
        let mut bodies = Self {
            list,
            root,
            columns: vec![Vec::new(); count],
            factors: vec![None; count],
            accelerations: vec![Vec::new(); count],
        };
        for i in 0..count {
            for k in 0..bodies.list[i].freedoms.len() {
                bodies.columns[bodies.root[i]].push((i, k));
            }
        }
        for tree in 0..count {
            bodies.factorise(tree, gravity);
        }
        bodies
    }

    /// Returns whether the body can move.
    pub fn moves(&self, body: usize) -> bool {
        self.chain(body).any(|i| !self.list[i].freedoms.is_empty())
    }

    /// Returns the body to which this one is rigidly fixed; itself if it has degrees of freedom; 0 is the world.
    pub fn fixed_to(&self, body: usize) -> usize {
        self.chain(body).find(|&i| !self.list[i].freedoms.is_empty()).unwrap_or(0)
    }

    /// Iterates over a body and its ancestors.
    pub fn chain(&self, body: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(Some(body), |&i| self.list[i].parent)
    }

    /// Returns the columns of the Jacobian of a point of a body with respect to the degrees of freedom of its tree:
    /// velocity and angular velocity.
    fn columns(&self, body: usize, point: Vector) -> Vec<(Vector, Vector)> {
        let on_chain: Vec<usize> = self.chain(body).collect();
        let column = |&(i, k): &(usize, usize)| match self.list[i].freedoms[k].0 {
            _ if !on_chain.contains(&i) => ([0.0; 3], [0.0; 3]),
            Freedom::Slide(axis) => (axis, [0.0; 3]),
            Freedom::Turn { axis, anchor } => (cross(axis, subtract(point, anchor)), axis),
        };
        self.columns[self.root[body]].iter().map(column).collect()
    }

    fn factorise(&mut self, tree: usize, gravity: Vector) {
        let size = self.columns[tree].len();
        if size == 0 || size > FREEDOMS_MAX {
            return;
        }
        let mut matrix = vec![vec![0.0; size]; size];
        let mut weight = vec![0.0; size];
        for i in (0..self.list.len()).filter(|&i| self.root[i] == tree) {
            let body = &self.list[i];
            let Some(mass) = body.mass else { return };
            let columns = self.columns(i, body.centre);
            for (a, &(va, wa)) in columns.iter().enumerate() {
                weight[a] += mass * body.gravity * dot(va, gravity);
                let turned = rotate(&body.inertia, wa);
                for (b, &(vb, wb)) in columns.iter().enumerate().take(a + 1) {
                    matrix[a][b] += mass * dot(va, vb) + dot(turned, wb);
                }
            }
        }
        for (a, &(i, k)) in self.columns[tree].iter().enumerate() {
            matrix[a][a] += self.list[i].freedoms[k].1;
        }
        let pivot = |left: f64, element: f64| {
            let definite = left > 1e-12 * element.abs() && left > 0.0;
            definite.then_some(left).ok_or(())
        };
        if let Ok(factor) = Cholesky::of(matrix, pivot) {
            self.accelerations[tree] = factor.solve(&weight);
            self.factors[tree] = Some(factor);
        }
    }

    /// Returns the mobility of two bodies in an impact along a line through a point; `normal` points from the second
    /// body to the first. `None` if a mass is not known; `along` is zero if joints prevent motion along the line.
    pub fn mobility(&self, bodies: [usize; 2], point: Vector, normal: Vector) -> Option<Mobility> {
        let row = |body: usize, point: Vector, normal: Vector| -> Vec<f64> {
            self.columns(body, point).iter().map(|(v, _)| dot(*v, normal)).collect()
        };
        let roots = bodies.map(|body| self.root[body]);
        let inverse = |tree: usize, row: &[f64]| -> Option<f64> {
            if row.iter().all(|x| *x == 0.0) {
                return Some(0.0);
            }
            let half = self.factors[tree].as_ref()?.forward(row);
            Some(half.iter().map(|x| x * x).sum())
        };
        let fall = |tree: usize, row: &[f64]| -> f64 {
            row.iter().zip(&self.accelerations[tree]).map(|(a, b)| a * b).sum()
        };
        let rows = bodies.map(|body| row(body, point, normal));
        let (along, acceleration) = if roots[0] == roots[1] {
            let relative: Vec<f64> = rows[0].iter().zip(&rows[1]).map(|(a, b)| a - b).collect();
            (inverse(roots[0], &relative)?, -fall(roots[0], &relative))
        } else {
            let along = inverse(roots[0], &rows[0])? + inverse(roots[1], &rows[1])?;
            (along, fall(roots[1], &rows[1]) - fall(roots[0], &rows[0]))
        };
        let mean = |body: usize| -> Option<f64> {
            let Body { centre, mass, mass_is_estimate, .. } = self.list[body];
            if mass_is_estimate {
                return mass.map(|mass| 1.0 / mass);
            }
            let each = IDENTITY.map(|axis| inverse(self.root[body], &row(body, centre, axis)));
            Some(each.into_iter().sum::<Option<f64>>()? / 3.0)
        };
        let mean = mean(bodies[0])? + mean(bodies[1])?;
        let along = if along > 1e-9 * mean { along } else { 0.0 };
        Some(Mobility { along, mean, acceleration })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A rod of mass m that is hinged at one end has the effective mass m/3 at its other end.
    #[test]
    fn effective_mass_of_a_rod_on_a_hinge_is_a_third() {
        let mut rod = Body::new(Some(0), Pose::default());
        let (mass, length) = (3.0, 2.0);
        let across = mass * length * length / 12.0;
        let inertia = [[0.0, 0.0, 0.0], [0.0, across, 0.0], [0.0, 0.0, across]];
        rod.add_solid(Some(mass), [length / 2.0, 0.0, 0.0], inertia);
        rod.freedoms.push((Freedom::Turn { axis: [0.0, 1.0, 0.0], anchor: [0.0; 3] }, 0.0));
        let bodies = Bodies::new(vec![Body::new(None, Pose::default()), rod], [0.0, 0.0, -9.81]);
        let found = bodies.mobility([1, 0], [length, 0.0, -0.1], [0.0, 0.0, 1.0]).unwrap();
        assert!((1.0 / found.along - mass / 3.0).abs() < 1e-12);
        // The end of a falling horizontal rod accelerates with 3g/2.
        assert!((found.acceleration - 1.5 * 9.81).abs() < 1e-12);
    }

    #[test]
    fn free_bodies_meet_with_their_reduced_mass() {
        let ball = |mass: f64, x: f64| {
            let mut ball = Body::new(Some(0), Pose { position: [x, 0.0, 0.0], ..Pose::default() });
            ball.add_solid(
                Some(mass),
                [x, 0.0, 0.0],
                [[0.1, 0.0, 0.0], [0.0, 0.1, 0.0], [0.0, 0.0, 0.1]],
            );
            ball.set_free();
            ball
        };
        let list = vec![Body::new(None, Pose::default()), ball(1.0, -1.0), ball(3.0, 1.0)];
        let bodies = Bodies::new(list, [0.0, 0.0, -9.81]);
        let found = bodies.mobility([1, 2], [0.0; 3], [-1.0, 0.0, 0.0]).unwrap();
        assert!((1.0 / found.along - 0.75).abs() < 1e-12 && found.acceleration.abs() < 1e-12);
        assert!((found.mean - found.along).abs() < 1e-12);
    }
}
