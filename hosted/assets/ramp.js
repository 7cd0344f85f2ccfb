// The widget of a ramp in a page of the shop, where the script stands:
//
//   <script src="https://pay.example.com/ramp.js" data-public-key="rwpk_…"></script>
//
// It calls from the shop's page, because a session is for the origin of the page that opened
// it. The token of the session stays in this script: no address and no store ever has it. What
// comes from outside becomes text, never markup, and amounts stay the digits that they are.
(() => {
  "use strict";
  const texts = {};
  const style = "";
  const script = document.currentScript;
  const base = new URL(script.src).origin;
  const second = 1000;
  const least = 2 * second; // between two looks at an order
  const most = 15 * second;

  // exact reads JSON and keeps every number as it is written.
  const exact = (json) => JSON.parse(json.replace(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g, (part) => (part[0] === '"' ? part : `"${part}"`)));

  // call asks the API. What it throws has the status, code and errors of the refusal, and how
  // long to wait; without a status, nobody answered.
  const call = async (method, path, { token, key, body } = {}) => {
    const headers = {};
    if (token) headers.Authorization = `Bearer ${token}`;
    if (key) headers["Idempotency-Key"] = key;
    if (body) headers["Content-Type"] = "application/json";
    const answer = await fetch(`${base}/v1/ramp/${path}`, {
      method, headers, body: body && JSON.stringify(body), mode: "cors", credentials: "omit", cache: "no-store", signal: AbortSignal.timeout(30 * second),
    });
    if (answer.ok) return exact(await answer.text()).data;
    const { message, error, errors } = await answer.json().catch(() => ({})); // a proxy may answer too
    const wait = second * (Number(answer.headers.get("Retry-After")) || 0);
    throw Object.assign(new Error(message), { status: answer.status, code: error?.code, errors: errors ?? {}, wait });
  };

  const random = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), (n) => n.toString(16).padStart(2, "0")).join("");

  // make builds an element. Functions are listeners, and texts become text.
  const make = (tag, attributes = {}, ...children) => {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (typeof value === "function") element.addEventListener(name, value);
      else if (value !== undefined && value !== false) element.setAttribute(name, value);
    }
    element.append(...children.filter(Boolean));
    return element;
  };

  // ink is black or white, whichever is easier to read on a colour.
  const ink = (color) => {
    const [r, g, b] = [1, 3, 5].map((at) => (parseInt(color.slice(at, at + 2), 16) / 255) ** 2.2);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.18 ? "#000" : "#fff";
  };

  const mount = (place, options) => {
    const { public_key } = options;
    const lang = [options.lang, document.documentElement.lang, ...navigator.languages].map((l) => l?.slice(0, 2)).find((l) => texts[l]) ?? "en";
    const say = (key, values = {}) => (texts[lang][key] ?? key).replace(/\{([a-z_]+)\}/g, (whole, name) => values[name] ?? whole);
    const host = make("ramp-widget", { lang }); // no rule of the shop's is for it
    const root = host.attachShadow({ mode: "open" });
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(style);
    root.adoptedStyleSheets = [sheet];
    const main = make("div");
    const live = make("p", { class: "unseen", role: "status" });
    const card = make("section", {}, main, live);
    root.append(card);
    place.append(host);

    // --- What is shown ---

    const number = (digits) => {
      const [whole, part] = digits.split(".");
      return whole.replace(/\B(?=(\d{3})+$)/g, say("group")) + (part ? say("point") + part : "");
    };
    const naira = (digits) => {
      const [whole, part = ""] = digits.split(".");
      return say("money.ngn", { amount: number(`${whole}.${part.padEnd(2, "0")}`) });
    };
    const usdc = (digits) => `${number(digits)}\u00a0USDC`;
    const time = (at) => new Intl.DateTimeFormat(lang, { day: "numeric", month: "long", hour: "2-digit", minute: "2-digit" }).format(new Date(at));

    // tell has a screen reader say a text.
    const tell = (text) => { live.textContent = text; };
    const note = (text) => text && make("p", { class: "note", role: "alert" }, text);
    const button = (text, click, attributes = {}) => make("button", { type: "button", click, ...attributes }, text);

    // show puts a screen in place of the one before, and keeps the focus in the widget.
    const show = (title, ...parts) => {
      const inside = root.activeElement;
      const heading = make("h2", { tabindex: "-1" }, title);
      main.replaceChildren(heading, ...parts.filter(Boolean));
      if (inside) heading.focus();
    };

    const copy = async (value, pressed) => {
      try {
        await navigator.clipboard.writeText(value);
      } catch {
        const area = make("textarea", { class: "unseen" });
        area.value = value;
        pressed.after(area);
        area.select();
        document.execCommand("copy");
        area.remove();
        pressed.focus();
      }
      tell(say("copied"));
    };

    // list shows rows of a name, a text, and perhaps what to copy and the label of its button.
    const list = (...rows) => make("dl", {}, ...rows.filter(Boolean).map(([name, text, value, label]) => make("div", {},
      make("dt", {}, name),
      make("dd", {}, make("span", {}, text), value && button(label, (event) => copy(value, event.currentTarget), { class: "plain" })),
    )));

    // --- The session ---

    let session;
    // enter opens a session: one that sees the orders of a former one, if that is named.
    const enter = async (former) => {
      session = (await call("POST", "widgets/session", { body: { public_key, session_token: former } })).session_token;
      return session;
    };

    // visit calls within a session, and begins a new one when there is none or it has ended.
    const visit = async (method, path, body) => {
      try {
        return await call(method, path, { token: session ?? (await enter()), body });
      } catch (error) {
        if (error.status !== 401) throw error;
        return call(method, path, { token: await enter(), body });
      }
    };

    // --- The form ---

    let offer; // what the widget offers
    let quote; // the price that is shown
    let holder; // who gets the naira, as the bank says
    let attempt; // the token and the key of an order for the quote, the same at every press
    const typed = { type: "", amount: "", address: "", bank_code: "", account_number: "" };
    const buys = () => typed.type === "onramp";

    let busy = false;
    // once does one thing at a time, whatever is pressed meanwhile.
    const once = async (work) => {
      if (busy) return;
      busy = true;
      card.setAttribute("aria-busy", "true");
      try {
        await work();
      } catch (error) {
        refuse(error);
      }
      busy = false;
      card.removeAttribute("aria-busy");
    };

    const field = (name, label, control, wrong, hint) => {
      const said = [hint && make("p", { class: "fine", id: `${name}-hint` }, hint), wrong && make("p", { class: "wrong", id: `${name}-wrong` }, wrong)].filter(Boolean);
      control.id = control.name = name;
      control.value = typed[name];
      control.addEventListener("input", () => { typed[name] = control.value; });
      if (said.length) control.setAttribute("aria-describedby", said.map((line) => line.id).join(" "));
      if (wrong) control.setAttribute("aria-invalid", "true");
      return make("div", { class: "field" }, make("label", { for: name }, label), control, ...said);
    };

    const choice = (side) => {
      const radio = make("input", { type: "radio", name: "type", value: side, change: () => { typed.type = side; ask(); root.getElementById(side).focus(); }, id: side });
      radio.checked = typed.type === side;
      return make("label", { for: side }, radio, say(`ramp.${side}`));
    };

    // ask shows the form. Wrong are messages by field; that of "" is of no field.
    const ask = (wrong = {}) => {
      const { sides, destination_address } = offer.widget;
      const limits = say("ramp.limits", { minimum: usdc(offer.limits.minimum_stablecoin), maximum: naira(offer.limits.maximum_amount) });
      const banks = make("select", { autocomplete: "off" }, make("option", { value: "" }, say("ramp.choose")),
        ...offer.banks.map((bank) => make("option", { value: bank.bank_code }, bank.bank_name)));
      show(offer.widget.name, note(wrong[""]), make("form", { novalidate: "", submit: (event) => { event.preventDefault(); once(price); } },
        sides.length > 1 && make("fieldset", {}, make("legend", {}, say("ramp.side")), ...sides.map(choice)),
        sides.length === 1 && make("p", {}, say(`ramp.${sides[0]}`)),
        field("amount", say("ramp.amount"), make("input", { inputmode: "decimal", autocomplete: "off" }), wrong.amount, limits),
        buys() && !destination_address && field("address", say("ramp.address"), make("input", { autocomplete: "off", autocapitalize: "off", spellcheck: "false" }), wrong.address, say("ramp.solana")),
        !buys() && field("bank_code", say("ramp.bank"), banks, wrong.bank_code),
        !buys() && field("account_number", say("bank.number"), make("input", { inputmode: "numeric", autocomplete: "off", maxlength: "10" }), wrong.account_number),
        make("button", {}, say("ramp.price")),
      ));
      root.querySelector("[aria-invalid]")?.focus();
    };

    // digits are those of the amount that was typed, or nothing when it may be read in two ways.
    const digits = () => {
      const text = typed.amount.replace(/[\s₦]/g, "");
      return /^(\d+|\d{1,3}(,\d{3})+)(\.\d{1,2})?$/.test(text) ? text.replaceAll(",", "") : "";
    };

    const missing = () => {
      const wrong = {};
      const needed = buys() ? (offer.widget.destination_address ? [] : ["address"]) : ["bank_code", "account_number"];
      for (const name of ["amount", ...needed]) if (!typed[name].trim()) wrong[name] = say("wrong.missing");
      if (typed.amount.trim() && !digits()) wrong.amount = say("wrong.amount");
      return wrong;
    };

    const payee = () => {
      if (buys()) return offer.widget.destination_address ? {} : { address: typed.address.trim() };
      return { bank_code: typed.bank_code, account_number: typed.account_number.trim() };
    };

    const fresh = async () => {
      quote = await visit("POST", "session/quote", { type: typed.type, amount: digits(), asset: offer.assets[0].network_asset });
      attempt = undefined;
    };

    const price = async () => {
      const wrong = missing();
      if (Object.keys(wrong).length) return ask(wrong);
      const to = payee();
      holder = Object.keys(to).length ? await visit("POST", "session/verify", to) : undefined;
      await fresh();
      return review();
    };

    // review shows a price, which nothing is bought at before it is confirmed.
    const review = (notice) => {
      const [pays, gets] = buys() ? [naira(quote.amount), usdc(quote.amount_stablecoin)] : [usdc(quote.amount_stablecoin), naira(quote.amount)];
      const bank = offer.banks.find((one) => one.bank_code === typed.bank_code)?.bank_name;
      show(say("ramp.review"), note(notice), list(
        [say("ramp.pay"), pays],
        [say("ramp.get"), gets],
        [say("ramp.rate"), say("usdc.rate", { rate: naira(quote.rate) })],
        buys() ? [say("ramp.wallet"), holder?.address ?? offer.widget.destination_address] : [say("ramp.account"), `${holder.account_name}, ${bank}, ${holder.account_number}`],
        [say("usdc.deadline"), time(quote.expires_at)],
      ), make("div", { class: "actions" }, button(say("ramp.confirm"), () => once(confirm)), button(say("ramp.back"), () => busy || ask(), { class: "plain" })));
    };

    // confirm makes the order, in a visit of its own. An answer that was lost is asked for again
    // with the same key.
    const confirm = async () => {
      attempt ??= { key: random() };
      const body = { type: typed.type, amount: digits(), asset: offer.assets[0].network_asset, quote_id: quote.id, ...payee() };
      const initiate = async () => {
        attempt.token ??= await enter();
        return call("POST", "session/initiate", { ...attempt, body });
      };
      let order;
      try {
        order = await initiate().catch(async (error) => {
          if (error.status !== 401) throw error;
          attempt.token = await enter(attempt.token); // it ended between two presses
          return initiate();
        });
      } catch (error) {
        if (error.code !== "quote_expired") throw error;
        await fresh();
        return review(say("ramp.renewed"));
      }
      return follow(order, attempt.token);
    };

    // --- The order ---

    const pending = (order) => {
      const { payment_account: account, beneficiary: payee } = order;
      if (account) {
        return [make("p", {}, say("bank.how")), list(
          [say("bank.amount"), naira(order.amount), order.amount, say("copy.amount")],
          [say("bank.number"), account.account_number, account.account_number, say("copy.number")],
          [say("bank.bank"), account.bank_name],
          [say("bank.name"), account.account_name],
          [say("deadline"), time(order.expires_at)],
          [say("ramp.get"), usdc(order.amount_stablecoin)],
          [say("ramp.wallet"), order.wallet_address],
        )];
      }
      return [make("p", {}, say("usdc.solana")), list(
        [say("usdc.amount"), usdc(order.amount_due), order.amount_due, say("copy.amount")],
        [say("usdc.address"), order.deposit_address, order.deposit_address, say("copy.address")],
        [say("deadline"), time(order.expires_at)],
        [say("ramp.get"), naira(order.amount)],
        [say("ramp.rate"), say("usdc.rate", { rate: naira(order.rate) })],
        [say("ramp.account"), [payee.account_name, payee.bank_name ?? payee.bank_code, payee.account_number].filter(Boolean).join(", ")],
      )];
    };

    const rest = (order) => [
      order.status === "failed" && make("p", {}, say(`ramp.${order.stage}`)),
      list(
        [say("ramp.get"), order.type === "onramp" ? usdc(order.amount_stablecoin) : naira(order.amount)],
        order.status === "failed" && [say("ramp.stage"), order.stage],
        order.last_error && [say("ramp.reason"), order.last_error],
        order.transaction_hash && [say("receipt.proof"), order.transaction_hash, order.transaction_hash, say("ramp.copy")],
      ),
    ];

    const again = () => button(say("ramp.again"), () => { attempt = undefined; ask(); });

    const ended = (order) => order.status === "successful" || order.status === "failed";

    // draw shows an order. When it is late, nothing on the page asks for money any more.
    const draw = (order, notice, late) => {
      const parts = order.status === "pending" ? pending(order) : rest(order);
      show(say(`ramp.${order.type}.${order.stage}`), note(notice), ...(late ? [note(say("underway.closing"))] : parts),
        make("p", { class: "fine" }, `${say("reference")}: ${order.id}`),
        ended(order) ? again() : make("p", { class: "fine" }, say("ramp.stay")));
    };

    // follow looks at an order until it has ended: sooner when it moves, later when it does not
    // or nobody answers. No other visit may see it.
    const follow = (order, token) => {
      let wait = least;
      let notBefore = 0;
      let timer;
      let looking = false;
      let said;
      let wasLate = false;
      const payable = Date.now() + Date.parse(order.expires_at) - Date.parse(order.created_at);
      const later = () => { timer = setTimeout(look, Math.max(wait, notBefore - performance.now())); };
      const stop = () => {
        document.removeEventListener("visibilitychange", soon);
        removeEventListener("online", soon);
      };
      const soon = () => {
        if (looking || document.visibilityState !== "visible") return;
        clearTimeout(timer);
        wait = 0;
        later();
      };
      const take = (next, notice) => {
        const moved = JSON.stringify(next) !== JSON.stringify(order);
        const late = next.status === "pending" && Date.now() > payable;
        if (next.stage !== order.stage) tell(say(`ramp.${next.type}.${next.stage}`));
        if (moved || notice !== said || late !== wasLate) draw(next, notice, late);
        [order, said, wasLate] = [next, notice, late];
        return moved;
      };
      const seen = () => call("GET", `session/status?id=${encodeURIComponent(order.id)}`, { token });
      const look = async () => {
        if (!host.isConnected) return stop();
        looking = true;
        try {
          const moved = take(await seen().catch(async (error) => {
            if (error.status !== 401) throw error;
            token = await enter(token); // the session has ended, and the visit goes on
            return seen();
          }));
          wait = moved ? least : Math.min(Math.max(wait, least) * 1.25, most);
        } catch (error) {
          if ([401, 403, 404].includes(error.status)) {
            stop();
            return show(say("ramp.lost"), make("p", {}, say("ramp.lost.advice", { id: order.id })), again());
          }
          wait = Math.min(Math.max(wait, least) * 2, 2 * most);
          notBefore = performance.now() + (error.wait ?? 0);
          take(order, say(error.status ? "notice.unavailable" : "offline"));
        }
        looking = false;
        return ended(order) ? stop() : later();
      };
      document.addEventListener("visibilitychange", soon);
      addEventListener("online", soon);
      draw(order);
      tell(say(`ramp.${order.type}.${order.stage}`));
      later();
    };

    // --- Start, and what goes wrong ---

    const fields = { amount_below_minimum: "amount", name_enquiry_failed: "account_number" };

    const meaning = ({ status, message }) => {
      if (!status) return say("ramp.offline");
      if (status === 429) return say("sorry.busy.advice");
      return status >= 500 ? say("notice.unavailable") : message;
    };

    const refuse = (error) => {
      const { status, code, errors = {} } = error;
      if (code === "invalid_public_key") return show(say("ramp.closed"));
      if (status === 401 || status === 403) return show(say("ramp.refused", { origin: location.origin }));
      const message = meaning(error);
      if (!offer) return show(message, button(say("refresh"), () => once(begin)));
      const wrong = Object.fromEntries(Object.entries(errors).filter(([name]) => name in typed).map(([name, [text]]) => [name, text]));
      if (fields[code]) wrong[fields[code]] = message;
      if (Object.keys(wrong).length) return ask(wrong);
      return attempt ? review(message) : ask({ "": message });
    };

    const dress = ({ mode, color }) => {
      card.className = mode;
      if (!/^#[0-9a-f]{6}$/i.test(color ?? "")) return;
      host.style.setProperty("--fill", color);
      host.style.setProperty("--on-fill", ink(color));
    };

    const begin = async () => {
      const shown = await call("GET", `widgets/bootstrap?public_key=${encodeURIComponent(public_key)}`);
      dress(shown.theme);
      card.setAttribute("aria-label", shown.widget.name);
      if (shown.mode === "test" && !root.querySelector(".test")) main.before(make("p", { class: "test" }, say("test")));
      if (shown.widget.status === "disabled") return show(say("ramp.closed"));
      offer = await visit("GET", "session/options");
      typed.type = offer.widget.sides[0];
      return ask();
    };

    show(say("ramp.loading"));
    once(begin);
  };

  window.FerryRamp = { mount };
  const { publicKey, target, lang } = script.dataset;
  if (!publicKey) return;
  const place = target ? document.querySelector(target) : make("div");
  if (!target) script.after(place);
  mount(place, { public_key: publicKey, lang });
})();
