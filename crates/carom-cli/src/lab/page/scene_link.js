// Parts of a link to a scene: the compressed text of the user's own scene, and the camera.

// Longer addresses are cut off by some programs that pass them on.
const MAX_LENGTH = 30000;

async function through(bytes, stream) {
  const blob = await new Response(new Blob([bytes]).stream().pipeThrough(stream)).blob();
  return new Uint8Array(await blob.arrayBuffer());
}

/** Compresses a text into characters that are allowed in an address; null if it would be too long. */
export async function pack(text) {
  const bytes = await through(new TextEncoder().encode(text), new CompressionStream("deflate-raw"));
  const letters = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  const word = letters.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
  return word.length <= MAX_LENGTH ? word : null;
}

/** The text that was compressed; null if it is damaged. */
export async function unpack(word) {
  try {
    const letters = atob(word.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = await through(Uint8Array.from(letters, (letter) => letter.charCodeAt(0)), new DecompressionStream("deflate-raw"));
    return new TextDecoder().decode(bytes);
  } catch {
    return null;
  }
}

const precise = (value) => String(Number(value.toPrecision(6)));

/** The camera as six numbers: two angles, half of the height of the view, and the target point. */
export function cameraWords(camera) {
  return [camera.yaw, camera.pitch, camera.half, ...camera.target].map(precise).join();
}

/** Sets the camera from these numbers; returns false if they are invalid. */
export function setCamera(camera, words) {
  const numbers = words?.split(",").map(Number) ?? [];
  if (numbers.length !== 6 || !numbers.every(Number.isFinite) || !(numbers[2] > 0)) return false;
  [camera.yaw, camera.pitch, camera.half] = numbers;
  camera.target = numbers.slice(3);
  camera.updateAxes();
  return true;
}

/** Names and values as the part of an address after #, without empty values. */
export function joined(pairs) {
  const words = pairs.filter(([, value]) => value !== "" && value !== null && value !== undefined);
  return words.map(([name, value]) => (value === true ? name : `${name}=${encodeURIComponent(value)}`)).join("&");
}
