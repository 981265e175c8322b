// Helpers shared by several files.

/**
 * Calls the API; errors have the server's message, its advice, and the parameter that is wrong. `away` marks that nobody answered, as does an event of the
 * document. */
export async function ask(path, body, { signal, raw = false } = {}) {
  const options = body === undefined ? { signal } : { method: "POST", body: JSON.stringify(body), signal };
  let response;
  try {
    response = await fetch("/api/v1/" + path, options);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    document.dispatchEvent(new Event("away"));
    throw Object.assign(new Error("The lab does not answer; it may have been ended."), { away: true });
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

const PREFIXES = [[1e9, "G"], [1e6, "M"], [1e3, "k"], [1, ""], [1e-3, "m"], [1e-6, "µ"], [1e-9, "n"], [1e-12, "p"]];

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

/** Runs `work` at most once per animation frame, with the arguments of the last call. */
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

/** Offers bytes as a file. */
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
