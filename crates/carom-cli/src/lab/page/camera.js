// The camera (target point, two angles, size of the view), and the gestures and keys that move it.

import { add, dot, sub, times } from "./space.js";

const HALF_ANGLE_TANGENT = Math.tan((15 * Math.PI) / 180);
const VIEWS = { front: [0, 0], side: [-Math.PI / 2, 0], top: [0, Math.PI / 2], space: [0.6, 0.35] };

export class Camera {
  constructor() {
    this.flat = false;
    this.target = [0, 0, 0];
    this.half = 1;
    this.perspective = true;
    [this.yaw, this.pitch] = VIEWS.space;
    this.room = [100, 100];
    this.updateAxes();
  }

  /** Unit vectors to the right, up and towards the viewer in world axes. Up is y in planar scenes, else z. */
  updateAxes() {
    const [right, up, near] = this.flat ? [[1, 0, 0], [0, 1, 0], [0, 0, 1]] : [[1, 0, 0], [0, 0, 1], [0, -1, 0]];
    const [sy, cy, sp, cp] = [Math.sin(this.yaw), Math.cos(this.yaw), Math.sin(this.pitch), Math.cos(this.pitch)];
    const level = add(times(near, cy), times(right, sy));
    this.right = sub(times(right, cy), times(near, sy));
    this.near = add(times(level, cp), times(up, sp));
    this.up = sub(times(up, cp), times(level, sp));
    this.upwards = up;
    this.scale = Math.min(this.room[1], this.room[0]) / (2 * this.half);
    this.far = this.half / HALF_ANGLE_TANGENT;
  }

  /** A point in px, with its depth towards the viewer; null behind the viewer. */
  project(point) {
    const d = sub(point, this.target);
    const depth = dot(d, this.near);
    const grow = this.growth(depth);
    if (!grow) return null;
    return [this.room[0] / 2 + dot(d, this.right) * this.scale * grow, this.room[1] / 2 - dot(d, this.up) * this.scale * grow, depth];
  }

  growth(depth) {
    if (!this.perspective) return 1;
    return depth < 0.95 * this.far ? this.far / (this.far - depth) : 0;
  }

  /** Metres per px at a point. */
  perPixel(point) {
    return 1 / (this.scale * (this.growth(dot(sub(point, this.target), this.near)) || 1));
  }

  /** Towards the viewer from a point. */
  towards(point) {
    return this.perspective ? sub(add(this.target, times(this.near, this.far)), point) : this.near;
  }

  turnTo(view) {
    [this.yaw, this.pitch] = VIEWS[view];
    this.updateAxes();
  }

  /** Fits all points into the view, with a margin. */
  fit(points) {
    const range = (axis) => points.reduce(([a, b], p) => [Math.min(a, dot(p, axis)), Math.max(b, dot(p, axis))], [Infinity, -Infinity]);
    const [x, y, z] = [this.right, this.up, this.near].map(range);
    const middle = ([a, b]) => (a + b) / 2;
    this.target = add(add(times(this.right, middle(x)), times(this.up, middle(y))), times(this.near, middle(z)));
    const [wide, high] = this.room;
    const least = Math.min(wide, high);
    const half = Math.max(((x[1] - x[0]) / 2) * (least / wide), ((y[1] - y[0]) / 2) * (least / high));
    // Perspective: near points appear farther from the centre.
    const depth = this.perspective ? ((z[1] - z[0]) / 2) * HALF_ANGLE_TANGENT : 0;
    this.half = Math.max(1.18 * half + depth, 1e-12);
    this.updateAxes();
  }

  orbit(dx, dy) {
    this.yaw -= dx * 0.008;
    this.pitch = Math.min(Math.max(this.pitch + dy * 0.008, -Math.PI / 2), Math.PI / 2);
    this.updateAxes();
  }

  pan(dx, dy) {
    this.target = add(this.target, add(times(this.right, -dx / this.scale), times(this.up, dy / this.scale)));
    this.updateAxes();
  }

  /** Zooms by a factor about the point under (x, y) px. */
  zoom(factor, x = this.room[0] / 2, y = this.room[1] / 2) {
    const before = 1 / this.scale;
    this.half = Math.min(Math.max(this.half / factor, 1e-12), 1e12);
    this.updateAxes();
    const moved = before - 1 / this.scale;
    const [dx, dy] = [(x - this.room[0] / 2) * moved, (this.room[1] / 2 - y) * moved];
    this.target = add(this.target, add(times(this.right, dx), times(this.up, dy)));
  }
}

/** Mouse, pen and fingers on the canvas; `changed()` after each. */
export function gestures(canvas, camera, changed, fit) {
  const down = new Map();
  const here = (event) => {
    const box = canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    down.set(event.pointerId, here(event));
  });
  canvas.addEventListener("pointermove", (event) => {
    const last = down.get(event.pointerId);
    if (!last) return;
    const now = here(event);
    const [dx, dy] = [now[0] - last[0], now[1] - last[1]];
    if (down.size === 1) {
      const pans = event.shiftKey || event.buttons > 1;
      if (pans) camera.pan(dx, dy);
      else camera.orbit(dx, dy);
      down.set(event.pointerId, now);
      return changed();
    }
    // Two fingers: zoom and pan so that the point between them follows.
    const [[, other]] = [...down].filter(([id]) => id !== event.pointerId);
    const apart = (p) => Math.hypot(p[0] - other[0], p[1] - other[1]);
    camera.pan(dx / 2, dy / 2);
    if (apart(last) > 10 && apart(now) > 10) camera.zoom(apart(now) / apart(last), (now[0] + other[0]) / 2, (now[1] + other[1]) / 2);
    down.set(event.pointerId, now);
    changed();
  });
  for (const name of ["pointerup", "pointercancel", "lostpointercapture"]) {
    canvas.addEventListener(name, (event) => down.delete(event.pointerId));
  }
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    const lines = event.deltaMode === 1 ? 16 : 1;
    camera.zoom(Math.exp(-0.0015 * event.deltaY * lines), ...here(event));
    changed();
  }, { passive: false });
  canvas.addEventListener("dblclick", fit);
  // Letters, because arrow keys step through the film.
  canvas.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const [step, key] = [24, event.key.toLowerCase()];
    const way = { a: [step, 0], d: [-step, 0], w: [0, step], s: [0, -step] }[key];
    if (way && event.shiftKey) camera.pan(...way);
    else if (way) camera.orbit(...way);
    else if (key === "+" || key === "=") camera.zoom(1.2);
    else if (key === "-") camera.zoom(1 / 1.2);
    else if (key === "0") return fit();
    else return;
    event.preventDefault();
    changed();
  });
  canvas.addEventListener("contextmenu", (event) => event.preventDefault());
}
