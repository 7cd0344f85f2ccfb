// What a page does besides when script is there: copy, count down, look for news and
// take them in, lead back to the shop, tell a page that frames it. The page works
// without.
(() => {
  "use strict";

  const byId = (id) => document.getElementById(id);
  const live = byId("live");
  const second = 1000;

  // say has a screen reader say a text, also one that was said before.
  const say = (text) => {
    live.textContent = "";
    setTimeout(() => { live.textContent = text; }, 100);
  };

  // --- Copy ---

  const copy = async (button) => {
    const { copied } = byId("main").dataset;
    try {
      await navigator.clipboard.writeText(button.dataset.copy);
    } catch {
      const field = document.createElement("textarea");
      field.value = button.dataset.copy;
      field.className = "unseen";
      button.after(field);
      field.select();
      document.execCommand("copy");
      field.remove();
      button.focus();
    }
    const before = button.dataset.text ??= button.textContent;
    button.textContent = copied;
    say(copied);
    setTimeout(() => { button.textContent = before; }, 2 * second);
  };

  // share hands the address of this page to what the device shares with, or copies it.
  const share = (button) => {
    const url = location.origin + location.pathname;
    // Whoever closes the device's choice has not shared it.
    if (navigator.share) return navigator.share({ title: document.title, url }).catch(() => {});
    button.dataset.copy = url;
    return copy(button);
  };

  // --- A logo that does not load leaves no hole ---

  const logo = document.querySelector(".logo");
  if (logo) {
    const hide = () => { logo.hidden = true; };
    logo.onerror = hide;
    logo.onload = () => { logo.hidden = false; };
    if (logo.complete) logo.decode().catch(hide);
    // The page is not there before its pictures are.
    setTimeout(() => {
      if (logo.complete) return;
      logo.removeAttribute("src");
      hide();
    }, 4 * second);
  }

  // --- Countdown: quiet until the last quarter ---

  const clocks = () => [...document.querySelectorAll(".deadline")];

  const startClocks = () => {
    for (const line of clocks()) line.end = performance.now() + line.dataset.seconds * second;
  };

  const passed = new Set();

  const tick = () => {
    for (const line of clocks()) {
      const left = Math.max(0, Math.ceil((line.end - performance.now()) / second));
      const clock = line.querySelector(".clock");
      if (left <= line.dataset.span / 4) {
        const two = (n) => String(n).padStart(2, "0");
        const time = left < 3600 ? `${Math.floor(left / 60)}:${two(left % 60)}` : `${Math.floor(left / 3600)} h ${two(Math.floor(left / 60) % 60)} min`;
        clock.textContent = byId("main").dataset.left.replace("%", time);
        clock.hidden = false;
      }
      const { dateTime } = line.querySelector("time");
      if (left === 0 && !passed.has(dateTime)) {
        passed.add(dateTime); // once: what follows may come a little later
        lookNow();
      }
    }
  };

  // --- Times in the reader's own zone ---

  const format = (options) => {
    const { lang } = document.documentElement;
    const own = navigator.languages.find((l) => l.startsWith(lang)) ?? lang;
    return new Intl.DateTimeFormat(own, options);
  };

  const localizeTimes = () => {
    const whole = format({ day: "numeric", month: "long", year: "numeric", hour: "2-digit", minute: "2-digit", timeZoneName: "short" });
    for (const time of document.querySelectorAll("time")) time.textContent = whole.format(new Date(time.dateTime));
  };

  // --- A page that frames this one ---

  const framed = () => byId("main").dataset.origin && parent !== window;

  const tell = (type, payload) => {
    const { origin, source } = byId("main").dataset;
    if (framed()) parent.postMessage({ source, version: 1, type, payload }, origin);
  };

  addEventListener("message", (event) => {
    const { origin, source } = byId("main").dataset;
    if (!framed() || event.source !== parent || event.origin !== origin || event.data?.source !== source) return;
    if (event.data.type === "focus") byId("title").focus();
  });

  const outcomes = { completed: "success", cancelled: "cancel", failed: "error", expired: "error", reversed: "error" };
  let told = false;

  const tellEnd = (status) => {
    const type = outcomes[status.status];
    if (!type || told) return;
    told = true;
    const { message, trx_id, reference, amount, currency } = status;
    const word = type === "success" ? type : status.status;
    const code = type === "error" ? word : undefined;
    tell(type, { trx_id, reference, amount, currency, message, status: word, code });
  };

  // --- News ---

  let main = byId("main");
  let leaving = 0;
  let lost = false; // nobody answers
  let upToDate = new Date();

  // connection shows whether the page is up to date, and since when it is not.
  const connection = (there) => {
    const note = byId("offline");
    if (there) upToDate = new Date();
    if (there && lost) note.hidden = true;
    if (!there && !lost) {
      note.hidden = false;
      note.textContent = main.dataset.offline.replace("%", format({ hour: "2-digit", minute: "2-digit", second: "2-digit" }).format(upToDate));
      say(note.textContent);
    }
    lost = !there;
    if (byId("check")) byId("check").hidden = there;
  };

  // dress gives the page what only script can do.
  const dress = () => {
    main = byId("main");
    for (const button of document.querySelectorAll(".copy, #print, #share, #close")) {
      button.hidden = false;
      if (navigator.share) button.textContent = button.dataset.share ?? button.textContent;
    }
    if (byId("check")) byId("check").hidden = !lost;
    startClocks();
    localizeTimes();
    tick();
  };

  // leave leads back to the shop, once, unless the page is framed or waits for the payer.
  const leave = () => {
    const { redirect } = main.dataset;
    const note = main.querySelector(".leaving");
    if (!note || !/^https?:/.test(redirect ?? "") || framed() || leaving) return;
    note.hidden = false;
    leaving = setTimeout(() => { location.assign(redirect); }, 4 * second);
  };

  // read returns what stands on a page that was answered.
  const read = async (answer) => {
    const next = new DOMParser().parseFromString(await answer.text(), "text/html");
    return { next, fresh: next.getElementById("main") };
  };

  // swap takes in a page, and keeps the reader's place.
  const swap = ({ next, fresh }) => {
    const { id } = document.activeElement ?? {};
    const inside = main.contains(document.activeElement);
    if (main.querySelector(".cancel")?.open) fresh.querySelector(".cancel")?.setAttribute("open", "");
    main.replaceWith(document.adoptNode(fresh));
    document.title = next.title;
    dress();
    if (inside) (byId(id) ?? byId("title")).focus();
  };

  // refresh takes in the page as it is now.
  const refresh = async () => {
    const was = main;
    const answer = await fetch(main.dataset.page, { cache: "no-store" });
    if (!answer.ok) throw new Error(answer.status);
    const page = await read(answer);
    if (!page.fresh) throw new Error("no page");
    if (main === was) swap(page); // unless the payer has gone on
  };

  const least = 2 * second;
  const most = 15 * second;
  let wait = least;
  let timer = 0;
  let looking = false;
  let era = 0; // what was asked before calm was stopped by it
  let finished = false; // it is known how the session ended
  let spoken = main.dataset.phase; // what a screen reader knows

  const over = () => "over" in main.dataset;

  // ask returns where the session stands, or nothing when that is what the page says.
  // Of a page that is over, it asks how the session ended.
  const ask = async () => {
    const headers = over() ? {} : { "If-None-Match": main.dataset.tag };
    const answer = await fetch(main.dataset.status, { cache: "no-store", headers });
    if (answer.status === 304) return undefined;
    if (!answer.ok) throw new Error(answer.status);
    return answer.json();
  };

  // take takes in where the session stands, and shows it. The page may be over when the
  // status was not yet: then it is asked once more.
  const take = async (status) => {
    if (!over()) await refresh();
    if (status.phase !== spoken) say(status.message);
    spoken = status.phase;
    wait = least;
    if (!status.over) return;
    finished = true;
    tellEnd(status);
    leave();
  };

  // look asks where the session stands, and again after a while: sooner when something
  // moves, later when nothing does or nobody answers.
  const look = async () => {
    if (looking) return;
    looking = true;
    clearTimeout(timer);
    const was = era;
    try {
      const status = await ask();
      if (status) await take(status);
      else wait = Math.min(wait * 1.1, most);
      connection(true);
    } catch {
      if (was !== era) return; // it was stopped
      connection(false);
      wait = Math.min(wait * 2, 2 * most);
    }
    looking = false;
    if (!finished) timer = setTimeout(look, wait);
  };

  const lookNow = () => {
    if (main.dataset.status && !finished && document.visibilityState === "visible") {
      wait = least;
      look();
    }
  };

  // begin follows the session whose page this is now.
  const begin = () => {
    spoken = main.dataset.phase;
    finished = over() && !framed();
    told = false;
    wait = least;
    clearTimeout(timer);
    if (!over()) timer = setTimeout(look, least);
    else if (framed()) look();
    if (over() && "ended" in main.dataset) leave();
    // Whoever comes back with the back button stays.
    const here = new URL(location.href);
    if (!here.searchParams.has("then")) return;
    here.searchParams.delete("then");
    history.replaceState(null, "", here);
  };

  // --- What a payer presses. The page stays until the next one is there. ---

  let pressed = false;

  const go = async (url, options) => {
    if (pressed) return;
    pressed = true;
    main.setAttribute("aria-busy", "true");
    try {
      const answer = await fetch(url, { cache: "no-store", ...options });
      const page = await read(answer);
      connection(true);
      const note = byId("offline");
      note.hidden = true;
      if (page.fresh && "status" in page.fresh.dataset) {
        swap(page);
        if (answer.ok) history.replaceState(null, "", answer.url);
        begin();
      } else {
        // Why there is no such page.
        note.textContent = [...(page.fresh ?? page.next.body).querySelectorAll("h1, h1 + p")].map((e) => e.textContent).join(". ");
        note.hidden = false;
        say(note.textContent);
      }
    } catch {
      connection(false);
    }
    main.removeAttribute("aria-busy");
    pressed = false;
  };

  // here reports whether a link leads to another view of this page.
  const here = (link) => {
    const page = new URL(main.dataset.page, location.href);
    return link.origin === page.origin && link.pathname === page.pathname && !link.target;
  };

  document.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (button?.id === "share") share(button);
    else if (button?.dataset.copy) copy(button);
    if (button?.id === "print") print();
    if (button?.id === "close") tell("cancel", { status: main.dataset.phase });
    const link = event.target.closest("main a");
    if (!link || !main.dataset.status || !here(link) || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    main.querySelector(".cancel")?.removeAttribute("open");
    go(link.href);
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") tell("cancel", { status: main.dataset.phase });
  });
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (main.dataset.status) {
      event.preventDefault();
      const body = new URLSearchParams(new FormData(form));
      if (event.submitter?.name) body.set(event.submitter.name, event.submitter.value);
      go(form.action, { method: "POST", body });
      return;
    }
    // One order, one press.
    if (form.dataset.sent) event.preventDefault();
    form.dataset.sent = "true";
  });
  addEventListener("pageshow", (event) => { // from the cache of the back button
    if (!event.persisted) return;
    for (const form of document.forms) delete form.dataset.sent;
    clearTimeout(leaving);
    leaving = 0;
    lookNow();
  });

  // --- Start ---

  // The page asks to be loaded again, for browsers to which this script does not come. calm
  // takes that back.
  const again = document.querySelector("meta[http-equiv=refresh]");
  const calm = () => {
    if (!again) return;
    era++;
    stop();
    for (const picture of document.images) if (!picture.complete) picture.src = picture.src; // stopped, too
    looking = false;
    begin();
  };

  again?.remove();
  dress();
  byId("wrong")?.focus();
  if (main.dataset.error) tell("error", { status: "error", code: main.dataset.error, message: byId("title").textContent });
  if ("link" in main.dataset) tell("ready", { status: "form" });
  if (main.dataset.status) {
    tell("ready", { trx_id: main.dataset.order, reference: main.dataset.reference, status: main.dataset.phase });
    begin();
    setInterval(tick, second);
    document.addEventListener("visibilitychange", lookNow);
    addEventListener("online", lookNow);
    addEventListener("offline", () => { if (!finished) connection(false); });
    if (document.readyState === "complete") calm();
    else addEventListener("load", () => setTimeout(calm));
  }
})();
