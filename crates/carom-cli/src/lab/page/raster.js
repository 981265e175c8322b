// Balls and lines drawn by the processor, pixel by pixel, for machines without a graphics processor: in a bed most balls are small and
// alike, so that a picture of each size and colour is made once and copied. Browsers that emulate WebGL or draw thousands of
// images on a canvas take several times as long.

/** Colours of a ramp. */
export const TONES = 24;
/** Balls up to this diameter (px) are copied from a picture; larger ones are few and computed. */
const LARGEST_PICTURE = 64;
/** Up to this diameter there are pictures for half pixels as well, or slow balls would jump from pixel to pixel. */
const LARGEST_HALVES = 16;
/** Pixels from here on cover what is below. */
const OPAQUE = 0xff000000;

export class Raster {
  constructor() {
    this.canvas = document.createElement("canvas");
    this.pen = this.canvas.getContext("2d");
    this.pictures = [];
  }

  /** An empty picture of so many px, for balls of these `TONES` colours, lit from a direction in view axes. */
  begin(wide, high, ramp, light) {
    if (this.wide !== wide || this.high !== high) {
      [this.canvas.width, this.canvas.height] = [this.wide, this.high] = [wide, high];
      this.image = this.pen.createImageData(wide, high);
      this.dots = new Uint32Array(this.image.data.buffer);
    }
    this.dots.fill(0);
    const key = `${ramp.join()}|${light.map((x) => x.toFixed(2)).join()}`;
    if (key !== this.key) {
      this.pictures = [];
      Object.assign(this, { key, ramp, light });
    }
  }

  /** The colour of a ball at a place of its disc, from −1 to 1, as 0xAABBGGRR. */
  shade(tone, u, v, alpha) {
    const z = Math.sqrt(Math.max(0, 1 - u * u - v * v));
    const [lx, ly, lz] = this.light;
    const lit = (0.5 + 0.5 * (u * lx - v * ly + z * lz)) ** 1.5;
    // Half-way between light and viewer.
    const half = Math.hypot(lx, ly, lz + 1);
    const gleam = Math.max(0, (u * lx - v * ly + z * (lz + 1)) / half) ** 40;
    let dot = Math.round(255 * alpha) << 24;
    for (let i = 0; i < 3; i++) dot |= Math.min(255, Math.round(this.ramp[tone][i] * (0.58 + 0.47 * lit) + 51 * gleam)) << (8 * i);
    return dot >>> 0;
  }

  /** Returns size and pixels (row by row) of a ball with this diameter and tone, whose centre is off by half pixels. */
  picture(key, diameter, tone, halfX, halfY) {
    const size = diameter + 2;
    const cx = size / 2 + halfX / 2, cy = size / 2 + halfY / 2, r = diameter / 2;
    const pixels = new Uint32Array(size * size);
    for (let row = 0; row < size; row++) {
      for (let column = 0; column < size; column++) {
        const x = column + 0.5 - cx, y = row + 0.5 - cy;
        const cover = Math.min(Math.max(r - Math.hypot(x, y) + 0.5, 0), 1);
        if (cover > 0) pixels[row * size + column] = this.shade(tone, x / r, y / r, cover);
      }
    }
    return (this.pictures[key] = { size, pixels });
  }

  /** A ball on top of what is there: centre and radius in px, a number of the ramp. */
  ball(x, y, radius, tone) {
    const diameter = Math.max(1, (2 * radius + 0.5) | 0);
    if (diameter > LARGEST_PICTURE) return this.largeBall(x, y, radius, tone);
    const corner = (diameter + 2) / 2;
    // Twice the place of the corner: whole and half pixels; of larger balls whole ones alone.
    let left = Math.floor(2 * (x - corner) + 0.5), top = Math.floor(2 * (y - corner) + 0.5);
    if (diameter > LARGEST_HALVES) left &= ~1, top &= ~1;
    const halfX = left & 1, halfY = top & 1;
    left >>= 1;
    top >>= 1;
    const key = ((diameter * TONES + tone) << 2) | (halfX << 1) | halfY;
    const { size, pixels } = this.pictures[key] ?? this.picture(key, diameter, tone, halfX, halfY);
    const { wide, high, dots } = this;
    const from = Math.max(0, -left), to = Math.min(size, wide - left);
    const last = Math.min(size, high - top);
    for (let row = Math.max(0, -top); row < last; row++) {
      const line = (top + row) * wide + left, source = row * size;
      for (let i = from; i < to; i++) {
        const dot = pixels[source + i];
        if (dot >= OPAQUE) dots[line + i] = dot;
        else if (dot !== 0) dots[line + i] = over(dot, dots[line + i]);
      }
    }
  }

  largeBall(x, y, radius, tone) {
    const { wide, high, dots } = this;
    const [left, right] = [Math.max(0, Math.floor(x - radius)), Math.min(wide - 1, Math.ceil(x + radius))];
    for (let row = Math.max(0, Math.floor(y - radius)); row <= Math.min(high - 1, Math.ceil(y + radius)); row++) {
      for (let column = left; column <= right; column++) {
        const [dx, dy] = [column + 0.5 - x, row + 0.5 - y];
        const cover = Math.min(Math.max(radius - Math.hypot(dx, dy) + 0.5, 0), 1);
        if (cover > 0) dots[row * wide + column] = over(this.shade(tone, dx / radius, dy / radius, cover), dots[row * wide + column]);
      }
    }
  }

  /** A disc of one colour 0xAABBGGRR. */
  disc(x, y, radius, colour) {
    const { wide, high, dots } = this;
    for (let row = Math.max(0, Math.round(y - radius)); row <= Math.min(high - 1, Math.round(y + radius) - 1); row++) {
      const half = Math.sqrt(Math.max(0, radius * radius - (row + 0.5 - y) ** 2));
      const [from, to] = [Math.max(0, Math.round(x - half)), Math.min(wide, Math.round(x + half))];
      if (from < to) dots.fill(colour, row * wide + from, row * wide + to);
    }
  }

  /** A straight line of a width in px and a colour 0xAABBGGRR; broad ones have round ends. */
  line(x, y, u, v, width, colour) {
    const { wide, high, dots } = this;
    if (width >= 3) {
      this.disc(x, y, width / 2, colour);
      this.disc(u, v, width / 2, colour);
    }
    const steep = Math.abs(v - y) > Math.abs(u - x);
    if (steep) [x, y, u, v] = [y, x, v, u];
    if (x > u) [x, y, u, v] = [u, v, x, y];
    const [across, along] = steep ? [wide, high] : [high, wide];
    const slope = u - x > 1e-6 ? (v - y) / (u - x) : 0;
    const half = 0.5 * width * Math.sqrt(1 + slope * slope);
    const [first, last] = [Math.max(0, Math.round(x)), Math.min(along - 1, Math.round(u))];
    for (let i = first; i <= last; i++) {
      const middle = y + (Math.min(Math.max(i + 0.5, x), u) - x) * slope;
      const [low, high_] = [Math.max(0, Math.round(middle - half)), Math.min(across - 1, Math.max(Math.round(middle + half) - 1, Math.round(middle - half)))];
      for (let j = low; j <= high_; j++) dots[steep ? i * wide + j : j * wide + i] = colour;
    }
  }

  /** Puts the picture onto a canvas of this size in CSS px. */
  put(pen, room) {
    this.pen.putImageData(this.image, 0, 0);
    pen.drawImage(this.canvas, 0, 0, ...room);
  }
}

/** A pixel over another, both with their coverage in the highest byte. */
function over(top, below) {
  if (below === 0) return top;
  const a = top >>> 24;
  // What remains of the pixel below counts by its own coverage.
  const b = ((below >>> 24) * (255 - a)) / 255;
  const all = a + b, share = a / all, rest = 1 - share;
  const red = ((top & 255) * share + (below & 255) * rest) | 0;
  const green = (((top >>> 8) & 255) * share + ((below >>> 8) & 255) * rest) | 0;
  const blue = (((top >>> 16) & 255) * share + ((below >>> 16) & 255) * rest) | 0;
  return ((((all + 0.5) | 0) << 24) | (blue << 16) | (green << 8) | red) >>> 0;
}
