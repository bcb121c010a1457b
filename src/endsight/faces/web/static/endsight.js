// Links work without this script. With it, a click replaces the main part of the page instead of
// loading all of it, and keys step through the moves.
const main = () => document.getElementById("main");
const live = document.getElementById("live");
let latest = 0;

function keyOf(element) {
  return element && (element.dataset.key || (element.closest("#moves, .bd") ? "move" : null));
}

// A selector for the focused element, to restore the focus after an update.
function spotOf(element) {
  const move = element?.closest("[data-move]")?.dataset.move;
  if (move !== undefined) {
    const name = `[data-move="${CSS.escape(move)}"]`;
    return element.closest(".bd") ? `.bd ${name}` : `#moves ${name} a`;
  }
  const key = element?.dataset?.key;
  return key ? `[data-key="${CSS.escape(key)}"]` : null;
}

async function swap(address, { push = true, quiet = false } = {}) {
  const number = ++latest;
  const focused = keyOf(document.activeElement);
  // A progress update must not replace a page that somebody asked for.
  main().classList.toggle("busy", !quiet);
  let answer;
  try {
    answer = await fetch(address, { headers: { accept: "text/html" } });
  } catch {
    location.assign(address);
    return;
  }
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  if (quiet) await noneDragged();
  if (number !== latest) return;
  const part = fresh.getElementById("main");
  if (!part) {
    location.assign(address);
    return;
  }
  // The same place keeps the focus in an updated page, and a chosen piece stays chosen.
  const spot = spotOf(document.activeElement);
  const chosen = document.querySelector(".es-chosen")?.dataset.from;
  main().replaceWith(document.adoptNode(part));
  document.title = fresh.title;
  if (push) history.pushState(null, "", answer.url);
  else if (answer.url !== location.href) history.replaceState(null, "", answer.url);
  if (!quiet) {
    live.textContent = ["board-title", "verdict"].map((name) => document.getElementById(name)?.textContent.trim() ?? "").join(". ");
    refocus(focused);
  } else if (spot) {
    document.querySelector(spot)?.focus({ preventScroll: true });
  }
  begin();
  if (quiet && chosen !== undefined) chooseAgain(chosen);
}

function refocus(key) {
  const place = key === "move" ? document.querySelector("#moves a") : key && document.querySelector(`[data-key="${CSS.escape(key)}"]`);
  (place || main()).focus({ preventScroll: true });
}

function begin() {
  for (const name of ["copy", "png", "from-file"]) document.getElementById(name)?.removeAttribute("hidden");
  for (const button of document.querySelectorAll("[data-copy]")) button.hidden = false;
  const tree = document.querySelector(".tree");
  if (tree) tree.scrollLeft = tree.scrollWidth;
  // Scroll the current item of each strip into view.
  for (const part of document.querySelectorAll(".tabs [aria-current], .graph [aria-current]")) {
    const [own, room] = [part, part.closest(".tabs, .scroll")].map((each) => each.getBoundingClientRect());
    if (own.left < room.left || own.right > room.right) part.closest(".tabs, .scroll").scrollLeft += (own.left + own.right - room.left - room.right) / 2;
  }
  makePiecesMovable();
  const keys = document.getElementById("keys");
  if (keys) {
    keys.hidden = false;
    keys.setAttribute("aria-pressed", String(lettersAreOn()));
  }
  const waiting = document.querySelector("[data-poll]");
  if (waiting) setTimeout(() => document.contains(waiting) && !main().classList.contains("busy") && swap(waiting.dataset.poll || location.href, { push: false, quiet: true }), 700);
}

function lettersAreOn() {
  try {
    return localStorage.getItem("letters") !== "off";
  } catch {
    return true;
  }
}

document.addEventListener("click", (event) => {
  if (event.target.closest("#keys")) {
    localStorage.setItem("letters", lettersAreOn() ? "off" : "on");
    begin();
    return;
  }
  const place = event.target.closest('a[href^="#move-"]');
  if (place) {
    event.preventDefault();
    document.querySelector(place.getAttribute("href"))?.click();
    return;
  }
  const given = event.target.closest("[data-copy]");
  if (given) {
    copyText(given, given.dataset.copy);
    return;
  }
  if (event.target.closest("#copy")) {
    copyLink(event.target.closest("#copy"));
    return;
  }
  if (event.target.closest("#png")) {
    savePicture(event.target.closest("#png").dataset.from);
    return;
  }
  const link = event.target.closest("a[data-swap]");
  if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  swap(link.getAttribute("href"));
});

async function copyText(button, text) {
  const field = button.closest(".game, .card, li")?.querySelector("input.address");
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = "Copied";
  } catch {
    // Without TLS, browsers give other machines no access to the clipboard.
    field?.select();
    button.textContent = field && document.execCommand("copy") ? "Copied" : "Copy it from the field";
  }
}

async function copyLink(button) {
  const address = new URL(location.href);
  address.searchParams.delete("ahead");
  try {
    await navigator.clipboard.writeText(address.href);
    button.textContent = live.textContent = "Copied";
  } catch {
    button.textContent = "Copy the address of this page";
  }
}

function savePicture(from) {
  const image = new Image();
  image.onload = () => {
    const canvas = document.createElement("canvas");
    canvas.width = 2 * image.width;
    canvas.height = 2 * image.height;
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    const link = document.createElement("a");
    link.download = "board.png";
    link.href = canvas.toDataURL("image/png");
    link.click();
  };
  image.src = from;
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!form.matches("form[data-swap]")) return;
  event.preventDefault();
  swap(`${form.getAttribute("action")}?${new URLSearchParams(new FormData(form))}`);
});

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea")) return;
  const tree = document.querySelector(".tree");
  if (tree && ["ArrowLeft", "ArrowRight"].includes(event.key)) {
    event.preventDefault();
    const focused = document.activeElement.closest(".branch a");
    const goal = event.key === "ArrowLeft" ? document.querySelector("[data-key=u]") : focused ?? document.querySelector("[data-key=f]") ?? tree.querySelector("#moves a");
    goal?.click();
    return;
  }
  const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
  const inMoves = event.target.closest("#moves, .bd, .tree");
  if (step && (inMoves || event.target === main() || event.target === document.body)) {
    const links = [...(event.target.closest(".bd") ?? document.getElementById("moves") ?? main()).querySelectorAll("a.move")];
    if (!links.length) return;
    const here = links.indexOf(document.activeElement);
    links[here < 0 ? (step > 0 ? 0 : links.length - 1) : (here + step + links.length) % links.length].focus();
    event.preventDefault();
  } else if (lettersAreOn() && event.key.length === 1) {
    const chosen = document.querySelector(`[data-key="${CSS.escape(event.key)}"]`);
    if (chosen) {
      event.preventDefault();
      chosen.click();
    }
  }
});

// The index: hide games that do not match while somebody types; a record's file fills its field.
document.addEventListener("input", async (event) => {
  const box = event.target;
  if (box.matches(".search input")) {
    const words = box.value.toLowerCase().split(/\s+/);
    for (const game of document.querySelectorAll(".game[data-text]")) {
      game.hidden = !words.every((word) => game.dataset.text.includes(word));
    }
  } else if (box.matches("#from-file input") && box.files.length) {
    document.querySelector("textarea[name=text]").value = await box.files[0].text();
  }
});

addEventListener("popstate", () => swap(location.href, { push: false }));
begin();
