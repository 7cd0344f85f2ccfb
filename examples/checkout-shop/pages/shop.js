// Where inline.js is there, the checkout opens in a dialog. Whatever that says, the
// page of the order is shown next, and it asks the server.
document.querySelector("form").addEventListener("submit", async (event) => {
  if (!window.FerryCheckout) return; // the form goes to the checkout page
  event.preventDefault();
  const answer = await fetch("/inline/buy", { method: "POST" });
  if (!answer.ok) return alert(await answer.text());
  const { order, checkout_url } = await answer.json();
  const show = () => location.assign(order);
  FerryCheckout.pay({ checkout_url, onSuccess: show, onCancel: show, onError: show });
});
