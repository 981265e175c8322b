// Vectors as [x, y, z], rotations as unit quaternions [w, x, y, z].

export const add = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
export const sub = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const times = (a, s) => [a[0] * s, a[1] * s, a[2] * s];
export const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
export const size = (a) => Math.hypot(a[0], a[1], a[2]);
export const mix = (a, b, s) => a.map((x, i) => x + s * (b[i] - x));

/** Unit vector in the direction of v; `or` for a zero vector. */
export function unit(a, or = [0, 0, 1]) {
  const length = size(a);
  return length > 0 ? times(a, 1 / length) : or;
}

/** v turned by q. */
export function turn([w, x, y, z], v) {
  const t = [2 * (y * v[2] - z * v[1]), 2 * (z * v[0] - x * v[2]), 2 * (x * v[1] - y * v[0])];
  return [
    v[0] + w * t[0] + y * t[2] - z * t[1],
    v[1] + w * t[1] + z * t[0] - x * t[2],
    v[2] + w * t[2] + x * t[1] - y * t[0],
  ];
}

/** The inverse of a rotation. */
export const conjugate = ([w, x, y, z]) => [w, -x, -y, -z];

/** A point of a body in the world. */
export const place = (pose, point) => add(pose.x, turn(pose.q, point));

/** Two unit vectors perpendicular to a unit vector. */
export function across(n) {
  const helper = Math.abs(n[0]) < 0.6 ? [1, 0, 0] : [0, 1, 0];
  const u = unit(cross(n, helper));
  return [u, cross(n, u)];
}

/** Spherical linear interpolation of two rotations along the shorter arc. */
export function slerp(a, b, s) {
  let cosine = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
  const sign = cosine < 0 ? -1 : 1;
  cosine = Math.min(Math.abs(cosine), 1);
  let [one, two] = [1 - s, s];
  const angle = Math.acos(cosine);
  if (angle > 1e-4) {
    one = Math.sin(one * angle) / Math.sin(angle);
    two = Math.sin(two * angle) / Math.sin(angle);
  }
  const q = a.map((x, i) => one * x + sign * two * b[i]);
  const length = Math.hypot(...q) || 1;
  return q.map((x) => x / length);
}

/** The largest of 1, 2, 5 times a power of ten that is not above. */
export function round(value) {
  const power = 10 ** Math.floor(Math.log10(value));
  return power * ([5, 2, 1].find((digit) => digit * power <= value * 1.0001) ?? 1);
}
