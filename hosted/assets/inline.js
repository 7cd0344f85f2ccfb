// pay(options) opens a checkout in a dialog of the shop's page. Exactly one of
// onSuccess, onCancel and onError is called, once; and onSuccess once for an order. While
// a dialog is there, pay returns that one. It can always be closed. Where it cannot be
// shown, the whole window goes to the checkout page. What a callback says is a hint: ask
// the API before goods leave.
(() => {
  "use strict";
  const source = "service-checkout";
  const brand = "";
  const base = new URL(document.currentScript.src).origin;
  const patience = 10000; // for the page to come
  const grace = 1000; // for its script to speak once it is there
  const texts = {}; // the words of the dialog, by language

  let present; // the dialog that is there
  const succeeded = new Set(); // the orders of which the shop's page knows

  // major writes kobo as naira, without ever being a float. A part of a kobo stays one,
  // and is refused.
  const major = (amount, currency) => {
    const [whole, part = ""] = String(amount).split(".");
    if (currency === "USDC" || !/^[0-9]+$/.test(whole)) return String(amount);
    const padded = whole.padStart(3, "0");
    return `${padded.slice(0, -2)}.${padded.slice(-2)}${part}`;
  };

  // reach asks whether our server is there for any page.
  const reach = () => fetch(`${base}/inline.js`, { method: "HEAD", cache: "no-store", credentials: "omit" })
    .catch(() => { throw new Error(`${base} does not answer`); });

  // unheard is why an order has no answer that this page may read: browsers do not say.
  const unheard = async () => {
    await reach();
    throw new Error(`${base} did not answer an order from ${location.origin}: in production its operator names that origin among "origins"`);
  };

  // create makes a session by the public key, as POST /v1/checkout does. An order with
  // amount_type is one of that route, word for word. One without counts in kobo.
  const create = async (options) => {
    const { customer = {}, amount_type, redirect_url } = options;
    const currency = options.currency ?? (amount_type === undefined ? "NGN" : undefined);
    const order = { currency, amount_type: amount_type ?? (currency === "USDC" ? "crypto" : "fiat") };
    if (options.amount !== undefined) order.amount = amount_type === undefined ? major(options.amount, currency) : String(options.amount);
    const names = ["public_key", "trx_id", "email", "name", "phone", "payment_method", "asset", "customizations"];
    const specific = ["success_url", "cancel_url", "timeout_url"];
    // Without amount_type, redirect_url overrides the others.
    names.push(...(amount_type !== undefined ? ["redirect_url", ...specific] : redirect_url ? ["redirect_url"] : specific));
    for (const name of names) {
      const value = options[name] ?? customer[name];
      if (value !== undefined) order[name] = value;
    }
    if (options.meta ?? options.metadata) order.metadata = options.meta ?? options.metadata;
    const answer = await fetch(`${base}/v1/checkout`, {
      method: "POST", mode: "cors", credentials: "omit", headers: { "Content-Type": "application/json" }, body: JSON.stringify(order),
    }).catch(unheard);
    const body = await answer.json();
    if (!answer.ok) throw Object.assign(new Error(body.message ?? "The checkout was refused"), body.error, { errors: body.errors });
    return body.data.checkout_url;
  };

  // page returns where a session is paid: on our own origin, whatever the server behind
  // it believes that to be. A session of another order is found by its trx_id.
  const page = (url) => {
    const { pathname, search } = new URL(url, base);
    if (!/^\/checkout(\/[a-z0-9_]+)?$/.test(pathname)) throw Object.assign(new Error("Not a checkout page of this server"), { code: "invalid_checkout_url" });
    return new URL(pathname + search, base);
  };

  // linkPage returns where a payment link is paid.
  const linkPage = (slug) => {
    if (!/^[A-Za-z0-9_-]{1,50}$/.test(slug)) throw Object.assign(new Error("link is the slug of a payment link"), { code: "invalid_link" });
    return new URL(`/pay/${slug}`, base);
  };

  // find returns the page that is paid on: that of a link, of a session that the shop made, or of
  // a new one.
  const find = async (options) => {
    if (options.link !== undefined) return linkPage(options.link);
    return page(options.checkout_url ?? (await create(options)));
  };

  const style = (element, rules) => Object.assign(element.style, rules);

  // wordsOf are the dialog's words in the language that the shop names, or speaks.
  const wordsOf = (lang) => {
    const [tag] = (lang || document.documentElement.lang || navigator.language || "").toLowerCase().split("-");
    return texts[tag] ?? texts.en;
  };

  // build makes the dialog: it covers the shop, and says that it loads. Its look is set by
  // script, so that it needs nothing of the shop's content security policy but frame-src
  // and script-src. Its colours are those of the shop's theme.
  const build = (options) => {
    const [dialog, card, close, loading, frame] = ["dialog", "div", "button", "p", "iframe"].map((name) => document.createElement(name));
    const words = wordsOf(options.lang);
    close.type = "button";
    close.textContent = "\u00d7";
    close.setAttribute("aria-label", options.closeLabel ?? words.close);
    loading.textContent = words.loading;
    loading.setAttribute("role", "status");
    frame.title = options.title ?? words.title;
    frame.allow = "clipboard-write";
    frame.referrerPolicy = "no-referrer";
    dialog.setAttribute("aria-label", frame.title);
    dialog.lang = card.lang = words.lang;
    style(dialog, { border: "0", padding: "0", margin: "0", background: "rgb(0 0 0 / 60%)", width: "100vw", height: "100dvh", maxWidth: "none", maxHeight: "none", display: "grid", placeItems: "center", overflow: "hidden" });
    style(card, { position: "relative", width: "min(32rem, 100vw)", height: "min(56rem, 100dvh)", borderRadius: "1rem", background: "Canvas", color: "CanvasText", overflow: "hidden" });
    style(loading, { position: "absolute", inset: "0", margin: "0", display: "grid", placeItems: "center", font: "1rem/1.5 system-ui, sans-serif" });
    style(frame, { position: "absolute", inset: "0", border: "0", width: "100%", height: "100%", background: "Canvas", colorScheme: "light dark", visibility: "hidden" });
    style(close, { position: "absolute", zIndex: "1", top: ".5rem", right: ".5rem", width: "2.75rem", height: "2.75rem", border: "1px solid currentColor", borderRadius: "50%", background: "Canvas", color: "CanvasText", font: "1.5rem/1 system-ui, sans-serif", cursor: "pointer" });
    card.append(close, loading, frame); // the dialog opens with the focus on its first control
    dialog.append(card);
    return { dialog, close, loading, frame };
  };

  const pay = (options = {}) => {
    if (present) return present;
    const callbacks = { success: options.onSuccess ?? options.callback, cancel: options.onCancel ?? options.onClose, error: options.onError };
    let settled = false;
    let closed = false;
    let heard = false;
    let parts;
    let timer;
    let address;
    let last = { trx_id: options.trx_id ?? null };

    // settle calls the one callback, whatever that does.
    const settle = (type, payload) => {
      if (settled) return;
      settled = true;
      if (type === "success") {
        if (succeeded.has(payload.reference)) return; // the page was told when it was paid
        succeeded.add(payload.reference);
      }
      setTimeout(() => callbacks[type]?.(payload));
    };
    const remove = () => {
      if (present === controller) present = undefined;
      clearTimeout(timer);
      removeEventListener("message", hear);
      document.removeEventListener("securitypolicyviolation", blocked);
      if (parts?.dialog.open) parts.dialog.close(); // gives the focus back
      parts?.dialog.remove();
    };
    const close = () => {
      if (closed) return;
      closed = true;
      remove();
      settle("cancel", { ...last, status: "closed" });
    };
    // full leaves the shop's page for that of the checkout; no callback is called then.
    const full = () => {
      if (closed) return;
      settled = closed = true;
      remove();
      location.assign(address);
    };
    // silent is called when nothing was heard of the page. If our server answers, frames
    // are refused; else there is nowhere to go.
    const silent = () => {
      clearTimeout(timer);
      reach().then(full, fail);
    };
    const blocked = (event) => {
      if (event.blockedURI && (event.effectiveDirective ?? "").startsWith("frame") && address.href.startsWith(new URL(event.blockedURI, base).origin)) full();
    };
    const hear = (event) => {
      const { data } = event;
      if (event.origin !== base || event.source !== parts.frame.contentWindow || data?.source !== source || data.version !== 1) return;
      heard = true;
      clearTimeout(timer);
      parts.loading.hidden = true;
      parts.loading.style.display = "none";
      parts.frame.style.visibility = "visible";
      if (data.payload?.trx_id) last = { trx_id: data.payload.trx_id, reference: data.payload.reference };
      if (data.type === "ready") {
        parts.frame.focus();
        parts.frame.contentWindow.postMessage({ source, version: 1, type: "focus" }, base);
      }
      if (data.type === "success") {
        settle("success", data.payload);
        timer = setTimeout(close, 4000);
      }
      if (data.type === "error") settle("error", { ...last, ...data.payload });
      if (data.type === "cancel") {
        if (data.payload?.trx_id) settle("cancel", data.payload);
        close();
      }
    };
    // show covers the shop's page at once, before anything is known of the order.
    const show = () => {
      if (!window.HTMLDialogElement || !location.origin.startsWith("http")) return;
      parts = build(options);
      parts.close.addEventListener("click", close);
      parts.dialog.addEventListener("cancel", (event) => { event.preventDefault(); close(); });
      document.body.append(parts.dialog);
      parts.dialog.showModal();
    };
    const open = (url) => {
      if (closed) return;
      address = url;
      if (options.lang) address.searchParams.set("lang", options.lang);
      if (!parts) return full();
      const embedded = new URL(address);
      if (embedded.pathname.startsWith("/checkout/")) embedded.pathname += "/embed"; // what is found, and a link, is framed as it is
      embedded.searchParams.set("origin", location.origin);
      addEventListener("message", hear);
      document.addEventListener("securitypolicyviolation", blocked);
      timer = setTimeout(silent, patience);
      parts.frame.addEventListener("load", () => {
        if (heard || closed) return;
        clearTimeout(timer);
        timer = setTimeout(silent, grace);
      });
      parts.frame.src = embedded;
    };
    const fail = (error) => {
      if (closed) return;
      closed = true;
      settle("error", { ...last, status: "error", message: error.message, code: error.code ?? "unreachable", errors: error.errors });
      remove();
    };
    const controller = { close };
    present = controller;
    show();
    find(options).then(open).catch(fail);
    return controller;
  };

  window.FerryCheckout = { pay };
  window.pay ??= pay;
  if (brand && window[brand] === undefined) window[brand] = { pay };
  else if (brand && typeof window[brand] === "object") window[brand].pay ??= pay; // a shop's own
})();
