//! Small dense linear algebra, for up to some dozens of unknowns, where simple loops are the fastest.
//!
//! | problem | here |
//! |---|---|
//! | A·x = b, A of fixed size | [`solve`], [`Lu`] for several right-hand sides |
//! | A·x = b, A of any size | [`DenseLu`] |
//! | S·x = b, S symmetric, positive semidefinite, perhaps singular, of any size | [`PivotedCholesky`] |
//! | C = L·Lᵀ, C symmetric, positive definite, of any size | `Cholesky` |
//! | min ‖J·x + r‖ | [`Triangle`], Householder's reduction |
//! | eigenvalues of a symmetric matrix | [`symmetric_eigen`] |

/// LU decomposition with row exchanges of the first `size` rows and columns of a matrix.
#[derive(Clone, Copy, Debug)]
pub struct Lu<const N: usize> {
    factors: [[f64; N]; N],
    /// Row with which row k was exchanged.
    exchanges: [usize; N],
    size: usize,
}

impl<const N: usize> Lu<N> {
    /// Decomposes the leading `size` × `size` part of a matrix.
    pub fn new(mut a: [[f64; N]; N], size: usize) -> Self {
        let size = size.min(N);
        let mut exchanges = [0; N];
        for k in 0..size {
            let pivot = (k..size).max_by(|&i, &j| a[i][k].abs().total_cmp(&a[j][k].abs()));
            let pivot = pivot.unwrap_or(k);
            exchanges[k] = pivot;
            a.swap(k, pivot);
            if a[k][k] == 0.0 {
                continue;
            }
            for i in k + 1..size {
                let factor = a[i][k] / a[k][k];
                a[i][k] = factor;
                for j in k + 1..size {
                    a[i][j] -= factor * a[k][j];
                }
            }
        }
        Self { factors: a, exchanges, size }
    }

    /// Solves A·x = b in place. An unknown without a pivot (if A is singular) is set to 0.
    pub fn solve(&self, b: &mut [f64; N]) {
        let (a, size) = (&self.factors, self.size);
        for k in 0..size {
            b.swap(k, self.exchanges[k]);
        }
        for i in 0..size {
            for j in 0..i {
                b[i] -= a[i][j] * b[j];
            }
        }
        for i in (0..size).rev() {
            for j in i + 1..size {
                b[i] -= a[i][j] * b[j];
            }
            b[i] = if a[i][i] == 0.0 { 0.0 } else { b[i] / a[i][i] };
        }
    }
}

/// Solves A·x = b by elimination with row exchanges; an unknown without a pivot is set to 0.
///
/// ```
/// let x = carom::numeric::linear::solve([[0.0, 2.0], [1.0, 1.0]], [4.0, 5.0]);
/// assert_eq!(x, [3.0, 2.0]);
/// ```
pub fn solve<const N: usize>(a: [[f64; N]; N], mut b: [f64; N]) -> [f64; N] {
    Lu::new(a, N).solve(&mut b);
    b
}

/// LU decomposition with row exchanges of a matrix whose size is known at run time. The memory is reused.
///
/// ```
/// use carom::numeric::linear::DenseLu;
/// let mut factor = DenseLu::default();
/// factor.matrix(2).copy_from_slice(&[0.0, 2.0, 1.0, 1.0]);
/// factor.decompose();
/// let mut x = [4.0, 5.0];
/// factor.solve(&mut x);
/// assert_eq!(x, [3.0, 2.0]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct DenseLu {
    n: usize,
    /// Matrix by rows; after the decomposition its factors.
    a: Vec<f64>,
    /// Row with which row k was exchanged.
    exchanges: Vec<usize>,
}

impl DenseLu {
    /// Reserves memory for matrices of up to n × n.
    pub fn reserve(&mut self, n: usize) {
        self.a.reserve((n * n).saturating_sub(self.a.len()));
        self.exchanges.reserve(n.saturating_sub(self.exchanges.len()));
    }

    /// Returns the n × n matrix, by rows and initially zero, to be filled in.
    pub fn matrix(&mut self, n: usize) -> &mut [f64] {
        self.n = n;
        self.a.clear();
        self.a.resize(n * n, 0.0);
        &mut self.a
    }

    /// Returns the elements of the matrix as filled in so far, by rows.
    pub fn entries(&mut self) -> &mut [f64] {
        &mut self.a
    }

    /// Decomposes the matrix.
    pub fn decompose(&mut self) {
        let (n, a) = (self.n, &mut self.a);
        self.exchanges.clear();
        for k in 0..n {
            let mut pivot = k;
            for i in k + 1..n {
                if a[i * n + k].abs() > a[pivot * n + k].abs() {
                    pivot = i;
                }
            }
            self.exchanges.push(pivot);
            if pivot != k {
                for j in 0..n {
                    a.swap(k * n + j, pivot * n + j);
                }
            }
            let (upper, lower) = a.split_at_mut((k + 1) * n);
            let row = &upper[k * n..];
            if row[k] == 0.0 {
                continue;
            }
            for other in lower.chunks_exact_mut(n) {
                let factor = other[k] / row[k];
                other[k] = factor;
                if factor != 0.0 {
                    for (other, row) in other[k + 1..].iter_mut().zip(&row[k + 1..]) {
                        *other -= factor * row;
                    }
                }
            }
        }
    }

    /// Solves A·x = b in place. An unknown without a pivot (if A is singular) is set to 0.
    pub fn solve(&self, b: &mut [f64]) {
        let (n, a) = (self.n, &self.a);
        for (k, &other) in self.exchanges.iter().enumerate() {
            b.swap(k, other);
        }
        for i in 0..n {
            let sum: f64 = a[i * n..i * n + i].iter().zip(&*b).map(|(a, b)| a * b).sum();
            b[i] -= sum;
        }
        for i in (0..n).rev() {
            let row = &a[i * n..(i + 1) * n];
            let sum: f64 = row[i + 1..].iter().zip(&b[i + 1..n]).map(|(a, b)| a * b).sum();
            b[i] = if row[i] == 0.0 { 0.0 } else { (b[i] - sum) / row[i] };
        }
    }
}

/// Cholesky decomposition with diagonal pivoting of a symmetric, positive semidefinite matrix.
///
/// Pivoting reveals the rank: the pivot of a row that depends on others is of the size of rounding errors, and its
/// unknown is set to 0. The memory is reused, so that matrices of the same size are decomposed without allocation.
///
/// ```
/// use carom::numeric::linear::PivotedCholesky;
/// let mut factor = PivotedCholesky::default();
/// // The third row is the sum of the others.
/// factor.matrix(3).copy_from_slice(&[2.0, 1.0, 3.0, 1.0, 2.0, 3.0, 3.0, 3.0, 6.0]);
/// factor.decompose(1e-12);
/// assert_eq!(factor.rank(), 2);
/// let mut x = [3.0, 3.0, 6.0];
/// factor.solve(&mut x);
/// assert!((2.0 * x[0] + x[1] + 3.0 * x[2] - 3.0).abs() < 1e-14);
/// ```
#[derive(Clone, Debug, Default)]
pub struct PivotedCholesky {
    n: usize,
    /// Lower triangle of the matrix by rows; after the decomposition its factor, with rows and columns in the order
    /// of `order`.
    lower: Vec<f64>,
    order: Vec<usize>,
    rank: usize,
    nonzero: usize,
    work: Vec<f64>,
}

impl PivotedCholesky {
    /// Returns the n × n matrix, by rows and initially zero, to be filled in. Only its lower triangle is read.
    pub fn matrix(&mut self, n: usize) -> &mut [f64] {
        self.n = n;
        self.lower.clear();
        self.lower.resize(n * n, 0.0);
        &mut self.lower
    }

    /// Decomposes the matrix. Pivots up to `rounding` times the largest diagonal element are regarded as zero.
    pub fn decompose(&mut self, rounding: f64) {
        let n = self.n;
        let (s, column) = (&mut self.lower, &mut self.work);
        self.order.clear();
        self.order.extend(0..n);
        let largest = (0..n).map(|i| s[i * n + i]).fold(0.0, f64::max);
        self.nonzero = (0..n).filter(|&i| s[i * n + i] > rounding * largest).count();
        self.rank = n;
        for k in 0..n {
            let mut pivot = k;
            for i in k + 1..n {
                if s[i * n + i] > s[pivot * n + pivot] {
                    pivot = i;
                }
            }
            if !(s[pivot * n + pivot] > rounding * largest) {
                self.rank = k;
                return;
            }
            if pivot != k {
                self.order.swap(k, pivot);
                swap_in_lower(s, n, k, pivot);
            }
            let root = s[k * n + k].sqrt();
            s[k * n + k] = root;
            // Divides the column below the pivot by the root and subtracts its products from the remaining matrix.
            column.clear();
            for i in k + 1..n {
                let row = &mut s[i * n + k..=i * n + i];
                let by = row[0] / root;
                row[0] = by;
                column.push(by);
                for (element, other) in row[1..].iter_mut().zip(column.iter()) {
                    *element -= by * other;
                }
            }
        }
    }

    /// Returns the number of independent rows.
    pub fn rank(&self) -> usize {
        self.rank
    }

    /// Returns the number of rows whose diagonal element is not zero.
    pub fn nonzero_rows(&self) -> usize {
        self.nonzero
    }

    /// Solves S·x = b in place; unknowns without a pivot are set to 0.
    pub fn solve(&mut self, b: &mut [f64]) {
        let (n, rank) = (self.n, self.rank);
        self.work.clear();
        self.work.extend(self.order.iter().map(|&i| b[i]));
        let (x, l) = (&mut self.work, &self.lower);
        for i in 0..rank {
            let mut sum = x[i];
            let row = &l[i * n..=i * n + i];
            for (element, x) in row.iter().zip(&x[..i]) {
                sum -= element * x;
            }
            x[i] = sum / row[i];
        }
        for i in (0..rank).rev() {
            let mut sum = x[i];
            for j in i + 1..rank {
                sum -= l[j * n + i] * x[j];
            }
            x[i] = sum / l[i * n + i];
        }
        for (k, &i) in self.order.iter().enumerate() {
            b[i] = if k < rank { x[k] } else { 0.0 };
        }
    }
}

/// Exchanges rows and columns `a` and `b` (`a` < `b`) of a symmetric matrix whose lower triangle is stored in rows of
/// length n.
fn swap_in_lower(s: &mut [f64], n: usize, a: usize, b: usize) {
    let (before, row_b) = s.split_at_mut(b * n);
    before[a * n..a * n + a].swap_with_slice(&mut row_b[..a]);
    std::mem::swap(&mut before[a * n + a], &mut row_b[b]);
    for i in a + 1..b {
        std::mem::swap(&mut before[i * n + a], &mut row_b[i]);
    }
    for i in b + 1..n {
        s.swap(i * n + a, i * n + b);
    }
}

/// Cholesky decomposition C = L·Lᵀ of a symmetric matrix, stored as the rows of L.
#[derive(Clone, Debug)]
pub(crate) struct Cholesky(Vec<Vec<f64>>);

impl Cholesky {
    /// Decomposes a matrix whose lower half is given. `pivot` receives the reduced diagonal element and the original
    /// one, and returns the pivot or an error.
    pub fn of<E>(
        mut matrix: Vec<Vec<f64>>,
        pivot: impl Fn(f64, f64) -> Result<f64, E>,
    ) -> Result<Self, E> {
        for i in 0..matrix.len() {
            for j in 0..=i {
                let sum: f64 = (0..j).map(|k| matrix[i][k] * matrix[j][k]).sum();
                let left = matrix[i][j] - sum;
                matrix[i][j] = match i == j {
                    true => pivot(left, matrix[i][i])?.sqrt(),
                    false => left / matrix[j][j],
                };
            }
        }
        Ok(Self(matrix))
    }

    /// Computes L⁻¹·b.
    pub fn forward(&self, b: &[f64]) -> Vec<f64> {
        let mut x = b.to_vec();
        for i in 0..x.len() {
            let sum: f64 = (0..i).map(|k| self.0[i][k] * x[k]).sum();
            x[i] = (x[i] - sum) / self.0[i][i];
        }
        x
    }

    /// Computes C⁻¹·b.
    pub fn solve(&self, b: &[f64]) -> Vec<f64> {
        let mut x = self.forward(b);
        for i in (0..x.len()).rev() {
            let sum: f64 = (i + 1..x.len()).map(|k| self.0[k][i] * x[k]).sum();
            x[i] = (x[i] - sum) / self.0[i][i];
        }
        x
    }
}

/// A least-squares problem min ‖J·x + r‖ reduced to upper triangular form: ‖J·x + r‖² = ‖R·x + b‖² + constant.
///
/// ```
/// use carom::numeric::linear::Triangle;
/// // A line a + b·t through (0, 1), (1, 3), (2, 5).
/// let triangle = Triangle::reduce(vec![vec![1.0; 3], vec![0.0, 1.0, 2.0]], vec![-1.0, -3.0, -5.0]);
/// let x = triangle.minimum();
/// assert!((x[0] - 1.0).abs() < 1e-14 && (x[1] - 2.0).abs() < 1e-14);
/// ```
#[derive(Clone, Debug)]
pub struct Triangle {
    /// R by rows; zero below the diagonal.
    pub rows: Vec<Vec<f64>>,
    /// Right-hand side b.
    pub right: Vec<f64>,
}

impl Triangle {
    /// Reduces the columns of J and the residuals r, all of the same length, by Householder reflections.
    pub fn reduce(mut columns: Vec<Vec<f64>>, residuals: Vec<f64>) -> Self {
        let (n, length) = (columns.len(), residuals.len());
        columns.push(residuals);
        for k in 0..n.min(length) {
            let norm = columns[k][k..].iter().map(|x| x * x).sum::<f64>().sqrt();
            if norm == 0.0 {
                continue;
            }
            let alpha = if columns[k][k] > 0.0 { -norm } else { norm };
            let mut reflector = columns[k][k..].to_vec();
            reflector[0] -= alpha;
            let square: f64 = reflector.iter().map(|x| x * x).sum();
            for column in columns.iter_mut().skip(k) {
                let dot: f64 = column[k..].iter().zip(&reflector).map(|(a, b)| a * b).sum();
                let factor = 2.0 * dot / square;
                for (x, v) in column[k..].iter_mut().zip(&reflector) {
                    *x -= factor * v;
                }
            }
        }
        let right = columns.pop().unwrap_or_default();
        let right = (0..n).map(|i| right.get(i).copied().unwrap_or(0.0)).collect();
        let mut rows = vec![vec![0.0; n]; n];
        for (j, column) in columns.iter().enumerate() {
            for i in 0..=j.min(length.saturating_sub(1)) {
                rows[i][j] = column[i];
            }
        }
        Self { rows, right }
    }

    /// Computes the x that minimises ‖R·x + b‖; an unknown that is not determined (a zero on the diagonal) is set to
    /// 0.
    pub fn minimum(&self) -> Vec<f64> {
        let n = self.rows.len();
        let mut x = vec![0.0; n];
        for i in (0..n).rev() {
            let known: f64 = (i + 1..n).map(|j| self.rows[i][j] * x[j]).sum();
            if self.rows[i][i] != 0.0 {
                x[i] = (-self.right[i] - known) / self.rows[i][i];
            }
        }
        x
    }

    /// Computes the norms of the columns of R, which equal those of J.
    pub fn column_norms(&self) -> Vec<f64> {
        let norm = |j: usize| (0..=j).map(|i| self.rows[i][j].powi(2)).sum::<f64>().sqrt();
        (0..self.rows.len()).map(norm).collect()
    }
}

/// Computes the eigenvalues and eigenvectors (in columns) of a symmetric matrix by Jacobi rotations.
///
/// ```
/// let (values, vectors) = carom::numeric::linear::symmetric_eigen(vec![vec![2.0, 1.0], vec![1.0, 2.0]]);
/// let largest = if values[0] > values[1] { 0 } else { 1 };
/// assert!((values[largest] - 3.0).abs() < 1e-12);
/// assert!((vectors[0][largest] - vectors[1][largest]).abs() < 1e-12);
/// ```
pub fn symmetric_eigen(mut a: Vec<Vec<f64>>) -> (Vec<f64>, Vec<Vec<f64>>) {
    let n = a.len();
    let mut v: Vec<Vec<f64>> =
        (0..n).map(|i| (0..n).map(|j| if i == j { 1.0 } else { 0.0 }).collect()).collect();
    for _ in 0..60 {
        let off: f64 =
            (0..n).flat_map(|i| (0..i).map(move |j| (i, j))).map(|(i, j)| a[i][j].powi(2)).sum();
        if off < 1e-30 {
            break;
        }
        for p in 0..n {
            for q in p + 1..n {
                if a[p][q] == 0.0 {
                    continue;
                }
                let theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
                let t = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
                let t = if theta == 0.0 { 1.0 } else { t };
                let c = 1.0 / (t * t + 1.0).sqrt();
                let s = t * c;
                for k in 0..n {
                    let (x, y) = (a[k][p], a[k][q]);
                    (a[k][p], a[k][q]) = (c * x - s * y, s * x + c * y);
                }
                for k in 0..n {
                    let (x, y) = (a[p][k], a[q][k]);
                    (a[p][k], a[q][k]) = (c * x - s * y, s * x + c * y);
                }
                for row in &mut v {
                    let (x, y) = (row[p], row[q]);
                    (row[p], row[q]) = (c * x - s * y, s * x + c * y);
                }
            }
        }
    }
    ((0..n).map(|i| a[i][i]).collect(), v)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_singular_matrix_leaves_its_direction_alone() {
        assert_eq!(solve([[1.0, 0.0], [2.0, 0.0]], [3.0, 6.0]), [3.0, 0.0]);
    }

    #[test]
    fn several_right_hand_sides_and_a_leading_part() {
        let a = [[4.0, -2.0, 9.0], [1.0, 3.0, 9.0], [9.0, 9.0, 9.0]];
        let lu = Lu::new(a, 2);
        for x in [[1.0, 2.0], [-3.0, 0.5]] {
            let mut b = [4.0 * x[0] - 2.0 * x[1], x[0] + 3.0 * x[1], 7.0];
            lu.solve(&mut b);
            assert!((b[0] - x[0]).abs() < 1e-15 && (b[1] - x[1]).abs() < 1e-15 && b[2] == 7.0);
        }
    }

    #[test]
    fn the_triangle_is_the_cholesky_factor() {
        let t: Vec<f64> = (0..20).map(f64::from).collect();
        let r = t.iter().map(|t| -(3.0 + 2.0 * t)).collect();
        let triangle = Triangle::reduce(vec![vec![1.0; 20], t.clone()], r);
        let x = triangle.minimum();
        assert!((x[0] - 3.0).abs() < 1e-12 && (x[1] - 2.0).abs() < 1e-13, "{x:?}");
        let square = triangle.column_norms()[1].powi(2);
        assert!((square - t.iter().map(|t| t * t).sum::<f64>()).abs() < 1e-9);
    }
}
