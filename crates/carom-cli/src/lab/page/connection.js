// Whether the server answers: said at once when it does not, and taken up again when it does.

let away = false;
let again = () => {};
const EVERY = 2000;

/** Watches the server; `back` is called when it answers again. */
export function watch(back) {
  again = back;
  document.addEventListener("away", lost);
  setInterval(() => {
    if (!document.hidden || away) probe();
  }, EVERY);
}

/** A request found nobody there. */
function lost() {
  if (away) return;
  away = true;
  document.getElementById("away").hidden = false;
  document.body.classList.add("away");
}

async function probe() {
  try {
    await fetch("/icon.svg", { method: "HEAD", cache: "no-store" });
  } catch {
    return lost();
  }
  if (!away) return;
  away = false;
  document.getElementById("away").hidden = true;
  document.body.classList.remove("away");
  again();
}
