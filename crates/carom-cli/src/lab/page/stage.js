// Draws the scene on a canvas: shaded faces sorted by depth, then overlays.

import { solidPainter } from "./gl.js";
import { drawGround } from "./ground.js";
import { drawArrows, drawNames, drawScaleBar } from "./overlay.js";
import { mesh, reach } from "./solids.js";
import { add, conjugate, cross, dot, place, size, sub, times, turn, unit } from "./space.js";

/** All drawing state besides the time. */
export class Stage {
  constructor(canvas, camera) {
    this.canvas = canvas;
    this.pen = canvas.getContext("2d");
    // Smooth solids, where the browser can draw them.
    this.painter = solidPainter();
    this.camera = camera;
    this.film = null;
    this.options = { arrows: "log", traces: "none", names: false, links: true, follow: -1, colour: "speed", chains: false, slice: null };
    this.colours();
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
      this.colours();
      this.draw(this.time ?? 0);
    });
  }

  colours() {
    const style = getComputedStyle(document.documentElement);
    const read = (name) => style.getPropertyValue(name).trim();
    const hex = (text) => [1, 3, 5].map((i) => parseInt((text.length === 4 ? "#" + [...text.slice(1)].map((c) => c + c).join("") : text).slice(i, i + 2), 16));
    this.paper = hex(read("--paper"));
    this.ink = hex(read("--ink"));
    this.faint = hex(read("--faint"));
    this.line = hex(read("--line"));
    // Vermilion is reserved for forces.
    this.palette = ["--c0", "--c2", "--c4", "--c3", "--c5", "--c7"].map((name) => hex(read(name)));
    this.force = hex(read("--c1"));
    this.shades = new Map();
  }

  colourOf(body) {
    if (this.film.bodies[body].moves !== "free") return this.faint;
    return this.palette[(body - 1) % this.palette.length];
  }

  /** Sets the film and prepares everything that does not depend on the time. */
  show(film) {
    this.film = film;
    const shapes = film.bodies.flatMap((body) => body.shapes);
    const detail = this.smooth() ? 40 : shapes.length <= 3 ? 40 : shapes.length <= 16 ? 24 : shapes.length <= 60 ? 16 : 8;
    this.points = film.extent(reach);
    const [low, high] = [Math.min, Math.max].map((pick) => [0, 1, 2].map((i) => this.points.reduce((best, p) => pick(best, p[i]), this.points[0][i])));
    this.middle = low.map((x, i) => (x + high[i]) / 2);
    this.patch = 0.75 * (size(sub(high, low)) || 1);
    this.solids = film.bodies.map((body) => body.shapes.filter((shape) => shape.shape !== "half-space" || shape.touches).map((shape) => {
      // The part of a plane that is below the scene.
      const off = shape.shape === "half-space" && body.moves === "fixed" ? this.beneath(body, shape) : [0, 0, 0];
      const moved = { ...shape, position: add(shape.position, off) };
      return { shape: moved, mesh: mesh(moved, detail, this.patch), ground: shape.shape === "half-space" && body.moves === "fixed" };
    }));
    this.attached = film.bodies.map((body, index) => this.attachments(body, index));
  }

  /** Vector from the origin of a plane to the projection of the scene's centre, in body axes. */
  beneath(body, shape) {
    const pose = { x: body.position, q: body.rotation };
    const normal = turn(body.rotation, turn(shape.rotation, [0, 0, 1]));
    const d = sub(this.middle, place(pose, shape.position));
    const flat = sub(d, times(normal, dot(d, normal)));
    return turn(conjugate(body.rotation), flat);
  }

  /** Points of a body with joints or springs: lines to them show a body that has no shape there. */
  attachments(body, index) {
    if (body.moves !== "free") return [];
    const ends = [...this.film.joints, ...this.film.springs].flatMap(({ a, b }) => [a, b]);
    const points = ends.filter((end) => end.body === index).map((end) => end.point);
    return [...points, ...body.shapes.map((shape) => shape.position)].filter((p) => size(p) > 1e-9 * this.patch);
  }

  fit() {
    if (this.film) this.camera.fit(this.points);
  }

  /** Makes the view follow a body from a time on; `centre` moves the body to the centre first. */
  hold(time, centre = false) {
    const { follow } = this.options;
    this.followed = this.film && follow >= 0 ? this.film.positionOf(follow, time) : null;
    if (centre && this.followed) this.camera.target = this.followed;
    this.camera.updateAxes();
  }

  resize() {
    const [wide, high] = [this.canvas.clientWidth, this.canvas.clientHeight];
    const dots = window.devicePixelRatio || 1;
    this.canvas.width = Math.round(wide * dots);
    this.canvas.height = Math.round(high * dots);
    this.camera.room = [wide || 1, high || 1];
    this.camera.updateAxes();
  }

  draw(time) {
    this.time = time;
    const { pen, camera, film } = this;
    const dots = window.devicePixelRatio || 1;
    pen.setTransform(dots, 0, 0, dots, 0, 0);
    pen.fillStyle = this.css(this.paper);
    pen.fillRect(0, 0, ...camera.room);
    if (!film) return;
    const poses = film.poses(time);
    if (this.options.follow >= 0) {
      const now = film.positionOf(this.options.follow, time);
      camera.target = add(camera.target, sub(now, this.followed ?? now));
      this.followed = now;
      camera.updateAxes();
    }
    const items = [];
    const smooth = this.smooth() ? [] : null;
    poses.forEach((pose, body) => this.collect(body, pose, items, smooth));
    if (this.options.links) this.links(poses, items);
    drawGround(this, poses);
    this.traces(time);
    items.sort((a, b) => a.depth - b.depth);
    for (const item of items) item.paint();
    if (smooth?.length > 0) {
      this.painter.solids(smooth, camera, this.lightInView(), 3 * this.patch);
      this.put();
    }
    if (film.bed) {
      film.bed.frame(this);
      film.bed.draw(this, time);
      if (this.options.follow >= 0) film.bed.drawRing(this, this.options.follow);
    }
    if (this.options.links) this.joints(poses);
    drawArrows(this, film.pushes(time));
    if (this.options.names) drawNames(this, poses);
    drawScaleBar(this);
  }

  /** Whether solids are drawn smoothly. */
  smooth() {
    return this.painter && !this.painter.lost;
  }

  /** Puts what the painter drew onto the canvas. */
  put() {
    this.pen.drawImage(this.painter.canvas, 0, 0, ...this.camera.room);
  }

  lightInView() {
    const { right, up, near } = this.camera;
    return [right, up, near].map((axis) => dot(this.light(), axis));
  }

  /** Visible faces of a body, or into `smooth` its shapes where these are drawn smoothly. Camera and light are transformed into body axes, which is faster than all vertices. */
  collect(body, pose, items, smooth) {
    const { camera, pen } = this;
    const colour = this.colourOf(body);
    const inward = (v) => turn(conjugate(pose.q), v);
    const [right, up, near, light] = [camera.right, camera.up, camera.near, this.light()].map(inward);
    const off = sub(pose.x, camera.target);
    const [ox, oy, oz] = [camera.right, camera.up, camera.near].map((axis) => dot(off, axis));
    const eye = camera.perspective ? inward(sub(times(camera.near, camera.far), off)) : null;
    for (const { shape, mesh: { points, faces }, ground } of this.solids[body]) {
      if (ground) continue;
      if (smooth && shape.shape !== "socket") {
        smooth.push({ pose, shape, mesh: this.solids[body].find((one) => one.shape === shape).mesh, colour });
        continue;
      }
      if (shape.shape === "socket") this.drawSocket(place(pose, shape.position), shape.radius, colour, items);
      const seen = new Array(points.length);
      const at = (i) => {
        if (seen[i] === undefined) {
          const grow = camera.growth(oz + dot(points[i], near)) * camera.scale;
          seen[i] = grow > 0 ? [camera.room[0] / 2 + (ox + dot(points[i], right)) * grow, camera.room[1] / 2 - (oy + dot(points[i], up)) * grow] : null;
        }
        return seen[i];
      };
      for (const { corners, normal, centre, tone } of faces) {
        if (dot(normal, eye ? sub(eye, centre) : near) <= 0) continue;
        const outline = corners.map(at);
        if (outline.includes(null)) continue;
        const fill = this.shade(colour, tone, dot(normal, light));
        items.push({ depth: oz + dot(centre, near), paint: () => this.polygon(outline, fill) });
      }
    }
    if (this.solids[body].length === 0 && this.film.bodies[body].moves === "free") {
      const at = camera.project(pose.x);
      if (at) items.push({ depth: at[2], paint: () => {
        pen.fillStyle = this.css(colour);
        pen.beginPath();
        pen.arc(at[0], at[1], 4, 0, 7);
        pen.fill();
      } });
    }
  }

  /** A socket cut through its middle: a ring around it. */
  drawSocket(centre, radius, colour, items) {
    const at = this.camera.project(centre);
    if (!at) return;
    const r = radius / this.camera.perPixel(centre);
    items.push({ depth: at[2], paint: () => {
      const { pen } = this;
      pen.fillStyle = this.shade(colour, 1, 0.2);
      pen.beginPath();
      pen.arc(at[0], at[1], 1.12 * r, 0, 2 * Math.PI);
      pen.moveTo(at[0] + r, at[1]);
      pen.arc(at[0], at[1], r, 0, 2 * Math.PI, true);
      pen.fill();
    } });
  }

  light() {
    const { right, up, near } = this.camera;
    return unit(add(add(times(right, -0.5), times(up, 0.8)), times(near, 0.45)));
  }

  polygon(points, fill) {
    const { pen } = this;
    pen.beginPath();
    points.forEach(([x, y], i) => (i === 0 ? pen.moveTo(x, y) : pen.lineTo(x, y)));
    pen.closePath();
    pen.fillStyle = pen.strokeStyle = fill;
    pen.fill();
    // Stroke the edges, which closes the seams between faces.
    pen.lineWidth = 1;
    pen.stroke();
  }

  stroke(points, colour, width, dash = [], cap = "round") {
    const { pen } = this;
    pen.beginPath();
    points.forEach(([x, y], i) => (i === 0 ? pen.moveTo(x, y) : pen.lineTo(x, y)));
    pen.strokeStyle = colour;
    pen.lineWidth = width;
    pen.lineJoin = "round";
    pen.lineCap = cap;
    pen.setLineDash(dash);
    pen.stroke();
    pen.setLineDash([]);
  }

  /** Draws lines from bodies to their joints, and springs. */
  links(poses, items) {
    const { camera, film } = this;
    const line = (points, colour, width) => {
      const seen = points.map((point) => camera.project(point));
      if (seen.includes(null)) return;
      const depth = seen.reduce((sum, p) => sum + p[2], 0) / seen.length;
      items.push({ depth, paint: () => this.stroke(seen, colour, width) });
    };
    this.attached.forEach((points, body) => {
      const width = film.bodies[body].shapes.some((shape) => size(shape.position) === 0) ? 2 : 6;
      for (const point of points) line([poses[body].x, place(poses[body], point)], this.shade(this.colourOf(body), 0, 0.4), width);
    });
    for (const joint of film.joints) this.drawSlider(joint, poses, items);
    for (const { a, b } of film.springs) {
      line(coil(place(poses[a.body], a.point), place(poses[b.body], b.point), camera), this.css(this.faint), 1.5);
    }
  }

  /** Draws the slider of a prismatic joint as a block behind the body, larger than it. */
  drawSlider({ kind, a, b }, poses, items) {
    const { camera, film } = this;
    if (kind !== "prismatic" && kind !== "cylindrical") return;
    const slides = film.bodies[a.body].moves === "free" ? a : b;
    const centre = place(poses[slides.body], slides.point);
    const shapes = film.bodies[slides.body].shapes.filter((shape) => shape.shape !== "half-space");
    const px = camera.perPixel(centre);
    const wide = Math.max(8 * px, Math.min(0.12 * this.patch, 1.7 * Math.max(0, ...shapes.map(reach))));
    const axis = turn(poses[slides.body].q, slides.axis);
    const ends = [-1, 1].map((s) => camera.project(add(centre, times(axis, 1.4 * s * wide))));
    if (ends.includes(null)) return;
    const depth = camera.project(centre)[2] - 2 * wide;
    items.push({ depth, paint: () => this.stroke(ends, this.shade(this.colourOf(slides.body), 1, 0.5), (2 * wide) / px, [], "butt") });
  }

  /** Draws joints: a circle for revolute ones, a rail for prismatic ones. */
  joints(poses) {
    const { camera, film, pen } = this;
    for (const { kind, a, b } of film.joints) {
      const at = camera.project(place(poses[a.body], a.point));
      if (!at) continue;
      if (kind === "prismatic" || kind === "cylindrical") {
        const base = place(poses[b.body], b.point);
        const axis = turn(poses[b.body].q, b.axis);
        const ends = [-1, 1].map((s) => camera.project(add(base, times(axis, s * this.patch))));
        if (!ends.includes(null)) this.stroke(ends, this.css(this.faint, 0.6), 1, [6, 4]);
      }
      pen.beginPath();
      if (kind === "fixed" || kind === "prismatic") pen.rect(at[0] - 3, at[1] - 3, 6, 6);
      else pen.arc(at[0], at[1], 3.5, 0, 7);
      pen.fillStyle = this.css(this.paper);
      pen.strokeStyle = this.css(this.ink);
      pen.lineWidth = 1.5;
      pen.fill();
      pen.stroke();
    }
  }

  /** Draws the past paths of bodies. */
  traces(time) {
    const { film, options } = this;
    if (options.traces === "none") return;
    const last = film.index(time);
    const every = Math.max(1, Math.ceil(last / 1500));
    if (film.bed && options.follow >= 0) {
      const times = [...film.times.slice(0, last + 1).filter((_, i) => i % every === 0), time];
      const path = times.map((t) => this.camera.project(film.positionOf(options.follow, t)));
      this.stroke(path.filter(Boolean), this.css(this.ink, 0.6), 1.5);
    }
    film.bodies.forEach((body, index) => {
      if (body.moves !== "free" || (options.traces === "followed" && index !== options.follow)) return;
      const points = [];
      for (let frame = 0; frame <= last; frame += every) points.push(this.camera.project(film.poseAt(index, frame).x));
      points.push(this.camera.project(film.poses(time)[index].x));
      this.stroke(points.filter(Boolean), this.css(this.colourOf(index), 0.8), 1.5);
    });
  }

  css([r, g, b], alpha = 1) {
    return `rgb(${r} ${g} ${b} / ${alpha})`;
  }

  /** A colour in light that falls at an angle of this cosine, as the shader of smooth solids has it; the second colour of the pattern is paler. */
  shade(colour, tone, light) {
    const level = Math.round((1 + light) * 16);
    const key = `${colour}|${tone}|${level}`;
    let found = this.shades.get(key);
    if (!found) {
      const strength = 0.58 + 0.47 * (level / 32) ** 1.5;
      const base = tone ? colour.map((x) => x + 0.3 * (235 - x)) : colour;
      found = this.css(base.map((x) => Math.round(Math.min(255, x * strength))));
      this.shades.set(key, found);
    }
    return found;
  }
}

/** Draws a spring between two points as a zigzag facing the viewer. */
function coil(a, b, camera) {
  const along = sub(b, a);
  const side = unit(cross(along, camera.near), camera.up);
  const width = Math.min(8 * camera.perPixel(a), 0.12 * size(along));
  const turns = 10;
  const points = [a];
  for (let i = 0; i <= 2 * turns; i++) {
    const share = 0.15 + (0.7 * i) / (2 * turns);
    const out = i === 0 || i === 2 * turns ? 0 : i % 2 ? width : -width;
    points.push(add(add(a, times(along, share)), times(side, out)));
  }
  return [...points, b];
}
