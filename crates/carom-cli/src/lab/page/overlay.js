// Overlays on the scene: force arrows with their scale, names, a length scale.

import { add, round, size, times } from "./space.js";
import { show } from "./tools.js";

/** Length of the largest force relative to the canvas, and decades of force on the logarithmic scale. */
const LONGEST_ARROW = 0.24;
const ARROW_DECADES = 4;
/** Arrows keep this far from the edge of the picture (px). */
const EDGE = 8;

/** Length in px of a force. */
function arrowLength(stage, force) {
  const longest = LONGEST_ARROW * Math.min(...stage.camera.room);
  const share = force / stage.film.strongest;
  if (!(share > 0)) return 0;
  return stage.options.arrows === "linear" ? longest * share : longest * Math.max(0, 1 + Math.log10(share) / ARROW_DECADES);
}

/** Draws every force on every free body as an arrow from its contact point. */
export function drawArrows(stage, touches) {
  if (stage.options.arrows === "none" || !(stage.film.strongest > 0)) return;
  const { camera, film } = stage;
  for (const { contact, point, vector } of touches) {
    const force = size(vector);
    const px = arrowLength(stage, force);
    if (!(px > 0.5)) continue;
    const { a, b } = film.contacts[contact];
    const per = (px * camera.perPixel(point)) / force;
    for (const [body, sign] of [[a, -1], [b, 1]]) {
      if (film.bodies[body].moves !== "free") continue;
      const [from, to] = [camera.project(point), camera.project(add(point, times(vector, sign * per)))];
      if (from && to) drawArrow(stage, ...inSight(stage, from, to));
    }
  }
  drawLegend(stage);
}

/** Moves an arrow so that it stays on the picture: along itself, or, where its contact is out of sight, to the edge. */
function inSight(stage, [x, y], [u, v]) {
  const shift = (low, high, room) => (low < EDGE ? Math.min(EDGE - low, Math.max(0, room - EDGE - high)) : high > room - EDGE ? Math.max(room - EDGE - high, Math.min(0, EDGE - low)) : 0);
  const [wide, high] = stage.camera.room;
  const [dx, dy] = [shift(Math.min(x, u), Math.max(x, u), wide), shift(Math.min(y, v), Math.max(y, v), high)];
  return [[x + dx, y + dy], [u + dx, v + dy]];
}

function drawArrow(stage, [x, y], [u, v]) {
  const far = Math.hypot(u - x, v - y);
  if (far < 1) return;
  const head = Math.min(11, 0.6 * far);
  const [dx, dy] = [(u - x) / far, (v - y) / far];
  const [bx, by] = [u - dx * head, v - dy * head];
  const tip = [[u, v], [bx - 0.45 * head * dy, by + 0.45 * head * dx], [bx + 0.45 * head * dy, by - 0.45 * head * dx]];
  // A halo in the background colour separates it from what is below.
  for (const [colour, width] of [[stage.css(stage.paper), 5.5], [stage.css(stage.force), 2.6]]) {
    stage.stroke([[x, y], [bx, by]], colour, width);
    stage.stroke([...tip, tip[0]], colour, width - 1.5);
  }
  stage.polygon(tip, stage.css(stage.force));
}

/** Draws text with a halo in the background colour. */
export function writeText({ pen, css, ink, paper }, text, x, y) {
  pen.lineWidth = 3;
  pen.lineJoin = "round";
  pen.strokeStyle = css(paper, 0.8);
  pen.strokeText(text, x, y);
  pen.fillStyle = css(ink);
  pen.fillText(text, x, y);
}

/** Forces of round size with their lengths, in the upper right. */
function drawLegend(stage) {
  const { pen, camera, film, options } = stage;
  const top = round(film.strongest);
  const shown = options.arrows === "linear" ? [top] : [top, top / 10, top / 100, top / 1000];
  pen.font = "12px system-ui, sans-serif";
  pen.textAlign = "right";
  pen.textBaseline = "middle";
  const right = camera.room[0] - 14;
  shown.forEach((force, i) => {
    const px = arrowLength(stage, force);
    const y = 18 + 18 * i;
    if (!(px > 1)) return;
    writeText(stage, show(force, "N"), right, y);
    drawArrow(stage, [right - 62 - px, y], [right - 62, y]);
  });
}

/** Names beside the bodies. */
export function drawNames(stage, poses) {
  const { pen, camera, film } = stage;
  pen.font = "13px system-ui, sans-serif";
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  film.bodies.forEach((body, index) => {
    const at = index > 0 && camera.project(poses[index].x);
    if (at) writeText(stage, body.name, at[0], at[1]);
  });
}

/** Draws a length scale at the lower left, valid at the centre of the view, and the direction up. */
export function drawScaleBar(stage) {
  const { pen, camera } = stage;
  const metres = round(110 / camera.scale);
  const px = metres * camera.scale;
  const y = camera.room[1] - 16;
  const colour = stage.css(stage.ink);
  stage.stroke([[14, y - 4], [14, y], [14 + px, y], [14 + px, y - 4]], colour, 1.5);
  pen.font = "12px system-ui, sans-serif";
  pen.textAlign = "left";
  pen.textBaseline = "alphabetic";
  writeText(stage, show(metres, "m"), 18, y - 6);
}
