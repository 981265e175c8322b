//! Poses (position and rotation), and the representations of rotations in robot files.

/// Vector of three components.
pub type Vector = [f64; 3];
/// Matrix, stored by rows.
pub type Matrix = [[f64; 3]; 3];

pub const IDENTITY: Matrix = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

/// Position and axes of a frame relative to another one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    pub position: Vector,
    pub rotation: Matrix,
}

impl Default for Pose {
    fn default() -> Self {
        Self { position: [0.0; 3], rotation: IDENTITY }
    }
}

impl Pose {
    /// Returns the pose of a frame whose pose relative to this one is `inner`.
    pub fn compose(&self, inner: &Pose) -> Pose {
        Pose {
            position: add(self.position, rotate(&self.rotation, inner.position)),
            rotation: product(&self.rotation, &inner.rotation),
        }
    }

    /// Transforms a point of this frame into the outer frame.
    pub fn point(&self, local: Vector) -> Vector {
        add(self.position, rotate(&self.rotation, local))
    }

    /// Transforms a direction of this frame into the outer frame.
    pub fn direction(&self, local: Vector) -> Vector {
        rotate(&self.rotation, local)
    }
}

pub fn add(a: Vector, b: Vector) -> Vector {
    std::array::from_fn(|i| a[i] + b[i])
}

pub fn subtract(a: Vector, b: Vector) -> Vector {
    std::array::from_fn(|i| a[i] - b[i])
}

pub fn scale(a: Vector, factor: f64) -> Vector {
    a.map(|x| x * factor)
}

pub fn dot(a: Vector, b: Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub fn cross(a: Vector, b: Vector) -> Vector {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

pub fn norm(a: Vector) -> f64 {
    dot(a, a).sqrt()
}

/// Returns the unit vector along a vector; `None` for a zero vector.
pub fn direction(a: Vector) -> Option<Vector> {
    let length = norm(a);
    (length > 1e-12).then(|| scale(a, 1.0 / length))
}

pub fn rotate(m: &Matrix, a: Vector) -> Vector {
    m.map(|row| dot(row, a))
}

pub fn transpose(m: &Matrix) -> Matrix {
    std::array::from_fn(|i| std::array::from_fn(|j| m[j][i]))
}

pub fn product(a: &Matrix, b: &Matrix) -> Matrix {
    let columns = transpose(b);
    a.map(|row| columns.map(|column| dot(row, column)))
}

/// Returns a tensor in the axes of the outer frame, R·I·Rᵀ.
pub fn rotate_tensor(rotation: &Matrix, tensor: &Matrix) -> Matrix {
    product(&product(rotation, tensor), &transpose(rotation))
}

/// Returns the rotation of a quaternion (w, x, y, z) of any length.
pub fn quaternion(q: [f64; 4]) -> Matrix {
    let length = q.iter().map(|x| x * x).sum::<f64>().sqrt();
    if !(length > 1e-12) {
        return IDENTITY;
    }
    let [w, x, y, z] = q.map(|part| part / length);
    [
        [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)],
        [2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)],
        [2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)],
    ]
}

/// Returns the rotation about an axis by an angle (rad).
pub fn axis_angle(axis: Vector, angle: f64) -> Matrix {
    let Some(axis) = direction(axis) else { return IDENTITY };
    let half = 0.5 * angle;
    let [x, y, z] = scale(axis, half.sin());
    quaternion([half.cos(), x, y, z])
}

/// Returns the rotation of roll, pitch and yaw (rad) about fixed axes, as used by URDF and SDF.
pub fn roll_pitch_yaw([roll, pitch, yaw]: Vector) -> Matrix {
    let x = axis_angle([1.0, 0.0, 0.0], roll);
    let y = axis_angle([0.0, 1.0, 0.0], pitch);
    product(&axis_angle([0.0, 0.0, 1.0], yaw), &product(&y, &x))
}

/// Returns the product of three successive rotations (rad): lower-case letters denote rotating axes, capitals fixed
/// axes.
pub fn euler(sequence: &str, angles: Vector) -> Matrix {
    sequence.chars().zip(angles).fold(IDENTITY, |so_far, (letter, angle)| {
        let axis = match letter.to_ascii_lowercase() {
            'x' => [1.0, 0.0, 0.0],
            'y' => [0.0, 1.0, 0.0],
            _ => [0.0, 0.0, 1.0],
        };
        let turn = axis_angle(axis, angle);
        match letter.is_ascii_lowercase() {
            true => product(&so_far, &turn),
            false => product(&turn, &so_far),
        }
    })
}

/// Returns the shortest rotation that maps the z axis onto a direction.
pub fn z_onto(target: Vector) -> Matrix {
    let Some(target) = direction(target) else { return IDENTITY };
    let z = [0.0, 0.0, 1.0];
    match direction(cross(z, target)) {
        Some(axis) => axis_angle(axis, dot(z, target).clamp(-1.0, 1.0).acos()),
        None if target[2] < 0.0 => axis_angle([1.0, 0.0, 0.0], std::f64::consts::PI),
        None => IDENTITY,
    }
}

/// Returns the rotation whose x axis is along `x` and whose y axis lies in the plane of `x` and `y`.
pub fn from_axes(x: Vector, y: Vector) -> Matrix {
    let Some(x) = direction(x) else { return IDENTITY };
    let Some(y) = direction(subtract(y, scale(x, dot(x, y)))) else { return IDENTITY };
    transpose(&[x, y, cross(x, y)])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(a: Vector, b: Vector) {
        assert!(norm(subtract(a, b)) < 1e-12, "{a:?} is not {b:?}");
    }

    #[test]
    fn rotations_turn_as_they_are_written() {
        let right = std::f64::consts::FRAC_PI_2;
        near(rotate(&axis_angle([0.0, 0.0, 2.0], right), [1.0, 0.0, 0.0]), [0.0, 1.0, 0.0]);
        near(rotate(&roll_pitch_yaw([right, 0.0, right]), [0.0, 1.0, 0.0]), [0.0, 0.0, 1.0]);
        near(rotate(&euler("xyz", [right, 0.0, right]), [1.0, 0.0, 0.0]), [0.0, 0.0, 1.0]);
        near(rotate(&euler("XYZ", [right, 0.0, right]), [1.0, 0.0, 0.0]), [0.0, 1.0, 0.0]);
        near(rotate(&z_onto([0.0, -3.0, 0.0]), [0.0, 0.0, 1.0]), [0.0, -1.0, 0.0]);
    }
}
