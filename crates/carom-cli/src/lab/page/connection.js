// Watches the connection: shows at once when the server does not answer, and continues when it does again.

let away = false;
let again = () => {};
/** Interval between two checks (ms). */
const CHECK_INTERVAL = 2000;

/** Watches the server; `back` is called when it answers again. */
export function watch(back) {
  again = back;
  document.addEventListener("away", lost);
  setInterval(() => {
    if (!document.hidden || away) probe();
  }, CHECK_INTERVAL);
}

/** A request was not answered. */
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
