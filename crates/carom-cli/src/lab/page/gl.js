// Smooth shaded solids with WebGL 2: spheres as discs that are shaded as balls, other shapes as meshes with smooth
// normals. The picture is drawn on a canvas of its own, which the stage then puts under its lines and arrows. Without WebGL 2 the stage draws
// flat faces itself.

import { conjugate, dot, place, sub, turn } from "./space.js";

// A quad around a disc, as a strip.
export const QUAD = new Float32Array([-1, -1, 1, -1, -1, 1, 1, 1]);
// Faces that meet at a smaller angle than this share their normals (cosine).
const SMOOTH = Math.cos((40 * Math.PI) / 180);

// From view axes (right, up, towards the viewer, from the target) to the clip space; `eye` is the distance of the viewer, 0 without
// perspective, `deep` how far from the target there is anything.
export const PROJECT = `
uniform vec2 room; uniform float scale, eye, deep;
vec4 project(vec3 p) {
  if (eye == 0.0) return vec4(2.0 * scale * p.xy / room, -p.z / deep, 1.0);
  float e = eye - p.z, n = 0.05 * eye, f = eye + deep;
  return vec4(2.0 * scale * p.xy / room, ((f + n) * e - 2.0 * f * n) / ((f - n) * eye), e / eye);
}`;
export const SHADE = `
uniform vec3 light;
vec3 shade(vec3 colour, float tone, vec3 normal) {
  vec3 base = mix(colour, vec3(0.92), 0.3 * tone);
  // Light that also comes from the sky: faces that turn away are not black.
  float lit = pow(0.5 + 0.5 * dot(normal, light), 1.5);
  float gleam = pow(max(0.0, dot(normal, normalize(light + vec3(0.0, 0.0, 1.0)))), 40.0);
  return min(vec3(1.0), base * (0.58 + 0.47 * lit) + 0.2 * gleam);
}`;

const BALL = [`#version 300 es
layout(location = 0) in vec2 corner;
layout(location = 1) in vec4 ball;
layout(location = 2) in vec3 colour;
layout(location = 3) in vec4 spin;
out vec2 c; flat out vec4 b; flat out vec3 tint; flat out vec4 q;${PROJECT}
void main() {
  c = 1.02 * corner; b = ball; tint = colour; q = spin;
  gl_Position = project(ball.xyz + vec3(c * ball.w, 0.0));
}`, `#version 300 es
precision highp float;
in vec2 c; flat in vec4 b; flat in vec3 tint; flat in vec4 q;
out vec4 paint;${PROJECT}${SHADE}
vec3 turned(vec4 q, vec3 v) { return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v); }
void main() {
  float d = dot(c, c);
  float edge = fwidth(d);
  if (d > 1.0 + edge) discard;
  vec3 normal = vec3(c, sqrt(max(0.0, 1.0 - d)));
  // The pattern of eight fields that makes rotation visible.
  vec3 own = turned(q, normal);
  float tone = step(0.0, own.x * own.y * own.z);
#ifdef DEPTH
  vec4 at = project(b.xyz + normal * b.w);
  gl_FragDepth = clamp(0.5 + 0.5 * at.z / at.w, 0.0, 1.0);
#endif
  float alpha = 1.0 - smoothstep(1.0 - edge, 1.0 + edge, d);
  paint = vec4(shade(tint, tone, normal), 1.0) * alpha;
}`];
// Among other shapes every pixel of a ball has its own depth; balls alone are drawn one over the other, which is faster by half.
const DEEP_BALL = [BALL[0], BALL[1].replace("#version 300 es\n", "#version 300 es\n#define DEPTH\n")];

const MESH = [`#version 300 es
layout(location = 0) in vec3 point;
layout(location = 1) in vec3 normal;
layout(location = 2) in float tone;
uniform mat3 turning; uniform vec3 off;
out vec3 n; out float t;${PROJECT}
void main() { n = turning * normal; t = tone; gl_Position = project(turning * point + off); }`, `#version 300 es
precision highp float;
in vec3 n; in float t;
uniform vec3 tint;
out vec4 paint;${SHADE}
void main() { vec3 normal = normalize(n); paint = vec4(shade(tint, t, gl_FrontFacing ? normal : -normal), 1.0); }`];

/** A painter, or null where the browser has no WebGL 2. `fast` says whether a graphics processor draws. */
export function solidPainter() {
  const options = { alpha: true, premultipliedAlpha: true, antialias: true };
  let canvas = document.createElement("canvas");
  let gl = canvas.getContext("webgl2", { ...options, failIfMajorPerformanceCaveat: true });
  const info = gl?.getExtension("WEBGL_debug_renderer_info");
  const fast = gl !== null && !/swiftshader|llvmpipe|software/i.test(info ? gl.getParameter(info.UNMASKED_RENDERER_WEBGL) : "");
  if (!gl) {
    canvas = document.createElement("canvas");
    gl = canvas.getContext("webgl2", options);
  }
  if (!gl) return null;
  try {
    return new SolidPainter(canvas, gl, fast);
  } catch {
    return null;
  }
}

class SolidPainter {
  constructor(canvas, gl, fast) {
    Object.assign(this, { canvas, gl, fast, meshes: new WeakMap() });
    this.lost = false;
    canvas.addEventListener("webglcontextlost", () => { this.lost = true; });
    [this.ball, this.deepBall, this.mesh] = [BALL, DEEP_BALL, MESH].map((sources) => program(gl, sources));
    this.quad = gl.createBuffer();
    gl.bindBuffer(gl.ARRAY_BUFFER, this.quad);
    gl.bufferData(gl.ARRAY_BUFFER, QUAD, gl.STATIC_DRAW);
    this.instances = gl.createBuffer();
    // Position and radius, colour, turning into the axes of the body.
    this.balls = this.instanced([4, 3, 4]);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
  }

  /** A vertex array of quads, with instances of these attributes. */
  instanced(sizes) {
    const { gl } = this;
    const array = gl.createVertexArray();
    gl.bindVertexArray(array);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.quad);
    gl.enableVertexAttribArray(0);
    gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.instances);
    const stride = 4 * sizes.reduce((sum, size) => sum + size, 0);
    let at = 0;
    sizes.forEach((size, i) => {
      gl.enableVertexAttribArray(i + 1);
      gl.vertexAttribPointer(i + 1, size, gl.FLOAT, false, stride, at);
      gl.vertexAttribDivisor(i + 1, 1);
      at += 4 * size;
    });
    return array;
  }

  begin(camera) {
    const { gl, canvas } = this;
    const dots = window.devicePixelRatio || 1;
    const [wide, high] = camera.room.map((px) => Math.max(1, Math.round(px * dots)));
    if (canvas.width !== wide || canvas.height !== high) [canvas.width, canvas.height] = [wide, high];
    gl.viewport(0, 0, wide, high);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
  }

  use({ program, at }, camera, light, deep) {
    const { gl } = this;
    gl.useProgram(program);
    gl.uniform2f(at("room"), ...camera.room);
    gl.uniform1f(at("scale"), camera.scale);
    gl.uniform1f(at("eye"), camera.perspective ? camera.far : 0);
    gl.uniform1f(at("deep"), deep);
    gl.uniform3f(at("light"), ...light);
  }

  /**
   * Draws solids: `{ pose, shape, mesh, colour }` with the pose of the body in the world and colours of 0 to 255. `light` is in view
   * axes, `deep` a bound of the distance from the target.
   */
  solids(list, camera, light, deep) {
    const { gl } = this;
    this.begin(camera);
    gl.enable(gl.BLEND);
    const axes = [camera.right, camera.up, camera.near];
    const view = (point) => axes.map((axis) => dot(sub(point, camera.target), axis));
    const balls = list.filter(({ shape }) => shape.shape === "sphere").map((ball) => ({ ...ball, at: view(place(ball.pose, ball.shape.position)) }));
    const alone = balls.length === list.length;
    if (alone) {
      gl.disable(gl.DEPTH_TEST);
      balls.sort((a, b) => a.at[2] - b.at[2]);
    } else gl.enable(gl.DEPTH_TEST);
    if (list.length > balls.length) this.use(this.mesh, camera, light, deep);
    for (const { pose, mesh, colour } of list.filter(({ shape }) => shape.shape !== "sphere")) {
      const made = this.made(mesh);
      const columns = [[1, 0, 0], [0, 1, 0], [0, 0, 1]].map((axis) => turn(pose.q, axis));
      gl.uniformMatrix3fv(this.mesh.at("turning"), false, columns.flatMap((column) => axes.map((axis) => dot(axis, column))));
      gl.uniform3f(this.mesh.at("off"), ...view(pose.x));
      gl.uniform3f(this.mesh.at("tint"), ...colour.map((x) => x / 255));
      gl.bindVertexArray(made.array);
      gl.drawArrays(gl.TRIANGLES, 0, made.count);
    }
    if (balls.length === 0) return;
    const data = new Float32Array(11 * balls.length);
    const turned = quaternion(axes);
    balls.forEach(({ pose, shape, colour, at }, i) => {
      // The rotation from view axes into those of the ball: of the body, after that of the view.
      const spin = product(product(conjugate(shape.rotation), conjugate(pose.q)), turned);
      data.set([...at, shape.radius, ...colour.map((x) => x / 255), spin[1], spin[2], spin[3], spin[0]], 11 * i);
    });
    this.use(alone ? this.ball : this.deepBall, camera, light, deep);
    gl.bindVertexArray(this.balls);
    this.fill(data);
    gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, balls.length);
  }

  fill(data) {
    const { gl } = this;
    gl.bindBuffer(gl.ARRAY_BUFFER, this.instances);
    gl.bufferData(gl.ARRAY_BUFFER, data, gl.STREAM_DRAW);
  }

  /** The triangles of a mesh with their normals, made once. */
  made(mesh) {
    const known = this.meshes.get(mesh);
    if (known) return known;
    const { gl } = this;
    const around = mesh.points.map(() => []);
    for (const face of mesh.faces) for (const corner of face.corners) around[corner].push(face.normal);
    const data = [];
    for (const { corners, normal, tone } of mesh.faces) {
      const smooth = corners.map((corner) => around[corner].filter((other) => dot(other, normal) > SMOOTH)
        .reduce((sum, other) => sum.map((x, i) => x + other[i]), [0, 0, 0]));
      for (let k = 1; k + 1 < corners.length; k++) {
        for (const i of [0, k, k + 1]) data.push(...mesh.points[corners[i]], ...smooth[i], tone);
      }
    }
    const [array, buffer] = [gl.createVertexArray(), gl.createBuffer()];
    gl.bindVertexArray(array);
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(data), gl.STATIC_DRAW);
    for (const [index, size, at] of [[0, 3, 0], [1, 3, 12], [2, 1, 24]]) {
      gl.enableVertexAttribArray(index);
      gl.vertexAttribPointer(index, size, gl.FLOAT, false, 28, at);
    }
    const made = { array, buffer, count: data.length / 7 };
    this.meshes.set(mesh, made);
    return made;
  }
}

export function program(gl, [vertex, fragment]) {
  const made = gl.createProgram();
  for (const [kind, source] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader));
    gl.attachShader(made, shader);
  }
  gl.linkProgram(made);
  if (!gl.getProgramParameter(made, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(made));
  const places = new Map();
  const at = (name) => {
    if (!places.has(name)) places.set(name, gl.getUniformLocation(made, name));
    return places.get(name);
  };
  return { program: made, at };
}

// Quaternions as [w, x, y, z].
const product = ([a, b, c, d], [e, f, g, h]) => [a * e - b * f - c * g - d * h, a * f + b * e + c * h - d * g, a * g - b * h + c * e + d * f, a * h + b * g - c * f + d * e];

/** The rotation that takes x, y, z to three axes at right angles. */
function quaternion([x, y, z]) {
  const trace = x[0] + y[1] + z[2];
  if (trace > 0) {
    const s = 2 * Math.sqrt(trace + 1);
    return [s / 4, (y[2] - z[1]) / s, (z[0] - x[2]) / s, (x[1] - y[0]) / s];
  }
  if (x[0] > y[1] && x[0] > z[2]) {
    const s = 2 * Math.sqrt(1 + x[0] - y[1] - z[2]);
    return [(y[2] - z[1]) / s, s / 4, (y[0] + x[1]) / s, (z[0] + x[2]) / s];
  }
  if (y[1] > z[2]) {
    const s = 2 * Math.sqrt(1 + y[1] - x[0] - z[2]);
    return [(z[0] - x[2]) / s, (y[0] + x[1]) / s, s / 4, (z[1] + y[2]) / s];
  }
  const s = 2 * Math.sqrt(1 + z[2] - x[0] - y[1]);
  return [(x[1] - y[0]) / s, (z[0] + x[2]) / s, (z[1] + y[2]) / s, s / 4];
}
