//! Vectors, rotations and matrices in space, as far as rigid bodies need them.
//!
//! All types are plain numbers on the stack. A rotation is a unit quaternion q that transforms vectors from body coordinates
//! to world coordinates. During integration its norm deviates from one by rounding, so a quaternion is normalised when it is
//! read.

use serde::{Deserialize, Serialize};
use std::ops::{Add, AddAssign, Index, Mul, Neg, Sub, SubAssign};

/// A vector in space.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Vec3 {
    /// Component along the first axis.
    pub x: f64,
    /// Component along the second axis.
    pub y: f64,
    /// Component along the third axis.
    pub z: f64,
}

impl Vec3 {
    /// Zero vector.
    pub const ZERO: Self = Self::new(0.0, 0.0, 0.0);
    /// Unit vector along the first axis.
    pub const X: Self = Self::new(1.0, 0.0, 0.0);
    /// Unit vector along the second axis.
    pub const Y: Self = Self::new(0.0, 1.0, 0.0);
    /// Unit vector along the third axis.
    pub const Z: Self = Self::new(0.0, 0.0, 1.0);

    /// Creates a vector from its components.
    pub const fn new(x: f64, y: f64, z: f64) -> Self {
        Self { x, y, z }
    }

    /// Creates a vector whose components are all equal.
    pub const fn splat(value: f64) -> Self {
        Self::new(value, value, value)
    }

    /// Returns the componentwise minimum.
    pub fn min(self, other: Self) -> Self {
        Self::new(self.x.min(other.x), self.y.min(other.y), self.z.min(other.z))
    }

    /// Returns the componentwise maximum.
    pub fn max(self, other: Self) -> Self {
        Self::new(self.x.max(other.x), self.y.max(other.y), self.z.max(other.z))
    }

    /// Reads three numbers, from the index `at` on.
    #[inline]
    pub fn read(from: &[f64], at: usize) -> Self {
        // One bounds check instead of three.
        let from = &from[at..at + 3];
        Self::new(from[0], from[1], from[2])
    }

    /// Writes three numbers, from the index `at` on.
    #[inline]
    pub fn write(self, to: &mut [f64], at: usize) {
        let to = &mut to[at..at + 3];
        (to[0], to[1], to[2]) = (self.x, self.y, self.z);
    }

    /// Returns the scalar product.
    #[inline]
    pub fn dot(self, other: Self) -> f64 {
        self.x * other.x + self.y * other.y + self.z * other.z
    }

    /// Returns the vector product.
    #[inline]
    pub fn cross(self, other: Self) -> Self {
        Self::new(
            self.y * other.z - self.z * other.y,
            self.z * other.x - self.x * other.z,
            self.x * other.y - self.y * other.x,
        )
    }

    /// Returns the Euclidean length.
    #[inline]
    pub fn length(self) -> f64 {
        self.dot(self).sqrt()
    }

    /// Returns the unit vector of the same direction; none if the length is zero or not finite.
    #[inline]
    pub fn unit(self) -> Option<Self> {
        let length = self.length();
        (length > 0.0 && length.is_finite()).then(|| self * (1.0 / length))
    }

    /// Returns the component perpendicular to a unit vector.
    #[inline]
    pub fn perpendicular_to(self, unit: Self) -> Self {
        self - unit * self.dot(unit)
    }

    /// Returns two unit vectors that complete this unit vector to a right-handed frame (self, first, second).
    pub fn frame(self) -> (Self, Self) {
        // Start from the axis that is most nearly perpendicular to the vector.
        let (x, y, z) = (self.x.abs(), self.y.abs(), self.z.abs());
        let axis = if x <= y && x <= z {
            Self::X
        } else if y <= z {
            Self::Y
        } else {
            Self::Z
        };
        let first = axis.perpendicular_to(self).unit().unwrap_or(Self::X);
        (first, self.cross(first))
    }

    /// Returns the componentwise product.
    pub fn scaled(self, by: Self) -> Self {
        Self::new(self.x * by.x, self.y * by.y, self.z * by.z)
    }

    /// Returns the smallest component.
    pub fn least(self) -> f64 {
        self.x.min(self.y).min(self.z)
    }

    /// Returns the largest component.
    pub fn greatest(self) -> f64 {
        self.x.max(self.y).max(self.z)
    }

    /// Returns true if no component is NaN or infinite.
    pub fn is_finite(self) -> bool {
        self.x.is_finite() && self.y.is_finite() && self.z.is_finite()
    }
}

impl Add for Vec3 {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        Self::new(self.x + other.x, self.y + other.y, self.z + other.z)
    }
}

impl Sub for Vec3 {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        Self::new(self.x - other.x, self.y - other.y, self.z - other.z)
    }
}

impl Neg for Vec3 {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Self::new(-self.x, -self.y, -self.z)
    }
}

impl Mul<f64> for Vec3 {
    type Output = Self;
    #[inline]
    fn mul(self, by: f64) -> Self {
        Self::new(self.x * by, self.y * by, self.z * by)
    }
}

impl AddAssign for Vec3 {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl SubAssign for Vec3 {
    #[inline]
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

/// A rotation as a unit quaternion, from body coordinates to world coordinates.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Quat {
    /// Cosine of half the angle.
    pub w: f64,
    /// Axis times the sine of half the angle.
    pub v: Vec3,
}

impl Default for Quat {
    fn default() -> Self {
        Self::IDENTITY
    }
}

impl Quat {
    /// The identity, no rotation.
    pub const IDENTITY: Self = Self { w: 1.0, v: Vec3::ZERO };

    /// Creates a rotation about a unit axis by an angle (rad).
    ///
    /// ```
    /// use carom_world::math::{Quat, Vec3};
    /// let quarter = Quat::about(Vec3::Z, std::f64::consts::FRAC_PI_2);
    /// assert!((quarter.rotate(Vec3::X) - Vec3::Y).length() < 1e-15);
    /// ```
    pub fn about(axis: Vec3, angle: f64) -> Self {
        let (sin, cos) = (0.5 * angle).sin_cos();
        Self { w: cos, v: axis * sin }
    }

    /// Returns the shortest rotation that takes one unit vector to another.
    pub fn between(from: Vec3, to: Vec3) -> Self {
        let w = 1.0 + from.dot(to);
        if w < 1e-12 {
            return Self { w: 0.0, v: from.frame().0 };
        }
        Self { w, v: from.cross(to) }.normalised()
    }

    /// Returns the rotation that takes two perpendicular directions to two others; all are unit vectors.
    pub fn from_two_axes([one, two]: [Vec3; 2], [to_one, to_two]: [Vec3; 2]) -> Self {
        let first = Self::between(one, to_one);
        let turned = first.rotate(two);
        let angle = to_one.dot(turned.cross(to_two)).atan2(turned.dot(to_two));
        Self::about(to_one, angle) * first
    }

    /// Reads four numbers, from the index `at` on, and normalises them.
    #[inline]
    pub fn read(from: &[f64], at: usize) -> Self {
        let from = &from[at..at + 4];
        Self::of([from[0], from[1], from[2], from[3]])
    }

    /// Creates a rotation from four numbers, which are normalised.
    #[inline]
    pub fn of([w, x, y, z]: [f64; 4]) -> Self {
        Self { w, v: Vec3::new(x, y, z) }.normalised()
    }

    /// Writes four numbers, from the index `at` on.
    #[inline]
    pub fn write(self, to: &mut [f64], at: usize) {
        let to = &mut to[at..at + 4];
        (to[0], to[1], to[2], to[3]) = (self.w, self.v.x, self.v.y, self.v.z);
    }

    /// Returns the quaternion divided by its norm; the identity if the norm is zero or not finite.
    #[inline]
    pub fn normalised(self) -> Self {
        let square = self.w * self.w + self.v.dot(self.v);
        if !(square > 0.0 && square.is_finite()) {
            return Self::IDENTITY;
        }
        let by = 1.0 / square.sqrt();
        Self { w: self.w * by, v: self.v * by }
    }

    /// Returns the inverse rotation.
    #[inline]
    pub fn inverse(self) -> Self {
        Self { w: self.w, v: -self.v }
    }

    /// Transforms a vector from body coordinates to world coordinates.
    #[inline]
    pub fn rotate(self, vector: Vec3) -> Vec3 {
        let twice = self.v.cross(vector) * 2.0;
        vector + twice * self.w + self.v.cross(twice)
    }

    /// Returns the three body axes in world coordinates, identical to the bit with those of [`Quat::turn`].
    #[inline]
    pub(crate) fn axes(self) -> [Vec3; 3] {
        let (w, Vec3 { x, y, z }, twice) = (self.w, self.v, self.v * 2.0);
        let squares = (x * twice.x, y * twice.y, z * twice.z);
        [
            Vec3::new(
                1.0 + (-squares.1 - squares.2),
                twice.z * w + x * twice.y,
                x * twice.z - twice.y * w,
            ),
            Vec3::new(
                y * twice.x - twice.z * w,
                1.0 + (-squares.2 - squares.0),
                twice.x * w + y * twice.z,
            ),
            Vec3::new(
                twice.y * w + z * twice.x,
                z * twice.y - twice.x * w,
                1.0 + (-squares.0 - squares.1),
            ),
        ]
    }

    /// Returns the third body axis in world coordinates.
    #[inline]
    pub fn third_axis(self) -> Vec3 {
        let Vec3 { x, y, z } = self.v;
        let w = self.w;
        Vec3::new(2.0 * (x * z + w * y), 2.0 * (y * z - w * x), 1.0 - 2.0 * (x * x + y * y))
    }

    /// Returns this rotation followed by one given as a rotation vector (axis times angle, in world coordinates).
    pub fn rotated_by(self, turned: Vec3) -> Self {
        match turned.unit() {
            Some(axis) => (Self::about(axis, turned.length()) * self).normalised(),
            None => self,
        }
    }

    /// Returns the time derivative for an angular velocity given in world coordinates, ½·(0, ω)·q.
    #[inline]
    pub fn rate(self, spin: Vec3) -> Self {
        let product = Self { w: 0.0, v: spin } * self;
        Self { w: 0.5 * product.w, v: product.v * 0.5 }
    }
}

impl From<Quat> for [f64; 4] {
    #[inline]
    fn from(q: Quat) -> Self {
        [q.w, q.v.x, q.v.y, q.v.z]
    }
}

impl From<Vec3> for [f64; 3] {
    #[inline]
    fn from(v: Vec3) -> Self {
        [v.x, v.y, v.z]
    }
}

impl Mul for Quat {
    type Output = Self;
    #[inline]
    fn mul(self, other: Self) -> Self {
        Self {
            w: self.w * other.w - self.v.dot(other.v),
            v: other.v * self.w + self.v * other.w + self.v.cross(other.v),
        }
    }
}

/// A 3×3 matrix, stored by rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Mat3(pub [Vec3; 3]);

impl Mat3 {
    /// Creates a diagonal matrix.
    pub fn diagonal(d: Vec3) -> Self {
        Self([Vec3::new(d.x, 0.0, 0.0), Vec3::new(0.0, d.y, 0.0), Vec3::new(0.0, 0.0, d.z)])
    }

    /// Returns the product with a column vector.
    #[inline]
    pub fn of(&self, v: Vec3) -> Vec3 {
        Vec3::new(self.0[0].dot(v), self.0[1].dot(v), self.0[2].dot(v))
    }

    /// Returns the eigenvalues of a symmetric matrix: for an inertia, the principal moments.
    pub fn principal_moments(&self) -> [f64; 3] {
        let [x, y, z] = self.0;
        if x.y == 0.0 && x.z == 0.0 && y.z == 0.0 {
            return [x.x, y.y, z.z];
        }
        let rows = self.0.map(|row| <[f64; 3]>::from(row).to_vec()).to_vec();
        let (values, _) = carom::numeric::linear::symmetric_eigen(rows);
        std::array::from_fn(|i| values.get(i).copied().unwrap_or(f64::NAN))
    }

    /// Returns the transpose.
    pub fn transposed(&self) -> Self {
        let [a, b, c] = self.0;
        Self([Vec3::new(a.x, b.x, c.x), Vec3::new(a.y, b.y, c.y), Vec3::new(a.z, b.z, c.z)])
    }

    /// Transforms a tensor from body coordinates to world coordinates, R·M·Rᵀ.
    #[inline]
    pub fn in_world_axes(&self, q: Quat) -> Self {
        // Rows of M·Rᵀ are R applied to the rows of M; the columns are then treated in the same way.
        let half = Self(self.0.map(|row| q.rotate(row))).transposed();
        Self(half.0.map(|row| q.rotate(row)))
    }

    /// Returns the inverse; none for a singular matrix.
    pub fn inverse(&self) -> Option<Self> {
        let [a, b, c] = self.0;
        let columns = [b.cross(c), c.cross(a), a.cross(b)];
        let determinant = a.dot(columns[0]);
        let by = 1.0 / determinant;
        by.is_finite().then(|| Self(columns.map(|column| column * by)).transposed())
    }
}

impl Index<usize> for Mat3 {
    type Output = Vec3;
    fn index(&self, row: usize) -> &Vec3 {
        &self.0[row]
    }
}

impl Add for Mat3 {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        let [a, b, c] = self.0;
        let [d, e, f] = other.0;
        Self([a + d, b + e, c + f])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rotations_compose_and_undo() {
        let (a, b) = (Quat::about(Vec3::X, 0.7), Quat::about(Vec3::new(0.6, 0.0, 0.8), -1.9));
        let v = Vec3::new(1.0, -2.0, 0.5);
        assert!(((a * b).rotate(v) - a.rotate(b.rotate(v))).length() < 1e-15);
        assert!((a.inverse().rotate(a.rotate(v)) - v).length() < 1e-15);
        assert!(((a * b).third_axis() - (a * b).rotate(Vec3::Z)).length() < 1e-15);
        assert_eq!((a * b).axes(), [Vec3::X, Vec3::Y, Vec3::Z].map(|axis| (a * b).rotate(axis)));
        let to = Vec3::new(-1.0, 0.0, 0.0);
        assert!((Quat::between(Vec3::X, to).rotate(Vec3::X) - to).length() < 1e-15);
    }

    #[test]
    fn a_tensor_turns_with_its_body() {
        let inertia =
            Mat3([Vec3::new(2.0, 0.1, 0.2), Vec3::new(0.1, 3.0, -0.3), Vec3::new(0.2, -0.3, 4.0)]);
        let q = Quat::about(Vec3::new(0.6, 0.0, 0.8), 1.1);
        let w = Vec3::new(0.3, -1.0, 2.0);
        let direct = q.rotate(inertia.of(q.inverse().rotate(w)));
        assert!((inertia.in_world_axes(q).of(w) - direct).length() < 1e-14);
        let inverse = inertia.inverse().unwrap();
        assert!((inverse.of(inertia.of(w)) - w).length() < 1e-14);
        assert!(Mat3::default().inverse().is_none());
    }

    #[test]
    fn a_frame_is_right_handed() {
        for v in [Vec3::X, Vec3::Y, Vec3::Z, Vec3::new(0.6, 0.0, -0.8)] {
            let (a, b) = v.frame();
            assert!((a.cross(b) - v).length() < 1e-15 && a.dot(v).abs() < 1e-15);
        }
    }
}
