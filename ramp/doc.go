// Package ramp prices the exchange of naira for USDC and back (docs/api.md, "Onramp" and
// "Offramp").
//
// A [Quote] is for one order: what one side of the ramp exchanges for what, at which
// rate, and until when. The rate has the spread of the operator in it, and amounts are
// rounded against the payer, so that no exchange makes money.
//
// What a program needs, on the service Engine.Quotes:
//
//   - [Quoter.Rate]: the price of now, for nobody in particular
//   - [Quoter.Quote]: a price for an amount, kept until it runs out
//   - [Quoter.Get]: one that was given
//
// [Quoter.Offer], [Offer.In] and [UseIn] make a quote part of an order: the packages ramp/onramp and
// ramp/offramp use them. [Status], [Stage] and [Terms] are what orders of both sides have in
// common. [Config] and [Tx] are for the engine and the stores.
package ramp
