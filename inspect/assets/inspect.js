// The page is complete without this script. With it, new lines of the timeline come by themselves.
const most = 500;
const prefix = document.body.dataset.prefix;
const lines = document.getElementById("lines");
const status = document.getElementById("status");
const paused = document.getElementById("pause");

// place puts a line where its number belongs, the highest first, and replaces an older form of it.
function place(row) {
  const holder = document.createElement("template");
  holder.innerHTML = row.html; // rendered by the server, which escapes all that others have typed
  const line = holder.content.firstElementChild;
  let at = lines.firstElementChild;
  while (at && Number(at.dataset.seq) > row.seq) at = at.nextElementSibling;
  if (at && Number(at.dataset.seq) === row.seq) at.replaceWith(line);
  else lines.insertBefore(line, at);
}

let waiting = [];
function show() {
  for (const row of waiting) place(row);
  waiting = [];
  while (lines.childElementCount > most) lines.lastElementChild.remove();
  if (lines.querySelector(".api, .page, .event")) document.getElementById("empty")?.remove();
}

let source;
let newest = 0; // the id of the newest update
function listen(version) {
  const query = new URLSearchParams(location.search);
  query.set("after", version);
  source = new EventSource(`${prefix}live?${query}`);
  source.onmessage = (message) => {
    if (Number(message.lastEventId) < newest) location.reload(); // the server was started anew
    newest = Number(message.lastEventId);
    const update = JSON.parse(message.data);
    status.innerHTML = update.head;
    waiting.push(...(update.rows ?? []));
    if (waiting.length > most) waiting = waiting.slice(-most);
    if (!lines.dataset.paused) show();
    else paused.textContent = `Go on (${waiting.length})`;
  };
}

if (lines && lines.dataset.live !== undefined) {
  listen(lines.dataset.live);
  addEventListener("pagehide", () => source.close());
  paused.hidden = false;
  paused.onclick = () => {
    if (lines.dataset.paused) delete lines.dataset.paused;
    else lines.dataset.paused = "yes";
    paused.textContent = lines.dataset.paused ? "Go on" : "Pause";
    if (!lines.dataset.paused) show();
  };
}

// Every example can be copied.
for (const pre of document.querySelectorAll("pre")) {
  const button = document.createElement("button");
  button.textContent = "Copy";
  button.onclick = async () => {
    await navigator.clipboard.writeText(pre.textContent);
    document.getElementById("live").textContent = "Copied";
    button.textContent = "Copied";
    setTimeout(() => (button.textContent = "Copy"), 2000);
  };
  pre.before(button);
}

// askWhere leads to the thing that is typed, or presses the button of this page that is named so.
const go = document.getElementById("go");
const where = document.getElementById("go-to");
const buttons = () => [...document.querySelectorAll(".acts button")];
function askWhere() {
  document.getElementById("go-acts").replaceChildren(...buttons().map((b) => new Option(b.textContent)));
  where.value = "";
  go.showModal();
}
go.addEventListener("submit", () => {
  const text = where.value.trim();
  const named = buttons().find((b) => b.textContent === text);
  if (named) named.click();
  else if (text) location.href = `${prefix}things/${encodeURIComponent(text)}`;
});

// Keys: / searches, j and k choose a line, Enter opens it, g and a letter lead to a view, ? says all this.
let chosen = -1;
let going = false;
const views = { t: "", w: "webhooks", r: "requests", m: "rails", f: "faults", c: "clock", b: "books", a: "api", p: "lists/payments" };
addEventListener("keydown", (event) => {
  if ((event.ctrlKey || event.metaKey) && event.key === "k") {
    event.preventDefault();
    return askWhere();
  }
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, textarea, select")) return;
  if (going && event.key in views) location.href = prefix + views[event.key];
  going = event.key === "g";
  const rows = [...document.querySelectorAll(".lines li[data-seq]")];
  if (event.key === "?") document.getElementById("keys").showModal();
  else if (event.key === "/") {
    event.preventDefault();
    document.getElementById("q")?.focus();
  } else if (rows.length && (event.key === "j" || event.key === "k")) {
    rows[chosen]?.classList.remove("chosen");
    chosen = Math.min(rows.length - 1, Math.max(0, chosen + (event.key === "j" ? 1 : -1)));
    rows[chosen].classList.add("chosen");
    rows[chosen].querySelector("a")?.focus();
  }
});
