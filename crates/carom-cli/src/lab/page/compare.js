// Comparison of two runs: one is kept on a second stage, with the camera and the time of the other.

import { Camera } from "./camera.js";
import { Stage } from "./stage.js";
import { id } from "./tools.js";


export class Comparison {
  constructor(stage) {
    this.stage = stage;
    this.kept = null;
    this.film = null;
  }

  /** Keeps the film that is shown, with a caption; null ends the comparison. */
  keep(film, caption) {
    this.film = film;
    id("kept").hidden = film === null;
    id("stage-caption").hidden = film === null;
    id("stages").classList.toggle("two", film !== null);
    if (film === null) return;
    this.kept ??= new Stage(id("kept-canvas"), new Camera());
    id("kept-caption").textContent = caption;
    id("kept-canvas").setAttribute("aria-label", `Kept for comparison: ${caption}`);
    this.kept.resize();
    this.kept.show(film);
  }

  /** Draws the kept run at a time, seen as the other one is. */
  draw(t) {
    const { kept, film, stage } = this;
    if (!film) return;
    const { room } = kept.camera;
    const { followed } = stage;
    Object.assign(kept.camera, stage.camera, { room });
    kept.camera.updateAxes();
    // A body that the view follows is followed on the other stage alone: both views stay the same.
    kept.options = { ...stage.options, follow: -1 };
    kept.draw(Math.min(t, film.end));
    stage.followed = followed;
  }

  resize() {
    if (this.film) this.kept.resize();
  }
}
