// The ground: fixed planes with a grid, and the shadows of bodies that touch them or are near.

import { reach } from "./solids.js";
import { across, add, cross, dot, place, round, size, sub, times, turn, unit } from "./space.js";

/** Rings in which the ground fades out, the first at this share of its radius, and the corners of one. */
const RINGS = 14;
const FADES_FROM = 0.45;
const CORNERS = 48;
/** A plane that is seen at a smaller angle than this (sine) is a line with what lies below it. */
const EDGE_ON = 0.02;
/** How dark the shadow of a body that touches is, in how many layers that of a flat one is drawn, and how many bodies have one. */
const SHADOW = 0.5;
const LAYERS = 9;
const MAX_SHADOWS = 300;
/** Points of a shape that make the outline of its shadow, at most. */
const OUTLINE = 80;

/** The fixed planes at an instant: a point below the middle of the scene, the normal, two directions within. */
function planes(stage, poses) {
  return stage.film.bodies.flatMap((_, body) => stage.solids[body].filter(({ ground }) => ground).map(({ shape }) => {
    const normal = turn(poses[body].q, turn(shape.rotation, [0, 0, 1]));
    const [u, v] = Math.abs(dot(normal, [0, 0, 1])) > 0.99 ? [[1, 0, 0], cross(normal, [1, 0, 0])] : across(normal);
    return { point: place(poses[body], shape.position), normal, u, v };
  }));
}

/** Draws the ground and the shadows on it. */
export function drawGround(stage, poses) {
  const found = planes(stage, poses);
  const far = ({ point }) => stage.camera.project(point)?.[2] ?? -Infinity;
  for (const plane of found.sort((a, b) => far(a) - far(b))) {
    if (Math.abs(dot(plane.normal, unit(stage.camera.towards(plane.point)))) < EDGE_ON) drawEdgeOn(stage, plane);
    else {
      drawDisc(stage, plane);
      drawGrid(stage, plane);
      drawShadows(stage, poses, plane);
    }
  }
}

/** Fills a polygon of points in space; nothing where one of them is behind the viewer. */
function fillOutlines({ pen, camera }, outlines, style) {
  pen.beginPath();
  for (const outline of outlines) {
    const corners = outline.map((point) => camera.project(point));
    if (corners.includes(null)) return;
    corners.forEach(([x, y], i) => (i === 0 ? pen.moveTo(x, y) : pen.lineTo(x, y)));
    pen.closePath();
  }
  pen.fillStyle = style;
  pen.fill();
}

function circle({ u, v }, centre, radius) {
  return Array.from({ length: CORNERS }, (_, i) => {
    const angle = (2 * Math.PI * i) / CORNERS;
    return add(centre, add(times(u, radius * Math.cos(angle)), times(v, radius * Math.sin(angle))));
  });
}

/** A disc that fades out towards its edge. */
function drawDisc(stage, plane) {
  for (let ring = RINGS; ring >= 1; ring--) {
    const radius = stage.patch * (FADES_FROM + ((1.15 - FADES_FROM) * ring) / RINGS);
    // Layers that together cover all but a little.
    fillOutlines(stage, [circle(plane, plane.point, radius)], stage.css(stage.line, 0.17));
  }
}

/** Grid lines a round distance apart, which fade out with the disc. */
function drawGrid(stage, { point, u, v }) {
  const { camera, pen } = stage;
  const [step, radius] = [round(stage.patch / 5), 1.05 * stage.patch];
  for (const [along, side] of [[u, v], [v, u]]) {
    const from = dot(point, side);
    for (let k = Math.ceil((from - radius) / step); k * step <= from + radius; k++) {
      const off = k * step - from;
      const half = Math.sqrt(Math.max(0, radius * radius - off * off));
      const middle = add(point, times(side, off));
      const ends = [-1, 1].map((s) => camera.project(add(middle, times(along, s * half))));
      if (ends.includes(null)) continue;
      const [[x0, y0], [x1, y1]] = ends;
      const fade = pen.createLinearGradient(x0, y0, x1, y1);
      const strongest = 0.5 * (1 - (off / radius) ** 2);
      for (const at of [0, 0.25, 0.5, 0.75, 1]) fade.addColorStop(at, stage.css(stage.faint, (strongest * (1 - (2 * at - 1) ** 2)).toFixed(3)));
      stage.stroke([[x0, y0], [x1, y1]], fade, 0.8);
    }
  }
}

/** A plane that is seen from its edge: a line, and what lies below it. */
function drawEdgeOn(stage, { point, normal }) {
  const { camera, pen } = stage;
  const at = camera.project(point);
  if (!at) return;
  const [x, y] = [dot(normal, camera.right), dot(normal, camera.up)];
  const length = Math.hypot(x, y);
  // On the screen y points down.
  const [dx, dy] = [-x / length, y / length];
  const [far, deep] = [2 * Math.hypot(...camera.room), 0.5 * Math.min(...camera.room)];
  const corner = (side, down) => [at[0] - dy * side + dx * down, at[1] + dx * side + dy * down];
  const fade = pen.createLinearGradient(at[0], at[1], ...corner(0, deep));
  fade.addColorStop(0, stage.css(stage.line));
  fade.addColorStop(1, stage.css(stage.line, 0.15));
  pen.beginPath();
  [corner(-far, 0), corner(far, 0), corner(far, far), corner(-far, far)].forEach(([px, py], i) => (i === 0 ? pen.moveTo(px, py) : pen.lineTo(px, py)));
  pen.fillStyle = fade;
  pen.fill();
  stage.stroke([corner(-far, 0), corner(far, 0)], stage.css(stage.faint), 1);
}

/** Shadows of bodies that touch a plane or are near it, straight below them, in layers that make soft edges. */
function drawShadows(stage, poses, plane) {
  const { film } = stage;
  const { point, normal } = plane;
  let drawn = 0;
  for (const [body, { moves, shapes }] of film.bodies.entries()) {
    if (moves !== "free" || drawn >= MAX_SHADOWS) continue;
    const balls = [];
    const hulls = [];
    let strength = 0;
    stage.solids[body].forEach(({ shape, mesh }) => {
      const far = reach(shape);
      if (!shapes.length || far === Infinity) return;
      const centre = place(poses[body], shape.position);
      const height = dot(sub(centre, point), normal);
      if (height > 3 * far || height < -far) return;
      if (shape.shape === "sphere") {
        balls.push({ foot: sub(centre, times(normal, height)), far });
        strength = Math.max(strength, 1 - (height - far) / (2 * far));
        return;
      }
      const every = Math.ceil(mesh.points.length / OUTLINE);
      const points = mesh.points.filter((_, i) => i % every === 0).map((p) => place(poses[body], p));
      const heights = points.map((p) => dot(sub(p, point), normal));
      strength = Math.max(strength, 1 - Math.max(0, Math.min(...heights)) / far);
      hulls.push(hull(points.map((p, i) => sub(p, times(normal, heights[i]))), plane));
    });
    if (!(strength > 0.02)) continue;
    drawn++;
    for (const ball of balls) drawShadow(stage, plane, ball, SHADOW * Math.min(1, strength));
    for (let layer = 0; layer < (hulls.length > 0 ? LAYERS : 0); layer++) {
      const dark = `rgba(0, 0, 0, ${((SHADOW * Math.min(1, strength)) / LAYERS).toFixed(3)})`;
      const flat = hulls.map(({ middle, corners }) => corners.map((p) => add(middle, times(sub(p, middle), 1.22 - (0.3 * layer) / LAYERS))));
      fillOutlines(stage, flat, dark);
    }
  }
}

/** The shadow of a ball, darkest where it touches. */
function drawShadow({ camera, pen }, { u, v }, { foot, far }, strength) {
  const [at, a, b] = [foot, add(foot, times(u, far)), add(foot, times(v, far))].map((p) => camera.project(p));
  if (!at || !a || !b) return;
  pen.save();
  pen.transform(a[0] - at[0], a[1] - at[1], b[0] - at[0], b[1] - at[1], at[0], at[1]);
  const fade = pen.createRadialGradient(0, 0, 0, 0, 0, 1.1);
  for (const [r, share] of [[0, 1], [0.25, 0.8], [0.5, 0.45], [0.75, 0.16], [1, 0]]) fade.addColorStop(r, `rgba(0, 0, 0, ${(strength * share).toFixed(3)})`);
  pen.fillStyle = fade;
  pen.fillRect(-1.2, -1.2, 2.4, 2.4);
  pen.restore();
}

/** The convex outline of points in a plane, all outlines turning the same way, and its middle (Andrew's monotone chain). */
function hull(points, { u, v }) {
  const flat = points.map((p) => ({ p, x: dot(p, u), y: dot(p, v) })).sort((a, b) => a.x - b.x || a.y - b.y);
  const chain = (list) => {
    const made = [];
    for (const next of list) {
      while (made.length > 1) {
        const [a, b] = made.slice(-2);
        if ((b.x - a.x) * (next.y - a.y) - (b.y - a.y) * (next.x - a.x) > 0) break;
        made.pop();
      }
      made.push(next);
    }
    return made.slice(0, -1);
  };
  const corners = [...chain(flat), ...chain(flat.reverse())].map(({ p }) => p);
  const middle = times(corners.reduce((sum, p) => add(sum, p), [0, 0, 0]), 1 / Math.max(1, corners.length));
  return { corners, middle };
}
