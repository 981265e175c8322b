// Shapes as flat faces in the axes of their body. Round shapes have a pattern that makes rotation visible.

import { add, cross, dot, place, turn } from "./space.js";

/** Largest distance of a point of a shape from its origin. */
export function reach({ shape, radius, half, halves, points }) {
  if (shape === "half-space") return Infinity;
  if (points) return Math.max(...points.map((p) => Math.hypot(...p)));
  if (halves) return shape === "ellipsoid" ? Math.max(...halves) : Math.hypot(...halves);
  if (shape === "capsule") return radius + half;
  return Math.hypot(radius, half ?? 0);
}

/**
 * The faces of a shape, with corners as numbers of `points`, each of which is there once. `detail` is the number of
 * segments around, `patch` how much of a plane is shown.
 */
export function mesh(shape, detail, patch) {
  const own = MAKERS[shape.shape]?.(shape, detail, patch) ?? [];
  const pose = { x: shape.position, q: shape.rotation };
  const size = Number.isFinite(reach(shape)) ? reach(shape) : patch;
  const points = [];
  const known = new Map();
  const corner = (point) => {
    const key = point.map((x) => Math.round((1e7 * x) / size)).join();
    if (!known.has(key)) known.set(key, points.push(place(pose, point)) - 1);
    return known.get(key);
  };
  const faces = own.map((face) => ({
    corners: face.points.map(corner), tone: face.tone, normal: turn(shape.rotation, face.normal), centre: place(pose, middle(face.points)),
  }));
  return { points, faces };
}

const MAKERS = {
  sphere: ({ radius }, n) => lathe(arc(radius, 0, 0, Math.PI, n / 2), n),
  ellipsoid: ({ halves: [a, b, c] }, n) => lathe(arc(1, 0, 0, Math.PI, n / 2), n, { scale: [a, b, c] }),
  capsule: ({ radius, half }, n) =>
    lathe([...arc(radius, half, 0, Math.PI / 2, n / 4), ...arc(radius, -half, Math.PI / 2, Math.PI, n / 4)], n),
  cylinder: ({ radius, half }, n) => lathe([[0, half], [radius, half], [radius, -half], [0, -half]], n),
  // The wall of a bore, with a ring of material around it.
  bore: ({ radius, half }, n) => {
    const outer = 1.3 * radius;
    return lathe([[radius, -half], [radius, half], [outer, half], [outer, -half], [radius, -half]], n, { plain: true });
  },
  // The far half, seen from inside.
  socket: ({ radius }, n) => lathe(arc(radius, 0, Math.PI, 0, n / 2), n, { plain: true }),
  box: ({ halves }) => block(halves, 2),
  hull: ({ points, faces: triangles }) => triangles.map((three) => flat(three.map((i) => points[i]), 0)),
  "half-space": (_, n, patch) => {
    const thick = 0.06 * patch;
    return block([patch, patch, thick / 2], 6).map((face) => ({ ...face, points: face.points.map((p) => add(p, [0, 0, -thick / 2])) }));
  },
};

function middle(points) {
  return points.reduce((sum, p) => add(sum, p), [0, 0, 0]).map((x) => x / points.length);
}

/** A face, seen counter-clockwise from outside (Newell's normal). */
function flat(points, tone) {
  let normal = [0, 0, 0];
  points.forEach((p, i) => (normal = add(normal, cross(p, points[(i + 1) % points.length]))));
  const length = Math.sqrt(dot(normal, normal)) || 1;
  return { points, tone, normal: normal.map((x) => x / length) };
}

/** Part of a circle about z = height, as [distance from the axis, height]; angles from the axis. */
function arc(radius, height, from, to, steps) {
  const count = Math.max(2, Math.round(steps));
  return Array.from({ length: count + 1 }, (_, i) => {
    const angle = from + ((to - from) * i) / count;
    return [Math.abs(radius * Math.sin(angle)), height + radius * Math.cos(angle)];
  });
}

/** Surface of revolution of a profile about z. */
function lathe(profile, n, { scale = [1, 1, 1], plain = false } = {}) {
  const at = ([r, z], j) => [r * Math.cos((2 * Math.PI * j) / n) * scale[0], r * Math.sin((2 * Math.PI * j) / n) * scale[1], z * scale[2]];
  const made = [];
  for (let k = 0; k + 1 < profile.length; k++) {
    for (let j = 0; j < n; j++) {
      const corners = [at(profile[k], j), at(profile[k + 1], j), at(profile[k + 1], j + 1), at(profile[k], j + 1)];
      const upper = profile[k][1] + profile[k + 1][1] > 0 ? 1 : 0;
      made.push(flat(corners, plain ? 0 : (Math.floor((4 * j) / n) + upper) % 2));
    }
  }
  return made;
}

/** A block about its centre; faces are subdivided so that sorting by depth works better. */
function block([a, b, c], parts) {
  const made = [];
  const sides = [[[a, 0, 0], [0, b, 0], [0, 0, c]], [[0, b, 0], [0, 0, c], [a, 0, 0]], [[0, 0, c], [a, 0, 0], [0, b, 0]]];
  for (const [out, u, v] of sides) {
    for (const sign of [1, -1]) {
      const at = (i, j) => out.map((x, k) => sign * x + ((2 * i) / parts - 1) * sign * u[k] + ((2 * j) / parts - 1) * v[k]);
      for (let i = 0; i < parts; i++) {
        for (let j = 0; j < parts; j++) made.push(flat([at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)], 0));
      }
    }
  }
  return made;
}
