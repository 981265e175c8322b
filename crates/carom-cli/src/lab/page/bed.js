// A bed of grains: positions of thousands of spheres at any time, and their drawing.

import { show } from "./tools.js";

/** Number of colours from slow to fast, and sizes of the sprites of a grain in px. */
const COLOUR_LEVELS = 24;
const SPRITE_SIZES = [6, 12, 24, 48, 96];
/** Number of depth intervals that grains are sorted into. */
const DEPTH_INTERVALS = 2048;

/** Bytes of a text in base64. */
function bytes(text) {
  const found = atob(text);
  const made = new Uint8Array(found.length);
  for (let i = 0; i < found.length; i++) made[i] = found.charCodeAt(i);
  return made;
}

export class Bed {
  constructor(grains) {
    Object.assign(this, grains);
    this.radius = new Float32Array(bytes(grains.radius).buffer);
    this.places = new Uint16Array(bytes(grains.places).buffer);
    this.speeds = bytes(grains.speeds);
    this.shown = this.radius.length;
    this.scale = this.high.map((x, k) => (x - this.low[k]) / 65535);
    this.now = new Float32Array(3 * this.shown);
    this.tone = new Float32Array(this.shown);
    this.order = new Uint32Array(this.shown);
    this.seen = new Float32Array(4 * this.shown);
  }

  /** The snapshots before and after a time, and the fraction of the interval between them. */
  between(t) {
    let [low, high] = [0, this.time.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.time[middle] <= t) low = middle;
      else high = middle - 1;
    }
    const next = Math.min(low + 1, this.time.length - 1);
    const span = this.time[next] - this.time[low];
    return [low, next, span > 0 ? Math.min(Math.max((t - this.time[low]) / span, 0), 1) : 0];
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

  speed(grain, t) {
    const [i, j, share] = this.between(t);
    const k = Math.min(Math.floor(grain / this.every), this.shown - 1);
    const at = (frame) => (this.speeds[frame * this.shown + k] / 255) * this.fastest;
    return at(i) + share * (at(j) - at(i));
  }

  /** Positions of all grains at a time. */
  move(t) {
    const between = this.between(t);
    const [i, j, share] = between;
    this.interpolate(between, 0, this.shown, this.now, 0);
    const { speeds, shown, tone } = this;
    for (let k = 0; k < shown; k++) {
      const slow = speeds[i * shown + k];
      tone[k] = ((slow + share * (speeds[j * shown + k] - slow)) * (COLOUR_LEVELS - 1)) / 255 + 0.5;
    }
  }

  /** Corners of the bounding box of the grains, and of the container if there is one. */
  extent() {
    const reach = this.radius.reduce((a, b) => Math.max(a, b), 0);
    const corners = [this.low.map((x) => x - reach), this.high.map((x) => x + reach), ...(this.box ?? [])];
    const pick = (best) => [0, 1, 2].map((axis) => corners.reduce((a, p) => best(a, p[axis]), corners[0][axis]));
    const [low, high] = [pick(Math.min), pick(Math.max)];
    return Array.from({ length: 8 }, (_, k) => [0, 1, 2].map((axis) => ((k >> axis) & 1 ? high : low)[axis]));
  }

  /** Sprites of a grain in several sizes, from slow to fast: a sphere lit from the upper left. */
  sprites(stage) {
    // From blue to yellow; vermilion is reserved for forces.
    const [slow, fast] = [stage.palette[0], stage.palette[2]];
    const key = `${slow}|${fast}`;
    if (this.drawn?.key === key) return this.drawn.made;
    const made = SPRITE_SIZES.map((size) => Array.from({ length: COLOUR_LEVELS }, (_, tone) => {
      const canvas = document.createElement("canvas");
      canvas.width = canvas.height = size;
      const pen = canvas.getContext("2d");
      const half = size / 2;
      const colour = slow.map((x, i) => x + (tone / (COLOUR_LEVELS - 1)) * (fast[i] - x));
      const shade = pen.createRadialGradient(0.7 * half, 0.6 * half, 0.1 * half, half, half, half);
      const mix = (strength, white) => stage.css(colour.map((x) => Math.round(Math.min(255, x * strength + white))));
      shade.addColorStop(0, mix(1, 70));
      shade.addColorStop(0.5, mix(0.95, 0));
      shade.addColorStop(1, mix(0.45, 0));
      pen.fillStyle = shade;
      pen.beginPath();
      pen.arc(half, half, half, 0, 2 * Math.PI);
      pen.fill();
      return canvas;
    }));
    this.drawn = { key, made };
    return made;
  }

  /** Draws all grains at a time, the farthest first. */
  draw(stage, t) {
    const { pen, camera } = stage;
    this.move(t);
    this.project(camera);
    const sprites = this.sprites(stage);
    const dots = 2 * (window.devicePixelRatio || 1);
    const { seen, tone, order } = this;
    const open = this.uncovered(...camera.room);
    // Without a graphics processor sprites are faster, because hidden grains are left out before anything is drawn.
    if (stage.smooth() && stage.painter.fast) {
      const data = (this.discs ??= new Float32Array(4 * this.shown));
      let count = 0;
      for (let i = 0; i < this.shown; i++) {
        const k = order[i];
        if (!open[k]) continue;
        data[4 * count] = seen[4 * k];
        data[4 * count + 1] = seen[4 * k + 1];
        data[4 * count + 2] = seen[4 * k + 2];
        data[4 * count + 3] = tone[k] / COLOUR_LEVELS;
        count++;
      }
      stage.painter.bed(data, count, camera, stage.lightInView(), stage.palette[0], stage.palette[2]);
      stage.put();
      return this.legend(stage, sprites.at(-1));
    }
    for (let i = 0; i < this.shown; i++) {
      const k = order[i];
      if (!open[k]) continue;
      const x = seen[4 * k], y = seen[4 * k + 1], size = seen[4 * k + 2];
      // The smallest sprite that is large enough: scaling down large images is slow.
      let level = 0;
      while (level < SPRITE_SIZES.length - 1 && SPRITE_SIZES[level] < dots * size) level++;
      pen.drawImage(sprites[level][tone[k] | 0], x - size, y - size, 2 * size, 2 * size);
    }
    this.legend(stage, sprites.at(-1));
  }

  /** Screen positions and depths of all grains in px, and their drawing order. */
  project(camera) {
    const { right: r, up: u, near: n, target: c, scale, perspective, far: eye } = camera;
    const cx = camera.room[0] / 2, cy = camera.room[1] / 2;
    const { now, seen, radius } = this;
    let far = Infinity, near = -Infinity;
    for (let k = 0; k < this.shown; k++) {
      const x = now[3 * k] - c[0], y = now[3 * k + 1] - c[1], z = now[3 * k + 2] - c[2];
      const depth = x * n[0] + y * n[1] + z * n[2];
      const grow = (perspective ? (depth < 0.95 * eye ? eye / (eye - depth) : 0) : 1) * scale;
      seen[4 * k] = cx + (x * r[0] + y * r[1] + z * r[2]) * grow;
      seen[4 * k + 1] = cy - (x * u[0] + y * u[1] + z * u[2]) * grow;
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
  uncovered(wide, high) {
    const { seen, order, shown } = this;
    const open = (this.open ??= new Uint8Array(shown)).fill(0);
    let mean = 0;
    for (let k = 0; k < shown; k++) mean += seen[4 * k + 2] / shown;
    const cell = Math.max(0.4 * mean, 1);
    const columns = Math.ceil(wide / cell), rows = Math.ceil(high / cell);
    const covered = new Uint8Array(columns * rows);
    for (let i = shown - 1; i >= 0; i--) {
      const k = order[i];
      const x = seen[4 * k] / cell, y = seen[4 * k + 1] / cell, size = seen[4 * k + 2] / cell;
      if (!(size > 0)) continue;
      const [left, right] = [Math.max(Math.floor(x - size), 0), Math.min(Math.floor(x + size), columns - 1)];
      const [top, bottom] = [Math.max(Math.floor(y - size), 0), Math.min(Math.floor(y + size), rows - 1)];
      for (let row = top; row <= bottom; row++) {
        for (let column = left; column <= right; column++) {
          const at = row * columns + column;
          if (covered[at]) continue;
          // The nearest and the farthest point of the cell.
          const dx = Math.abs(column + 0.5 - x), dy = Math.abs(row + 0.5 - y);
          const u = Math.max(dx - 0.5, 0), v = Math.max(dy - 0.5, 0);
          if (u * u + v * v <= size * size) open[k] = 1;
          if ((dx + 0.5) ** 2 + (dy + 0.5) ** 2 <= size * size) covered[at] = 1;
        }
      }
    }
    return open;
  }

  /** Drawing order from far to near, by bucket sort into depth intervals. */
  sort(far, near) {
    const counts = (this.counts ??= new Uint32Array(DEPTH_INTERVALS + 1)).fill(0);
    const per = (DEPTH_INTERVALS - 1) / Math.max(near - far, 1e-30);
    const { seen } = this;
    const shelf = (k) => Math.max(0, Math.floor((seen[4 * k + 3] - far) * per));
    for (let k = 0; k < this.shown; k++) counts[shelf(k) + 1]++;
    for (let i = 1; i <= DEPTH_INTERVALS; i++) counts[i] += counts[i - 1];
    for (let k = 0; k < this.shown; k++) this.order[counts[shelf(k)]++] = k;
  }

  /** Draws a ring around the selected grain. */
  ring(stage, grain) {
    const k = Math.min(Math.floor(grain / this.every), this.shown - 1);
    const { pen } = stage;
    for (const [colour, width] of [[stage.css(stage.paper), 5], [stage.css(stage.ink), 2.5]]) {
      pen.strokeStyle = colour;
      pen.lineWidth = width;
      pen.beginPath();
      pen.arc(this.seen[4 * k], this.seen[4 * k + 1], Math.max(this.seen[4 * k + 2] + 2, 5), 0, 2 * Math.PI);
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

  /** Draws the colour key in the upper right corner. */
  legend(stage, sprites) {
    if (!(this.fastest > 0)) return;
    const { pen, camera } = stage;
    const [right, wide] = [camera.room[0] - 14, 96];
    const middle = SPRITE_SIZES.at(-1) / 2;
    sprites.forEach((sprite, i) => {
      const x = right - wide + (i * wide) / COLOUR_LEVELS;
      pen.drawImage(sprite, middle - 4, middle - 4, 8, 8, x, 14, wide / COLOUR_LEVELS + 0.5, 10);
    });
    pen.font = "12px system-ui, sans-serif";
    pen.textBaseline = "top";
    pen.fillStyle = stage.css(stage.ink);
    pen.textAlign = "left";
    pen.fillText("0", right - wide, 27);
    pen.textAlign = "right";
    pen.fillText(show(this.fastest, "m/s"), right, 27);
  }

  /** The grain at a screen position: the one nearest to the viewer, if any. */
  at(x, y) {
    for (let i = this.shown - 1; i >= 0; i--) {
      const k = this.order[i];
      if (Math.hypot(this.seen[4 * k] - x, this.seen[4 * k + 1] - y) <= this.seen[4 * k + 2]) return k * this.every;
    }
    return -1;
  }
}
