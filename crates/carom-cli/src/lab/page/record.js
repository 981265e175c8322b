// Records the canvas as a video file while the film is played once.

import { download } from "./tools.js";

const FRAMES_PER_SECOND = 30;
const KINDS = ["video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm", "video/mp4"];

/** Plays the time range once from its start and offers it as a file; a second press of the button ends it earlier. */
export function enableRecording(button, canvas, player, name) {
  const kind = window.MediaRecorder && KINDS.find((one) => MediaRecorder.isTypeSupported(one));
  if (!kind || !canvas.captureStream) {
    button.hidden = true;
    return;
  }
  const label = button.textContent;
  let recorder = null;
  button.addEventListener("click", () => {
    if (recorder) return player.pause();
    if (!player.film) return;
    recorder = new MediaRecorder(canvas.captureStream(FRAMES_PER_SECOND), { mimeType: kind });
    const parts = [];
    recorder.addEventListener("dataavailable", (event) => parts.push(event.data));
    recorder.addEventListener("stop", () => {
      download(`${name()}.${kind.includes("mp4") ? "mp4" : "webm"}`, new Blob(parts, { type: kind }));
      recorder = null;
      button.textContent = label;
    });
    button.textContent = "Stop recording";
    recorder.start();
    player.pause();
    player.seek(player.from);
    player.play();
    // The last frame is shown a little, so that it is in the film.
    const watch = setInterval(() => {
      if (player.playing) return;
      clearInterval(watch);
      setTimeout(() => recorder.stop(), 200);
    }, 50);
  });
}
