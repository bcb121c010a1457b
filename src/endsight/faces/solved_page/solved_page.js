"use strict";
// The nodes of the game as faces/solved_page/writing.py packs them, and a page that goes from one to the next.
const $ = (id) => document.getElementById(id);

async function unpacked(id) {
  const bytes = Uint8Array.from(atob($(id).textContent.replace(/\s/g, "")), (sign) => sign.charCodeAt(0));
  const whole = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(whole).arrayBuffer());
}

class Reader {
  constructor(bytes, texts) { this.bytes = bytes; this.texts = texts; this.place = 0; }
  number() {
    let value = 0, unit = 1, byte;
    do { byte = this.bytes[this.place++]; value += (byte & 127) * unit; unit *= 128; } while (byte > 127);
    return value;
  }
  text() { return this.texts[this.number()]; }
  position() {
    const list = (read) => Array.from({ length: this.number() }, read);
    const boards = list(() => list(() => this.text()).join("")), seen = list(() => this.text());
    const found = { boards, seen, mover: this.number() - 2, tone: this.text(), say: this.text(), why: this.text(), heading: this.text(), todo: this.text(), who: this.text() };
    const bar = this.number();
    found.bar = bar ? (bar - 1) / 1000 : null;
    found.label = this.text();
    found.moves = list(() => ({
      move: this.text(), sign: this.text(), result: this.text(), exact: this.text(), lost: this.text(), chance: this.text(),
      to: this.number() - 1, best: this.number() === 1, weight: this.number(),
    }));
    return found;
  }
}

const OVER = -2, CHANCE = -1;
let about, reader, offsets;
let path = [0], texts = [], seats = [], shown = true, timer = 0;

const at = (number) => { reader.place = offsets[number]; return reader.position(); };
const here = () => at(path[path.length - 1]);

async function begin() {
  about = JSON.parse(new TextDecoder().decode(await unpacked("tables")));
  reader = new Reader(await unpacked("stream"), about.texts);
  offsets = [];
  for (let number = 0; number < about.count; number++) { offsets.push(reader.place); reader.position(); }
  seats = about.players.map((_, number) => (number === 0 ? "hand" : "perfect")).concat("roll");
  $("how").textContent = `${about.whole ? "All" : "The"} ${about.positions.toLocaleString("en")} positions ${about.whole ? "of the game" : "that perfect play can meet"} are in this file. Found by ${about.method}. ${about.worth}`;
  drawSeats();
  draw();
}

function drawSeats() {
  const hasChance = !about.hides && offsets.some((_, number) => number < 2000 && at(number).mover === CHANCE);
  const rows = about.players.map((name, number) => [name, number, [["hand", "by hand"], ["perfect", "perfectly"]]]);
  if (hasChance) rows.push([about.chance.outcomes, about.players.length, [["roll", about.chance.drawn], ["hand", "I enter them"]]]);
  $("seats").replaceChildren(...rows.map(([name, number, ways]) => {
    const label = make("label", "seat-row", name[0].toUpperCase() + name.slice(1));
    const select = make("select");
    for (const [way, text] of ways) select.append(new Option(text, way, false, seats[number] === way));
    select.onchange = () => { seat(number, select.value); draw(); };
    label.append(select);
    return label;
  }));
}

// Where something is hidden, or players move at once, one person plays.
function seat(number, way) {
  if (about.hides && way === "hand") seats.fill("perfect", 0, about.players.length);
  seats[number] = way;
  if (about.hides) drawSeats();
}

// The player whose view is shown: the person's, or the first where the file plays all.
const viewer = () => Math.max(0, seats.indexOf("hand"));
const isShown = (place) => !about.hides || place.mover === viewer() || place.mover === OVER;

function make(name, kind = "", text = "") {
  const made = document.createElement(name);
  if (kind) made.className = kind;
  made.textContent = text;
  return made;
}

function draw() {
  clearTimeout(timer);
  const place = here();
  const told = shown && isShown(place);
  document.body.classList.toggle("veiled", !shown);
  $("board").innerHTML = place.boards[about.hides ? viewer() : 0] ?? place.boards[0];  // drawn by endsight when the file was made
  $("verdict").className = `card verdict ${told ? place.tone : "plain"}`;
  $("tone").setAttribute("href", `#es-sign-${place.tone}`);
  $("say").textContent = told || place.mover === OVER ? place.say : turn(place);
  $("why").textContent = told ? place.why : shown ? "" : "Values are hidden.";
  $("turn").textContent = turn(place);
  bar(place);
  $("go").textContent = place.mover === OVER ? "Play again" : place.mover === CHANCE ? about.chance.draw : isShown(place) ? place.todo || "Play" : "Go on";
  $("start").disabled = $("back").disabled = path.length === 1;
  $("values").textContent = `${shown ? "Hide" : "Show"} values`;
  $("values").setAttribute("aria-pressed", String(shown));
  $("history").replaceChildren(...(place.seen.length ? place.seen[viewer()].split("\n").filter(Boolean) : texts).map((text, number) => {
    const item = make("li"), button = make(place.seen.length ? "span" : "button", "chip", text);
    button.onclick = () => place.seen.length || through(number + 1);
    item.append(button);
    return item;
  }));
  table(place);
  makePiecesMovable();
  if (place.mover !== OVER && seats[place.mover === CHANCE ? about.players.length : place.mover] !== "hand") timer = setTimeout(forward, 450);
}

function turn(place) {
  if (place.mover === OVER) return "The game is over.";
  return place.mover === CHANCE ? "Chance moves next." : `${place.who || about.players[place.mover]} to move.`.replace(/^./, (sign) => sign.toUpperCase());
}

function bar(place) {
  const share = place.bar, side = $("eval");
  side.classList.toggle("none", share === null);
  side.classList.toggle("one", about.players.length === 1);
  if (share === null) return;
  const low = Math.round(1000 * share);
  const set = (id, values) => Object.entries(values).forEach(([key, value]) => $(id).setAttribute(key, value));
  set("high", { y: 0, height: 1000 - low });
  set("low", { y: 1000 - low, height: low });
  set("left", { x: 0, width: low });
  set("right", { x: low, width: 1000 - low });
  side.setAttribute("aria-label", place.label);
  side.title = place.label;
}

function table(place) {
  const chance = place.moves.some((move) => move.chance), lost = place.moves.some((move) => move.lost);
  $("moves").closest("section").hidden = !place.moves.length || !isShown(place);
  $("moves-title").textContent = place.mover === CHANCE ? "Outcomes" : "Moves";
  const names = [place.mover === CHANCE ? "Outcome" : "Move", ...(chance ? ["Chance"] : []), place.heading, ...(lost ? ["Gives away"] : [])];
  $("heads").replaceChildren(...names.map((name) => make("th", "", name)));
  $("moves").replaceChildren(...place.moves.map((move) => {
    const row = make("tr", move.best && shown ? "best" : ""), first = make("td"), button = make("button", "", move.move);
    button.dataset.move = move.move;
    first.append(button);
    row.append(first);
    if (chance) row.append(make("td", "", move.chance));
    const result = make("td", "value"), tag = make("span", `tag ${move.sign}`);
    if (move.sign !== "plain") tag.innerHTML = `<svg viewBox="0 0 100 100" aria-hidden="true"><use href="#es-sign-${move.sign}"/></svg>`;
    tag.append(` ${move.result}`);
    tag.title = move.exact;
    result.append(tag);
    row.append(result);
    if (lost) row.append(make("td", "value", move.lost));
    return row;
  }));
}

function play(text) {
  follow(here().moves.find((each) => each.move === text));
}

function follow(move) {
  if (!move) return;
  if (move.to < 0) {
    $("say").textContent = "That position is not in this file.";
    $("why").textContent = "The file holds what can come up while at least one player plays perfectly.";
    return;
  }
  path.push(move.to);
  texts.push(move.move);
  draw();
}

// Draw a move by weight: chance's, a mixture's, or 1 for the single move of best play.
function forward() {
  const place = here();
  if (place.mover === OVER) return rewind(0);
  let left = Math.random() * place.moves.reduce((sum, move) => sum + move.weight, 0);
  follow(place.moves.find((move) => (left -= move.weight) < 0));
}

function rewind(count) {
  path.length = count + 1;
  texts.length = count;
  draw();
}

function through(count) {
  rewind(count);
  clearTimeout(timer);  // somebody who goes back wants to look
}

$("go").onclick = forward;
$("start").onclick = () => through(0);
$("back").onclick = () => through(Math.max(0, path.length - 2));
$("values").onclick = () => { shown = !shown; draw(); };
document.addEventListener("click", (event) => {
  const place = event.target.closest("[data-move]");
  if (!place || !isShown(here())) return;
  event.preventDefault();
  play(place.dataset.move);
});
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, button, a")) return;
  const does = { b: forward, u: () => through(Math.max(0, path.length - 2)), ArrowLeft: () => through(Math.max(0, path.length - 2)), r: () => through(0), "?": () => $("values").click() }[event.key];
  if (does) { event.preventDefault(); does(); }
});
const ready = begin();
