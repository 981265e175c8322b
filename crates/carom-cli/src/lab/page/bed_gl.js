// Grains drawn by a graphics processor. The snapshots of the film lie in its memory; it interpolates between two of them, projects and
// shades, so that a frame costs the page a few calls however many grains there are.

import { PROJECT, QUAD, SHADE, program } from "./gl.js";
import { dot, sub } from "./space.js";

// Positions are shares of the box from `low` to `high`; `view` takes such shares to view axes, `origin` is the lower corner there.
const GRAIN = [`#version 300 es
layout(location = 0) in vec2 corner;
layout(location = 1) in vec3 before;
layout(location = 2) in vec3 after;
layout(location = 3) in float radius;
layout(location = 4) in float levelBefore;
layout(location = 5) in float levelAfter;
uniform float share; uniform vec3 period, origin; uniform mat3 view;
uniform vec3 sliced; uniform vec2 slice;
out vec2 c; flat out vec4 ball; flat out float tone;${PROJECT}
void main() {
  vec3 way = after - before;
  // Across a periodic boundary the shorter way is taken.
  way -= period * round(way / max(period, vec3(1e-30)));
  vec3 at = before + share * way;
  float along = dot(sliced, at);
  ball = vec4(view * at + origin, radius);
  tone = mix(levelBefore, levelAfter, share);
  // Discs of less than a pixel would flicker.
  float pixel = (eye == 0.0 ? 1.0 : max(eye - ball.z, 0.0) / eye) / scale;
  ball.w = max(radius, 0.5 * pixel);
  // Room for the edge, which is a pixel wide.
  c = corner * (1.0 + pixel / ball.w);
  gl_Position = project(ball.xyz + vec3(c * ball.w, 0.0));
  bool behind = eye > 0.0 && ball.z >= 0.95 * eye;
  if (behind || along < slice.x || along > slice.y) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
}`, `#version 300 es
precision highp float;
in vec2 c; flat in vec4 ball; flat in float tone;
uniform vec3 ramp[5];
out vec4 paint;${PROJECT}${SHADE}
void main() {
  float d = length(c);
  // The share of the pixel that is covered, which multisampling makes of it.
  float alpha = clamp((1.0 - d) / max(fwidth(d), 1e-6) + 0.5, 0.0, 1.0);
  if (alpha <= 0.0) discard;
  vec3 normal = vec3(c, sqrt(max(0.0, 1.0 - d * d)));
  vec4 at = project(ball.xyz + normal * ball.w);
  gl_FragDepth = clamp(0.5 + 0.5 * at.z / at.w, 0.0, 1.0);
  float place = 4.0 * clamp(tone, 0.0, 1.0); int k = min(int(place), 3);
  paint = vec4(shade(mix(ramp[k], ramp[k + 1], place - float(k)), 0.0, normal), alpha);
}`];
// Sets the opacity of every sample that a grain covers to 1: where the depth is less than that of the background.
const OPAQUE = [`#version 300 es
layout(location = 0) in vec2 corner;
void main() { gl_Position = vec4(corner, 1.0, 1.0); }`, `#version 300 es
precision mediump float;
out vec4 paint;
void main() { paint = vec4(1.0); }`];

export class BedPainter {
  constructor(painter, bed) {
    const { gl } = painter;
    Object.assign(this, { painter, gl, bed, levels: new Map() });
    [this.grain, this.opaque] = [GRAIN, OPAQUE].map((sources) => program(gl, sources));
    this.places = this.buffer(bed.places);
    this.radius = this.buffer(bed.radius);
    this.array = gl.createVertexArray();
    gl.bindVertexArray(this.array);
    this.buffer(QUAD);
    gl.enableVertexAttribArray(0);
    gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0);
    this.attribute(3, this.radius, 1, gl.FLOAT, 0);
  }

  /** A buffer that holds these numbers. */
  buffer(data) {
    const { gl } = this;
    const made = gl.createBuffer();
    gl.bindBuffer(gl.ARRAY_BUFFER, made);
    gl.bufferData(gl.ARRAY_BUFFER, data, gl.STATIC_DRAW);
    return made;
  }

  /** Numbers of the grains as an attribute, whole numbers as shares of the largest. */
  attribute(place, buffer, size, type, offset) {
    const { gl } = this;
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.enableVertexAttribArray(place);
    gl.vertexAttribPointer(place, size, type, type !== gl.FLOAT, 0, offset);
    gl.vertexAttribDivisor(place, 1);
  }

  /**
   * Draws the grains between snapshots i and j, coloured by a value of the bed along five colours; `slab` is the part that is
   * shown, null for all.
   */
  draw([i, j, share], value, camera, light, ramp, slab) {
    const { gl, bed, painter, grain } = this;
    painter.begin(camera);
    const { shown } = bed;
    if (!this.levels.has(value)) this.levels.set(value, this.buffer(value.levels));
    gl.bindVertexArray(this.array);
    this.attribute(1, this.places, 3, gl.UNSIGNED_SHORT, 6 * i * shown);
    this.attribute(2, this.places, 3, gl.UNSIGNED_SHORT, 6 * j * shown);
    this.attribute(4, this.levels.get(value), 1, gl.UNSIGNED_BYTE, i * shown);
    this.attribute(5, this.levels.get(value), 1, gl.UNSIGNED_BYTE, j * shown);

    const extent = bed.high.map((x, axis) => x - bed.low[axis]);
    const axes = [camera.right, camera.up, camera.near];
    const corner = sub(bed.low, camera.target);
    const deep = 2 * Math.hypot(...extent) + Math.hypot(...corner) + bed.largest();
    painter.use(grain, camera, light, deep);
    const set = (name, ...numbers) => gl[`uniform${numbers.length}f`](grain.at(name), ...numbers);
    set("share", share);
    set("period", ...extent.map((length, axis) => (bed.period[axis] && length > 0 ? bed.period[axis] / length : 0)));
    set("origin", ...axes.map((axis) => dot(corner, axis)));
    gl.uniformMatrix3fv(grain.at("view"), false, extent.flatMap((length, k) => axes.map((axis) => length * axis[k])));
    set("sliced", ...[0, 1, 2].map((axis) => (axis === slab?.axis ? extent[axis] : 0)));
    set("slice", ...(slab ? [slab.from, slab.to].map((end) => end - bed.low[slab.axis]) : [-1, 1]));
    gl.uniform3fv(grain.at("ramp"), ramp.flat().map((x) => x / 255));

    gl.disable(gl.BLEND);
    gl.enable(gl.DEPTH_TEST);
    gl.enable(gl.SAMPLE_ALPHA_TO_COVERAGE);
    gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, shown);
    gl.disable(gl.SAMPLE_ALPHA_TO_COVERAGE);

    gl.useProgram(this.opaque.program);
    gl.depthFunc(gl.GREATER);
    gl.colorMask(false, false, false, true);
    gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, 1);
    gl.colorMask(true, true, true, true);
    gl.depthFunc(gl.LESS);
  }
}
