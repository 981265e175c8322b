// The film of a run from the server, interpolated between its frames.

import { Bed } from "./bed.js";
import { mix, place, slerp } from "./space.js";
import { bracket } from "./tools.js";

/** Fields of a contact in a frame. */
const CONTACT = 0, SITE = 1, POINT = 2, VECTOR = 5, FORCE = 8, DEPTH = 9;

export class Film {
  constructor(seen) {
    Object.assign(this, seen);
    this.times = seen.frames.time;
    if (seen.grains) {
      this.bed = new Bed(seen.grains);
      for (const key of ["poses", "contacts"]) seen.frames[key] = this.times.map(() => []);
    }
    this.slot = new Map(seen.moving.map((body, slot) => [body, slot]));
    this.end = this.times.at(-1) ?? 0;
    // A preview has one frame at t = 0: its time range is that of the whole scene.
    this.length = this.end || this.duration;
    // Events in the order of time, each once.
    const times = seen.events.flatMap(({ touch, part }) => (part === null ? [touch] : [touch, part]));
    this.eventTimes = [...new Set(times)].sort((a, b) => a - b);
    this.strongest = 0;
    for (const touches of seen.frames.contacts) {
      for (const row of touches) this.strongest = Math.max(this.strongest, Math.hypot(row[VECTOR], row[VECTOR + 1], row[VECTOR + 2]));
    }
    [this.energies, this.turned] = ledger(seen.frames.energies);
  }

  /** The last frame that is not after t. */
  index(t) {
    return this.between(t)[0];
  }

  /** The frames before and after a time, and the fraction of the interval between them. */
  between(t) {
    return bracket(this.times, t);
  }

  /** Poses of all bodies. */
  poses(t) {
    const [i, j, share] = this.between(t);
    return this.bodies.map((body, index) => this.pose(body, this.slot.get(index), i, j, share));
  }

  pose(body, slot, i, j, share) {
    if (slot === undefined) return { x: body.position, q: body.rotation };
    const at = (frame, from, to) => this.frames.poses[frame].slice(7 * slot + from, 7 * slot + to);
    if (share === 0) return { x: at(i, 0, 3), q: at(i, 3, 7) };
    return { x: mix(at(i, 0, 3), at(j, 0, 3), share), q: slerp(at(i, 3, 7), at(j, 3, 7), share) };
  }

  /** Position of a body or grain by its number. */
  positionOf(index, t) {
    return this.bed ? this.bed.place(index, t) : this.poses(t)[index].x;
  }

  /** Name of a body or grain. */
  nameOf(index) {
    return this.bed ? `grain ${index}` : this.bodies[index].name;
  }

  /** The pose of one body at a frame. */
  poseAt(body, frame) {
    return this.pose(this.bodies[body], this.slot.get(body), frame, frame, 0);
  }

  /** Contacts at a time: new ones appear at their first frame, ending ones fade out until their end. */
  pushes(t) {
    const [i, j, share] = this.between(t);
    const site = (row) => 65536 * row[CONTACT] + row[SITE];
    const next = new Map(share > 0 ? this.frames.contacts[j].map((row) => [site(row), row]) : []);
    return this.frames.contacts[i].map((row) => {
      const same = next.get(site(row));
      const at = (from, to) => {
        const now = row.slice(from, to);
        if (same) return mix(now, same.slice(from, to), share);
        return share > 0 && from !== POINT ? now.map((x) => x * (1 - share)) : now;
      };
      return { contact: row[CONTACT], site: row[SITE], point: at(POINT, POINT + 3), vector: at(VECTOR, VECTOR + 3), force: at(FORCE, FORCE + 1)[0], depth: at(DEPTH, DEPTH + 1)[0] };
    });
  }

  /** Energies at a time as pairs of name and value, without those that are always zero. */
  ledger(t) {
    const [i, j, share] = this.between(t);
    return this.energies.map(([name, column]) => {
      const value = column[i] + share * (column[j] - column[i]);
      return [name, Math.abs(value) < 1e-12 * this.turned ? 0 : value];
    });
  }

  /**
   * Normal force of every contact that occurs: name, values at the frames, and for frames at which a site begins
   * to touch the force of the other sites, since the force jumps there.
   */
  forces() {
    if (this.columns) return this.columns;
    const columns = new Map();
    let touched = new Set();
    this.frames.contacts.forEach((touches, frame) => {
      const now = new Set();
      for (const row of touches) {
        const contact = row[CONTACT];
        if (!columns.has(contact)) columns.set(contact, [this.contacts[contact].name, new Array(this.times.length).fill(0), new Map()]);
        const [, column, before] = columns.get(contact);
        const site = 65536 * contact + row[SITE];
        now.add(site);
        if (frame > 0 && !touched.has(site)) before.set(frame, before.get(frame) ?? 0);
        column[frame] += row[FORCE];
      }
      for (const row of touches) {
        const before = columns.get(row[CONTACT])[2];
        if (before.has(frame) && touched.has(65536 * row[CONTACT] + row[SITE])) before.set(frame, before.get(frame) + row[FORCE]);
      }
      touched = now;
    });
    this.columns = [...columns].sort((a, b) => a[0] - b[0]).map(([, column]) => column);
    return this.columns;
  }

  /** The next event after t, or the one before. */
  event(t, forth) {
    const rounding = 1e-12 * this.end;
    return forth ? this.eventTimes.find((time) => time > t + rounding) : this.eventTimes.findLast((time) => time < t - rounding);
  }

  /** Points that the view should include: shapes and joints of moving bodies and ends of springs, over the whole run. */
  extent(reach) {
    if (this.bed) return this.bed.extent();
    const points = [];
    const every = Math.max(1, Math.floor(this.times.length / 60));
    for (let frame = 0; frame < this.times.length; frame += every) {
      this.bodies.forEach((body, index) => {
        if (index === 0 || (body.moves === "fixed" && frame > 0)) return;
        const pose = this.poseAt(index, frame);
        for (const shape of body.shapes) {
          const far = reach(shape);
          if (far === Infinity) continue;
          const centre = place(pose, shape.position);
          for (const sign of [-far, far]) for (const axis of [0, 1, 2]) points.push(centre.map((x, i) => (i === axis ? x + sign : x)));
        }
        if (body.moves === "free") points.push(pose.x);
      });
      for (const { a, b } of this.joints) {
        for (const end of [a, b]) if (this.bodies[end.body].moves === "free") points.push(place(this.poseAt(end.body, frame), end.point));
      }
      for (const end of this.springs.flatMap(({ a, b }) => [a, b])) {
        if (frame === 0 || this.bodies[end.body].moves !== "fixed") points.push(place(this.poseAt(end.body, frame), end.point));
      }
    }
    return points.length > 0 ? points : [[0, 0, 0], [1, 1, 1]];
  }
}

/** Energies that are more than rounding errors, and their largest value. Potential energy is measured from its minimum, since its zero is arbitrary. */
function ledger(columns) {
  const counted = columns.map(([name, column]) => {
    if (name !== "potential") return [name, column];
    const least = column.reduce((a, b) => Math.min(a, b), Infinity);
    return ["potential, from its least", column.map((value) => value - least)];
  });
  const largest = counted.map(([, column]) => column.reduce((best, value) => Math.max(best, Math.abs(value)), 0));
  const most = Math.max(...largest);
  return [counted.filter((_, i) => largest[i] > 1e-7 * most), most];
}
