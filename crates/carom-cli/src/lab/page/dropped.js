// Files that are dropped on a page or chosen with its button.

/** Calls `take` with the files. */
export function files(take) {
  document.getElementById("file").addEventListener("change", (event) => take([...event.target.files]));
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

/** Runs `work` when nothing was typed for a moment. */
export function settled(form, work) {
  let timer = null;
  form.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(work, 250);
  });
  form.addEventListener("submit", (event) => event.preventDefault());
}

/** The fields of a form that are not empty, by name. */
export function given(names) {
  const entries = names.map((name) => [name, document.getElementById(name).value.trim()]);
  return Object.fromEntries(entries.filter(([, value]) => value !== ""));
}
