// A bed of grains: positions of thousands of spheres at any time, and their drawing.

import { BedPainter } from "./bed_gl.js";
import { writeText } from "./overlay.js";
import { Raster, TONES } from "./raster.js";
import { dot, sub, times } from "./space.js";
import { bracket, show } from "./tools.js";

/** Number of depth intervals that grains are sorted into. */
const DEPTH_INTERVALS = 2048;
/** Colours from the least to the largest value, blue to yellow; vermilion is reserved for forces. */
const RAMP = [[38, 56, 138], [42, 108, 172], [48, 158, 150], [150, 196, 82], [250, 226, 80]];
/** Pixels drawn per CSS pixel, at most; with more grains than `COARSE_GRAIN_COUNT` it is 1, whatever the screen has. */
const MAX_PIXEL_RATIO = 1.5;
const COARSE_GRAIN_COUNT = 20000;
/** In a pair of a force chain, numbers from here on are walls: this is added to the number of the wall. */
const WALL_BIT = 2 ** 31;

/** Decodes a text in base64 to bytes. */
function decodeBase64(text) {
  const found = atob(text);
  const made = new Uint8Array(found.length);
  for (let i = 0; i < found.length; i++) made[i] = found.charCodeAt(i);
  return made;
}

/** A share of the ramp as a colour. */
function rampColour(share) {
  const at = Math.min(Math.max(share, 0), 1) * (RAMP.length - 1);
  const k = Math.min(Math.floor(at), RAMP.length - 2);
  return RAMP[k].map((x, i) => x + (at - k) * (RAMP[k + 1][i] - x));
}

export class Bed {
  constructor(grains) {
    Object.assign(this, grains);
    this.radius = new Float32Array(decodeBase64(grains.radius).buffer);
    this.places = new Uint16Array(decodeBase64(grains.places).buffer);
    this.values = grains.values.map((value) => ({ ...value, levels: decodeBase64(value.levels) }));
    this.chains = { ...grains.chains, pairs: new Uint32Array(decodeBase64(grains.chains.pairs).buffer), levels: decodeBase64(grains.chains.levels) };
    // Where the contacts of each frame begin.
    let first = 0;
    this.chains.first = grains.chains.count.map((count) => (first += count) - count);
    this.shown = this.radius.length;
    this.scale = this.high.map((x, k) => (x - this.low[k]) / 65535);
    this.now = new Float32Array(3 * this.shown);
    this.tone = new Uint8Array(this.shown);
    this.order = new Uint32Array(this.shown);
    this.seen = new Float32Array(4 * this.shown);
    this.raster = new Raster();
  }

  /** The snapshots before and after a time, and the fraction of the interval between them. */
  between(t) {
    return bracket(this.time, t);
  }

  /** Position of a grain; for a grain that is not shown, of one that is. */
  place(grain, t) {
    const k = Math.min(Math.floor(grain / this.every), this.shown - 1);
    const found = new Float32Array(3);
    this.interpolate(this.between(t), k, k + 1, found, 0);
    return [...found];
  }

  /** Writes the positions of shown grains into an array, interpolated across periodic boundaries. */
  interpolate([i, j, share], from, to, into, at) {
    const { places, shown } = this;
    for (let axis = 0; axis < 3; axis++) {
      const low = this.low[axis], scale = this.scale[axis];
      const period = this.period[axis] ? this.period[axis] / scale : Infinity;
      const [a, b] = [3 * i * shown + axis, 3 * j * shown + axis];
      for (let k = from; k < to; k++) {
        const here = places[a + 3 * k];
        let way = places[b + 3 * k] - here;
        if (way > period / 2) way -= period;
        else if (way < -period / 2) way += period;
        into[at + 3 * (k - from) + axis] = low + scale * (here + share * way);
      }
    }
  }

  /** The quantity by which grains are coloured. */
  shownValue(colour) {
    return this.values.find(({ name }) => name === colour) ?? this.values[0];
  }

  /** The numbers of a grain at a time, as pairs of name and text. */
  numbers(grain, t) {
    const [i, j, share] = this.between(t);
    const k = Math.min(Math.floor(grain / this.every), this.shown - 1);
    return this.values.map((value) => {
      const level = (frame) => value.levels[frame * this.shown + k] / 255;
      const at = level(i) + share * (level(j) - level(i));
      return [`its ${value.name}`, value.name === "coordination" ? String(Math.round(level(i) * value.largest)) : valueText(value, at)];
    });
  }

  /** Colours of all grains at a time. */
  colour(t, colour) {
    const [i, j, share] = this.between(t);
    const { shown, tone } = this;
    const { levels } = this.shownValue(colour);
    const [a, b, most] = [i * shown, j * shown, (TONES - 1) / 255];
    for (let k = 0; k < shown; k++) tone[k] = (levels[a + k] + share * (levels[b + k] - levels[a + k])) * most + 0.5;
  }

  /** The largest radius (m). */
  largest() {
    return (this.largestRadius ??= this.radius.reduce((a, b) => Math.max(a, b), 0));
  }

  /** Corners of the bounding box of the grains, and of the container if there is one. */
  extent() {
    const reach = this.largest();
    const corners = [this.low.map((x) => x - reach), this.high.map((x) => x + reach), ...(this.box ?? [])];
    const pick = (best) => [0, 1, 2].map((axis) => corners.reduce((a, p) => best(a, p[axis]), corners[0][axis]));
    const [low, high] = [pick(Math.min), pick(Math.max)];
    return Array.from({ length: 8 }, (_, k) => [0, 1, 2].map((axis) => ((k >> axis) & 1 ? high : low)[axis]));
  }

  /** Draws all grains at a time; with chains, these over faint grains. */
  draw(stage, t) {
    const { camera, options } = stage;
    const fade = options.chains ? 0.75 : 0;
    const faded = (colour) => colour.map((x, i) => x + fade * (stage.paper[i] - x));
    this.view = { t, camera, slab: this.slab(options.slice) };
    this.projected = false;
    if (stage.smooth() && stage.painter.fast) {
      if (this.card?.painter !== stage.painter) this.card = new BedPainter(stage.painter, this);
      this.card.draw(this.between(t), this.shownValue(options.colour), camera, stage.lightInView(), RAMP.map(faded), this.view.slab);
      stage.put();
      if (options.chains) this.eachChain((from, to, width, level) => stage.stroke([from, to], stage.css(stage.force, 0.35 + 0.65 * level), width));
    } else this.setPixels(stage, faded);
    this.legend(stage);
  }

  /** Draws all grains without a graphics processor, the farthest first. */
  setPixels(stage, faded) {
    const { pen, camera, options } = stage;
    this.project();
    this.colour(this.view.t, options.colour);
    const open = this.visibleGrains(...camera.room);
    const { raster, seen, tone, order } = this;
    const dots = Math.min(window.devicePixelRatio || 1, this.shown > COARSE_GRAIN_COUNT ? 1 : MAX_PIXEL_RATIO);
    raster.begin(Math.round(camera.room[0] * dots), Math.round(camera.room[1] * dots),
      Array.from({ length: TONES }, (_, i) => faded(rampColour(i / (TONES - 1)))), stage.lightInView());
    for (let i = 0; i < this.shown; i++) {
      const k = order[i];
      if (open[k]) raster.ball(dots * seen[4 * k], dots * seen[4 * k + 1], dots * seen[4 * k + 2], tone[k]);
    }
    if (options.chains) {
      const [r, g, b] = stage.force;
      this.eachChain((from, to, width, level) => {
        const strength = 0.35 + 0.65 * level;
        const mix = [r, g, b].map((x, i) => Math.round(stage.paper[i] + strength * (x - stage.paper[i])));
        const colour = ((255 << 24) | (mix[2] << 16) | (mix[1] << 8) | mix[0]) >>> 0;
        raster.line(dots * from[0], dots * from[1], dots * to[0], dots * to[1], Math.max(1, dots * width), colour);
      });
    }
    raster.put(pen, camera.room);
  }

  /** Calls `act(from, to, width, level)` for the contacts of the force chains, the weakest first; places and widths in px. */
  eachChain(act) {
    const { chains, radius } = this;
    const { t, camera } = this.view;
    const between = this.between(t);
    const [first, count] = [chains.first[between[0]] ?? 0, chains.count[between[0]] ?? 0];
    for (let c = first + count - 1; c >= first; c--) {
      const [one, other] = [this.chainPoint(chains.pairs[2 * c], between), chains.pairs[2 * c + 1]];
      let { size } = one;
      let to = null;
      if (other >= WALL_BIT) {
        const [point, normal] = chains.walls[other - WALL_BIT];
        const height = dot(normal, sub(one.centre, point));
        to = camera.project(sub(one.centre, times(normal, height)));
      } else {
        const two = this.chainPoint(other, between);
        size = Math.min(size, two.size);
        // Not across a periodic boundary.
        const far = Math.hypot(...sub(one.centre, two.centre));
        if (far <= 1.5 * (radius[chains.pairs[2 * c]] + radius[other])) to = two.at;
      }
      // Not where one is cut away.
      if (!(size > 0) || !to) continue;
      const level = chains.levels[c] / 255;
      act(one.at, to, Math.max(0.8, 1.2 * level * size), level);
    }
  }

  /** A shown grain in the view: its centre (m), where that is on the screen, and its radius there in px, 0 where it is cut away. */
  chainPoint(k, between = this.between(this.view.t)) {
    const { camera, slab } = this.view;
    const found = new Float32Array(3);
    this.interpolate(between, k, k + 1, found, 0);
    const centre = [...found];
    const at = camera.project(centre);
    const within = !slab || (centre[slab.axis] >= slab.from && centre[slab.axis] <= slab.to);
    return { centre, at, size: at && within ? this.radius[k] / camera.perPixel(centre) : 0 };
  }

  /** The part of the bed that is shown: an axis with its lower and upper end (m); null for all. */
  slab(slice) {
    if (!slice || slice.axis < 0) return null;
    const { axis, at, thickness } = slice;
    const reach = this.largest();
    const [low, high] = [this.low[axis] - reach, this.high[axis] + reach];
    const middle = low + at * (high - low);
    return { axis, from: middle - (thickness * (high - low)) / 2, to: middle + (thickness * (high - low)) / 2 };
  }

  /** Screen positions and depths of all grains in px in the view, and their drawing order. What is cut away has no size. */
  project() {
    if (this.projected) return;
    this.projected = true;
    const { t, camera, slab } = this.view;
    this.interpolate(this.between(t), 0, this.shown, this.now, 0);
    const { right: r, up: u, near: n, target: c, scale, perspective, far: eye } = camera;
    const cx = camera.room[0] / 2, cy = camera.room[1] / 2;
    const { now, seen, radius } = this;
    let far = Infinity, near = -Infinity;
    for (let k = 0; k < this.shown; k++) {
      const x = now[3 * k] - c[0], y = now[3 * k + 1] - c[1], z = now[3 * k + 2] - c[2];
      const depth = x * n[0] + y * n[1] + z * n[2];
      let grow = (perspective ? (depth < 0.95 * eye ? eye / (eye - depth) : 0) : 1) * scale;
      seen[4 * k] = cx + (x * r[0] + y * r[1] + z * r[2]) * grow;
      seen[4 * k + 1] = cy - (x * u[0] + y * u[1] + z * u[2]) * grow;
      if (slab !== null) {
        const at = now[3 * k + slab.axis];
        if (at < slab.from || at > slab.to) grow = 0;
      }
      seen[4 * k + 2] = radius[k] * grow;
      seen[4 * k + 3] = depth;
      if (depth < far) far = depth;
      if (depth > near) near = depth;
    }
    this.sort(far, near);
  }

  /**
   * Which grains are not hidden behind others. From the nearest on, cells that lie within a disc are covered; a grain
   * all of whose cells are covered need not be drawn, which in a bed is most of them.
   */
  visibleGrains(wide, high) {
    const { seen, order, shown } = this;
    const open = (this.open ??= new Uint8Array(shown)).fill(0);
    let mean = 0;
    for (let k = 0; k < shown; k++) mean += seen[4 * k + 2] / shown;
    const cell = Math.max(0.4 * mean, 1);
    const columns = Math.ceil(wide / cell), rows = Math.ceil(high / cell);
    if (this.covered?.length !== columns * rows) this.covered = new Uint8Array(columns * rows);
    const covered = this.covered.fill(0);
    for (let i = shown - 1; i >= 0; i--) {
      const k = order[i];
      const x = seen[4 * k] / cell, y = seen[4 * k + 1] / cell, size = seen[4 * k + 2] / cell;
      if (!(size > 0)) continue;
      const left = Math.max(Math.floor(x - size), 0), right = Math.min(Math.floor(x + size), columns - 1);
      const top = Math.max(Math.floor(y - size), 0), bottom = Math.min(Math.floor(y + size), rows - 1);
      const square = size * size;
      for (let row = top; row <= bottom; row++) {
        for (let column = left; column <= right; column++) {
          const at = row * columns + column;
          if (covered[at]) continue;
          // The nearest and the farthest point of the cell.
          const dx = Math.abs(column + 0.5 - x), dy = Math.abs(row + 0.5 - y);
          const u = Math.max(dx - 0.5, 0), v = Math.max(dy - 0.5, 0);
          if (u * u + v * v <= square) open[k] = 1;
          if ((dx + 0.5) * (dx + 0.5) + (dy + 0.5) * (dy + 0.5) <= square) covered[at] = 1;
        }
      }
    }
    return open;
  }

  /** Drawing order from far to near, by bucket sort into depth intervals. */
  sort(far, near) {
    const counts = (this.counts ??= new Uint32Array(DEPTH_INTERVALS + 1)).fill(0);
    const shelves = (this.shelves ??= new Uint16Array(this.shown));
    const per = (DEPTH_INTERVALS - 1) / Math.max(near - far, 1e-30);
    const { seen, shown, order } = this;
    for (let k = 0; k < shown; k++) {
      shelves[k] = Math.max(0, (seen[4 * k + 3] - far) * per);
      counts[shelves[k] + 1]++;
    }
    for (let i = 1; i <= DEPTH_INTERVALS; i++) counts[i] += counts[i - 1];
    for (let k = 0; k < shown; k++) order[counts[shelves[k]]++] = k;
  }

  /** Draws a ring around the selected grain. */
  drawRing(stage, grain) {
    const { at, size } = this.chainPoint(Math.min(Math.floor(grain / this.every), this.shown - 1));
    if (!at) return;
    const { pen } = stage;
    for (const [colour, width] of [[stage.css(stage.paper), 5], [stage.css(stage.ink), 2.5]]) {
      pen.strokeStyle = colour;
      pen.lineWidth = width;
      pen.beginPath();
      pen.arc(at[0], at[1], Math.max(size + 2, 5), 0, 2 * Math.PI);
      pen.stroke();
    }
  }

  /** Draws the edges of the container. */
  frame(stage) {
    if (!this.box) return;
    const corner = (k) => stage.camera.project([0, 1, 2].map((axis) => this.box[(k >> axis) & 1][axis]));
    for (let k = 0; k < 8; k++) {
      for (const bit of [1, 2, 4]) {
        if (k & bit) continue;
        const ends = [corner(k), corner(k | bit)];
        if (!ends.includes(null)) stage.stroke(ends, stage.css(stage.faint, 0.7), 1);
      }
    }
  }

  /** Draws the colour key in the upper right corner, and that of the chains below it. */
  legend(stage) {
    const value = this.shownValue(stage.options.colour);
    const { pen, camera } = stage;
    const [right, wide] = [camera.room[0] - 14, 150];
    pen.font = "12px system-ui, sans-serif";
    pen.textBaseline = "top";
    const write = (text, x, y, align) => {
      pen.textAlign = align;
      writeText(stage, text, x, y);
    };
    let y = 12;
    if (value.largest > 0) {
      write(value.name, right - wide, y, "left");
      for (let i = 0; i < 60; i++) {
        pen.fillStyle = stage.css(rampColour(i / 59).map(Math.round));
        pen.fillRect(right - wide + (i * wide) / 60, y + 15, wide / 60 + 0.5, 9);
      }
      write(value.logarithmic ? `≤ ${show(value.largest / 1e4, value.unit)}` : "0", right - wide, y + 27, "left");
      write(value.unit ? show(value.largest, value.unit) : String(value.largest), right, y + 27, "right");
      y += 46;
    }
    if (stage.options.chains) {
      const mean = this.chains.mean[this.between(stage.time)[0]] ?? 0;
      write(mean > 0 ? `force chains: above the mean, ${show(mean, "N")}` : "no contacts", right, y, "right");
    }
  }

  /** The grain at a screen position: the one nearest to the viewer, if any. */
  at(x, y) {
    if (!this.view) return -1;
    this.project();
    for (let i = this.shown - 1; i >= 0; i--) {
      const k = this.order[i];
      if (Math.hypot(this.seen[4 * k] - x, this.seen[4 * k + 1] - y) <= this.seen[4 * k + 2]) return k * this.every;
    }
    return -1;
  }
}

/** The value at a share of a scale, as text. */
function valueText({ logarithmic, largest, unit }, share) {
  if (!logarithmic) return show(share * largest, unit);
  return share > 0 ? show(largest * 10 ** (4 * (share - 1)), unit) : `below ${show(largest / 1e4, unit)}`;
}
