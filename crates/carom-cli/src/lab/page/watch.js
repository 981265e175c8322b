// Runs in progress: shows the film of a scene while it is computed, and a run of `carom simulate` while it is written.

import { ask } from "./tools.js";

/** Interval between requests for the progress, and time until a requested film is available (ms). */
const PROGRESS_INTERVAL = 200;
const FILM_DELAY = 120;
/** Runs shorter than this (ms) are shown when they are done. */
const FIRST_FILM_DELAY = 700;
/** The film so far is requested again after this many times the time that the last request took, and once the run has grown by this
 * factor. */
const REQUEST_TIME_FACTOR = 4;
const FILM_GROWTH_FACTOR = 1.5;
/** Interval between checks of the folder of a run (ms). */
const FOLDER_INTERVAL = 1000;

const wait = (ms) => new Promise((done) => setTimeout(done, ms));

/** A remaining time as text. */
export function duration(seconds) {
  if (!(seconds >= 0)) return "";
  if (seconds < 90) return `${Math.max(1, Math.round(seconds))} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  return `${(seconds / 3600).toFixed(1)} h`;
}

/**
 * Runs a scene and resolves to its film. Meanwhile `onProgress(progress)` is called with the progress, and `onFilm(film)` at intervals with
 * the film so far.
 */
export async function runWithProgress(request, signal, { onProgress, onFilm }) {
  const job = `scene-${Math.random().toString(36).slice(2)}`;
  let done = false;
  const answer = ask("simulate", { ...request, job }, { signal }).finally(() => (done = true));
  const follow = async () => {
    const begun = performance.now();
    let [next, reached] = [begun + FIRST_FILM_DELAY, 0];
    while (!done) {
      await wait(PROGRESS_INTERVAL);
      if (done) return;
      const progress = await ask("progress/" + job, undefined, { signal }).catch(() => null);
      if (!progress || done) continue;
      onProgress(progress);
      if (performance.now() < next || progress.done < FILM_GROWTH_FACTOR * reached) continue;
      const asked = performance.now();
      await ask("film/" + job, undefined, { signal }).catch(() => null);
      await wait(FILM_DELAY);
      const film = done ? null : await ask("film/" + job, undefined, { signal }).catch(() => null);
      if (!film || done) continue;
      onFilm(film);
      reached = film.time;
      const now = performance.now();
      next = now + REQUEST_TIME_FACTOR * (now - asked);
    }
  };
  follow().catch(() => {});
  return answer;
}

/** Calls `more()` whenever the run that the lab was started with has advanced, until it has ended. */
export async function followFolder(more) {
  let written = (await ask("run/state").catch(() => null))?.written;
  for (;;) {
    await wait(FOLDER_INTERVAL);
    // A lab that does not answer may be back soon.
    const state = await ask("run/state").catch(() => null);
    if (state && state.written !== written) {
      written = state.written;
      await more().catch(() => {});
    }
    if (state?.ended) return;
  }
}
