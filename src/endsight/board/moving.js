// Moves from one place to another: choose the piece, then where it goes; or drag it there.
// Whatever page draws a board with links calls `makePiecesMovable` when it has drawn it. To draw the same position
// anew it waits for `noneDragged` and, with a piece chosen, calls `chooseAgain`.
function makePiecesMovable() {
  for (const place of document.querySelectorAll(".es-board .es-place[href][data-from]")) {
    const origin = place.closest(".es-board").querySelector(`.es-origin[data-from="${place.dataset.from}"]`);
    for (const [name, text] of [["tabindex", "0"], ["role", "button"], ["aria-pressed", "false"]]) origin?.setAttribute(name, text);
  }
}

const originAt = (event) => event.target.closest?.(".es-origin[tabindex]");

function choose(origin) {
  const board = origin.closest(".es-board");
  const chosen = origin.classList.contains("es-chosen") ? null : origin;
  for (const each of board.querySelectorAll(".es-origin")) {
    each.classList.toggle("es-chosen", each === chosen);
    each.setAttribute("aria-pressed", String(each === chosen));
  }
  const targets = chosen ? [...board.querySelectorAll(`.es-place[data-from="${chosen.dataset.from}"]`)] : [];
  for (const each of board.querySelectorAll(".es-place")) each.classList.toggle("es-target", targets.includes(each));
  board.classList.toggle("es-choosing", chosen !== null);
  return targets;
}

function chooseAgain(from) {
  const origin = document.querySelector(`.es-origin[tabindex][data-from="${CSS.escape(from)}"]`);
  if (origin) choose(origin);
}

let dragged = null;

// A browser ends a drag by touch when its piece leaves the page.
async function noneDragged() {
  while (dragged) await new Promise((resolve) => ["pointerup", "pointercancel"].forEach((end) => addEventListener(end, resolve, { once: true })));
}

document.addEventListener("pointercancel", () => { dragged = null; });
// Without this a finger on a piece would scroll the page: Chromium ignores `touch-action` inside of a drawing.
document.addEventListener("touchstart", (event) => originAt(event) && event.preventDefault(), { passive: false });
document.addEventListener("pointerdown", (event) => {
  const origin = originAt(event);
  dragged = origin && !event.button ? { origin, was: origin.classList.contains("es-chosen") } : null;
  if (dragged && !dragged.was) choose(origin);
});
document.addEventListener("pointerup", (event) => {
  const began = dragged;
  dragged = null;
  if (!began) return;
  const below = document.elementFromPoint(event.clientX, event.clientY);
  const target = below?.closest(".es-target");
  if (target) target.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
  else if (began.was && below === began.origin) choose(began.origin);
});
document.addEventListener("keydown", (event) => {
  const origin = originAt(event);
  if (!origin || !["Enter", " "].includes(event.key)) return;
  event.preventDefault();
  choose(origin)[0]?.focus();
});
