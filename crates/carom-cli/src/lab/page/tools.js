// Helpers shared by several files.

/** The element with this id. */
export const id = (name) => document.getElementById(name);

/**
 * Calls the API. An error carries the server's message, its advice and the parameter that is wrong. If the server does not answer, the error is marked `away`
 * and the document receives an event of that name.
 */
export async function ask(path, body, { signal, raw = false } = {}) {
  const options = body === undefined ? { signal } : { method: "POST", body: JSON.stringify(body), signal };
  let response;
  try {
    response = await fetch("/api/v1/" + path, options);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    document.dispatchEvent(new Event("away"));
    throw Object.assign(new Error("The lab does not answer; it may have been stopped."), { away: true });
  }
  if (!response.ok) {
    const said = await response.json().catch(() => ({ error: response.statusText }));
    throw Object.assign(new Error(said.error), { advice: said.advice, parameter: said.parameter });
  }
  return raw ? response.blob() : response.json();
}

/** Creates an element with attributes and children; strings become text nodes. */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (value === true) made.setAttribute(key, "");
    else if (value !== false && value !== undefined && value !== null) made.setAttribute(key, value);
  }
  made.append(...children.filter((child) => child !== undefined && child !== null));
  return made;
}

/** SI prefixes, the largest first. */
export const PREFIXES = [[1e9, "G"], [1e6, "M"], [1e3, "k"], [1, ""], [1e-3, "m"], [1e-6, "µ"], [1e-9, "n"], [1e-12, "p"]];

/** A number with an SI prefix and four digits. */
export function show(value, unit) {
  if (value === null || value === undefined || !Number.isFinite(value)) return "–";
  if (value === 0) return `0 ${unit}`.trim();
  if (!unit) return String(Number(value.toPrecision(5)));
  const size = Math.abs(value);
  if (size < 0.1 * PREFIXES.at(-1)[0]) return `${value.toExponential(2)} ${unit}`;
  const [factor, prefix] = PREFIXES.find(([factor]) => size >= factor * 0.9999) ?? PREFIXES.at(-1);
  return `${Number((value / factor).toPrecision(4))} ${prefix}${unit}`;
}

/** The colour of a curve, the same as in the figures. */
export function colour(style) {
  return `var(--c${style % 8})`;
}

/** A line in the colour of a curve, for legends. */
export function swatch(style) {
  const line = element("span", { class: "swatch", "aria-hidden": "true" });
  line.style.borderColor = colour(style);
  return line;
}

/** The head and the body of a table, from titles of columns and rows (`tr` elements). */
export function tableParts(titles, rows) {
  return [element("thead", {}, element("tr", {}, ...titles.map((title) => element("th", { scope: "col" }, title)))), element("tbody", {}, ...rows)];
}

/** The numbers before and after `x` in a rising list, by their indices, and the fraction of the interval between them. */
export function bracket(numbers, x) {
  let [low, high] = [0, numbers.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (numbers[middle] <= x) low = middle;
    else high = middle - 1;
  }
  const next = Math.min(low + 1, numbers.length - 1);
  const span = numbers[next] - numbers[low];
  return [low, next, span > 0 ? Math.min(Math.max((x - numbers[low]) / span, 0), 1) : 0];
}

/** Calls `take` with files that are chosen in the field `file` or dropped on the page. */
export function acceptFiles(take) {
  id("file").addEventListener("change", (event) => take([...event.target.files]));
  document.addEventListener("dragover", (event) => {
    event.preventDefault();
    document.body.classList.add("dropping");
  });
  document.addEventListener("dragleave", (event) => {
    if (!event.relatedTarget) document.body.classList.remove("dropping");
  });
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    document.body.classList.remove("dropping");
    take([...event.dataTransfer.files]);
  });
}

/** Counts the answers that the page has shown; tests wait for the next one. */
export function countAnswer() {
  document.body.dataset.shown = Number(document.body.dataset.shown ?? 0) + 1;
}

/** Runs `work` at most once per animation frame. */
export function perFrame(work) {
  let waiting = false;
  return () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      work();
    });
  };
}

/** Saves contents as a file through the browser. */
export function download(name, contents, type) {
  const blob = contents instanceof Blob ? contents : new Blob([contents], { type });
  const link = element("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** Copies text to the clipboard and confirms it on the button. */
export async function copy(button, text) {
  const label = button.textContent;
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = "Copied";
  } catch {
    button.textContent = "Select and copy by hand";
  }
  setTimeout(() => (button.textContent = label), 1500);
}
