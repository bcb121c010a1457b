// Moves from one place to another: choose the piece, then where it goes; or drag it there.
// Whatever page draws a board with links calls `makePiecesMovable` when it has drawn it.
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

let dragged = null;
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
