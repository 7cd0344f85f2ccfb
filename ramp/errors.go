package ramp

import (
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/provider/rates"
)

var (
	// ErrNotFound says that the scope has no such order or quote.
	ErrNotFound = ferry.NewError(ferry.NotFound, "ramp_not_found", "Onramp or offramp order not found")
	// ErrQuoteNotFound is ErrNotFound of a quote.
	ErrQuoteNotFound = ErrNotFound.Saying("Quote not found")
	// ErrDuplicateReference refuses a reference that the scope used before, on that side.
	ErrDuplicateReference = ferry.NewError(ferry.Invalid, "duplicate_reference", "The reference has been used before")
	// ErrInvalidCurrency refuses another currency than NGN.
	ErrInvalidCurrency = ferry.NewError(ferry.Invalid, "invalid_currency", "The currency must be NGN")
	// ErrBelowMinimum refuses an exchange of less USDC than Config.Minimum.
	ErrBelowMinimum = ferry.NewError(ferry.Invalid, "amount_below_minimum", "The amount is worth too little USDC")
	// ErrQuoteExpired refuses a quote that has run out.
	ErrQuoteExpired = ferry.NewError(ferry.Conflict, "quote_expired", "The quote has expired; ask for a new one")
	// ErrQuoteUsed is ErrQuoteExpired of a quote that another order uses.
	ErrQuoteUsed = ErrQuoteExpired.Saying("Another order uses the quote; ask for a new one")
	// ErrUnavailable says that no rate is to be had now, or, as ErrNoRates, that there is no
	// source of rates.
	ErrUnavailable = ferry.NewError(ferry.Unavailable, "provider_unavailable", "No exchange rate is available").After(5 * time.Second)
	// ErrNoRates is ErrUnavailable of an environment without exchange rates.
	ErrNoRates = ErrUnavailable.Lacking(rates.ErrNone)
)
