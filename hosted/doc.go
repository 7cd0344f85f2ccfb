// Package hosted is the pages on which people pay: the checkout page of a session,
// the page of a payment link, a receipt, the script by which a shop opens the checkout
// page in a dialog of its own, and the script that puts a ramp widget into a shop's page
// (docs/hosted-pages.md).
//
//	GET  /checkout/{session}            the page; /embed is the same one for a frame
//	GET  /checkout/{session}/status     where it stands, in a few words of JSON
//	GET  /checkout/{session}/receipt    what was paid, to print
//	POST /checkout/{session}/{action}   usdc, bank, card, cancel, again
//	GET  /checkout?trx_id&public_key    leads to the page
//	GET  /pay/{slug}                    a form; posted, it leads to a checkout page
//	GET  /inline.js                     pay(options) for shops
//	GET  /ramp.js                       the ramp widget for shops
//
// Pages are rendered here and complete without script: every step is a link or a
// form. With script, a page asks for its status and takes in its own newer self, so
// what a page shows is rendered in one place only. Nothing is shown as paid before
// the engine says so.
//
// Text of a business reaches a page through html/template only. Words of the pages
// stand in lang, one file a language.
//
// What a program needs:
//
//   - [New], with a [Config]: the pages of an engine as an http.Handler
//   - [Serves]: whether a path is one of theirs, for a program with routes of its own
//
// Package server serves them together with the API.
package hosted
